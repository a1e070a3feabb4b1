"""By when a question must be answered, and a game be dealt."""

from __future__ import annotations

import time

import fuda
from fuda.server.pace import Tempo
from fuda.server.presence import Presence
from fuda.server.table import Table


class Deadlines:
    """The deadlines of one table. Time in which nobody was connected does not count."""

    def __init__(self, table: Table, presence: Presence, tempo: Tempo) -> None:
        self.table = table
        self.presence = presence
        self.tempo = tempo

    def of_new_question(self, game: fuda.Game) -> float | None:
        """The deadline for what the game asks now; None if there is none."""
        allowance = None if game.over else self.tempo.allowance(self.table.pace, game.is_reaction)
        return None if allowance is None else time.time() + allowance

    @property
    def of_question(self) -> float | None:
        """The deadline for what is asked at the table."""
        questions, resumed_at = self.table.questions, self.presence.resumed_at
        if questions.due is None or questions.at > resumed_at:
            return questions.due
        return max(questions.due, resumed_at + self.tempo.of(self.tempo.given_back))

    @property
    def of_bytes(self) -> float:
        """How long a start waits for the players' random bytes."""
        return max(self.table.starting_since, self.presence.resumed_at) + self.tempo.bytes_wait

    @property
    def seconds_left(self) -> float | None:
        """For the question at the table."""
        due = self.of_question
        return None if due is None else round(max(0.0, due - time.time()), 1)
