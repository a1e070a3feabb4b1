"""Understanding what a player types: a number, a card's name or a clear beginning of one, or a word of command."""

from __future__ import annotations

import re
from typing import Any, Final

from fuda.engine.rulebook import Rulebook
from fuda.engine.seats import SEATS
from fuda.engine.words import listed
from fuda.game import SEPARATOR, words_in

Orders = dict[str, tuple[str, str]]
"""Words of command, each with the form in which it is typed and what it does."""

ORDERS: Final[Orders] = {
    "why": ("why CARD", "the rule that forbids a card, or that it is allowed, and what it says"),
    "rules": ("rules [ID]", "the rules of this game, or one paragraph such as the one a refusal names"),
    "last": ("last", "the last trick, or what happened of late"),
    "undo": ("undo", "take your last move back, as long as nothing has come of it"),
    "score": ("score", "the points of all rounds"),
    "save": ("save [FILE]", "save the game and play on"),
    "quit": ("quit", "save the game and leave; the command to go on is printed"),
    "help": ("help", "this list"),
}
SHORT: Final = {"?": "help", "h": "help", "q": "quit", "exit": "quit", "u": "undo"}
MOST_LISTED: Final = 8


class Move:
    """A move that was meant, legal or not."""

    def __init__(self, move: str) -> None:
        self.move = move


class Order:
    """A word of command, and what follows it."""

    def __init__(self, word: str, rest: str) -> None:
        self.word = word
        self.rest = rest


class Unclear:
    """What was typed means nothing, or too much."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence


Answer = Move | Order | Unclear


class Meaning:
    """What the words of a player can mean at this moment."""

    def __init__(
        self, rules: Rulebook[Any], moves: list[str], hand: list[str], names: dict[str, str], orders: Orders = ORDERS
    ) -> None:
        self.orders = orders
        self.together = any(SEPARATOR in move for move in moves)
        """Whether several words can be one move."""
        self.moves = words_in(moves)
        """What is numbered: the moves, or the words of which they consist."""
        self.labels = labels_of(rules, self.moves)
        self.hand = hand
        # Where no seat is asked for, its letter is the beginning of something else.
        seats = names if any(move in names for move in self.moves) else {}
        words = [word for word in rules.moves if word in seats or word not in SEATS]
        self.all = [*self.moves, *(word for word in words if word not in self.moves)]
        self.names = {move: spared(rules, move) for move in self.moves} | seats | rules.family_names()
        """What else a move may be called: a seat by its player's name, a wish by what is wished for."""
        self.symbols = {look.symbol: suit for suit, look in rules.looks.items()}

    def answer(self, text: str) -> Answer:
        text = text.strip()
        several = self.several(text)
        if several is not None:
            return several
        if text.isdecimal():
            return self.numbered(text)
        order = order_in(text, self.orders)
        if order is not None and text.lower() not in [move.lower() for move in self.moves]:
            return order
        found = self.card(text, [self.moves, self.hand, self.all])
        if isinstance(found, Unclear) and not found.sentence:
            return begun_order(text, self.orders) or Unclear(
                f"I do not understand {text!r}: type {self.numbers()}, a card's name or the beginning of one, or help."
            )
        return found

    def several(self, text: str) -> Move | Unclear | None:
        """Several words that are one move: numbers side by side, or names with a plus or a comma between them."""
        parts = re.split(r"\s*[+,&]\s*", text)
        if len(parts) == 1 and re.fullmatch(r"\d+(\s+\d+)+", text):
            parts = text.split()
        if not self.together or len(parts) == 1:
            return None
        words = []
        for part in parts:
            found = self.numbered(part) if part.isdecimal() else self.card(part, [self.hand, self.moves, self.all])
            if isinstance(found, Unclear):
                return found if found.sentence else Unclear(f"I know no card {part!r}.")
            words.append(found.move)
        return Move(SEPARATOR.join(words))

    def numbered(self, number: str) -> Move | Unclear:
        if len(number) < 9 and str(int(number)) in self.labels:
            return Move(self.moves[self.labels.index(str(int(number)))])
        return Unclear(f"There is no move {number}: type {self.numbers()}, or a card's name.")

    def numbers(self) -> str:
        most = sum(label.isdecimal() for label in self.labels)
        return "the number 1" if most == 1 else f"a number from 1 to {most}"

    def asked_about(self, text: str) -> Move | Unclear:
        """The card that `why` is asked about: rather one that is held than any other."""
        several = self.several(text.strip())
        if several is not None:
            return several
        if text.strip().isdecimal():
            return self.numbered(text.strip())
        found = self.card(text, [self.hand, self.moves, self.all])
        if isinstance(found, Unclear) and not found.sentence:
            return Unclear(f"I know no card {text.strip()!r}." if text.strip() else "Why what? Name a card after it.")
        return found

    def card(self, text: str, places: list[list[str]]) -> Move | Unclear:
        """The one card that this names, or begins to name, in the first of these places that has such a card."""
        typed = self.words(text)
        if not typed:
            return Unclear("")
        for move in self.all:
            if typed in (self.words(move), self.words(self.names.get(move, move))):
                return Move(move)
        for place in places:
            found = [move for move in place if self.begins(typed, move)]
            if len(found) == 1:
                return Move(found[0])
            if found:
                return Unclear(f"{text.strip()!r} can be {either(found)}.")
        return Unclear("")

    def words(self, text: str) -> list[str]:
        """The words and numbers in a text; a suit's symbol counts as its name."""
        text = text.lower().replace("−", "-")
        for symbol, suit in self.symbols.items():
            text = text.replace(symbol, f" {suit} ")
        words: list[str] = re.findall(r"-?\d+|[^\W\d_]+", text)
        return [word for at, word in enumerate(words) if at == 0 or word != words[at - 1]]

    def begins(self, typed: list[str], move: str) -> bool:
        """Each word typed begins the word that stands there; a number must be whole."""
        for name in (move, self.names.get(move, move)):
            words = self.words(name)
            if len(typed) <= len(words) and all(begins_word(*pair) for pair in zip(typed, words, strict=False)):
                return True
        return False


def spared(rules: Rulebook[Any], move: str) -> str:
    """A move without the verb that need not be typed: "wish red" is said by "red"."""
    return move if move in rules.cards else move.partition(" ")[2] or move


def labels_of(rules: Rulebook[Any], moves: list[str]) -> list[str]:
    """What is typed for each of these moves: its number; if the moves have numbers of their own, those, and letters."""
    short = [spared(rules, move) for move in moves]
    if not any(word.isdecimal() for word in short):
        return [str(number) for number in range(1, len(moves) + 1)]
    return [word if word.isdecimal() else word[0] for word in short]


def begins_word(typed: str, word: str) -> bool:
    return typed == word if word.lstrip("-").isdecimal() else word.startswith(typed)


def either(moves: list[str]) -> str:
    if len(moves) > MOST_LISTED:
        return f"any of {len(moves)} cards, such as {' or '.join(moves[:2])}"
    return " or ".join(moves) if len(moves) == 2 else f"any of {listed(moves)}"


def order_in(text: str, orders: Orders = ORDERS) -> Order | None:
    """A command that was written out."""
    word, _, rest = text.strip().partition(" ")
    word = SHORT.get(word.lower(), word.lower())
    return Order(word, rest.strip()) if word in orders else None


def begun_order(text: str, orders: Orders = ORDERS) -> Order | None:
    """A command of which only the beginning was written."""
    word, _, rest = text.strip().partition(" ")
    found = [order for order in orders if order.startswith(word.lower())]
    return Order(found[0], rest.strip()) if len(found) == 1 and len(word) > 1 else None
