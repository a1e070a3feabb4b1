"""Migrations of the database."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text

from fuda.engine.errors import Error

FOLDER: Final = Path(__file__).parent
LOCK: Final = 0x66756461
"""The number of our advisory lock in PostgreSQL: "fuda"."""

ONE_AT_A_TIME: Final = threading.Lock()
"""Alembic's context is global."""


def upgrade(connection: Connection, to: str = "head") -> None:
    """Runs the missing migrations in the transaction of this connection."""
    # If several processes start at once, the others wait until the first is done. SQLite locks by itself.
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    if not is_current(connection):
        run_missing(connection, to)


def is_current(connection: Connection) -> bool:
    """Whether all migrations have been run."""
    if not inspect(connection).has_table("alembic_version"):
        return False
    newest = max(path.name for path in (FOLDER / "versions").glob("v*.py"))
    revision = newest.partition("_")[0].removeprefix("v")
    return connection.scalars(text("SELECT version_num FROM alembic_version")).all() == [revision]


def run_missing(connection: Connection, to: str) -> None:
    # Importing Alembic takes a third of the time in which a server starts, and is needed only here.
    import alembic.command
    from alembic.config import Config
    from alembic.migration import MigrationContext
    from alembic.script import ScriptDirectory

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    with ONE_AT_A_TIME:
        scripts = ScriptDirectory.from_config(config)
        known = {script.revision for script in scripts.walk_revisions()}
        if unknown := set(MigrationContext.configure(connection).get_current_heads()) - known:
            raise Error(
                f"The database was changed by a newer version of Fuda: it is at migration {', '.join(sorted(unknown))}, "
                f"and this version knows migrations up to {scripts.get_current_head()}. Install a newer Fuda."
            )
        alembic.command.upgrade(config, to)
