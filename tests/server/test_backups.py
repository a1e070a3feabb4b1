"""`fuda admin backup` and `restore`: the format, and what is refused. test_backups_under_load.py has running servers."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import text

import fuda
from fuda.cli.commands.admin import admin
from fuda.server import backups, migrations
from fuda.server.database import database_url
from fuda.server.database_lock import lock_of
from fuda.server.schema_tables import METADATA
from fuda.server.store import Store
from tests.server.stores import PLAYED, summary, with_store
from tests.server.test_migrations import STEPS, connected, fill_the_first_version

NewDatabase = Callable[[str], str]
KINDS = ("sqlite", "postgresql")
BYTES = bytes(range(256)) * 10


@pytest.fixture
def new_database(request: pytest.FixtureRequest, tmp_path: Path) -> NewDatabase:
    """Makes addresses of empty databases of a kind."""
    made = 0

    def make(kind: str) -> str:
        nonlocal made
        made += 1
        if kind == "sqlite":
            return f"sqlite:///{tmp_path}/new{made}.db"
        url: str = request.getfixturevalue("postgres").new_database()
        return url

    return make


@pytest.fixture
def filled(database: str) -> str:
    """A database with two tables, one of them with more rows than are copied at once, and a transcript."""

    async def do(store: Store) -> None:
        await store.create(summary("busy", phase="playing", changed=0.1 + 0.2), [(1.5, PLAYED)] * 450)
        await store.create(summary("札", public=False), [(2.5, '{"text":"naïve \\" 札 \\u0000"}'.encode())])
        await store.add_transcript("busy", 1, BYTES)

    with_store(database, do)
    return database


def run(database: str, *arguments: str | Path, typed: str = "") -> Result:
    return CliRunner().invoke(admin, ["--db", database, *map(str, arguments)], input=typed)


def done(result: Result) -> str:
    assert result.exception is None, repr(result.exception)
    return result.output


def refused(result: Result) -> str:
    """The sentence with which it was refused."""
    assert isinstance(result.exception, fuda.Error), repr(result.exception)
    assert "\n" not in str(result.exception)
    return str(result.exception)


def content(database: str) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all our tables."""
    with connected(database) as connection:
        found = {
            name: [tuple(row) for row in connection.execute(table.select().order_by(*table.primary_key))]
            for name, table in METADATA.tables.items()
        }
        found["migration"] = [(migrations.current(connection),)]
    return found


def lines_of(file: Path) -> list[bytes]:
    return gzip.decompress(file.read_bytes()).splitlines(keepends=True)


def write_lines(file: Path, lines: list[bytes]) -> None:
    """A backup of these lines, with a valid checksum in the last one."""
    end = json.loads(lines[-1]) | {"sha256": hashlib.sha256(b"".join(lines[:-1])).hexdigest()}
    file.write_bytes(gzip.compress(b"".join(lines[:-1]) + json.dumps(end).encode() + b"\n"))


# Backing up and restoring -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_backup_moves_everything_to_a_database_of_either_kind(
    kind: str, filled: str, new_database: NewDatabase, tmp_path: Path
) -> None:
    file = tmp_path / "all.fuda"
    assert done(run(filled, "backup", file)) == f"{file} has 2 tables, 451 entries, 1 transcripts.\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    target = new_database(kind)
    assert "2 tables, 451 entries, 1 transcripts now, as of" in done(run(target, "restore", file))
    assert content(target) == content(filled)

    async def do(store: Store) -> None:
        assert await store.transcript("busy", 1) == BYTES
        assert await store.append("busy", 451, 3.0, PLAYED)
        assert not await store.append("busy", 450, 3.0, PLAYED), "numbers that were taken stay so"
        assert await store.purge(1e12) == 2, "what belongs to a table is deleted with it"
        assert (await store.counts())["entries"] == 0

    with_store(target, do)


def test_a_backup_and_its_own_restoration_are_the_same_line_by_line(
    filled: str, new_database: NewDatabase, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.fuda", tmp_path / "second.fuda"
    done(run(filled, "backup", first))
    target = new_database("sqlite")
    done(run(target, "restore", first))
    done(run(target, "backup", second))
    assert lines_of(first)[1:-1] == lines_of(second)[1:-1]
    header, end = json.loads(lines_of(first)[0]), json.loads(lines_of(first)[-1])
    assert (header["version"], header["migration"]) == (fuda.__version__, STEPS[-1])
    assert end["rows"] == {"tables": 2, "entries": 451, "transcripts": 1}


def test_a_backup_of_an_older_database_has_its_migration_and_is_migrated_when_restored(
    database: str, new_database: NewDatabase, tmp_path: Path
) -> None:
    with connected(database) as connection:
        migrations.upgrade(connection, STEPS[0])
        fill_the_first_version(connection)
    file = tmp_path / "old.fuda"
    assert done(run(database, "backup", file)) == f"{file} has 1 tables, 1 entries.\n"
    assert json.loads(lines_of(file)[0])["migration"] == STEPS[0]
    with connected(database) as connection:
        assert migrations.current(connection) == STEPS[0], "a backup changes nothing"
    target = new_database("postgresql" if database.startswith("sqlite") else "sqlite")
    done(run(target, "restore", file))

    async def do(store: Store) -> None:
        (one,) = await store.summaries()
        assert (one.id, one.host, one.public, one.opened) == ("t", "Ann", True, 1.5)
        assert len(await store.entries("t")) == 1

    with_store(target, do)
    assert content(target)["migration"] == [(STEPS[-1],)]


def test_a_backup_has_the_database_as_it_was_at_one_moment(
    filled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = content(filled)
    write = backups.LineWriter.write

    def write_while_others_do(file: backups.LineWriter, value: object) -> None:
        if isinstance(value, backups.Section) and value.table == "entries":
            with connected(filled) as connection:
                fill_the_first_version(connection)
                connection.execute(text("DELETE FROM entries WHERE number = 450"))
        write(file, value)

    monkeypatch.setattr(backups.LineWriter, "write", write_while_others_do)
    done(run(filled, "backup", tmp_path / "all.fuda"))
    assert content(filled) != before
    target = f"sqlite:///{tmp_path}/target.db"
    done(run(target, "restore", tmp_path / "all.fuda"))
    assert content(target) == before


def test_tables_that_belong_to_running_servers_are_left_out(
    filled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(METADATA.tables["transcripts"].info, "not in backups", True)
    assert done(run(filled, "backup", tmp_path / "a.fuda")) == f"{tmp_path}/a.fuda has 2 tables, 451 entries.\n"


def test_no_table_counts_its_rows_by_itself() -> None:
    """The next number of such a table would have to be restored too."""
    assert [table.name for table in METADATA.tables.values() if table.autoincrement_column is not None] == []


# What is refused ----------------------------------------------------------------------------------


def test_only_an_empty_database_is_filled_unless_its_content_is_to_be_replaced(filled: str, tmp_path: Path) -> None:
    file = tmp_path / "all.fuda"
    done(run(filled, "backup", file))
    before = content(filled)
    with_store(filled, lambda store: store.create(summary("later"), [(1.0, PLAYED)]))
    later = content(filled)
    assert "is not empty. With --replace all that is in it is deleted." in refused(run(filled, "restore", file))
    answer = done(run(filled, "restore", "--replace", file, typed="n\n"))
    assert "Delete all that is in" in answer
    assert answer.endswith("Nothing was changed.\n")
    assert isinstance(run(filled, "restore", "--replace", file).exception, SystemExit), "nobody answers"
    assert content(filled) == later
    done(run(filled, "restore", "--replace", file, typed="y\n"))
    assert content(filled) == before
    done(run(filled, "restore", "--replace", "--yes", file))
    assert content(filled) == before


def cut_short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-200])


def cut_between_lines(file: Path) -> None:
    file.write_bytes(gzip.compress(b"".join(lines_of(file)[:-1])))


def change_a_byte(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def change_a_row(file: Path) -> None:
    file.write_bytes(gzip.compress(b"".join(lines_of(file)).replace(b"Ann", b"Eve")))


def append_another(file: Path) -> None:
    file.write_bytes(file.read_bytes() * 2)


def spoil_a_row(file: Path) -> None:
    lines = lines_of(file)
    write_lines(file, [line.replace(b'"Ann"', b"7") for line in lines])


def name_an_unknown_column(file: Path) -> None:
    write_lines(file, [line.replace(b'"host"', b'"guest"') for line in lines_of(file)])


def begin_with_a_row(file: Path) -> None:
    lines = lines_of(file)
    write_lines(file, [lines[0], *lines[2:]])


DAMAGE: dict[Callable[[Path], None], str] = {
    cut_short: "ends too early",
    cut_between_lines: "ends too early",
    change_a_byte: "damaged",
    change_a_row: "checksum is wrong",
    append_another: "something follows its end",
    spoil_a_row: "a row of tables cannot be read",
    name_an_unknown_column: "no such table or columns",
    begin_with_a_row: "belongs to no table",
}


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: damage.__name__)
def test_a_damaged_backup_is_refused_and_nothing_is_changed(
    damage: Callable[[Path], None], filled: str, new_database: NewDatabase, tmp_path: Path
) -> None:
    file = tmp_path / "all.fuda"
    done(run(filled, "backup", file))
    before = content(filled)
    damage(file)
    assert DAMAGE[damage] in refused(run(filled, "restore", "--replace", "--yes", file))
    assert content(filled) == before
    target = new_database("sqlite")
    refused(run(target, "restore", file))
    assert not [*tmp_path.glob("new*")], "no database is left behind"


def test_the_backup_of_a_newer_fuda_is_refused(filled: str, new_database: NewDatabase, tmp_path: Path) -> None:
    file = tmp_path / "all.fuda"
    done(run(filled, "backup", file))
    lines = lines_of(file)
    write_lines(file, [lines[0].replace(f'"{STEPS[-1]}"'.encode(), b'"9999"'), *lines[1:]])
    sentence = refused(run(new_database("sqlite"), "restore", file))
    assert "was changed by a newer version of Fuda: it is at migration 9999" in sentence
    write_lines(file, [lines[0].replace(b'"fuda_backup":1', b'"fuda_backup":2'), *lines[1:]])
    assert "written by a newer version of Fuda" in refused(run(new_database("sqlite"), "restore", file))


def test_what_is_not_a_backup_is_neither_read_nor_replaced(filled: str, tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("mine")
    assert "is not a backup, and is not replaced" in refused(run(filled, "backup", other))
    assert other.read_text() == "mine"
    assert "is not a backup of Fuda" in refused(run(filled, "restore", "--replace", "--yes", other))
    other.write_bytes(gzip.compress(b"mine"))
    assert "is not a backup of Fuda" in refused(run(filled, "restore", "--replace", "--yes", other))
    assert "cannot be read: No such file" in refused(run(filled, "restore", tmp_path / "missing.fuda"))
    assert "cannot be written: No such file" in refused(run(filled, "backup", tmp_path / "nowhere" / "all.fuda"))


def test_a_backup_that_fails_leaves_the_earlier_one(filled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "all.fuda"
    done(run(filled, "backup", file))
    before = file.read_bytes()

    def full(handle: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    assert "cannot be written: No space left on device" in refused(run(filled, "backup", file))
    assert file.read_bytes() == before
    assert not [*tmp_path.glob(".all.fuda.*")], "nothing half done is left"


def test_an_empty_database_and_one_of_a_newer_fuda_are_not_backed_up(filled: str, database: str, tmp_path: Path) -> None:
    with connected(database) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    assert "newer version of Fuda" in refused(run(filled, "backup", tmp_path / "a.fuda"))
    empty = tmp_path / "empty.db"
    empty.touch()
    assert "is empty" in refused(run(f"sqlite:///{empty}", "backup", tmp_path / "a.fuda"))
    assert "There is no database" in refused(run(f"sqlite:///{tmp_path}/wrong.db", "backup", tmp_path / "a.fuda"))
    assert not (tmp_path / "a.fuda").exists()


@pytest.mark.parametrize("bus", ["", "bus:6379"])
def test_nothing_is_restored_while_a_server_uses_the_database(filled: str, tmp_path: Path, bus: str) -> None:
    file = tmp_path / "all.fuda"
    done(run(filled, "backup", file))
    lock = lock_of(database_url(filled), bus)
    lock.must_take()
    with_store(filled, lambda store: store.create(summary("later"), [(1.0, PLAYED)]))
    later = content(filled)
    command = [sys.executable, "-m", "fuda", "admin", "--db", filled, "restore", "--replace", "--yes", str(file)]
    refusing = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refusing.returncode == 2
    assert "is in use. Stop its servers first." in refusing.stderr
    assert len(refusing.stderr.splitlines()) == 1
    assert content(filled) == later
    lock.release()
    done(run(filled, "restore", "--replace", "--yes", file))
    assert content(filled) != later


def test_no_server_starts_while_a_database_is_restored(filled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "all.fuda"
    done(run(filled, "backup", file))
    insert = backups.insert_rows
    tried = []

    def insert_while_a_server_starts(*arguments: Any) -> dict[str, int]:
        tried.append(lock_of(database_url(filled), "bus:6379").take())
        return insert(*arguments)

    monkeypatch.setattr(backups, "insert_rows", insert_while_a_server_starts)
    done(run(filled, "restore", "--replace", "--yes", file))
    assert tried == [False]


# Memory -------------------------------------------------------------------------------------------


def test_memory_does_not_grow_with_the_database(database: str, new_database: NewDatabase, tmp_path: Path) -> None:
    file = tmp_path / "all.fuda"
    target = new_database("sqlite" if database.startswith("sqlite") else "postgresql")

    async def begin(store: Store) -> None:
        await store.create(summary("t"), [(1.0, PLAYED)])

    async def fill(store: Store) -> None:
        for number in range(3000):
            await store.add_transcript("t", number, bytes(20_000))

    with_store(database, begin)
    small = [peak_memory("--db", database, "backup", file), peak_memory("--db", target, "restore", file)]
    with_store(database, fill)
    large = [
        peak_memory("--db", database, "backup", file),
        peak_memory("--db", target, "restore", "--replace", "--yes", file),
    ]
    grown = [after - before for before, after in zip(small, large, strict=True)]
    assert max(grown) < 30_000, f"{grown} kB for 60 MB of transcripts"


def peak_memory(*arguments: str | Path) -> int:
    """The most memory that the command has used, in kB."""
    process = subprocess.Popen([sys.executable, "-m", "fuda", "admin", *map(str, arguments)], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_maxrss
