"""Tables of Frantic with given cards."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable
from typing import Any, Final

import msgspec

import fuda
from fuda.protocol import messages
from fuda.protocol.parts import EVERY_SEAT, Pace, Seat
from fuda.server import commands, entries, news, tokens
from fuda.server.autoplay import Autoplay
from fuda.server.bot_pool import BotPool
from fuda.server.deadlines import Deadlines
from fuda.server.entries import AnyEntry, Logged, Mover
from fuda.server.metrics import Metrics
from fuda.server.pace import Tempo
from fuda.server.presence import Presence
from fuda.server.sockets import ENCODER
from fuda.server.table import Table

Hands = dict[str, list[str]]
NOW: Final = 1_000_000.0


class Prepared(Table):
    """A table with a given game, which keeps all frames that it would send."""

    def __init__(self, game: fuda.Game, bots: str = "", pace: Pace = "normal", seed: int = 4) -> None:
        super().__init__("prepared")
        self.prepared = game
        self.deadlines = Deadlines(self, Presence(self, "alone", 10.0), Tempo())
        self.deadlines.random = random.Random(seed)
        self.logged: list[Logged] = []
        self.frames: dict[Seat | None, list[bytes]] = {}
        seats = EVERY_SEAT[: len(game.totals)]
        chairs = ["thumb" if seat in bots else "open" for seat in seats]
        self.enter(entries.Opened("frantic", {}, chairs, False, pace, True, "ab" * 16, "cd" * 32))
        for seat in seats:
            if seat not in bots:
                self.enter(entries.Sat(seat, f"P{seat}", tokens.hashed(seat)))
        self.enter(entries.Starting())
        due = self.deadlines.of_new_question(game)
        self.enter(entries.Started(game.rules.version, tuple(game.outcomes(0)), due))

    def new_game(self) -> fuda.Game:
        return self.prepared.clone()

    def enter(self, entry: AnyEntry) -> None:
        before = self.noted
        attempt = None
        if isinstance(entry, entries.Played):
            attempt = self.attempt(entry)
            due = self.deadlines.after_move(entry, attempt.after)
            entry = msgspec.structs.replace(entry, chance=tuple(attempt.outcomes), due=due)
        self.logged.append(Logged(self.length + 1, NOW, entry))
        self.apply(self.logged[-1], attempt)
        if isinstance(entry, entries.Answered) and entry.sealed:
            self.frames[entry.seat].append(ENCODER.encode(messages.Sealed(self.questions.since[entry.seat])))
            return
        for viewer in [None, *self.seats]:
            event = news.event_of(self, self.recent_events[-1], viewer, before, self.seconds_left, is_all=False)
            self.frames.setdefault(viewer, []).append(ENCODER.encode(event))

    @property
    def seconds_left(self) -> float | None:
        return None if self.questions.due is None else self.questions.due - NOW

    def answer(self, seat: Seat, move: str, by: Mover = "person") -> None:
        self.enter(commands.move_by(self, seat, self.questions.since[seat], move, by))

    def again(self) -> Prepared:
        """The same table, read from its log."""
        again = Prepared.__new__(Prepared)
        Table.__init__(again, self.id)
        again.prepared, again.logged, again.frames = self.prepared, [], {viewer: [] for viewer in self.frames}
        again.deadlines = Deadlines(again, Presence(again, "alone", 10.0), Tempo())
        for one in self.logged:
            Table.apply(again, one)
        return again


def autoplay_of(table: Prepared, absent: str = "") -> Autoplay:
    """Plays for bots and absent players at a table without a server."""

    async def commit(entry: AnyEntry) -> bool:
        table.enter(entry)
        return True

    presence = Presence(table, "alone", 10.0)
    presence.own_seats = [seat for seat in table.seats if seat not in absent]
    deadlines = Deadlines(table, presence, Tempo())
    return Autoplay(table, presence, deadlines, BotPool(1, Metrics()), Tempo(), asyncio.Lock(), commit)


def game_at(
    hands: Hands, moves: Iterable[str], events: Iterable[str] = (), options: dict[str, Any] | None = None
) -> fuda.Game:
    """A's turn on a red 9, and what has been played since."""
    position = {"turn": "A", "hands": hands, "discard": ["red 9"], "events": [*events]}
    game = fuda.new("frantic", players=len(hands), seed=1, options=options, position=position)
    for move in moves:
        game.play(move)
    return game
