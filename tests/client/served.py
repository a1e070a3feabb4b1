"""A real server process for tests."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from fuda.client import Open, Ticket, open_table

T = TypeVar("T")


class Served:
    """The command `fuda serve` with tables in a folder; it can be stopped, and started again at the same address."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.database = f"sqlite:///{folder / 'tables.db'}"
        self.log = folder / "server.log"
        self.arguments = arguments
        self.address = ""
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        port = self.address.rpartition(":")[2] or "0"
        words = [sys.executable, "-m", "fuda", "serve", "--port", port, "--db", self.database, *self.arguments]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=log, text=True, env=dict(os.environ))
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert said.startswith("Fuda is at http://"), f"{said!r}: {self.log.read_text()}"
        self.address = said.split()[-1]

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(20)
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None

    def open(self, wish: Open) -> Ticket:
        """A new table."""
        return asyncio.run(open_table(self.address, wish))


@contextmanager
def served(folder: Path, *arguments: str) -> Iterator[Served]:
    server = Served(folder, *arguments)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def run(work: Coroutine[Any, Any, T]) -> T:
    """Does this in a loop of its own, within a minute."""

    async def soon() -> T:
        async with asyncio.timeout(60):
            return await work

    return asyncio.run(soon())
