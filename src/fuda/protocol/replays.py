"""The replay of a finished game: its view after every move, for a client that knows no rules."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from fuda.protocol.parts import Note, Number, Payload, Seat, Told, View

MOST_FRAMES: Final = 50
"""How many frames can be asked for at once."""
DEFAULT_FRAMES: Final = 20

Viewpoint = Literal["A", "B", "C", "D", "E", "F", "G", "H", "open", "watch"]
"""What a replay shows: what a seat saw, all hands, or what a spectator saw."""


class ReplayQuery(msgspec.Struct, frozen=True):
    """Which frames of a replay are asked for, and from which viewpoint."""

    seat: Viewpoint = "watch"
    first: Annotated[int, Meta(ge=0, le=2**31)] = msgspec.field(default=0, name="from")
    count: Annotated[int, Meta(ge=1, le=MOST_FRAMES)] = DEFAULT_FRAMES


class ReplayFrame(Payload, frozen=True):
    """The game after a move; the first frame is the deal."""

    turn: Number
    """How many moves had been made."""
    notes: list[Note]
    """What happened in this move."""
    view: View
    """All that could be seen at that moment, without the history."""
    seat: Seat | None = None
    """Who made the move."""
    move: str = ""
    """The move, if it may be known from this viewpoint."""
    told: Told = {}
    """As in `GameNews`."""


class Replay(Payload, frozen=True):
    """Some frames of a finished game."""

    moves: Number
    """How many moves the whole game has; there is one frame more."""
    names: dict[Seat, str]
    """Who sat where at the end of the game."""
    first: Number = msgspec.field(name="from")
    """The turn of the first of these frames."""
    frames: list[ReplayFrame]
    rules: str = ""
    """The version of the rules of the game, if the server has another: then it is shown only with open hands."""
    bare: bool = False
    """Whether only the moves are known, so that the views show nothing of the table."""
