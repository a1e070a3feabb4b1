"""The leak audit of the browser tests finds a leak."""

from __future__ import annotations

from tests.server.serving import Running
from tests.web.auditing import WatchedTab, findings
from tests.web.browsers import Browsers, Tab
from tests.web.session import in_browser
from tests.web.test_games import sit_down


@in_browser()
async def test_the_audit_finds_a_hidden_card_in_the_page(server: Running, browsers: Browsers) -> None:
    ann, ben = await sit_down(browsers, "shinigami_preschool", 2, 0, {"rounds": 1})
    card = (await hand_in(ben))[0]
    watched = WatchedTab(ann)
    await watched.sample()
    assert await findings(server, [watched]) == []
    await ann.page.evaluate("card => document.querySelector('.seat').setAttribute('data-top', card)", card)
    await watched.sample()
    assert [card in one for one in await findings(server, [watched])] == [True]


async def hand_in(tab: Tab) -> list[str]:
    cards: list[str] = await tab.page.locator(".hand button").evaluate_all("all => all.map(one => one.dataset.card)")
    return cards
