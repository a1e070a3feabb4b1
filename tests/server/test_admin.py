"""`fuda admin`: listing, closing and deleting tables."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import fuda
from fuda.cli.commands import admin as admin_file
from fuda.cli.commands.admin import admin
from fuda.server.entries import READ, Closed
from fuda.server.store import Store
from tests.server.stores import PLAYED, summary, with_store

NOW = time.time()
Run = Callable[..., Result]


@pytest.fixture
def served(database: str) -> str:
    """A database in which a server has left a few tables."""

    async def do(store: Store) -> None:
        await store.create(summary("new", changed=NOW), [(NOW, PLAYED)])
        await store.create(summary("busy", phase="playing", changed=NOW - 60), [(NOW, PLAYED), (NOW, PLAYED)])
        await store.create(summary("old", phase="over", changed=NOW - 90 * 86400), [(NOW - 90 * 86400, PLAYED)])

    with_store(database, do)
    return database


@pytest.fixture
def run(served: str) -> Run:
    def invoke(*arguments: str, typed: str = "") -> Result:
        return CliRunner().invoke(admin, ["--db", served, *arguments], input=typed)

    return invoke


def done(result: Result) -> str:
    assert result.exception is None, repr(result.exception)
    return result.output


def tables_left(database: str) -> set[str]:
    left: set[str] = set()

    async def do(store: Store) -> None:
        left.update(one.id for one in await store.summaries())

    with_store(database, do)
    return left


def test_the_list_shows_who_sits_where_the_last_changed_first(run: Run) -> None:
    lines = done(run("list")).splitlines()
    assert lines[0].split() == ["table", "game", "phase", "people", "host", "changed"]
    assert [line.split()[0] for line in lines[1:]] == ["new", "busy", "old"]
    assert lines[2].split()[1:7] == ["hanafuda", "playing", "1", "of", "4", "Ann"]
    assert done(run("list", "--limit", "1")).splitlines()[-1] == "… and 2 more"


def test_the_list_as_json_has_everything(run: Run) -> None:
    tables = json.loads(done(run("list", "--json")))
    assert tables[1] == {
        "id": "busy",
        "game": "hanafuda",
        "phase": "playing",
        "host": "Ann",
        "public": True,
        "people": 1,
        "open": 3,
        "players": 4,
        "pace": "normal",
        "opened": 1.0,
        "changed": NOW - 60,
        "last_record": 0,
    }


def test_closing_is_an_entry_of_the_log(run: Run, served: str) -> None:
    assert done(run("close", "busy")) == "Table busy is closed.\n"

    async def do(store: Store) -> None:
        last = (await store.entries("busy"))[-1]
        assert last.number == 3
        assert READ.decode(last.data) == Closed("closed by the operator")
        (closed,) = await store.summaries(["busy"])
        assert (closed.phase, closed.host) == ("closed", "Ann")
        assert closed.changed == last.at

    with_store(served, do)
    assert str(run("close", "busy").exception) == "Table busy is closed already."
    assert str(run("close", "nowhere").exception) == "There is no table nowhere."


def test_closing_goes_on_when_a_server_writes_at_the_same_time(served: str) -> None:
    class Late(Store):
        """Others are ahead a few times."""

        times = 0

        async def heads(self, tables: list[str]) -> dict[str, int]:
            found = await super().heads(tables)
            if Late.times < 3:
                Late.times += 1
                assert await self.append("busy", found["busy"] + 1, NOW, PLAYED)
            return found

    async def do(_: Store) -> None:
        late = await Late.opened(served)
        await admin_file.close(late, "busy")
        assert isinstance(READ.decode((await late.entries("busy"))[-1].data), Closed)
        assert len(await late.entries("busy")) == 6
        await late.close()

    with_store(served, do)


def test_a_purge_asks_first(run: Run, served: str) -> None:
    refused = done(run("purge", "--days", "30", typed="n\n"))
    assert "Delete all tables without changes for 30 days? [y/N]" in refused
    assert refused.endswith("Nothing was deleted.\n")
    assert isinstance(run("purge", "--days", "30").exception, SystemExit), "nobody answers: nothing is done"
    assert len(tables_left(served)) == 3
    assert done(run("purge", "--days", "30", typed="y\n")).endswith("1 table was deleted.\n")
    assert tables_left(served) == {"new", "busy"}
    assert done(run("purge", "--days", "0.5", "--yes")) == "0 tables were deleted.\n"


def test_the_statistics_count_by_game_and_phase(run: Run) -> None:
    lines = done(run("stats")).splitlines()
    assert lines[0].split() == ["game", "open", "starting", "playing", "over", "closed", "all"]
    assert lines[1].split() == ["hanafuda", "1", "0", "1", "1", "0", "3"]
    assert lines[2].split() == ["all", "1", "0", "1", "1", "0", "3"]
    assert lines[4].startswith("4 entries, ")
    data = json.loads(done(run("stats", "--json")))
    assert data.pop("bytes") > 0
    assert data.pop("games") == {"hanafuda": {"open": 1, "starting": 0, "playing": 1, "over": 1, "closed": 0}}
    assert data == {"tables": 3, "open": 1, "starting": 0, "playing": 1, "over": 1, "closed": 0, "entries": 4}


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for arguments in (["list"], ["--db", f"{tmp_path}/wrong.db", "stats"]):
        error = CliRunner().invoke(admin, arguments).exception
        assert isinstance(error, fuda.Error)
        assert "There is no database" in str(error)


def test_every_command_shows_an_example() -> None:
    assert isinstance(admin, click.Group)
    for name in admin.commands:
        assert f"fuda admin {name}" in done(CliRunner().invoke(admin, [name, "--help"]))
