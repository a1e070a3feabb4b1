"""By when a question must be answered, and a game be dealt."""

from __future__ import annotations

import random

import fuda
from fuda.game import PASS
from fuda.server import clock
from fuda.server.entries import Played
from fuda.server.pace import SYSTEM_RANDOM, WINDOWS, Tempo
from fuda.server.presence import Presence
from fuda.server.questions import seats_in
from fuda.server.table import Table


class Deadlines:
    """The deadlines of one table. Time in which nobody was connected does not count."""

    def __init__(self, table: Table, presence: Presence, tempo: Tempo) -> None:
        self.table = table
        self.presence = presence
        self.tempo = tempo
        self.random: random.Random = SYSTEM_RANDOM

    def after_move(self, played: Played, game: fuda.Game) -> float | None:
        """The deadline for what is asked after this move, which led to this game."""
        if self.table.questions.is_still_open(game, played):
            # The reaction has ended: what the others have answered counts now too.
            now, due = clock.now(), self.table.questions.due
            return now if due is None else min(now, due)
        return self.of_new_question(game)

    def of_new_question(self, game: fuda.Game) -> float | None:
        """The deadline for what the game asks now; None if there is none."""
        if game.over:
            return None
        seconds = self.of_reaction(game) if game.is_reaction else self.tempo.turn(self.table.pace)
        return None if seconds is None else clock.now() + seconds

    def of_reaction(self, game: fuda.Game) -> float | None:
        """The seconds until a reaction ends; None if it waits for the only person at the table."""
        table = self.table
        seated = {place: seat for seat, place in table.seats_in_game().items()}
        people = [place for place in seats_in(game.asked()) if not table.is_played_by_bot(seated[place])]
        if not table.has_one_person:
            return self.tempo.reaction_window(self.random, table.pace, has_people=bool(people))
        # There is nobody to hide from: a person without a choice need not answer, and one with a choice has time.
        if all((game.preview_for(place) or game).moves() == [PASS] for place in people):
            return self.tempo.reaction_window(self.random, table.pace, has_people=False)
        return None if table.pace == "none" else self.tempo.of(WINDOWS[table.pace].most)

    @property
    def of_question(self) -> float | None:
        """The deadline for what is asked at the table."""
        questions, resumed_at = self.table.questions, self.presence.resumed_at
        if questions.due is None:
            return None
        # Whatever the log says, nobody has more time than the rules of pace allow.
        due = min(questions.due, questions.at + self.tempo.longest)
        if questions.at > resumed_at:
            return due
        return max(due, resumed_at + self.tempo.of(self.tempo.given_back))

    @property
    def of_bytes(self) -> float:
        """How long a start waits for the players' random bytes."""
        return max(self.table.starting_since, self.presence.resumed_at) + self.tempo.bytes_wait

    @property
    def seconds_left(self) -> float | None:
        """For the question at the table."""
        due = self.of_question
        return None if due is None else round(max(0.0, due - clock.now()), 1)
