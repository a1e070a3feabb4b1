"""Notes: what happened, as data, with who may know it. Front ends word them in their own language."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from fuda.engine.cards import holds
from fuda.engine.errors import Error
from fuda.engine.seats import EVERYONE, NOBODY, SEATS, SPECTATOR, by_seat, seats_in

NO_CARD: Final = -1
NO_NUMBER: Final = -999_999

Note = dict[str, Any]


class Log:
    """The notes of one game, oldest first, each with those who may know its cards."""

    def __init__(self, names: list[str], notes: list[Note]) -> None:
        self.names = names
        self.notes = notes
        self.witnesses: dict[int, int] = {}
        """Who has seen the cards of a note, as bits, by the note's number; everyone if it has no entry."""

    def clone(self) -> Log:
        c = Log(self.names, self.notes.copy())
        c.witnesses = self.witnesses.copy()
        return c

    def add(
        self,
        kind: str,
        player: i64,
        card: i64,
        cards: vec[i64],
        seats: i64,
        number: i64,
        witnesses: int = EVERYONE,
    ) -> None:
        note: Note = {"kind": kind}
        if player != NOBODY:
            note["seat"] = SEATS[player]
        if card != NO_CARD:
            note["card"] = self.names[card]
        if len(cards):
            note["cards"] = [self.names[one] for one in cards]
        if seats:
            note["seats"] = seats_in(seats)
        if number != NO_NUMBER:
            note["number"] = number
        if witnesses != EVERYONE:
            self.witnesses[len(self.notes)] = witnesses
        self.notes.append(note)

    def add_score(self, points: vec[i64], totals: vec[i64]) -> None:
        self.notes.append({"kind": "score", "points": by_seat(points), "totals": by_seat(totals)})

    def history(self, viewer: i64, since: i64 = 0) -> list[Note]:
        """The notes from number `since` on, as this player or a spectator may read them; the caller may change them."""
        reader: i64 = SPECTATOR if viewer == NOBODY else viewer
        out: list[Note] = []
        for number in range(since, len(self.notes)):
            note = self.notes[number]
            secret = not holds(self.witnesses.get(number, EVERYONE), reader)
            out.append({key: copied(note[key]) for key in note if not (secret and key == "cards")})
        return out


def copied(value: Any) -> Any:
    return value.copy() if isinstance(value, (list, dict)) else value


def checked_history(value: object, where: str) -> list[Note]:
    """A copy of notes that came from outside; Error unless they have the shape of notes."""
    if not isinstance(value, list):
        raise Error(f"{where}, history: expected a list of notes.")
    for number, note in enumerate(value, 1):
        if not isinstance(note, dict) or not isinstance(note.get("kind"), str) or not all(map(is_plain, note.values())):
            raise Error(f"{where}, history, note {number}: this is not a note.")
    return Log([], value).history(NOBODY)


def is_plain(value: object) -> bool:
    """Whether this is a string, a number, or a flat collection of them."""
    if isinstance(value, dict):
        return all(isinstance(one, (str, int)) for one in value.values())
    if isinstance(value, list):
        return all(isinstance(one, (str, int)) for one in value)
    return isinstance(value, (str, int))
