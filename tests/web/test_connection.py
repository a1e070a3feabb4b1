"""The page reconnects by itself after every kind of interruption, says so, and a move is played once."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from playwright.async_api import WebSocketRoute

from fuda.server import entries
from fuda.server.pace import Tempo
from tests.server.processes import ServerProcess
from tests.server.serving import FAST, Running
from tests.web.browsers import PHONE, Browsers, Tab, browsers_at, play_a_card, play_game, question_of, until_asked_again
from tests.web.session import in_browser
from tests.web.situations import open_situation

SOCKETS: Final = re.compile("/socket$")
HARMLESS: Final = ("WebSocket connection to", "Failed to load resource")
"""What browsers log where there is no server."""
STATUS: Final = "[role=status] p"
HIDDEN_AND_BACK: Final = """() => {
    let isHidden = true;
    Object.defineProperty(document, 'hidden', {configurable: true, get: () => isHidden});
    document.dispatchEvent(new Event('visibilitychange'));
    isHidden = false;
    document.dispatchEvent(new Event('visibilitychange'));
}"""


class Wire:
    """The connection between a page and the server, which can be disturbed."""

    def __init__(self) -> None:
        self.sockets: list[WebSocketRoute] = []
        self.is_dead = False
        """Messages get lost without an error."""
        self.is_cut = False
        """New connections are refused."""
        self.refused = 0
        self.repeats = False
        """Every event is delivered twice, and once more after the next one."""

    @classmethod
    async def of(cls, tab: Tab) -> Wire:
        wire = cls()
        await tab.page.route_web_socket(SOCKETS, wire.opened)
        return wire

    async def opened(self, page: WebSocketRoute) -> None:
        self.sockets.append(page)
        if self.is_cut:
            await page.close(code=1013)
            self.refused += 1
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
        """Waits until so many connections have been opened in all."""
        await until(lambda: len(self.sockets) >= count)


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.01)


def ignore_network_errors(tab: Tab) -> None:
    """The console may report that there was no server, and nothing else."""
    assert [fault for fault in tab.errors if not any(words in fault for words in HARMLESS)] == []
    tab.errors.clear()


async def hand_of(tab: Tab) -> list[str]:
    cards: list[str] = await tab.page.locator(".hand [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
    return cards


async def log_of(tab: Tab) -> list[str]:
    return await tab.page.locator(".log li").all_inner_texts()


async def moves_at(server: Running, table: str, seat: str = "A") -> list[str]:
    return [
        one.entry.move for one in await server.log(table) if isinstance(one.entry, entries.Played) and one.entry.seat == seat
    ]


TRICKS: Final = ("schadenfreude", ["me", "thumb", "thumb"])


# Devices and tabs ---------------------------------------------------------------------------------


@in_browser()
async def test_a_link_moves_a_seat_to_another_browser(browsers: Browsers) -> None:
    ann = await browsers.host(*TRICKS, pace="none")
    await ann.asked()
    hand = await hand_of(ann)
    await ann.page.locator("[aria-haspopup=dialog]").click()
    await ann.page.get_by_role("button", name="another device").click()
    link = await ann.page.locator("dialog input[readonly]").input_value()
    phone = await browsers.open(link, viewport=PHONE)
    await phone.page.get_by_role("button", name="Continue here").click()
    await phone.asked()
    assert await hand_of(phone) == hand
    before = await question_of(phone)
    played = await play_a_card(phone)
    await until_asked_again(phone, before)
    assert played not in await hand_of(phone)
    await ann.page.wait_for_selector(".question", state="detached")
    ignore_network_errors(ann)


@in_browser()
async def test_two_tabs_of_one_seat_show_the_same_and_either_may_answer(server: Running, browsers: Browsers) -> None:
    ann = await browsers.host(*TRICKS, pace="none")
    await ann.asked()
    other = Tab(ann.context, await ann.context.new_page())
    await other.page.goto(ann.page.url)
    await other.asked()
    for one, another in ((ann, other), (other, ann)):
        assert await hand_of(one) == await hand_of(another)
        before = await question_of(one)
        assert await question_of(another) == before
        played = await play_a_card(one)
        for tab in (one, another):
            await until_asked_again(tab, before)
            assert played not in await hand_of(tab)
    assert len(await moves_at(server, ann.table)) == 2
    assert other.errors == []


# The server ---------------------------------------------------------------------------------------


@in_browser()
async def test_the_page_survives_a_restart_and_a_crash_of_the_server(browsers: Browsers, tmp_path: Path) -> None:
    options = ("--db", str(tmp_path / "tables.db"), "--speed", "50", "--workers", "1")
    async with ServerProcess(tmp_path, *options) as server:
        async with browsers_at(browsers.browser, server) as visitors:
            ann = await visitors.host(*TRICKS, pace="none", short_pauses=True)
            await ann.asked()
            first = await question_of(ann)
            await play_a_card(ann)
            await until_asked_again(ann, first)
            await server.stop()
            await play_meanwhile(ann, server, "The server is restarting. The game continues in a moment.")
            await server.kill()
            await play_meanwhile(ann, server, "Reconnecting…")
            ignore_network_errors(ann)
        assert server.complaints() == []


async def play_meanwhile(ann: Tab, server: ServerProcess, status: str) -> None:
    """Plays a card while the server is down: it is played once, when the server has started again."""
    before = await question_of(ann)
    known = len(await log_of(ann))
    await ann.page.wait_for_selector(STATUS)
    assert await ann.page.locator(STATUS).inner_text() == status
    assert await ann.page.locator(".hand button").count() > 0, "the table is still shown"
    played = await play_a_card(ann)
    await server.start()
    await until_asked_again(ann, before)
    await ann.page.wait_for_selector(STATUS, state="detached")
    assert played not in await hand_of(ann)
    fresh = [line for line in (await log_of(ann))[known:] if line.startswith("Ann plays")]
    assert len(fresh) == 1, fresh
    assert played.split()[-1].replace("-", "−") in fresh[0].replace("-", "−")


# The connection -----------------------------------------------------------------------------------


@in_browser()
async def test_a_dead_connection_during_a_reaction_is_replaced(server: Running, browsers: Browsers) -> None:
    ann = await open_situation(browsers, "a reaction")
    wire = await Wire.of(ann)
    await ann.page.clock.install()
    await ann.page.reload()
    await ann.asked()
    wire.is_dead = True
    await ann.page.clock.run_for(15_000)
    assert len(wire.sockets) == 1, "silence alone is no reason to reconnect"
    assert await ann.page.locator(STATUS).count() == 0
    await ann.page.clock.run_for(10_000)
    wire.is_dead = False
    await ann.page.clock.run_for(10_000)
    await wire.until(2)
    before = await question_of(ann)
    await ann.page.get_by_role("button", name="Let it happen").click()
    await ann.page.wait_for_selector(f".question[data-since='{before}']", state="detached")
    await until_played(server, ann.table, ["pass"])
    ignore_network_errors(ann)


async def until_played(server: Running, table: str, moves: list[str]) -> None:
    async with asyncio.timeout(30):
        while (await moves_at(server, table))[: len(moves)] != moves:
            await asyncio.sleep(0.02)


@in_browser()
async def test_a_move_sent_into_a_dead_connection_is_played_once(server: Running, browsers: Browsers) -> None:
    ann, wire = await with_wire(browsers)
    before = await question_of(ann)
    wire.is_dead = True
    played = await play_a_card(ann)
    await ann.page.clock.run_for(22_000)
    wire.is_dead = False
    await ann.page.clock.run_for(10_000)
    await until_asked_again(ann, before)
    assert await moves_at(server, ann.table) == [played]
    ignore_network_errors(ann)


async def with_wire(browsers: Browsers, **options: Any) -> tuple[Tab, Wire]:
    """A tab that is asked, with a connection that can be disturbed and a clock that can be set."""
    ann = await browsers.host(*TRICKS, pace="none", **options)
    await ann.asked()
    wire = await Wire.of(ann)
    await ann.page.clock.install()
    await ann.page.reload()
    await ann.asked()
    return ann, wire


@in_browser()
async def test_a_page_back_from_the_background_reconnects_at_once(browsers: Browsers) -> None:
    ann, wire = await with_wire(browsers)
    await wire.cut()
    for _ in range(4):
        await ann.page.clock.run_for(4_000)  # it retries, each time after a longer wait
    assert 3 <= len(wire.sockets) <= 10
    await ann.page.clock.pause_at(await ann.page.evaluate("Date.now() + 60"))
    await until(lambda: wire.refused == len(wire.sockets) - 1)
    wire.is_cut = False
    await ann.page.evaluate(HIDDEN_AND_BACK)
    await until(lambda: wire.refused < len(wire.sockets) - 1)
    before = await question_of(ann)
    await ann.page.clock.resume()
    await play_a_card(ann)
    await until_asked_again(ann, before)
    ignore_network_errors(ann)


@in_browser()
async def test_a_page_back_from_the_background_replaces_a_dead_connection(browsers: Browsers) -> None:
    ann, wire = await with_wire(browsers)
    wire.is_dead = True
    await ann.page.evaluate(HIDDEN_AND_BACK)
    await ann.page.clock.run_for(5_500)
    await wire.until(2)
    wire.is_dead = False
    await ann.page.clock.run_for(10_000)
    before = await question_of(ann)
    await play_a_card(ann)
    await until_asked_again(ann, before)
    ignore_network_errors(ann)


@in_browser()
async def test_after_sleep_the_page_reconnects(browsers: Browsers) -> None:
    ann, wire = await with_wire(browsers)
    await ann.page.clock.fast_forward(3_600_000)
    await wire.until(2)
    before = await question_of(ann)
    await play_a_card(ann)
    await until_asked_again(ann, before)
    ignore_network_errors(ann)


@in_browser(tempo=Tempo(speed=500, bytes_wait=5))
async def test_repeated_and_late_messages_change_nothing(server: Running, browsers: Browsers) -> None:
    ann = await browsers.open("/", short_pauses=True)
    wire = await Wire.of(ann)
    wire.repeats = True
    table = {
        "game": "shinigami_preschool",
        "name": "Ann",
        "chairs": ["me", "thumb", "thumb"],
        "options": {"rounds": 1},
    }
    taken = await ann.post("/api/tables", {**table, "pace": "none", "start": True})
    await ann.page.goto(f"/t/{taken['table']}#{taken['invite']}")
    await play_game(ann, random.Random(2))
    game = (await server.table(taken["table"])).game
    assert game is not None
    assert game.over
    totals = await ann.page.locator(".end tfoot td").all_inner_texts()
    assert [int(total.replace("−", "-")) for total in totals] == [*game.totals.values()]
    shown = await log_of(ann)
    again = await reopen(ann)
    assert shown == await log_of(again), "repeated messages have changed the log"


async def reopen(tab: Tab) -> Tab:
    """The same table in a new tab."""
    other = Tab(tab.context, await tab.context.new_page())
    await other.page.goto(tab.page.url)
    await other.page.wait_for_selector(".end h2")
    return other


# Absent players ------------------------------------------------------------------------------------


@in_browser(tempo=FAST)
async def test_a_bot_plays_for_an_absent_player_until_they_return(browsers: Browsers) -> None:
    ann = await browsers.host("schadenfreude", ["me", "open", "thumb"], start=False, pace="none")
    ben = await browsers.guest(ann, "Ben")
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
    browsers.tabs.append(ben)
    await ben.page.goto(address)
    await ben.at_table()
    await played_for.wait_for(state="detached")
    await play_until(ben, lambda: is_asked(ann))
    await play_until(ann, lambda: is_asked(ben))


async def is_asked(tab: Tab) -> bool:
    return await tab.page.locator(".question").count() > 0


async def play_until(tab: Tab, condition: Callable[[], Any]) -> None:
    """Answers all questions until the condition holds."""
    async with asyncio.timeout(30):
        while not await condition():
            if await tab.page.locator(".question").count():
                await play_game(tab, random.Random(1), 1)
            await asyncio.sleep(0.02)
