"""Reads and writes tables and their logs in the database."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final, get_args

import msgspec
from sqlalchemy import (
    URL,
    ColumnElement,
    Connection,
    Executable,
    Select,
    delete,
    func,
    insert,
    select,
    text,
    type_coerce,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.types import NullType

from fuda.engine.errors import Error
from fuda.protocol.parts import Pace, Phase
from fuda.server import migrations
from fuda.server.database import database_url, is_file, make_file, opening, reading_engine, writing_engine
from fuda.server.schema_tables import ENTRIES, TABLES, TRANSCRIPTS
from fuda.server.writer import CONNECTION_LOST, RETRY_PAUSES, Values, Work, Write, Writer

LOG: Final = logging.getLogger("fuda.server")

JOINABLE: Final[tuple[Phase, ...]] = ("open", "starting", "playing")
"""Tables in these phases are listed."""

CHUNK: Final = 500
"""How many tables are asked for in one statement."""

PURGE_CHUNK: Final = 50
"""How many tables are looked for at once that may be deleted."""

MOST_DELETED: Final = 2000
"""How many entries are deleted in one transaction, at least a table's: moves at other tables wait for it."""

ROWS_AT_ONCE: Final = 500
"""After this many rows of a log others get their turn."""

CHAT: Final = '{"kind":"spoke"'
"""How the entries of chat begin."""
STARTED: Final = '{"kind":"started"'

SIZES: Final = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
    "postgresql": "SELECT pg_total_relation_size('tables') + pg_total_relation_size('entries') "
    "+ pg_total_relation_size('transcripts')",
}

EMPTY_ROW: Final[Values] = {column.name: column.type.python_type() for column in TABLES.columns}

INSERT_TRANSCRIPT: Final[dict[str, Executable]] = {
    "sqlite": sqlite.insert(TRANSCRIPTS).on_conflict_do_nothing(),
    "postgresql": postgresql.insert(TRANSCRIPTS).on_conflict_do_nothing(),
}


class Row(msgspec.Struct, frozen=True):
    """An entry with its number and time, as JSON."""

    number: int
    at: float
    data: bytes
    pruned: int = 0
    """How many entries of this log had been deleted when it was read."""


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
    last_record: int | None = 0
    """The number of the last game that has a record; None if that is not known, as in rows of older versions."""


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

    async def add_transcript(self, table: str, number: int, data: bytes, *, replace: bool = False) -> None:
        """Stores the transcript of a finished game, unless there is one to be kept, or the table was deleted."""
        values = {"table_id": table, "number": number, "data": data}
        with contextlib.suppress(IntegrityError):
            await self.work(lambda connection: insert_transcript(connection, values, replace))

    async def prune_chat(self, table: str, most: int, keep: int) -> int:
        """Deletes all but the latest entries of chat from a log, if it has more than `most`; returns how many."""
        latest = await self.read(chat_of(table).order_by(ENTRIES.c.number.desc()).limit(most + 1))
        deleted = 0
        if len(latest) > most:
            while count := await self.work(partial(prune_some, table=table, before=latest[keep - 1][0])):
                deleted += count
        return deleted

    async def purge(self, before: float) -> int:
        """Deletes the tables where nothing has happened since then; returns how many."""
        return await self.delete(unchanged_since(before))

    async def expire(self, before: float) -> int:
        """Deletes the tables whose first game was not started, and where nobody has been since then; returns how many."""
        started = select(1).where(ENTRIES.c.table_id == TABLES.c.id, ENTRIES.c.data.startswith(STARTED)).exists()
        empty = (TABLES.c.seen.is_(None) | (TABLES.c.seen < before)) & TABLES.c.phase.in_(("open", "starting"))
        return await self.delete(unchanged_since(before) & empty, ~started)

    async def delete(self, tables: ColumnElement[bool], *also: ColumnElement[bool]) -> int:
        """Deletes these tables, a few at a time; `also` takes long to find out, and is not checked again at that moment."""
        removed, after = 0, ""
        last = select(func.max(ENTRIES.c.number)).where(ENTRIES.c.table_id == TABLES.c.id).scalar_subquery()
        found = select(TABLES.c.id, last - TABLES.c.pruned).where(tables, *also).order_by(TABLES.c.id).limit(PURGE_CHUNK)
        while chunk := await self.read(found.where(TABLES.c.id > after)):
            for some in by_size([(table, size or 0) for table, size in chunk]):
                removed += await self.work(partial(delete_tables, some=some, tables=tables))
            after = chunk[-1][0]
        return removed

    async def mark_seen(self, tables: Iterable[str], at: float) -> None:
        """Stores that somebody was connected to these tables then."""
        for some in chunks(sorted(tables)):
            await self.work(partial(mark, some=some, at=at))

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
        """The log of a table, in order, after that number; nothing if the row of the table is not there."""
        # In one statement, as entries may be deleted meanwhile.
        columns = select(ENTRIES.c.number, ENTRIES.c.at, ENTRIES.c.data, TABLES.c.pruned)
        rows = columns.join(TABLES, TABLES.c.id == ENTRIES.c.table_id).where(ENTRIES.c.table_id == table)
        found = await self.read(rows.where(ENTRIES.c.number > after).order_by(ENTRIES.c.number))
        return [Row(number, at, bytes_in(data), count_in(pruned)) for number, at, data, pruned in found]

    async def length(self, table: str) -> int:
        """How many entries the log of a table has; 0 if there is no such table."""
        last = select(func.max(ENTRIES.c.number)).where(ENTRIES.c.table_id == table).scalar_subquery()
        found = await self.read(select(last, TABLES.c.pruned).where(TABLES.c.id == table))
        return sum(count_in(last) - count_in(pruned) for last, pruned in found)

    async def transcript(self, table: str, number: int) -> bytes | None:
        """The transcript of that game, compressed; None if there is none."""
        data = type_coerce(TRANSCRIPTS.c.data, NullType())  # SQLAlchemy cannot convert a text, as which it may be damaged
        here = select(data).where(TRANSCRIPTS.c.table_id == table, TRANSCRIPTS.c.number == number)
        return next((bytes_in(data) for (data,) in await self.read(here)), None)

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

    async def listed(self, seen: float, limit: int) -> list[Summary]:
        """The public tables that are open or playing and to which somebody was connected since then, the newest first."""
        public = select(TABLES).where(TABLES.c.seen >= seen, TABLES.c.public, TABLES.c.phase.in_(JOINABLE))
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
        """Raises unless the database can be read and written."""
        self.must_be_open()
        async with self.reader.connect() as connection:
            await connection.execute(select(1))
        await self.work(write_nothing)

    async def read(self, statement: Select[Any]) -> list[Any]:
        """The rows found; repeated for a while if PostgreSQL does not answer."""
        self.must_be_open()
        for pause in () if is_file(self.url) else RETRY_PAUSES:
            with contextlib.suppress(*CONNECTION_LOST):
                return await self.read_once(statement)
            await asyncio.sleep(pause)
        return await self.read_once(statement)

    async def read_once(self, statement: Select[Any]) -> list[Any]:
        rows: list[Any] = []
        async with self.reader.connect() as connection:
            for some in (await connection.execute(statement)).partitions(ROWS_AT_ONCE):
                rows += some
                if len(some) == ROWS_AT_ONCE:
                    await asyncio.sleep(0)
        return rows


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
        with opening(url), engine.begin() as connection:
            migrations.upgrade(connection)
    finally:
        engine.dispose()


def write_nothing(connection: Connection) -> int:
    """Writes a row and deletes it again, which needs the disk as any change does, and nobody sees."""
    connection.execute(insert(TABLES), EMPTY_ROW)
    return connection.execute(delete(TABLES).where(TABLES.c.id == EMPTY_ROW["id"])).rowcount


def unchanged_since(before: float) -> ColumnElement[bool]:
    # The row of a table changes only with its summary; the log tells when something happened last.
    last = select(ENTRIES.c.at).where(ENTRIES.c.table_id == TABLES.c.id).order_by(ENTRIES.c.number.desc()).limit(1)
    return (TABLES.c.changed < before) & (last.scalar_subquery() < before)


def by_size(tables: list[tuple[str, int]]) -> Iterable[list[str]]:
    """These tables in groups that have few entries together, and at least one table."""
    some: list[str] = []
    together = 0
    for table, size in tables:
        if some and together + size > MOST_DELETED:
            yield some
            some, together = [], 0
        some.append(table)
        together += size
    if some:
        yield some


def delete_tables(connection: Connection, some: list[str], tables: ColumnElement[bool]) -> int:
    return connection.execute(delete(TABLES).where(TABLES.c.id.in_(some), tables)).rowcount


def mark(connection: Connection, some: list[str], at: float) -> int:
    return connection.execute(update(TABLES).where(TABLES.c.id.in_(some)).values(seen=at)).rowcount


def chat_of(table: str) -> Select[tuple[int]]:
    return select(ENTRIES.c.number).where(ENTRIES.c.table_id == table, ENTRIES.c.data.startswith(CHAT))


def prune_some(connection: Connection, table: str, before: int) -> int:
    """Deletes some of the chat before this number, and counts it, so that the other entries are known to be complete."""
    old = chat_of(table).where(ENTRIES.c.number < before).order_by(ENTRIES.c.number).limit(MOST_DELETED)
    count = connection.execute(delete(ENTRIES).where(ENTRIES.c.table_id == table, ENTRIES.c.number.in_(old))).rowcount
    if count:
        connection.execute(update(TABLES).where(TABLES.c.id == table).values(pruned=TABLES.c.pruned + count))
    return count


def insert_transcript(connection: Connection, values: Values, replace: bool) -> int:
    if replace:
        same = (TRANSCRIPTS.c.table_id == values["table_id"]) & (TRANSCRIPTS.c.number == values["number"])
        connection.execute(delete(TRANSCRIPTS).where(same))
    return connection.execute(INSERT_TRANSCRIPT[connection.dialect.name], values).rowcount


def entry_values(table: str, number: int, at: float, data: bytes) -> Values:
    return {"table_id": table, "number": number, "at": at, "data": data.decode()}


def bytes_in(data: object) -> bytes:
    """The bytes of a text or blob; in SQLite a damaged column may have any type."""
    if isinstance(data, str):
        return data.encode(errors="surrogateescape")
    return data if isinstance(data, bytes) else b""


def count_in(number: object) -> int:
    """The number; 0 if it is damaged."""
    return number if isinstance(number, int) else 0


def summaries_from(rows: Iterable[Any]) -> list[Summary]:
    """The tables of these rows; damaged ones are left out, so that they do not keep the others from being listed."""
    return [found for row in rows if (found := summary_from(row)) is not None]


def summary_from(row: Any) -> Summary | None:
    try:
        summary = msgspec.convert({str(name): value for name, value in row._asdict().items()}, Summary)
        msgspec.json.encode(summary)  # fails for a text that was not UTF-8
        return summary
    except (msgspec.MsgspecError, UnicodeError) as error:
        LOG.warning("the row of a table is damaged", extra={"table": repr(row.id), "error": str(error)})
        return None


def chunks(tables: list[str]) -> Iterable[list[str]]:
    return (tables[start : start + CHUNK] for start in range(0, len(tables), CHUNK))
