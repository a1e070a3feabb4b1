"""Finds leaks: compares what a tab has received, and what its page shows, with what its seat may know."""

from __future__ import annotations

import json
import random
import re
from typing import Final

import fuda
from tests.server.auditing import Audit
from tests.server.clients import Client
from tests.server.serving import Running
from tests.web.browsers import Tab, answer

PAGE_TEXT: Final = """() => {
    const drawn = picture => [...picture.querySelectorAll('text')].map(line => line.textContent).join(' ');
    const out = [document.title];
    const textOf = node => {
        if (node instanceof Text) out.push(node.data);
        if (node instanceof Text) return node.data;
        if (!(node instanceof Element) || node instanceof HTMLScriptElement) return '';
        if (node instanceof SVGSVGElement) return `\\n${drawn(node)}\\n`;
        const text = [...node.childNodes].map(textOf).join('');
        return getComputedStyle(node).display === 'inline' ? text : `\\n${text}\\n`;
    };
    out.push(textOf(document.body));
    for (const element of document.body.querySelectorAll('*')) {
        for (const attribute of element.attributes) if (attribute.name !== 'd') out.push(attribute.value);
        if (element.shadowRoot || element instanceof HTMLScriptElement) out.push(element.textContent);
        if (element instanceof SVGElement && !(element instanceof SVGTextElement) && element.childElementCount === 0)
            out.push(element.textContent);
        if ('value' in element) out.push(String(element.value));
    }
    return [window.framesReceived, [...new Set(out)].join('\\n')];
}"""
"""How many frames the page has received, and all its text: visible or not, attributes and values of inputs.

The lines of a drawing are joined: the name of a card may be drawn in two, "fantastic" and "four".
"""


class WatchedTab:
    """A tab whose page is sampled from time to time."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        self.samples: list[tuple[int, str]] = []
        """How many frames the page had received, and its text."""

    async def sample(self) -> None:
        frames, text = await self.tab.page.evaluate(PAGE_TEXT)
        self.samples.append((frames, text))

    def version_after(self, frames: int) -> int:
        """The version of the table after so many frames."""
        messages = (json.loads(frame) for frame in reversed(self.tab.frames[:frames]))
        return next((message["version"] for message in messages if message["kind"] in ("welcome", "event")), 0)

    async def client(self, server: Running) -> Client:
        """The tab as a client of the server's audit."""
        cookies = await self.tab.context.cookies()
        proof = [cookie["value"] for cookie in cookies if cookie["name"] == f"fuda-{self.tab.table}"]
        client = Client(server.host, self.tab.table, f"fuda-{self.tab.table}={proof[0]}" if proof else "")
        client.frames = self.tab.frames
        client.sent = {json.loads(frame).get("id", ""): frame for frame in self.tab.sent}
        return client


class CardNames:
    """Finds the names of cards in what a page shows; most begin with a capital there."""

    def __init__(self, names: list[str]) -> None:
        self.names = {name.lower(): name for name in names}
        longest_first = sorted(names, key=len, reverse=True)
        self.name = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])", re.IGNORECASE)

    def named(self, text: str) -> set[str]:
        return {self.names[found.lower()] for found in self.name.findall(text)}


async def findings(server: Running, watched: list[WatchedTab]) -> list[str]:
    """Everything that was sent to these tabs, or shown by them, and should not have been."""
    clients = [await one.client(server) for one in watched]
    table = watched[0].tab.table
    audit = Audit(table, await server.log(table), [client.cookie.partition("=")[2] for client in clients if client.cookie])
    rules = fuda.rulebook((await server.table(table)).game_id)
    shown = CardNames([*rules.cards])
    harmless = {field.name for field in rules.fields}
    found = []
    for one, client in zip(watched, clients, strict=True):
        found += audit.findings(client)
        seat = one.tab.seat
        for frames, text in one.samples:
            version = one.version_after(frames)
            known = audit.known_at(version, seat) if version else set()
            unknown = shown.named(text) - known - harmless
            found += [f"version {version}: the page of {seat or 'a spectator'} names {sorted(unknown)}"] if unknown else []
            found += [f"version {version}: a secret is on the page" for secret in audit.hashes if secret in text]
    return found


async def play_and_sample(watched: WatchedTab, rng: random.Random) -> None:
    """Plays to the end of the game, and samples the page after every answer."""
    page = watched.tab.page
    while True:
        await page.wait_for_selector(".question, .end")
        if await page.query_selector(".end"):
            break
        if await answer(watched.tab, rng):
            await watched.sample()
    await watched.sample()


async def spectate(watched: WatchedTab) -> None:
    """Watches until the end, clicks all buttons of the board, and samples the page after every change."""
    page = watched.tab.page
    while not await page.query_selector(".end"):
        await page.evaluate("document.querySelectorAll('.board button').forEach(one => one.click())")
        await watched.sample()
        await page.wait_for_function(
            "count => framesReceived > count || document.querySelector('.end')", arg=watched.samples[-1][0]
        )
