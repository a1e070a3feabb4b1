"""What a table tells those who play: why not, what goes with what, what has just been played, and how the points stand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from playwright.async_api import Page, expect

import fuda
from tests.server.serving import Running
from tests.web.browsing import Tab, Visitors
from tests.web.evenings import Evening
from tests.web.positions import Position, asked_in, seated_at


def first(file: str, game: str, is_it: Callable[[fuda.Game], bool]) -> Position:
    """The first position in a file of examples that is as it is wanted."""
    return next(position for position in asked_in(file, game) if is_it(position.game))


def hand_of(game: fuda.Game) -> list[str]:
    hand: list[str] = game.view(game.seat)["hands"][game.seat]
    return hand


async def moves_of(running: Running, tab: Tab) -> list[str]:
    game = (await running.table(tab.table)).game
    assert game is not None
    return game.played


async def until_played(running: Running, tab: Tab, move: str) -> None:
    async with asyncio.timeout(20):
        while move not in await moves_of(running, tab):
            await asyncio.sleep(0.02)


async def bright(page: Page) -> set[str]:
    """The cards of the hand that stand out."""
    cards = page.locator(".hand li:not(.off) button")
    return set(await cards.evaluate_all("all => all.map(one => one.dataset.card)"))


# Why not ------------------------------------------------------------------------------------------


def must_follow(game: fuda.Game) -> bool:
    return len(game.moves()) > 1 and len(set(hand_of(game)) - set(game.moves())) > 0


def test_a_card_that_cannot_be_played_says_why_and_leads_to_its_rule(evening: Evening) -> None:
    async def scene(running: Running, those: Visitors) -> None:
        position = first("S-20", "schadenfreude", must_follow)
        tab = await those.come("/")
        await seated_at(tab, position)
        await tab.asked()
        page = tab.page
        before = await moves_of(running, tab)
        other = sorted(set(hand_of(position.game)) - set(position.game.moves()))[0]
        assert await bright(page) == {*position.game.moves()}
        await page.click(f'.hand [data-card="{other}"]')
        refusal = page.locator(".refusal")
        await expect(refusal).to_contain_text("Follow the suit that was led")
        assert await moves_of(running, tab) == before

        await refusal.get_by_role("button", name="Rule S-20").click()
        cited = page.locator("dialog section.current")
        await expect(cited).to_contain_text("S-20")
        await expect(cited).to_be_in_viewport()
        await expect(cited).to_contain_text("just cited")
        await page.keyboard.press("Escape")
        await expect(page.locator("dialog")).to_have_count(0)
        await refusal.get_by_role("button", name="Close").click()
        await expect(refusal).to_have_count(0)

    evening.play(scene)


def test_whoever_is_not_asked_may_tap_a_card_too_and_is_told_why_not(evening: Evening) -> None:
    async def scene(running: Running, those: Visitors) -> None:
        ann = await those.host("shinigami_preschool", ["me", "open"], start=False, options={"rounds": 1}, pace="none")
        ben = await those.guest(ann, "Ben")
        await ann.page.get_by_role("button", name="Start").click()
        for tab in (ann, ben):
            await tab.at_table()
        waits = ben if await ann.page.locator(".question").count() else ann
        await waits.page.locator(".hand button").first.click()
        await expect(waits.page.locator(".refusal")).to_be_visible()
        assert await moves_of(running, ann) == []

    evening.play(scene)


def test_with_confirmation_a_first_tap_chooses_and_a_second_one_plays(evening: Evening) -> None:
    async def scene(running: Running, those: Visitors) -> None:
        position = first("S-20", "schadenfreude", must_follow)
        card, other = position.game.moves()[:2]
        tab = await those.come("/", settings={"confirm": True}, viewport={"width": 360, "height": 640}, has_touch=True)
        await seated_at(tab, position)
        await tab.asked()
        page = tab.page
        before = len(await moves_of(running, tab))
        await page.tap(f'.hand [data-card="{card}"]')
        await expect(page.locator(".hand .chosen")).to_have_count(1)
        await page.tap(f'.hand [data-card="{other}"]')
        await expect(page.locator(".hand .chosen")).to_have_count(1)
        await page.tap("[data-act=clear]")
        await expect(page.locator(".hand .chosen")).to_have_count(0)
        await page.tap(f'.hand [data-card="{card}"]')
        assert len(await moves_of(running, tab)) == before
        await page.tap(f'.hand [data-card="{card}"]')
        await until_played(running, tab, card)

    evening.play(scene)


def test_of_a_card_that_is_held_twice_a_second_tap_on_either_confirms(evening: Evening) -> None:
    async def scene(running: Running, those: Visitors) -> None:
        hands = {"A": ["red 3", "red 3", "blue 5"], "B": ["blue 4", "green 9"]}
        game = fuda.new("frantic", 2, 1, position={"turn": "A", "hands": hands, "discard": ["red 9"]})
        tab = await those.come("/", settings={"confirm": True})
        await seated_at(tab, Position("turn", game, {}))
        await tab.asked()
        for which in (0, 1):
            await tab.page.locator('.hand [data-card="red 3"]').nth(which).click()
        await until_played(running, tab, "red 3")

    evening.play(scene)


# Several cards ------------------------------------------------------------------------------------


def going_on(moves: list[str], chosen: list[str]) -> set[str]:
    """The cards that are chosen, or with which the chosen ones lead to a move."""
    fitting = [words for move in moves if set(chosen) <= set(words := move.split(" + "))]
    return {word for words in fitting for word in words}


@pytest.mark.parametrize("file", ["K-7", "K-2"], ids=["listed", "too_many_to_list"])
def test_while_an_attack_is_put_together_what_would_be_legal_stays_bright(file: str, evening: Evening) -> None:
    async def scene(running: Running, those: Visitors) -> None:
        position = max(asked_in(file, "kirifu"), key=lambda one: len(one.game.moves()) if one.kind == "attack" else 0)
        moves = position.game.moves()
        tab = await those.come("/", viewport={"width": 360, "height": 640}, has_touch=True)
        await seated_at(tab, position)
        await tab.asked()
        assert (not tab.news["ask"].get("moves")) == (file == "K-2")
        page = tab.page
        target = max(moves, key=lambda move: (1 < move.count(" + ") < 5, move.count(" + "))).split(" + ")
        for count in range(len(target) + 1):
            chosen = target[:count]
            wanted = going_on(moves, chosen)
            async with asyncio.timeout(10):
                while (seen := await bright(page)) != wanted:
                    await asyncio.sleep(0.02)
            assert seen == wanted
            is_enough = set(chosen) in [set(move.split(" + ")) for move in moves]
            if chosen:
                await expect(page.locator("[data-act=play]")).to_be_enabled(enabled=is_enough)
            if count < len(target):
                await page.tap(f'.hand [data-card="{target[count]}"]')
        dark = sorted(set(hand_of(position.game)) - going_on(moves, target))
        if dark:
            await page.tap(f'.hand [data-card="{dark[0]}"]')
            await expect(page.locator(".refusal")).to_be_visible()
        await page.tap(f'.hand [data-card="{target[-1]}"]')
        await expect(page.locator(".hand .chosen")).to_have_count(len(target) - 1)
        await page.tap(f'.hand [data-card="{target[-1]}"]')
        await page.tap("[data-act=play]:enabled")
        async with asyncio.timeout(20):
            while not any(set(move.split(" + ")) == set(target) for move in await moves_of(running, tab)):
                await asyncio.sleep(0.02)

    evening.play(scene)


# Tricks and rounds --------------------------------------------------------------------------------


def last_trick_of_round() -> Position:
    """Two players with a card each, and A is to end trick and round."""
    for seed in range(50):
        game = fuda.new("shinigami_preschool", 2, seed, {"rounds": 3})
        while game.seat and sum(map(len, (game.position()["hands"].values()))) > 1:
            game.play(game.moves()[0])
        if game.seat == "A" and not game.over and game.view("A")["round"] == 1:
            return Position("play", game, {"rounds": 3})
    raise AssertionError("A never ends the round")


def test_a_finished_trick_stays_and_can_be_seen_again_and_a_round_ends_with_the_score_sheet(evening: Evening) -> None:
    async def scene(running: Running, those: Visitors) -> None:
        position = last_trick_of_round()
        (lead,) = position.game.view("A")["trick"]
        (card,) = position.game.moves()
        tab = await those.come("/", settings={"motion": "slow"})
        await seated_at(tab, position)
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
        await sheet.get_by_role("button", name="Go on").click()
        await expect(sheet).to_have_count(0)

        await page.get_by_role("button", name="Last trick").click()
        again = page.get_by_role("list", name="Last trick")
        await expect(again.locator("li")).to_have_count(2)
        await expect(again.locator(".won")).to_contain_text("wins")

    evening.play(scene)


async def cards_in(place: Any) -> list[str]:
    found: list[str] = await place.locator("[data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
    return found
