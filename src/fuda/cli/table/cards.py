"""How cards are printed: symbol, colour and name, so that nothing depends on the colour alone."""

from __future__ import annotations

import functools
import re
from typing import Any, Final

from rich.text import Text

from fuda.cli.table.game import Paragraph
from fuda.cli.terminal.layout import CardGroup
from fuda.engine.rulebook import Rulebook

READABLE_COLOURS: Final = {"blue": "bright_blue", "black": "bright_black"}
"""Replacements for colours that are hard to read on a dark screen."""
CARD_BACK: Final = "▮"
MAX_BACKS: Final = 13
"""More cards than this are shown as a number."""


def suit_of(card: str) -> str:
    return card.partition(" ")[0]


def rank_of(card: str) -> str:
    return card.partition(" ")[2]


class CardLooks:
    """How the cards of one game are printed."""

    def __init__(self, rules: Rulebook[Any], family: bool = False) -> None:
        self.looks = rules.looks
        self.family_names = rules.family_names() if family else {}
        """Family-friendly names for rude ones, if they are wanted."""
        longest_first = sorted([*rules.cards, *self.family_names.values()], key=len, reverse=True)
        cards = "|".join(re.escape(name) for name in longest_first)
        self.pattern = re.compile(rf"(?P<open>[^\w\s]*)(?P<card>{cards})(?!\w)(?P<close>[^\w\s]*)|\S+")
        self.max_short_width = max(self.short_name(card).cell_len for card in rules.cards if self.symbol(card))
        """The width of the widest card with a suit in a hand."""

    def style(self, card: str) -> str:
        look = self.looks.get(suit_of(card))
        return "bold" if look is None else f"bold {READABLE_COLOURS.get(look.colour, look.colour)}"

    def symbol(self, card: str) -> str:
        look = self.looks.get(suit_of(card))
        return "" if look is None else look.symbol

    def full_name(self, card: str) -> Text:
        """The card with symbol, suit and rank: "⚔ sword 7"."""
        return Text(f"{self.symbol(card)} {self.family_text(card)}".strip(), self.style(card))

    def short_name(self, card: str) -> Text:
        """The card as in a hand, without the name of its suit: "⚔ 7"."""
        symbol = self.symbol(card)
        return Text(f"{symbol} {rank_of(card)}" if symbol else self.family_text(card), self.style(card))

    def family_text(self, text: str) -> str:
        """The text with the family names, if they are wanted."""
        for name, other in self.family_names.items():
            for before, after in ((name, other), (name.capitalize(), other.capitalize()), (name.title(), other.title())):
                text = text.replace(before, after)
        return text

    def words(self, text: str) -> Paragraph:
        """The words of a text; a card's name is one word and has its symbol and colour."""
        words: Paragraph = []
        for found in self.pattern.finditer(self.family_text(text)):
            if found["card"]:
                words.append(Text(found["open"]) + self.full_name(found["card"]) + found["close"])
            else:
                words.append(Text(found[0]))
        return words

    def words_with_suits(self, text: str) -> Paragraph:
        """The words of a text in which names of suits have their symbol and colour, too."""
        return [self.full_name(word.plain) if word.plain in self.looks else word for word in self.words(text)]

    def by_suit(self, cards: list[str]) -> list[CardGroup]:
        """⚔ 5 8  ⚑ -3 7; equal cards without a suit are counted."""
        groups: dict[str, CardGroup] = {}
        for card in cards:
            symbol = self.symbol(card)
            key = suit_of(card) if symbol else card
            if key not in groups:
                groups[key] = CardGroup(Text(symbol, self.style(card)), " ")
            if symbol:
                groups[key].items.append(Text(rank_of(card), self.style(card)))
            else:
                number = cards.count(card)
                groups[key].items = [Text(self.family_text(card) + (f" ×{number}" if number > 1 else ""), self.style(card))]
        return list(groups.values())

    def by_rank(self, cards: list[str]) -> list[CardGroup]:
        """2♥◆★♣ 5♥"""
        groups: dict[str, CardGroup] = {}
        for card in sorted(cards, key=lambda card: rank_order(rank_of(card))):
            symbol = self.symbol(card)
            key = rank_of(card) if symbol else card
            if key not in groups:
                groups[key] = CardGroup(Text(key, "bold"), "")
            groups[key].items.append(Text(symbol, self.style(card)))
        return list(groups.values())

    def suit_counts(self, cards: list[str]) -> list[CardGroup]:
        """The number of cards of each suit: ⚔×2 ⚑×2"""
        groups = self.by_suit(cards)
        for group in groups:
            if group.head:
                group.gap = ""
                group.items = [Text(f"×{len(group.items)}", group.head.style)]
        return groups


@functools.cache
def card_looks(rules: Rulebook[Any], family: bool = False) -> CardLooks:
    return CardLooks(rules, family)


def rank_order(rank: str) -> tuple[int, int, str]:
    """Sorts numbers by value, then other ranks by name."""
    return (0, int(rank), "") if rank.lstrip("-").isdecimal() else (1, 0, rank)


def card_backs(size: int, room: int = MAX_BACKS) -> Text:
    """Face-down cards: ▮▮▮ 3"""
    if size == 0:
        return Text("none", "dim")
    return Text(f"{CARD_BACK * size} {size}" if size <= room else f"{CARD_BACK} {size}", "cyan")
