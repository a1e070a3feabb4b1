"""The parts of which messages are made."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

PROTOCOL: Final = 1
"""The version of the protocol; a client that speaks another one is told so."""

LONGEST_NAME: Final = 24
LONGEST_SAID: Final = 200
BYTES_EACH: Final = 16
"""So many random bytes each player adds to the luck of a game."""

Seat = Literal["A", "B", "C", "D", "E", "F", "G", "H"]
EVERY_SEAT: Final[list[Seat]] = ["A", "B", "C", "D", "E", "F", "G", "H"]
Pace = Literal["relaxed", "normal", "quick", "none"]
Phase = Literal["open", "starting", "playing", "over", "closed"]
Reaction = Literal["hello", "thanks", "well played", "good luck", "oops", "wow", "haha", "hurry up"]

MessageId = Annotated[
    str, Meta(pattern=r"^[A-Za-z0-9_-]{1,40}$(?!\n)", description="Chosen by the client, new for every message.")
]
RequestId = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9_-]{16,64}$(?!\n)",
        description="Random and secret, so that the request may be sent again.",
    ),
]
Name = Annotated[str, Meta(min_length=1, max_length=4 * LONGEST_NAME, description="1 to 24 visible characters.")]
Move = Annotated[str, Meta(min_length=1, max_length=500)]
Said = Annotated[str, Meta(min_length=1, max_length=4 * LONGEST_SAID, description="1 to 200 visible characters.")]
Code = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$(?!\n)")]
LuckyBytes = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}$(?!\n)", description="16 random bytes, as 32 hexadecimal digits.")]
ChairWish = Annotated[
    str, Meta(pattern=r"^(me|open|closed|[a-z]{1,20})$(?!\n)", description="me, open, closed, or the kind of a bot.")
]
Number = Annotated[int, Meta(ge=0, le=2**53 - 1)]

Note = dict[str, Any]
View = dict[str, Any]
Told = dict[str, list[dict[str, Any]]]


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of a message; what has its usual value is left out."""


class Chair(Part, frozen=True):
    """A seat at the table, and who or what sits there."""

    seat: Seat
    kind: Literal["open", "closed", "bot", "person"]
    name: str = ""
    bot: str = ""
    """The kind of bot that sits there."""
    played_for: bool = False
    """Whether a bot plays for the person."""
    host: bool = False


class Fair(Part, frozen=True):
    """What the luck of a game comes from: the secret is shown when the game is over."""

    number: Number
    commitment: str
    bytes: dict[str, str] = {}
    secret: str = ""


class TableState(Part, frozen=True):
    """All that is to be known of a table besides its game."""

    id: str
    game: str
    options: dict[str, Any]
    chairs: list[Chair]
    phase: Phase
    number: Number
    """Which game at this table it is, counted from one."""
    public: bool
    pace: Pace
    chat: bool
    fair: Fair
    invite: str = ""
    """What others need to join; told to those who sit at the table."""
    why_closed: str = ""


class Ask(Part, frozen=True):
    """What a seat is asked. Its answer names `since`, so that it cannot answer another question by mistake."""

    since: Number
    question: dict[str, Any]
    moves: list[str]
    """The legal moves; empty if there are more than a few hundred."""
    words: list[str] = []
    """Where moves are left out: the words of which they consist."""
    seconds: float | None = None
    """How long until somebody else answers; left out: as long as it takes."""
    reaction: bool = False
    """Whether it is asked for a reaction; then nobody must be able to tell whether there was a choice."""


class GameNews(Part, frozen=True):
    """What is new in the game, for one seat or for spectators."""

    number: Number
    first: Number
    """The place in the history of the first of these notes."""
    notes: list[Note]
    turn: Number = 0
    """How many moves have been made."""
    asked: list[Seat] = []
    """Who is asked now; several if they are asked at the same time."""
    answered: Number = 0
    """How many of those have answered already, where nobody may know what."""
    seconds: float | None = None
    view: View | None = None
    """All that this seat sees now, without the history; left out where later news have it."""
    told: Told = {}
    """Of fields of the view that are told in words: the facts for each time they are said, by field."""
    ask: Ask | None = None


class Line(Part, frozen=True):
    """Something said at the table."""

    seat: Seat
    name: str
    text: str = ""
    reaction: Reaction | None = None


def cookie_name(table: str) -> str:
    """The cookie that proves who sits at a seat of this table."""
    return f"fuda-{table}"


def visible(text: str, longest: int) -> str | None:
    """The text in its usual form, without what cannot be seen; None unless 1 to `longest` characters are left."""
    seen = "".join(" " if one.isspace() else one for one in text if one.isspace() or is_seen(one))
    shown = " ".join(standing(unicodedata.normalize("NFC", seen)).split())
    return shown if 1 <= len(shown) <= longest else None


def is_seen(one: str) -> bool:
    """Whether this can be seen: neither a sign of control or direction, nor without ink, nor of no meaning."""
    kind = unicodedata.category(one)
    # Phones have new emoji years before Python knows their names.
    new_emoji = kind == "Cn" and "\U0001f000" <= one <= "\U0001faff"
    return (kind[0] not in "CZ" or new_emoji) and not INVISIBLE.match(one)


def standing(text: str) -> str:
    """Without marks that stand on nothing, or so high that they reach into other lines."""
    shown = ""
    height = 0
    for one in text:
        height = height + 1 if unicodedata.category(one)[0] == "M" else 0
        if height == 0 or (height <= HIGHEST and shown[-1:] not in ("", " ")):
            shown += one
    return shown


HIGHEST: Final = 4
"""So many marks stand on one letter at most; Hebrew and Tibetan need them."""
INVISIBLE: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffc\U0001d159\U000e0100-\U000e01ef]"
)
"""Letters and marks that take no ink."""
