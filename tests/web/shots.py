"""Screenshots of everything: `make shots`, or `python -m tests.web.shots [words in their names…]`."""

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
from tests.web.browsers import DESKTOP, PHONE, Browsers, Tab, browsers_at, launched, play_game
from tests.web.positions import given_or_dealt
from tests.web.session import SLOW
from tests.web.situations import QUESTIONS, TABLES, open_situation, until_settled

FOLDER: Final = Path("build") / "shots"
SCREENS: Final = {"phone": PHONE, "desktop": DESKTOP}
OTHER_SCREENS: Final = {"landscape": ViewportSize(width=640, height=360), "tablet": ViewportSize(width=820, height=1180)}
Theme = Literal["light", "dark"]
THEMES: Final[tuple[Theme, ...]] = ("light", "dark")
LANGUAGES: Final = ("en", "de", "ja")
DEFICIENCIES: Final = ("deuteranopia", "protanopia", "tritanopia", "achromatopsia")
QUICK: Final = Tempo(speed=500, bytes_wait=5)


@dataclass(frozen=True)
class Look:
    """A screen, a theme and a language."""

    screen: str
    theme: Theme
    language: str

    def __str__(self) -> str:
        return f"{self.screen} {self.theme} {self.language}"

    async def apply(self, tab: Tab) -> None:
        """Changes the page, and reloads it if the language changes."""
        await tab.page.set_viewport_size((SCREENS | OTHER_SCREENS)[self.screen])
        await tab.page.emulate_media(color_scheme=self.theme)
        change = """language => {
            const saved = JSON.parse(localStorage['fuda-settings']);
            localStorage['fuda-settings'] = JSON.stringify({...saved, language});
            return document.documentElement.lang !== language;
        }"""
        if await tab.page.evaluate(change, self.language):
            await tab.page.reload()


LOOKS: Final = [Look(screen, theme, language) for language in LANGUAGES for screen in SCREENS for theme in THEMES]


class Gallery:
    """Takes the screenshots whose names contain all wanted words, and writes a page with all of them."""

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

    def write_page(self) -> None:
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


async def tables(gallery: Gallery, browsers: Browsers) -> None:
    """Each game in all looks, and on other screens."""
    others = [Look(screen, "light", "en") for screen in OTHER_SCREENS]
    for game in TABLES:
        if wanted := [*gallery.wanted_of(game, [*LOOKS, *others])]:
            tab = await open_situation(browsers, game)
            for name, look in wanted:
                await look.apply(tab)
                await until_settled(tab)
                await gallery.take(tab, name)
            await tab.context.close()


async def vision(gallery: Gallery, browsers: Browsers) -> None:
    """As browsers see it who do not see all colours, or have chosen their own."""
    for game in TABLES:
        if not gallery.wants(f"vision {game}"):
            continue
        tab = await open_situation(browsers, game, viewport=PHONE)
        chrome = await tab.context.new_cdp_session(tab.page)
        for deficiency in DEFICIENCIES:
            await chrome.send("Emulation.setEmulatedVisionDeficiency", {"type": deficiency})
            await gallery.take(tab, f"vision {game} {deficiency}")
        await chrome.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})
        await tab.page.emulate_media(forced_colors="active", color_scheme="light")
        await gallery.take(tab, f"vision {game} forced light")
        await tab.page.emulate_media(forced_colors="active", color_scheme="dark")
        await gallery.take(tab, f"vision {game} forced dark")
        await tab.context.close()


async def questions(gallery: Gallery, browsers: Browsers) -> None:
    for question in QUESTIONS:
        if not gallery.wants(f"question {question}"):
            continue
        tab = await open_situation(browsers, question, viewport=PHONE)
        await gallery.take(tab, f"question {question} phone")
        await tab.page.set_viewport_size(DESKTOP)
        await gallery.take(tab, f"question {question} desktop")
        await tab.context.close()


# Panels and dialogs of a table --------------------------------------------------------------------

Act = Callable[[Tab], Awaitable[None]]


def click(selector: str, shown: str) -> Act:
    """Clicks a button if it is visible; on a desktop some things are always shown."""

    async def act(tab: Tab) -> None:
        button = tab.page.locator(selector)
        if await button.first.is_visible():
            await button.first.click()
        await tab.page.wait_for_selector(shown)

    return act


OPENED: Final[dict[str, tuple[str, Act]]] = {
    "refusal": ("schadenfreude", click(".hand .disabled button", ".refusal")),
    "scores": ("schadenfreude", click("header nav button:nth-of-type(1)", "table")),
    "log": ("frantic", click(".log-button", ".log")),
    "rules": ("frantic", click("header nav button:nth-of-type(3)", ".drawer")),
    "menu": ("kirifu", click("[aria-haspopup=dialog]", "dialog[open]")),
    "choosing": ("an attack", click(".hand li:not(.disabled) button", ".selected")),
}


async def opened(gallery: Gallery, browsers: Browsers) -> None:
    looks = [look for look in LOOKS if look.language == "en"]
    for what, (game, act) in OPENED.items():
        for name, look in gallery.wanted_of(f"opened {what}", looks):
            tab = await open_situation(browsers, game)
            await look.apply(tab)
            await act(tab)
            await gallery.take(tab, name)
            await tab.context.close()


# Other pages --------------------------------------------------------------------------------------


async def home(gallery: Gallery, browsers: Browsers) -> None:
    tab = await browsers.open("/")
    for name, look in gallery.wanted_of("page home", LOOKS):
        await look.apply(tab)
        await tab.page.wait_for_selector(".games article")
        await gallery.take(tab, name, whole=True)
    await tab.page.locator("header button").last.click()
    await tab.page.wait_for_selector("dialog[open]")
    for name, look in gallery.wanted_of("page settings", [look for look in LOOKS if look.language == "ja"]):
        await look.apply(tab)
        await gallery.take(tab, name)
    await tab.context.close()


async def lobby(gallery: Gallery, browsers: Browsers) -> None:
    host = await browsers.host("frantic", ["me", "open", "thumb", "open"], start=False)
    guest = await browsers.guest(host, "Ben")
    stranger = await browsers.open(host.page.url)
    await guest.page.wait_for_selector("main h1")
    await stranger.page.wait_for_selector("main input")
    for who, tab in {"host": host, "guest": guest, "stranger": stranger}.items():
        for name, look in gallery.wanted_of(f"page lobby of a {who}", LOOKS if who == "host" else LOOKS[:4]):
            await look.apply(tab)
            await tab.page.wait_for_selector("main h1")
            await gallery.take(tab, name, whole=True)
        await tab.context.close()


async def end(gallery: Gallery, browsers: Browsers) -> None:
    """The end of a game, and its replay."""
    tab = await browsers.host(
        "shinigami_preschool", ["me", "thumb", "thumb"], options={"rounds": 2}, pace="none", short_pauses=True
    )
    await play_game(tab, random.Random(1))
    for name, look in gallery.wanted_of("page end", LOOKS):
        await look.apply(tab)
        await tab.page.wait_for_selector(".end h2")
        await gallery.take(tab, name)
    await tab.page.locator(".end a").first.click()
    for name, look in gallery.wanted_of("page replay", LOOKS):
        await look.apply(tab)
        await tab.page.locator("input[type=range]").fill("12")
        await tab.page.wait_for_selector(".board")
        await gallery.take(tab, name, whole=True)
    await tab.context.close()


# Main ---------------------------------------------------------------------------------------------


async def shoot(gallery: Gallery) -> None:
    with patch.object(Table, "new_game", given_or_dealt):
        async with launched() as browser, serving(tempo=SLOW) as server, browsers_at(browser, server) as browsers:
            for part in (tables, vision, questions, opened, lobby):
                await part(gallery, browsers)
        async with launched() as browser, serving(tempo=QUICK) as server, browsers_at(browser, server) as browsers:
            for part in (home, end):
                await part(gallery, browsers)


def main() -> None:
    gallery = Gallery(sys.argv[1:])
    if not gallery.wanted:
        shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    asyncio.run(shoot(gallery))
    gallery.write_page()
    sys.stdout.write(f"{len(gallery.names)} screenshots: {(FOLDER / 'index.html').absolute().as_uri()}\n")


if __name__ == "__main__":
    main()
