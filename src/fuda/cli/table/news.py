"""Which notes are new to each player."""

from __future__ import annotations

from typing import Any

from fuda.cli.table.game import Note
from fuda.cli.table.history import current_trick_start, recent_start
from fuda.cli.table.table import Table
from fuda.engine.roles import TRICK


class News:
    """The index of the first note that each player is told."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.starts: dict[str, int] = {}

    def start(self, viewer: str | None, history: list[Note]) -> int:
        """The first note for this viewer; somebody without a seat is told what happened recently."""
        return recent_start(self.table.game.rules, history) if viewer is None else self.starts.get(viewer, 0)

    def start_after_move(self, seat: str, view_before: dict[str, Any], turn_continues: bool) -> None:
        """Starts the news of a player who has just moved; in a trick game with the current trick."""
        history = view_before["history"]
        rules = self.table.game.rules
        if rules.field_of_kind(TRICK) is not None:
            self.starts[seat] = current_trick_start(rules, history)
        elif not turn_continues:
            self.starts[seat] = len(history)
