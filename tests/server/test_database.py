"""Database addresses, and opening databases."""

from __future__ import annotations

import asyncio
import stat
import sys
import threading
from pathlib import Path

import pytest

import fuda
from fuda.server.database import database_url, postgres_arguments
from fuda.server.store import Store
from tests.server.stores import PLAYED, summary, with_store


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}"])
def test_a_file_is_named_by_its_path_or_as_an_address(tmp_path: Path, form: str) -> None:
    async def do(store: Store) -> None:
        await store.create(summary("t"), [(1.0, PLAYED)])

    path = tmp_path / "new folder" / "fuda.db"
    with_store(form.format(path), do)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600, "the secrets of running games are in it"


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("", "needs a file"),
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
        (":memory:", "needs a file"),
        ("mysql://root:secret@host/db", "mysql databases are not supported"),
        ("postgresql://fuda:secret@127.0.0.1:x/db", "is not valid"),
        ("postgresql://fuda:secret@127.0.0.1:1/db", "cannot be opened"),
        ("redis://x", "redis databases are not supported"),
    ],
)
def test_what_is_no_database_is_said_in_a_sentence(url: str, sentence: str) -> None:
    with pytest.raises(fuda.Error, match=sentence) as wrong:
        asyncio.run(Store.opened(url))
    assert "secret" not in str(wrong.value)


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann, " * 1000)
    with pytest.raises(fuda.Error, match="cannot be opened: file is not a database"):
        asyncio.run(Store.opened(str(path)))
    assert path.read_text() == "Dear Ann, " * 1000
    with pytest.raises(fuda.Error, match="cannot be opened"):
        asyncio.run(Store.opened(str(tmp_path)))
    with pytest.raises(fuda.Error, match="cannot be opened"):
        asyncio.run(Store.opened(str(path / "fuda.db")))


def test_without_its_driver_postgresql_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(fuda.Error, match=r"fuda\[cluster\]"):
        asyncio.run(Store.opened("postgresql://fuda@127.0.0.1:1/db"))


def test_what_the_address_says_goes_first() -> None:
    plain = postgres_arguments(database_url("postgresql://fuda@db/fuda"))
    assert (plain["application_name"], plain["connect_timeout"]) == ("fuda", 5)
    assert "connect_timeout" not in postgres_arguments(database_url("postgres://fuda@db/fuda?connect_timeout=60"))


def test_no_thread_stays_behind(tmp_path: Path) -> None:
    async def do(store: Store) -> None:
        await store.ping()

    before = set(threading.enumerate())
    with_store(str(tmp_path / "fuda.db"), do)
    assert not set(threading.enumerate()) - before
    assert [path.name for path in tmp_path.iterdir()] == ["fuda.db"], "what SQLite keeps beside it is put away"
