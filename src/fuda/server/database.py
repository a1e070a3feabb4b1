"""Which database is meant, and how it is connected to: SQLite in a file, or PostgreSQL."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from fuda.engine.errors import Error

BUSY_SECONDS: Final = 10.0
"""So long a process waits while another one writes to the same file."""

READERS: Final = 4
"""So many connections read at the same time."""

REMOTE: Final = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
    "application_name": "fuda",
}
"""A PostgreSQL that has vanished from the network is noticed within seconds."""


def database_url(text: str) -> URL:
    """The database of this address: `sqlite:///path`, a plain path, or `postgresql://…`."""
    if "://" not in text:
        return file_url(text)
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise Error("The address of the database cannot be read; expected sqlite:///path or postgresql://….") from None
    kind = url.drivername.partition("+")[0]
    if kind == "sqlite":
        return file_url(url.database or "")
    if kind in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    raise Error(f"Tables cannot be kept in {kind}; expected sqlite:///path or postgresql://….")


def file_url(path: str) -> URL:
    if not path.strip() or path.startswith(":memory:") or "\0" in path:
        raise Error("The database needs a file to keep the tables in, such as sqlite:///fuda.db.")
    return URL.create("sqlite+pysqlite", database=str(Path(path).expanduser().absolute()))


def shown(url: URL) -> str:
    """The address without its password."""
    return str(url.database) if is_file(url) else url.set(drivername="postgresql").render_as_string()


def is_file(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def make_file(url: URL) -> None:
    """Makes the file, readable by nobody else: what the luck of running games comes from is in it."""
    path = Path(str(url.database))
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise Error(f"The database {path} cannot be opened: {error.strerror}.") from None


def writing_engine(url: URL, *, migrating: bool = False) -> Engine:
    """One connection whose commits are on the disk when they return."""
    if is_file(url):
        engine = create_engine(
            url, pool_size=1, max_overflow=0, hide_parameters=True, connect_args={"timeout": BUSY_SECONDS}
        )
        event.listen(engine, "connect", prepare_migrating if migrating else prepare_writing)
        if migrating:
            event.listen(engine, "begin", begin_migrating)
        return engine
    with_driver()
    engine = create_engine(url, pool_size=1, max_overflow=0, hide_parameters=True, connect_args=remote_arguments(url))
    event.listen(engine, "connect", prepare_remote)
    return engine


def reading_engine(url: URL) -> AsyncEngine:
    if is_file(url):
        url = url.set(drivername="sqlite+aiosqlite")
        arguments: dict[str, Any] = {"timeout": BUSY_SECONDS}
    else:
        with_driver()
        arguments = remote_arguments(url)
    return create_async_engine(
        url,
        pool_size=READERS,
        max_overflow=0,
        # The database may have been restarted since a connection was last used; a file never is.
        pool_pre_ping=not is_file(url),
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
        connect_args=arguments,
    )


def remote_arguments(url: URL) -> dict[str, Any]:
    """What the address itself says goes first."""
    return {name: value for name, value in REMOTE.items() if name not in url.query}


def with_driver() -> None:
    try:
        importlib.import_module("psycopg")
    except ImportError:
        raise Error("PostgreSQL needs the package psycopg; install it with: pip install 'fuda[cluster]'") from None


def prepare_writing(connection: Any, _: object) -> None:
    # Whoever is about to write waits for its turn at once, not in the middle, where SQLite would give up instead.
    connection.isolation_level = "IMMEDIATE"
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def prepare_migrating(connection: Any, _: object) -> None:
    prepare_writing(connection, _)
    # A step may replace a table whole, and that must not take the rows that refer to it along.
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.isolation_level = None


def begin_migrating(connection: Connection) -> None:
    """Python's sqlite3 begins a transaction when rows change, but not when tables do."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def prepare_remote(connection: Any, _: object) -> None:
    """A commit means that it is on the disk, whatever is the custom of this database."""
    connection.execute(
        "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
    )
    connection.commit()
