"""What every bot is, and what bots read from a view. A bot never sees a game, only what its seat may know."""

from __future__ import annotations

from typing import Any

from fuda.engine.chance import Chance
from fuda.engine.errors import Error, brief
from fuda.engine.random import seeded
from fuda.engine.rulebook import Rulebook
from fuda.engine.seats import SEATS
from fuda.games.catalogue import CATALOGUE


class Bot:
    """Somebody who answers what is asked; the same seed and the same views give the same answers."""

    def __init__(self, seed: int) -> None:
        self.random = seeded(seed % 0x3FFFFFFFFFFFFFFF)

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


def ranks(cards: list[str]) -> list[int]:
    return [rank(card) for card in cards]


# The table ------------------------------------------------------------------------------------


def my_hand(view: dict[str, Any]) -> list[str]:
    hand: list[str] = view["hands"][view["you"]]
    return hand


def seat_after(view: dict[str, Any], seat: str, by: int) -> str:
    """The seat so many places further on, clockwise."""
    players: int = view["players"]
    return SEATS[(SEATS.index(seat) + by) % players]


def player_of(view: dict[str, Any], place: int) -> str:
    """Who played, or will play, the card at this place of the trick."""
    return seat_after(view, view["leader"], place)


def still_to_play(view: dict[str, Any]) -> list[str]:
    """Who plays to this trick after me."""
    return [player_of(view, place) for place in range(len(view["trick"]) + 1, view["players"])]


def may_hold(view: dict[str, Any], seat: str, group: str) -> bool:
    """Whether this seat has not yet shown that it is out of a suit, or of a number."""
    return group not in view["voids"][seat]


def unseen(view: dict[str, Any]) -> list[str]:
    """The cards that I have not seen this round: they are in the other hands, or out of play."""
    rules = rulebook(view["game"])
    seen: set[str] = set()
    for field in rules.fields:
        note_cards(view[field.name], seen)
    names = rules.cards
    deck = rules.deck(rules.blank(view["players"], view["options"], Chance(seeded(0))))
    return [names[card] for card in deck if names[card] not in seen]


def note_cards(shown: Any, seen: set[str]) -> None:
    """Notes the cards in a part of a view, however they are arranged there."""
    if isinstance(shown, list):
        seen.update(shown)
    elif isinstance(shown, dict):
        for part in shown.values():
            note_cards(part, seen)


def chance_to_follow(view: dict[str, Any], seat: str, group: str, out: int, hidden: int) -> float:
    """How likely a seat holds one of the `out` cards of a suit among those hidden; none if it has failed to follow."""
    if group in view["voids"][seat] or not out:
        return 0.0
    size: int = view["hands"][seat]["size"]
    return 1.0 - (1.0 - out / hidden) ** size
