"""Kills servers and disturbs connections repeatedly while whole games are played at many tables."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

import fuda
from fuda.server.store import Store
from tests.server.parties import Group, Party, open_group
from tests.server.processes import ServerProcess
from tests.server.protocol_client import Habits
from tests.server.proxy import Link, Proxy

SPEED: Final = "60"
BOUND: Final = 30.0
"""The longest time without progress, even on a busy machine; a server takes a second or more to start."""
LONGEST_CALM: Final = 180.0
LONGEST_KILL: Final = 20.0
"""The time limit of a run, and what each kill adds to it, on a very slow machine."""
IN_CHAOS: Final = Habits(thinks=0.1, twice=0.1, late=0.1, talks=0.02)
"""Answers are delayed, so that servers are killed during games."""
HURRY: Final = Habits(thinks=0.0, twice=0.02, late=0.02)

PARTIES: Final = [
    Party("schadenfreude", people=4, pace="normal", options={"target": 20}),
    Party("cursed_tricks", people=4, pace="none", options={"rounds": 2}, second_tabs=1),
    Party("shinigami_preschool", people=4, pace="relaxed", options={"rounds": 2}),
    Party("frantic", people=4, pace="normal", options={"length": "short"}, second_tabs=1),
    Party("kirifu", people=4, pace="none", options={"games": 1}),
    Party("schadenfreude", people=2, bots=2, pace="relaxed", options={"target": 20}, second_tabs=2),
]


Fault = Callable[["Chaos"], Awaitable[None]]
"""Something that goes wrong, and is right again when it returns."""


class Chaos:
    """Servers behind proxies, which are killed and disturbed."""

    def __init__(self, servers: list[ServerProcess], proxies: list[Proxy], store: Store, seed: int, kills: int) -> None:
        self.servers = servers
        self.proxies = proxies
        self.store = store
        self.rng = random.Random(seed)
        self.kills_left = kills
        self.is_over = False
        self.habits = Habits(IN_CHAOS.thinks, IN_CHAOS.twice, IN_CHAOS.late, IN_CHAOS.talks)
        self.groups: set[Group] = set()
        self.down = 0.0
        self.down_since: float | None = None
        self.games = 0
        self.moves = 0

    @property
    def doors(self) -> list[str]:
        return [proxy.address for proxy in self.proxies]

    async def run(self, parties: Sequence[Party], faults: Sequence[Fault]) -> None:
        """Plays at all tables while servers are killed, connections disturbed, and these faults happen in turn."""
        async with asyncio.TaskGroup() as tasks:
            disturbing = tasks.create_task(self.disturb())
            playing = [tasks.create_task(self.play_on(party)) for party in parties]
            await self.kill_repeatedly()
            while faults and len(self.groups) < len(parties):
                await asyncio.sleep(0.02)
            for fault in faults:
                await self.until_all_progress()
                async with self.stopped():
                    await fault(self)
                await self.until_all_progress()
            self.is_over = True
            disturbing.cancel()
            self.stop_disturbing()
            await asyncio.gather(*playing)

    @contextlib.asynccontextmanager
    async def stopped(self) -> AsyncIterator[None]:
        """While nothing can be expected to go on: this time does not count."""
        begun = self.down_since = asyncio.get_running_loop().time()
        try:
            yield
        finally:
            self.down += asyncio.get_running_loop().time() - begun
            self.down_since = None

    # What happens to the servers --------------------------------------------------------------------

    async def kill_repeatedly(self) -> None:
        while self.kills_left:
            if self.rng.random() < 0.5:
                await self.until_all_progress()
            await asyncio.sleep(self.rng.uniform(0.0, 0.8))
            await self.kill(self.rng.choice(self.servers))

    async def kill(self, server: ServerProcess) -> None:
        """Kills a server and starts it again, sometimes after another kill during the start."""
        await server.kill()
        self.kills_left -= 1
        begun = asyncio.get_running_loop().time()
        self.down_since = begun if len(self.servers) == 1 else None
        await asyncio.sleep(self.rng.choice((0.0, 0.0, 0.3)))
        if self.kills_left and self.rng.random() < 0.1:
            await server.launch()
            await asyncio.sleep(self.rng.uniform(0.1, 0.6))
            await server.kill()
            self.kills_left -= 1
        await server.start()
        if self.down_since is not None:
            self.down += asyncio.get_running_loop().time() - begun
            self.down_since = None

    async def until_all_progress(self) -> None:
        """Waits until every table has progressed, however slow the machine is."""
        before = {group: group.version for group in self.groups}
        until = asyncio.get_running_loop().time() + BOUND
        while any(one.is_playing and one.version == before.get(one) for one in self.groups):
            assert asyncio.get_running_loop().time() < until, "a table does not go on"
            await asyncio.sleep(0.02)

    # What happens to the connections ----------------------------------------------------------------

    async def disturb(self) -> None:
        """Disturbs connections, several at the same time."""
        async with asyncio.TaskGroup() as spoilt:
            while True:
                await asyncio.sleep(self.rng.uniform(0.05, 0.3))
                links = [link for proxy in self.proxies for link in proxy.links]
                if links:
                    spoilt.create_task(self.disturb_one(self.rng.choice(links)))

    async def disturb_one(self, link: Link) -> None:
        match self.rng.choice(("cut", "midway", "hole", "deaf", "mute", "slow")):
            case "cut":
                link.cut()
            case "midway":
                link.cut_midway()
            case "hole":
                await self.hold(link)
            case "deaf":
                link.hold(link.down)
                await self.hold(link)
            case "mute":
                link.hold(link.up)
                await self.hold(link)
            case "slow":
                for flow in link.flows:
                    flow.delay = self.rng.uniform(0.0, 0.2)
                await asyncio.sleep(self.rng.uniform(0.2, 2.0))
                for flow in link.flows:
                    flow.delay = 0.0

    async def hold(self, link: Link) -> None:
        """Holds all data back for a while, shorter or longer than the timeouts; then it is delivered late, or never."""
        if all(flow.is_open.is_set() for flow in link.flows):
            link.hold()
        await asyncio.sleep(self.rng.choice((0.3, 1.5, 4.0)))
        if self.rng.random() < 0.5:
            link.cut()
        link.let_go()

    def stop_disturbing(self) -> None:
        """Ends all disturbances, so that the games finish quickly."""
        for proxy in self.proxies:
            for link in proxy.links:
                link.let_go()
                for flow in link.flows:
                    flow.delay = 0.0
        self.habits.thinks, self.habits.twice, self.habits.late = HURRY.thinks, HURRY.twice, HURRY.late
        self.habits.talks = HURRY.talks

    # The tables -------------------------------------------------------------------------------------

    async def play_on(self, party: Party) -> None:
        """Plays whole games, at the same table or at a new one, until the chaos is over."""
        rng = random.Random(self.rng.getrandbits(60))
        while True:
            async with await open_group(party, self.doors, self.habits, rng) as group:
                self.groups.add(group)
                number = 1
                while True:
                    await self.play_one(group, number)
                    if self.is_over:
                        return
                    if rng.random() < 0.5:
                        break
                    number += 1

    async def play_one(self, group: Group, number: int) -> None:
        try:
            await group.play_through(number, BOUND, self.up_time)
            self.moves += await group.check(number, self.store)
            self.games += 1
        except Exception as error:
            rows = await self.store.entries(group.table)
            raise AssertionError(f"{error}\n{group.describe(rows)}") from error

    def up_time(self) -> float:
        """A clock that stands still while all servers are down."""
        now = asyncio.get_running_loop().time()
        return (now if self.down_since is None else self.down_since) - self.down


@contextlib.asynccontextmanager
async def chaos(folder: Path, database: str, bus: str | None, processes: int, seed: int, kills: int) -> AsyncIterator[Chaos]:
    """Servers on one database, each behind a proxy."""
    options = ["--db", database, "--speed", SPEED, "--workers", "1", "--behind-proxy", *(["--bus", bus] if bus else [])]
    async with contextlib.AsyncExitStack() as stack:
        servers = [
            await stack.enter_async_context(ServerProcess(folder, *options, name=f"server{place}"))
            for place in range(processes)
        ]
        proxies = [await stack.enter_async_context(Proxy(server.port)) for server in servers]
        store = await Store.opened(database)
        stack.push_async_callback(store.close)
        yield Chaos(servers, proxies, store, seed, kills)


async def survive(
    folder: Path,
    database: str,
    bus: str | None = None,
    processes: int = 1,
    kills: int = 0,
    faults: Sequence[Fault] = (),
    expected: Sequence[str] = (),
) -> None:
    """A whole run; an error is reported with the seed and the logs. The servers may log what is `expected`."""
    seed = int(os.environ.get("FUDA_SEED") or random.SystemRandom().getrandbits(32))
    begun = time.monotonic()
    async with chaos(folder, database, bus, processes, seed, kills) as running:
        try:
            async with asyncio.timeout(LONGEST_CALM + LONGEST_KILL * kills):
                await running.run(PARTIES, faults)
        except Exception as error:
            raise AssertionError(f"FUDA_SEED={seed}\n{story(error)}\n{tails(running.servers)}") from error
        complaints = [
            line
            for server in running.servers
            for line in server.complaints()
            if "Traceback" in line or not any(words in line for words in expected)
        ]
    assert not complaints, f"FUDA_SEED={seed}\n" + "\n".join(complaints[:20])
    took = time.monotonic() - begun
    longest = max(group.longest for group in running.groups)
    happened = f"{kills} kills, {len(faults)} other faults"
    print(f"{happened}, {running.games} games, {running.moves} acknowledged moves in {took:.0f} s")
    print(f"longest wait {longest:.1f} s")


def story(error: BaseException) -> str:
    """All errors of a group, in one text."""
    if isinstance(error, BaseExceptionGroup):
        return "\n".join(story(one) for one in error.exceptions)
    return f"{type(error).__name__}: {error}"


def tails(servers: Sequence[ServerProcess]) -> str:
    return "\n".join(f"{server.log.name}:\n  " + "\n  ".join(server.lines()[-15:]) for server in servers)


def kills_each() -> int:
    """The kills in each of the two tests."""
    # Interpreted servers are slow to play and to start, and die no differently.
    usual = 50 if fuda.compiled else 4
    return max(1, int(os.environ.get("FUDA_KILLS") or usual) // 2)
