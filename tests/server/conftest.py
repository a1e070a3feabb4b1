"""Databases and services for the tests of the server; each worker has its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from tests.server.services import Missing, Postgres, Redis

S = TypeVar("S", Postgres, Redis)


def started(kind: type[S]) -> Iterator[S]:
    """Skips if the service is not installed; with FUDA_ALL, as in CI, that is a failure."""
    try:
        service = kind()
    except Missing as missing:
        pytest.skip(str(missing))
    with service:
        yield service


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A running PostgreSQL."""
    yield from started(Postgres)


@pytest.fixture(scope="session")
def postgres_url(postgres: Postgres) -> str:
    """A database that all tests of this session share."""
    return postgres.new_database()


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    """A running Redis."""
    yield from started(Redis)


@pytest.fixture(scope="session")
def redis_url(redis: Redis) -> str:
    return redis.url()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/fuda.db"
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.new_database()
