"""What is said over the WebSocket of a table, and over HTTP before it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from fuda.protocol.parts import (
    PROTOCOL,
    ChairWish,
    Code,
    GameNews,
    Line,
    LuckyBytes,
    MessageId,
    Move,
    Name,
    Number,
    Pace,
    Part,
    Phase,
    Reaction,
    RequestId,
    Said,
    Seat,
    TableState,
)

# From the client ----------------------------------------------------------------------------------


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="kind", tag=str.lower):
    """What a client says. It is answered under its id, may be sent again, and acts once."""

    id: MessageId


class Hello(Message, frozen=True):
    """The first message: how far the client has come, and the invitation where nobody knows it yet."""

    protocol: int = PROTOCOL
    number: Number = 0
    """The game of which it knows the history; 0 if of none."""
    version: Number = 0
    """The last version that it has seen."""
    noted: Number = 0
    """How many notes of the history it has."""
    invite: Code | None = None


class Luck(Message, frozen=True):
    """Random bytes for the luck of a game that has not begun."""

    number: Number
    bytes: LuckyBytes


class Play(Message, frozen=True):
    """An answer to what this seat is asked."""

    since: Number
    """The question that it answers: `Ask.since`."""
    move: Move


class Why(Message, frozen=True):
    """Asks why a move is not allowed now."""

    move: Move


class Choose(Message, frozen=True):
    """Asks with which words a move can go on that has these already; it plays nothing."""

    since: Number
    """The question that the move is to answer: `Ask.since`."""
    words: Annotated[list[Move], Meta(max_length=100)]
    """What has been chosen so far, in any order."""


class Start(Message, frozen=True):
    """Begins the game."""


class Rematch(Message, frozen=True):
    """Another game with the same people."""


class Leave(Message, frozen=True):
    """Gives up the seat."""


class Furnish(Message, frozen=True):
    """Opens a chair, closes it, or seats a bot there; whoever sat there has to go."""

    seat: Seat
    to: ChairWish


class Swap(Message, frozen=True):
    """Two seats change places before the start."""

    seat: Seat
    other: Seat


class Configure(Message, frozen=True):
    """Changes what the host has decided; what is left out stays."""

    public: bool | None = None
    pace: Pace | None = None
    chat: bool | None = None


class StandIn(Message, frozen=True, tag="stand in"):
    """Asks that a bot plays for somebody who is gone or has not answered for long."""

    seat: Seat


class Say(Message, frozen=True):
    text: Said


class React(Message, frozen=True):
    reaction: Reaction


class Device(Message, frozen=True):
    """Asks for a code that moves the seat to another device, once."""


class Close(Message, frozen=True):
    """The host closes the table for good."""


class Ping(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="ping"):
    """Are you there? Either side may ask; the other answers with a pong."""


class Pong(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="pong"):
    """I am."""


FromClient = (
    Hello
    | Luck
    | Play
    | Why
    | Choose
    | Start
    | Rematch
    | Leave
    | Furnish
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


class Reply(Part, frozen=True, tag_field="kind", tag=str.lower):
    """What a server says."""


class Welcome(Reply, frozen=True):
    """The whole table as this connection may know it: after hello, and whenever its place at the table has changed."""

    version: Number
    table: TableState
    here: list[Seat]
    you: Seat | None = None
    game: GameNews | None = None
    """With the whole history."""
    said: list[Line] = []
    protocol: int = PROTOCOL


class Event(Reply, frozen=True):
    """Something happened at the table, and stays so."""

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


class Done(Reply, frozen=True):
    """The message was carried out, and is kept for good; the version is at least the one it led to."""

    id: str
    version: Number


class Denied(Reply, frozen=True):
    """The message was not carried out, and nothing has changed."""

    id: str
    code: str
    text: str
    rule: str = ""
    """The id of the rule that forbids the move, where one does."""
    facts: dict[str, Any] = {}


class Because(Reply, frozen=True):
    """Why a move is not allowed; without a rule: it is."""

    id: str
    move: str
    rule: str = ""
    text: str = ""
    facts: dict[str, Any] = {}


class Choices(Reply, frozen=True):
    """With which words a move can go on, and whether it is one already."""

    id: str
    words: list[str]
    """Each leads, with those chosen and perhaps more, to a legal move."""
    enough: bool
    """Whether the words chosen are a legal move as they are."""


class Link(Reply, frozen=True):
    """The code that moves the seat to another device, once."""

    id: str
    code: str
    seconds: float


class Bye(Reply, frozen=True):
    """The connection ends; `again` says whether it makes sense to come back."""

    code: str
    text: str
    again: bool


FromServer = Welcome | Event | Here | Done | Denied | Because | Choices | Link | Bye | Ping | Pong

# Over HTTP ----------------------------------------------------------------------------------------


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The body of a request."""


class Open(Request, frozen=True):
    """A new table; whoever opens it is its host."""

    game: str
    name: Name
    chairs: Annotated[list[ChairWish], Meta(max_length=8)] | None = None
    """One for each seat: me, open, closed, or the kind of a bot; me alone and the others open, if left out."""
    players: int | None = None
    options: dict[str, bool | int | str] = {}
    public: bool = False
    pace: Pace = "normal"
    chat: bool = True
    start: bool = False
    """Whether the game begins as soon as the host is connected."""


class Join(Request, frozen=True):
    """Takes a seat; any that is open, if none is named."""

    name: Name
    seat: Seat | None = None
    invite: Code | None = None
    id: RequestId | None = None


class Claim(Request, frozen=True):
    """Takes over one's own seat on this device."""

    code: Code
    id: RequestId | None = None


class BookWish(msgspec.Struct, frozen=True):
    """In which language a game's book is asked for."""

    lang: Annotated[str, Meta(max_length=20)] = "en"


class Taken(Part, frozen=True):
    """A seat was taken; what proves it comes as a cookie."""

    table: str
    seat: Seat
    invite: str


class Listed(Part, frozen=True):
    """A public table in the list of tables."""

    id: str
    game: str
    phase: Phase
    host: str
    people: int
    open: int
    players: int
    pace: Pace


class Tables(Part, frozen=True):
    tables: list[Listed]


class Failed(Part, frozen=True):
    """Why a request was not carried out."""

    code: str
    text: str
