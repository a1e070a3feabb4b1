"""Browsers at a table, for tests: each tab is somebody, with cookies and settings of their own."""

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
"""The first has no window that could be opened, and is the faster for it."""
PHONE: Final = ViewportSize(width=360, height=640)
DESKTOP: Final = ViewportSize(width=1280, height=800)
PATIENCE: Final = 30_000.0
"""So many milliseconds something may take on a busy machine."""
QUIET: Final = {"motion": "none", "sound": False, "guided": [game["id"] for game in fuda.games()]}
"""Settings with which nothing moves and nothing is explained."""


class Addressed(Protocol):
    """A server, in this process or another."""

    @property
    def address(self) -> str: ...


class Tab:
    """One page in a browser of its own."""

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self.context = context
        self.page = page
        self.faults: list[str] = []
        """What the console complained of."""
        self.frames: list[str] = []
        """All that came over the WebSocket."""
        self.sent: list[str] = []
        """All that was sent over it."""
        page.set_default_timeout(PATIENCE)
        page.on("console", self.heard)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("websocket", self.connected)

    def heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"{message.type}: {message.text}")

    def connected(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(str(frame)))
        socket.on("framesent", lambda frame: self.sent.append(str(frame)))

    async def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """A request that this page makes, so that the cookie comes to it."""
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
        """The table at which this tab is."""
        return self.page.url.partition("/t/")[2].partition("#")[0]

    @property
    def seat(self) -> Seat | None:
        """The seat that this tab was told to have."""
        welcomes = [message for message in map(json.loads, self.frames) if message["kind"] == "welcome"]
        seat: Seat | None = welcomes[-1].get("you") if welcomes else None
        return seat

    @property
    def all_news(self) -> Iterator[dict[str, Any]]:
        """All that this tab was told of the game."""
        for frame in self.frames:
            if game := json.loads(frame).get("game"):
                yield game

    @property
    def news(self) -> dict[str, Any]:
        """The newest news of the game that came to this tab."""
        return [game for game in self.all_news if game.get("view")][-1]


class Visitors:
    """All browsers of one test."""

    def __init__(self, browser: Browser, running: Addressed) -> None:
        self.browser = browser
        self.running = running
        self.tabs: list[Tab] = []

    async def come(self, path: str = "/", *, settings: dict[str, Any] | None = None, **wishes: Any) -> Tab:
        """Somebody with a browser of their own, on a desktop unless it is wished otherwise."""
        context = await self.browser.new_context(
            base_url=self.running.address, **{"viewport": DESKTOP, "locale": "en-GB", "reduced_motion": "reduce", **wishes}
        )
        kept = json.dumps({"name": "", **QUIET, **(settings or {})})
        await context.add_init_script(
            f"if (!localStorage.getItem('fuda-settings')) localStorage.setItem('fuda-settings', {json.dumps(kept)})"
        )
        tab = Tab(context, await context.new_page())
        self.tabs.append(tab)
        await tab.page.goto(path)
        return tab

    async def host(self, game: str, chairs: list[str], *, name: str = "Ann", start: bool = True, **wishes: Any) -> Tab:
        """Somebody who opens a table and is taken there; the others may join with `Tab.table` and `Tab.invite`."""
        table: dict[str, Any] = {key: wishes.pop(key) for key in ("options", "pace") if key in wishes}
        tab = await self.come("/", **wishes)
        taken = await tab.post("/api/tables", {"game": game, "name": name, "chairs": chairs, "start": start, **table})
        await tab.page.goto(f"/t/{taken['table']}#{taken['invite']}")
        return tab

    async def guest(self, host: Tab, name: str, **wishes: Any) -> Tab:
        """Somebody who takes a seat at the table of the host."""
        address = host.page.url
        table, _, invite = address.partition("/t/")[2].partition("#")
        tab = await self.come("/", **wishes)
        await tab.post(f"/api/tables/{table}/seats", {"name": name, "invite": invite})
        await tab.page.goto(f"/t/{table}#{invite}")
        return tab


@contextlib.asynccontextmanager
async def visitors(running: Addressed) -> AsyncIterator[Visitors]:
    """Browsers for as long as the block lasts; what a console complains of fails the test."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium())
        try:
            those = Visitors(browser, running)
            yield those
            faults = [fault for tab in those.tabs for fault in tab.faults]
            assert not faults, "\n".join(faults)
        finally:
            await browser.close()


def chromium() -> str:
    """Debian's Chromium. `make test` needs none on a bare machine; with FUDA_ALL, as in CI, what is skipped has failed."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip("There is no Chromium.")
    return found


# Playing -------------------------------------------------------------------------------------------


async def since(tab: Tab) -> str:
    """Which question this tab shows."""
    return str(await tab.page.locator(".question").get_attribute("data-since"))


async def asked_anew(tab: Tab, before: str) -> None:
    """Waits until another question is shown than before."""
    await tab.page.wait_for_selector(f".question:not([data-since='{before}'])")


async def play_one(tab: Tab) -> str:
    """Plays the first card that can be played."""
    card = tab.page.locator(".hand li:not(.off) button").first
    name = str(await card.get_attribute("data-card"))
    await card.click()
    return name


async def play_on(tab: Tab, chance: random.Random, most: int = 10_000) -> int:
    """Answers whatever this tab is asked with clicks, until the game is over; how many answers that took."""
    answers = 0
    while answers < most:
        await tab.page.wait_for_selector(".question, .end")
        if await tab.page.query_selector(".end"):
            break
        if await answer(tab, chance):
            answers += 1
    return answers


async def answer(tab: Tab, chance: random.Random) -> bool:
    """One answer by mouse: any control that can be used, and what was chosen is played."""
    page = tab.page
    since = await page.evaluate("document.querySelector('.question')?.dataset.since ?? ''")
    choices = await page.query_selector_all(
        ".hand li:not(.off) button, .question .cards button:enabled, .question .choices button:enabled:not([data-act=clear])"
    )
    if not choices:
        await page.wait_for_timeout(20)
        return False
    with contextlib.suppress(Exception):  # it may be gone already: somebody else was faster, or the time is over
        await chance.choice(choices).click(timeout=1000)
    play = await page.query_selector("[data-act=play]:enabled")
    if play and chance.random() < 0.7:
        with contextlib.suppress(Exception):
            await play.click(timeout=1000)
    is_new = "since => document.querySelector('.question')?.dataset.since !== since"
    is_chosen = "document.querySelector('.question .chosen, .hand .chosen') !== null"
    with contextlib.suppress(Exception):
        await page.wait_for_function(f"since => ({is_new})(since) || {is_chosen}", arg=since, timeout=1500)
    return bool(await page.evaluate(is_new, since))
