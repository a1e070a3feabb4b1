"""Everyone can play: nothing bars anybody, on any page and in any question; all of it by keyboard, and all can be heard."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import pytest
from axe_playwright_python.async_playwright import Axe

import fuda
from fuda.server.pace import Tempo
from fuda.server.table import Table
from tests.server.serving import serving
from tests.web.browsing import DESKTOP, PHONE, Tab, Visitors, play_on, visitors
from tests.web.positions import ASKED, every_question, given_or_dealt, seated_at
from tests.web.stages import TABLES, settled, speaking, staged

AXE: Final[str] = Axe().axe_script
FIND: Final = """async rules => {
    const {violations} = await axe.run({resultTypes: ['violations'], ...(rules && {runOnly: rules})});
    const told = ({html, failureSummary}) => `${html.slice(0, 160)} ${failureSummary.split('\\n')[1] ?? ''}`;
    return violations.flatMap(({id, nodes}) => nodes.map(node => `${id}: ${told(node)}`));
}"""
MODES: Final[dict[str, dict[str, Any]]] = {
    "light": {"color_scheme": "light", "forced_colors": "none"},
    "dark": {"color_scheme": "dark", "forced_colors": "none"},
    "forced": {"color_scheme": "dark", "forced_colors": "active"},
}
COLOURS: Final = ["color-contrast", "link-in-text-block"]
"""What may differ between dark and light."""
SNAPSHOTS: Final = Path(__file__).parent / "snapshots"
LANGUAGES: Final = ("en", "de", "ja")
SLOW: Final = Tempo(speed=0.01, bytes_wait=0.05)
"""Bots think for so long that everything stays as it is."""


class Findings:
    """What bars somebody, found by axe."""

    def __init__(self) -> None:
        self.found: list[str] = []

    async def look(self, tab: Tab, what: str, modes: tuple[str, ...] = ("light", "dark", "forced")) -> None:
        """All rules in the first of these modes, and in the others what may differ there."""
        if not await tab.page.evaluate("'axe' in window"):
            await tab.page.evaluate(AXE)
        for mode in modes:
            await tab.page.emulate_media(**MODES[mode])
            found = await tab.page.evaluate(FIND, None if mode == modes[0] else COLOURS)
            self.found += [f"{what}, {mode}: {one}" for one in found]

    def check(self) -> None:
        assert not self.found, "\n".join(self.found)


# Nothing bars anybody -----------------------------------------------------------------------------


def test_axe_finds_nothing_on_the_pages_around_the_table() -> None:
    async def do() -> None:
        findings = Findings()
        async with serving(tempo=SLOW) as running, visitors(running) as those:
            await look_at_home(findings, those)
            await look_at_lobby(findings, those)
        findings.check()

    asyncio.run(do())


async def look_at_home(findings: Findings, those: Visitors) -> None:
    tab = await those.come("/", viewport=PHONE)
    await tab.page.wait_for_selector(".games article .picture svg")
    await findings.look(tab, "home")
    await tab.page.locator("summary").first.click()
    await findings.look(tab, "more choices")
    await tab.page.locator(".games .button.main").first.click()
    await tab.page.wait_for_selector("dialog input")
    await findings.look(tab, "name")
    await tab.page.keyboard.press("Escape")
    await tab.page.get_by_role("button", name="Settings").click()
    await tab.page.wait_for_selector("dialog fieldset")
    await findings.look(tab, "settings")
    nowhere = await those.come("/t/nowhere99")
    await nowhere.page.wait_for_selector("main h1")
    await findings.look(nowhere, "no such table")
    nowhere.faults.clear()


async def look_at_lobby(findings: Findings, those: Visitors) -> None:
    host = await those.host("frantic", ["me", "open", "thumb", "open"], start=False, viewport=PHONE)
    await host.page.wait_for_selector("main h1")
    guest = await those.guest(host, "Ben", viewport=PHONE)
    await guest.page.wait_for_selector("main h1")
    await findings.look(host, "lobby of the host")
    await findings.look(guest, "lobby of a guest")
    stranger = await those.come(host.page.url, viewport=PHONE)
    await stranger.page.wait_for_selector("main input")
    await findings.look(stranger, "joining")
    await host.page.locator("[aria-haspopup=dialog]").click()
    await findings.look(host, "menu")
    await host.page.get_by_role("button", name="another device").click()
    link = await host.page.locator("dialog input[readonly]").input_value()
    await findings.look(host, "link to another device")
    claim = await those.come(link, viewport=PHONE)
    await claim.page.wait_for_selector("main .button")
    await findings.look(claim, "taking over")


def pressed(selector: str, shown: str) -> Callable[[Tab], Awaitable[None]]:
    async def press(tab: Tab) -> None:
        await tab.page.locator(selector).first.click()
        await tab.page.wait_for_selector(shown)

    return press


OPENED: Final = {
    "refusal": pressed(".hand .off button", ".refusal"),
    "rule that is cited": pressed(".refusal .button", ".drawer .cited"),
    "rules closed": pressed(".drawer .close", ".game:not(:has(.drawer))"),
    "log": pressed(".log-button", ".log"),
    "log closed": pressed(".log-button", ".log-button[aria-expanded=false]"),
    "score sheet": pressed("header nav button >> nth=0", ".sheet table"),
    "score sheet closed": pressed(".sheet .button.main", ".game:not(:has(.sheet table))"),
    "menu": pressed("[aria-haspopup=dialog]", "dialog[open]"),
    "chat": pressed("dialog li:nth-child(2) button", ".game input"),
}


def test_axe_finds_nothing_at_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "new_game", given_or_dealt)

    async def do() -> None:
        findings = Findings()
        async with serving(tempo=SLOW) as running, visitors(running) as those:
            for game in TABLES:
                tab = await staged(those, game)
                await findings.look(tab, f"{game} on a desktop")
                await tab.context.close()
            tab = await staged(those, "schadenfreude", viewport=PHONE)
            for what, act in OPENED.items():
                await act(tab)
                if "closed" not in what:
                    await findings.look(tab, what)
        findings.check()

    asyncio.run(do())


def test_axe_finds_nothing_at_the_end_and_in_the_replay() -> None:
    async def do() -> None:
        findings = Findings()
        async with serving(tempo=Tempo(speed=500, bytes_wait=5)) as running, visitors(running) as those:
            options = {"rounds": 1}
            tab = await those.host("shinigami_preschool", ["me", "thumb", "thumb", "thumb"], options=options, pace="none")
            await play_on(tab, random.Random(1))
            await findings.look(tab, "end")
            await tab.page.set_viewport_size(PHONE)
            await findings.look(tab, "end on a phone")
            await tab.page.locator(".end a").first.click()
            await tab.page.wait_for_selector(".replay .board")
            await findings.look(tab, "replay")
            await tab.page.goto("/")
            await tab.page.wait_for_selector("#finished")
            await findings.look(tab, "home with finished games")
        findings.check()

    asyncio.run(do())


@pytest.mark.parametrize("game", ASKED)
def test_axe_finds_nothing_in_any_question(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "new_game", given_or_dealt)

    async def do() -> None:
        findings = Findings()
        async with serving(tempo=SLOW) as running, visitors(running) as those:
            tab = await those.come("/", viewport=PHONE)
            for position in every_question(game):
                await seated_at(tab, position)
                await settled(tab)
                await findings.look(tab, position.kind, ("light", "dark"))
        findings.check()

    asyncio.run(do())


# All of it can be heard ---------------------------------------------------------------------------


def test_a_screen_reader_finds_the_same_table_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """What has names and which, in three languages; with FUDA_SNAPSHOTS=new the files are written anew."""
    monkeypatch.setattr(Table, "new_game", given_or_dealt)

    async def do() -> None:
        async with serving(tempo=SLOW) as running, visitors(running) as those:
            for game in TABLES:
                tab = await staged(those, game)
                for language in LANGUAGES:
                    await speaking(tab, language)
                    heard = await tab.page.locator("[data-heard]").inner_text()
                    snapshot = (await tab.page.locator(".game").aria_snapshot()).partition("- complementary")[0]
                    compare(SNAPSHOTS / f"{game}.{language}.yml", f"# {heard}\n{snapshot}")
                await tab.context.close()

    asyncio.run(do())


def compare(file: Path, text: str) -> None:
    if os.environ.get("FUDA_SNAPSHOTS") == "new":
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8"), f"{file.name} says something else; FUDA_SNAPSHOTS=new writes it anew"


LIVE: Final = """() => [...document.querySelectorAll('[aria-live], [role=status], [role=log], [role=alert]')]
    .map(one => [one.getAttribute('aria-live'), one.textContent.trim()]).filter(([, text]) => text)"""


def test_one_live_region_tells_what_happens_and_what_is_asked() -> None:
    async def do() -> None:
        async with serving() as running, visitors(running) as those:
            tab = await those.host("schadenfreude", ["me", "thumb", "thumb"], pace="none")
            await tab.asked()
            for _ in range(3):
                await play_on(tab, random.Random(1), 1)
                await settled(tab)
                regions = await tab.page.evaluate(LIVE)
                assert [live for live, _ in regions] == ["polite"]
                ((_, heard),) = regions
                assert heard.endswith("Your turn. Play a card."), heard
                newest = (await tab.page.locator(".log li").all_inner_texts())[-1]
                assert newest.strip() in heard

    asyncio.run(do())


def test_a_card_that_cannot_be_played_now_is_called_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never colour, or brightness, alone."""
    monkeypatch.setattr(Table, "new_game", given_or_dealt)

    async def do() -> None:
        async with serving(tempo=SLOW) as running, visitors(running) as those:
            for game in TABLES:
                tab = await staged(those, game)
                moves = {word for move in tab.news["ask"]["moves"] for word in move.split(" + ")}
                named = await tab.page.locator(".hand button").evaluate_all(
                    "all => all.map(one => [one.dataset.card, one.getAttribute('aria-label')])"
                )
                assert named
                for card, name in named:
                    assert ("cannot be played now" in name) == (card not in moves), name
                    assert card.split()[-1] in name.lower() or card.split()[-1] in name
                await tab.context.close()

    asyncio.run(do())


# Everything by keyboard ---------------------------------------------------------------------------


def test_the_focus_is_seen_is_nowhere_trapped_and_comes_to_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "new_game", given_or_dealt)

    async def do() -> None:
        async with serving(tempo=SLOW) as running, visitors(running) as those:
            for tab in (await those.come("/"), await staged(those, "frantic")):
                await tab.page.wait_for_selector("main button")
                stops = await round_by_keyboard(tab)
                unseen = [stop["html"] for stop in stops if not stop["seen"]]
                assert unseen == [], "one does not see where one is"
                assert len(stops) > 5

    asyncio.run(do())


async def round_by_keyboard(tab: Tab) -> list[dict[str, Any]]:
    """All places to which Tab leads, once around."""
    where = """() => {
        const now = document.activeElement;
        if (!now || now === document.body) return null;
        now.dataset.stop ??= String(document.querySelectorAll('[data-stop]').length);
        const {outlineStyle, outlineWidth} = getComputedStyle(now);
        const seen = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
        return {stop: now.dataset.stop, seen, html: now.outerHTML.slice(0, 120)};
    }"""
    stops: list[dict[str, Any]] = []
    for _ in range(200):
        await tab.page.keyboard.press("Tab")
        stop = await tab.page.evaluate(where)
        if stop is None:
            continue  # for once it is outside
        if stop["stop"] in [one["stop"] for one in stops]:
            assert stop["stop"] == stops[0]["stop"], f"the focus is trapped at {stop['html']}"
            return stops
        stops.append(stop)
    raise AssertionError("Tab leads nowhere")


DIALOGS: Final = {
    "menu": ("[aria-haspopup=dialog]", "dialog[open]"),
    "rules": ("header nav button >> nth=2", ".drawer"),
}


@pytest.mark.parametrize("what", DIALOGS)
def test_escape_closes_what_was_opened_and_the_focus_returns(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "new_game", given_or_dealt)
    opener, shown = DIALOGS[what]

    async def do() -> None:
        async with serving(tempo=SLOW) as running, visitors(running) as those:
            for size in (PHONE, DESKTOP):
                tab = await staged(those, "schadenfreude", viewport=size)
                await tab.page.locator(opener).focus()
                await tab.page.keyboard.press("Enter")
                await tab.page.wait_for_selector(shown)
                await tab.page.keyboard.press("Tab")
                assert await tab.page.evaluate("shown => !!document.activeElement.closest(shown)", shown), (
                    "the focus is in it"
                )
                await tab.page.keyboard.press("Escape")
                await tab.page.wait_for_selector(shown, state="detached")
                assert await tab.page.locator(opener).evaluate("one => one === document.activeElement")

    asyncio.run(do())


def test_settings_can_be_changed_by_keyboard_alone() -> None:
    async def do() -> None:
        async with serving() as running, visitors(running) as those:
            tab = await those.come("/")
            await tab.page.get_by_role("button", name="Settings").focus()
            await tab.page.keyboard.press("Enter")
            await tab.page.get_by_role("radio", name="English").focus()
            await tab.page.keyboard.press("ArrowRight")
            await tab.page.wait_for_selector("html[lang=de]")
            await tab.page.keyboard.press("Escape")
            await tab.page.wait_for_selector("dialog", state="detached")
            assert await tab.page.get_by_role("button", name="Einstellungen").evaluate(
                "one => one === document.activeElement"
            )

    asyncio.run(do())


def test_every_game_is_looked_at() -> None:
    assert [*TABLES] == [game["id"] for game in fuda.games()] == [*ASKED]
