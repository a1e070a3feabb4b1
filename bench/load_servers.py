"""The servers that `make load` measures, each in a process of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

BENCH = Path(__file__).resolve().parent
BOARDGAME = BENCH / "boardgame"
INSTALLED = BENCH.parent / ".venv-boardgame"
"""Where boardgame.io is installed: out of git's sight, like the environment of our other peers."""
INSTALL = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]
PRODUCTION = {**os.environ, "NODE_ENV": "production"}


class Served:
    """A server that runs: where it is, and what it takes."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process = process
        self.address = address

    @property
    def resident(self) -> int:
        """The bytes of memory that it holds."""
        return int(self.told("statm").split()[1]) * os.sysconf("SC_PAGE_SIZE")

    @property
    def processor(self) -> float:
        """The seconds of processor time that it has taken."""
        user, system = self.told("stat").rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def told(self, name: str) -> str:
        return Path(f"/proc/{self.process.pid}/{name}").read_text()


@contextmanager
def served(command: list[str | Path], log: Path) -> Iterator[Served]:
    """The server that this command starts, and whose first line is its address."""
    with log.open("a") as errors:
        process = subprocess.Popen(command, env=PRODUCTION, stdout=subprocess.PIPE, stderr=errors, text=True)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        if not address:
            raise RuntimeError(f"A server does not start: {log.read_text()}")
        yield Served(process, address)
    finally:
        process.terminate()
        process.communicate()


def fuda(folder: Path, idle: float = 30.0, speed: float = 1.0) -> AbstractContextManager[Served]:
    """Fuda's, where a table sleeps when nobody has been there for so many seconds, and bots are so fast."""
    command: list[str | Path] = [sys.executable, BENCH / "load_fuda.py", folder / "fuda.db", str(idle), str(speed)]
    return served(command, folder / "fuda.log")


def bare(folder: Path, frames: list[str]) -> AbstractContextManager[Served]:
    """One that keeps each message, and sends these frames to the four at the table."""
    (folder / "frames.json").write_text(json.dumps(frames))
    return served([sys.executable, BENCH / "load_bare.py", folder / "bare.db", folder / "frames.json"], folder / "bare.log")


def boardgame(folder: Path, in_files: bool) -> AbstractContextManager[Served]:
    command: list[str | Path] = ["node", INSTALLED / "server.js"]
    return served([*command, folder / "matches"] if in_files else command, folder / "boardgame.log")


# boardgame.io ---------------------------------------------------------------------------------


def install_boardgame() -> str | None:
    """Makes sure that boardgame.io is installed; otherwise says why it cannot be."""
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
            return f"npm says: {(done.stderr or done.stdout).strip().splitlines()[-1]}"
        stamp.write_text(wanted)
    for file in BOARDGAME.glob("*.js"):
        shutil.copy(file, INSTALLED)
    return None


class BoardgamePlayers:
    """The players at boardgame.io's server, in a process of their own."""

    def __init__(self, server: Served, matches: int) -> None:
        command = ["node", str(INSTALLED / "players.js"), server.address, str(matches)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, env=PRODUCTION, stdin=pipe, stdout=pipe, text=True)

    def play(self, warming: float, seconds: float) -> dict[str, float]:
        """Moves and deliveries a second, as fast as it goes."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{warming} {seconds}\n")
        self.process.stdin.flush()
        rates: dict[str, float] = json.loads(self.process.stdout.readline())
        return rates

    def leave(self) -> None:
        self.process.terminate()
        self.process.communicate()
