"""Nothing acknowledged is lost and everybody sees the same game, although servers and connections fail."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.server.chaos import kills_each, survive
from tests.server.services import Postgres


def test_one_process_on_sqlite_survives_being_killed(tmp_path: Path) -> None:
    asyncio.run(survive(tmp_path, f"sqlite:///{tmp_path}/tables.db", kills=kills_each()))


def test_two_processes_on_postgresql_and_redis_survive_being_killed(
    tmp_path: Path, postgres: Postgres, redis_url: str
) -> None:
    asyncio.run(survive(tmp_path, postgres.new_database(), redis_url, processes=2, kills=kills_each()))
