"""Positions: a whole state as text that people can read, write and share."""

from __future__ import annotations

from typing import Any

from librt.vecs import extend, vec
from mypy_extensions import i64

from fuda.engine.cards import holds
from fuda.engine.chance import Chance
from fuda.engine.core import State
from fuda.engine.errors import Error, brief
from fuda.engine.fields import HIDDEN, Cards, Field
from fuda.engine.rulebook import Options, Rulebook
from fuda.engine.setup import Setup


def position_of(rules: Rulebook[Any], s: State) -> dict[str, Any]:
    return {field.name: field.read(s, rules.cards) for field in rules.fields}


def set_up(rules: Rulebook[Any], players: i64, options: Options, chance: Chance, position: object) -> State:
    """A state with the given position, in which every field may be left out; rules.resume() is still to be called."""
    given = as_fields(rules, position)
    s: State = rules.blank(players, options, chance)
    setup = Setup(rules.cards, rules.deck(s), players, "The position")
    for field in rules.fields:
        if field.name in given:
            field.write(s, given[field.name], setup)
    rules.complete(s, given, setup)
    unplaced = setup.unplaced()
    if "hands" not in given:
        unplaced = deal_hands(rules, s, unplaced)
    place_rest(rules, s, given.get("rest", rules.rest), unplaced)
    rules.check_all(s, setup)
    return s


def as_fields(rules: Rulebook[Any], position: object) -> dict[str, Any]:
    if not isinstance(position, dict):
        raise Error(f"The position: expected fields with values, got {brief(position)}.")
    names = [field.name for field in rules.fields]
    for name in position:
        if name not in names and name != "rest":
            raise Error(f"The position: {rules.name} has no field {brief(name)}; its fields: {', '.join(names)}.")
    return position


def deal_hands(rules: Rulebook[Any], s: State, unplaced: vec[i64]) -> vec[i64]:
    """Deals hands from the unplaced cards; returns the cards that are left."""
    hands = rules.field("hands")
    assert hands is not None
    cards = s.chance.shuffle(fitting_cards(hands, unplaced))
    at: i64 = 0
    sizes = [rules.hand_size(s, player, len(cards)) for player in range(s.players)]
    for player in range(s.players):
        hand = cards[at : at + sizes[player]]
        hands.fill(s, player, hand)
        at += sizes[player]
    return extend(cards[at:], [card for card in unplaced if not holds(hands.allowed, card)])


def fitting_cards(field: Field, cards: vec[i64]) -> vec[i64]:
    return vec[i64]([card for card in cards if holds(field.allowed, card)])


def place_rest(rules: Rulebook[Any], s: State, name: object, cards: vec[i64]) -> None:
    """Adds unplaced cards to the field with this name, and those not allowed there to the hidden fields."""
    others = [other for other in rules.fields if isinstance(other, Cards) and other.visibility == HIDDEN]
    field = rules.field(name) if isinstance(name, str) else None
    if not isinstance(field, Cards):
        places = ", ".join(field.name for field in rules.fields if isinstance(field, Cards))
        raise Error(f"The position, rest: expected one of {places}, got {brief(name)}.")
    for place in [field, *others]:
        fitting = fitting_cards(place, cards)
        if place.ordered and len(fitting) > 1:
            fitting = s.chance.shuffle(fitting)
        place.add_behind(s, fitting)
        cards = vec[i64]([card for card in cards if not holds(place.allowed, card)])
