"""The log of one table: an entry is written first, and only then changes the table."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import msgspec

import fuda
from fuda.server import clock, entries
from fuda.server.deadlines import Deadlines
from fuda.server.denials import Denial
from fuda.server.entries import WRITE, AnyEntry, Logged
from fuda.server.log_reader import apply_log, read_log
from fuda.server.metrics import Metrics
from fuda.server.store import Store, finished
from fuda.server.summaries import summary_after
from fuda.server.table import Table
from fuda.server.writer import NoTable

GAME_CAN_END: Final = (entries.Started, entries.Played)
"""A deal can end a game: in Frantic, when the start card sets off an event."""


class TableLog:
    def __init__(
        self,
        table: Table,
        store: Store,
        deadlines: Deadlines,
        metrics: Metrics,
        *,
        show_since: Callable[[int, Sequence[Logged]], None],
        publish: Callable[[], Awaitable[None]],
        fail: Callable[[BaseException], None],
        finish: Callable[[], None],
    ) -> None:
        self.table = table
        self.store = store
        self.deadlines = deadlines
        self.metrics = metrics
        self.show_since = show_since
        """Called with the version before, and the new entries, after they were applied."""
        self.publish = publish
        """Tells the other processes of a new entry."""
        self.fail = fail
        """Called when the log cannot be written or read."""
        self.finish = finish
        """Called after the last move of a game."""
        self.is_closed = False

    async def append(self, entry: AnyEntry) -> bool:
        """Writes the entry, then applies it; False, having caught up, if another process wrote one first."""
        self.check_open()
        table = self.table
        attempt = None
        if isinstance(entry, entries.Played):
            attempt = table.attempt(entry)
            due = self.deadlines.after_move(entry, attempt.after)
            entry = msgspec.structs.replace(entry, chance=tuple(attempt.outcomes), due=due)
        logged = Logged(table.length + 1, clock.now(), entry)
        version = table.version
        begun = time.perf_counter()
        try:
            summary = summary_after(table, logged, attempt)
            writing = self.store.append(table.id, logged.number, logged.at, WRITE.encode(entry), summary)
            done, cancelled = await finished(writing)
            self.metrics.commit_seconds.observe(time.perf_counter() - begun)
            if done:
                table.apply(logged, attempt)
                self.show_since(version, [logged])
        except Exception as error:
            raise self.failure(error) from error
        if done:
            if isinstance(entry, entries.Played):
                self.metrics.moves_of(table.game_id, entry.by).inc()
            if isinstance(entry, GAME_CAN_END) and table.is_finished:
                self.finish()
            await self.publish()
        else:
            self.metrics.conflicts.inc()
            await self.catch_up()
        if cancelled is not None:
            raise cancelled
        return done

    async def catch_up(self) -> None:
        """Applies the entries that other processes wrote."""
        self.check_open()
        length, version = self.table.length, self.table.version
        try:
            rows = await self.store.entries(self.table.id, length)
            logged = read_log(self.table.id, rows, length, learnt_at=clock.now())
            apply_log(self.table, logged)
            if self.table.old_game is not None and self.table.phase == "playing":
                raise fuda.Error("A process with another version of the rules has started a game.")
            self.show_since(version, logged)
        except Exception as error:
            raise self.failure(error) from error

    def close(self) -> None:
        """Refuses all further entries, and forgets the live table, so that there is no reference cycle."""
        self.is_closed = True
        self.publish = tell_nobody
        self.fail = ignore

    def check_open(self) -> None:
        if self.is_closed:
            raise Denial("busy", "The table is being reloaded: try again.")

    def failure(self, error: Exception) -> Denial:
        if isinstance(error, NoTable):
            error = Denial("no table", "This table has been deleted.")
        self.fail(error)
        if isinstance(error, Denial):
            return error
        return Denial("busy", "The table cannot be reached at the moment: try again.")


async def tell_nobody() -> None:
    """What a closed log publishes."""


def ignore(error: BaseException) -> None:
    """What a closed log does with a failure: the table has been unloaded already."""
