"""The page in a browser: the size of its scripts, the time until one can play on a phone's network, a burst of events."""

from __future__ import annotations

import asyncio
import json
import shutil
from dataclasses import dataclass
from typing import Any, Final

from playwright.async_api import Browser, BrowserContext, Page, Request, async_playwright

SCRIPTS: Final = 120_000
INTERACTIVE: Final = 1500.0
LONGEST: Final = 100.0
"""Limits: bytes of scripts at first load, milliseconds until one can play, milliseconds of one task."""
FAST_3G: Final = {"offline": False, "latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8}
"""WebPageTest's "3G Fast": milliseconds, and bytes a second."""
EVENTS: Final = 60
BROWSERS: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
TIMEOUT: Final = 30_000.0
GAME: Final = {
    "game": "schadenfreude",
    "name": "Ann",
    "chairs": ["me", "thumb", "thumb", "thumb"],
    "pace": "none",
    "start": True,
}

READY: Final = """
    const isReady = () => document.querySelector('.question') && document.querySelector('.hand button:enabled');
    const look = () => { if (isReady()) window.readyAt = performance.now(); else requestAnimationFrame(look); };
    look();
"""
"""Stores when one could first play a card, in milliseconds since the address was opened."""
HELD: Final = """
    window.held = null;
    window.longest = 0;
    const set = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage').set;
    Object.defineProperty(WebSocket.prototype, 'onmessage', {
        set(handler) {
            set.call(this, handler && (event => window.held ? window.held.push(() => handler(event)) : handler(event)));
        },
    });
    new PerformanceObserver(list => {
        for (const task of list.getEntries()) window.longest = Math.max(window.longest, task.duration);
    }).observe({type: 'longtask'});
"""
"""Can hold back what comes over the WebSocket, and stores the longest task."""
RELEASE: Final = """() => new Promise(done => {
    const held = window.held;
    window.held = null;
    window.longest = 0;
    for (const deliver of held) setTimeout(deliver);
    setTimeout(() => requestAnimationFrame(() => setTimeout(done, 500)));
})"""
"""Delivers what was held back as a browser does, one after the other, and waits until it is shown."""
PLAY: Final = """([address, wanted]) => new Promise((done, failed) => {
    const socket = new WebSocket(address);
    let received = 0, sent = 0;
    const play = game => {
        if (!game?.ask) return;
        const {since, moves: [move]} = game.ask;
        socket.send(JSON.stringify({kind: 'play', id: `p${sent += 1}`, since, move}));
    };
    socket.onopen = () => socket.send('{"kind": "hello", "id": "h"}');
    socket.onclose = () => failed(new Error('closed'));
    socket.onmessage = ({data}) => {
        const message = JSON.parse(data);
        if (message.kind === 'event') received += 1;
        if (received >= wanted) { socket.onclose = null; socket.close(); done(received); }
        else if (message.kind === 'ping') socket.send('{"kind": "pong"}');
        else play(message.game);
    };
})"""
"""Plays for the same seat from another tab, until that many events have happened."""


@dataclass
class Pages:
    home: int
    """Bytes of scripts, as they are sent, at the first load of `/`."""
    table: int
    interactive: float
    """Milliseconds until a card could be played, on a table that waits for one."""
    longest: float
    """Milliseconds of the longest task when sixty events come at once; 0 if none took 50."""


def chromium() -> str | None:
    return next(filter(None, map(shutil.which, BROWSERS)), None)


async def measured(address: str, browser: Browser) -> Pages:
    home = await scripts_at(await browser.new_context(base_url=address), "/")
    first = await browser.new_context(base_url=address)
    path = await open_table(first)
    cookies: Any = {"cookies": (await first.storage_state())["cookies"], "origins": []}
    table = await scripts_at(await browser.new_context(base_url=address, storage_state=cookies), path)
    interactive = await interactive_after(await browser.new_context(base_url=address, storage_state=cookies), path)
    longest = await longest_task(first, path)
    await first.close()
    return Pages(home, table, interactive, longest)


async def open_table(context: BrowserContext) -> str:
    """Opens a table and waits until its host is asked; its address."""
    page = await context.new_page()
    await page.goto("/")
    script = """async body => {
        const answer = await fetch('/api/tables', {method: 'POST', headers: {'content-type': 'application/json'}, body});
        return await answer.json();
    }"""
    taken = await page.evaluate(script, json.dumps(GAME))
    path = f"/t/{taken['table']}#{taken['invite']}"
    await page.goto(path)
    await page.wait_for_selector(".question", timeout=TIMEOUT)
    await page.close()
    return path


async def scripts_at(context: BrowserContext, path: str) -> int:
    """The bytes of all scripts that a first visit loads."""
    page = await context.new_page()
    scripts: list[Request] = []
    page.on("requestfinished", lambda request: scripts.append(request) if request.resource_type == "script" else None)
    await page.goto(path, wait_until="networkidle")
    await page.wait_for_selector("main", timeout=TIMEOUT)
    sizes = [(await request.sizes())["responseBodySize"] for request in scripts]
    await context.close()
    return sum(sizes)


async def interactive_after(context: BrowserContext, path: str) -> float:
    page = await context.new_page()
    chrome = await context.new_cdp_session(page)
    await chrome.send("Network.enable")
    await chrome.send("Network.emulateNetworkConditions", FAST_3G)
    await page.add_init_script(READY)
    await page.goto(path)
    await page.wait_for_function("() => window.readyAt", timeout=TIMEOUT)
    ready: float = await page.evaluate("window.readyAt")
    await context.close()
    return ready


async def longest_task(context: BrowserContext, path: str) -> float:
    """The longest task of a page that receives nothing for a while, and then all that has happened in another tab."""
    page, other = await context.new_page(), await context.new_page()
    await page.add_init_script(HELD)
    await page.goto(path)
    await page.wait_for_selector(".question", timeout=TIMEOUT)
    await page.evaluate("window.held = []")
    await other.goto("/")
    address = await other.evaluate("location.origin.replace('http', 'ws')")
    await other.evaluate(PLAY, [f"{address}/api/tables/{path.split('/')[2].partition('#')[0]}/socket", EVENTS])
    await page.wait_for_function(f"() => window.held.length >= {EVENTS}", timeout=TIMEOUT)
    await page.bring_to_front()
    await page.evaluate(RELEASE)
    longest: float = await page.evaluate("window.longest")
    await close(page, other)
    return longest


async def close(*pages: Page) -> None:
    for page in pages:
        await page.close()


def measure(address: str, attempts: int = 3) -> Pages:
    """The best of some attempts: the machine may be busy."""

    async def do() -> list[Pages]:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium())
            try:
                return [await measured(address, browser) for _ in range(attempts)]
            finally:
                await browser.close()

    tries = asyncio.run(do())
    first = tries[0]
    return Pages(first.home, first.table, min(one.interactive for one in tries), min(one.longest for one in tries))
