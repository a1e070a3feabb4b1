"""The table that is shown: a game, who sits at it, and how it is worded."""

from __future__ import annotations

from typing import Any

from fuda.cli.table.cards import CardLooks, card_looks
from fuda.cli.table.frame import Frame
from fuda.cli.table.game import Names, Note, Paragraph, TableGame
from fuda.cli.table.seating import Seating
from fuda.cli.table.wording import note_paragraphs


class Table:
    """What display, news and commands have in common."""

    def __init__(self, game: TableGame, seating: Seating, family: bool) -> None:
        self.game = game
        self.seating = seating
        self.labels: Names = seating.bot_kinds
        """What is printed after the names."""
        self.family = family
        """Whether rude card names are replaced by family-friendly ones."""

    @property
    def names(self) -> Names:
        return self.seating.names

    @property
    def looks(self) -> CardLooks:
        return card_looks(self.game.rules, self.family)

    def history(self) -> list[Note]:
        """What everybody may know of what happened."""
        notes: list[Note] = self.game.view(None)["history"]
        return notes

    def frame(self, view: dict[str, Any]) -> Frame:
        return Frame(self.game.rules, self.names, self.labels, view, self.looks)

    def paragraphs(self, viewer: str | None, start: int, end: int | None = None) -> list[Paragraph]:
        """What happened between two notes, as this viewer may know it."""
        notes = self.game.view(viewer)["history"][start:end]
        return note_paragraphs(self.game.rules, self.game.options, self.looks, notes, self.names)
