"""The thread that writes to the database: all writes that wait go into one transaction."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine, Executable, bindparam, insert, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DataError, IntegrityError, InterfaceError, OperationalError

from fuda.engine.errors import Error
from fuda.server.schema_tables import ENTRIES, TABLES

T = TypeVar("T")
Values = dict[str, Any]
Key = tuple[str, int]

MOST_WRITES: Final = 256
"""The most writes in one transaction."""

RETRY_PAUSES: Final = (0.05, 0.25, 1.0, 2.0)
"""The seconds between attempts if PostgreSQL does not answer: it may be restarting."""

CONNECTION_LOST: Final = (OperationalError, InterfaceError)

INSERT_ENTRIES: Final = insert(ENTRIES)
INSERT_FREE_TABLES: Final[dict[str, Executable]] = {
    "sqlite": sqlite.insert(TABLES).on_conflict_do_nothing().returning(TABLES.c.id),
    "postgresql": postgresql.insert(TABLES).on_conflict_do_nothing().returning(TABLES.c.id),
}
INSERT_FREE_ENTRIES: Final[dict[str, Executable]] = {
    "sqlite": sqlite.insert(ENTRIES).on_conflict_do_nothing().returning(ENTRIES.c.table_id, ENTRIES.c.number),
    "postgresql": postgresql.insert(ENTRIES).on_conflict_do_nothing().returning(ENTRIES.c.table_id, ENTRIES.c.number),
}
UPDATE_TABLES: Final = update(TABLES).where(TABLES.c.id == bindparam("row"))


class NoTable(Error):
    """The table of an entry was deleted."""


class Write:
    """Entries of one table that are written together or not at all, with the table's row if that is new or changes."""

    def __init__(
        self,
        entries: list[Values],
        done: asyncio.Future[bool],
        *,
        opened: Values | None = None,
        changed: Values | None = None,
    ) -> None:
        self.entries = entries
        self.done = done
        self.opened = opened
        self.changed = changed


class Work:
    """Other work in a transaction of its own; it must be safe to repeat."""

    def __init__(self, run: Callable[[Connection], int], done: asyncio.Future[int]) -> None:
        self.run = run
        self.done = done


class Writer:
    """Carries out writes in order, many in one transaction, and tells of each whether it was written."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.connection: Connection | None = None
        self.loop = asyncio.get_running_loop()
        self.queue: SimpleQueue[Write | Work | None] = SimpleQueue()
        # A daemon, so that a database that does not answer cannot keep the process from ending.
        self.thread = Thread(target=self.run, name="fuda-writer", daemon=True)
        self.thread.start()

    def put(self, job: Write | Work) -> None:
        self.queue.put(job)

    async def close(self) -> None:
        """Finishes the writes that are queued."""
        self.queue.put(None)
        await asyncio.to_thread(self.thread.join)

    # In the thread ------------------------------------------------------------------------------------

    def run(self) -> None:
        more = True
        while more:
            jobs = [self.queue.get()]
            while len(jobs) < MOST_WRITES and not self.queue.empty():
                jobs.append(self.queue.get())
            more = None not in jobs
            if writes := [job for job in jobs if isinstance(job, Write)]:
                self.write(writes)
            for job in jobs:
                if isinstance(job, Work):
                    self.work(job)
        self.disconnect()
        self.engine.dispose()

    def write(self, writes: list[Write]) -> None:
        futures = [write.done for write in writes]
        try:
            self.tell(futures, self.written(writes))
        except (IntegrityError, DataError) as error:
            # An error of one write must not fail the others.
            if len(writes) > 1:
                for write in writes:
                    self.write([write])
            elif isinstance(error, IntegrityError):
                self.tell(futures, NoTable(f"There is no table {writes[0].entries[0]['table_id']} any more."))
            else:
                self.tell(futures, error)
        except Exception as error:
            self.tell(futures, error)

    def written(self, writes: list[Write]) -> list[bool]:
        """In SQLite, first assumes that all numbers are free, as they nearly always are."""
        if self.engine.dialect.name == "sqlite" and not any(write.opened for write in writes):
            with contextlib.suppress(IntegrityError):
                return self.with_retries(lambda connection, _: write_assuming_free(connection, writes))
        return self.with_retries(lambda connection, again: write_all(connection, writes, again))

    def work(self, job: Work) -> None:
        try:
            self.tell([job.done], [self.with_retries(lambda connection, _: job.run(connection))])
        except Exception as error:
            self.tell([job.done], error)

    def with_retries(self, run: Callable[[Connection, bool], T]) -> T:
        """Runs it in a transaction; again, with `again` set, if it is unknown whether that was committed."""
        pauses = iter(() if self.engine.dialect.name == "sqlite" else RETRY_PAUSES)
        again = False
        while True:
            try:
                if self.connection is None:
                    self.connection = self.engine.connect()
                with self.connection.begin():
                    return run(self.connection, again)
            except CONNECTION_LOST:
                self.disconnect()
                pause = next(pauses, None)
                if pause is None:
                    raise
            time.sleep(pause)
            again = True

    def disconnect(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    def tell(self, futures: Sequence[asyncio.Future[T]], outcome: Sequence[T] | Exception) -> None:
        with contextlib.suppress(RuntimeError):  # the event loop has ended
            self.loop.call_soon_threadsafe(settle, futures, outcome)


def settle(futures: Sequence[asyncio.Future[T]], outcome: Sequence[T] | Exception) -> None:
    for at, future in enumerate(futures):
        if future.done():
            continue
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome[at])


# In a transaction -------------------------------------------------------------------------------------


def write_assuming_free(connection: Connection, writes: list[Write]) -> list[bool]:
    connection.execute(INSERT_ENTRIES, [entry for write in writes for entry in write.entries])
    change_tables(connection, writes)
    return [True] * len(writes)


def write_all(connection: Connection, writes: list[Write], again: bool) -> list[bool]:
    """Writes the entries whose numbers are free, in order, and tells of each write whether it is there."""
    kept = already_written(connection, writes) if again else set()
    missing = [write for write in writes if write not in kept]
    opened = open_tables(connection, [write for write in missing if write.opened])
    first: dict[Key, tuple[Write, Values]] = {}
    for write in missing:
        if not write.opened or write in opened:
            for entry in write.entries:
                first.setdefault(key_of(entry), (write, entry))
    for table, number in insert_free(connection, INSERT_FREE_ENTRIES, [first[key][1] for key in sorted(first)]):
        kept.add(first[table, number][0])
    change_tables(connection, [write for write in missing if write in kept])
    return [write in kept for write in writes]


def change_tables(connection: Connection, writes: list[Write]) -> None:
    """Updates the rows of the tables; the last write of a table counts."""
    changed = {write.changed["id"]: write.changed for write in writes if write.changed}
    if changed:
        connection.execute(UPDATE_TABLES, [{**changed[table], "row": table} for table in sorted(changed)])


def already_written(connection: Connection, writes: list[Write]) -> set[Write]:
    """The writes that an earlier attempt has committed although its answer was lost."""
    wanted = [key_of(entry) for write in writes for entry in write.entries]
    columns = (ENTRIES.c.table_id, ENTRIES.c.number, ENTRIES.c.at, ENTRIES.c.data)
    here = select(*columns).where(tuple_(ENTRIES.c.table_id, ENTRIES.c.number).in_(wanted))
    found = {tuple(row) for row in connection.execute(here)}
    return {write for write in writes if all(tuple(entry.values()) in found for entry in write.entries)}


def open_tables(connection: Connection, writes: list[Write]) -> set[Write]:
    """Inserts the new tables; those whose id is taken are left out."""
    first: dict[str, tuple[Write, Values]] = {}
    for write in writes:
        if write.opened:
            first.setdefault(write.opened["id"], (write, write.opened))
    return {
        first[table][0]
        for (table,) in insert_free(connection, INSERT_FREE_TABLES, [first[table][1] for table in sorted(first)])
    }


def insert_free(connection: Connection, insert: dict[str, Executable], rows: list[Values]) -> list[Any]:
    """Inserts the rows whose keys are free; they are sorted, so that two processes cannot deadlock."""
    return list(connection.execute(insert[connection.dialect.name], rows)) if rows else []


def key_of(entry: Values) -> Key:
    return entry["table_id"], entry["number"]
