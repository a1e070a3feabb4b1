"""The turns of `make load`: every server plays the same, one after the other and again, and the medians are compared."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
from collections.abc import Callable, Coroutine
from dataclasses import astuple, dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import load_servers
from load_clients import SEATS, Crowd, Measured
from load_servers import Served
from load_tables import FudaTable, at_bare, at_fuda, take_seats

FUDA = "Fuda"
BARE = "bare server"
BOARDGAME = "boardgame.io"
BOARDGAME_FILES = "boardgame.io, in files"


@dataclass(frozen=True)
class Extent:
    """How much is played."""

    rounds: int = 3
    tables: int = 250
    warming: float = 3.0
    """Seconds that do not count."""
    steady_seconds: float = 20.0
    fast_seconds: float = 8.0
    many: int = 1000
    """Tables at the same time, for the measurement of memory."""
    every: float = 4.0
    """At each of those a move is made in so many seconds."""
    moves_each: int = 72
    """So many moves have been made there when memory is measured: half a game."""
    batch: int = 50
    """So many of those are awake at the same time while it is measured what those leave behind that sleep."""


@dataclass
class Figures:
    """What a server has shown."""

    middle: float = 0.0
    """Half of the moves have reached everybody after so many milliseconds."""
    late: float = 0.0
    """And all but one in a hundred after so many."""
    busy: float = 0.0
    """The share of a core that this took."""
    deliveries: float = 0.0
    """A second, as fast as it goes."""
    moves: float = 0.0
    resident: float = 0.0
    """Bytes of memory while everybody is there."""


def medians(turns: list[Figures]) -> Figures:
    return Figures(*(statistics.median(figure) for figure in zip(*map(astuple, turns), strict=True)))


class Turns:
    """Every server's turns, first in one order and then in the other."""

    def __init__(self, extent: Extent, folder: Path, tell: Callable[[str], None]) -> None:
        self.extent = extent
        self.folder = folder
        self.tell = tell
        self.frames: list[str] = []
        """What four people heard of a move."""

    def play(self, peers: list[str]) -> dict[str, Figures]:
        names = [FUDA, BARE, *peers]
        turns: dict[str, list[Figures]] = {name: [] for name in names}
        for number in range(self.extent.rounds):
            for name in names if number % 2 == 0 else reversed(names):
                self.tell(f"Turn {number + 1} of {self.extent.rounds}: {name} …")
                with tempfile.TemporaryDirectory(dir=self.folder) as folder:
                    turns[name].append(self.turn_of(name, Path(folder)))
        return {name: medians(turns[name]) for name in names}

    def turn_of(self, name: str, folder: Path) -> Figures:
        if name == FUDA:
            with load_servers.fuda(folder) as server:
                seats = take_seats(server.address, self.extent.tables)
                return asyncio.run(self.play_at(server, at_fuda(server.address, seats)))
        if name == BARE:
            with load_servers.bare(folder, self.frames) as server:
                return asyncio.run(self.play_at(server, at_bare(server.address, self.extent.tables)))
        with load_servers.boardgame(folder, in_files=name == BOARDGAME_FILES) as server:
            extent = self.extent
            rates, resident = load_servers.play_boardgame(server, extent.tables, extent.warming, extent.fast_seconds)
            return Figures(deliveries=rates["deliveries"], moves=rates["moves"], resident=resident)

    async def play_at(self, server: Served, sitting: Coroutine[Any, Any, Crowd]) -> Figures:
        extent = self.extent
        crowd = await sitting
        begun, taken = monotonic(), server.processor
        steady = await crowd.play_steadily(1.0, extent.warming, extent.steady_seconds)
        busy = (server.processor - taken) / (monotonic() - begun)
        await crowd.finish_moves()
        self.keep_frames(crowd, steady)
        fast = await crowd.play_fast(extent.warming, extent.fast_seconds)
        resident = server.resident
        crowd.leave()
        return Figures(steady.percentile(0.5), steady.percentile(0.99), busy, fast.deliveries, fast.moves, resident)

    def keep_frames(self, crowd: Crowd, steady: Measured) -> None:
        """Keeps what the four have heard at the table where that was nearest to the usual size."""
        heard = [table.frames for table in crowd.tables if isinstance(table, FudaTable)]
        if heard:
            usual = SEATS * steady.size / steady.frames
            nearest = min(heard, key=lambda frames: abs(sum(map(len, frames)) - usual))
            self.frames = [frame.decode() for frame in nearest]
