"""The audit that whole games go through in browsers finds what it is there to find."""

from __future__ import annotations

import asyncio

from tests.server.serving import serving
from tests.web.auditing import Watched, findings
from tests.web.browsing import Tab, visitors
from tests.web.test_games import sit_down


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
