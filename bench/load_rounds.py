"""The turns of `make load`: all servers are there, with all their players, and take turns that last for seconds.

So a busy moment of the machine hits all alike.
"""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

import load_servers
from load_clients import SEATS, Crowd, Measured, Mishaps
from load_servers import BoardgamePlayers, Served
from load_tables import FudaTable, at_bare, at_fuda, take_seats

FUDA = "Fuda"
BARE = "bare server"
BOARDGAME = "boardgame.io"
BOARDGAME_FILES = "boardgame.io, in files"
FIRST_MOVES = 10
"""So many moves are made at each table of Fuda's to see how long its frames are."""


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
    """At each of those a move is made in so many seconds."""
    many_seconds: float = 40.0
    moves_each: int = 72
    """So many moves have been made there when memory is measured: half a game."""
    batch: int = 50
    """So many of those are awake at the same time while it is measured what those leave behind that sleep."""


@dataclass
class Side:
    """A server with its players, and what it has shown."""

    server: Served
    steady: Measured = field(default_factory=Measured)
    busy: list[float] = field(default_factory=list)
    """The share of a core that it took while a move a second was made at each table."""
    moves: list[float] = field(default_factory=list)
    """A second, as fast as it goes."""
    deliveries: list[float] = field(default_factory=list)
    resident: int = 0
    """The bytes of memory that it held last."""

    async def play_steadily(self, extent: Extent) -> None:
        """Nothing, where it is not asked for."""

    async def play_fast(self, extent: Extent) -> None:
        raise NotImplementedError

    def leave(self) -> None:
        raise NotImplementedError


@dataclass
class CrowdSide(Side):
    crowd: Crowd = field(kw_only=True)

    async def play_steadily(self, extent: Extent) -> None:
        begun, taken = monotonic(), self.server.processor
        self.steady.add(await self.crowd.play_steadily(1.0, extent.warming, extent.steady_seconds))
        self.busy.append((self.server.processor - taken) / (monotonic() - begun))

    async def play_fast(self, extent: Extent) -> None:
        measured = await self.crowd.play_fast(extent.warming, extent.fast_seconds)
        self.moves.append(measured.moves)
        self.deliveries.append(measured.deliveries)
        self.resident = self.server.resident

    def leave(self) -> None:
        self.crowd.leave()


@dataclass
class BoardgameSide(Side):
    players: BoardgamePlayers = field(kw_only=True)

    async def play_fast(self, extent: Extent) -> None:
        # In a thread, because the other players have to go on answering whether they are there.
        rates = await asyncio.to_thread(self.players.play, extent.warming, extent.fast_seconds)
        self.moves.append(rates["moves"])
        self.deliveries.append(rates["deliveries"])
        self.resident = self.server.resident

    def leave(self) -> None:
        self.players.leave()


class Turns:
    def __init__(self, extent: Extent, folder: Path, tell: Callable[[str], None]) -> None:
        self.extent = extent
        self.folder = folder
        self.tell = tell

    async def play(self, peers: list[str]) -> dict[str, Side]:
        with ExitStack() as stack:
            sides = await self.sit_down(stack, peers)
            names = [*sides]
            for turn in range(self.extent.turns):
                self.tell(f"Turn {turn + 1} of {self.extent.turns} …")
                order = names if turn % 2 == 0 else names[::-1]
                for name in order:
                    await sides[name].play_steadily(self.extent)
                for name in order:
                    await sides[name].play_fast(self.extent)
            for side in sides.values():
                side.leave()
        return sides

    async def sit_down(self, stack: ExitStack, peers: list[str]) -> dict[str, Side]:
        self.tell(f"{self.extent.tables} tables sit down everywhere …")
        mishaps = Mishaps()
        server = stack.enter_context(load_servers.fuda(self.folder))
        crowd = await at_fuda(server.address, take_seats(server.address, self.extent.tables), mishaps)
        sides: dict[str, Side] = {FUDA: CrowdSide(server, crowd=crowd)}
        await crowd.play_moves(FIRST_MOVES)
        server = stack.enter_context(load_servers.bare(self.folder, usual_frames(crowd)))
        sides[BARE] = CrowdSide(server, crowd=await at_bare(server.address, self.extent.tables, mishaps))
        for name in peers:
            server = stack.enter_context(load_servers.boardgame(self.folder, in_files=name == BOARDGAME_FILES))
            sides[name] = BoardgameSide(server, players=BoardgamePlayers(server, self.extent.tables))
        return sides


def usual_frames(crowd: Crowd) -> list[str]:
    """What the four have heard of the last move, at the table where that was nearest to the usual size."""
    heard = [table.frames for table in crowd.tables if isinstance(table, FudaTable)]
    usual = statistics.mean(len(frame) for frames in heard for frame in frames)
    nearest = min(heard, key=lambda frames: abs(sum(map(len, frames)) - SEATS * usual))
    return [frame.decode() for frame in nearest]
