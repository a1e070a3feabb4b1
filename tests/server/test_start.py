"""A server that cannot start says why in one sentence."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.services import Postgres, Redis, free_port
from tests.server.stores import with_store

SECRET = "open-sesame"  # noqa: S105 - must not be printed


def refused(*options: str | Path, prefix: tuple[str, ...] = ()) -> str:
    """The sentence with which `fuda serve` ends."""
    command = [*prefix, sys.executable, "-m", "fuda", "serve", *map(str, options)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert SECRET not in done.stderr
    return done.stderr.strip()


def without_privileges() -> tuple[str, ...]:
    """Makes the permissions of files count for root too."""
    if os.geteuid() != 0:
        return ()
    if shutil.which("setpriv") is None:
        pytest.skip("setpriv is not installed (Debian: apt-get install util-linux)")
    return ("setpriv", "--bounding-set", "-dac_override")


@contextlib.contextmanager
def in_use() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


# Where to listen ----------------------------------------------------------------------------------


def test_the_port_is_in_use(tmp_path: Path) -> None:
    with in_use() as port:
        said = refused("--port", str(port), "--db", tmp_path / "fuda.db")
    assert said == f"Cannot listen on 127.0.0.1, port {port}: Address already in use."


def test_the_port_is_bound_but_not_listened_on_yet(tmp_path: Path) -> None:
    """As by another server that is just starting; the system complains later then."""
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]
        command = [sys.executable, "-c", LISTENS_LATE, str(other.fileno()), str(port), str(tmp_path / "fuda.db")]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, pass_fds=[other.fileno()])
    assert done.returncode == 2, done.stderr
    assert done.stderr.splitlines()[-1] == f"Cannot listen on port {port}: Address already in use."
    assert "Traceback" not in done.stderr


LISTENS_LATE = """
import socket, sys
from fuda.cli.main import main
from fuda.server.app import Server
other = socket.socket(fileno=int(sys.argv[1]))
opened = Server.opened
def listen_meanwhile(server):
    other.listen()
    return opened(server)
Server.opened = listen_meanwhile
main(["serve", "--port", sys.argv[2], "--db", sys.argv[3]])
"""


@pytest.mark.parametrize(
    ("host", "reason"),
    [
        ("192.0.2.1", "Cannot assign requested address"),
        ("2001:db8::1", "Cannot assign requested address|Address family not supported by protocol"),
        ("nowhere.invalid", "Name or service not known|Temporary failure in name resolution|No address associated"),
        ("ü" * 70, "that is not a host name"),
        ("1.2.3.4.5", "Name or service not known|Temporary failure in name resolution|No address associated"),
    ],
)
def test_the_address_is_not_one_of_this_machine(tmp_path: Path, host: str, reason: str) -> None:
    said = refused("--host", host, "--port", "0", "--db", tmp_path / "fuda.db")
    assert said.startswith(f"Cannot listen on {host}, port 0: ")
    assert any(words in said for words in reason.split("|")), said


# The database -------------------------------------------------------------------------------------


def test_the_database_address_is_not_valid() -> None:
    assert "not supported" in refused("--port", "0", "--db", f"mysql://fuda:{SECRET}@db/fuda")
    assert "is not valid" in refused("--port", "0", "--db", f"postgresql://fuda:{SECRET}@db:many/fuda")
    assert "needs a file" in refused("--port", "0", "--db", "sqlite://")


def test_the_database_does_not_answer() -> None:
    said = refused("--port", "0", "--db", f"postgresql://fuda:{SECRET}@127.0.0.1:{free_port()}/fuda")
    assert "cannot be opened: connection failed" in said
    assert "Connection refused" in said
    assert "cannot be opened" in refused("--port", "0", "--db", f"postgresql://fuda:{SECRET}@nowhere.invalid/fuda")
    assert "cannot be opened" in refused("--port", "0", "--db", "postgresql://fuda@127.0.0.1/fuda?colour=red")


def test_the_password_of_the_database_is_wrong() -> None:
    with Postgres() as postgres:
        url = postgres.new_database()
        postgres.execute("ALTER USER fuda PASSWORD 'right'")
        (postgres.folder / "data" / "pg_hba.conf").write_text("host all all 127.0.0.1/32 scram-sha-256\n")
        postgres.execute("SELECT pg_reload_conf()")
        said = refused("--port", "0", "--db", url.replace("fuda@", f"fuda:{SECRET}@"))
        assert "password authentication failed" in said
        assert "no password supplied" in refused("--port", "0", "--db", url)


def test_there_is_no_such_database(postgres: Postgres) -> None:
    assert 'database "missing" does not exist' in refused("--port", "0", "--db", postgres.url("missing"))


def test_the_file_is_not_a_database(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ann, " * 1000)
    said = refused("--port", "0", "--db", tmp_path / "letter.txt")
    assert said == f"The database {tmp_path}/letter.txt cannot be opened: file is not a database"
    assert "Is a directory" in refused("--port", "0", "--db", tmp_path)
    assert "letter.txt is not a folder" in refused("--port", "0", "--db", tmp_path / "letter.txt" / "fuda.db")


def test_the_database_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "fuda.db"
    with_store(str(path), lambda store: store.ping())
    content = bytearray(path.read_bytes())
    content[100:4096] = bytes(3996)
    path.write_bytes(content)
    assert "cannot be opened: database disk image is malformed" in refused("--port", "0", "--db", path)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_database_was_changed_by_a_newer_version(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    if kind == "sqlite":
        url = str(tmp_path / "fuda.db")
        with_store(url, lambda store: store.ping())
        with contextlib.closing(sqlite3.connect(url)) as connection, connection:
            connection.execute("UPDATE alembic_version SET version_num = '9999'")
    else:
        import psycopg

        postgres: Postgres = request.getfixturevalue("postgres")
        url = postgres.new_database()
        with_store(url, lambda store: store.ping())
        with psycopg.connect(url) as other:
            other.execute("UPDATE alembic_version SET version_num = '9999'")
    assert "was changed by a newer version of Fuda: it is at migration 9999" in refused("--port", "0", "--db", url)


def test_the_file_or_its_folder_is_read_only(tmp_path: Path) -> None:
    prefix = without_privileges()
    path = tmp_path / "fuda.db"
    with_store(str(path), lambda store: store.ping())
    path.chmod(0o400)
    assert "Permission denied" in refused("--port", "0", "--db", path, prefix=prefix)
    path.chmod(0o600)
    tmp_path.chmod(0o500)
    assert "Permission denied" in refused("--port", "0", "--db", path, prefix=prefix)
    assert "Permission denied" in refused("--port", "0", "--db", tmp_path / "new.db", prefix=prefix)
    assert "Permission denied" in refused("--port", "0", "--db", tmp_path / "new" / "new.db", prefix=prefix)
    tmp_path.chmod(0o700)


def test_the_database_is_locked_by_another_program(tmp_path: Path) -> None:
    path = tmp_path / "fuda.db"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert "database is locked" in refused("--port", "0", "--db", path)


# The bus ------------------------------------------------------------------------------------------


def test_the_bus_address_is_not_valid(tmp_path: Path) -> None:
    for bus in ("localhost", f"http://:{SECRET}@bus", f"redis://:{SECRET}@bus:many", "redis://bus?colour=red"):
        said = refused("--port", "0", "--db", tmp_path / "fuda.db", "--bus", bus)
        assert said == "The bus address is not valid; expected redis://host:port."


def test_the_bus_does_not_answer(tmp_path: Path) -> None:
    port = free_port()
    said = refused("--port", "0", "--db", tmp_path / "fuda.db", "--bus", f"redis://:{SECRET}@127.0.0.1:{port}")
    assert said == f"The bus at 127.0.0.1:{port} cannot be reached: Connection refused."
    said = refused("--port", "0", "--db", tmp_path / "fuda.db", "--bus", "redis://nowhere.invalid")
    assert said.startswith("The bus at nowhere.invalid:6379 cannot be reached: ")


def test_the_password_of_the_bus_is_wrong(tmp_path: Path, redis: Redis) -> None:
    url = redis.url().replace("redis://", f"redis://fuda:{SECRET}@")
    assert "cannot be reached: " in refused("--port", "0", "--db", tmp_path / "fuda.db", "--bus", url)
