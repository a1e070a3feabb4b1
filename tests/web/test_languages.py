"""English, German and Japanese: switched at any time without losing the game, with nothing left of the language before."""

from __future__ import annotations

import asyncio
import re
from typing import Final

import pytest

from fuda.server.table import Table
from fuda.words.book import book_of
from tests.server.serving import serving
from tests.web.browsing import Tab, visitors
from tests.web.positions import given_or_dealt
from tests.web.stages import TABLES, settled, staged
from tests.web.test_everyone import SLOW

LANGUAGES: Final = {"de": "Deutsch", "ja": "日本語"}
ENGLISH: Final = (
    "the|and|you|your|with|of|is|are|to|play|plays|card|cards|round|turn|draw|draws|trick|wins|takes|leads|leader|rules|settings"
    "|waiting|discard|discards|deck|demand|pile|piles|won|seen|score|happened|menu|close|search|contents|table|last|first|left"
    "|players|more|choices|friends|public|tables|name|language|sound|notifications|chat|another|device|seat|start|bots|link"
)
"""Words that neither German nor Japanese has, in small letters."""
GERMAN_TOO: Final = {"deck", "first", "name", "link", "chat", "bots", "start", "is"}
"""In names of people, or words that came into German."""
TEXTS: Final = """() => {
    const said = [document.body.innerText, document.title];
    for (const one of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
        for (const name of ['aria-label', 'title', 'placeholder', 'alt']) said.push(one.getAttribute(name) ?? '');
    for (const one of document.querySelectorAll('.unseen, svg text')) said.push(one.textContent);
    return said.join('\\n').replaceAll('\\u00ad', '');
}"""
"""All that can be read or heard on a page."""


async def texts(tab: Tab) -> str:
    said: str = await tab.page.evaluate(TEXTS)
    return said


def english_in(text: str) -> set[str]:
    found = {word.lower() for word in re.findall(rf"\b(?:{ENGLISH})\b", text, re.IGNORECASE | re.ASCII)}
    return found - GERMAN_TOO


async def switch(tab: Tab, language: str) -> None:
    """Changes the language in the settings, which the menu of the table opens."""
    await tab.page.locator("[aria-haspopup=dialog]").click()
    await tab.page.locator("dialog li button").filter(has_text=re.compile("Settings|Einstellungen|設定")).click()
    await tab.page.get_by_role("radio", name=LANGUAGES[language]).check()
    await tab.page.keyboard.press("Escape")
    await tab.page.wait_for_selector(f"html[lang={language}]")
    await tab.page.wait_for_selector("dialog", state="detached")


def test_the_language_is_changed_in_the_middle_of_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "new_game", given_or_dealt)

    async def do() -> None:
        async with serving(tempo=SLOW) as running, visitors(running) as those:
            for game in TABLES:
                tab = await staged(those, game)
                before = await tab.page.locator(".question").get_attribute("data-since")
                assert len(english_in(await texts(tab))) > 5
                for language in LANGUAGES:
                    await switch(tab, language)
                    await check_language(tab, game, language)
                assert await tab.page.locator(".question").get_attribute("data-since") == before
                sockets = [frame for frame in tab.frames if '"kind":"welcome"' in frame]
                assert len(sockets) == 1, "the connection is still the same"
                await tab.context.close()

    asyncio.run(do())


async def check_language(tab: Tab, game: str, language: str) -> None:
    """Title, question, hand, log and rules are those of the book."""
    book = book_of(game, language)
    await tab.page.wait_for_selector(f".game[lang={language}]")
    assert await tab.page.locator("h1").inner_text() == book.name
    await settled(tab)
    names = {card.id: card.name.replace("\u00ad", "") for card in book.cards}
    held = await tab.page.locator(".hand button").evaluate_all("all => all.map(one => [one.dataset.card, one.ariaLabel])")
    for card, label in held:
        assert names[card] in label.replace("\u00ad", "")
    said = await texts(tab)
    for english in [names[card] for card in names if names[card].casefold() == card]:
        said = said.replace(english, "")  # it is called the same
    assert english_in(said) == set(), f"{game}, {language}"
    await tab.page.locator("header nav button").filter(has_text="§").click()
    await tab.page.wait_for_selector(".drawer")
    said = await tab.page.locator(".drawer").inner_text()
    for block in [block for block in book.page if block.kind in ("title", "heading")]:
        assert block.text in said
    await tab.page.keyboard.press("Escape")
    await tab.page.wait_for_selector(".drawer", state="detached")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_english_is_left_around_the_table(language: str) -> None:
    async def do() -> None:
        async with serving(tempo=SLOW) as running, visitors(running) as those:
            kept = {"language": language}
            home = await those.come("/", settings=kept)
            await home.page.wait_for_selector(".games article .picture svg")
            for summary in await home.page.locator("summary").all():
                await summary.click()
            found = {f"home: {word}" for word in english_in(await texts(home))}
            await home.page.locator("header button").last.click()
            await home.page.wait_for_selector("dialog fieldset")
            found |= {f"settings: {word}" for word in english_in(await texts(home))}
            for game in TABLES:
                host = await those.host(game, ["me", "open", "thumb"], start=False, settings=kept)
                await host.page.wait_for_function(
                    "name => document.querySelector('main h1')?.textContent === name", arg=book_of(game, language).name
                )
                found |= {f"lobby of {game}: {word}" for word in english_in(await texts(host))}
                await host.context.close()
            assert found == set()

    asyncio.run(do())


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_family_names_replace_the_rude_one_everywhere(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "new_game", given_or_dealt)
    (rude,) = [card for card in book_of("frantic", language).cards if card.mild]
    name, mild = (word.replace("\u00ad", "").casefold() for word in (rude.name, rude.mild))

    async def do() -> None:
        async with serving(tempo=SLOW) as running, visitors(running) as those:
            for is_family in (False, True):
                tab = await staged(those, "frantic", settings={"language": language, "family": is_family})
                await tab.page.locator(f'.hand [data-card="{rude.id}"]').click()
                await tab.page.wait_for_selector(".refusal")
                await tab.page.locator("header nav button").filter(has_text="§").click()
                await tab.page.wait_for_selector(".drawer")
                said = (await texts(tab)).casefold()
                assert (name in said) == (not is_family)
                assert (mild in said) == is_family
                await tab.context.close()

    asyncio.run(do())
