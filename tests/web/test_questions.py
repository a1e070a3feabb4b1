"""Every kind of question can be answered by mouse, by touch and by keyboard alone, and covers nothing one needs to see."""

from __future__ import annotations

import asyncio
import re
from typing import Any, Final

import pytest
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

import fuda
from fuda.server import entries
from fuda.server.table import Table
from tests.server.serving import Running, serving
from tests.web.browsing import DESKTOP, PHONE, Tab, Visitors, visitors
from tests.web.positions import ASKED, NOBODY_IS_ASKED, Position, every_question, given_or_dealt, seated_at

MOST_TABS: Final = 80
"""So often the Tab key may be pressed until one is where one wants to be."""


class Mouse:
    """Clicks, on a desktop; a player is chosen at the table."""

    wishes: dict[str, Any] = {"viewport": DESKTOP}
    place = 0.0

    async def press(self, page: Page, *selectors: str) -> None:
        await page.locator(await first_of(page, selectors)).first.click()


class Finger:
    """Taps, on a phone."""

    wishes: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    place = 1.0

    async def press(self, page: Page, *selectors: str) -> None:
        await page.locator(await first_of(page, selectors)).first.tap()


class Keyboard:
    """From the beginning of the page to whatever is wanted with Tab, within the hand with arrows, and Enter."""

    wishes: dict[str, Any] = {"viewport": DESKTOP}
    place = 0.5

    async def press(self, page: Page, *selectors: str) -> None:
        wanted = await first_of(page, selectors[::-1])
        await page.evaluate("document.activeElement.blur()")
        for _ in range(MOST_TABS):
            await page.keyboard.press("Tab")
            if await is_focused(page, wanted):
                break
            if wanted.startswith(".hand") and await is_focused(page, ".hand button"):
                await self.along(page, wanted)
                break
        assert await is_focused(page, wanted), f"{wanted} cannot be reached by keyboard"
        assert await page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
        await page.keyboard.press("Enter")

    async def along(self, page: Page, wanted: str) -> None:
        await page.keyboard.press("Home")
        for _ in range(MOST_TABS):
            if await is_focused(page, wanted):
                break
            await page.keyboard.press("ArrowRight")


Way = Mouse | Finger | Keyboard


async def first_of(page: Page, selectors: tuple[str, ...]) -> str:
    """The first of these that is there."""
    there = [selector for selector in selectors if await page.locator(selector).count()]
    assert there, f"there is none of {selectors}"
    return there[0]


async def is_focused(page: Page, selector: str) -> bool:
    return bool(await page.evaluate("selector => document.activeElement.matches(selector)", selector))


def wanted_move(position: Position, way: Way) -> str:
    """One of the moves, of several cards where there are such; another one for each way."""
    moves = position.game.moves()
    moves = [move for move in moves if " + " in move] or moves
    return moves[round(way.place * (len(moves) - 1))]


async def answer(page: Page, way: Way, move: str) -> None:
    words = move.split(" + ")
    for word in words:
        own, other = f'.hand [data-card="{word}"]:not([aria-pressed])', f'.question [data-card="{word}"]'
        await way.press(page, own, other, f'.board .seat[data-seat="{word}"]', f'.question [data-move="{word}"]')
    if await page.locator("[data-act=play]").count():
        await way.press(page, "[data-act=play]")


async def arrived(running: Running, table: str, seat: str | None, move: str) -> None:
    """The answer has come to the table, whether it counts at once or waits for the others'."""
    async with asyncio.timeout(20):
        while True:
            for one in await running.log(table):
                if isinstance(one.entry, entries.Played | entries.Answered) and one.entry.seat == seat:
                    assert set(one.entry.move.split(" + ")) == set(move.split(" + "))
                    return
            await asyncio.sleep(0.02)


OVERLAPS: Final = """() => {
    const shown = element => {
        let {left, top, right, bottom} = element.getBoundingClientRect();
        for (let outer = element.parentElement; outer; outer = outer.parentElement) {
            if (getComputedStyle(outer).overflow === 'visible') continue;
            const box = outer.getBoundingClientRect();
            left = Math.max(left, box.left); right = Math.min(right, box.right);
            top = Math.max(top, box.top); bottom = Math.min(bottom, box.bottom);
        }
        return {left, top, right, bottom};
    };
    const question = shown(document.querySelector('.question'));
    const isOver = box => Math.min(box.right, question.right) - Math.max(box.left, question.left) > 1
        && Math.min(box.bottom, question.bottom) - Math.max(box.top, question.top) > 1;
    const needed = '.board .seat, .trick li, .board .pile, .board .row, .board .chip, .hand li';
    const over = [...document.querySelectorAll(needed)].filter(element => isOver(shown(element)));
    return over.map(element => element.outerHTML.slice(0, 90));
}"""
"""What the question lies on, of all that one needs to see."""
HIDDEN: Final = """() => {
    const seen = element => {
        const box = element.getBoundingClientRect(), main = document.querySelector('main').getBoundingClientRect();
        return (Math.min(box.bottom, main.bottom) - Math.max(box.top, main.top)) / box.height;
    };
    const needed = '.trick .place, .board .row:not(.open), .board .pile .card, .told .chip';
    const hidden = [...document.querySelectorAll(needed)].filter(element => seen(element) < 0.5);
    return hidden.map(element => `${element.className} ${element.innerText.slice(0, 60)}`);
}"""
"""What of the table has to be scrolled to while something is asked."""
SMALL: Final = """() => [...document.querySelectorAll('.question button, .hand button, .board button, header button')]
    .filter(element => element.offsetWidth > 0 && (element.offsetWidth < 44 || element.offsetHeight < 44))
    .map(element => `${element.offsetWidth} x ${element.offsetHeight}: ${element.outerHTML.slice(0, 90)}`)"""
OUTSIDE: Final = """() => [...document.querySelectorAll('.board .seat, .trick li, .board .pile, .question, .hand li')]
    .map(element => [element.getBoundingClientRect(), element.outerHTML.slice(0, 90)])
    .filter(([box]) => box.bottom > innerHeight + 1 || box.right > innerWidth + 1 || box.top < 0)
    .map(([, text]) => text)"""
"""What does not fit on the screen."""


async def faults_of(tab: Tab, position: Position, way: Way) -> list[str]:
    """What is wrong with how the question is shown."""
    page = tab.page
    said = await page.locator(".question .asked").inner_text()
    template: str = position.game.rules.questions[position.kind]
    parts = [part.strip() for part in re.split(r"\{\w+\}", template)]
    faults = [f"it does not say {part!r}, but {said!r}" for part in parts if part not in said]
    if "{" in said:
        faults.append(f"it says {said!r}")
    faults += [f"the question covers {one}" for one in await page.evaluate(OVERLAPS)]
    faults += [f"it hides {one}" for one in await page.evaluate(HIDDEN)]
    faults += [f"it is too small: {one}" for one in await page.evaluate(SMALL)]
    if await page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        faults.append("it has to be scrolled sideways")
    if way.wishes["viewport"] == DESKTOP:
        faults += [f"it is not in sight: {one}" for one in await page.evaluate(OUTSIDE)]
    return faults


async def asked_one_after_another(running: Running, those: Visitors, way: Way, games: list[str]) -> list[str]:
    faults = []
    tab = await those.come("/", **way.wishes)
    for position in [position for game in games for position in every_question(game)]:
        table = await seated_at(tab, position, is_new=not tab.table)
        await tab.asked()
        found = await faults_of(tab, position, way)
        move = wanted_move(position, way)
        try:
            await answer(tab.page, way, move)
            await arrived(running, table, position.game.seat, move)
        except (AssertionError, TimeoutError, PlaywrightError) as error:
            found.append(f"{move!r} is not answered: {error}")
        faults += [f"{position.name}: {one}" for one in found]
    return faults


@pytest.mark.parametrize("way", [Mouse(), Finger(), Keyboard()], ids=["mouse", "touch", "keyboard"])
def test_every_kind_of_question_can_be_answered(way: Way, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "new_game", given_or_dealt)

    async def do() -> None:
        async with serving() as running, visitors(running) as those:
            faults = await asked_one_after_another(running, those, way, [*ASKED])
            assert not faults, "\n".join(faults)

    asyncio.run(do())


@pytest.mark.parametrize("game", [*ASKED])
def test_every_kind_of_question_is_tried(game: str) -> None:
    assert {*ASKED[game], *NOBODY_IS_ASKED.get(game, ())} == {*fuda.rulebook(game).questions}
