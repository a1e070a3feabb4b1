"""Whole games of all five in browsers, to the final score; no page receives or shows a card that its seat may not know."""

from __future__ import annotations

import asyncio
import contextlib
import random
from typing import Any, Final

import pytest
from playwright.async_api import TimeoutError as PlaywrightTimeout

import fuda
from tests.server.serving import Running
from tests.web.auditing import WatchedTab, findings, play_and_sample, spectate
from tests.web.browsers import PHONE, Browsers, Tab, answer
from tests.web.session import in_browser

NAMES: Final = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hana")
TABLES: Final[list[Any]] = [
    pytest.param("schadenfreude", 3, 0, {"target": 5}, id="schadenfreude"),
    pytest.param("cursed_tricks", 2, 1, {"rounds": 1}, id="cursed_tricks"),
    pytest.param("shinigami_preschool", 2, 2, {"rounds": 2}, id="shinigami_preschool"),
    pytest.param("frantic", 3, 3, {"scored": False}, id="frantic"),
    pytest.param("kirifu", 2, 1, {"games": 1, "characters": True}, id="kirifu"),
]
"""The game, the number of people and of bots, and its options."""
PHONES: Final = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


async def sit_down(browsers: Browsers, game: str, people: int, bots: int, options: dict[str, Any]) -> list[Tab]:
    """Starts a game with so many people, every second one on a phone."""
    chairs = ["me", *["open"] * (people - 1), *["thumb"] * bots]
    host = await browsers.host(game, chairs, start=False, options=options, pace="none", short_pauses=True)
    others = [
        await browsers.guest(host, name, short_pauses=True, **(PHONES if index % 2 else {}))
        for index, name in enumerate(NAMES[1:people], 1)
    ]
    await start(host, [host, *others])
    return [host, *others]


async def start(host: Tab, everybody: list[Tab]) -> None:
    await host.page.get_by_role("button", name="Start").click()
    for tab in everybody:
        await tab.at_table()


async def played(server: Running, tab: Tab) -> fuda.Game:
    """The game according to the table's log."""
    table = await server.table(tab.table)
    assert table.game is not None
    return table.game


async def shown_result(tab: Tab) -> tuple[list[str], list[int]]:
    """The winners and the totals that the page shows."""
    page = tab.page
    winners = await page.locator(".end thead th:has(.won) bdi").all_inner_texts()
    totals = await page.locator(".end tfoot td").all_inner_texts()
    return winners, [int(total.replace("−", "-")) for total in totals]


@pytest.mark.parametrize(("game", "people", "bots", "options"), TABLES)
@in_browser()
async def test_a_whole_game_ends_alike_in_every_tab_and_leaks_nothing(
    server: Running, browsers: Browsers, game: str, people: int, bots: int, options: dict[str, Any]
) -> None:
    tabs = await sit_down(browsers, game, people, bots, options)
    watched = [WatchedTab(tab) for tab in tabs]
    spectator = WatchedTab(await browsers.open(tabs[0].page.url, short_pauses=True))
    await spectator.tab.at_table()
    players = (play_and_sample(one, random.Random(index)) for index, one in enumerate(watched))
    await asyncio.gather(*players, spectate(spectator))
    end = await played(server, tabs[0])
    assert end.over
    names = [*NAMES[:people], *await bot_names(tabs[0], bots)]
    expected = [names["ABCDEFGH".index(seat)] for seat in end.winners or []], list(end.totals.values())
    for tab in tabs:
        await tab.page.wait_for_selector(".end h2")
        assert await shown_result(tab) == expected
        assert history_of(tab) == [note["kind"] for note in end.view(None)["history"]]
    found = await findings(server, [*watched, spectator])
    assert not found, "\n".join(found[:10])
    assert all(len(one.samples) > 2 for one in watched)
    if game == "shinigami_preschool":
        await tabs[-1].page.get_by_role("button", name="Play again").click()
        await start(tabs[0], tabs)
        assert (await server.table(tabs[0].table)).number == 2


async def bot_names(tab: Tab, bots: int) -> list[str]:
    names = await tab.page.locator(".end thead th bdi").all_inner_texts()
    return names[len(names) - bots :]


def history_of(tab: Tab) -> list[str]:
    """The kinds of all notes that this tab has received, in order."""
    notes: list[str] = []
    for game in tab.all_news:
        notes[game.get("first", 0) :] = [note["kind"] for note in game.get("notes", [])]
    return notes


@in_browser()
async def test_eight_people_play_in_eight_browsers(server: Running, browsers: Browsers) -> None:
    most = 4
    tabs = await sit_down(browsers, "frantic", 8, 0, {"scored": False})

    async def play_some(tab: Tab, rng: random.Random) -> None:
        while len((await played(server, tab)).played) < 8 * most and not await tab.page.query_selector(".end"):
            if await tab.page.query_selector(".question"):
                await answer(tab, rng)
            else:
                with contextlib.suppress(PlaywrightTimeout):  # the others may have made the last moves
                    await tab.page.wait_for_selector(".question, .end", timeout=500)

    await asyncio.gather(*(play_some(tab, random.Random(index)) for index, tab in enumerate(tabs)))
    moves = (await played(server, tabs[0])).played
    assert len(moves) >= 8 * most or (await played(server, tabs[0])).over
