"""Connection troubles stay small: the page says so quietly, comes back by itself, and a move arrives once."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import WebSocketRoute

from fuda.server import entries
from fuda.server.pace import Tempo
from fuda.server.table import Table
from tests.server.processes import ServerProcess
from tests.server.serving import FAST, Running, serving
from tests.web.browsing import PHONE, Tab, Visitors, asked_anew, play_on, play_one, since, visitors
from tests.web.positions import given_or_dealt
from tests.web.stages import staged

SOCKETS: Final = re.compile("/socket$")
HARMLESS: Final = ("WebSocket connection to", "Failed to load resource")
"""What a browser itself says where there is no server."""
STATUS: Final = "[role=status] p"
HIDDEN_AND_BACK: Final = """() => {
    let isHidden = true;
    Object.defineProperty(document, 'hidden', {configurable: true, get: () => isHidden});
    document.dispatchEvent(new Event('visibilitychange'));
    isHidden = false;
    document.dispatchEvent(new Event('visibilitychange'));
}"""


class Line:
    """The way between a page and the server, which can be disturbed."""

    def __init__(self) -> None:
        self.sockets: list[WebSocketRoute] = []
        self.is_dead = False
        """Nothing comes through any more, and nobody is told."""
        self.is_cut = False
        """Whoever connects is turned away."""
        self.turned_away = 0
        self.repeats = False
        """Everything arrives twice, and once more when the next thing has come."""

    @classmethod
    async def of(cls, tab: Tab) -> Line:
        line = cls()
        await tab.page.route_web_socket(SOCKETS, line.opened)
        return line

    async def opened(self, page: WebSocketRoute) -> None:
        self.sockets.append(page)
        if self.is_cut:
            await page.close(code=1013)
            self.turned_away += 1
            return
        is_dead = self.is_dead
        server = page.connect_to_server()
        earlier: list[str | bytes] = []

        def to_page(message: str | bytes) -> None:
            if self.is_dead or is_dead:
                return
            page.send(message)
            if self.repeats and '"kind":"event"' in str(message):
                for again in (message, *earlier[-1:]):
                    page.send(again)
                earlier.append(message)

        def to_server(message: str | bytes) -> None:
            if not self.is_dead:
                server.send(message)

        server.on_message(to_page)
        page.on_message(to_server)

    async def cut(self) -> None:
        self.is_cut = True
        await self.sockets[-1].close(code=1013)

    async def until(self, count: int) -> None:
        """Waits until so many have connected in all."""
        await until(lambda: len(self.sockets) >= count)


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(30):
        while not is_so():
            await asyncio.sleep(0.01)


def forgive(tab: Tab) -> None:
    """A browser may complain that there was no server, and of nothing else."""
    assert [fault for fault in tab.faults if not any(words in fault for words in HARMLESS)] == []
    tab.faults.clear()


async def hand_of(tab: Tab) -> list[str]:
    cards: list[str] = await tab.page.locator(".hand [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
    return cards


async def log_of(tab: Tab) -> list[str]:
    return await tab.page.locator(".log li").all_inner_texts()


async def moves_at(running: Running, table: str, seat: str = "A") -> list[str]:
    return [
        one.entry.move
        for one in await running.log(table)
        if isinstance(one.entry, entries.Played) and one.entry.seat == seat
    ]


TRICKS: Final = ("schadenfreude", ["me", "thumb", "thumb"])


# Elsewhere ----------------------------------------------------------------------------------------


def test_a_seat_is_taken_along_to_another_browser_by_a_link() -> None:
    async def do() -> None:
        async with serving() as running, visitors(running) as those:
            ann = await those.host(*TRICKS, pace="none")
            await ann.asked()
            hand = await hand_of(ann)
            await ann.page.locator("[aria-haspopup=dialog]").click()
            await ann.page.get_by_role("button", name="another device").click()
            link = await ann.page.locator("dialog input[readonly]").input_value()
            phone = await those.come(link, viewport=PHONE)
            await phone.page.get_by_role("button", name="Go on here").click()
            await phone.asked()
            assert await hand_of(phone) == hand
            before = await since(phone)
            played = await play_one(phone)
            await asked_anew(phone, before)
            assert played not in await hand_of(phone)
            await ann.page.wait_for_selector(".question", state="detached")
            forgive(ann)

    asyncio.run(do())


def test_two_tabs_of_one_seat_show_the_same_and_either_may_answer() -> None:
    async def do() -> None:
        async with serving() as running, visitors(running) as those:
            ann = await those.host(*TRICKS, pace="none")
            await ann.asked()
            other = Tab(ann.context, await ann.context.new_page())
            await other.page.goto(ann.page.url)
            await other.asked()
            for one, another in ((ann, other), (other, ann)):
                assert await hand_of(one) == await hand_of(another)
                before = await since(one)
                assert await since(another) == before
                played = await play_one(one)
                for tab in (one, another):
                    await asked_anew(tab, before)
                    assert played not in await hand_of(tab)
            assert len(await moves_at(running, ann.table)) == 2
            assert other.faults == []

    asyncio.run(do())


# The server ---------------------------------------------------------------------------------------


async def interrupted(folder: Path, is_killed: bool) -> None:
    """The server ends while a trick is on the table; a card is played meanwhile; it starts again."""
    async with ServerProcess(folder, "--db", str(folder / "tables.db"), "--speed", "50", "--workers", "1") as server:
        async with visitors(server) as those:
            ann = await those.host(*TRICKS, pace="none")
            await ann.asked()
            first = await since(ann)
            await play_one(ann)
            await asked_anew(ann, first)
            before = await since(ann)
            heard = len(await log_of(ann))
            await (server.kill() if is_killed else server.stop())
            await ann.page.wait_for_selector(STATUS)
            said = await ann.page.locator(STATUS).inner_text()
            assert said == (
                "Connecting again…" if is_killed else "The server is being restarted; the game goes on in a moment."
            )
            assert await ann.page.locator(".hand button").count() > 0, "the table is still there to be looked at"
            played = await play_one(ann)
            await server.start()
            await asked_anew(ann, before)
            await ann.page.wait_for_selector(STATUS, state="detached")
            assert played not in await hand_of(ann)
            fresh = [line for line in (await log_of(ann))[heard:] if line.startswith("Ann plays")]
            assert len(fresh) == 1, fresh
            assert played.split()[-1].replace("-", "−") in fresh[0].replace("-", "−")
            forgive(ann)
        assert server.complaints() == []


def test_a_server_that_is_killed_in_the_middle_of_a_trick_is_waited_for_and_a_card_arrives_once(tmp_path: Path) -> None:
    asyncio.run(interrupted(tmp_path, is_killed=True))


def test_a_restart_of_the_server_is_announced_and_survived(tmp_path: Path) -> None:
    asyncio.run(interrupted(tmp_path, is_killed=False))


# The way there ------------------------------------------------------------------------------------


def test_a_connection_that_dies_unnoticed_in_a_reaction_window_is_given_up_and_the_game_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Table, "new_game", given_or_dealt)

    async def do() -> None:
        async with serving() as running, visitors(running) as those:
            ann = await staged(those, "a reaction")
            line = await Line.of(ann)
            await ann.page.clock.install()
            await ann.page.reload()
            await ann.asked()
            line.is_dead = True
            await ann.page.clock.run_for(15_000)
            assert len(line.sockets) == 1, "it may just be quiet"
            assert await ann.page.locator(STATUS).count() == 0
            await ann.page.clock.run_for(10_000)
            line.is_dead = False
            await ann.page.clock.run_for(10_000)
            await line.until(2)
            before = await since(ann)
            await ann.page.get_by_role("button", name="Let it happen").click()
            await ann.page.wait_for_selector(f".question[data-since='{before}']", state="detached")
            await until_played(running, ann.table, ["pass"])
            forgive(ann)

    asyncio.run(do())


async def until_played(running: Running, table: str, moves: list[str]) -> None:
    async with asyncio.timeout(30):
        while (await moves_at(running, table))[: len(moves)] != moves:
            await asyncio.sleep(0.02)


def test_a_move_that_was_sent_into_a_dead_connection_arrives_once() -> None:
    async def do() -> None:
        async with serving() as running, visitors(running) as those:
            ann, line = await with_line(those)
            before = await since(ann)
            line.is_dead = True
            played = await play_one(ann)
            await ann.page.clock.run_for(22_000)
            line.is_dead = False
            await ann.page.clock.run_for(10_000)
            await asked_anew(ann, before)
            assert await moves_at(running, ann.table) == [played]
            forgive(ann)

    asyncio.run(do())


async def with_line(those: Visitors, **wishes: Any) -> tuple[Tab, Line]:
    """Somebody who is asked, on a line that can be disturbed and with a clock that can be set."""
    ann = await those.host(*TRICKS, pace="none", **wishes)
    await ann.asked()
    line = await Line.of(ann)
    await ann.page.clock.install()
    await ann.page.reload()
    await ann.asked()
    return ann, line


def test_whoever_comes_back_from_the_background_is_connected_at_once() -> None:
    async def do() -> None:
        async with serving() as running, visitors(running) as those:
            ann, line = await with_line(those)
            await line.cut()
            for _ in range(4):
                await ann.page.clock.run_for(4_000)  # it tries again, each time after a longer wait
            assert 3 <= len(line.sockets) <= 10
            await ann.page.clock.pause_at(await ann.page.evaluate("Date.now() + 60"))
            await until(lambda: line.turned_away == len(line.sockets) - 1)
            line.is_cut = False
            await ann.page.evaluate(HIDDEN_AND_BACK)
            await until(lambda: line.turned_away < len(line.sockets) - 1)
            before = await since(ann)
            await ann.page.clock.resume()
            await play_one(ann)
            await asked_anew(ann, before)
            forgive(ann)

    asyncio.run(do())


def test_whoever_comes_back_to_a_dead_connection_gets_a_new_one_within_seconds() -> None:
    async def do() -> None:
        async with serving() as running, visitors(running) as those:
            ann, line = await with_line(those)
            line.is_dead = True
            await ann.page.evaluate(HIDDEN_AND_BACK)
            await ann.page.clock.run_for(5_500)
            await line.until(2)
            line.is_dead = False
            await ann.page.clock.run_for(10_000)
            before = await since(ann)
            await play_one(ann)
            await asked_anew(ann, before)
            forgive(ann)

    asyncio.run(do())


def test_a_machine_that_was_asleep_connects_anew() -> None:
    async def do() -> None:
        async with serving() as running, visitors(running) as those:
            ann, line = await with_line(those)
            await ann.page.clock.fast_forward(3_600_000)
            await line.until(2)
            before = await since(ann)
            await play_one(ann)
            await asked_anew(ann, before)
            forgive(ann)

    asyncio.run(do())


def test_what_is_delivered_twice_or_late_changes_nothing() -> None:
    async def do() -> None:
        async with serving(tempo=Tempo(speed=500, bytes_wait=5)) as running, visitors(running) as those:
            ann = await those.come("/")
            line = await Line.of(ann)
            line.repeats = True
            table = {
                "game": "shinigami_preschool",
                "name": "Ann",
                "chairs": ["me", "thumb", "thumb"],
                "options": {"rounds": 1},
            }
            taken = await ann.post("/api/tables", {**table, "pace": "none", "start": True})
            await ann.page.goto(f"/t/{taken['table']}#{taken['invite']}")
            await play_on(ann, random.Random(2))
            game = (await running.table(taken["table"])).game
            assert game is not None
            assert game.over
            totals = await ann.page.locator(".end tfoot td").all_inner_texts()
            assert [int(total.replace("−", "-")) for total in totals] == [*game.totals.values()]
            shown = await log_of(ann)
            again = await again_at(ann)
            assert shown == await log_of(again), "the page that heard all twice tells the same as one that comes now"

    asyncio.run(do())


async def again_at(tab: Tab) -> Tab:
    """The same table in a fresh tab."""
    other = Tab(tab.context, await tab.context.new_page())
    await other.page.goto(tab.page.url)
    await other.page.wait_for_selector(".end h2")
    return other


# Being away ---------------------------------------------------------------------------------------


def test_a_bot_plays_for_whoever_is_gone_until_they_come_back() -> None:
    async def do() -> None:
        async with serving(tempo=FAST) as running, visitors(running) as those:
            ann = await those.host("schadenfreude", ["me", "open", "thumb"], start=False, pace="none")
            ben = await those.guest(ann, "Ben")
            await ben.page.wait_for_selector("main h1")
            await ann.page.get_by_role("button", name="Start the game").click()
            await ann.at_table()
            await ben.at_table()
            address = ben.page.url
            await ben.page.close()
            seat = ann.page.locator(".board .seat[data-seat=B]")
            played_for = seat.get_by_text("bot plays")
            await play_until(ann, played_for.is_visible)
            ben = Tab(ben.context, await ben.context.new_page())
            those.tabs.append(ben)
            await ben.page.goto(address)
            await ben.at_table()
            await played_for.wait_for(state="detached")
            await play_until(ben, lambda: is_asked(ann))
            await play_until(ann, lambda: is_asked(ben))

    asyncio.run(do())


async def is_asked(tab: Tab) -> bool:
    return await tab.page.locator(".question").count() > 0


async def play_until(tab: Tab, is_so: Callable[[], Any]) -> None:
    """Answers whatever is asked until something is seen."""
    async with asyncio.timeout(30):
        while not await is_so():
            if await tab.page.locator(".question").count():
                await play_on(tab, random.Random(1), 1)
            await asyncio.sleep(0.02)
