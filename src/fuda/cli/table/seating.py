"""Who sits where: people and bots."""

from __future__ import annotations

from typing import Any, Final

from rich.cells import cell_len

import fuda
from fuda import bots
from fuda.bots.seating import DEFAULT_NAMES, default_kind
from fuda.engine.errors import brief
from fuda.engine.seats import SEATS

MAX_NAME_LENGTH: Final = 12


class Seating:
    """The names of all seats, and the kinds of the bots."""

    def __init__(self, game: str, names: dict[str, str], bot_kinds: dict[str, str]) -> None:
        self.game = game
        self.names = names
        self.bot_kinds = bot_kinds

    @property
    def people(self) -> list[str]:
        return [seat for seat in self.names if seat not in self.bot_kinds]

    def as_json(self) -> dict[str, Any]:
        return {"names": self.names.copy(), "bots": self.bot_kinds.copy()}


def first_seats(players: int) -> list[str]:
    return SEATS[:players]


def split_list(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]


def parse_people(text: str, players: int) -> dict[str, str]:
    """The people's names by seat, from `A,C`, `A=Ann,C=Bob`, `Ann,Bob`, `2` for the first two seats, or `none`."""
    seats = first_seats(players)
    people: dict[str, str] = {}
    if text.strip().lower() == "none":
        return people
    for item in split_list(text):
        seat, equals, name = (part.strip() for part in item.partition("="))
        if item.isdecimal():
            if len(item) > 3 or int(item) > players:
                raise fuda.Error(f"There are {players} players, so {item} of them cannot be people.")
            people |= {seat: DEFAULT_NAMES[SEATS.index(seat)] for seat in seats[: int(item)]}
            continue
        if not equals and item.upper() not in seats:
            seat, name = next_free_seat(seats, people, item), item
        seat = parse_seat(seat, seats)
        if seat in people:
            raise fuda.Error(f"Seat {seat} is given to two people.")
        people[seat] = check_name(name or DEFAULT_NAMES[SEATS.index(seat)])
    return people


def next_free_seat(seats: list[str], people: dict[str, str], name: str) -> str:
    for seat in seats:
        if seat not in people:
            return seat
    raise fuda.Error(f"There is no seat left for {brief(name)}; the seats are {', '.join(seats)}.")


def parse_seat(seat: str, seats: list[str]) -> str:
    if seat.upper() not in seats:
        raise fuda.Error(f"{brief(seat)} is not a seat; the seats are {', '.join(seats)}.")
    return seat.upper()


def check_name(name: object) -> str:
    if not isinstance(name, str) or not name.strip() or not name.isprintable() or cell_len(name) > MAX_NAME_LENGTH:
        raise fuda.Error(f"{brief(name)} cannot be a player's name: use 1 to {MAX_NAME_LENGTH} letters.")
    return name.strip()


def parse_bots(text: str, game: str, players: int, people: dict[str, str]) -> dict[str, str]:
    """The bots' kinds by seat, from `thumb`, `B=random,C=thumb`, or both; the others have the default kind."""
    seats = first_seats(players)
    kinds = {seat: default_kind(game) for seat in seats if seat not in people}
    for item in sorted(split_list(text), key=lambda item: "=" in item):
        seat, equals, kind = (part.strip() for part in item.partition("="))
        if not equals:
            kinds = {seat: check_bot_kind(item, game) for seat in kinds}
            continue
        seat = parse_seat(seat, seats)
        if seat in people:
            raise fuda.Error(f"Seat {seat} belongs to {people[seat]}, so a bot cannot have it.")
        kinds[seat] = check_bot_kind(kind, game)
    return kinds


def check_bot_kind(kind: object, game: str) -> str:
    if isinstance(kind, str) and kind in bots.names(game):
        return kind
    raise fuda.Error(f"There is no bot {brief(kind)} for this game; the bots are {', '.join(bots.names(game))}.")


def assign_seats(game: str, players: int, people: dict[str, str], bot_kinds: dict[str, str]) -> Seating:
    """The seating with a different name for everybody."""
    taken = {name.lower() for name in people.values()}
    names: dict[str, str] = {}
    for at, seat in enumerate(first_seats(players)):
        if seat not in people and DEFAULT_NAMES[at].lower() in taken:
            names[seat] = f"{DEFAULT_NAMES[at]} (bot)"
        else:
            names[seat] = people.get(seat, DEFAULT_NAMES[at])
    check_names_differ(names)
    return Seating(game, names, bot_kinds)


def check_names_differ(names: dict[str, str]) -> None:
    seen: dict[str, str] = {}
    for seat, name in names.items():
        other = seen.setdefault(name.lower(), seat)
        if other != seat:
            raise fuda.Error(f"Seats {other} and {seat} are both called {name}.")


def load_seating(game: str, players: int, table: object) -> Seating:
    """The seating that was saved with a game; if none was, one person and bots."""
    if table is None:
        people = parse_people("1", players)
        return assign_seats(game, players, people, parse_bots("", game, players, people))
    names = table.get("names") if isinstance(table, dict) else None
    kinds = table.get("bots") if isinstance(table, dict) else None
    seats = first_seats(players)
    if not isinstance(names, dict) or [*names] != seats or not isinstance(kinds, dict) or not set(kinds) <= set(seats):
        raise fuda.Error(f"its table does not say who sits in seats {', '.join(seats)}.")
    checked = {seat: check_name(names[seat]) for seat in seats}
    check_names_differ(checked)
    return Seating(game, checked, {seat: check_bot_kind(kinds[seat], game) for seat in seats if seat in kinds})
