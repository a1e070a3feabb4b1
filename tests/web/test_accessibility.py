"""Axe finds no fault on any page and in any question; everything works by keyboard; screen readers get all texts."""

from __future__ import annotations

import os
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import pytest
from axe_playwright_python.async_playwright import Axe

import fuda
from fuda.server.pace import Tempo
from tests.web.browsers import DESKTOP, PHONE, Browsers, Tab, play_game
from tests.web.positions import ASKED, every_question, sit_at
from tests.web.session import SLOW, in_browser
from tests.web.situations import TABLES, open_situation, reload_in, until_settled

AXE: Final[str] = Axe().axe_script
FIND: Final = """async rules => {
    const {violations} = await axe.run({resultTypes: ['violations'], preload: false, ...(rules && {runOnly: rules})});
    const told = ({html, failureSummary}) => `${html.slice(0, 160)} ${failureSummary.split('\\n')[1] ?? ''}`;
    return violations.flatMap(({id, nodes}) => nodes.map(node => `${id}: ${told(node)}`));
}"""
MODES: Final[dict[str, dict[str, Any]]] = {
    "light": {"color_scheme": "light", "forced_colors": "none"},
    "dark": {"color_scheme": "dark", "forced_colors": "none"},
    "forced": {"color_scheme": "dark", "forced_colors": "active"},
}
COLOURS: Final = ["color-contrast", "link-in-text-block"]
"""The rules whose result may differ between the modes."""
SNAPSHOTS: Final = Path(__file__).parent / "snapshots"
LANGUAGES: Final = ("en", "de", "ja")


class AxeFindings:
    """Collects what axe finds."""

    def __init__(self) -> None:
        self.found: list[str] = []

    async def run(self, tab: Tab, what: str, modes: tuple[str, ...] = ("light", "dark", "forced")) -> None:
        """All rules in the first of these modes, and in the others those that may differ."""
        if not await tab.page.evaluate("'axe' in window"):
            await tab.page.evaluate(AXE)
        for mode in modes:
            await tab.page.emulate_media(**MODES[mode])
            found = await tab.page.evaluate(FIND, None if mode == modes[0] else COLOURS)
            self.found += [f"{what}, {mode}: {one}" for one in found]

    def check(self) -> None:
        assert not self.found, "\n".join(self.found)


# Axe ---------------------------------------------------------------------------------------------


@in_browser(tempo=SLOW)
async def test_axe_finds_nothing_on_home_lobby_and_joining(browsers: Browsers) -> None:
    findings = AxeFindings()
    await check_home(findings, browsers)
    await check_lobby(findings, browsers)
    findings.check()


async def check_home(findings: AxeFindings, browsers: Browsers) -> None:
    tab = await browsers.open("/", viewport=PHONE)
    await tab.page.wait_for_selector(".games article .picture svg")
    await findings.run(tab, "home")
    await tab.page.locator("summary").first.click()
    await findings.run(tab, "more choices")
    await tab.page.locator(".games .button.main").first.click()
    await tab.page.wait_for_selector("dialog input")
    await findings.run(tab, "name")
    await tab.page.keyboard.press("Escape")
    await tab.page.get_by_role("button", name="Settings").click()
    await tab.page.wait_for_selector("dialog fieldset")
    await findings.run(tab, "settings")
    missing = await browsers.open("/t/nowhere99")
    await missing.page.wait_for_selector("main h1")
    await findings.run(missing, "no such table")
    missing.errors.clear()


async def check_lobby(findings: AxeFindings, browsers: Browsers) -> None:
    host = await browsers.host("frantic", ["me", "open", "thumb", "open"], start=False, viewport=PHONE)
    await host.page.wait_for_selector("main h1")
    guest = await browsers.guest(host, "Ben", viewport=PHONE)
    await guest.page.wait_for_selector("main h1")
    await findings.run(host, "lobby of the host")
    await findings.run(guest, "lobby of a guest")
    stranger = await browsers.open(host.page.url, viewport=PHONE)
    await stranger.page.wait_for_selector("main input")
    await findings.run(stranger, "joining")
    await host.page.locator("[aria-haspopup=dialog]").click()
    await findings.run(host, "menu")
    await host.page.get_by_role("button", name="another device").click()
    link = await host.page.locator("dialog input[readonly]").input_value()
    await findings.run(host, "link to another device")
    claim = await browsers.open(link, viewport=PHONE)
    await claim.page.wait_for_selector("main .button")
    await findings.run(claim, "taking over")


def click(selector: str, shown: str) -> Callable[[Tab], Awaitable[None]]:
    async def act(tab: Tab) -> None:
        await tab.page.locator(selector).first.click()
        await tab.page.wait_for_selector(shown)

    return act


OPENED: Final = {
    "refusal": click(".hand .disabled button", ".refusal"),
    "rule that is cited": click(".refusal .button", ".drawer .cited"),
    "rules closed": click(".drawer .close", ".game:not(:has(.drawer))"),
    "log": click(".log-button", ".log"),
    "log closed": click(".log-button", ".log-button[aria-expanded=false]"),
    "score sheet": click("header nav button >> nth=0", ".sheet table"),
    "score sheet closed": click(".sheet .button.main", ".game:not(:has(.sheet table))"),
    "menu": click("[aria-haspopup=dialog]", "dialog[open]"),
    "chat": click("dialog li:nth-child(2) button", ".game input"),
}


@in_browser(tempo=SLOW)
async def test_axe_finds_nothing_at_the_table(browsers: Browsers) -> None:
    findings = AxeFindings()
    for game in TABLES:
        tab = await open_situation(browsers, game)
        await findings.run(tab, f"{game} on a desktop")
        await tab.context.close()
    tab = await open_situation(browsers, "schadenfreude", viewport=PHONE)
    for what, act in OPENED.items():
        await act(tab)
        if "closed" not in what:
            await findings.run(tab, what)
    findings.check()


@in_browser(tempo=Tempo(speed=500, bytes_wait=5))
async def test_axe_finds_nothing_at_the_end_and_in_the_replay(browsers: Browsers) -> None:
    findings = AxeFindings()
    short: dict[str, Any] = {"options": {"rounds": 1}, "pace": "none", "short_pauses": True}
    tab = await browsers.host("shinigami_preschool", ["me", "thumb", "thumb", "thumb"], **short)
    await play_game(tab, random.Random(1))
    await findings.run(tab, "end")
    await tab.page.set_viewport_size(PHONE)
    await findings.run(tab, "end on a phone")
    await tab.page.locator(".end a").first.click()
    await tab.page.wait_for_selector(".replay .board")
    await findings.run(tab, "replay")
    await tab.page.goto("/")
    await tab.page.wait_for_selector("#finished")
    await findings.run(tab, "home with finished games")
    findings.check()


@pytest.mark.parametrize("game", ASKED)
@in_browser(tempo=SLOW)
async def test_axe_finds_nothing_in_any_question(browsers: Browsers, game: str) -> None:
    findings = AxeFindings()
    tab = await browsers.open("/", viewport=PHONE)
    for position in every_question(game):
        await sit_at(tab, position, reload=not tab.table)
        await until_settled(tab)
        await findings.run(tab, position.kind, ("light", "dark"))
    findings.check()


# Screen readers -----------------------------------------------------------------------------------


@in_browser(tempo=SLOW)
async def test_the_accessibility_tree_matches_its_snapshot(browsers: Browsers) -> None:
    """In three languages; FUDA_SNAPSHOTS=new writes new snapshots."""
    for game in TABLES:
        tab = await open_situation(browsers, game)
        for language in LANGUAGES:
            await reload_in(tab, language)
            announced = await tab.page.locator("[data-announcement]").inner_text()
            snapshot = (await tab.page.locator(".game").aria_snapshot()).partition("- complementary")[0]
            compare(SNAPSHOTS / f"{game}.{language}.yml", f"# {announced}\n{snapshot}")
        await tab.context.close()


def compare(file: Path, text: str) -> None:
    if os.environ.get("FUDA_SNAPSHOTS") == "new":
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8"), f"{file.name} has changed; FUDA_SNAPSHOTS=new writes new snapshots"


LIVE: Final = """() => [...document.querySelectorAll('[aria-live], [role=status], [role=log], [role=alert]')]
    .map(one => [one.getAttribute('aria-live'), one.textContent.trim()]).filter(([, text]) => text)"""


@in_browser()
async def test_one_live_region_announces_events_and_questions(browsers: Browsers) -> None:
    tab = await browsers.host("schadenfreude", ["me", "thumb", "thumb"], pace="none", short_pauses=True)
    await tab.asked()
    for _ in range(3):
        await play_game(tab, random.Random(1), 1)
        await until_settled(tab)
        regions = await tab.page.evaluate(LIVE)
        assert [live for live, _ in regions] == ["polite"]
        ((_, announced),) = regions
        assert announced.endswith("Your turn. Play a card."), announced
        newest = (await tab.page.locator(".log li").all_inner_texts())[-1]
        assert newest.strip() in announced


@in_browser(tempo=SLOW)
async def test_the_name_of_an_unplayable_card_says_so(browsers: Browsers) -> None:
    """Colour or brightness alone is not enough."""
    for game in TABLES:
        tab = await open_situation(browsers, game)
        moves = {word for move in tab.news["ask"]["moves"] for word in move.split(" + ")}
        named = await tab.page.locator(".hand button").evaluate_all(
            "all => all.map(one => [one.dataset.card, one.getAttribute('aria-label')])"
        )
        assert named
        for card, name in named:
            assert ("cannot be played now" in name) == (card not in moves), name
            assert card.split()[-1] in name.lower() or card.split()[-1] in name
        await tab.context.close()


# Keyboard -----------------------------------------------------------------------------------------


@in_browser(tempo=SLOW)
async def test_the_focus_is_visible_and_never_trapped(browsers: Browsers) -> None:
    for tab in (await browsers.open("/"), await open_situation(browsers, "frantic")):
        await tab.page.wait_for_selector("main button")
        stops = await tab_stops(tab)
        invisible = [stop["html"] for stop in stops if not stop["seen"]]
        assert invisible == [], "the focus is not visible"
        assert len(stops) > 5


async def tab_stops(tab: Tab) -> list[dict[str, Any]]:
    """All elements that Tab reaches, once around."""
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
            continue  # the focus has left the page
        if stop["stop"] in [one["stop"] for one in stops]:
            assert stop["stop"] == stops[0]["stop"], f"the focus is trapped at {stop['html']}"
            return stops
        stops.append(stop)
    raise AssertionError("Tab does not return to the start")


DIALOGS: Final = {
    "menu": ("[aria-haspopup=dialog]", "dialog[open]"),
    "rules": ("header nav button >> nth=2", ".drawer"),
}


@pytest.mark.parametrize("what", DIALOGS)
@in_browser(tempo=SLOW)
async def test_escape_closes_a_dialog_and_the_focus_returns(browsers: Browsers, what: str) -> None:
    opener, shown = DIALOGS[what]
    for size in (PHONE, DESKTOP):
        tab = await open_situation(browsers, "schadenfreude", viewport=size)
        await tab.page.locator(opener).focus()
        await tab.page.keyboard.press("Enter")
        await tab.page.wait_for_selector(shown)
        await tab.page.keyboard.press("Tab")
        assert await tab.page.evaluate("shown => !!document.activeElement.closest(shown)", shown), "the focus is in it"
        await tab.page.keyboard.press("Escape")
        await tab.page.wait_for_selector(shown, state="detached")
        assert await tab.page.locator(opener).evaluate("one => one === document.activeElement")


@in_browser()
async def test_settings_can_be_changed_by_keyboard_alone(browsers: Browsers) -> None:
    tab = await browsers.open("/")
    await tab.page.get_by_role("button", name="Settings").focus()
    await tab.page.keyboard.press("Enter")
    await tab.page.get_by_role("radio", name="English").focus()
    await tab.page.keyboard.press("ArrowRight")
    await tab.page.wait_for_selector("html[lang=de]")
    await tab.page.keyboard.press("Escape")
    await tab.page.wait_for_selector("dialog", state="detached")
    assert await tab.page.get_by_role("button", name="Einstellungen").evaluate("one => one === document.activeElement")


def test_every_game_has_situations_and_questions() -> None:
    assert [*TABLES] == [game["id"] for game in fuda.games()] == [*ASKED]
