"""All tables that are loaded in this process, and the work that is done for all of them."""

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
from fuda.server import admission, entries, tokens
from fuda.server.bot_pool import BotPool
from fuda.server.bus import Bus
from fuda.server.cancelling import cancel_all
from fuda.server.denials import Denial
from fuda.server.entries import READ, WRITE, Logged
from fuda.server.live import LiveTable
from fuda.server.metrics import Metrics
from fuda.server.presence import ProcessNews
from fuda.server.settings import Settings
from fuda.server.sockets import RESTART, SILENT, Credits, Socket
from fuda.server.store import Row, Store
from fuda.server.summaries import summary_of
from fuda.server.table import Table
from fuda.server.transcripts import Transcripts

LOG: Final = logging.getLogger("fuda.server")
TICK: Final = 1.0
ANNOUNCE_SECONDS: Final = 10.0
"""How often the other processes are told who is connected here."""


class Hall:
    def __init__(self, settings: Settings, store: Store, bus: Bus, metrics: Metrics) -> None:
        self.settings = settings
        self.store = store
        self.bus = bus
        self.metrics = metrics
        self.bots = BotPool(settings.workers, metrics)
        self.transcripts = Transcripts(store)
        self.tables: dict[str, LiveTable] = {}
        self.running: dict[str, asyncio.Task[None]] = {}
        """The task that acts for bots and absent players at each table."""
        self.loading: dict[str, asyncio.Task[LiveTable]] = {}
        self.idle_since: dict[str, float] = {}
        self.tasks: set[asyncio.Task[Any]] = set()
        self.sockets_of: Counter[str] = Counter()
        """How many sockets each address has."""
        self.credits: dict[tuple[str, str], Credits] = {}
        """What each address may still ask for."""
        self.missed = asyncio.Event()
        """Set when messages of the bus may have been lost."""

    async def start(self) -> None:
        await self.bus.start(self.on_bus, self.missed.set)
        for work in (self.reap_idle(), self.poll_log(), self.announce()):
            self.run(work)

    def run(self, work: Any) -> None:
        """Runs a task in the background; a failure is logged."""
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.finished)

    def finished(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            LOG.error("a task failed", exc_info=task.exception())

    async def close(self) -> None:
        """Stops everything; entries that are being written are finished."""
        await cancel_all([*self.tasks, *self.running.values()])
        for live in self.tables.values():
            live.stop()
        self.bots.close()
        self.transcripts.close()
        await self.bus.close()
        await self.store.close()

    async def announce_restart(self) -> None:
        """Tells everyone that the server is being restarted, and waits up to a second until they have left."""
        bye = messages.Bye("restart", "The server is being restarted; the game continues in a moment.", again=True)
        for live in self.tables.values():
            for socket in live.presence.sockets:
                socket.end(RESTART, bye)
        for _ in range(20):
            if any(live.presence.sockets for live in self.tables.values()):
                await asyncio.sleep(0.05)

    # Tables -----------------------------------------------------------------------------------------

    async def open(self, request: messages.Open) -> tuple[Table, Seat, str]:
        """A new table, the host's seat, and the token that proves it."""
        token = tokens.new_token()
        made = admission.open_table(request, token)
        now = time.time()
        table = Table(tokens.new_table())
        for number, entry in enumerate(made, 1):
            table.apply(Logged(number, now, entry))
        await self.store.create(summary_of(table), [(now, WRITE.encode(entry)) for entry in made])
        self.metrics.opened.inc()
        seat = table.host
        assert seat is not None
        return table, seat, token

    async def get(self, table: str) -> LiveTable:
        """The table, loaded if need be; Denial if there is none."""
        live = self.tables.get(table)
        if live is None:
            if table not in self.loading:
                self.loading[table] = asyncio.create_task(self.load(table))
                self.loading[table].add_done_callback(lambda task: self.loaded(table, task))
            live = await asyncio.shield(self.loading[table])
        self.idle_since.pop(table, None)
        return live

    async def load(self, table: str) -> LiveTable:
        await self.bus.subscribe(table)
        try:
            read = await self.read(table)
            live = LiveTable(
                read, self.settings, self.store, self.bus, self.bots, self.metrics, self.unload, self.keep_transcript
            )
            await live.end_old_game()
        except Exception:
            await self.bus.unsubscribe(table)
            raise
        self.tables[table] = live
        self.running[table] = asyncio.create_task(live.run(), name=f"table {table}")
        self.metrics.tables.set(len(self.tables))
        return live

    def loaded(self, table: str, task: asyncio.Task[LiveTable]) -> None:
        del self.loading[table]
        if not task.cancelled():
            task.exception()  # the caller of `get` receives it

    def unload(self, live: LiveTable) -> None:
        table = live.table.id
        if self.tables.get(table) is live:
            del self.tables[table]
            self.idle_since.pop(table, None)
            running = self.running.pop(table)
            if running is not asyncio.current_task():
                running.cancel()
            self.run(self.bus.unsubscribe(table))
            self.metrics.tables.set(len(self.tables))
        live.stop()

    def keep_transcript(self, finished: Table) -> None:
        """Makes the transcript in the background, unless there is one."""
        self.run(self.transcripts.make(finished.id, finished.number, finished.game))

    @contextlib.contextmanager
    def reachable(self) -> Iterator[None]:
        """Denies a request as busy if the database fails."""
        try:
            yield
        except SQLAlchemyError as error:
            LOG.error("the database does not answer", extra={"error": repr(error)})
            raise Denial("busy", "The tables cannot be reached at the moment: try again.") from error

    async def read(self, table: str, number: int | None = None) -> Table:
        """The table as it is now, or as it was at the end of its game of this number."""
        rows = await self.store.entries(table)
        if not rows:
            raise Denial("no table", "There is no such table; it may have been deleted.")
        try:
            # A finished game is read in a thread: other tables need not wait for it.
            read = table_from(table, rows) if number is None else await asyncio.to_thread(table_from, table, rows, number)
        except (fuda.Error, msgspec.MsgspecError) as error:
            LOG.error("a table cannot be read", extra={"table": table, "error": str(error)})
            raise Denial("closed", "This table was started with another version of Fuda and cannot be continued.") from error
        if read.old_game is not None and read.phase == "playing" and await self.is_over(read):
            read.phase = "over"
        return read

    async def is_over(self, table: Table) -> bool:
        """Whether the last game of a table is over, by its summary: for games whose rules are not known."""
        return any(summary.phase == "over" for summary in await self.store.summaries([table.id]))

    async def read_finished(self, table: str, number: int) -> Table:
        """The table at the end of that game; Denial if the game was not finished."""
        read = await self.read(table, number)
        if not read.is_finished and not await self.has_transcript(read):
            raise Denial("no record", "There is no such finished game at this table.")
        if read.game is not None:
            self.keep_transcript(read)
        return read

    async def has_transcript(self, table: Table) -> bool:
        """Whether a game whose rules are not known was played to its end, after which the table was closed."""
        return table.old_game is not None and await self.store.transcript(table.id, table.number) is not None

    # Other processes --------------------------------------------------------------------------------

    def on_bus(self, table: str, message: bytes) -> None:
        live = self.tables.get(table)
        if live is None:
            return
        with contextlib.suppress(msgspec.MsgspecError):
            self.run(self.apply_bus(live, msgspec.json.decode(message, type=ProcessNews)))

    async def apply_bus(self, live: LiveTable, news: ProcessNews) -> None:
        with contextlib.suppress(Denial):  # everybody at that table has been told
            await live.on_news(news)

    async def announce(self) -> None:
        while True:
            await asyncio.sleep(ANNOUNCE_SECONDS)
            for live in [*self.tables.values()]:
                if live.presence.sockets:
                    await live.publish()

    async def poll_log(self) -> None:
        """Reads what other processes wrote, in case that the bus did not tell."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.settings.poll_seconds):
                    await self.missed.wait()
            self.missed.clear()
            try:
                heads = await self.store.heads([*self.tables])
            except Exception as error:  # the database may be away for a moment
                LOG.warning("the log cannot be read", extra={"error": repr(error)})
                continue
            for live in [*self.tables.values()]:
                if heads.get(live.table.id, 0) > live.table.version:
                    with contextlib.suppress(Denial):  # everybody there has been told
                        await live.catch_up()

    # Idle tables and sockets ------------------------------------------------------------------------

    async def reap_idle(self) -> None:
        """Pings and closes silent sockets, and unloads tables to which nobody is connected."""
        while True:
            await asyncio.sleep(TICK)
            self.check_tables(time.monotonic())
            self.credits = {key: credit for key, credit in self.credits.items() if not credit.is_full}

    def check_tables(self, now: float) -> None:
        for live in [*self.tables.values()]:
            for socket in live.presence.sockets:
                self.check_socket(socket, now)
            if live.presence.others:
                self.check_others(live)
            if live.presence.sockets or live.lock.locked():
                self.idle_since.pop(live.table.id, None)
            elif now - self.idle_since.setdefault(live.table.id, now) > self.settings.idle_seconds:
                self.unload(live)

    def check_others(self, live: LiveTable) -> None:
        """Shows if connections to other processes have expired; while the bus is lost, they do not."""
        if self.bus.lost:
            live.presence.extend_others()
        live.broadcast.show_presence()
        live.autoplay.notify()

    def check_socket(self, socket: Socket, now: float) -> None:
        socket.check_writing(now)
        silence = self.settings.silence_seconds if socket.is_welcome else self.settings.hello_seconds
        if now - socket.received_at > silence:
            socket.end(SILENT)
        elif now - max(socket.received_at, socket.pinged_at) > self.settings.ping_seconds:
            socket.pinged_at = now
            socket.say(messages.Ping())

    # Limits -----------------------------------------------------------------------------------------

    def spend(self, what: str, address: str, burst: float, per_second: float) -> None:
        """Takes one of this address's credits; Denial if none is left."""
        credit = self.credits.setdefault((what, address), Credits(burst, per_second))
        if not credit.take():
            raise Denial("too many", "Too many requests from your address: wait a little.")


def table_from(table: str, rows: list[Row], number: int | None = None) -> Table:
    """The table as its log has made it, or as it was at the end of its game of this number."""
    logged = [Logged(row.number, row.at, READ.decode(row.data)) for row in rows]
    ends = [(at, one.entry) for at, one in enumerate(logged) if isinstance(one.entry, entries.Reopened)]
    last = len(ends) + 1 if number is None else number
    at, reopened = ends[last - 1] if last <= len(ends) else (len(logged), None)
    read = Table(table)
    read.skip_games_before = last
    for one in logged[:at]:
        read.apply(one)
    if reopened is not None:  # tells how a game ended even if its rules are not known
        read.phase = "open" if reopened.ended else "over"
    return read
