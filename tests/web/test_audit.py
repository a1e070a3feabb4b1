"""No card that a seat must not know comes to its browser: in no frame, no text and no attribute."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from tests.server.serving import serving
from tests.web.auditing import Watched, findings
from tests.web.browsing import Tab, answer, visitors
from tests.web.test_games import sit_down

TABLES: list[Any] = [
    pytest.param("frantic", 3, 1, {"scored": False}, id="frantic"),
    pytest.param("kirifu", 2, 1, {"games": 1, "characters": True}, id="kirifu"),
]


async def play_and_look(watched: Watched, chance: random.Random) -> None:
    """Plays to the end of the game, and looks at the page after every answer."""
    page = watched.tab.page
    while True:
        await page.wait_for_selector(".question, .end")
        if await page.query_selector(".end"):
            break
        if await answer(watched.tab, chance):
            await watched.look()
    await watched.look()


async def look_on(watched: Watched) -> None:
    """Somebody who only watches, and opens whatever can be opened."""
    page = watched.tab.page
    while not await page.query_selector(".end"):
        for button in await page.query_selector_all(".board button"):
            await button.evaluate("one => one.click()")
        await watched.look()
        await asyncio.sleep(0.3)


@pytest.mark.parametrize(("game", "people", "bots", "options"), TABLES)
def test_nobody_is_sent_or_shown_what_their_seat_may_not_know(
    game: str, people: int, bots: int, options: dict[str, Any]
) -> None:
    async def do() -> None:
        async with serving() as running, visitors(running) as those:
            tabs = await sit_down(those, game, people, bots, options)
            spectator = Watched(await those.come(tabs[0].page.url))
            await spectator.tab.at_table()
            watched = [Watched(tab) for tab in tabs]
            players = (play_and_look(one, random.Random(at)) for at, one in enumerate(watched))
            await asyncio.gather(*players, look_on(spectator))
            found = await findings(running, [*watched, spectator])
            assert not found, "\n".join(found[:10])
            assert all(len(one.samples) > 2 for one in watched)

    asyncio.run(do())


def test_the_audit_finds_a_card_that_is_hidden_in_the_page() -> None:
    async def do() -> None:
        async with serving() as running, visitors(running) as those:
            ann, ben = await sit_down(those, "shinigami_preschool", 2, 0, {"rounds": 1})
            card = (await hand_in(ben))[0]
            watched = Watched(ann)
            await watched.look()
            assert await findings(running, [watched]) == []
            await ann.page.evaluate("card => document.querySelector('.seat').setAttribute('data-top', card)", card)
            await watched.look()
            assert [card in one for one in await findings(running, [watched])] == [True]

    asyncio.run(do())


async def hand_in(tab: Tab) -> list[str]:
    cards: list[str] = await tab.page.locator(".hand button").evaluate_all("all => all.map(one => one.dataset.card)")
    return cards
