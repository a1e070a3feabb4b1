"""PostgreSQL and Redis on free ports and in temporary folders, for the duration of the tests."""

from __future__ import annotations

import contextlib
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import psycopg
import redis

PATIENCE: Final = 30.0
"""How long a service may take to start."""


class Missing(Exception):
    """The program is not installed; the message says what to install."""


class Service:
    """A service process on a port of its own; `with` starts and stops it."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="fuda-service-"))
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.user: str | None = None

    def command(self) -> list[str]:
        raise NotImplementedError

    def answers(self) -> bool:
        raise NotImplementedError

    def start(self) -> None:
        """Starts it, again on the same port, and waits until it answers."""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(self.command(), stdout=log, stderr=log, cwd=self.folder, user=self.user)
        until = time.monotonic() + PATIENCE
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > until:
                self.stop()
                raise RuntimeError(f"{self.command()[0]} does not start:\n{(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stops it; its data stay."""
        if self.process is not None:
            self.process.send_signal(how)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Postgres(Service):
    """A PostgreSQL with one user, `fuda`, and as many databases as tests ask for."""

    def __init__(self) -> None:
        self.program = found("postgres", "postgresql")
        initdb = found("initdb", "postgresql")
        super().__init__()
        if os.geteuid() == 0:
            # PostgreSQL refuses to run as root.
            self.user = unprivileged()
            shutil.chown(self.folder, self.user)
        self.databases = 0
        subprocess.run(
            [initdb, "-D", "data", "-U", "fuda", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
            cwd=self.folder,
            user=self.user,
            check=True,
            capture_output=True,
        )

    def command(self) -> list[str]:
        # These databases outlive no test, so nothing waits for the disk.
        settings = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "fsync": "off",
            "full_page_writes": "off",
        }
        return [self.program, "-D", "data", "-p", str(self.port), *(f"--{name}={value}" for name, value in settings.items())]

    def answers(self) -> bool:
        return works(lambda: self.execute("SELECT 1"), psycopg.Error)

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://fuda@127.0.0.1:{self.port}/{database}"

    def execute(self, statement: str) -> None:
        with psycopg.connect(self.url(), autocommit=True, connect_timeout=5) as connection:
            connection.execute(statement.encode())

    def new_database(self) -> str:
        """The address of an empty database."""
        self.databases += 1
        self.execute(f"CREATE DATABASE fuda_{self.databases}")
        return self.url(f"fuda_{self.databases}")


class Redis(Service):
    """A Redis, or Valkey, without storage."""

    def __init__(self) -> None:
        self.program = shutil.which("valkey-server") or found("redis-server", "redis-server")
        super().__init__()

    def command(self) -> list[str]:
        return [self.program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]

    def answers(self) -> bool:
        with redis.Redis(port=self.port) as client:
            return works(client.ping, redis.RedisError)

    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"


def works(attempt: Callable[[], object], failure: type[Exception]) -> bool:
    try:
        attempt()
    except failure:
        return False
    return True


def found(program: str, package: str) -> str:
    """The path of a program; Debian has those of PostgreSQL outside PATH."""
    places = [*sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"), reverse=True)]
    path = shutil.which(program) or next((str(place) for place in places), None)
    if path is None:
        raise Missing(f"{program} is not installed (Debian: apt-get install {package})")
    return path


def unprivileged() -> str:
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def free_port() -> int:
    """A port below those of outgoing connections, any of which could take it before the service does."""
    while True:
        port = random.randrange(10_000, 32_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("", port))
            return port
