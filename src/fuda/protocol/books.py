"""A book: one game in words, for a client that knows no game. English, or translated."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Language = Literal["en", "de", "ja"]


class Suit(Struct):
    """How a suit is called and shown."""

    name: str
    symbol: str
    colour: str


class Card(Struct, omit_defaults=True):
    """A card, and what is printed on it."""

    id: str
    """What it is called in views and moves."""
    name: str
    suit: str = ""
    rank: str = ""
    """What its name says besides the suit."""
    text: str = ""
    mild: str = ""
    """A name that children may read, where the other is not for them."""


class OptionText(Struct, omit_defaults=True):
    """A choice that the game offers before it begins: yes or no, one of some values, or a number."""

    name: str
    label: str
    text: str
    default: int | str | bool | None = None
    """Left out: as many as there are players."""
    low: int = 0
    high: int = 0
    values: dict[str, str] = {}


class FieldText(Struct):
    """A part of a view: what it is called, and what it consists of."""

    name: str
    label: str
    kind: str
    """The kind of field: Number, Numbers, Seat, Seats, Cards, Row, Heap, Pile, SeatCards, Known, Voids, Word…"""


class Block(Struct, omit_defaults=True):
    """A part of a rules page. Texts may have `code`, *emphasis* and **strong** words."""

    kind: Literal["title", "heading", "text", "rule", "table", "list"]
    text: str = ""
    id: str = ""
    """The id of a rule."""
    title: str = ""
    rows: list[list[str]] = []
    items: list[str] = []


class Book(Struct):
    """One game in one language."""

    id: str
    language: Language
    name: str
    version: str
    about: str
    minutes: str
    players: tuple[int, int]
    options: list[OptionText]
    suits: dict[str, Suit]
    """By the first word of a card's id."""
    cards: list[Card]
    terms: dict[str, str]
    """Every other word that moves, notes and questions can say; what is missing stays as it is."""
    questions: dict[str, str]
    """What is asked, by the kind of the question."""
    notes: dict[str, str]
    captions: dict[str, str]
    """How fields are told; what has none there is shown as it is."""
    refusals: dict[str, str]
    """Why a move is refused, by the id of the rule."""
    fields: list[FieldText]
    guide: list[str]
    """What to tell somebody in their first turns."""
    page: list[Block]
    """The rules."""
