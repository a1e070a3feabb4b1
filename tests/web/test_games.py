"""Whole games of all five, in browsers, to the final score; and no card comes to anybody who must not know it."""

from __future__ import annotations

import asyncio
import random
from typing import Any, Final

import pytest

import fuda
from tests.server.serving import Running, serving
from tests.web.auditing import Watched, findings, look_on, play_and_look
from tests.web.browsing import PHONE, Tab, Visitors, answer, visitors

NAMES: Final = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hana")
TABLES: Final[list[Any]] = [
    pytest.param("schadenfreude", 3, 0, {"target": 5}, id="schadenfreude"),
    pytest.param("cursed_tricks", 2, 1, {"rounds": 1}, id="cursed_tricks"),
    pytest.param("shinigami_preschool", 2, 2, {"rounds": 2}, id="shinigami_preschool"),
    pytest.param("frantic", 3, 3, {"scored": False}, id="frantic"),
    pytest.param("kirifu", 2, 1, {"games": 1, "characters": True}, id="kirifu"),
]
"""The game, how many people and how many bots play it, and its options."""
PHONES: Final = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


async def sit_down(those: Visitors, game: str, people: int, bots: int, options: dict[str, Any]) -> list[Tab]:
    """People at a table, every other one with a phone, when the game has begun."""
    chairs = ["me", *["open"] * (people - 1), *["thumb"] * bots]
    host = await those.host(game, chairs, start=False, options=options, pace="none")
    others = [await those.guest(host, name, **(PHONES if at % 2 else {})) for at, name in enumerate(NAMES[1:people], 1)]
    await begin(host, [host, *others])
    return [host, *others]


async def begin(host: Tab, everybody: list[Tab]) -> None:
    await host.page.get_by_role("button", name="Start").click()
    for tab in everybody:
        await tab.at_table()


async def played(running: Running, tab: Tab) -> fuda.Game:
    """The game as the table's log has it."""
    table = await running.table(tab.table)
    assert table.game is not None
    return table.game


async def shown_result(tab: Tab) -> tuple[list[str], list[int]]:
    """Who has won and how many points everybody has, as the page says it."""
    page = tab.page
    winners = await page.locator(".end thead th:has(.won) bdi").all_inner_texts()
    totals = await page.locator(".end tfoot td").all_inner_texts()
    return winners, [int(total.replace("−", "-")) for total in totals]


@pytest.mark.parametrize(("game", "people", "bots", "options"), TABLES)
def test_a_whole_game_comes_to_the_same_end_in_every_tab_and_tells_nobody_too_much(
    game: str, people: int, bots: int, options: dict[str, Any]
) -> None:
    async def do() -> None:
        async with serving() as running, visitors(running) as those:
            tabs = await sit_down(those, game, people, bots, options)
            watched = [Watched(tab) for tab in tabs]
            spectator = Watched(await those.come(tabs[0].page.url))
            await spectator.tab.at_table()
            players = (play_and_look(one, random.Random(at)) for at, one in enumerate(watched))
            await asyncio.gather(*players, look_on(spectator))
            end = await played(running, tabs[0])
            assert end.over
            names = [*NAMES[:people], *await bot_names(tabs[0], bots)]
            expected = [names["ABCDEFGH".index(seat)] for seat in end.winners or []], list(end.totals.values())
            for tab in tabs:
                await tab.page.wait_for_selector(".end h2")
                assert await shown_result(tab) == expected
                assert history_of(tab) == [note["kind"] for note in end.view(None)["history"]]
            found = await findings(running, [*watched, spectator])
            assert not found, "\n".join(found[:10])
            assert all(len(one.samples) > 2 for one in watched)
            if game == "shinigami_preschool":
                await tabs[-1].page.get_by_role("button", name="Play again").click()
                await begin(tabs[0], tabs)
                assert (await running.table(tabs[0].table)).number == 2

    asyncio.run(do())


async def bot_names(tab: Tab, bots: int) -> list[str]:
    names = await tab.page.locator(".end thead th bdi").all_inner_texts()
    return names[len(names) - bots :]


def history_of(tab: Tab) -> list[str]:
    """The kinds of all notes that this tab was sent, in order."""
    notes: list[str] = []
    for game in tab.all_news:
        notes[game.get("first", 0) :] = [note["kind"] for note in game.get("notes", [])]
    return notes


def test_eight_people_play_together_each_in_a_browser_of_their_own() -> None:
    most = 4

    async def do() -> None:
        async with serving() as running, visitors(running) as those:
            tabs = await sit_down(those, "frantic", 8, 0, {"scored": False})

            async def some(tab: Tab, chance: random.Random) -> None:
                while len((await played(running, tab)).played) < 8 * most and not await tab.page.query_selector(".end"):
                    if await tab.page.query_selector(".question"):
                        await answer(tab, chance)
                    else:
                        await tab.page.wait_for_timeout(50)

            await asyncio.gather(*(some(tab, random.Random(at)) for at, tab in enumerate(tabs)))
            moves = (await played(running, tabs[0])).played
            assert len(moves) >= 8 * most or (await played(running, tabs[0])).over

    asyncio.run(do())
