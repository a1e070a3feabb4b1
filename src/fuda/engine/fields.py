"""The fields of a position: each is listed once per game, with its name, its shape and who may see it.

Positions, views, set-ups and redeals are all made from that one list.
"""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.cards import BIT, cards_in, set_of
from fuda.engine.chance import SEATS
from fuda.engine.core import State
from fuda.engine.errors import Error

OPEN: Final = 0
"""Everyone sees it."""
OWN: Final = 1
"""Its owner sees it; the others see how many cards there are."""
HIDDEN: Final = 2
"""Nobody sees it; everyone sees how many cards there are."""


class Setup:
    """A position being set up: hands out each card of the deck once, and says where something is wrong."""

    def __init__(self, names: list[str], deck: i64, players: i64, what: str) -> None:
        self.names = names
        self.deck = deck
        self.players = players
        self.what = what
        self.codes: dict[str, int] = {names[card]: card for card in range(len(names))}
        self.placed: dict[int, str] = {}

    def wrong(self, where: str, why: str) -> Error:
        return Error(f"{self.what}, {where}: {why}")

    def cards(self, value: object, where: str) -> vec[i64]:
        if not isinstance(value, list):
            raise self.wrong(where, f"expected a list of cards, got {brief(value)}.")
        out = vec[i64](capacity=len(value))
        for name in value:
            out = append(out, self.card(name, where))
        return out

    def card(self, name: object, where: str) -> i64:
        card = self.codes.get(name) if isinstance(name, str) else None
        if card is None:
            raise self.wrong(where, f"{brief(name)} is not a card of this game.")
        if not self.deck & BIT[card]:
            raise self.wrong(
                where, f"the {name} is not in the deck of this game with {self.players} players and these options."
            )
        if card in self.placed:
            raise self.wrong(where, f"the {name} stands in {self.placed[card]} already.")
        self.placed[card] = where
        return card

    def rest(self) -> vec[i64]:
        """The cards that stand nowhere yet."""
        out = vec[i64](capacity=62)
        for card in cards_in(self.deck):
            if card not in self.placed:
                out = append(out, card)
        return out

    def seats(self, value: object, where: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self.wrong(where, f"expected an entry for each seat, got {brief(value)}.")
        for key in value:
            self.seat(key, where)
        return value

    def seat(self, value: object, where: str) -> i64:
        if isinstance(value, str) and len(value) == 1:
            player = SEATS.find(value)
            if 0 <= player < self.players:
                return player
        raise self.wrong(where, f"{brief(value)} is not a seat; there are {', '.join(SEATS[: self.players])}.")

    def number(self, value: object, where: str, low: int, high: int) -> i64:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise self.wrong(where, f"expected a whole number from {low} to {high}, got {brief(value)}.")
        return value


def brief(value: object) -> str:
    """A value as an error message can show it, however long."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):  # nested too deeply, or a number of too many digits
        text = f"a {type(value).__name__} that is too large"
    return text if len(text) <= 60 else f"{text[:57]}…"


class Place:
    """Cards that a seat cannot see: how many there are, and which cards can not be among them."""

    def __init__(self, field: Field, owner: i64, cards: vec[i64], never: i64) -> None:
        self.field = field
        self.owner = owner
        self.cards = cards
        self.never: i64 = never


class Field:
    """One named attribute of a game's state, as JSON."""

    def __init__(self, name: str, seen: i64 = OPEN) -> None:
        self.name = name
        self.seen: i64 = seen
        self.ordered = False
        """Whether its cards have an order."""

    def read(self, s: State, names: list[str]) -> Any:
        raise NotImplementedError

    def show(self, s: State, names: list[str], viewer: i64) -> Any:
        """What the viewer sees of it."""
        return self.read(s, names)

    def write(self, s: State, value: object, setup: Setup) -> None:
        raise NotImplementedError

    def cards(self, s: State) -> vec[i64]:
        """All cards in it."""
        return vec[i64]()

    def hidden(self, s: State, viewer: i64) -> list[Place]:
        """Its parts that the viewer cannot see."""
        return []

    def fill(self, s: State, owner: i64, cards: vec[i64]) -> None:
        """Puts these cards there instead of what was there."""
        raise NotImplementedError


class Number(Field):
    """A number that the table can see."""

    def __init__(self, name: str, low: i64, high: i64) -> None:
        super().__init__(name)
        self.low: i64 = low
        self.high: i64 = high

    def read(self, s: State, names: list[str]) -> Any:
        return getattr(s, self.name)

    def write(self, s: State, value: object, setup: Setup) -> None:
        setattr(s, self.name, setup.number(value, self.name, self.low, self.high))


class Seat(Field):
    """A seat: who leads, who starts."""

    def read(self, s: State, names: list[str]) -> Any:
        return SEATS[getattr(s, self.name)]

    def write(self, s: State, value: object, setup: Setup) -> None:
        setattr(s, self.name, setup.seat(value, self.name))


class Numbers(Field):
    """A number of each seat."""

    def read(self, s: State, names: list[str]) -> Any:
        numbers: vec[i64] = getattr(s, self.name)
        return {SEATS[player]: numbers[player] for player in range(s.players)}

    def write(self, s: State, value: object, setup: Setup) -> None:
        numbers: vec[i64] = getattr(s, self.name)
        for seat, number in setup.seats(value, self.name).items():
            numbers[SEATS.index(seat)] = setup.number(number, f"{self.name} of {seat}", -999_999, 999_999)


class Cards(Field):
    """A set of cards in the middle of the table."""

    def read(self, s: State, names: list[str]) -> Any:
        return [names[card] for card in self.cards(s)]

    def show(self, s: State, names: list[str], viewer: i64) -> Any:
        return self.read(s, names) if self.seen == OPEN else covered(self.cards(s))

    def write(self, s: State, value: object, setup: Setup) -> None:
        self.fill(s, 0, setup.cards(value, self.name))

    def cards(self, s: State) -> vec[i64]:
        return cards_in(getattr(s, self.name))

    def hidden(self, s: State, viewer: i64) -> list[Place]:
        return [] if self.seen == OPEN else [Place(self, 0, self.cards(s), 0)]

    def fill(self, s: State, owner: i64, cards: vec[i64]) -> None:
        setattr(s, self.name, set_of(cards))


class Row(Cards):
    """Cards in an order."""

    def __init__(self, name: str, seen: i64 = OPEN) -> None:
        super().__init__(name, seen)
        self.ordered = True

    def cards(self, s: State) -> vec[i64]:
        row: vec[i64] = getattr(s, self.name)
        return row

    def fill(self, s: State, owner: i64, cards: vec[i64]) -> None:
        setattr(s, self.name, cards)


class SeatCards(Field):
    """A set of cards of each seat: hands, piles."""

    def read(self, s: State, names: list[str]) -> Any:
        sets: vec[i64] = getattr(s, self.name)
        return {SEATS[player]: [names[card] for card in cards_in(sets[player])] for player in range(s.players)}

    def show(self, s: State, names: list[str], viewer: i64) -> Any:
        shown = self.read(s, names)
        sets: vec[i64] = getattr(s, self.name)
        for player in range(s.players):
            if self.seen != OPEN and player != viewer:
                shown[SEATS[player]] = covered(cards_in(sets[player]))
        return shown

    def write(self, s: State, value: object, setup: Setup) -> None:
        for seat, cards in setup.seats(value, self.name).items():
            self.fill(s, SEATS.index(seat), setup.cards(cards, f"{self.name} of {seat}"))

    def cards(self, s: State) -> vec[i64]:
        sets: vec[i64] = getattr(s, self.name)
        out = vec[i64](capacity=62)
        for player in range(s.players):
            for card in cards_in(sets[player]):
                out = append(out, card)
        return out

    def hidden(self, s: State, viewer: i64) -> list[Place]:
        if self.seen == OPEN:
            return []
        sets: vec[i64] = getattr(s, self.name)
        return [
            Place(self, player, cards_in(sets[player]), s.never_held(player))
            for player in range(s.players)
            if player != viewer
        ]

    def fill(self, s: State, owner: i64, cards: vec[i64]) -> None:
        sets: vec[i64] = getattr(s, self.name)
        sets[owner] = set_of(cards)


MOST_CARDS: Final = 62


def covered(cards: vec[i64]) -> dict[str, Any]:
    """How cards look from behind."""
    return {"size": len(cards), "cards": []}


def size_of(shown: object) -> int:
    """How many cards a view shows in a place, open or covered; -1 if that is not what it shows."""
    if isinstance(shown, dict):
        size = shown.get("size")
        return size if isinstance(size, int) and 0 <= size <= MOST_CARDS else -1
    return len(shown) if isinstance(shown, list) else -1


class Voids(Field):
    """What each seat has shown not to hold, as names of suits or numbers."""

    def __init__(self, name: str, groups: list[tuple[str, int]]) -> None:
        super().__init__(name)
        self.groups = groups

    def read(self, s: State, names: list[str]) -> Any:
        sets: vec[i64] = getattr(s, self.name)
        out: dict[str, list[str]] = {}
        for player in range(s.players):
            lacks = sets[player]
            out[SEATS[player]] = [group for group, cards in self.groups if lacks & cards == cards]
        return out

    def write(self, s: State, value: object, setup: Setup) -> None:
        sets: vec[i64] = getattr(s, self.name)
        for seat, groups in setup.seats(value, self.name).items():
            where = f"{self.name} of {seat}"
            if not isinstance(groups, list):
                raise setup.wrong(where, f"expected a list, got {brief(groups)}.")
            lacks: i64 = 0
            for group in groups:
                lacks |= self.cards_of(group, where, setup)
            sets[SEATS.index(seat)] = lacks

    def cards_of(self, name: object, where: str, setup: Setup) -> i64:
        for group, cards in self.groups:
            if group == name:
                return cards
        known = ", ".join(group for group, _ in self.groups)
        raise setup.wrong(where, f"{brief(name)} is not one of {known}.")
