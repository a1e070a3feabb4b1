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

from fuda.protocol import messages
from fuda.protocol.parts import Seat
from fuda.server import admission, clock, entries, tokens
from fuda.server.bot_pool import BotPool
from fuda.server.bus import Bus
from fuda.server.cancelling import cancel_all
from fuda.server.denials import Denial
from fuda.server.entries import WRITE, Logged
from fuda.server.live import LiveTable
from fuda.server.lobby import Lobby
from fuda.server.log_reader import Damaged, apply_log, check_can_continue, read_log
from fuda.server.metrics import Metrics
from fuda.server.presence import ProcessNews
from fuda.server.settings import Settings
from fuda.server.sockets import RESTART, SILENT, Credits, Socket
from fuda.server.store import Row, Store
from fuda.server.summaries import summary_of
from fuda.server.table import MOST_CHAT, MOST_LINES, Table
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
        self.lobby = Lobby(settings, store, self.tables)
        self.load_slots = asyncio.Semaphore(2)
        """Only a few tables are read at a time, as a long log takes memory and time."""
        self.replay_slots = asyncio.Semaphore(2)
        """The same for finished games; tables do not have to wait for them."""
        self.hellos = asyncio.Lock()
        self.missed = asyncio.Event()
        """Set when messages of the bus may have been lost."""

    async def start(self) -> None:
        await self.bus.start(self.on_bus, self.missed.set)
        for work in (
            self.reap_idle(),
            self.poll_log(),
            self.announce(),
            self.prune_loaded(),
            self.lobby.keep_up(),
            self.lobby.clean_up(),
        ):
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
        now = clock.now()
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
            async with self.load_slots:
                read = await self.read(table)
            live = LiveTable(
                read,
                self.settings,
                self.store,
                self.bus,
                self.bots,
                self.metrics,
                self.spend,
                self.unload,
                self.keep_transcript,
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
        if await self.store.length(table) > MOST_CHAT:
            await self.prune_chat(table)
        rows = await self.store.entries(table)
        if not rows:
            raise Denial("no table", "There is no such table; it may have been deleted.")
        try:
            # In a thread: other tables need not wait for it.
            read = await asyncio.to_thread(table_from, table, rows, number)
        except Damaged as damaged:
            LOG.error("a table cannot be read", extra=damaged.details)
            raise
        if read.old_game is not None and read.phase == "playing" and await self.is_over(read):
            read.phase = "over"
        return read

    async def is_over(self, table: Table) -> bool:
        """Whether the last game of a table is over, by its summary: for games whose rules are not known."""
        return any(summary.phase == "over" for summary in await self.store.summaries([table.id]))

    async def check_record(self, table: str, number: int) -> None:
        """Denial if the row of the table says that this game has no record: its log need not be read then."""
        for summary in await self.store.summaries([table]):
            if summary.last_record is not None and number > summary.last_record:
                raise no_record()

    async def read_finished(self, table: str, number: int) -> Table:
        """The table at the end of that game, for which a slot is needed; Denial if the game has not ended."""
        read = await self.read(table, number)
        if not read.is_revealed and not await self.has_transcript(read):
            raise no_record()
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
                if heads.get(live.table.id, live.table.length) != live.table.length:
                    with contextlib.suppress(Denial):  # everybody there has been told
                        await live.catch_up()

    # Idle tables and sockets, old chat --------------------------------------------------------------

    async def prune_loaded(self) -> None:
        """Deletes old chat from the logs of loaded tables."""
        while True:
            await asyncio.sleep(TICK)
            for table in [table for table, live in self.tables.items() if live.table.chat_count > MOST_CHAT]:
                await self.prune_live(table)

    async def prune_live(self, table: str) -> None:
        live = self.tables.get(table)
        if live is not None:
            old = live.table.chat_count - MOST_LINES
            deleted = await self.prune_chat(table)
            if deleted is not None:
                live.table.forget_chat(deleted or old)  # another process may have deleted it

    async def prune_chat(self, table: str) -> int | None:
        """Deletes old chat from a log; returns how many entries, None if the database fails."""
        try:
            return await self.store.prune_chat(table, MOST_CHAT, MOST_LINES)
        except SQLAlchemyError as error:
            LOG.warning("old chat cannot be deleted", extra={"table": table, "error": repr(error)})
            return None

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
            elif live.presence.gone_since and live.presence.sockets:
                live.broadcast.show_presence()  # somebody may have been away for long enough now
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
        silence = self.settings.silence_seconds if socket.is_welcome else self.settings.hello_seconds
        if now - socket.received_at > silence:
            socket.end(SILENT)
        elif now - max(socket.received_at, socket.pinged_at) > self.settings.ping_seconds:
            socket.pinged_at = now
            socket.say(messages.Ping())

    # Limits -----------------------------------------------------------------------------------------

    def spend(
        self,
        what: str,
        address: str,
        burst: float,
        per_second: float,
        cost: int = 1,
        text: str = "Too many requests from your address: wait a little.",
    ) -> None:
        """Takes credits of this address; Denial if it has not enough."""
        credit = self.credits.setdefault((what, address), Credits(burst, per_second))
        if not credit.take(cost):
            raise Denial("too many", text)

    def spend_disk(self, address: str, size: int) -> None:
        limits = self.settings.limits
        text = "Too much has been stored for your address: wait a little."
        self.spend("disk", address, limits.disk, limits.disk_per_second, size, text)

    async def wait_for_turn(self) -> None:
        """Lets one hello pass at a time, and the messages of others in between, as each may take long to answer."""
        async with self.hellos:
            await asyncio.sleep(0)


def no_record() -> Denial:
    return Denial("no record", "There is no such finished game at this table.")


def table_from(table: str, rows: list[Row], number: int | None = None) -> Table:
    """The table as its log has made it, or as it was at the end of its game of this number."""
    logged = read_log(table, rows)
    ends = [(at, one.entry) for at, one in enumerate(logged) if isinstance(one.entry, entries.Reopened)]
    last = len(ends) + 1 if number is None else number
    at, reopened = ends[last - 1] if last <= len(ends) else (len(logged), None)
    read = Table(table)
    read.skip_games_before = last
    apply_log(read, logged[:at])
    if number is None:
        check_can_continue(read)
    if reopened is not None:  # tells how a game ended even if its rules are not known
        read.phase = "open" if reopened.ended else "over"
    return read
