"""A book: all texts of one game in one language, for a client that knows no game."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Language = Literal["en", "de", "ja"]
FieldKind = Literal[
    "hand",
    "score",
    "round",
    "trick",
    "leader",
    "turn",
    "mark",
    "pile",
    "stock",
    "row",
    "aside",
    "cards",
    "memory",
    "count",
    "fact",
    "detail",
]
"""What a field is to the players; `fuda.engine.roles.FIELD_KINDS` says what each means."""
NoteRole = Literal["played", "trick ended", "scored", "event"]
"""What a note is to the players; `fuda.engine.roles.NOTE_ROLES` says what each means."""


class Suit(Struct):
    """The name and look of a suit."""

    name: str
    symbol: str
    colour: str


class Card(Struct, omit_defaults=True):
    """A card, and what is printed on it."""

    id: str
    """Its name in views and moves."""
    name: str
    suit: str = ""
    rank: str = ""
    """Its name without the suit."""
    text: str = ""
    variants: dict[str, str] = {}
    """The texts that it has instead with an option, by the option and its value: `scored false`."""
    mild: str = ""
    """A family-friendly name, if the usual one is rude."""


class OptionText(Struct, omit_defaults=True):
    """An option of the game: yes or no, one of some values, or a number."""

    name: str
    label: str
    text: str
    default: int | str | bool | None = None
    """Left out: the number of players."""
    low: int = 0
    high: int = 0
    values: dict[str, str] = {}


class FieldText(Struct, omit_defaults=True):
    """A part of a view: what it is called, and what it is to the players."""

    name: str
    label: str
    kind: FieldKind
    limit: str = ""
    """The option that sets its highest value: `rounds` that of the round."""


class Block(Struct, omit_defaults=True):
    """A block of a rules page. Texts may have `code`, *emphasis* and **strong** words."""

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
    """All other words in moves, notes and questions; a word that is missing is shown as it is."""
    questions: dict[str, str]
    """What is asked, by the kind of the question."""
    notes: dict[str, str]
    """What happened, by the kind of the note."""
    note_roles: dict[str, NoteRole]
    """The kinds of notes that have a role, with it."""
    captions: dict[str, str]
    """Captions of fields; a field without one is shown as it is."""
    refusals: dict[str, str]
    """Why a move is refused, by the id of the rule."""
    fields: list[FieldText]
    guide: list[str]
    """Hints for a player's first turns."""
    page: list[Block]
    """The rules."""
