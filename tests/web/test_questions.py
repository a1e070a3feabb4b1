"""Every kind of question can be answered by mouse, touch or keyboard, and covers nothing that is needed."""

from __future__ import annotations

import asyncio
import re
from typing import Any, Final

import pytest
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page, expect

import fuda
from fuda.server import entries
from tests.server.serving import Running
from tests.web.browsers import DESKTOP, PHONE, Browsers, Tab
from tests.web.positions import ASKED, NEVER_ASKED, Position, every_question, sit_at
from tests.web.session import in_browser
from tests.web.situations import open_situation

MOST_TABS: Final = 80
"""A control must be reached with so many presses of Tab."""


class Mouse:
    """Clicks on a desktop; players are chosen at the table itself."""

    options: dict[str, Any] = {"viewport": DESKTOP}
    fraction = 0.0

    async def press(self, page: Page, *selectors: str) -> None:
        await page.locator(await first_of(page, selectors)).first.click()


class Touch:
    """Taps, on a phone."""

    options: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    fraction = 1.0

    async def press(self, page: Page, *selectors: str) -> None:
        await page.locator(await first_of(page, selectors)).first.tap()


class Keyboard:
    """Tab from the top of the page, arrow keys within the hand, and Enter."""

    options: dict[str, Any] = {"viewport": DESKTOP}
    fraction = 0.5

    async def press(self, page: Page, *selectors: str) -> None:
        wanted = await first_of(page, selectors[::-1])
        await page.evaluate("document.activeElement.blur()")
        for _ in range(MOST_TABS):
            await page.keyboard.press("Tab")
            if await is_focused(page, wanted):
                break
            if wanted.startswith(".hand") and await is_focused(page, ".hand button"):
                await self.move_in_hand(page, wanted)
                break
        assert await is_focused(page, wanted), f"{wanted} cannot be reached by keyboard"
        assert await page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
        await page.keyboard.press("Enter")

    async def move_in_hand(self, page: Page, wanted: str) -> None:
        await page.keyboard.press("Home")
        for _ in range(MOST_TABS):
            if await is_focused(page, wanted):
                break
            await page.keyboard.press("ArrowRight")


Device = Mouse | Touch | Keyboard


async def first_of(page: Page, selectors: tuple[str, ...]) -> str:
    """The first of these selectors that matches something."""
    there = [selector for selector in selectors if await page.locator(selector).count()]
    assert there, f"there is none of {selectors}"
    return there[0]


async def is_focused(page: Page, selector: str) -> bool:
    return bool(await page.evaluate("selector => document.activeElement.matches(selector)", selector))


def wanted_move(position: Position, device: Device) -> str:
    """One of the moves, of several cards where there are such; another one for each device."""
    moves = position.game.moves()
    moves = [move for move in moves if " + " in move] or moves
    return moves[round(device.fraction * (len(moves) - 1))]


async def answer(page: Page, device: Device, move: str) -> None:
    words = move.split(" + ")
    for word in words:
        own, other = f'.hand [data-card="{word}"]:not([aria-pressed])', f'.question [data-card="{word}"]'
        await device.press(page, own, other, f'.board .seat[data-seat="{word}"]', f'.question [data-move="{word}"]')
    if await page.locator("[data-act=play]").count():
        await device.press(page, "[data-act=play]")


async def until_logged(server: Running, table: str, seat: str | None, move: str) -> None:
    """Waits until the answer is in the table's log."""
    async with asyncio.timeout(20):
        while True:
            for one in await server.log(table):
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
"""What the question covers and must not."""
HIDDEN: Final = """() => {
    const seen = element => {
        const box = element.getBoundingClientRect(), main = document.querySelector('main').getBoundingClientRect();
        return (Math.min(box.bottom, main.bottom) - Math.max(box.top, main.top)) / box.height;
    };
    const needed = '.trick .place, .board .row:not(.open), .board .pile .card-shape, .captions .chip';
    const hidden = [...document.querySelectorAll(needed)].filter(element => seen(element) < 0.5);
    return hidden.map(element => `${element.className} ${element.innerText.slice(0, 60)}`);
}"""
"""What can be seen only by scrolling."""
SMALL: Final = """() => [...document.querySelectorAll('.question button, .hand button, .board button, header button')]
    .filter(element => element.offsetWidth > 0 && (element.offsetWidth < 44 || element.offsetHeight < 44))
    .map(element => `${element.offsetWidth} x ${element.offsetHeight}: ${element.outerHTML.slice(0, 90)}`)"""
OUTSIDE: Final = """() => [...document.querySelectorAll('.board .seat, .trick li, .board .pile, .question, .hand li')]
    .map(element => [element.getBoundingClientRect(), element.outerHTML.slice(0, 90)])
    .filter(([box]) => box.bottom > innerHeight + 1 || box.right > innerWidth + 1 || box.top < 0)
    .map(([, text]) => text)"""
"""What does not fit on the screen."""


async def faults_of(tab: Tab, position: Position, device: Device) -> list[str]:
    """What is wrong with the layout or the text of the question."""
    page = tab.page
    text = await page.locator(".question .prompt-text").inner_text()
    template: str = position.game.rules.questions[position.kind]
    parts = [part.strip() for part in re.split(r"\{\w+\}", template)]
    errors = [f"it does not say {part!r}, but {text!r}" for part in parts if part not in text]
    if "{" in text:
        errors.append(f"it says {text!r}")
    errors += [f"the question covers {one}" for one in await page.evaluate(OVERLAPS)]
    errors += [f"it hides {one}" for one in await page.evaluate(HIDDEN)]
    errors += [f"it is too small: {one}" for one in await page.evaluate(SMALL)]
    if await page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        errors.append("it has to be scrolled sideways")
    if device.options["viewport"] == DESKTOP:
        errors += [f"it is not in sight: {one}" for one in await page.evaluate(OUTSIDE)]
    return errors


async def asked_one_after_another(server: Running, browsers: Browsers, device: Device, games: list[str]) -> list[str]:
    errors = []
    tab = await browsers.open("/", **device.options)
    for position in [position for game in games for position in every_question(game)]:
        table = await sit_at(tab, position, reload=not tab.table)
        await tab.asked()
        found = await faults_of(tab, position, device)
        move = wanted_move(position, device)
        try:
            await answer(tab.page, device, move)
            await until_logged(server, table, position.game.seat, move)
        except (AssertionError, TimeoutError, PlaywrightError) as error:
            found.append(f"{move!r} is not answered: {error}")
        errors += [f"{position.name}: {one}" for one in found]
    return errors


@pytest.mark.parametrize("device", [Mouse(), Touch(), Keyboard()], ids=["mouse", "touch", "keyboard"])
@in_browser()
async def test_every_kind_of_question_can_be_answered(server: Running, browsers: Browsers, device: Device) -> None:
    errors = await asked_one_after_another(server, browsers, device, [*ASKED])
    assert not errors, "\n".join(errors)


@pytest.mark.parametrize("game", [*ASKED])
def test_every_kind_of_question_has_an_example(game: str) -> None:
    assert {*ASKED[game], *NEVER_ASKED.get(game, ())} == {*fuda.rulebook(game).questions}


SEALED: Final = """(() => {
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (text) {
        const message = JSON.parse(text);
        if (message.kind === 'play') this.onmessage({data: JSON.stringify({kind: 'sealed', since: message.since})});
        else send.call(this, text);
    };
})()"""
"""Answers are sealed, and the reaction does not end."""


@in_browser()
async def test_an_answer_in_a_reaction_is_confirmed_and_counts_of_answers_are_not_shown(browsers: Browsers) -> None:
    tab = await open_situation(browsers, "a reaction")
    await tab.context.add_init_script(SEALED)
    await tab.page.reload()
    await tab.asked()
    await expect(tab.page.locator(".game")).not_to_contain_text("have chosen")
    await tab.page.get_by_role("button", name="Let it happen").click()
    await expect(tab.page.locator(".question")).to_have_count(0)
    await expect(tab.page.locator(".waiting")).to_contain_text("Your answer was taken")
    await expect(tab.page.locator(".game")).not_to_contain_text("have chosen")
