"""What there is to say of a game, in English, and so what a translation has to say."""

from __future__ import annotations

from typing import Any

from fuda.engine.core import Rule
from fuda.engine.fields import Name
from fuda.engine.rulebook import Rulebook
from fuda.engine.seats import SEATS

Words = dict[str, Any]


def english(rules: Rulebook[Any]) -> Words:
    """All words of a game, in the form of a translation."""
    suits = list(rules.looks)
    return {
        "name": rules.name,
        "about": rules.about,
        "guide": rules.guide,
        "card": "{suit} {rank}",
        "suits": {suit: suit for suit in suits},
        "cards": {name: name for name in names_without_suit(rules)},
        "moves": {move: move for move in rules.moves if move not in rules.cards and move not in SEATS},
        "options": {option.name: {"label": plain(option.name), "text": option.text} for option in rules.options},
        "values": {value: value for value in values(rules)},
        "texts": rules.texts,
        "family": rules.family_names(),
        "questions": rules.questions,
        "notes": rules.notes,
        "captions": rules.captions(),
        "refusals": refusals(rules.rules),
        "fields": {field.name: plain(field.name) for field in rules.fields if field.in_views},
    }


def names_without_suit(rules: Rulebook[Any]) -> list[str]:
    """The cards that have no suit, and the words that stand beside a suit; numbers are the same everywhere."""
    names: dict[str, None] = {}
    for card in rules.cards:
        name = suit_and_rank(rules, card)[1]
        if not name.lstrip("-").isdecimal():
            names[name] = None
    return list(names)


def suit_and_rank(rules: Rulebook[Any], card: str) -> tuple[str, str]:
    """What a card's name says: "" and all of it where it has no suit. A card with a text of its own has none."""
    suit, _, rank = card.partition(" ")
    return (suit, rank) if suit in rules.looks and card not in rules.texts else ("", card)


def values(rules: Rulebook[Any]) -> list[str]:
    """The words that options and fields can have as values, if they are no suits, cards or moves."""
    words = [value for option in rules.options for value in option.values or []]
    words += [word for field in rules.fields if isinstance(field, Name) and field.in_views for word in field.names]
    known = {*rules.looks, *names_without_suit(rules), *rules.moves}
    return [word for word in dict.fromkeys(words) if word not in known]


def refusals(rules: list[Rule]) -> dict[str, str]:
    """Why moves are refused: the rule, then what is the case."""
    said: dict[str, str] = {}
    for rule in rules:
        if rule.because or not rule.reasons:
            said.setdefault(rule.id, f"{rule.text} {rule.because}".strip())
        said |= {key: f"{rule.text} {reason}" for key, reason in rule.reasons.items()}
    return said


def plain(name: str) -> str:
    return name.replace("_", " ")
