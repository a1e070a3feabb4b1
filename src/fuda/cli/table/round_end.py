"""The page at the end of a round, and the news at the end of the game."""

from __future__ import annotations

from typing import Any, Final

from rich.console import Group
from rich.text import Text

from fuda.cli.table.display import TableDisplay
from fuda.cli.table.history import find_last_trick, last_score_end, role_of
from fuda.cli.table.score import score_table
from fuda.engine.roles import SCORED

MAX_ROUNDS: Final = 4
"""Rounds on the page; `score` shows them all."""


class RoundEnd:
    """Shows the score once after every round, before the new cards are seen."""

    def __init__(self, display: TableDisplay) -> None:
        self.display = display
        self.checked_notes = 0
        """How many notes have been searched for a score."""
        self.view_before: dict[str, Any] = {}
        """The view before the last move."""

    def show_new_score(self, viewer: str | None) -> None:
        """Shows the page if a round has ended; the viewer is the only person at the screen, or None."""
        table = self.display.table
        rules = table.game.rules
        history = table.history()
        new = [at for at in range(self.checked_notes, len(history)) if role_of(rules, history[at]) == SCORED]
        self.checked_notes = len(history)
        if not new or not self.display.screen.can_redraw or not self.view_before:
            return
        end = new[-1]
        trick = find_last_trick(rules, history[:end])
        if trick is not None:
            paragraphs = table.paragraphs(None, trick[0], end)
        elif viewer is not None:
            paragraphs = table.paragraphs(viewer, self.display.news.start(viewer, history), end)
        else:
            paragraphs = table.paragraphs(None, len(self.view_before["history"]), end)
        page = [
            Text("The round is over.", "bold"),
            Text(),
            Text("Before its last card:", "dim"),
            *self.display.seat_rows(self.view_before),
            Text(),
            *self.display.wrap(paragraphs),
            Text(),
        ]
        self.display.show_page(Group(*page, score_table(table.game, table.names, MAX_ROUNDS)), "Enter to continue > ")
        starts = self.display.news.starts
        for seat in starts:
            starts[seat] = end + 1

    def final_news(self, viewer: str | None) -> list[Text]:
        """What is new to this viewer up to the last score, and the seats at the end."""
        table = self.display.table
        rules = table.game.rules
        history = table.history()
        paragraphs = table.paragraphs(viewer, self.display.news.start(viewer, history), last_score_end(rules, history) - 1)
        return [*self.display.wrap(paragraphs), Text(), *self.display.seat_rows(table.game.view(None))]
