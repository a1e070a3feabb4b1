"""The audit of browsers: what came to a tab, and what it shows, is held against what its seat could know."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Final

import fuda
from tests.server.auditing import Audit
from tests.server.clients import Client
from tests.server.serving import Running
from tests.web.browsing import Tab, answer

VALUES: Final = """() => {
    const out = [document.title, document.body.innerText];
    for (const element of document.body.querySelectorAll('*')) {
        for (const attribute of element.attributes) if (attribute.name !== 'd') out.push(attribute.value);
        if (element.shadowRoot || element instanceof HTMLScriptElement) out.push(element.textContent);
        if (element.childElementCount === 0) out.push(element.textContent);
        if ('value' in element) out.push(String(element.value));
    }
    return [...new Set(out)].join('\\n');
}"""
"""All that a page says: texts, seen or not, and the values of attributes and fields."""


class Watched:
    """A tab whose page is looked at now and then."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        self.samples: list[tuple[int, str]] = []
        """What the page said, and how many frames had come by then."""

    async def look(self) -> None:
        text = await self.tab.page.evaluate(VALUES)
        self.samples.append((len(self.tab.frames), text))

    def version_after(self, frames: int) -> int:
        """How far the table had come when so many frames had been received."""
        told = (json.loads(frame) for frame in reversed(self.tab.frames[:frames]))
        return next((message["version"] for message in told if message["kind"] in ("welcome", "event")), 0)

    async def client(self, running: Running) -> Client:
        """The tab as the audit knows clients."""
        cookies = await self.tab.context.cookies()
        proof = [cookie["value"] for cookie in cookies if cookie["name"] == f"fuda-{self.tab.table}"]
        client = Client(running.host, self.tab.table, f"fuda-{self.tab.table}={proof[0]}" if proof else "")
        client.frames = self.tab.frames
        client.sent = {json.loads(frame).get("id", ""): frame for frame in self.tab.sent}
        return client


async def findings(running: Running, watched: list[Watched]) -> list[str]:
    """Whatever was sent to these tabs, or shown by them, and should not have been."""
    clients = [await one.client(running) for one in watched]
    table = watched[0].tab.table
    audit = Audit(table, await running.log(table), [client.cookie.partition("=")[2] for client in clients if client.cookie])
    folded = await running.table(table)
    harmless = {field.name for field in fuda.rulebook(folded.game_id).fields}
    found = []
    for one, client in zip(watched, clients, strict=True):
        found += audit.findings(client)
        seat = one.tab.seat
        for frames, text in one.samples:
            version = one.version_after(frames)
            known = audit.known_at(version, seat) if version else set()
            unknown = audit.named(text) - known - harmless
            found += [f"version {version}: the page of {seat or 'a spectator'} names {sorted(unknown)}"] if unknown else []
            found += [f"version {version}: a secret is on the page" for secret in audit.hashes if secret in text]
    return found


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
