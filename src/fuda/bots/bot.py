"""The base class of all bots, and what bots read from a view. A bot never sees a game, only what its seat may know."""

from __future__ import annotations

from typing import Any, Final

from fuda.engine.chance import Chance
from fuda.engine.errors import Error, brief
from fuda.engine.random import seeded
from fuda.engine.rulebook import Rulebook
from fuda.engine.seats import SEATS
from fuda.games.catalogue import CATALOGUE

SEEDS: Final = 2**62 - 1
"""How many different seeds there are."""


class Bot:
    """Answers what is asked; the same seed and the same views give the same answers."""

    def __init__(self, seed: int) -> None:
        self.random = seeded(seed % SEEDS)

    def choose(self, view: dict[str, Any], moves: list[str]) -> str:
        """One of the legal moves, chosen from nothing but what the seat may know."""
        raise NotImplementedError


def rulebook(game: str) -> Rulebook[Any]:
    for rules in CATALOGUE:
        if rules.id == game:
            return rules
    raise Error(f"There is no game {brief(game)} for a bot; there are {', '.join(rules.id for rules in CATALOGUE)}.")


# Cards ----------------------------------------------------------------------------------------


def suit(card: str) -> str:
    """The first word of a card's name: its suit or colour."""
    return card.partition(" ")[0]


def rank(card: str) -> int:
    """The number in a card's name."""
    return int(card.partition(" ")[2])


# The table ------------------------------------------------------------------------------------


def my_hand(view: dict[str, Any]) -> list[str]:
    hand: list[str] = view["hands"][view["you"]]
    return hand


def seat_after(view: dict[str, Any], seat: str, by: int) -> str:
    """The seat that is this many further on, clockwise."""
    players: int = view["players"]
    return SEATS[(SEATS.index(seat) + by) % players]


def unseen_cards(view: dict[str, Any]) -> list[str]:
    """The cards that the view does not show: they are in other hands, or out of play."""
    rules = rulebook(view["game"])
    seen: set[str] = set()
    for field in rules.fields:
        if field.in_views:
            add_names(view[field.name], seen)
    names = rules.cards
    deck = rules.deck(rules.blank(view["players"], view["options"], Chance(seeded(0))))
    return [names[card] for card in deck if names[card] not in seen]


def add_names(shown: Any, seen: set[str]) -> None:
    """Adds the names in a field of a view, however they are arranged there."""
    if isinstance(shown, list):
        seen.update(shown)
    elif isinstance(shown, dict):
        for one in shown.values():
            add_names(one, seen)
