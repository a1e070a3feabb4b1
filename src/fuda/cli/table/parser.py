"""Parses what a player types: the number of a move, a card's name or the beginning of one, or a command."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from fuda.engine.rulebook import Rulebook
from fuda.engine.seats import SEATS
from fuda.engine.words import listed
from fuda.game import SEPARATOR, words_in

CommandTexts = dict[str, tuple[str, str]]
"""Commands with their usage and what they do."""

COMMANDS: Final[CommandTexts] = {
    "why": ("why CARD", "why you may or may not play a card, and its text"),
    "rules": ("rules [ID]", "the rules of this game, or one of them, such as the one in a refusal"),
    "last": ("last", "the last trick, or what happened recently"),
    "undo": ("undo", "take back your last move, until somebody else plays or you see new cards"),
    "score": ("score", "the points of all rounds"),
    "save": ("save [FILE]", "save the game and go on playing"),
    "quit": ("quit", "save the game and quit; prints the command that continues it"),
    "help": ("help", "this list"),
}
"""The commands at a local table."""
ALIASES: Final = {"?": "help", "h": "help", "q": "quit", "exit": "quit", "u": "undo"}
MAX_LISTED: Final = 8


class Move:
    """A move, legal or not."""

    def __init__(self, move: str) -> None:
        self.move = move


class Command:
    """The name of a command, and what was typed after it."""

    def __init__(self, name: str, argument: str) -> None:
        self.name = name
        self.argument = argument


class Unclear:
    """Input that means nothing, or several things; the message says which."""

    def __init__(self, message: str) -> None:
        self.message = message


Input = Move | Command | Unclear


class InputParser:
    """Knows what can be typed at this moment."""

    def __init__(
        self,
        rules: Rulebook[Any],
        moves: list[str],
        hand: list[str],
        names: dict[str, str],
        commands: Iterable[str] = COMMANDS,
    ) -> None:
        self.commands = commands
        self.is_combined = any(SEPARATOR in move for move in moves)
        """Whether several cards can be one move."""
        self.moves = words_in(moves)
        """What is numbered: the moves, or the cards of which they consist."""
        self.labels = labels_for(rules, self.moves)
        self.hand = hand
        # Where no seat is asked for, its letter is the beginning of something else.
        seats = names if any(move in names for move in self.moves) else {}
        words = [word for word in rules.moves if word in seats or word not in SEATS]
        self.all_moves = [*self.moves, *(word for word in words if word not in self.moves)]
        """All moves of the game, the legal ones first."""
        self.other_names = {move: without_verb(rules, move) for move in self.moves} | seats | rules.family_names()
        """What else a move may be called: a seat by its player's name, "wish red" just "red"."""
        self.symbols = {look.symbol: suit for suit, look in rules.looks.items()}

    def parse(self, text: str) -> Input:
        text = text.strip()
        command = find_command(text, self.commands)
        if command is not None and text.lower() not in [move.lower() for move in self.moves]:
            return command
        return (
            self.parse_move(text, [self.moves, self.hand, self.all_moves])
            or complete_command(text, self.commands)
            or Unclear(f"I do not understand {text!r}. Type {self.numbers()}, (part of) a card's name, or help.")
        )

    def parse_subject(self, text: str) -> Move | Unclear:
        """The card that `why` is asked about; cards in hand come first."""
        text = text.strip()
        found = self.parse_move(text, [self.hand, self.moves, self.all_moves])
        return found or Unclear(f"I know no card {text!r}." if text else "Why what? Name a card, for example: why 1.")

    def parse_move(self, text: str, lists: list[list[str]]) -> Move | Unclear | None:
        combined = self.parse_combined(text)
        if combined is not None:
            return combined
        return self.parse_number(text) if text.isdecimal() else self.parse_name(text, lists)

    def parse_combined(self, text: str) -> Move | Unclear | None:
        """Several cards as one move: numbers with spaces, or names with a plus or a comma between them."""
        parts = re.split(r"\s*[+,&]\s*", text)
        if len(parts) == 1 and re.fullmatch(r"\d+(\s+\d+)+", text):
            parts = text.split()
        if not self.is_combined or len(parts) == 1:
            return None
        cards = []
        for part in parts:
            lists = [self.hand, self.moves, self.all_moves]
            found = self.parse_number(part) if part.isdecimal() else self.parse_name(part, lists)
            if not isinstance(found, Move):
                return found or Unclear(f"I know no card {part!r}.")
            cards.append(found.move)
        return Move(SEPARATOR.join(cards))

    def parse_number(self, number: str) -> Move | Unclear:
        if len(number) < 9 and str(int(number)) in self.labels:
            return Move(self.moves[self.labels.index(str(int(number)))])
        return Unclear(f"There is no move {number}. Type {self.numbers()}, or a card's name.")

    def numbers(self) -> str:
        most = sum(label.isdecimal() for label in self.labels)
        return "the number 1" if most == 1 else f"a number from 1 to {most}"

    def parse_name(self, text: str, lists: list[list[str]]) -> Move | Unclear | None:
        """The move with this name; else the only one that begins so, in the first list that has any."""
        typed = self.split_words(text)
        if not typed:
            return None
        for move in self.all_moves:
            if typed in (self.split_words(move), self.split_words(self.other_names.get(move, move))):
                return Move(move)
        for moves in lists:
            found = [move for move in moves if self.begins_with(move, typed)]
            if len(found) == 1:
                return Move(found[0])
            if found:
                return Unclear(f"{text!r} can be {alternatives(found)}.")
        return None

    def split_words(self, text: str) -> list[str]:
        """The words and numbers in a text; a suit's symbol counts as its name."""
        text = text.lower().replace("−", "-")
        for symbol, suit in self.symbols.items():
            text = text.replace(symbol, f" {suit} ")
        words: list[str] = re.findall(r"-?\d+|[^\W\d_]+", text)
        return [word for at, word in enumerate(words) if at == 0 or word != words[at - 1]]

    def begins_with(self, move: str, typed: list[str]) -> bool:
        """Whether each typed word is the beginning of the word in the same place; numbers must be complete."""
        for name in (move, self.other_names.get(move, move)):
            words = self.split_words(name)
            if len(typed) <= len(words) and all(is_beginning(*pair) for pair in zip(typed, words, strict=False)):
                return True
        return False


def without_verb(rules: Rulebook[Any], move: str) -> str:
    """A move as it can be typed: "wish red" as "red"."""
    return move if move in rules.cards else move.partition(" ")[2] or move


def labels_for(rules: Rulebook[Any], moves: list[str]) -> list[str]:
    """What is typed for each move: its position; if moves are numbers themselves, the number or a first letter."""
    short = [without_verb(rules, move) for move in moves]
    if not any(word.isdecimal() for word in short):
        return [str(number) for number in range(1, len(moves) + 1)]
    return [word if word.isdecimal() else word[0] for word in short]


def is_beginning(typed: str, word: str) -> bool:
    return typed == word if word.lstrip("-").isdecimal() else word.startswith(typed)


def alternatives(moves: list[str]) -> str:
    if len(moves) > MAX_LISTED:
        return f"any of {len(moves)} cards, such as {' or '.join(moves[:2])}"
    return " or ".join(moves) if len(moves) == 2 else f"any of {listed(moves)}"


def find_command(text: str, commands: Iterable[str] = COMMANDS) -> Command | None:
    """A command whose name is complete, or that has this alias."""
    name, _, argument = text.strip().partition(" ")
    name = ALIASES.get(name.lower(), name.lower())
    return Command(name, argument.strip()) if name in commands else None


def complete_command(text: str, commands: Iterable[str] = COMMANDS) -> Command | None:
    """The only command that begins with what was typed."""
    beginning, _, argument = text.strip().partition(" ")
    found = [name for name in commands if name.startswith(beginning.lower())]
    return Command(found[0], argument.strip()) if len(found) == 1 and len(beginning) > 1 else None
