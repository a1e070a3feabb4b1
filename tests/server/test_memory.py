"""A server gives back the memory of every move."""

from __future__ import annotations

import asyncio
import os
import random
from pathlib import Path
from typing import Final

from tests.server.attack import Players
from tests.server.processes import ServerProcess
from tests.server.protocol_client import Habits

MOVES: Final = int(os.environ.get("FUDA_SERVED_MOVES") or 100_000)
TABLES: Final = 10
"""Few, so that what the server remembers of each, such as its last events, is soon full."""
SPEED: Final = "1000"
"""Nobody waits for bots, reactions or credits."""
LOST_PER_MOVE: Final = 60
"""Bytes per move that are too many; the vectors that were once lost cost about 220."""
SLACK: Final = 1_000_000
"""Bytes by which the memory of any process goes up and down."""


async def played(players: Players, moves: int) -> int:
    """Waits until as many moves have been acknowledged; returns the server's memory then."""
    while sum(len(tab.delays) for tab in players.tabs) < moves:
        await asyncio.sleep(0.2)
    return players.server.resident()


def test_memory_is_flat_while_games_are_played(tmp_path: Path) -> None:
    async def do() -> tuple[int, int]:
        url = f"sqlite:///{tmp_path}/tables.db"
        async with ServerProcess(tmp_path, "--db", url, "--workers", "1", "--speed", SPEED) as server:
            players = Players(server, random.Random(1), Habits())
            async with players.playing(TABLES):
                return await played(players, MOVES // 2), await played(players, MOVES)

    early, late = asyncio.run(do())
    print(f"{early / 1e6:.1f} MB after {MOVES // 2} moves, {late / 1e6:.1f} MB after {MOVES}")
    assert late - early < LOST_PER_MOVE * MOVES // 2 + SLACK
