"""The largest hand at the fullest table, on all sizes of screens."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any, Final

import pytest

import fuda
from tests.server.serving import Running
from tests.web.browsers import Browsers, Tab
from tests.web.positions import Position, sit_at
from tests.web.session import in_browser

SCREENS: Final[dict[str, dict[str, Any]]] = {
    "portrait": {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True},
    "landscape": {"viewport": {"width": 640, "height": 360}, "has_touch": True, "is_mobile": True},
    "tablet": {"viewport": {"width": 768, "height": 1024}, "has_touch": True, "is_mobile": True},
    "desktop": {"viewport": {"width": 1280, "height": 800}},
}
COLOURS: Final = ("red", "yellow", "green", "blue")
SPECIALS: Final = ["red skip", "blue gift", "yellow troublemaker", "red-blue colour swap", "mimicry", "fantastic four"]
HAND: Final = [*(f"{colour} {number}" for colour in COLOURS for number in range(1, 7)), *SPECIALS]
OTHERS: Final = {seat: [f"{COLOURS[index % 4]} {7 + index // 4}"] for index, seat in enumerate("BCDEFGH")}


def fullest_table() -> Position:
    position = {"turn": "A", "hands": {"A": HAND, **OTHERS}, "discard": ["red 9"]}
    return Position("turn", fuda.new("frantic", players=8, seed=1, position=position), {})


TOO_SMALL: Final = """async () => {
    const errors = [];
    for (const button of document.querySelectorAll('.hand button')) {
        button.scrollIntoView({block: 'nearest'});
        const box = button.getBoundingClientRect();
        const at = (x, y) => document.elementFromPoint(x, y)?.closest('button') === button;
        const pixels = [...Array(44).keys()];
        const wide = pixels.filter(x => at(box.left + x, box.top + 22)).length;
        const high = pixels.filter(y => at(box.left + 22, box.top + y)).length;
        if (wide < 44 || high < 44) errors.push(`${button.dataset.card}: ${wide} x ${high}`);
    }
    return errors;
}"""
"""The cards of the hand of which less than 44 × 44 px can be tapped."""


async def save_screenshot(tab: Tab, name: str) -> None:
    """If FUDA_PICTURES names a folder."""
    if folder := os.environ.get("FUDA_PICTURES"):
        await tab.page.screenshot(path=Path(folder) / f"{name}.png")


@pytest.mark.parametrize("screen", SCREENS)
@in_browser()
async def test_thirty_cards_and_eight_players_fit_on_the_screen(server: Running, browsers: Browsers, screen: str) -> None:
    await play_at(server, await browsers.open("/", **SCREENS[screen]), screen)


async def play_at(server: Running, tab: Tab, screen: str) -> None:
    page = tab.page
    table = await sit_at(tab, fullest_table())
    await tab.asked()
    await save_screenshot(tab, screen)
    assert await page.locator(".hand button").count() == 30
    assert await page.locator(".board .seat").count() == 7
    assert await page.evaluate(TOO_SMALL) == []
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for needed in (".question", ".hand li >> nth=0", ".board .seat >> nth=0"):
        assert await page.locator(needed).is_visible()

    press = page.tap if "has_touch" in SCREENS[screen] else page.click
    await press('.hand [data-card="green 1"]')
    await page.wait_for_selector(".refusal")
    await save_screenshot(tab, f"{screen}-refused")
    await press('.hand [data-card="red 3"]')
    async with asyncio.timeout(10):
        while (game := (await server.table(table)).game) is None or game.played[:1] != ["red 3"]:
            await asyncio.sleep(0.02)
