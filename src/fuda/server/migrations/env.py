"""Alembic runs this file to migrate: it gives Alembic our connection and the tables as they should be."""

from __future__ import annotations

from alembic import context

from fuda.server.schema_tables import METADATA

# Both databases can roll back changes of tables; Alembic assumes that SQLite cannot.
context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
