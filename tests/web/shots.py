"""A gallery of pictures, to look at: `make shots`, or `python -m tests.web.shots [words in their names…]`."""

from __future__ import annotations

import asyncio
import html
import random
import shutil
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal
from unittest.mock import patch

from playwright.async_api import ViewportSize

from fuda.server.pace import Tempo
from fuda.server.table import Table
from tests.server.serving import serving
from tests.web.browsing import DESKTOP, PHONE, Tab, Visitors, play_on, visitors
from tests.web.positions import given_or_dealt
from tests.web.stages import QUESTIONS, TABLES, settled, staged

FOLDER: Final = Path("build") / "shots"
SCREENS: Final = {"phone": PHONE, "desktop": DESKTOP}
OTHER_SCREENS: Final = {"landscape": ViewportSize(width=640, height=360), "tablet": ViewportSize(width=820, height=1180)}
Theme = Literal["light", "dark"]
THEMES: Final[tuple[Theme, ...]] = ("light", "dark")
LANGUAGES: Final = ("en", "de", "ja")
DEFICIENCIES: Final = ("deuteranopia", "protanopia", "tritanopia", "achromatopsia")
SLOW: Final = Tempo(speed=0.01, bytes_wait=0.05)
"""Bots think for longer than it takes to take a picture."""
AT_ONCE: Final = Tempo(speed=500, bytes_wait=5)


@dataclass(frozen=True)
class Look:
    screen: str
    theme: Theme
    language: str

    def __str__(self) -> str:
        return f"{self.screen} {self.theme} {self.language}"

    async def put_on(self, tab: Tab) -> None:
        """The page as somebody with this screen and these settings sees it; reloaded if it has to be."""
        await tab.page.set_viewport_size((SCREENS | OTHER_SCREENS)[self.screen])
        await tab.page.emulate_media(color_scheme=self.theme)
        change = """language => {
            const kept = JSON.parse(localStorage['fuda-settings']);
            localStorage['fuda-settings'] = JSON.stringify({...kept, language});
            return document.documentElement.lang !== language;
        }"""
        if await tab.page.evaluate(change, self.language):
            await tab.page.reload()


LOOKS: Final = [Look(screen, theme, language) for language in LANGUAGES for screen in SCREENS for theme in THEMES]


class Gallery:
    """Takes the pictures whose names were asked for, and hangs them on a page."""

    def __init__(self, wanted: list[str]) -> None:
        self.wanted = wanted
        self.names: list[str] = []

    def wants(self, name: str) -> bool:
        return all(word in name for word in self.wanted)

    def wanted_of(self, what: str, looks: list[Look]) -> Iterator[tuple[str, Look]]:
        for look in looks:
            if self.wants(f"{what} {look}"):
                yield f"{what} {look}", look

    async def take(self, tab: Tab, name: str, *, whole: bool = False) -> None:
        await tab.page.screenshot(path=FOLDER / f"{name}.png", full_page=whole, animations="disabled")
        self.names.append(name)

    def hang(self) -> None:
        groups: dict[str, list[str]] = {}
        for name in sorted(self.names):
            groups.setdefault(name.partition(" ")[0], []).append(name)
        shown = "".join(
            f"<h2>{html.escape(group)}</h2><div>{''.join(map(figure, names))}</div>" for group, names in groups.items()
        )
        style = (
            "body{font-family:sans-serif;background:#999}div{display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start}"
        )
        style += "figure{margin:0;background:#fff;padding:6px}img{display:block;max-width:640px;max-height:800px}"
        head = f"<!doctype html><html lang=en><meta charset=utf-8><title>Fuda</title><style>{style}</style>"
        (FOLDER / "index.html").write_text(f"{head}<h1>Fuda</h1>{shown}")


def figure(name: str) -> str:
    address = f"{html.escape(name.replace(' ', '%20'))}.png"
    return (
        f'<figure><a href="{address}"><img src="{address}" alt=""></a><figcaption>{html.escape(name)}</figcaption></figure>'
    )


# Tables -------------------------------------------------------------------------------------------


async def tables(gallery: Gallery, those: Visitors) -> None:
    """Each game, on a phone and on a desktop, dark and light, in three languages, and on other screens."""
    others = [Look(screen, "light", "en") for screen in OTHER_SCREENS]
    for game in TABLES:
        if wanted := [*gallery.wanted_of(game, [*LOOKS, *others])]:
            tab = await staged(those, game)
            for name, look in wanted:
                await look.put_on(tab)
                await settled(tab)
                await gallery.take(tab, name)
            await tab.context.close()


async def eyes(gallery: Gallery, those: Visitors) -> None:
    """As those see it who do not see all colours, or have chosen their own."""
    for game in TABLES:
        if not gallery.wants(f"eyes {game}"):
            continue
        tab = await staged(those, game, viewport=PHONE)
        chrome = await tab.context.new_cdp_session(tab.page)
        for deficiency in DEFICIENCIES:
            await chrome.send("Emulation.setEmulatedVisionDeficiency", {"type": deficiency})
            await gallery.take(tab, f"eyes {game} {deficiency}")
        await chrome.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})
        await tab.page.emulate_media(forced_colors="active", color_scheme="light")
        await gallery.take(tab, f"eyes {game} forced light")
        await tab.page.emulate_media(forced_colors="active", color_scheme="dark")
        await gallery.take(tab, f"eyes {game} forced dark")
        await tab.context.close()


async def questions(gallery: Gallery, those: Visitors) -> None:
    for question in QUESTIONS:
        if not gallery.wants(f"question {question}"):
            continue
        tab = await staged(those, question, viewport=PHONE)
        await gallery.take(tab, f"question {question} phone")
        await tab.page.set_viewport_size(DESKTOP)
        await gallery.take(tab, f"question {question} desktop")
        await tab.context.close()


# What can be opened at a table --------------------------------------------------------------------

Act = Callable[[Tab], Awaitable[None]]


def pressed(selector: str, shown: str) -> Act:
    """Presses something if it is there: a desktop shows some things anyway."""

    async def press(tab: Tab) -> None:
        button = tab.page.locator(selector)
        if await button.first.is_visible():
            await button.first.click()
        await tab.page.wait_for_selector(shown)

    return press


OPENED: Final[dict[str, tuple[str, Act]]] = {
    "refusal": ("schadenfreude", pressed(".hand .off button", ".refusal")),
    "scores": ("schadenfreude", pressed("header nav button:nth-of-type(1)", "table")),
    "log": ("frantic", pressed(".log-button", ".log")),
    "rules": ("frantic", pressed("header nav button:nth-of-type(3)", ".drawer")),
    "menu": ("kirifu", pressed("[aria-haspopup=dialog]", "dialog[open]")),
    "choosing": ("an attack", pressed(".hand li:not(.off) button", ".chosen")),
}


async def opened(gallery: Gallery, those: Visitors) -> None:
    looks = [look for look in LOOKS if look.language == "en"]
    for what, (game, act) in OPENED.items():
        for name, look in gallery.wanted_of(f"opened {what}", looks):
            tab = await staged(those, game)
            await look.put_on(tab)
            await act(tab)
            await gallery.take(tab, name)
            await tab.context.close()


# Other pages --------------------------------------------------------------------------------------


async def home(gallery: Gallery, those: Visitors) -> None:
    tab = await those.come("/")
    for name, look in gallery.wanted_of("page home", LOOKS):
        await look.put_on(tab)
        await tab.page.wait_for_selector(".games article")
        await gallery.take(tab, name, whole=True)
    await tab.page.locator("header button").last.click()
    await tab.page.wait_for_selector("dialog[open]")
    for name, look in gallery.wanted_of("page settings", [look for look in LOOKS if look.language == "ja"]):
        await look.put_on(tab)
        await gallery.take(tab, name)
    await tab.context.close()


async def lobby(gallery: Gallery, those: Visitors) -> None:
    host = await those.host("frantic", ["me", "open", "thumb", "open"], start=False)
    guest = await those.guest(host, "Ben")
    stranger = await those.come(host.page.url)
    await guest.page.wait_for_selector("main h1")
    await stranger.page.wait_for_selector("main input")
    for who, tab in {"host": host, "guest": guest, "stranger": stranger}.items():
        for name, look in gallery.wanted_of(f"page lobby of a {who}", LOOKS if who == "host" else LOOKS[:4]):
            await look.put_on(tab)
            await tab.page.wait_for_selector("main h1")
            await gallery.take(tab, name, whole=True)
        await tab.context.close()


async def end(gallery: Gallery, those: Visitors) -> None:
    """The score sheet when all is over, and the replay."""
    tab = await those.host("shinigami_preschool", ["me", "thumb", "thumb"], options={"rounds": 2}, pace="none")
    await play_on(tab, random.Random(1))
    for name, look in gallery.wanted_of("page end", LOOKS):
        await look.put_on(tab)
        await tab.page.wait_for_selector(".end h2")
        await gallery.take(tab, name)
    await tab.page.locator(".end a").first.click()
    for name, look in gallery.wanted_of("page replay", LOOKS):
        await look.put_on(tab)
        await tab.page.locator("input[type=range]").fill("12")
        await tab.page.wait_for_selector(".board")
        await gallery.take(tab, name, whole=True)
    await tab.context.close()


# All of it ----------------------------------------------------------------------------------------


async def shoot(gallery: Gallery) -> None:
    with patch.object(Table, "new_game", given_or_dealt):
        async with serving(tempo=SLOW) as running, visitors(running) as those:
            for part in (tables, eyes, questions, opened, lobby):
                await part(gallery, those)
        async with serving(tempo=AT_ONCE) as running, visitors(running) as those:
            for part in (home, end):
                await part(gallery, those)


def main() -> None:
    gallery = Gallery(sys.argv[1:])
    if not gallery.wanted:
        shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    asyncio.run(shoot(gallery))
    gallery.hang()
    sys.stdout.write(f"{len(gallery.names)} pictures: {(FOLDER / 'index.html').absolute().as_uri()}\n")


if __name__ == "__main__":
    main()
