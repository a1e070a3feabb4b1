"""Migrations of the database."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text

from fuda.engine.errors import Error

FOLDER: Final = Path(__file__).parent
TABLE: Final = "alembic_version"
"""Where Alembic writes the newest migration of the database."""
LOCK: Final = 0x66756461
"""The number of our advisory lock in PostgreSQL: "fuda"."""

ONE_AT_A_TIME: Final = threading.Lock()
"""Alembic's context is global."""


def upgrade(connection: Connection, to: str = "head") -> None:
    """Runs the missing migrations in the transaction of this connection."""
    lock(connection)
    if not is_current(connection):
        run_missing(connection, to)


def lock(connection: Connection) -> None:
    """If several processes start at once, the others wait until the first is done. SQLite locks by itself."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})


def is_current(connection: Connection) -> bool:
    """Whether all migrations have been run."""
    return current(connection) == known()[-1]


def current(connection: Connection) -> str | None:
    """The newest migration of this database; None if it has none of our tables."""
    if not inspect(connection).has_table(TABLE):
        return None
    return ", ".join(connection.scalars(text(f"SELECT version_num FROM {TABLE}"))) or None  # noqa: S608 - our own constant


def known() -> list[str]:
    """All migrations, in order."""
    return sorted(path.name.partition("_")[0].removeprefix("v") for path in (FOLDER / "versions").glob("v*.py"))


def must_be_known(migration: str, what: str) -> None:
    """Refuses what is newer than this version of Fuda."""
    if migration not in known():
        raise Error(
            f"{what} was changed by a newer version of Fuda: it is at migration {migration}, "
            f"and this version knows migrations up to {known()[-1]}. Install a newer Fuda."
        )


def run_missing(connection: Connection, to: str) -> None:
    if migration := current(connection):
        must_be_known(migration, "The database")
    # Importing Alembic takes a third of the time in which a server starts, and is needed only here.
    import alembic.command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    with ONE_AT_A_TIME:
        alembic.command.upgrade(config, to)
