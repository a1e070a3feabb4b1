"""Refusals, confirmation, moves of several cards, finished tricks and the score sheet."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from playwright.async_api import Page, expect

import fuda
from tests.server.serving import Running
from tests.web.browsers import Browsers, Tab
from tests.web.positions import Position, asked_in, sit_at
from tests.web.session import in_browser


def first(file: str, game: str, condition: Callable[[fuda.Game], bool]) -> Position:
    """The first position in a file of examples that fulfils the condition."""
    return next(position for position in asked_in(file, game) if condition(position.game))


def hand_of(game: fuda.Game) -> list[str]:
    hand: list[str] = game.view(game.seat)["hands"][game.seat]
    return hand


async def moves_of(server: Running, tab: Tab) -> list[str]:
    game = (await server.table(tab.table)).game
    assert game is not None
    return game.played


async def until_played(server: Running, tab: Tab, move: str) -> None:
    async with asyncio.timeout(20):
        while move not in await moves_of(server, tab):
            await asyncio.sleep(0.02)


async def enabled_cards(page: Page) -> set[str]:
    """The cards of the hand that are not greyed out."""
    cards = page.locator(".hand li:not(.disabled) button")
    return set(await cards.evaluate_all("all => all.map(one => one.dataset.card)"))


# Refusals -----------------------------------------------------------------------------------------


def must_follow(game: fuda.Game) -> bool:
    return len(game.moves()) > 1 and len(set(hand_of(game)) - set(game.moves())) > 0


@in_browser()
async def test_an_unplayable_card_shows_why_and_links_to_the_rule(server: Running, browsers: Browsers) -> None:
    position = first("S-20", "schadenfreude", must_follow)
    tab = await browsers.open("/")
    await sit_at(tab, position)
    await tab.asked()
    page = tab.page
    before = await moves_of(server, tab)
    other = sorted(set(hand_of(position.game)) - set(position.game.moves()))[0]
    assert await enabled_cards(page) == {*position.game.moves()}
    await page.click(f'.hand [data-card="{other}"]')
    refusal = page.locator(".refusal")
    await expect(refusal).to_contain_text("Follow the suit that was led")
    assert await moves_of(server, tab) == before

    await refusal.get_by_role("button", name="Rule S-20").click()
    cited = page.locator("dialog section.current")
    await expect(cited).to_contain_text("S-20")
    await expect(cited).to_be_in_viewport()
    await expect(cited).to_contain_text("just cited")
    await page.keyboard.press("Escape")
    await expect(page.locator("dialog")).to_have_count(0)
    await refusal.get_by_role("button", name="Close").click()
    await expect(refusal).to_have_count(0)


@in_browser()
async def test_a_tap_out_of_turn_shows_why_not(server: Running, browsers: Browsers) -> None:
    ann = await browsers.host("shinigami_preschool", ["me", "open"], start=False, options={"rounds": 1}, pace="none")
    ben = await browsers.guest(ann, "Ben")
    await ann.page.get_by_role("button", name="Start").click()
    for tab in (ann, ben):
        await tab.at_table()
    waits = ben if await ann.page.locator(".question").count() else ann
    await waits.page.locator(".hand button").first.click()
    await expect(waits.page.locator(".refusal")).to_be_visible()
    assert await moves_of(server, ann) == []


@in_browser()
async def test_with_confirmation_the_first_tap_selects_and_the_second_plays(server: Running, browsers: Browsers) -> None:
    position = first("S-20", "schadenfreude", must_follow)
    card, other = position.game.moves()[:2]
    tab = await browsers.open("/", settings={"confirm": True}, viewport={"width": 360, "height": 640}, has_touch=True)
    await sit_at(tab, position)
    await tab.asked()
    page = tab.page
    before = len(await moves_of(server, tab))
    await page.tap(f'.hand [data-card="{card}"]')
    await expect(page.locator(".hand .selected")).to_have_count(1)
    await page.tap(f'.hand [data-card="{other}"]')
    await expect(page.locator(".hand .selected")).to_have_count(1)
    await page.tap("[data-act=clear]")
    await expect(page.locator(".hand .selected")).to_have_count(0)
    await page.tap(f'.hand [data-card="{card}"]')
    assert len(await moves_of(server, tab)) == before
    await page.tap(f'.hand [data-card="{card}"]')
    await until_played(server, tab, card)


@in_browser()
async def test_a_tap_on_the_other_copy_of_a_card_confirms(server: Running, browsers: Browsers) -> None:
    hands = {"A": ["red 3", "red 3", "blue 5"], "B": ["blue 4", "green 9"]}
    game = fuda.new("frantic", 2, 1, position={"turn": "A", "hands": hands, "discard": ["red 9"]})
    tab = await browsers.open("/", settings={"confirm": True})
    await sit_at(tab, Position("turn", game, {}))
    await tab.asked()
    for which in (0, 1):
        await tab.page.locator('.hand [data-card="red 3"]').nth(which).click()
    await until_played(server, tab, "red 3")


# Several cards ------------------------------------------------------------------------------------


def continuations(moves: list[str], chosen: list[str]) -> set[str]:
    """The selected cards, and those that can be added to them."""
    fitting = [words for move in moves if set(chosen) <= set(words := move.split(" + "))]
    return {word for words in fitting for word in words}


@pytest.mark.parametrize("file", ["K-7", "K-2"], ids=["listed", "too_many_to_list"])
@in_browser()
async def test_an_attack_can_only_be_extended_by_legal_cards(server: Running, browsers: Browsers, file: str) -> None:
    position = max(asked_in(file, "kirifu"), key=lambda one: len(one.game.moves()) if one.kind == "attack" else 0)
    moves = position.game.moves()
    tab = await browsers.open("/", viewport={"width": 360, "height": 640}, has_touch=True)
    await sit_at(tab, position)
    await tab.asked()
    assert (not tab.news["ask"].get("moves")) == (file == "K-2")
    page = tab.page
    target = max(moves, key=lambda move: (1 < move.count(" + ") < 5, move.count(" + "))).split(" + ")
    for count in range(len(target) + 1):
        chosen = target[:count]
        wanted = continuations(moves, chosen)
        async with asyncio.timeout(10):
            while (seen := await enabled_cards(page)) != wanted:
                await asyncio.sleep(0.02)
        assert seen == wanted
        is_enough = set(chosen) in [set(move.split(" + ")) for move in moves]
        if chosen:
            await expect(page.locator("[data-act=play]")).to_be_enabled(enabled=is_enough)
        if count < len(target):
            await page.tap(f'.hand [data-card="{target[count]}"]')
    disabled = sorted(set(hand_of(position.game)) - continuations(moves, target))
    if disabled:
        await page.tap(f'.hand [data-card="{disabled[0]}"]')
        await expect(page.locator(".refusal")).to_be_visible()
    await page.tap(f'.hand [data-card="{target[-1]}"]')
    await expect(page.locator(".hand .selected")).to_have_count(len(target) - 1)
    await page.tap(f'.hand [data-card="{target[-1]}"]')
    await page.tap("[data-act=play]:enabled")
    async with asyncio.timeout(20):
        while not any(set(move.split(" + ")) == set(target) for move in await moves_of(server, tab)):
            await asyncio.sleep(0.02)


# Tricks and rounds --------------------------------------------------------------------------------


def last_card_of_round() -> Position:
    """A plays the last card of the trick and of the round."""
    for seed in range(50):
        game = fuda.new("shinigami_preschool", 2, seed, {"rounds": 3})
        while game.seat and sum(map(len, (game.position()["hands"].values()))) > 1:
            game.play(game.moves()[0])
        if game.seat == "A" and not game.over and game.view("A")["round"] == 1:
            return Position("play", game, {"rounds": 3})
    raise AssertionError("A never ends the round")


@in_browser()
async def test_a_finished_trick_stays_and_a_round_ends_with_the_score_sheet(browsers: Browsers) -> None:
    position = last_card_of_round()
    (lead,) = position.game.view("A")["trick"]
    (card,) = position.game.moves()
    tab = await browsers.open("/", settings={"motion": "slow"})
    await sit_at(tab, position)
    await tab.asked()
    page = tab.page
    await page.click(f'.hand [data-card="{card}"]')
    trick = page.get_by_role("list", name="The finished trick")
    await expect(trick).to_be_visible()
    assert set(await cards_in(trick)) == {lead, card}
    await expect(trick.locator(".won")).to_have_count(1)

    sheet = page.locator(".sheet.panel")
    await expect(sheet).to_be_visible()
    after = position.game.clone()
    after.play(card)
    await expect(sheet.locator("tbody tr")).to_have_count(1)
    totals = await sheet.locator("tfoot td").all_inner_texts()
    assert [total.replace("−", "-") for total in totals] == [str(total) for total in after.totals.values()]
    await sheet.get_by_role("button", name="Continue").click()
    await expect(sheet).to_have_count(0)

    await page.get_by_role("button", name="Last trick").click()
    again = page.get_by_role("list", name="Last trick")
    await expect(again.locator("li")).to_have_count(2)
    await expect(again.locator(".won")).to_contain_text("wins")


async def cards_in(place: Any) -> list[str]:
    found: list[str] = await place.locator("[data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
    return found
