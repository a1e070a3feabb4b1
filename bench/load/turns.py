"""The turns of `make load`: all servers run, with all their players, and take turns of a few seconds.

So a busy moment of the machine affects all alike.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from bench.load import servers
from bench.load.clients import SEATS, Failures, Measured, Players
from bench.load.servers import BoardgamePlayers, Server
from bench.load.tables import FudaTable, play_at_bare, play_at_fuda, take_seats

FUDA = "Fuda"
BARE = "bare server"
BOARDGAME = "boardgame.io"
BOARDGAME_FILES = "boardgame.io, in files"
FIRST_MOVES = 10
"""Moves at each table of Fuda's that show how long its frames are."""


@dataclass(frozen=True)
class Extent:
    """How much is played."""

    turns: int = 10
    tables: int = 250
    warming: float = 1.0
    """Seconds of each turn that do not count."""
    steady_seconds: float = 4.0
    fast_seconds: float = 3.0
    many: int = 1000
    """Tables at the same time, for the measurement of memory."""
    every: float = 4.0
    """Seconds between two moves at each of those."""
    many_seconds: float = 40.0
    moves_each: int = 72
    """Moves at each of those before memory is measured: half a game."""
    batch: int = 50
    """How many of those are awake at the same time while the memory of sleeping ones is measured."""


@dataclass
class Side:
    """A server with its players, and what was measured."""

    server: Server
    steady: Measured = field(default_factory=Measured)
    busy: list[float] = field(default_factory=list)
    """The share of a core that it took with one move a second at each table."""
    moves: list[float] = field(default_factory=list)
    """Moves a second, as fast as possible."""
    deliveries: list[float] = field(default_factory=list)
    resident: int = 0
    """The bytes of memory that it held last."""

    async def play_steadily(self, extent: Extent) -> None:
        """Measured only where it is compared."""

    async def play_fast(self, extent: Extent) -> None:
        raise NotImplementedError

    def close(self) -> None:
        """Closes the players' connections."""


@dataclass
class PlayersSide(Side):
    players: Players = field(kw_only=True)

    async def play_steadily(self, extent: Extent) -> None:
        start, taken = monotonic(), self.server.processor
        self.steady.add(await self.players.play_steadily(1.0, extent.warming, extent.steady_seconds))
        self.busy.append((self.server.processor - taken) / (monotonic() - start))

    async def play_fast(self, extent: Extent) -> None:
        measured = await self.players.play_fast(extent.warming, extent.fast_seconds)
        self.moves.append(measured.moves)
        self.deliveries.append(measured.deliveries)
        self.resident = self.server.resident

    def close(self) -> None:
        self.players.close()


@dataclass
class BoardgameSide(Side):
    players: BoardgamePlayers = field(kw_only=True)

    async def play_fast(self, extent: Extent) -> None:
        rates = await self.players.play(extent.warming, extent.fast_seconds)
        self.moves.append(rates["moves"])
        self.deliveries.append(rates["deliveries"])
        self.resident = self.server.resident


class Turns:
    def __init__(self, extent: Extent, folder: Path, show_progress: Callable[[str], None]) -> None:
        self.extent = extent
        self.folder = folder
        self.show_progress = show_progress

    async def play(self, peers: list[str]) -> dict[str, Side]:
        with ExitStack() as stack:
            sides = await self.start(stack, peers)
            names = [*sides]
            for turn in range(self.extent.turns):
                self.show_progress(f"Turn {turn + 1} of {self.extent.turns} …")
                order = names if turn % 2 == 0 else names[::-1]
                for name in order:
                    await sides[name].play_steadily(self.extent)
                for name in order:
                    await sides[name].play_fast(self.extent)
            for side in sides.values():
                side.close()
        return sides

    async def start(self, stack: ExitStack, peers: list[str]) -> dict[str, Side]:
        """Starts all servers, and fills their tables with players."""
        self.show_progress(f"Starting {self.extent.tables} tables on each server …")
        failures = Failures()
        server = stack.enter_context(servers.fuda(self.folder))
        players = await play_at_fuda(server.address, take_seats(server.address, self.extent.tables), failures)
        sides: dict[str, Side] = {FUDA: PlayersSide(server, players=players)}
        await players.play_moves(FIRST_MOVES)
        server = stack.enter_context(servers.bare(self.folder, typical_frames(players)))
        sides[BARE] = PlayersSide(server, players=await play_at_bare(server.address, self.extent.tables, failures))
        for name in peers:
            server = stack.enter_context(servers.boardgame(self.folder, in_files=name == BOARDGAME_FILES))
            others = stack.enter_context(servers.boardgame_players(server, self.extent.tables, servers.PLAYERS))
            sides[name] = BoardgameSide(server, players=others)
        return sides


def typical_frames(players: Players) -> list[str]:
    """What the four received for the last move, at the table where that was nearest to the average size."""
    received = [table.frames for table in players.tables if isinstance(table, FudaTable)]
    average = statistics.mean(len(frame) for frames in received for frame in frames)
    nearest = min(received, key=lambda frames: abs(sum(map(len, frames)) - SEATS * average))
    return [frame.decode() for frame in nearest]
