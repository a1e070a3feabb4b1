"""Databases of every version are migrated with all their data."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

import fuda
from fuda.server import migrations
from fuda.server.database import database_url, make_file, writing_engine
from fuda.server.schema_tables import METADATA
from fuda.server.store import Store
from tests.server.stores import PLAYED, summary, with_store

STEPS = [script.revision for script in ScriptDirectory(str(migrations.FOLDER)).walk_revisions()][::-1]


@contextmanager
def connected(url: str) -> Iterator[Connection]:
    """A transaction as the migrations have it."""
    where = database_url(url)
    if url.startswith("sqlite"):
        make_file(where)
    engine = writing_engine(where, migrating=True)
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


def fill_the_first_version(connection: Connection) -> None:
    """Rows as the first version had them; this never changes."""
    connection.execute(
        text(
            "INSERT INTO tables (id, game, phase, host, public, people, open, players, pace, opened, changed) "
            "VALUES ('t', 'hanafuda', 'playing', 'Ann', true, 1, 0, 4, 'normal', 1.5, 2.5)"
        )
    )
    connection.execute(
        text("INSERT INTO entries (table_id, number, at, data) VALUES ('t', 1, 1.5, '{\"kind\":\"starting\"}')")
    )


def test_the_steps_are_one_line_of_numbers() -> None:
    assert [f"{number:04}" for number in range(1, len(STEPS) + 1)] == STEPS
    for step in STEPS:
        assert [*(migrations.FOLDER / "versions").glob(f"v{step}_*.py")]


def test_a_database_of_the_first_version_is_brought_up_to_date_step_by_step(database: str) -> None:
    for step in STEPS:
        with connected(database) as connection:
            migrations.upgrade(connection, step)
            assert MigrationContext.configure(connection).get_current_revision() == step
            if step == STEPS[0]:
                fill_the_first_version(connection)

    async def do(store: Store) -> None:
        (one,) = await store.summaries()
        assert (one.id, one.game, one.phase, one.host, one.public) == ("t", "hanafuda", "playing", "Ann", True)
        assert (one.people, one.open, one.players, one.pace, one.opened, one.changed) == (1, 0, 4, "normal", 1.5, 2.5)
        (row,) = await store.entries("t")
        assert (row.number, row.at, row.data) == (1, 1.5, b'{"kind":"starting"}')
        assert await store.append("t", 2, 3.0, PLAYED)

    with_store(database, do)


def test_the_steps_lead_to_the_tables_that_the_server_uses(database: str) -> None:
    with connected(database) as connection:
        migrations.upgrade(connection)
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, METADATA) == []
        (key,) = inspect(connection).get_foreign_keys("entries")
        assert key["options"] == {"ondelete": "CASCADE"}


def test_a_step_that_fails_changes_nothing(database: str) -> None:
    def upgrade_and_fail() -> None:
        with connected(database) as connection:
            migrations.upgrade(connection)
            assert inspect(connection).has_table("entries")
            raise RuntimeError("the power is gone")

    with pytest.raises(RuntimeError):
        upgrade_and_fail()
    with connected(database) as connection:
        assert inspect(connection).get_table_names() == []


def test_a_database_of_a_newer_fuda_is_left_alone(database: str) -> None:
    async def nothing(store: Store) -> None:
        await store.create(summary("t"), [(1.0, PLAYED)])

    with_store(database, nothing)
    with connected(database) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(
        fuda.Error, match=f"changed by a newer version of Fuda: it is at migration 9999, .* up to {STEPS[-1]}"
    ):
        asyncio.run(Store.opened(database))
    with connected(database) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :step"), {"step": STEPS[-1]})
    with_store(database, lambda store: store.ping())


def test_several_processes_may_start_at_once(database: str) -> None:
    program = (
        "import asyncio, sys\n"
        "from fuda.server.store import Store\n"
        "async def start():\n"
        "    store = await Store.opened(sys.argv[1])\n"
        "    await store.close()\n"
        "asyncio.run(start())\n"
    )
    arguments = [sys.executable, "-W", "error", "-c", program, database]
    starting = [subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    for process in starting:
        _, wrong = process.communicate()
        assert process.returncode == 0, wrong
    with_store(database, lambda store: store.ping())


def test_several_stores_of_one_process_may_be_opened_at_once(database: str) -> None:
    async def start() -> None:
        stores = await asyncio.gather(*(Store.opened(database) for _ in range(4)))
        for store in stores:
            await store.close()

    asyncio.run(start())
