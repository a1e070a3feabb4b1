"""A `fuda serve` process that can be killed and started again."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import resource
import signal
import sys
from pathlib import Path
from typing import Any, Final, Self

from tests.server.services import free_port

PATIENCE: Final = 60.0
"""How long a server may take to start on a busy machine."""
ADDRESS: Final = re.compile(rb"Fuda is at http://127\.0\.0\.1:(\d+)")
PROGRAM = "fuda"
"""The module that is run."""
HARMLESS: Final = ("resource_tracker", "warnings.warn(", "in spawn_main", "socket.send() raised exception")
"""What Python itself prints when a process is killed or a connection is cut."""


class ServerProcess:
    """Keeps its port, database and log when it is killed; `async with` starts and stops it."""

    def __init__(self, folder: Path, *options: str, name: str = "server", files: int = 0) -> None:
        self.log = folder / f"{name}.log"
        self.said = folder / f"{name}.out"
        self.options = options
        self.files = files
        """How many files it may open, if that is limited."""
        self.port = free_port()  # so that nobody else takes it while the server is down
        self.process: asyncio.subprocess.Process | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    async def start(self) -> None:
        """Starts it and waits until it is ready."""
        await self.launch()
        async with asyncio.timeout(PATIENCE):
            while not (found := ADDRESS.search(self.said.read_bytes())):
                assert self.process is not None
                assert self.process.returncode is None, f"the server does not start: {self.log.read_text()[-3000:]}"
                await asyncio.sleep(0.02)
        self.port = int(found[1])

    async def launch(self) -> None:
        """Starts it without waiting."""
        command = [sys.executable, "-m", PROGRAM, "serve", "--port", str(self.port), *self.options]
        # Files, not pipes: the processes of its bots would keep a pipe open, and nobody knew that the server has ended.
        with self.log.open("ab") as log, self.said.open("wb") as said:
            self.process = await asyncio.create_subprocess_exec(*command, stdout=said, stderr=log)
        if self.files:
            resource.prlimit(self.pid, resource.RLIMIT_NOFILE, (self.files // 2, self.files))

    async def kill(self) -> None:
        """Kills it with SIGKILL."""
        await self.end(signal.SIGKILL)

    async def stop(self) -> int:
        """Stops it with SIGTERM; returns its exit status."""
        return await self.end(signal.SIGTERM)

    async def end(self, how: signal.Signals) -> int:
        process = self.process
        assert process is not None
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(how)
        async with asyncio.timeout(PATIENCE):
            status = await process.wait()
        self.process = None
        return status

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.process is not None:
            await self.kill()

    # What it left behind --------------------------------------------------------------------------

    def children(self) -> list[int]:
        """The ids of its child processes (Linux only)."""
        listed = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text()
        return [int(child) for child in listed.split()]

    def resident(self) -> int:
        """How many bytes of memory it uses (Linux only)."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * resource.getpagesize()

    def cpu_seconds(self) -> float:
        """How much processor time it has used, without its child processes (Linux only)."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def open_files(self) -> int:
        """How many files it has open (Linux only)."""
        return len([*Path(f"/proc/{self.pid}/fd").iterdir()])

    def lines(self) -> list[str]:
        return self.log.read_text().splitlines()

    def complaints(self) -> list[str]:
        """The errors and warnings in its log."""
        return [said for said in told_by(self.lines()) if is_complaint(said)]


def told_by(lines: list[str]) -> list[str]:
    """The messages of a log, each with its traceback."""
    told: list[str] = []
    in_traceback = False
    for line in lines:
        if in_traceback:
            told[-1] += f"\n{line}"
            in_traceback = line.startswith(" ")
        else:
            told.append(line)
            in_traceback = line.startswith("Traceback")
    return told


def is_complaint(said: str) -> bool:
    try:
        logged: dict[str, Any] = json.loads(said)
    except ValueError:
        # The end of a log line is missing if the process was killed, or the disk was full.
        return bool(said.strip()) and not said.startswith('{"at"') and not any(words in said for words in HARMLESS)
    return logged["level"] not in ("debug", "info") and not any(words in logged["message"] for words in HARMLESS)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
