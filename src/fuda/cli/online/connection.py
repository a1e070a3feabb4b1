"""The wire to a table elsewhere: its client runs in a thread of its own, while somebody types in the main one."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from types import TracebackType
from typing import Any, Final, TypeVar

from fuda.cli.terminal.screen import Screen
from fuda.client import Change, Ended, Known, Link, Promise, TableClient, Ticket, connect
from fuda.client.table import MOST_CHANGES

T = TypeVar("T")
TICK: Final = 0.5
"""Seconds after which it is looked whether the bell was heard, or the clock is to be shown anew."""
LAST_SECONDS: Final = 10
"""The last seconds are counted down one by one; before that only every fifth is shown."""
PATIENCE: Final = 1.0
"""After so many seconds it is said that an answer is waited for."""


class Wire:
    """A table elsewhere, to be asked and told things from the main thread."""

    def __init__(self, place: Ticket | Link, screen: Screen, promises: Iterable[Promise] = ()) -> None:
        assert screen.bell is not None, "whoever types is to be interrupted"
        self.place = place
        self.watch = screen.watch
        self.bell = screen.bell
        self.counts = screen.live
        """Whether the clock is shown anew as it runs."""
        self.promises = promises
        self.client: TableClient
        self.changes: deque[Change] = deque(maxlen=MOST_CHANGES)
        """What has happened and was not taken note of yet."""
        self.guard = threading.Condition()
        self.loop = asyncio.new_event_loop()
        self.talking: concurrent.futures.Future[asyncio.Task[None]] = concurrent.futures.Future()
        self.entered: concurrent.futures.Future[None] = concurrent.futures.Future()
        self.thread = threading.Thread(target=self.run, name="wire", daemon=True)

    def __enter__(self) -> Wire:
        self.thread.start()
        try:
            with self.watch.waiting():
                self.entered.result()
        except BaseException:
            self.hang_up()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.hang_up()

    def hang_up(self) -> None:
        """Ends the connection; the seat stays whose it is."""
        with contextlib.suppress(RuntimeError):  # it may have ended by itself
            self.loop.call_soon_threadsafe(self.talking.result().cancel)
        self.thread.join()

    # In the main thread ---------------------------------------------------------------------------

    @property
    def known(self) -> Known:
        return self.client.known

    @property
    def ended(self) -> Ended | None:
        return self.client.ended

    def news(self) -> list[Change]:
        """What has happened since this was last asked."""
        with self.guard:
            self.bell.silence()
            changes = [*self.changes]
            self.changes.clear()
            return changes

    def wait(self) -> None:
        """Waits until something has happened."""
        with self.watch.waiting(), self.guard:
            while not self.changes and self.ended is None:
                self.guard.wait()

    def do(self, work: Coroutine[Any, Any, T], waits: Callable[[], None]) -> T:
        """Has the client do this, and waits for what comes of it; `waits` is called when it takes long."""
        future = asyncio.run_coroutine_threadsafe(work, self.loop)
        with self.watch.waiting():
            try:
                try:
                    return future.result(PATIENCE)
                except concurrent.futures.TimeoutError:
                    if future.done():
                        raise
                waits()
                return future.result()
            finally:
                future.cancel()

    # In the wire's own thread ---------------------------------------------------------------------

    def run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self.loop) as runner, contextlib.suppress(asyncio.CancelledError):
            runner.run(self.talk())

    async def talk(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.talking.set_result(task)
        try:
            async with connect(self.place, promises=self.promises) as self.client, asyncio.TaskGroup() as group:
                group.create_task(self.follow())
                group.create_task(self.tick())
                self.entered.set_result(None)
        except Exception as error:
            if self.entered.done():
                raise
            self.entered.set_exception(error)

    async def follow(self) -> None:
        """Rings for whatever happens."""
        while changes := await self.client.changed():
            self.note(changes)
        self.note([])

    def note(self, changes: list[Change]) -> None:
        with self.guard:
            self.changes.extend(changes)
            self.guard.notify_all()
        self.bell.ring()

    async def tick(self) -> None:
        """Rings again where nobody heard it, and as the time runs out that somebody has."""
        shown = 0
        while True:
            await asyncio.sleep(TICK)
            seconds = self.known.seconds
            left = 0 if seconds is None else int(seconds)
            if self.counts and left != shown and (left <= LAST_SECONDS or left % 5 == 0):
                shown = left
                self.bell.ring()
            self.bell.remind()
