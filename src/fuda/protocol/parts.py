"""The types of which messages consist."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

PROTOCOL: Final = 1
"""The version of the protocol."""

LONGEST_NAME: Final = 24
LONGEST_SAID: Final = 200
BYTES_EACH: Final = 16
"""How many random bytes each player gives for a deal."""

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
RandomBytes = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}$(?!\n)", description="16 random bytes, as 32 hexadecimal digits.")]
Occupancy = Annotated[
    str, Meta(pattern=r"^(me|open|closed|[a-z]{1,20})$(?!\n)", description="me, open, closed, or the kind of a bot.")
]
Number = Annotated[int, Meta(ge=0, le=2**53 - 1)]

Note = dict[str, Any]
View = dict[str, Any]
Told = dict[str, list[dict[str, Any]]]


class Payload(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a server sends; fields that have their default value are left out."""


class Chair(Payload, frozen=True):
    """A seat at the table, and who sits there."""

    seat: Seat
    kind: Literal["open", "closed", "bot", "person"]
    name: str = ""
    bot: str = ""
    """The kind of bot that sits there."""
    played_for: bool = False
    """Whether a bot plays for the person."""
    host: bool = False


class Fair(Payload, frozen=True):
    """What the shuffles of a game are computed from; the secret is shown when the game is over, or was closed early."""

    number: Number
    commitment: str
    bytes: dict[str, str] = {}
    secret: str = ""


class TableState(Payload, frozen=True):
    """Everything about a table except its game."""

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
    """What others need to join; shown only to those who sit at the table."""
    why_closed: str = ""
    ended: str = ""
    """The version of the rules of the game before, if it was ended because the server has another."""


class Ask(Payload, frozen=True):
    """What a seat is asked. The answer names `since`, so that it cannot answer another question by mistake."""

    since: Number
    question: dict[str, Any]
    moves: list[str]
    """The legal moves; empty if there are more than a few hundred."""
    words: list[str] = []
    """If the moves are left out: the words of which they consist."""
    seconds: float | None = None
    """The time left to answer; no limit if left out."""
    reaction: bool = False
    """Whether it is a reaction: nobody else may learn whether the seat had a choice."""


class GameNews(Payload, frozen=True):
    """What is new in the game, for one seat or for spectators."""

    number: Number
    first: Number
    """The position of the first of these notes in the history."""
    notes: list[Note]
    turn: Number = 0
    """How many moves have been made."""
    asked: list[Seat] = []
    """Who is asked now; several if they are asked at the same time."""
    answered: Number = 0
    """How many of them have answered already; the answers are still hidden."""
    seconds: float | None = None
    view: View | None = None
    """All that this seat sees now, without the history; left out if later news have it."""
    told: Told = {}
    """For fields of the view that have captions: the facts of each caption, by field."""
    ask: Ask | None = None
    chain: str = ""
    """The chain over the moves so far, as 64 hexadecimal digits; it comes with every view."""


class Line(Payload, frozen=True):
    """A chat message."""

    seat: Seat
    name: str
    text: str = ""
    reaction: Reaction | None = None


def cookie_name(table: str) -> str:
    """The cookie that proves who sits at a seat of this table."""
    return f"fuda-{table}"


def visible(text: str, longest: int) -> str | None:
    """The text without invisible characters, normalised; None unless 1 to `longest` characters are left."""
    seen = "".join(" " if one.isspace() else one for one in text if one.isspace() or is_visible(one))
    shown = " ".join(without_stray_marks(unicodedata.normalize("NFC", seen)).split())
    return shown if 1 <= len(shown) <= longest else None


def is_visible(one: str) -> bool:
    """Whether the character is neither a control character, nor blank, nor unassigned."""
    kind = unicodedata.category(one)
    # Phones have new emoji years before Python's Unicode tables do.
    new_emoji = kind == "Cn" and "\U0001f000" <= one <= "\U0001faff"
    return (kind[0] not in "CZ" or new_emoji) and not INVISIBLE.match(one)


def without_stray_marks(text: str) -> str:
    """Without combining marks that have no letter, or are stacked so high that they reach into other lines."""
    shown = ""
    height = 0
    for one in text:
        height = height + 1 if unicodedata.category(one)[0] == "M" else 0
        if height == 0 or (height <= MOST_MARKS and shown[-1:] not in ("", " ")):
            shown += one
    return shown


MOST_MARKS: Final = 4
"""How many combining marks a letter may have; Hebrew and Tibetan need them."""
INVISIBLE: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffc\U0001d159\U000e0100-\U000e01ef]"
)
"""Letters and marks that are blank."""
