"""The servers that `make load` measures, each in a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import IO

from bench.load.errors import LoadError

HERE = Path(__file__).resolve().parent
BOARDGAME = HERE / "boardgame"
INSTALLED = HERE.parents[1] / ".venv-boardgame"
"""Where boardgame.io is installed; git ignores it."""
INSTALL = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]
PRODUCTION = {**os.environ, "NODE_ENV": "production"}
INTERRUPTS = (signal.SIGINT, signal.SIGTERM)
START_SECONDS = 60.0
STOP_SECONDS = 10.0
ANSWER_SECONDS = 60.0
"""How long to wait for a server to start and to stop, and for players to answer after their time is up."""


class Server:
    """A running server: its address, memory and processor time."""

    def __init__(self, process: subprocess.Popen[bytes], address: str, log: Path) -> None:
        self.process = process
        self.address = address
        self.log = log

    @property
    def resident(self) -> int:
        """The bytes of memory that it holds."""
        return int(self.proc_file("statm").split()[1]) * os.sysconf("SC_PAGE_SIZE")

    @property
    def processor(self) -> float:
        """The seconds of processor time that it has taken."""
        user, system = self.proc_file("stat").rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def proc_file(self, name: str) -> str:
        return Path(f"/proc/{self.process.pid}/{name}").read_text()

    async def exited(self) -> int:
        """Waits until the process has ended; its status."""
        while (status := self.process.poll()) is None:
            await asyncio.sleep(0.1)
        return status


@contextmanager
def running(command: list[str | Path], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that is stopped at the end, together with all that it has started."""
    process = None
    pipe = subprocess.PIPE
    try:
        with log.open("a") as errors, interrupts_deferred():
            # In a session of its own Ctrl-C does not reach it: it is stopped here, and nowhere else.
            process = subprocess.Popen(
                command, env=PRODUCTION, stdin=pipe, stdout=pipe, stderr=errors, start_new_session=True
            )
        yield process
    finally:
        if process is not None:
            stop(process)


@contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Handles Ctrl-C and SIGTERM at the end of this block, so that a process that was just started is known and stopped."""
    caught: list[int] = []
    handlers = {number: signal.signal(number, lambda caught_now, _: caught.append(caught_now)) for number in INTERRUPTS}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if caught:
            signal.raise_signal(caught[0])


def stop(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(BrokenPipeError):
                pipe.close()


@contextmanager
def serving(command: list[str | Path], log: Path) -> Iterator[Server]:
    """The server that this command starts, and whose first line is its address."""
    with running(command, log) as process:
        assert process.stdout is not None
        address = first_line(process.stdout)
        if not address:
            raise LoadError(f"A server does not start. {last_lines(log)}")
        yield Server(process, address, log)


def first_line(output: IO[bytes]) -> str:
    """The first line that a process prints; nothing if it ends or takes too long."""
    with selectors.DefaultSelector() as selector:
        selector.register(output, selectors.EVENT_READ)
        return output.readline().decode().strip() if selector.select(START_SECONDS) else ""


def last_lines(log: Path) -> str:
    return " ".join(log.read_text(errors="replace").split("\n")[-6:]).strip()


def fuda(folder: Path, idle: float = 30.0, speed: float = 1.0) -> AbstractContextManager[Server]:
    """Fuda's server; an empty table sleeps after `idle` seconds, and bots are `speed` times as fast as usual."""
    return serving([sys.executable, HERE / "fuda_server.py", folder / "fuda.db", str(idle), str(speed)], folder / "fuda.log")


def bare(folder: Path, frames: list[str]) -> AbstractContextManager[Server]:
    """A server that stores each message, and sends these frames to the four sockets of a table."""
    (folder / "frames.json").write_text(json.dumps(frames))
    command: list[str | Path] = [sys.executable, HERE / "bare_server.py", folder / "bare.db", folder / "frames.json"]
    return serving(command, folder / "bare.log")


def boardgame(folder: Path, in_files: bool) -> AbstractContextManager[Server]:
    command: list[str | Path] = ["node", INSTALLED / "server.js"]
    return serving([*command, folder / "matches"] if in_files else command, folder / "boardgame.log")


# boardgame.io ---------------------------------------------------------------------------------


def install_boardgame() -> str | None:
    """Installs boardgame.io if needed; otherwise returns the reason why it cannot be installed."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        return "node and npm are not installed"
    INSTALLED.mkdir(exist_ok=True)
    stamp = INSTALLED / "made-for.txt"
    wanted = (BOARDGAME / "package.json").read_text()
    if not stamp.exists() or stamp.read_text() != wanted:
        shutil.copy(BOARDGAME / "package.json", INSTALLED)
        done = subprocess.run([npm, *INSTALL], cwd=INSTALLED, text=True, check=False, capture_output=True)
        if done.returncode:
            return f"npm: {(done.stderr or done.stdout).strip().splitlines()[-1]}"
        stamp.write_text(wanted)
    for file in BOARDGAME.glob("*.js"):
        shutil.copy(file, INSTALLED)
    return None


class BoardgamePlayers:
    """The players at boardgame.io's server, in a process of their own."""

    def __init__(self, process: subprocess.Popen[bytes], server: Server, log: Path) -> None:
        self.process = process
        self.server = server
        self.log = log

    async def play(self, warming: float, seconds: float) -> dict[str, float]:
        """Moves and deliveries a second, as fast as possible; LoadError if the server or the players end."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.write(f"{warming} {seconds}\n".encode())
            self.process.stdin.flush()
        answer = asyncio.create_task(self.answer())
        exited = asyncio.create_task(self.server.exited())
        try:
            first = asyncio.FIRST_COMPLETED
            done, _ = await asyncio.wait({answer, exited}, timeout=warming + seconds + ANSWER_SECONDS, return_when=first)
        finally:
            answer.cancel()
            exited.cancel()
        if exited in done:
            raise LoadError(f"boardgame.io's server has ended, with status {exited.result()}. {last_lines(self.server.log)}")
        if not done:
            raise LoadError("boardgame.io's players do not answer.")
        if not answer.result():
            raise LoadError(f"boardgame.io's players have ended. {last_lines(self.log)}")
        rates: dict[str, float] = json.loads(answer.result())
        return rates

    async def answer(self) -> bytes:
        """The next line that the players print; nothing if they have ended."""
        assert self.process.stdout is not None
        loop, printed = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self.process.stdout, printed.set)
        try:
            await printed.wait()
        finally:
            loop.remove_reader(self.process.stdout)
        return self.process.stdout.readline()


@contextmanager
def boardgame_players(server: Server, matches: int, command: list[str | Path]) -> Iterator[BoardgamePlayers]:
    log = server.log.with_suffix(".players.log")
    with running([*command, server.address, str(matches)], log) as process:
        yield BoardgamePlayers(process, server, log)


PLAYERS: list[str | Path] = ["node", INSTALLED / "players.js"]
