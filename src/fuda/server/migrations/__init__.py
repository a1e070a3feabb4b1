"""Migrations of the database."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Final

import alembic.command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from fuda.engine.errors import Error

FOLDER: Final = Path(__file__).parent
LOCK: Final = 0x66756461
"""The number of our advisory lock in PostgreSQL: "fuda"."""

ONE_AT_A_TIME: Final = threading.Lock()
"""Alembic's context is global."""


def upgrade(connection: Connection, to: str = "head") -> None:
    """Runs the missing migrations in the transaction of this connection."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    # If several processes start at once, the others wait until the first is done. SQLite locks by itself.
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    with ONE_AT_A_TIME:
        scripts = ScriptDirectory.from_config(config)
        known = {script.revision for script in scripts.walk_revisions()}
        here = MigrationContext.configure(connection).get_current_heads()
        if unknown := set(here) - known:
            raise Error(
                f"The database was changed by a newer version of Fuda: it is at migration {', '.join(sorted(unknown))}, "
                f"and this version knows migrations up to {scripts.get_current_head()}. Install a newer Fuda."
            )
        if here != tuple(scripts.get_heads()):
            alembic.command.upgrade(config, to)
