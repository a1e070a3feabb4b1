"""Games at many tables, first in peace and then while the server is flooded, and how long the players wait."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import resource
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import msgspec

from fuda.protocol import messages
from fuda.server.store import Store
from tests.server import final_checks
from tests.server.parties import Group, Party, open_group
from tests.server.processes import PATIENCE, ServerProcess
from tests.server.protocol_client import Habits, Tab

HABITS: Final = Habits(thinks=4.0, twice=0.01, late=0.01, talks=0.005)
AT_ONCE: Final = 10
"""How many tables are opened at the same time."""
CUTS_PER_SECOND: Final = 2.0
SAMPLES: Final = 20
"""How often the memory of the server is measured in each part of the run."""
PARTIES: Final = [
    Party("schadenfreude", people=4, pace="none", spectators=0),
    Party("cursed_tricks", people=4, pace="none", spectators=0),
    Party("shinigami_preschool", people=3, pace="none", spectators=1),
    Party("frantic", people=4, pace="none", spectators=0),
    Party("kirifu", people=3, pace="none", spectators=1),
]


class Part(msgspec.Struct):
    """What was measured in one part of a run."""

    delays: list[float] = []
    memory: list[int] = []
    """Bytes of the server's memory, several times."""

    def percentile(self, share: float) -> float:
        """The milliseconds that this share of all acknowledgements took at most."""
        ordered = sorted(self.delays)
        return ordered[int(share * (len(ordered) - 1))] * 1000

    def describe(self) -> str:
        return (
            f"{len(self.delays)} moves, p50 {self.percentile(0.5):.1f} ms, p99 {self.percentile(0.99):.1f} ms, "
            f"memory {self.memory[0] / 1e6:.1f} to {self.memory[-1] / 1e6:.1f} MB"
        )


class Result(msgspec.Struct):
    calm: Part
    attacked: Part
    floods: dict[str, int]
    """How often each flood was begun."""
    complaints: list[str]
    """Errors in the server's log."""


class Players:
    """The players of all tables, who now and then lose their connection."""

    def __init__(self, server: ServerProcess, rng: random.Random, habits: Habits) -> None:
        self.server = server
        self.rng = rng
        self.habits = habits
        self.groups: list[Group] = []

    @property
    def tabs(self) -> list[Tab]:
        return [tab for group in self.groups for tab in group.tabs]

    @contextlib.asynccontextmanager
    async def playing(self, tables: int) -> AsyncIterator[None]:
        """Opens the tables and plays there until the end of the block."""
        async with contextlib.AsyncExitStack() as stack:
            for start in range(0, tables, AT_ONCE):
                parties = [PARTIES[number % len(PARTIES)] for number in range(start, min(start + AT_ONCE, tables))]
                opening = (open_group(party, [self.server.address], self.habits, self.rng) for party in parties)
                for group in await asyncio.gather(*opening):
                    await stack.enter_async_context(group)
                    self.groups.append(group)
            for group in self.groups:
                await group.until(group.is_complete, PATIENCE, clock, "everybody comes")
                await group.host.submit(messages.Start(group.host.new_id()))
            cutting = asyncio.create_task(self.cut_connections())
            renewing = asyncio.create_task(self.play_again())
            yield
            for task in (cutting, renewing):
                task.cancel()
                await asyncio.wait([task])
                if not task.cancelled():
                    task.result()

    async def cut_connections(self) -> None:
        while True:
            await asyncio.sleep(self.rng.expovariate(CUTS_PER_SECOND))
            tab = self.rng.choice(self.tabs)
            if tab.connection is not None:
                tab.connection.transport.abort()

    async def play_again(self) -> None:
        """Starts another game at the tables whose game is over; an error of any client ends the run."""
        while True:
            await asyncio.sleep(1)
            for group in self.groups:
                for task in group.tasks.values():
                    if task.done():
                        task.result()
                table = group.host.known.table
                if table is not None and not group.host.waiting and table.phase == "over":
                    await group.host.submit(messages.Rematch(group.host.new_id()))
                elif table is not None and not group.host.waiting and table.phase == "open":
                    await group.host.submit(messages.Start(group.host.new_id()))

    async def measure(self, seconds: float) -> Part:
        for tab in self.tabs:
            tab.delays.clear()
        part = Part([], [])
        for _ in range(SAMPLES):
            part.memory.append(self.server.resident())
            await asyncio.sleep(seconds / SAMPLES)
        part.memory.append(self.server.resident())
        part.delays = [delay for tab in self.tabs for delay in tab.delays]
        return part

    async def check(self, store: Store) -> None:
        """Everything acknowledged is in the log, once."""
        for group in self.groups:
            final_checks.check_log(await store.entries(group.table), group.tabs)


def clock() -> float:
    return asyncio.get_running_loop().time()


async def flooded(port: int, seconds: float) -> dict[str, int]:
    """Floods the server from another process; how often each flood was begun."""
    command = [sys.executable, "-m", "tests.server.attacker", str(port), str(seconds)]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    printed, _ = await process.communicate()
    assert process.returncode == 0, "the floods failed"
    times: dict[str, int] = json.loads(printed)
    return times


def is_error(line: str) -> bool:
    try:
        return bool(json.loads(line)["level"] in ("error", "critical"))
    except ValueError:
        return "Traceback" in line


async def attack(folder: Path, tables: int, seconds: float, seed: int = 1) -> Result:
    """A third of the time in peace, the rest under attack."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    url = f"sqlite:///{folder}/tables.db"
    async with ServerProcess(folder, "--db", url, "--workers", "1") as server:
        players = Players(server, random.Random(seed), HABITS)
        async with players.playing(tables):
            await players.measure(seconds / 12)  # so that everything is loaded
            calm = await players.measure(seconds / 4)
            flooding = asyncio.create_task(flooded(server.port, seconds * 2 / 3))
            attacked = await players.measure(seconds * 2 / 3)
            floods = await flooding
        store = await Store.opened(url)
        try:
            await players.check(store)
        finally:
            await store.close()
        complaints = [line for line in server.lines() if is_error(line)]
    return Result(calm, attacked, floods, complaints)
