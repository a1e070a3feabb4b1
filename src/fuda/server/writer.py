"""The one thread that writes to the database: whatever waits goes into one transaction."""

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

MOST_AT_ONCE: Final = 256
"""So many writes go into one transaction at most."""

PATIENCE: Final = (0.05, 0.25, 1.0, 2.0)
"""The seconds between attempts where PostgreSQL does not answer: it may just be starting again."""

LOST: Final = (OperationalError, InterfaceError)

ADD_PLAINLY: Final = insert(ENTRIES)
ADD_TABLES: Final[dict[str, Executable]] = {
    "sqlite": sqlite.insert(TABLES).on_conflict_do_nothing().returning(TABLES.c.id),
    "postgresql": postgresql.insert(TABLES).on_conflict_do_nothing().returning(TABLES.c.id),
}
ADD_ENTRIES: Final[dict[str, Executable]] = {
    "sqlite": sqlite.insert(ENTRIES).on_conflict_do_nothing().returning(ENTRIES.c.table_id, ENTRIES.c.number),
    "postgresql": postgresql.insert(ENTRIES).on_conflict_do_nothing().returning(ENTRIES.c.table_id, ENTRIES.c.number),
}
CHANGE_TABLES: Final = update(TABLES).where(TABLES.c.id == bindparam("row"))


class Write:
    """Entries of one table that go in together or not at all, and its row if that is new or changes with them."""

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
    """Something else to be done in a transaction of its own; done twice, it does no harm."""

    def __init__(self, run: Callable[[Connection], int], done: asyncio.Future[int]) -> None:
        self.run = run
        self.done = done


class Writer:
    """Carries out writes in the order in which they come, many in one transaction, and says of each whether it got in."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.connection: Connection | None = None
        self.loop = asyncio.get_running_loop()
        self.queue: SimpleQueue[Write | Work | None] = SimpleQueue()
        # A thread that waits for a database which does not answer must not keep the process from ending.
        self.thread = Thread(target=self.write_on, name="fuda-writer", daemon=True)
        self.thread.start()

    def put(self, job: Write | Work) -> None:
        self.queue.put(job)

    async def close(self) -> None:
        """Finishes what is queued."""
        self.queue.put(None)
        await asyncio.to_thread(self.thread.join)

    # In the thread ------------------------------------------------------------------------------------

    def write_on(self) -> None:
        more = True
        while more:
            jobs = [self.queue.get()]
            while len(jobs) < MOST_AT_ONCE and not self.queue.empty():
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
            # What the database refuses of one must not take the others along.
            if len(writes) > 1:
                for write in writes:
                    self.write([write])
            elif isinstance(error, IntegrityError):
                self.tell(futures, Error(f"There is no table {writes[0].entries[0]['table_id']} any more."))
            else:
                self.tell(futures, error)
        except Exception as error:
            self.tell(futures, error)

    def written(self, writes: list[Write]) -> list[bool]:
        """In a file takes it that every place is free, as it nearly always is; if one is not, looks closer."""
        if self.engine.dialect.name == "sqlite" and not any(write.opened for write in writes):
            with contextlib.suppress(IntegrityError):
                return self.patiently(lambda connection, _: write_plainly(connection, writes))
        return self.patiently(lambda connection, again: write_all(connection, writes, again))

    def work(self, job: Work) -> None:
        try:
            self.tell([job.done], [self.patiently(lambda connection, _: job.run(connection))])
        except Exception as error:
            self.tell([job.done], error)

    def patiently(self, run: Callable[[Connection, bool], T]) -> T:
        """Runs it in a transaction; and again, saying so, if it is unknown whether that was committed."""
        pauses = iter(() if self.engine.dialect.name == "sqlite" else PATIENCE)
        again = False
        while True:
            try:
                if self.connection is None:
                    self.connection = self.engine.connect()
                with self.connection.begin():
                    return run(self.connection, again)
            except LOST:
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
        with contextlib.suppress(RuntimeError):  # nobody is left to be told
            self.loop.call_soon_threadsafe(settle, futures, outcome)


def settle(futures: Sequence[asyncio.Future[T]], outcome: Sequence[T] | Exception) -> None:
    """Tells those who still wait."""
    for place, future in enumerate(futures):
        if future.done():
            continue
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome[place])


# In a transaction -------------------------------------------------------------------------------------


def write_plainly(connection: Connection, writes: list[Write]) -> list[bool]:
    """Writes all of it."""
    connection.execute(ADD_PLAINLY, [entry for write in writes for entry in write.entries])
    change_tables(connection, writes)
    return [True] * len(writes)


def write_all(connection: Connection, writes: list[Write], again: bool) -> list[bool]:
    """Writes what has a free place, the first come first, and says of each whether it is there."""
    kept = standing(connection, writes) if again else set()
    missing = [write for write in writes if write not in kept]
    opened = open_tables(connection, [write for write in missing if write.opened])
    first: dict[Key, tuple[Write, Values]] = {}
    for write in missing:
        if not write.opened or write in opened:
            for entry in write.entries:
                first.setdefault(key_of(entry), (write, entry))
    for table, number in add(connection, ADD_ENTRIES, [first[key][1] for key in sorted(first)]):
        kept.add(first[table, number][0])
    change_tables(connection, [write for write in missing if write in kept])
    return [write in kept for write in writes]


def change_tables(connection: Connection, writes: list[Write]) -> None:
    """The rows of the tables; a later entry of the same table knows better."""
    changed = {write.changed["id"]: write.changed for write in writes if write.changed}
    if changed:
        connection.execute(CHANGE_TABLES, [{**changed[table], "row": table} for table in sorted(changed)])


def standing(connection: Connection, writes: list[Write]) -> set[Write]:
    """Those that an earlier attempt has committed after all, though its answer was lost."""
    wanted = [key_of(entry) for write in writes for entry in write.entries]
    columns = (ENTRIES.c.table_id, ENTRIES.c.number, ENTRIES.c.at, ENTRIES.c.data)
    here = select(*columns).where(tuple_(ENTRIES.c.table_id, ENTRIES.c.number).in_(wanted))
    found = {tuple(row) for row in connection.execute(here)}
    return {write for write in writes if all(tuple(entry.values()) in found for entry in write.entries)}


def open_tables(connection: Connection, writes: list[Write]) -> set[Write]:
    """The new tables among these, without those whose id another table has."""
    first: dict[str, tuple[Write, Values]] = {}
    for write in writes:
        if write.opened:
            first.setdefault(write.opened["id"], (write, write.opened))
    return {first[table][0] for (table,) in add(connection, ADD_TABLES, [first[table][1] for table in sorted(first)])}


def add(connection: Connection, insert: dict[str, Executable], rows: list[Values]) -> list[Any]:
    """Inserts the rows whose place is free, in one order everywhere, so that no two processes wait for each other."""
    return list(connection.execute(insert[connection.dialect.name], rows)) if rows else []


def key_of(entry: Values) -> Key:
    return entry["table_id"], entry["number"]
