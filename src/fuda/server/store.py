"""Reads and writes tables and their logs in the database."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from typing import Any, Final, get_args

import msgspec
from sqlalchemy import URL, Connection, Executable, Select, delete, func, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from fuda.engine.errors import Error
from fuda.protocol.parts import Pace, Phase
from fuda.server import migrations
from fuda.server.database import database_url, is_file, make_file, reading_engine, shown, writing_engine
from fuda.server.schema_tables import ENTRIES, TABLES, TRANSCRIPTS
from fuda.server.writer import CONNECTION_LOST, RETRY_PAUSES, Values, Work, Write, Writer

JOINABLE: Final[tuple[Phase, ...]] = ("open", "starting", "playing")
"""Tables in these phases are listed."""

CHUNK: Final = 500
"""How many tables are asked for in one statement."""

PURGE_CHUNK: Final = 50
"""How many tables are deleted in one transaction: moves at other tables wait for it."""

SIZES: Final = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
    "postgresql": "SELECT pg_total_relation_size('tables') + pg_total_relation_size('entries') "
    "+ pg_total_relation_size('transcripts')",
}

INSERT_TRANSCRIPT: Final[dict[str, Executable]] = {
    "sqlite": sqlite.insert(TRANSCRIPTS).on_conflict_do_nothing(),
    "postgresql": postgresql.insert(TRANSCRIPTS).on_conflict_do_nothing(),
}


class Row(msgspec.Struct, frozen=True):
    """An entry with its number and time, as JSON."""

    number: int
    at: float
    data: bytes


class Summary(msgspec.Struct, frozen=True):
    """A table in a list of tables."""

    id: str
    game: str
    phase: Phase
    host: str
    public: bool
    people: int
    open: int
    players: int
    pace: Pace
    opened: float
    changed: float


class Store:
    """All tables of a database. What is reported as written is on the disk."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self.closed = False
        self.reader: AsyncEngine = reading_engine(url)
        self.writer = Writer(writing_engine(url))

    @classmethod
    async def opened(cls, url: str) -> Store:
        """The store at `sqlite:///path`, a plain path or `postgresql://…`; created or migrated if need be."""
        where = database_url(url)
        await asyncio.to_thread(prepare, where)
        return cls(where)

    async def close(self) -> None:
        """Finishes the writes that are queued."""
        if not self.closed:
            self.closed = True
            await self.writer.close()
            await self.reader.dispose()

    # Writing ------------------------------------------------------------------------------------------

    async def create(self, summary: Summary, data: list[tuple[float, bytes]]) -> None:
        """A new table with its first entries."""
        entries = [entry_values(summary.id, number, at, one) for number, (at, one) in enumerate(data, 1)]
        if not await self.write(entries, opened=msgspec.structs.asdict(summary)):
            raise Error(f"There is a table {summary.id} already.")

    def append(
        self, table: str, number: int, at: float, data: bytes, summary: Summary | None = None
    ) -> asyncio.Future[bool]:
        """True once the entry is written; False if its number is taken. After an exception it may be either."""
        changed = msgspec.structs.asdict(summary) if summary else None
        return self.write([entry_values(table, number, at, data)], changed=changed)

    async def add_transcript(self, table: str, number: int, data: bytes) -> None:
        """Stores the transcript of a finished game, unless there is one, or the table was deleted."""
        values = {"table_id": table, "number": number, "data": data}
        with contextlib.suppress(IntegrityError):
            await self.work(lambda connection: insert_transcript(connection, values))

    async def purge(self, before: float) -> int:
        """Deletes the tables where nothing has happened since then; returns how many."""
        removed = 0
        while count := await self.work(lambda connection: purge_some(connection, before)):
            removed += count
        return removed

    def write(
        self, entries: list[Values], *, opened: Values | None = None, changed: Values | None = None
    ) -> asyncio.Future[bool]:
        self.must_be_open()
        done: asyncio.Future[bool] = self.writer.loop.create_future()
        self.writer.put(Write(entries, done, opened=opened, changed=changed))
        return done

    async def work(self, run: Callable[[Connection], int]) -> int:
        """Runs this in the writer's thread, in a transaction of its own; it must be safe to repeat."""
        self.must_be_open()
        done: asyncio.Future[int] = self.writer.loop.create_future()
        self.writer.put(Work(run, done))
        return await done

    def must_be_open(self) -> None:
        if self.closed:
            raise Error("The database is closed.")

    # Reading ------------------------------------------------------------------------------------------

    async def entries(self, table: str, after: int = 0) -> list[Row]:
        """The log of a table, in order, after that number."""
        columns = select(ENTRIES.c.number, ENTRIES.c.at, ENTRIES.c.data)
        found = await self.read(
            columns.where(ENTRIES.c.table_id == table, ENTRIES.c.number > after).order_by(ENTRIES.c.number)
        )
        return [Row(number, at, data.encode()) for number, at, data in found]

    async def transcript(self, table: str, number: int) -> bytes | None:
        """The transcript of that game, compressed; None if there is none."""
        here = select(TRANSCRIPTS.c.data).where(TRANSCRIPTS.c.table_id == table, TRANSCRIPTS.c.number == number)
        return next((data for (data,) in await self.read(here)), None)

    async def heads(self, tables: list[str]) -> dict[str, int]:
        """The last number of each of these tables; those that do not exist are left out."""
        last = select(func.max(ENTRIES.c.number)).where(ENTRIES.c.table_id == TABLES.c.id).scalar_subquery()
        found: dict[str, int] = {}
        for some in chunks(tables):
            found |= {
                table: number or 0
                for table, number in await self.read(select(TABLES.c.id, last).where(TABLES.c.id.in_(some)))
            }
        return found

    async def listed(self, limit: int = 100) -> list[Summary]:
        """The public tables that are open or playing, the newest first."""
        public = select(TABLES).where(TABLES.c.public, TABLES.c.phase.in_(JOINABLE))
        return summaries_from(await self.read(public.order_by(TABLES.c.opened.desc(), TABLES.c.id).limit(limit)))

    async def summaries(self, tables: list[str] | None = None) -> list[Summary]:
        """These tables, or all, the last changed first."""
        every = select(TABLES).order_by(TABLES.c.changed.desc(), TABLES.c.id)
        if tables is None:
            return summaries_from(await self.read(every))
        return [
            one for some in chunks(tables) for one in summaries_from(await self.read(every.where(TABLES.c.id.in_(some))))
        ]

    async def counts(self) -> dict[str, int]:
        """The number of tables, in all and by phase, of entries, and of bytes."""
        phases = await self.read(select(TABLES.c.phase, func.count()).group_by(TABLES.c.phase))
        by_phase = dict.fromkeys(get_args(Phase), 0) | dict(phases)
        ((entries,),) = await self.read(select(func.count()).select_from(ENTRIES))
        async with self.reader.connect() as connection:
            size = await connection.scalar(text(SIZES[connection.dialect.name]))
        return {"tables": sum(by_phase.values()), **by_phase, "entries": entries, "bytes": int(size or 0)}

    async def counts_by_game(self) -> dict[str, dict[str, int]]:
        """How many tables of each game there are in each phase."""
        kinds = select(TABLES.c.game, TABLES.c.phase, func.count()).group_by(TABLES.c.game, TABLES.c.phase)
        found: dict[str, dict[str, int]] = {}
        for game, phase, count in await self.read(kinds.order_by(TABLES.c.game)):
            found.setdefault(game, dict.fromkeys(get_args(Phase), 0))[phase] = count
        return found

    async def ping(self) -> None:
        """Raises unless the database answers."""
        self.must_be_open()
        async with self.reader.connect() as connection:
            await connection.execute(select(1))

    async def read(self, statement: Select[Any]) -> list[Any]:
        """The rows found; repeated for a while if PostgreSQL does not answer."""
        self.must_be_open()
        for pause in () if is_file(self.url) else RETRY_PAUSES:
            with contextlib.suppress(*CONNECTION_LOST):
                return await self.read_once(statement)
            await asyncio.sleep(pause)
        return await self.read_once(statement)

    async def read_once(self, statement: Select[Any]) -> list[Any]:
        async with self.reader.connect() as connection:
            return list(await connection.execute(statement))


async def finished(writing: asyncio.Future[bool]) -> tuple[bool, asyncio.CancelledError | None]:
    """Waits for a write to finish even if cancelled meanwhile: what is written must be applied under the same lock."""
    cancelled = None
    while not writing.done():
        try:
            await asyncio.wait([writing])
        except asyncio.CancelledError as error:
            cancelled = error
    return writing.result(), cancelled


def prepare(url: URL) -> None:
    """Creates or migrates the database."""
    if is_file(url):
        make_file(url)
    engine = writing_engine(url, migrating=True)
    try:
        with engine.begin() as connection:
            migrations.upgrade(connection)
    except SQLAlchemyError as error:
        said = str(getattr(error, "orig", None) or error).strip().splitlines()
        raise Error(f"The database {shown(url)} cannot be opened: {said[0] if said else type(error).__name__}") from error
    finally:
        engine.dispose()


def purge_some(connection: Connection, before: float) -> int:
    # The row of a table changes only with its summary; the log tells when something happened last.
    recent = select(1).where(ENTRIES.c.table_id == TABLES.c.id, ENTRIES.c.at >= before).exists()
    old = select(TABLES.c.id).where(TABLES.c.changed < before, ~recent).limit(PURGE_CHUNK)
    return connection.execute(delete(TABLES).where(TABLES.c.id.in_(old))).rowcount


def insert_transcript(connection: Connection, values: Values) -> int:
    return connection.execute(INSERT_TRANSCRIPT[connection.dialect.name], values).rowcount


def entry_values(table: str, number: int, at: float, data: bytes) -> Values:
    return {"table_id": table, "number": number, "at": at, "data": data.decode()}


def summaries_from(rows: Iterable[Any]) -> list[Summary]:
    return [Summary(*row) for row in rows]


def chunks(tables: list[str]) -> Iterable[list[str]]:
    return (tables[start : start + CHUNK] for start in range(0, len(tables), CHUNK))
