"""The entries of a table's log: applied one after the other, they give the table."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from fuda.protocol.parts import Pace, RandomBytes, Reaction, Seat

Secret = Annotated[str, Meta(pattern=r"^([0-9a-f]{2})+$(?!\n)")]
Mover = Literal["person", "bot", "clock"]


class Entry(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True, tag_field="kind", tag=str.lower):
    """Something that happened at a table.

    Thousands are kept for long and none has reference cycles, so the garbage collector skips them.
    """

    id: str = ""
    """The client's message that led to it, so that the message acts only once."""
    digest: str = ""
    """A short hash of that message, so that its id is not used for another one."""


class Opened(Entry, frozen=True):
    game: str
    options: dict[str, Any]
    chairs: list[str]
    """For each seat: open, closed, or the kind of a bot."""
    public: bool
    pace: Pace
    chat: bool
    invite: str
    secret: Secret


class Sat(Entry, frozen=True):
    seat: Seat
    name: str
    token: str
    """The hash of the token that proves who sits there."""
    request: str = ""
    """The hash of the request's id, so that the request may be repeated."""


class Left(Entry, frozen=True):
    seat: Seat


class ChairSet(Entry, frozen=True, tag="furnished"):
    """A chair was opened, closed, or given to a bot."""

    seat: Seat
    to: str
    invite: str = ""
    """The new invitation, if a person was removed."""


class Swapped(Entry, frozen=True):
    seat: Seat
    other: Seat
    by: Seat


class Configured(Entry, frozen=True):
    public: bool
    pace: Pace
    chat: bool


class BytesGiven(Entry, frozen=True, tag="gave"):
    """A player gave random bytes for the next deal."""

    seat: Seat
    bytes: RandomBytes


class Starting(Entry, frozen=True):
    """The game is dealt once everybody has given bytes, or after a short while."""


class Started(Entry, frozen=True):
    rules: str
    chance: tuple[Any, ...]
    due: float | None = None
    """The deadline of the first question, or the end of the first reaction."""


class Played(Entry, frozen=True):
    seat: Seat
    move: str
    by: Mover
    quiet: bool = False
    """Whether nobody is told if the clock made the move, as that would reveal who had a choice."""
    chance: tuple[Any, ...] = ()
    due: float | None = None


class Answered(Entry, frozen=True):
    """An answer that waits until the others have answered, or until a reaction ends."""

    seat: Seat
    move: str
    by: Mover
    quiet: bool = False
    sealed: bool = False
    """Whether nobody else is told of it, as for a reaction: the table's version stays the same."""


class PlayedFor(Entry, frozen=True, tag="played for"):
    """From now on a bot plays for the person."""

    seat: Seat
    why: Literal["gone", "idle", "asked"]


class Returned(Entry, frozen=True):
    seat: Seat


class Spoke(Entry, frozen=True):
    seat: Seat
    text: str = ""
    reaction: Reaction | None = None


class CodeMade(Entry, frozen=True, tag="code made"):
    """A code was made that moves a seat to another device."""

    seat: Seat
    code: str
    """Its hash."""
    until: float


class Claimed(Entry, frozen=True):
    """The seat was moved to another device."""

    seat: Seat
    token: str
    request: str = ""


class Reopened(Entry, frozen=True):
    """Another game with the same people."""

    secret: Secret
    ended: str = ""
    """The version of the rules of the game before, if it was ended because the server has another."""


class Closed(Entry, frozen=True):
    why: str


AnyEntry = (
    Opened
    | Sat
    | Left
    | ChairSet
    | Swapped
    | Configured
    | BytesGiven
    | Starting
    | Started
    | Played
    | Answered
    | PlayedFor
    | Returned
    | Spoke
    | CodeMade
    | Claimed
    | Reopened
    | Closed
)


class Logged(msgspec.Struct, frozen=True, gc=False):
    """An entry with its number and time."""

    number: int
    at: float
    """By our clock."""
    entry: AnyEntry
    ahead: float = 0.0
    """How far the clock by which it was written, with its deadlines, is ahead of ours."""


WRITE = msgspec.json.Encoder()
READ = msgspec.json.Decoder(AnyEntry)
