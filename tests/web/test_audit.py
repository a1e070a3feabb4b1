"""The leak audit of the browser tests finds a leak."""

from __future__ import annotations

import fuda
from tests.server.serving import Running
from tests.web.auditing import WatchedTab, findings
from tests.web.browsers import Browsers, Tab
from tests.web.positions import Position, sit_at
from tests.web.session import SLOW, in_browser
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


@in_browser(tempo=SLOW)
async def test_the_audit_finds_a_card_whose_name_begins_that_of_a_known_one(server: Running, browsers: Browsers) -> None:
    """The known name is drawn in two lines. The others could have all that are called "fantastic", so none is known."""
    others = [f"{colour} {rank}" for colour in ("red", "yellow", "green") for rank in range(1, 6)]
    hands = {"A": ["fantastic four", "blue 1"], "B": ["fantastic", *others], "C": ["blue 3", "blue 4"]}
    tab = await browsers.open("/")
    game = fuda.new("frantic", players=3, seed=1, position={"hands": hands, "discard": ["red 9"], "turn": "A"})
    await sit_at(tab, Position("turn", game, {}))
    await tab.asked()
    assert ["Fantastic", "four"] in await lines_drawn(tab)
    watched = WatchedTab(tab)
    await watched.sample()
    assert await findings(server, [watched]) == []
    await tab.page.evaluate("document.querySelector('.seat').append('Fantastic')")
    await watched.sample()
    assert ["['fantastic']" in one for one in await findings(server, [watched])] == [True]


async def lines_drawn(tab: Tab) -> list[list[str]]:
    """The texts that each card of the hand shows."""
    lines: list[list[str]] = await tab.page.locator(".hand svg").evaluate_all(
        "all => all.map(one => [...one.querySelectorAll('text')].map(line => line.textContent))"
    )
    return lines


async def hand_in(tab: Tab) -> list[str]:
    cards: list[str] = await tab.page.locator(".hand button").evaluate_all("all => all.map(one => one.dataset.card)")
    return cards
