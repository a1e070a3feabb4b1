"""How cards look in a terminal: a symbol, a colour and a name, so that nothing depends on the colour alone."""

from __future__ import annotations

import functools
import re
from typing import Any, Final

from rich.text import Text

from fuda.cli.terminal.layout import Group
from fuda.engine.rulebook import Rulebook

LEGIBLE: Final = {"blue": "bright_blue", "black": "bright_black"}
"""Colours that can hardly be read on a dark screen, and what stands in for them."""
BACK: Final = "▮"
MOST_BACKS: Final = 13
"""More cards than this are a number, not a row of backs."""


def suit_of(card: str) -> str:
    return card.partition(" ")[0]


def rank_of(card: str) -> str:
    return card.partition(" ")[2]


class Looks:
    """The looks of the cards of one game."""

    def __init__(self, rules: Rulebook[Any], family: bool = False) -> None:
        self.looks = rules.looks
        self.family = rules.family_names() if family else {}
        """Other names for cards that are not for children to read."""
        longest_first = sorted([*rules.cards, *self.family.values()], key=len, reverse=True)
        names = "|".join(re.escape(name) for name in longest_first)
        self.words = re.compile(rf"(?P<open>[^\w\s]*)(?P<card>{names})(?!\w)(?P<close>[^\w\s]*)|\S+")

        self.widest = max(self.brief(card).cell_len for card in rules.cards if self.symbol(card))
        """The width of the card that needs most in a fan."""

    def style(self, card: str) -> str:
        look = self.looks.get(suit_of(card))
        return "bold" if look is None else f"bold {LEGIBLE.get(look.colour, look.colour)}"

    def symbol(self, card: str) -> str:
        look = self.looks.get(suit_of(card))
        return "" if look is None else look.symbol

    def name(self, card: str) -> Text:
        """The card with its symbol, its suit and its rank: "⚔ sword 7"."""
        return Text(f"{self.symbol(card)} {self.mild(card)}".strip(), self.style(card))

    def brief(self, card: str) -> Text:
        """The card as it is seen in a fan, without the word for its suit: "⚔ 7"."""
        symbol = self.symbol(card)
        return Text(f"{symbol} {rank_of(card)}" if symbol else self.mild(card), self.style(card))

    def mild(self, text: str) -> str:
        """The text as children may read it, if they may."""
        for name, other in self.family.items():
            for rude, kind in ((name, other), (name.capitalize(), other.capitalize()), (name.title(), other.title())):
                text = text.replace(rude, kind)
        return text

    def caption(self, text: str) -> list[Text]:
        """The same of a few words in which suits stand alone: they have their symbol and colour, too."""
        return [self.name(word.plain) if word.plain in self.looks else word for word in self.sentence(text)]

    def sentence(self, text: str) -> list[Text]:
        """The words of a text, to be packed into lines; a card's name is one word and has its symbol and colour."""
        words: list[Text] = []
        for found in self.words.finditer(self.mild(text)):
            if found["card"]:
                words.append(Text(found["open"]) + self.name(found["card"]) + found["close"])
            else:
                words.append(Text(found[0]))
        return words

    def by_suit(self, cards: list[str]) -> list[Group]:
        """⚔ 5 8  ⚑ -3 7; a card without a suit stands alone, once, with how many there are of it."""
        groups: dict[str, Group] = {}
        for card in cards:
            symbol = self.symbol(card)
            key = suit_of(card) if symbol else card
            if key not in groups:
                groups[key] = Group(Text(symbol, self.style(card)), " ")
            if symbol:
                groups[key].items.append(Text(rank_of(card), self.style(card)))
            else:
                number = cards.count(card)
                groups[key].items = [Text(self.mild(card) + (f" ×{number}" if number > 1 else ""), self.style(card))]
        return list(groups.values())

    def by_rank(self, cards: list[str]) -> list[Group]:
        """2♥◆★♣ 5♥"""
        groups: dict[str, Group] = {}
        for card in sorted(cards, key=lambda card: rank_order(rank_of(card))):
            symbol = self.symbol(card)
            key = rank_of(card) if symbol else card
            if key not in groups:
                groups[key] = Group(Text(key, "bold"), "")
            groups[key].items.append(Text(symbol, self.style(card)))
        return list(groups.values())

    def counts(self, cards: list[str]) -> list[Group]:
        """How many of each suit, where there is no room for more: ⚔×2 ⚑×2"""
        shortened = self.by_suit(cards)
        for group in shortened:
            if not group.head:
                continue
            group.gap = ""
            group.items = [Text(f"×{len(group.items)}", group.head.style)]
        return shortened


@functools.cache
def looks_of(rules: Rulebook[Any], family: bool = False) -> Looks:
    return Looks(rules, family)


def rank_order(rank: str) -> tuple[int, int, str]:
    """Numbers by their value, then the rest by its letters."""
    return (0, int(rank), "") if rank.lstrip("-").isdecimal() else (1, 0, rank)


def backs(size: int, room: int = MOST_BACKS) -> Text:
    """So many cards from behind."""
    if size == 0:
        return Text("none", "dim")
    return Text(f"{BACK * size} {size}" if size <= room else f"{BACK} {size}", "cyan")
