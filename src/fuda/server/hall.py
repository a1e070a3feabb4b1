"""The hall: all tables that are awake in this process."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from sqlalchemy.exc import SQLAlchemyError

import fuda
from fuda.protocol import messages
from fuda.protocol.parts import Seat
from fuda.server import commands, entries, tokens
from fuda.server.bus import Bus
from fuda.server.denials import Denial
from fuda.server.endings import ended
from fuda.server.entries import READ, WRITE, Logged
from fuda.server.live import Live
from fuda.server.metrics import Metrics
from fuda.server.minding import NEWS_LASTS, Elsewhere
from fuda.server.settings import Settings
from fuda.server.sockets import RESTART, SILENT, Credits, Socket
from fuda.server.store import Row, Store
from fuda.server.summaries import summary_of
from fuda.server.table import Table
from fuda.server.thinking import Thinkers

TICK: Final = 1.0
PRESENCE_SECONDS: Final = 10.0
"""How often the other processes are told who is connected here."""


class Heard(msgspec.Struct):
    """What a process tells the others about a table."""

    process: str
    version: int
    seats: list[Seat]
    watching: int
    is_new: bool = False
    """Whether it has just come to the table, and does not know who is connected elsewhere."""


class Hall:
    def __init__(self, settings: Settings, store: Store, bus: Bus, metrics: Metrics) -> None:
        self.settings = settings
        self.store = store
        self.bus = bus
        self.metrics = metrics
        self.logger = logging.getLogger("fuda.server")
        self.thinkers = Thinkers(settings.workers, metrics)
        self.lives: dict[str, Live] = {}
        self.minders: dict[str, asyncio.Task[None]] = {}
        self.idle_since: dict[str, float] = {}
        self.waking: dict[str, asyncio.Task[Live]] = {}
        self.tasks: set[asyncio.Task[Any]] = set()
        self.sockets_of: Counter[str] = Counter()
        """How many sockets each address has."""
        self.credits: dict[tuple[str, str], Credits] = {}
        self.missed = asyncio.Event()
        """Set when the bus may have missed something."""

    async def start(self) -> None:
        await self.bus.start(self.hear, self.missed.set)
        for work in (self.keep(), self.look(), self.announce()):
            self.run(work)

    def run(self, work: Any) -> None:
        """Owns a task until it is done, and says so if it fails."""
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.finished)

    def finished(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self.logger.error("a task failed", exc_info=task.exception())

    async def close(self) -> None:
        """Ends everything; what was begun is written."""
        await ended([*self.tasks, *self.minders.values()])
        for live in self.lives.values():
            live.rest()
        self.thinkers.close()
        await self.bus.close()
        await self.store.close()

    async def farewell(self) -> None:
        """Tells everyone that the server is being restarted, and waits a moment until they have heard it."""
        bye = messages.Bye("restart", "The server is being restarted; the game goes on in a moment.", again=True)
        for live in self.lives.values():
            for socket in live.sockets:
                socket.end(RESTART, bye)
        for _ in range(20):
            if any(live.sockets for live in self.lives.values()):
                await asyncio.sleep(0.05)

    # Tables -----------------------------------------------------------------------------------------

    async def open(self, wish: messages.Open) -> tuple[Table, Seat, str]:
        """A new table, the host's seat, and the token that proves it."""
        token = tokens.new_token()
        made = commands.new_entries(wish, token)
        now = time.time()
        table = Table(tokens.new_table())
        for number, entry in enumerate(made, 1):
            table.apply(Logged(number, now, entry))
        await self.store.create(summary_of(table), [(now, WRITE.encode(entry)) for entry in made])
        self.metrics.opened.inc()
        seat = table.host
        assert seat is not None
        return table, seat, token

    async def live(self, table: str) -> Live:
        """The table, awake; Denial if there is none."""
        live = self.lives.get(table)
        if live is None:
            if table not in self.waking:
                self.waking[table] = asyncio.create_task(self.wake(table))
                self.waking[table].add_done_callback(lambda task: self.woken(table, task))
            live = await asyncio.shield(self.waking[table])
        self.idle_since.pop(table, None)
        return live

    async def wake(self, table: str) -> Live:
        await self.bus.watch(table)
        try:
            live = Live(self, await self.read(table))
        except Exception:
            await self.bus.unwatch(table)
            raise
        live.process = self.bus.process
        live.note_presence([])
        self.lives[table] = live
        self.minders[table] = asyncio.create_task(self.mind(live), name=f"mind {table}")
        self.metrics.tables.set(len(self.lives))
        return live

    def woken(self, table: str, task: asyncio.Task[Live]) -> None:
        del self.waking[table]
        if not task.cancelled():
            task.exception()  # whoever asked for the table has been told

    async def mind(self, live: Live) -> None:
        """Minds the table; if that fails, everybody comes again to a table read anew."""
        try:
            await live.mind()
        except Exception as error:
            self.logger.exception("a table failed", extra={"table": live.table.id})
            live.break_off(error)

    @contextlib.contextmanager
    def reachable(self) -> Iterator[None]:
        """Whoever asks for something while the database does not answer is told to try again."""
        try:
            yield
        except SQLAlchemyError as error:
            self.logger.error("the database does not answer", extra={"error": repr(error)})
            raise Denial("busy", "The tables cannot be reached just now: try again.") from error

    async def read(self, table: str, number: int | None = None) -> Table:
        """The table as it is now; or as it was at the end of its game of that number, for which nobody else waits."""
        rows = await self.store.entries(table)
        if not rows:
            raise Denial("no table", "There is no such table; perhaps it was played long ago.")
        try:
            return table_from(table, rows) if number is None else await asyncio.to_thread(table_from, table, rows, number)
        except (fuda.Error, msgspec.MsgspecError) as error:
            self.logger.error("a table cannot be read", extra={"table": table, "error": str(error)})
            raise Denial(
                "closed", "This table was begun with another version of Fuda and cannot be gone on with."
            ) from error

    def forget(self, live: Live) -> None:
        """The table is no longer awake here."""
        table = live.table.id
        if self.lives.get(table) is live:
            del self.lives[table]
            self.idle_since.pop(table, None)
            minder = self.minders.pop(table)
            if minder is not asyncio.current_task():
                minder.cancel()
            self.run(self.bus.unwatch(table))
            self.metrics.tables.set(len(self.lives))
        live.rest()

    # Records ----------------------------------------------------------------------------------------

    async def read_finished(self, table: str, number: int) -> Table:
        """The table at the end of that game; Denial if it was not played to its end."""
        read = await self.read(table, number)
        if not read.is_finished:
            raise Denial("no record", "There is no such finished game at this table.")
        return read

    # Other processes --------------------------------------------------------------------------------

    async def tell_others(self, live: Live) -> None:
        heard = Heard(self.bus.process, live.table.version, live.seats_here, live.watching_here, not live.is_introduced)
        live.is_introduced = True
        await self.bus.tell(live.table.id, msgspec.json.encode(heard))

    def hear(self, table: str, message: bytes) -> None:
        live = self.lives.get(table)
        if live is None:
            return
        with contextlib.suppress(msgspec.MsgspecError):
            heard = msgspec.json.decode(message, type=Heard)
            self.run(self.pass_on(live, heard))

    async def pass_on(self, live: Live, heard: Heard) -> None:
        with contextlib.suppress(Denial):  # everybody at that table has been told
            elsewhere = Elsewhere(time.time() + NEWS_LASTS, heard.seats, heard.watching)
            await live.heard(heard.process, heard.version, elsewhere, heard.is_new)

    # What is done again and again -------------------------------------------------------------------

    async def keep(self) -> None:
        """Asks silent sockets whether they are there, and lets tables sleep that nobody is at."""
        while True:
            await asyncio.sleep(TICK)
            now = time.monotonic()
            for live in [*self.lives.values()]:
                for socket in live.sockets:
                    self.keep_socket(socket, now)
                if live.elsewhere:
                    self.keep_elsewhere(live)
                if live.sockets or live.lock.locked():
                    self.idle_since.pop(live.table.id, None)
                elif now - self.idle_since.setdefault(live.table.id, now) > self.settings.idle_seconds:
                    self.forget(live)
            self.credits = {key: credit for key, credit in self.credits.items() if not credit.is_full}

    def keep_elsewhere(self, live: Live) -> None:
        """What another process said is no longer believed after a while; but while the bus is lost, it cannot say more."""
        if self.bus.lost:
            for other in live.elsewhere.values():
                other.until = time.time() + NEWS_LASTS
        live.show_here()
        live.stir()

    def keep_socket(self, socket: Socket, now: float) -> None:
        socket.check_writing(now)
        if now - socket.heard > (self.settings.silence_seconds if socket.is_welcome else self.settings.hello_seconds):
            socket.end(SILENT)
        elif now - max(socket.heard, socket.pinged) > self.settings.ping_seconds:
            socket.pinged = now
            socket.say(messages.Ping())

    async def look(self) -> None:
        """Looks at the log for what others wrote, should nobody have told of it."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.settings.look_seconds):
                    await self.missed.wait()
            self.missed.clear()
            try:
                heads = await self.store.heads([*self.lives])
            except Exception as error:  # the database may be away for a moment; the next look will tell
                self.logger.warning("the log cannot be read", extra={"error": repr(error)})
                continue
            for live in [*self.lives.values()]:
                if heads.get(live.table.id, 0) > live.table.version:
                    with contextlib.suppress(Denial):  # everybody there has been told
                        async with live.lock:
                            await live.catch_up()
                    live.stir()

    async def announce(self) -> None:
        while True:
            await asyncio.sleep(PRESENCE_SECONDS)
            for live in [*self.lives.values()]:
                if live.sockets:
                    await self.tell_others(live)

    # Limits -----------------------------------------------------------------------------------------

    def spend(self, what: str, address: str, burst: float, per_second: float) -> None:
        """Takes one of this address's credits; Denial if none is left."""
        credit = self.credits.setdefault((what, address), Credits(burst, per_second))
        if not credit.take():
            raise Denial("too many", "Too many requests from your address: wait a little.")


def table_from(table: str, rows: list[Row], number: int | None = None) -> Table:
    """The table as its log has made it; or as it was at the end of its game of that number."""
    logged = [Logged(row.number, row.at, READ.decode(row.data)) for row in rows]
    ends = [at for at, one in enumerate(logged) if isinstance(one.entry, entries.Reopened)]
    last = len(ends) + 1 if number is None else number
    read = Table(table)
    read.skip_games_before = last
    for one in logged if number is None or last > len(ends) else logged[: ends[last - 1]]:
        read.apply(one)
    return read
