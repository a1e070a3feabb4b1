"""Who sits where: people with their names, and bots of some kind."""

from __future__ import annotations

from typing import Any, Final

from rich.cells import cell_len

import fuda
from fuda import bots
from fuda.bots.seating import DEFAULT_NAMES, default_kind
from fuda.engine.errors import brief
from fuda.engine.seats import SEATS

LONGEST_NAME: Final = 12


class Seating:
    """The names of all seats, and the kind of bot of those that are no people."""

    def __init__(self, game: str, names: dict[str, str], bots: dict[str, str]) -> None:
        self.game = game
        self.names = names
        self.bots = bots

    @property
    def people(self) -> list[str]:
        return [seat for seat in self.names if seat not in self.bots]

    def as_json(self) -> dict[str, Any]:
        return {"names": self.names.copy(), "bots": self.bots.copy()}


def seats_of(players: int) -> list[str]:
    return SEATS[:players]


def items_of(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]


def people_from(text: str, players: int) -> dict[str, str]:
    """The people and their names, as written: `A,C`, `A=Ann,C=Bob`, `Ann,Bob`, `2` for the first two seats, `none`."""
    seats = seats_of(players)
    people: dict[str, str] = {}
    if text.strip().lower() == "none":
        return people
    for item in items_of(text):
        seat, equals, name = (part.strip() for part in item.partition("="))
        if item.isdecimal():
            if len(item) > 3 or int(item) > players:
                raise fuda.Error(f"There are {players} players, so {item} of them cannot be people.")
            people |= {seat: DEFAULT_NAMES[SEATS.index(seat)] for seat in seats[: int(item)]}
            continue
        if not equals and item.upper() not in seats:
            seat, name = next_free(seats, people, item), item
        seat = checked_seat(seat, seats)
        if seat in people:
            raise fuda.Error(f"Seat {seat} is given to two people.")
        people[seat] = checked_name(name or DEFAULT_NAMES[SEATS.index(seat)])
    return people


def next_free(seats: list[str], people: dict[str, str], name: str) -> str:
    for seat in seats:
        if seat not in people:
            return seat
    raise fuda.Error(f"There is no seat left for {brief(name)}; there are {', '.join(seats)}.")


def checked_seat(seat: str, seats: list[str]) -> str:
    if seat.upper() not in seats:
        raise fuda.Error(f"{brief(seat)} is not a seat; there are {', '.join(seats)}.")
    return seat.upper()


def checked_name(name: object) -> str:
    if not isinstance(name, str) or not name.strip() or not name.isprintable() or cell_len(name) > LONGEST_NAME:
        raise fuda.Error(f"{brief(name)} is no name for a player: it should have 1 to {LONGEST_NAME} letters.")
    return name.strip()


def kinds_from(text: str, game: str, players: int, people: dict[str, str]) -> dict[str, str]:
    """The kinds of the bots, as written: `thumb`, `B=random,C=thumb`, or both; the rest is of the usual kind."""
    seats = seats_of(players)
    kinds = {seat: default_kind(game) for seat in seats if seat not in people}
    for item in sorted(items_of(text), key=lambda item: "=" in item):
        seat, equals, kind = (part.strip() for part in item.partition("="))
        if not equals:
            kinds = {seat: checked_kind(item, game) for seat in kinds}
            continue
        seat = checked_seat(seat, seats)
        if seat in people:
            raise fuda.Error(f"Seat {seat} is {people[seat]}'s; a bot cannot have it too.")
        kinds[seat] = checked_kind(kind, game)
    return kinds


def checked_kind(kind: object, game: str) -> str:
    if isinstance(kind, str) and kind in bots.names(game):
        return kind
    raise fuda.Error(f"There is no bot {brief(kind)} for this game; there are {', '.join(bots.names(game))}.")


def seat_all(game: str, players: int, people: dict[str, str], kinds: dict[str, str]) -> Seating:
    """Everybody in their seats, each with a name of their own."""
    taken = {name.lower() for name in people.values()}
    names: dict[str, str] = {}
    for at, seat in enumerate(seats_of(players)):
        if seat not in people and DEFAULT_NAMES[at].lower() in taken:
            names[seat] = f"{DEFAULT_NAMES[at]} (bot)"
        else:
            names[seat] = people.get(seat, DEFAULT_NAMES[at])
    different(names)
    return Seating(game, names, kinds)


def different(names: dict[str, str]) -> None:
    seen: dict[str, str] = {}
    for seat, name in names.items():
        other = seen.setdefault(name.lower(), seat)
        if other != seat:
            raise fuda.Error(f"Seats {other} and {seat} are both called {name}.")


def seating_from(game: str, players: int, table: object) -> Seating:
    """The seating that was saved with a game; without one a single person sits with bots."""
    if table is None:
        people = people_from("1", players)
        return seat_all(game, players, people, kinds_from("", game, players, people))
    names = table.get("names") if isinstance(table, dict) else None
    kinds = table.get("bots") if isinstance(table, dict) else None
    seats = seats_of(players)
    if not isinstance(names, dict) or [*names] != seats or not isinstance(kinds, dict) or not set(kinds) <= set(seats):
        raise fuda.Error(f"its table does not say who sits at {', '.join(seats)}.")
    checked = {seat: checked_name(names[seat]) for seat in seats}
    different(checked)
    return Seating(game, checked, {seat: checked_kind(kinds[seat], game) for seat in seats if seat in kinds})
