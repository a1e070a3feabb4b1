"""Nothing acknowledged is lost while the disk is full, a database or the bus is away, or a process is frozen."""

from __future__ import annotations

import asyncio
import resource
import signal
import sqlite3
from pathlib import Path
from typing import Final

from tests.server.chaos import Chaos, Fault, survive
from tests.server.services import Postgres, Redis

LOCKED_SECONDS: Final = 12.0
"""Longer than a server waits for a lock."""
SHORT: Final = 3.0
FROZEN_SECONDS: Final = 6.0
EXPECTED: Final = (
    "the database does not answer",
    "a table's log cannot be written or read",
    "the log cannot be read",
    "a transcript cannot be stored",
    "it cannot be stored who is connected",
    "old chat cannot be deleted",
    "the bus is lost",
    "the bus is back",
)


def full_disk(folder: Path) -> Fault:
    """No file of the servers can grow for a while."""

    async def fault(chaos: Chaos) -> None:
        largest = max(file.stat().st_size for file in folder.glob("tables.db*"))
        before = {server.pid: resource.prlimit(server.pid, resource.RLIMIT_FSIZE) for server in chaos.servers}
        for pid, (_, most) in before.items():
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (largest, most))
        await asyncio.sleep(SHORT)
        for pid, limits in before.items():
            resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)

    return fault


def locked_database(folder: Path) -> Fault:
    """Another program holds the database's write lock."""

    async def fault(_: Chaos) -> None:
        other = sqlite3.connect(folder / "tables.db", isolation_level=None)
        other.execute("PRAGMA busy_timeout = 10000")
        other.execute("BEGIN IMMEDIATE")
        await asyncio.sleep(LOCKED_SECONDS)
        other.execute("ROLLBACK")
        other.close()

    return fault


def restarted(service: Postgres | Redis, how: signal.Signals) -> Fault:
    """The service is away for a while."""

    async def fault(_: Chaos) -> None:
        await asyncio.to_thread(service.stop, how)
        await asyncio.sleep(SHORT)
        await asyncio.to_thread(service.start)

    return fault


async def frozen_process(chaos: Chaos) -> None:
    """A server does nothing for a while, as if its machine was suspended."""
    server = chaos.rng.choice(chaos.servers)
    assert server.process is not None
    server.process.send_signal(signal.SIGSTOP)
    await asyncio.sleep(FROZEN_SECONDS)
    server.process.send_signal(signal.SIGCONT)


def test_one_process_on_sqlite_survives_a_full_disk_a_lock_and_being_frozen(tmp_path: Path) -> None:
    faults = [full_disk(tmp_path), locked_database(tmp_path), frozen_process, full_disk(tmp_path)]
    asyncio.run(survive(tmp_path, f"sqlite:///{tmp_path}/tables.db", faults=faults, expected=EXPECTED))


def test_two_processes_survive_restarts_of_postgresql_and_redis_and_being_frozen(tmp_path: Path) -> None:
    with Postgres() as postgres, Redis() as redis:
        faults = [
            restarted(postgres, signal.SIGINT),
            restarted(redis, signal.SIGKILL),
            frozen_process,
            restarted(postgres, signal.SIGQUIT),
            restarted(redis, signal.SIGTERM),
        ]
        survived = survive(tmp_path, postgres.new_database(), redis.url(), processes=2, faults=faults, expected=EXPECTED)
        asyncio.run(survived)
