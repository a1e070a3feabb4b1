"""Transcripts: what was shown and noted while a game was played, to watch it again without its version of the rules."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

import fuda
from fuda.engine.errors import Error
from fuda.engine.notes import Note, checked_history
from fuda.engine.seats import SEATS
from fuda.game import begin, chance_from

View = dict[str, Any]
LONGEST_TEXT: Final = 500
MOST_LEVELS: Final = 8
"""How deeply a transcript is nested at most."""
Seat = Annotated[str, Meta(pattern=r"^[A-H]$(?!\n)")]


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A move, and what it changed."""

    seat: Seat
    move: str
    notes: list[Note] = []
    view: View = {}
    """The fields of the view that changed."""
    seats: dict[Seat, View] = {}
    """Of the fields with a value for each seat: the values that changed, by seat."""


class Transcript(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    fuda: str
    """The version of Fuda that wrote it."""
    game: str
    rules: str
    notes: list[Note]
    view: View
    """All that could be seen after the deal with open hands, without the history."""
    moves: list[Move]


class Header(msgspec.Struct, frozen=True):
    """What every view must have; see `engine.views`."""

    players: Annotated[int, Meta(ge=1, le=len(SEATS))]
    options: dict[str, bool | int | str | None]
    you: None
    seat: Seat | None
    over: bool
    winners: list[Seat] | None


class Frame(msgspec.Struct, frozen=True):
    """The game after a move, or as it was dealt."""

    view: View
    """All that could be seen with open hands, without the history."""
    notes: list[Note]
    """What happened in the move."""
    seat: str | None = None
    """Who made the move."""
    move: str = ""


def transcript_of(record: dict[str, Any]) -> dict[str, Any]:
    """What was shown with open hands, and noted, from the deal to the last move."""
    complete = fuda.replay(record)
    whole, rules = complete.record(), complete.rules
    chance = chance_from(0, rules.cards, whole["chance"])
    game = begin(rules, whole["players"], whole["options"], chance, whole.get("position"), whole.get("history"))
    first = view = open_view(game)
    notes = first.pop("history")
    moves = []
    for move in whole["moves"]:
        seat, noted, before = str(game.seat), game.note_count, view
        game.play(move)
        view = open_view(game, noted)
        moves.append(Move(seat, move, view.pop("history"), *changes(before, view)))
    transcript = Transcript(fuda.__version__, rules.id, rules.version, notes, first, moves)
    written: dict[str, Any] = msgspec.to_builtins(transcript)
    return written


def changes(before: View, after: View) -> tuple[View, dict[str, View]]:
    """The fields that are not as before; of those with a value for each seat, only the values that changed."""
    seats = SEATS[: after["players"]]
    fields: View = {}
    by_seat: dict[str, View] = {}
    for name, value in after.items():
        earlier = before[name]
        if is_by_seat(value, seats) and is_by_seat(earlier, seats):
            for seat in seats:
                if value[seat] != earlier[seat]:
                    by_seat.setdefault(seat, {})[name] = value[seat]
        elif value != earlier:
            fields[name] = value
    return fields, by_seat


def frames_of(transcript: object) -> list[Frame]:
    """The whole view after each move, the deal first; Error if the transcript, which may come from anywhere, is damaged."""
    try:
        if not is_plain(transcript, MOST_LEVELS):
            raise Error("The transcript is damaged: it has something that cannot be shown.")
        whole = msgspec.convert(transcript, Transcript)
        view = whole.view
        frames = [Frame(view, checked_history(whole.notes, "The transcript"))]
        seats = SEATS[: msgspec.convert(view, Header).players]
        for move in whole.moves:
            view = view | move.view
            for seat, fields in move.seats.items():
                view |= {name: with_value(view.get(name), seat, value, seats) for name, value in fields.items()}
            if SEATS[: msgspec.convert(view, Header).players] != seats or move.seat not in seats:
                raise Error("The transcript is damaged: the players change.")
            frames.append(Frame(view, checked_history(move.notes, "The transcript"), move.seat, move.move))
    except msgspec.ValidationError as error:
        raise Error(f"The transcript is damaged: {error}") from error
    return frames


def with_value(values: object, seat: str, value: object, seats: list[str]) -> dict[str, Any]:
    if not isinstance(values, dict) or not is_by_seat(values, seats) or seat not in seats:
        raise Error("The transcript is damaged: a field has no value for each seat.")
    return values | {seat: value}


def is_plain(value: object, levels: int) -> bool:
    """Whether there are only texts that can be printed, whole numbers, yes and no, nested no deeper than that."""
    if isinstance(value, str):
        return value.isprintable() and len(value) <= LONGEST_TEXT
    if isinstance(value, dict):
        return levels > 0 and all(is_plain(key, 0) and is_plain(value[key], levels - 1) for key in value)
    if isinstance(value, list):
        return levels > 0 and all(is_plain(one, levels - 1) for one in value)
    return value is None or isinstance(value, int)


# With open hands --------------------------------------------------------------------------------------


def open_view(game: fuda.Game, noted: int = 0) -> View:
    """A spectator's view with all that each seat sees of its own; what nobody sees stays hidden."""
    view = game.view(None, noted)
    seats = SEATS[: game.state.players]
    by_seat = [name for name, value in view.items() if is_by_seat(value, seats)]
    for seat in seats:
        own = game.view(seat, noted)
        for name in by_seat:
            view[name][seat] = own[name][seat]
        view["history"] = [seen | more for seen, more in zip(view["history"], own["history"], strict=True)]
    return view


def is_by_seat(value: Any, seats: list[str]) -> bool:
    return isinstance(value, dict) and [*value] == seats
