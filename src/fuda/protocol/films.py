"""A finished game as a film: how things stood after every move, for a client that knows no rules."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from fuda.protocol.parts import Note, Number, Part, Seat, Told, View

MOST_FRAMES: Final = 50
"""So many frames are sent at once."""
USUAL_FRAMES: Final = 20
"""So many, if nobody asks for more or less."""

Eyes = Literal["A", "B", "C", "D", "E", "F", "G", "H", "open", "watch"]
"""With whose eyes a film is seen: a seat's, with all hands open, or as a spectator saw it."""


class FilmWish(msgspec.Struct, frozen=True):
    """Which frames of a film are asked for, and with whose eyes they are seen."""

    seat: Eyes = "watch"
    first: Annotated[int, Meta(ge=0, le=2**31)] = msgspec.field(default=0, name="from")
    count: Annotated[int, Meta(ge=1, le=MOST_FRAMES)] = USUAL_FRAMES


class Frame(Part, frozen=True):
    """How the game stood after a move; the first frame is the deal."""

    turn: Number
    """How many moves had been made."""
    notes: list[Note]
    """What this move brought."""
    view: View
    """All that could be seen then, without the history."""
    seat: Seat | None = None
    """Who made the move."""
    move: str = ""
    """The move, where these eyes may know it."""
    told: Told = {}
    """As in the news of a game."""


class Film(Part, frozen=True):
    """Some frames of a finished game."""

    moves: Number
    """How many moves the whole game has; it has one frame more."""
    names: dict[Seat, str]
    """Who sat where at its end."""
    first: Number = msgspec.field(name="from")
    """The turn of the first of these frames."""
    frames: list[Frame]
