"""The connection to a server's table: the client runs in its own thread while the main thread reads input."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import threading
from collections import deque
from collections.abc import Coroutine, Iterable
from types import TracebackType
from typing import Any, Final, TypeVar

from rich.text import Text

from fuda.cli.terminal.screen import Screen
from fuda.client import Change, Ended, Known, Link, Seen, TableClient, Ticket, connect
from fuda.client.table import MOST_CHANGES

T = TypeVar("T")
TICK: Final = 0.5
"""Seconds between two checks of the clock and of interrupts that had no effect."""
LAST_SECONDS: Final = 10
"""The last seconds are all shown; before that only every fifth."""
PATIENCE: Final = 1.0
"""Seconds after which the player is told to wait."""
SLOW: Final = "The server takes its time. What you typed is sent again until it is answered."


class Connection:
    """A server's table, used from the main thread."""

    def __init__(self, target: Ticket | Link, screen: Screen, seen: Iterable[Seen] = ()) -> None:
        assert screen.interrupter is not None, "news must be able to interrupt the input"
        self.target = target
        self.screen = screen
        self.signals = screen.signals
        self.interrupter = screen.interrupter
        self.seen = seen
        self.client: TableClient
        self.changes: deque[Change] = deque(maxlen=MOST_CHANGES)
        """What has happened and was not processed yet."""
        self.has_changed = threading.Condition()
        self.loop = asyncio.new_event_loop()
        self.task: concurrent.futures.Future[asyncio.Task[None]] = concurrent.futures.Future()
        self.is_connected: concurrent.futures.Future[None] = concurrent.futures.Future()
        self.thread = threading.Thread(target=self.run_thread, name="connection", daemon=True)

    def __enter__(self) -> Connection:
        self.thread.start()
        try:
            with self.signals.interruptible():
                self.is_connected.result()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection; the player keeps the seat."""
        with contextlib.suppress(RuntimeError):  # it may have ended by itself
            self.loop.call_soon_threadsafe(self.task.result().cancel)
        self.thread.join()

    # In the main thread ---------------------------------------------------------------------------

    @property
    def known(self) -> Known:
        return self.client.known

    @property
    def ended(self) -> Ended | None:
        return self.client.ended

    def take_changes(self) -> list[Change]:
        """What has happened since the last call."""
        with self.has_changed:
            self.interrupter.clear()
            changes = [*self.changes]
            self.changes.clear()
            return changes

    def wait(self) -> None:
        """Waits for a change, or for the end."""
        with self.signals.interruptible(), self.has_changed:
            while not self.changes and self.ended is None:
                self.has_changed.wait()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs this in the client's thread, and waits for the result."""
        future = asyncio.run_coroutine_threadsafe(work, self.loop)
        with self.signals.interruptible():
            try:
                try:
                    return future.result(PATIENCE)
                except concurrent.futures.TimeoutError:
                    if future.done():
                        raise
                self.show_slow()
                return future.result()
            finally:
                future.cancel()

    def show_slow(self) -> None:
        if self.screen.can_redraw:
            self.screen.draw([Text(), Text(), Text(f"  {SLOW}")])
        else:
            self.screen.print_lines([Text(SLOW)])

    # In the client's thread -----------------------------------------------------------------------

    def run_thread(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self.loop) as runner, contextlib.suppress(asyncio.CancelledError):
            runner.run(self.keep_connected())

    async def keep_connected(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.task.set_result(task)
        try:
            async with connect(self.target, seen=self.seen) as self.client, asyncio.TaskGroup() as group:
                group.create_task(self.collect_changes())
                group.create_task(self.tick())
                self.is_connected.set_result(None)
        except Exception as error:
            if self.is_connected.done():
                raise
            self.is_connected.set_exception(error)

    async def collect_changes(self) -> None:
        while changes := await self.client.changed():
            self.add_changes(changes)
        self.add_changes([])

    def add_changes(self, changes: list[Change]) -> None:
        with self.has_changed:
            self.changes.extend(changes)
            self.has_changed.notify_all()
        self.interrupter.request()

    async def tick(self) -> None:
        """Interrupts the input when the clock is to be drawn again, or when an interrupt had no effect."""
        shown = 0
        while True:
            await asyncio.sleep(TICK)
            seconds = self.known.seconds
            left = 0 if seconds is None else int(seconds)
            if self.screen.can_redraw and left != shown and (left <= LAST_SECONDS or left % 5 == 0):
                shown = left
                self.interrupter.request()
            self.interrupter.retry()
