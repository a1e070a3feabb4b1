"""English, German and Japanese: the language can be changed at any time, and nothing is left in English."""

from __future__ import annotations

import re
from typing import Final

import pytest

from fuda.words.book import book_of
from tests.web.browsers import Browsers, Tab
from tests.web.session import SLOW, in_browser
from tests.web.situations import TABLES, open_situation, until_settled

LANGUAGES: Final = {"de": "Deutsch", "ja": "日本語"}
ENGLISH: Final = (
    "the|and|you|your|with|of|is|are|to|play|plays|card|cards|round|turn|draw|draws|trick|wins|takes|leads|leader|rules|settings"
    "|waiting|discard|discards|deck|demand|pile|piles|won|seen|score|happened|menu|close|search|contents|table|last|first|left"
    "|players|more|choices|friends|public|tables|name|language|sound|notifications|chat|another|device|seat|start|bots|link"
)
"""English words, in small letters."""
ALSO_GERMAN: Final = {"deck", "first", "name", "link", "chat", "bots", "start", "is"}
"""Words that German has as well."""
TEXTS: Final = """() => {
    const said = [document.body.innerText, document.title];
    for (const one of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
        for (const name of ['aria-label', 'title', 'placeholder', 'alt']) said.push(one.getAttribute(name) ?? '');
    for (const one of document.querySelectorAll('.visually-hidden, svg text')) said.push(one.textContent);
    return said.join('\\n').replaceAll('\\u00ad', '');
}"""
"""All texts of a page, also those for screen readers."""


async def texts_of(tab: Tab) -> str:
    said: str = await tab.page.evaluate(TEXTS)
    return said


def english_in(text: str) -> set[str]:
    found = {word.lower() for word in re.findall(rf"\b(?:{ENGLISH})\b", text, re.IGNORECASE | re.ASCII)}
    return found - ALSO_GERMAN


async def switch(tab: Tab, language: str) -> None:
    """Changes the language in the settings, by the menu of the table."""
    await tab.page.locator("[aria-haspopup=dialog]").click()
    await tab.page.locator("dialog li button").filter(has_text=re.compile("Settings|Einstellungen|設定")).click()
    await tab.page.get_by_role("radio", name=LANGUAGES[language]).check()
    await tab.page.keyboard.press("Escape")
    await tab.page.wait_for_selector(f"html[lang={language}]")
    await tab.page.wait_for_selector("dialog", state="detached")


@in_browser(tempo=SLOW)
async def test_the_language_can_be_changed_during_a_game(browsers: Browsers) -> None:
    for game in TABLES:
        tab = await open_situation(browsers, game)
        before = await tab.page.locator(".question").get_attribute("data-since")
        assert len(english_in(await texts_of(tab))) > 5
        for language in LANGUAGES:
            await switch(tab, language)
            await check_language(tab, game, language)
        assert await tab.page.locator(".question").get_attribute("data-since") == before
        sockets = [frame for frame in tab.frames if '"kind":"welcome"' in frame]
        assert len(sockets) == 1, "the connection is still the same"
        await tab.context.close()


async def check_language(tab: Tab, game: str, language: str) -> None:
    """Title, question, hand, log and rules are browsers of the book."""
    book = book_of(game, language)
    await tab.page.wait_for_selector(f".game[lang={language}]")
    assert await tab.page.locator("h1").inner_text() == book.name
    await until_settled(tab)
    names = {card.id: card.name.replace("\u00ad", "") for card in book.cards}
    held = await tab.page.locator(".hand button").evaluate_all("all => all.map(one => [one.dataset.card, one.ariaLabel])")
    for card, label in held:
        assert names[card] in label.replace("\u00ad", "")
    said = await texts_of(tab)
    for english in [names[card] for card in names if names[card].casefold() == card]:
        said = said.replace(english, "")  # it has the same name
    assert english_in(said) == set(), f"{game}, {language}"
    await tab.page.locator("header nav button").filter(has_text="§").click()
    await tab.page.wait_for_selector(".drawer")
    said = await tab.page.locator(".drawer").inner_text()
    for block in [block for block in book.page if block.kind in ("title", "heading")]:
        assert block.text in said
    await tab.page.keyboard.press("Escape")
    await tab.page.wait_for_selector(".drawer", state="detached")


@pytest.mark.parametrize("language", LANGUAGES)
@in_browser(tempo=SLOW)
async def test_home_and_lobby_are_fully_translated(browsers: Browsers, language: str) -> None:
    settings = {"language": language}
    home = await browsers.open("/", settings=settings)
    await home.page.wait_for_selector(".games article .picture svg")
    for summary in await home.page.locator("summary").all():
        await summary.click()
    found = {f"home: {word}" for word in english_in(await texts_of(home))}
    await home.page.locator("header button").last.click()
    await home.page.wait_for_selector("dialog fieldset")
    found |= {f"settings: {word}" for word in english_in(await texts_of(home))}
    for game in TABLES:
        host = await browsers.host(game, ["me", "open", "thumb"], start=False, settings=settings)
        await host.page.wait_for_function(
            "name => document.querySelector('main h1')?.textContent === name", arg=book_of(game, language).name
        )
        found |= {f"lobby of {game}: {word}" for word in english_in(await texts_of(host))}
        await host.context.close()
    assert found == set()


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
@in_browser(tempo=SLOW)
async def test_the_family_setting_replaces_the_rude_name_everywhere(browsers: Browsers, language: str) -> None:
    (rude,) = [card for card in book_of("frantic", language).cards if card.mild]
    name, mild = (word.replace("\u00ad", "").casefold() for word in (rude.name, rude.mild))
    for is_family in (False, True):
        tab = await open_situation(browsers, "frantic", settings={"language": language, "family": is_family})
        await tab.page.locator(f'.hand [data-card="{rude.id}"]').click()
        await tab.page.wait_for_selector(".refusal")
        await tab.page.locator("header nav button").filter(has_text="§").click()
        await tab.page.wait_for_selector(".drawer")
        said = (await texts_of(tab)).casefold()
        assert (name in said) == (not is_family)
        assert (mild in said) == is_family
        await tab.context.close()
