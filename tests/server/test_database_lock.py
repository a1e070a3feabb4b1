"""Two servers use one database only if they have the same bus."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import text

import fuda
from fuda.server import database_lock
from fuda.server.bus import address_of
from fuda.server.database import database_url
from fuda.server.database_lock import DatabaseLock, FileLock, SessionLock, lock_of
from tests.server.processes import ServerProcess
from tests.server.services import Postgres


@pytest.fixture(autouse=True)
def is_impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_lock, "PATIENCE", 0.3)
    monkeypatch.setattr(database_lock, "CHECK_SECONDS", 0.1)


@contextmanager
def held(database: str, bus: str = "") -> Iterator[DatabaseLock]:
    lock = lock_of(database_url(database), bus)
    lock.must_take()
    try:
        yield lock
    finally:
        lock.release()


def is_free_for(database: str, bus: str = "") -> bool:
    lock = lock_of(database_url(database), bus)
    try:
        return lock.take()
    finally:
        lock.release()


def test_without_a_bus_a_server_is_alone(database: str) -> None:
    with held(database):
        with pytest.raises(fuda.Error, match=r"^Another server uses the database .*: stop it first, or .* same --bus\.$"):
            lock_of(database_url(database)).must_take()
        assert not is_free_for(database, "bus:1")
    assert is_free_for(database)


def test_servers_with_the_same_bus_share_a_database_and_no_others_do(database: str) -> None:
    with held(database, "bus:1"):
        with held(database, "bus:1"):
            assert not is_free_for(database)
            assert not is_free_for(database, "bus:2")
        assert is_free_for(database, "bus:1")
        assert not is_free_for(database, "bus:2")
    assert is_free_for(database, "bus:2")


def test_another_bus_can_be_used_after_all_servers_were_stopped(database: str) -> None:
    for bus in ("bus:1", "bus:2", "", "bus:1"):
        assert is_free_for(database, bus)


def test_databases_are_locked_one_by_one(tmp_path: Path, postgres: Postgres) -> None:
    with held(str(tmp_path / "a.db")), held(postgres.new_database()):
        assert is_free_for(str(tmp_path / "b.db"))
        assert is_free_for(postgres.new_database())


def test_another_name_of_the_file_is_the_same_database(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "fuda.db")
    with held(str(tmp_path / "fuda.db")):
        assert not is_free_for(str(tmp_path / "link.db"))


def test_a_file_that_was_deleted_locks_nobody_out(tmp_path: Path) -> None:
    with held(str(tmp_path / "fuda.db")) as first:
        assert isinstance(first, FileLock)
        first.path.unlink()
        with held(str(tmp_path / "fuda.db")):
            assert first.handle is not None
            assert not first.is_there(first.handle)


def test_a_lock_that_is_about_to_be_released_is_waited_for(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_lock, "PATIENCE", 20.0)

    async def do() -> None:
        first, second = (lock_of(database_url(database)) for _ in range(2))
        assert first.take()
        waiting = asyncio.create_task(asyncio.to_thread(second.take))
        await asyncio.sleep(0.3)
        assert not waiting.done()
        first.release()
        assert await waiting
        second.release()

    asyncio.run(do())


@pytest.mark.parametrize(
    ("url", "address"),
    [
        (None, ""),
        ("redis://", "localhost:6379"),
        ("redis://bus", "bus:6379"),
        ("valkey://fuda:secret@bus:6379/0", "bus:6379"),
        ("rediss://BUS:1/7?health_check_interval=2", "bus:1"),
    ],
)
def test_a_bus_is_the_same_whatever_its_database_user_and_password_are(url: str | None, address: str) -> None:
    assert address_of(url) == address


# PostgreSQL ---------------------------------------------------------------------------------------


def end_sessions(postgres: Postgres) -> None:
    postgres.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fuda'")


def session_lock(postgres: Postgres) -> SessionLock:
    lock = lock_of(database_url(postgres.new_database()))
    assert isinstance(lock, SessionLock)
    assert lock.take()
    return lock


def until_retaken(lock: SessionLock, before: object) -> None:
    until = time.monotonic() + 20.0
    while lock.session == before or lock.connection is None:
        assert time.monotonic() < until, "the lock is not taken again"
        time.sleep(0.05)


def test_a_lost_lock_is_taken_again(postgres: Postgres) -> None:
    lock = session_lock(postgres)
    taken: list[bool] = []
    lock.watch(lambda: taken.append(True))
    before = lock.session
    end_sessions(postgres)
    until_retaken(lock, before)
    assert not is_free_for(lock.url.render_as_string(hide_password=False))
    before = lock.session
    postgres.stop()
    time.sleep(0.5)
    postgres.start()
    until_retaken(lock, before)
    assert not is_free_for(lock.url.render_as_string(hide_password=False))
    lock.release()
    assert taken == []


def test_a_session_that_postgresql_has_not_missed_yet_does_not_lock_its_own_server_out(postgres: Postgres) -> None:
    lock = session_lock(postgres)
    cut = lock.connection
    assert cut is not None
    lock.connection = None
    assert lock.take()
    with pytest.raises(Exception, match="terminat"):
        cut.execute(text("SELECT 1"))
    cut.invalidate()
    cut.close()
    lock.release()


def test_who_finds_the_lost_lock_taken_by_somebody_else_is_told(postgres: Postgres) -> None:
    lock = session_lock(postgres)
    other = lock_of(lock.url)
    taken: list[bool] = []
    end_sessions(postgres)
    assert other.take()
    lock.watch(lambda: taken.append(True))
    assert lock.watching is not None
    lock.watching.join(20.0)
    assert taken == [True]
    lock.release()
    other.release()


# The command --------------------------------------------------------------------------------------


def serve(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fuda", "serve", "--port", "0", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=os.environ)


def test_a_second_server_without_a_bus_is_refused_until_the_first_has_ended(database: str, tmp_path: Path) -> None:
    async def do() -> None:
        async with ServerProcess(tmp_path, "--db", database, "--workers", "1") as first:
            refused = await asyncio.to_thread(serve, "--db", database)
            assert refused.returncode == 2
            assert len(refused.stderr.splitlines()) == 1
            assert refused.stderr.startswith("Another server uses the database ")
            assert refused.stdout == ""
            listed = subprocess.run(
                [sys.executable, "-m", "fuda", "admin", "--db", database, "list"], capture_output=True, text=True, check=True
            )
            assert "table" in listed.stdout, "the operator's commands work meanwhile"
            await first.kill()
            await first.start()

    asyncio.run(do())


def test_servers_with_a_bus_are_refused_where_the_other_has_none_or_another_one(
    postgres: Postgres, redis_url: str, tmp_path: Path
) -> None:
    async def do() -> None:
        database = postgres.new_database()
        options = ("--db", database, "--bus", redis_url, "--workers", "1")
        async with ServerProcess(tmp_path, *options, name="one"), ServerProcess(tmp_path, *options, name="two"):
            for bus in ([], ["--bus", redis_url.replace("127.0.0.1", "localhost")]):
                refused = await asyncio.to_thread(serve, "--db", database, *bus)
                assert refused.returncode == 2
                assert refused.stderr.startswith("Another server uses the database ")

    asyncio.run(do())


def test_a_server_stops_when_another_has_taken_its_database(postgres: Postgres, tmp_path: Path) -> None:
    async def do() -> None:
        database = postgres.new_database()
        async with ServerProcess(tmp_path, "--db", database, "--workers", "1") as server:
            other = lock_of(database_url(database))
            end_sessions(postgres)
            assert other.take()
            assert server.process is not None
            async with asyncio.timeout(60):
                assert await server.process.wait() == 2
            other.release()
            logged = [json.loads(line) for line in server.lines() if line.startswith("{")]
            assert [line["message"] for line in logged if line["level"] == "error"] == ["the server stops"]
            assert server.lines()[-1].startswith("Another server uses the database ")
            server.process = None

    asyncio.run(do())
