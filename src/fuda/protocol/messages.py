"""The messages over the WebSocket of a table, and the bodies of HTTP requests."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from fuda.protocol.parts import (
    PROTOCOL,
    Code,
    GameNews,
    Line,
    MessageId,
    Move,
    Name,
    Number,
    Occupancy,
    Pace,
    Payload,
    Phase,
    RandomBytes,
    Reaction,
    RequestId,
    Said,
    Seat,
    TableState,
)

# From the client ----------------------------------------------------------------------------------


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="kind", tag=str.lower):
    """A message of a client. It is answered under its id, may be sent again, and acts once."""

    id: MessageId


class Hello(Message, frozen=True):
    """The first message: what the client has seen so far, and the invitation if it has no seat."""

    protocol: int = PROTOCOL
    number: Number = 0
    """The game of which it has the history; 0 if it has none."""
    version: Number = 0
    """The last version that it has seen."""
    noted: Number = 0
    """How many notes of the history it has."""
    invite: Code | None = None


class GiveBytes(Message, frozen=True, tag="luck"):
    """Random bytes for the deal of a game that has not begun."""

    number: Number
    bytes: RandomBytes


class Play(Message, frozen=True):
    """An answer to what this seat is asked."""

    since: Number
    """The question that it answers: `Ask.since`."""
    move: Move


class Why(Message, frozen=True):
    """Asks why a move is not allowed now."""

    move: Move


class Choose(Message, frozen=True):
    """Asks which words can be added to a move that has these already; it plays nothing."""

    since: Number
    """The question that the move is to answer: `Ask.since`."""
    words: Annotated[list[Move], Meta(max_length=100)]
    """The words chosen so far, in any order."""


class Start(Message, frozen=True):
    """Starts the game."""


class Rematch(Message, frozen=True):
    """Another game with the same people."""


class Leave(Message, frozen=True):
    """Gives up the seat."""


class SetChair(Message, frozen=True, tag="furnish"):
    """Opens a chair, closes it, or puts a bot there; a person who sat there is removed."""

    seat: Seat
    to: Occupancy


class Swap(Message, frozen=True):
    """Swaps two seats before the start."""

    seat: Seat
    other: Seat


class Configure(Message, frozen=True):
    """Changes the settings of the table; what is left out stays as it is."""

    public: bool | None = None
    pace: Pace | None = None
    chat: bool | None = None


class StandIn(Message, frozen=True, tag="stand in"):
    """Asks for a bot to play for somebody who is absent or has not answered for long."""

    seat: Seat


class Say(Message, frozen=True):
    text: Said


class React(Message, frozen=True):
    reaction: Reaction


class Device(Message, frozen=True):
    """Asks for a code that moves the seat to another device; it can be used once."""


class Close(Message, frozen=True):
    """The host closes the table for good."""


class Ping(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="ping"):
    """Asks whether the other side is still connected; it answers with a pong."""


class Pong(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="pong"):
    """The answer to a ping."""


FromClient = (
    Hello
    | GiveBytes
    | Play
    | Why
    | Choose
    | Start
    | Rematch
    | Leave
    | SetChair
    | Swap
    | Configure
    | StandIn
    | Say
    | React
    | Device
    | Close
    | Ping
    | Pong
)

What = Literal[
    "opened",
    "sat",
    "left",
    "furnished",
    "swapped",
    "configured",
    "luck",
    "starting",
    "started",
    "played",
    "answered",
    "played for",
    "returned",
    "said",
    "device",
    "reopened",
    "closed",
]

# From the server ----------------------------------------------------------------------------------


class Reply(Payload, frozen=True, tag_field="kind", tag=str.lower):
    """A message of the server."""


class Welcome(Reply, frozen=True):
    """The whole table as this connection may know it: after hello, and whenever its seat has changed."""

    version: Number
    table: TableState
    here: list[Seat]
    you: Seat | None = None
    game: GameNews | None = None
    """With the whole history."""
    said: list[Line] = []
    protocol: int = PROTOCOL


class Event(Reply, frozen=True):
    """Something happened at the table; it is in the log."""

    version: Number
    what: What
    seat: Seat | None = None
    by: Literal["person", "bot", "clock"] | None = None
    """Who made the move."""
    table: TableState | None = None
    game: GameNews | None = None
    line: Line | None = None


class Here(Reply, frozen=True):
    """Who is connected now."""

    seats: list[Seat]
    watching: Number = 0
    host: Seat | None = None
    """Who may act as host: the host, unless disconnected for a while."""
    gone: list[Seat] = []
    """The people who have been disconnected for so long that a bot may be asked to play for them."""


class Done(Reply, frozen=True):
    """The message was carried out, and its effect is in the log at this version or before it."""

    id: str
    version: Number


class Denied(Reply, frozen=True):
    """The message was not carried out, and nothing has changed."""

    id: str
    code: str
    text: str
    rule: str = ""
    """The id of the rule that forbids the move, if one does."""
    facts: dict[str, Any] = {}


class Because(Reply, frozen=True):
    """Why a move is not allowed; without a rule, it is allowed."""

    id: str
    move: str
    rule: str = ""
    text: str = ""
    facts: dict[str, Any] = {}


class Choices(Reply, frozen=True):
    """Which words can be added to a move, and whether it is complete already."""

    id: str
    words: list[str]
    """Each leads, together with those chosen and perhaps others, to a legal move."""
    enough: bool
    """Whether the chosen words are a legal move."""


class Link(Reply, frozen=True):
    """The code that moves the seat to another device; it can be used once."""

    id: str
    code: str
    seconds: float


class Sealed(Reply, frozen=True):
    """The answer was accepted; it counts when the reaction ends, and nobody else is told before."""

    since: Number


class Bye(Reply, frozen=True):
    """The connection ends; `again` says whether to connect again."""

    code: str
    text: str
    again: bool


FromServer = Welcome | Event | Here | Done | Denied | Because | Choices | Link | Sealed | Bye | Ping | Pong

# Over HTTP ----------------------------------------------------------------------------------------


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The body of a request."""


class Open(Request, frozen=True):
    """Opens a new table; the sender is its host."""

    game: str
    name: Name
    chairs: Annotated[list[Occupancy], Meta(max_length=8)] | None = None
    """One for each seat: me, open, closed, or the kind of a bot; if left out, me and the others open."""
    players: int | None = None
    options: dict[str, bool | int | str] = {}
    public: bool = False
    pace: Pace = "normal"
    chat: bool = True
    start: bool = False
    """Whether the game starts as soon as the host is connected."""


class Join(Request, frozen=True):
    """Takes a seat; any open one if none is named."""

    name: Name
    seat: Seat | None = None
    invite: Code | None = None
    id: RequestId | None = None


class Claim(Request, frozen=True):
    """Moves the player's own seat to this device."""

    code: Code
    id: RequestId | None = None


class BookQuery(msgspec.Struct, frozen=True):
    """The language in which a game's book is asked for."""

    lang: Annotated[str, Meta(max_length=20)] = "en"


class Taken(Payload, frozen=True):
    """A seat was taken; the token that proves it comes as a cookie."""

    table: str
    seat: Seat
    invite: str


class Listed(Payload, frozen=True):
    """A public table in the list of tables."""

    id: str
    game: str
    phase: Phase
    host: str
    people: int
    open: int
    players: int
    pace: Pace


class Tables(Payload, frozen=True):
    tables: list[Listed]


class Failed(Payload, frozen=True):
    """Why a request was not carried out."""

    code: str
    text: str
