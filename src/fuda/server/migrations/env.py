"""Alembic runs this file for every migration: it lends it our connection and what the tables are to be in the end."""

from __future__ import annotations

from alembic import context

from fuda.server.schema_tables import METADATA

# Both databases undo a change of tables that failed half-way; alembic does not know it of SQLite.
context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
