"""Database addresses and connections: SQLite in a file, or PostgreSQL."""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from fuda.engine.errors import Error

BUSY_SECONDS: Final = 10.0
"""How long a process waits for another one that writes to the same file."""

READERS: Final = 4
"""The number of connections that read."""

POSTGRES_OPTIONS: Final = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
    "application_name": "fuda",
}
"""The loss of a PostgreSQL server is noticed within seconds."""


def database_url(text: str) -> URL:
    """The database of this address: `sqlite:///path`, a plain path, or `postgresql://…`."""
    if "://" not in text:
        return file_url(text)
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise Error("The database address is not valid; expected sqlite:///path or postgresql://….") from None
    kind = url.drivername.partition("+")[0]
    if kind == "sqlite":
        return file_url(url.database or "")
    if kind in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    raise Error(f"{kind} databases are not supported; expected sqlite:///path or postgresql://….")


def file_url(path: str) -> URL:
    if not path.strip() or path.startswith(":memory:") or "\0" in path:
        raise Error("The database needs a file, such as sqlite:///fuda.db.")
    return URL.create("sqlite+pysqlite", database=str(Path(path).expanduser().absolute()))


def shown(url: URL) -> str:
    """The address without its password."""
    return str(url.database) if is_file(url) else url.set(drivername="postgresql").render_as_string()


def is_file(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def make_file(url: URL) -> None:
    """Creates the file, readable by nobody else, as it holds the secrets of running games."""
    path = Path(str(url.database))
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except FileExistsError:
        raise Error(f"The database {path} cannot be opened: {path.parent} is not a folder.") from None
    except OSError as error:
        raise Error(f"The database {path} cannot be opened: {error.strerror}.") from None


@contextlib.contextmanager
def opening(url: URL) -> Iterator[None]:
    """Makes an error of the database one sentence."""
    try:
        yield
    except SQLAlchemyError as error:
        said = str(getattr(error, "orig", None) or error).strip().splitlines()
        raise Error(f"The database {shown(url)} cannot be opened: {said[0] if said else type(error).__name__}") from error


def writing_engine(url: URL, *, migrating: bool = False) -> Engine:
    """One connection; a commit returns when it is on the disk."""
    if is_file(url):
        engine = create_engine(
            url, pool_size=1, max_overflow=0, hide_parameters=True, connect_args={"timeout": BUSY_SECONDS}
        )
        event.listen(engine, "connect", prepare_migrating if migrating else prepare_writing)
        if migrating:
            event.listen(engine, "begin", begin_migrating)
        return engine
    check_driver()
    engine = create_engine(url, pool_size=1, max_overflow=0, hide_parameters=True, connect_args=postgres_arguments(url))
    event.listen(engine, "connect", prepare_postgres)
    return engine


def reading_engine(url: URL) -> AsyncEngine:
    if is_file(url):
        url = url.set(drivername="sqlite+aiosqlite")
        arguments: dict[str, Any] = {"timeout": BUSY_SECONDS}
    else:
        check_driver()
        arguments = postgres_arguments(url)
    engine = create_async_engine(
        url,
        pool_size=READERS,
        max_overflow=0,
        # PostgreSQL may have been restarted since a connection was last used.
        pool_pre_ping=not is_file(url),
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
        connect_args=arguments,
    )
    if is_file(url):
        event.listen(engine.sync_engine, "connect", prepare_reading)
    return engine


def snapshot_engine(url: URL) -> Engine:
    """One connection whose transactions see the database as it was when they began; they do not keep others from writing."""
    if is_file(url):
        engine = create_engine(url, pool_size=1, max_overflow=0, connect_args={"timeout": BUSY_SECONDS})
        event.listen(engine, "connect", prepare_snapshot)
        event.listen(engine, "begin", begin_snapshot)
        return engine
    check_driver()
    return create_engine(
        url, pool_size=1, max_overflow=0, isolation_level="REPEATABLE READ", connect_args=postgres_arguments(url)
    )


def postgres_arguments(url: URL) -> dict[str, Any]:
    """Options in the address take precedence."""
    return {name: value for name, value in POSTGRES_OPTIONS.items() if name not in url.query}


def check_driver() -> None:
    try:
        importlib.import_module("psycopg")
    except ImportError:
        raise Error("PostgreSQL needs the package psycopg; install it with: pip install 'fuda[cluster]'") from None


def prepare_reading(connection: Any, _: object) -> None:
    # A text that is not UTF-8 must not fail the rows of other tables.
    connection.driver_connection.text_factory = lambda text: text.decode(errors="surrogateescape")


def prepare_writing(connection: Any, _: object) -> None:
    # Take the write lock at the beginning: in the middle of a transaction SQLite would fail instead of waiting.
    connection.isolation_level = "IMMEDIATE"
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def prepare_migrating(connection: Any, _: object) -> None:
    prepare_writing(connection, _)
    # A migration may replace a table, which must not delete the rows that refer to it.
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.isolation_level = None


def begin_migrating(connection: Connection) -> None:
    """Python's sqlite3 begins a transaction before changes of rows, but not of tables."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def prepare_snapshot(connection: Any, _: object) -> None:
    connection.isolation_level = None


def begin_snapshot(connection: Connection) -> None:
    """Python's sqlite3 does not begin a transaction for reading."""
    connection.exec_driver_sql("BEGIN")


def prepare_postgres(connection: Any, _: object) -> None:
    """Makes commits wait for the disk, even if the database is configured otherwise."""
    connection.execute(
        "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
    )
    connection.commit()
