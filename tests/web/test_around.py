"""What lies around a game: sitting down, friends who come, looking on, seeing it again, being told how it is played."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from playwright.async_api import expect

import fuda
from tests.server.serving import Running
from tests.web.browsing import PHONE, Tab, Visitors, play_on
from tests.web.evenings import Evening
from tests.web.positions import every_question, seated_at
from tests.web.stages import staged

SHORT: dict[str, Any] = {"options": {"rounds": 1}, "pace": "none"}


async def finished(those: Visitors) -> Tab:
    """Somebody who has played a short game to its end."""
    tab = await those.host("shinigami_preschool", ["me", "thumb", "thumb"], **SHORT)
    await play_on(tab, random.Random(1))
    return tab


# Sitting down -------------------------------------------------------------------------------------


def test_two_taps_and_a_game_begins_which_is_listed_from_then_on(evening: Evening) -> None:
    async def scene(running: Running, those: Visitors) -> None:
        tab = await those.come("/", viewport=PHONE, has_touch=True)
        page = tab.page
        await page.get_by_role("button", name="Play now: Kirifu").tap()
        await page.get_by_role("button", name="Play now", exact=True).last.tap()
        await tab.at_table()
        await page.goto("/")
        await page.get_by_role("region", name="Your games").get_by_role("link").first.click()
        await tab.at_table()
        name = json.loads(await page.evaluate("localStorage['fuda-settings']"))["name"]
        assert name.startswith("Guest ")

    evening.play(scene)


def test_friends_come_by_a_link_and_need_a_name_and_nothing_else(evening: Evening) -> None:
    async def scene(running: Running, those: Visitors) -> None:
        ann = await those.come("/", settings={"name": "Ann"})
        await ann.page.get_by_role("button", name="Invite friends: Schadenfreude").click()
        await ann.page.get_by_role("img", name="QR code").wait_for()
        link = await ann.page.get_by_role("region", name="Invite friends").locator("input").input_value()
        assert link == ann.page.url
        ben = await those.come(link)
        await ben.page.get_by_label("Your name").fill("Ben")
        await ben.page.get_by_role("button", name="Sit down").click()
        await ben.page.wait_for_selector(".waits")
        await expect(ann.page.get_by_role("listitem").filter(has_text="Ben").first).to_be_visible()
        await ann.page.get_by_role("button", name="Fill with bots and start").click()
        for tab in (ann, ben):
            await tab.at_table()
        assert [ann.seat, ben.seat] == ["A", "B"]

    evening.play(scene)


def test_another_game_with_bots_alone_begins_at_once(evening: Evening) -> None:
    async def scene(running: Running, those: Visitors) -> None:
        tab = await finished(those)
        await tab.page.get_by_role("button", name="Play again").click()
        await tab.page.wait_for_selector(".end", state="detached")
        await tab.asked()
        assert (await running.table(tab.table)).number == 2

    evening.play(scene)


# At the table -------------------------------------------------------------------------------------


def test_title_and_icon_say_whose_turn_it_is(evening: Evening) -> None:
    async def scene(running: Running, those: Visitors) -> None:
        tab = await staged(those, "schadenfreude")
        icon = tab.page.locator("link[rel=icon]")
        assert await tab.page.title() == "● Your turn – Schadenfreude – Fuda"
        await expect(icon).to_have_attribute("href", "/icon-turn.svg")
        await tab.page.goto("/")
        await expect(icon).to_have_attribute("href", "/icon.svg")

    evening.play(scene)


def test_cards_that_are_asked_for_one_by_one_may_be_chosen_together(evening: Evening) -> None:
    async def scene(running: Running, those: Visitors) -> None:
        position = next(one for one in every_question("frantic") if one.kind == "pick, purpose give")
        tab = await those.come("/")
        await seated_at(tab, position)
        await tab.asked()
        seat = position.game.seat
        wanted = position.game.moves()[:2]
        for card in wanted:
            await tab.page.locator(f'.hand [data-card="{card}"]').first.click()
        await expect(tab.page.locator(".hand .chosen")).to_have_count(2)
        await tab.page.get_by_role("button", name="Play 2").click()
        await expect(tab.page.locator(".hand li")).to_have_count(len(position.game.view(seat)["hands"][seat]) - 2)
        game = (await running.table(tab.table)).game
        assert game is not None
        assert game.played[len(position.game.played) :][:2] == wanted

    evening.play(scene)


def test_an_event_lies_on_the_table_with_what_it_says(evening: Evening) -> None:
    async def scene(running: Running, those: Visitors) -> None:
        tab = await staged(those, "all or nothing", viewport=PHONE)
        event = tab.page.locator("[data-place=event]")
        await expect(event).to_have_attribute("data-card", "seppuku")
        await expect(tab.page.locator(".told .text")).to_contain_text("21 points")

    evening.play(scene)


def test_a_pile_that_is_opened_stays_within_the_table(evening: Evening) -> None:
    async def scene(running: Running, those: Visitors) -> None:
        tab = await staged(those, "the last reaction", viewport=PHONE)
        pile = tab.page.locator("[data-place=discard]")
        before = await pile.bounding_box()
        await pile.click()
        box = await tab.page.locator(".opened").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        assert await pile.bounding_box() == before

    evening.play(scene)


def test_a_first_game_is_guided_until_one_has_had_enough(evening: Evening) -> None:
    async def scene(running: Running, those: Visitors) -> None:
        tab = await those.host("cursed_tricks", ["me", "thumb", "thumb"], pace="none", settings={"guided": []})
        await tab.asked()
        guide = tab.page.get_by_role("complementary", name="Your first round")
        await expect(guide).to_contain_text("1 of 3")
        await guide.get_by_role("button", name="Next").click()
        await expect(guide).to_contain_text("2 of 3")
        await guide.get_by_role("button", name="Skip").click()
        await expect(guide).to_have_count(0)
        await tab.page.reload()
        await tab.asked()
        await expect(guide).to_have_count(0)

    evening.play(scene)


def test_the_rules_can_be_searched(evening: Evening) -> None:
    async def scene(running: Running, those: Visitors) -> None:
        tab = await staged(those, "kirifu")
        await tab.page.locator("header nav button").filter(has_text="§").click()
        drawer = tab.page.locator(".drawer")
        everything = len(await drawer.inner_text())
        await drawer.get_by_role("searchbox").fill("idle")
        await expect(drawer.locator("mark").first).to_be_visible()
        assert len(await drawer.inner_text()) < everything / 3
        assert "K-26" in await drawer.inner_text()

    evening.play(scene)


# Looking on ---------------------------------------------------------------------------------------


def test_whoever_watches_sees_the_table_and_no_hand(evening: Evening) -> None:
    async def scene(running: Running, those: Visitors) -> None:
        ann = await staged(those, "shinigami_preschool")
        held = await ann.page.locator(".hand [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
        stranger = await those.come(ann.page.url)
        await stranger.at_table()
        await expect(stranger.page.locator("header")).to_contain_text("watching")
        assert await stranger.page.locator(".hand [data-card]").count() == 0
        assert not any(f'"{card}"' in json.dumps(stranger.news["view"]["hands"]) for card in held)

    evening.play(scene)


def test_a_finished_game_is_seen_again_with_any_eyes_and_its_deal_is_checked(evening: Evening, tmp_path: Path) -> None:
    async def scene(running: Running, those: Visitors) -> None:
        ann = await finished(those)
        game = (await running.table(ann.table)).game
        assert game is not None
        await ann.page.get_by_role("link", name="Replay").click()
        await ann.page.wait_for_selector(".replay .board")
        await ann.page.get_by_role("button", name="Check this deal").click()
        await expect(ann.page.locator(".verdict")).to_contain_text("nobody has chosen the luck")
        await expect(ann.page.get_by_text("are the ones that this device drew")).to_be_visible()
        stranger = await those.come(ann.page.url)
        page = stranger.page
        await page.wait_for_selector(".replay .board")
        slider, eyes = page.get_by_role("slider"), page.get_by_role("combobox")
        await slider.fill("3")
        assert await cards_in(stranger) == set(), "a spectator knows no hand"
        then = until(game, 3)
        await eyes.select_option("A")
        await page.wait_for_selector(".hand [data-card]")
        assert await cards_in(stranger) == set(then.view("A")["hands"]["A"])
        await page.get_by_role("button", name="One move on").click()
        await expect(slider).to_have_value("4")
        await eyes.select_option("open")
        await expect(page.locator(".hands dt")).to_have_count(3)
        async with page.expect_download() as coming:
            await page.get_by_role("link", name="Download the record").click()
        await (await coming.value).save_as(tmp_path / "record.json")
        record = json.loads((tmp_path / "record.json").read_text("utf-8"))
        assert fuda.replay(record).position() == game.position()

    evening.play(scene)


def until(game: fuda.Game, turn: int) -> fuda.Game:
    """The game as it was after so many moves."""
    record = game.record()
    begun = {key: value for key, value in record.items() if key != "result"}
    return fuda.replay({**begun, "moves": record["moves"][:turn]})


async def cards_in(tab: Tab) -> set[str]:
    """The cards of the hands that are shown."""
    return set(
        await tab.page.locator("[data-place^='hands '] [data-card], .hand [data-card]").evaluate_all(
            "all => all.map(one => one.dataset.card)"
        )
    )
