"""Browsers at a table, for tests: each tab is a person with cookies and settings of their own."""

from __future__ import annotations

import contextlib
import json
import random
import shutil
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final, Literal, Protocol

import pytest
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, ViewportSize, WebSocket, async_playwright

import fuda
from fuda.protocol.parts import Seat

Language = Literal["en", "de", "ja"]
BROWSERS: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first has no user interface, and is faster."""
PHONE: Final = ViewportSize(width=360, height=640)
DESKTOP: Final = ViewportSize(width=1280, height=800)
TIMEOUT: Final = 30_000.0
"""In milliseconds, for a busy machine."""
SETTINGS: Final = {"motion": "none", "sound": False, "guided": [game["id"] for game in fuda.games()]}
"""Without motion, sound and guide."""
COUNT_FRAMES: Final = """(() => {
    window.framesReceived = 0;
    window.WebSocket = class extends WebSocket {
        constructor(...options) {
            super(...options);
            this.addEventListener('message', () => window.framesReceived += 1);
        }
    };
})()"""
"""The page counts what it has received: Playwright reports a frame sometimes before the page has it, sometimes after."""
SHORT_PAUSES: Final = """(() => {
    const setTimer = window.setTimeout;
    window.setTimeout = (act, milliseconds, ...given) => setTimer(act, milliseconds / 20, ...given);
})()"""
"""Finished tricks and score sheets are shown for a twentieth of the time."""


class HasAddress(Protocol):
    """A server, in this process or another."""

    @property
    def address(self) -> str: ...


class Tab:
    """One page in a browser context of its own."""

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self.context = context
        self.page = page
        self.errors: list[str] = []
        """Errors and warnings of the console."""
        self.frames: list[str] = []
        """All that was received over the WebSocket."""
        self.sent: list[str] = []
        """All that was sent over it."""
        page.set_default_timeout(TIMEOUT)
        page.on("console", self.on_console)
        page.on("pageerror", lambda error: self.errors.append(f"error: {error}"))
        page.on("websocket", self.on_socket)

    def on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(f"{message.type}: {message.text}")

    def on_socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(str(frame)))
        socket.on("framesent", lambda frame: self.sent.append(str(frame)))

    async def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """A request by the page itself, so that it gets the cookie."""
        script = """async ([path, body]) => {
            const headers = {'content-type': 'application/json'};
            const answer = await fetch(path, {method: 'POST', headers, body: JSON.stringify(body)});
            return await answer.json();
        }"""
        answer: dict[str, Any] = await self.page.evaluate(script, [path, body])
        return answer

    async def at_table(self) -> None:
        await self.page.wait_for_selector(".game .board")

    async def asked(self) -> None:
        await self.page.wait_for_selector(".question")

    @property
    def table(self) -> str:
        """The id of the table, from the address of the page."""
        return self.page.url.partition("/t/")[2].partition("#")[0]

    @property
    def seat(self) -> Seat | None:
        """The seat in the last welcome."""
        welcomes = [message for message in map(json.loads, self.frames) if message["kind"] == "welcome"]
        seat: Seat | None = welcomes[-1].get("you") if welcomes else None
        return seat

    @property
    def all_news(self) -> Iterator[dict[str, Any]]:
        """All news of the game that this tab has received."""
        for frame in self.frames:
            if game := json.loads(frame).get("game"):
                yield game

    @property
    def news(self) -> dict[str, Any]:
        """The latest news of the game with a view."""
        return [game for game in self.all_news if game.get("view")][-1]


class Browsers:
    """All browsers of one test."""

    def __init__(self, browser: Browser, server: HasAddress) -> None:
        self.browser = browser
        self.server = server
        self.tabs: list[Tab] = []

    async def open(
        self, path: str = "/", *, settings: dict[str, Any] | None = None, short_pauses: bool = False, **options: Any
    ) -> Tab:
        """A tab in a browser of its own; the options are those of a Playwright context."""
        context = await self.browser.new_context(
            base_url=self.server.address, **{"viewport": DESKTOP, "locale": "en-GB", "reduced_motion": "reduce", **options}
        )
        saved = json.dumps({"name": "", **SETTINGS, **(settings or {})})
        await context.add_init_script(
            f"if (!localStorage.getItem('fuda-settings')) localStorage.setItem('fuda-settings', {json.dumps(saved)})"
        )
        await context.add_init_script(COUNT_FRAMES)
        if short_pauses:
            await context.add_init_script(SHORT_PAUSES)
        tab = Tab(context, await context.new_page())
        self.tabs.append(tab)
        await tab.page.goto(path)
        return tab

    async def host(self, game: str, chairs: list[str], *, name: str = "Ann", start: bool = True, **options: Any) -> Tab:
        """Somebody who opens a table and goes there."""
        table: dict[str, Any] = {key: options.pop(key) for key in ("options", "pace") if key in options}
        tab = await self.open("/", **options)
        taken = await tab.post("/api/tables", {"game": game, "name": name, "chairs": chairs, "start": start, **table})
        await tab.page.goto(f"/t/{taken['table']}#{taken['invite']}")
        return tab

    async def guest(self, host: Tab, name: str, **options: Any) -> Tab:
        """Somebody who takes a seat at the table of the host."""
        address = host.page.url
        table, _, invite = address.partition("/t/")[2].partition("#")
        tab = await self.open("/", **options)
        await tab.post(f"/api/tables/{table}/seats", {"name": name, "invite": invite})
        await tab.page.goto(f"/t/{table}#{invite}")
        return tab


@contextlib.asynccontextmanager
async def launched() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium())
        try:
            yield browser
        finally:
            await browser.close()


@contextlib.asynccontextmanager
async def browsers_at(browser: Browser, server: HasAddress) -> AsyncIterator[Browsers]:
    """The browsers of one test; an error in a console fails it."""
    browsers = Browsers(browser, server)
    try:
        yield browsers
        errors = [error for tab in browsers.tabs for error in tab.errors]
        assert not errors, "\n".join(errors)
    finally:
        for tab in browsers.tabs:
            await tab.context.close()


def chromium() -> str:
    """The path of Debian's Chromium. Without it the tests are skipped, which FUDA_ALL turns into failures."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip("There is no Chromium.")
    return found


# Playing -------------------------------------------------------------------------------------------


async def question_of(tab: Tab) -> str:
    """The id of the question that this tab shows."""
    return str(await tab.page.locator(".question").get_attribute("data-since"))


async def until_asked_again(tab: Tab, before: str) -> None:
    """Waits until another question is shown than before."""
    await tab.page.wait_for_selector(f".question:not([data-since='{before}'])")


async def play_a_card(tab: Tab) -> str:
    """Plays the first card that can be played; its name."""
    card = tab.page.locator(".hand li:not(.disabled) button").first
    name = str(await card.get_attribute("data-card"))
    await card.click()
    return name


async def play_game(tab: Tab, rng: random.Random, most: int = 10_000) -> int:
    """Answers all questions of this tab at random, until the game is over or `most` answers are given; their number."""
    answers = 0
    while answers < most:
        await tab.page.wait_for_selector(".question, .end")
        if await tab.page.query_selector(".end"):
            break
        if await answer(tab, rng):
            answers += 1
    return answers


CONTROLS: Final = ", ".join(
    [
        ".hand li:not(.disabled) button",
        ".question .cards button:enabled",
        ".question .choices button:enabled:not([data-act=clear])",
    ]
)


async def answer(tab: Tab, rng: random.Random) -> bool:
    """Clicks any control that can be used, and mostly plays what is selected; whether the question was answered."""
    page = tab.page
    question = await page.evaluate("document.querySelector('.question')?.dataset.since ?? ''")
    choices = await page.query_selector_all(CONTROLS)
    if not choices:
        with contextlib.suppress(Exception):
            await page.wait_for_selector(f"{CONTROLS}, .end", timeout=1500)
        return False
    with contextlib.suppress(Exception):  # it may be gone: somebody else was faster, or the time is over
        await rng.choice(choices).click(timeout=1000)
    play = await page.query_selector("[data-act=play]:enabled")
    if play and rng.random() < 0.7:
        with contextlib.suppress(Exception):
            await play.click(timeout=1000)
    is_new = "question => document.querySelector('.question')?.dataset.since !== question"
    is_selected = "document.querySelector('.question .selected, .hand .selected') !== null"
    with contextlib.suppress(Exception):
        await page.wait_for_function(f"question => ({is_new})(question) || {is_selected}", arg=question, timeout=1500)
    return bool(await page.evaluate(is_new, question))
