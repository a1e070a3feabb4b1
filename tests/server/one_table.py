"""One table at a server process, with clients that do only what a test tells them."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Final

from fuda.protocol import messages
from fuda.server.entries import READ, AnyEntry
from fuda.server.store import Store
from tests.server import final_checks
from tests.server.parties import Group, Party, open_group
from tests.server.processes import ServerProcess
from tests.server.protocol_client import Habits, Tab
from tests.server.proxy import Proxy

PATIENCE: Final = 40.0
TWO: Final = Party("shinigami_preschool", people=2, spectators=0, pace="none")
WITH_BOT: Final = Party("shinigami_preschool", people=1, bots=1, spectators=0, pace="none")


class OneTable:
    """A server behind a proxy, its database, and clients at one table that do nothing by themselves."""

    def __init__(self, server: ServerProcess, proxy: Proxy, store: Store, group: Group) -> None:
        self.server = server
        self.proxy = proxy
        self.store = store
        self.group = group
        self.is_disturbed = bool(server.options.count("--bus"))
        """Whether the server may log errors of services that were down."""

    @property
    def tabs(self) -> list[Tab]:
        return self.group.tabs

    async def until(self, is_so: Callable[[], bool], what: str) -> None:
        await self.group.until(is_so, PATIENCE, time.monotonic, what)

    async def start(self) -> Tab:
        """Starts the game; returns the client that is asked."""
        await self.until(lambda: all(tab.is_greeted for tab in self.tabs), "everybody comes")
        await self.group.host.submit(messages.Start(self.group.host.new_id()))
        return await self.asked()

    async def asked(self) -> Tab:
        await self.until(lambda: any(tab.known.ask for tab in self.tabs), "somebody is asked")
        return next(tab for tab in self.tabs if tab.known.ask)

    def other(self, tab: Tab) -> Tab:
        return next(one for one in self.tabs if one is not tab)

    async def play(self, tab: Tab) -> messages.Play:
        """Sends an answer."""
        play = answer_of(tab)
        await tab.submit(play)
        return play

    async def played(self, tab: Tab) -> messages.Play:
        """Answers, and waits for the acknowledgement."""
        play = await self.play(tab)
        await self.until(lambda: play.id in tab.acknowledged, "the move is acknowledged")
        return play

    async def restart(self) -> None:
        await self.server.kill()
        await self.server.start()

    async def back(self) -> None:
        """Waits until everybody is connected again."""
        await self.until(lambda: all(tab.is_greeted for tab in self.tabs), "everybody comes back")

    async def log(self) -> list[AnyEntry]:
        return [READ.decode(row.data) for row in await self.store.entries(self.group.table)]

    async def until_logged(self, is_so: Callable[[list[AnyEntry]], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not is_so(await self.log()):
                await asyncio.sleep(0.02)

    async def quiet_log(self, seconds: float = 1.0) -> int:
        """Waits until the log has not grown for this long; returns its length."""
        length, since = len(await self.log()), time.monotonic()
        while time.monotonic() - since < seconds:
            await asyncio.sleep(0.05)
            if len(await self.log()) != length:
                length, since = len(await self.log()), time.monotonic()
        return length

    async def check(self) -> None:
        """Everything acknowledged is in the log, once."""
        final_checks.check_log(await self.store.entries(self.group.table), self.tabs)


def answer_of(tab: Tab) -> messages.Play:
    assert tab.known.ask is not None
    return messages.Play(tab.new_id(), tab.known.ask.since, tab.known.ask.moves[0])


@contextlib.asynccontextmanager
async def one_table(
    folder: Path, party: Party = TWO, speed: float = 50, database: str = "", bus: str = ""
) -> AsyncIterator[OneTable]:
    url = database or f"sqlite:///{folder}/tables.db"
    options = ["--db", url, "--speed", str(speed), "--workers", "1", *(["--bus", bus] if bus else [])]
    async with (
        ServerProcess(folder, *options) as server,
        Proxy(server.port) as proxy,
        contextlib.AsyncExitStack() as stack,
    ):
        store = await Store.opened(url)
        stack.push_async_callback(store.close)
        group = await open_group(party, [proxy.address], Habits(), random.Random(1))
        for tab in group.tabs:
            tab.answers = False
        async with group:
            it = OneTable(server, proxy, store, group)
            yield it
        assert it.is_disturbed or server.complaints() == []


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def in_time() -> None:
        async with asyncio.timeout(3 * PATIENCE):
            await test()

    asyncio.run(in_time())
