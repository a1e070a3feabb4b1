"""Notes: what happened, as data, with who may know it. Front ends word them in their own language."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from fuda.engine.cards import cards_in
from fuda.engine.chance import SEATS
from fuda.engine.errors import Error

NOBODY: Final = -1
NO_CARD: Final = -1
NO_NUMBER: Final = -999_999

Note = dict[str, Any]


def seats_in(players: i64) -> list[str]:
    return [SEATS[player] for player in cards_in(players)]


class Log:
    """The notes of one game, oldest first, as every seat may read them."""

    def __init__(self, names: list[str], notes: list[Note]) -> None:
        self.names = names
        self.notes = notes

    def clone(self) -> Log:
        return Log(self.names, self.notes.copy())

    def add(self, kind: str, player: i64, card: i64, cards: i64, seats: i64, number: i64) -> None:
        note: Note = {"kind": kind}
        if player != NOBODY:
            note["seat"] = SEATS[player]
        if card != NO_CARD:
            note["card"] = self.names[card]
        if cards:
            note["cards"] = [self.names[one] for one in cards_in(cards)]
        if seats:
            note["seats"] = seats_in(seats)
        if number != NO_NUMBER:
            note["number"] = number
        self.notes.append(note)

    def add_score(self, points: vec[i64], totals: vec[i64]) -> None:
        self.notes.append({"kind": "score", "points": by_seat(points), "totals": by_seat(totals)})

    def history(self) -> list[Note]:
        """A copy that its reader may change."""
        return [{key: copied(note[key]) for key in note} for note in self.notes]


def by_seat(numbers: vec[i64]) -> dict[str, int]:
    return {SEATS[player]: numbers[player] for player in range(len(numbers))}


def copied(value: Any) -> Any:
    return value.copy() if isinstance(value, (list, dict)) else value


def checked_history(value: object, where: str) -> list[Note]:
    """A copy of notes that came from outside; Error unless they have the shape of notes."""
    if not isinstance(value, list):
        raise Error(f"{where}, history: expected a list of notes.")
    for number, note in enumerate(value, 1):
        if not isinstance(note, dict) or not isinstance(note.get("kind"), str) or not all(map(is_plain, note.values())):
            raise Error(f"{where}, history, note {number}: this is not a note.")
    return Log([], value).history()


def is_plain(value: object) -> bool:
    """Whether this is a word, a number, or a flat collection of them."""
    if isinstance(value, dict):
        return all(isinstance(one, (str, int)) for one in value.values())
    if isinstance(value, list):
        return all(isinstance(one, (str, int)) for one in value)
    return isinstance(value, (str, int))
