"""`/healthz` says whether the database can be read and written, without writing more often than necessary."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest

from fuda.server import health
from fuda.server.store import Store
from tests.server.processes import ServerProcess
from tests.server.services import Postgres
from tests.server.serving import Running, served, serving
from tests.server.stores import PLAYED, summary, with_store


@pytest.fixture
def is_impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "FRESH_SECONDS", 0.0)
    monkeypatch.setattr(health, "PATIENCE", 0.5)


async def status(running: Running) -> int:
    return (await running.get("/healthz")).status_code


async def until_status(running: Running, wanted: int) -> None:
    async with asyncio.timeout(30):
        while await status(running) != wanted:
            await asyncio.sleep(0.1)


@served()
async def test_a_server_whose_database_can_be_written_is_well(running: Running) -> None:
    response = await running.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


@pytest.mark.usefixtures("is_impatient")
@served()
async def test_a_server_whose_database_is_locked_is_not_well_until_the_lock_is_gone(running: Running) -> None:
    with contextlib.closing(sqlite3.connect(running.server.settings.db, isolation_level=None)) as other:
        await until_status(running, 200)
        other.execute("BEGIN IMMEDIATE")
        assert (await running.get("/api/tables")).status_code == 200, "it can be read all the same"
        response = await running.get("/healthz")
        assert (response.status_code, response.json()) == (503, {"status": "the database cannot be read or written"})
        other.execute("ROLLBACK")
        await until_status(running, 200)


def http_status(server: ServerProcess) -> int:
    return httpx2.get(f"{server.address}/healthz", timeout=20, trust_env=False).status_code


def test_a_server_whose_disk_is_full_is_not_well_until_there_is_room(tmp_path: Path) -> None:
    async def do() -> None:
        async with ServerProcess(tmp_path, "--db", str(tmp_path / "fuda.db"), "--workers", "1") as server:
            assert await asyncio.to_thread(http_status, server) == 200
            before = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
            for limits, wanted in (((1, before[1]), 503), (before, 200)):
                resource.prlimit(server.pid, resource.RLIMIT_FSIZE, limits)
                await asyncio.sleep(health.FRESH_SECONDS)
                assert await asyncio.to_thread(http_status, server) == wanted

    asyncio.run(do())


@pytest.mark.usefixtures("is_impatient")
def test_a_server_whose_postgresql_only_reads_is_not_well(postgres: Postgres) -> None:
    async def do() -> None:
        url = postgres.new_database()
        async with serving(db=url, may_fail=True) as running:
            await until_status(running, 200)
            postgres.execute(f"ALTER DATABASE {url.rpartition('/')[2]} SET default_transaction_read_only = on")
            postgres.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fuda'")
            await until_status(running, 503)

    asyncio.run(do())


@pytest.mark.usefixtures("is_impatient")
@served(may_fail=True)
async def test_a_server_whose_database_is_closed_is_not_well(running: Running) -> None:
    running.server.hall.store.closed = True
    assert await status(running) == 503
    running.server.hall.store.closed = False


@served()
async def test_however_often_somebody_asks_the_disk_is_written_to_once_in_a_while(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    ping = Store.ping
    pings = 0

    async def counted(store: Store) -> None:
        nonlocal pings
        pings += 1
        await ping(store)

    monkeypatch.setattr(Store, "ping", counted)
    assert {*await asyncio.gather(*(status(running) for _ in range(50)))} == {200}
    assert await status(running) == 200
    assert pings == 1
    running.server.health.begun -= health.FRESH_SECONDS
    assert await status(running) == 200
    assert pings == 2


@contextlib.asynccontextmanager
async def stuck(running: Running, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[asyncio.Event]]:
    """A database that does not answer, with all who wait for it."""
    waiting: list[asyncio.Event] = []

    async def wait(_: Store) -> None:
        waiting.append(asyncio.Event())
        await waiting[-1].wait()

    with monkeypatch.context() as patched:
        patched.setattr(Store, "ping", wait)
        yield waiting
    for one in waiting:
        one.set()


@pytest.mark.usefixtures("is_impatient")
@served()
async def test_while_the_database_does_not_answer_no_more_writes_are_queued(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with stuck(running, monkeypatch) as waiting:
        for _ in range(3):
            assert await status(running) == 503
        assert len(waiting) == 1
    await until_status(running, 200)


def test_a_check_leaves_nothing_behind(database: str) -> None:
    async def do(store: Store) -> None:
        await store.create(summary("t"), [(1.0, PLAYED)])
        for _ in range(3):
            await store.ping()
        assert [one.id for one in await store.summaries()] == ["t"]

    with_store(database, do)
