"""Starting a game, inviting friends, alerts, the guide, the rules, watching, and the replay."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from playwright.async_api import expect

import fuda
from tests.server.serving import Running
from tests.web.browsers import PHONE, Browsers, Tab, play_game
from tests.web.positions import every_question, sit_at
from tests.web.session import SLOW, in_browser
from tests.web.situations import open_situation

SHORT_GAME: dict[str, Any] = {"options": {"rounds": 1}, "pace": "none", "short_pauses": True}


async def with_finished_game(browsers: Browsers) -> Tab:
    """A player who has played a short game to its end."""
    tab = await browsers.host("shinigami_preschool", ["me", "thumb", "thumb"], **SHORT_GAME)
    await play_game(tab, random.Random(1))
    return tab


# Starting a game ----------------------------------------------------------------------------------


@in_browser(tempo=SLOW)
async def test_a_game_starts_with_two_taps_and_is_listed_on_the_home_page(browsers: Browsers) -> None:
    tab = await browsers.open("/", viewport=PHONE, has_touch=True)
    page = tab.page
    await page.get_by_role("button", name="Play now: Kirifu").tap()
    await page.get_by_role("button", name="Play now", exact=True).last.tap()
    await tab.at_table()
    await page.goto("/")
    await page.get_by_role("region", name="Your games").get_by_role("link").first.click()
    await tab.at_table()
    name = json.loads(await page.evaluate("localStorage['fuda-settings']"))["name"]
    assert name.startswith("Guest ")


@in_browser()
async def test_friends_join_by_a_link_with_just_a_name(browsers: Browsers) -> None:
    ann = await browsers.open("/", settings={"name": "Ann"})
    await ann.page.get_by_role("button", name="Invite friends: Schadenfreude").click()
    await ann.page.get_by_role("img", name="QR code").wait_for()
    link = await ann.page.get_by_role("region", name="Invite friends").locator("input").input_value()
    assert link == ann.page.url
    ben = await browsers.open(link)
    await ben.page.get_by_label("Your name").fill("Ben")
    await ben.page.get_by_role("button", name="Sit down").click()
    await ben.page.wait_for_selector(".waiting")
    await expect(ann.page.get_by_role("listitem").filter(has_text="Ben").first).to_be_visible()
    await ann.page.get_by_role("button", name="Fill with bots and start").click()
    for tab in (ann, ben):
        await tab.at_table()
    assert [ann.seat, ben.seat] == ["A", "B"]


@in_browser()
async def test_a_rematch_against_bots_starts_at_once(server: Running, browsers: Browsers) -> None:
    tab = await with_finished_game(browsers)
    await tab.page.get_by_role("button", name="Play again").click()
    await tab.page.wait_for_selector(".end", state="detached")
    await tab.asked()
    assert (await server.table(tab.table)).number == 2


# At the table -------------------------------------------------------------------------------------


@in_browser()
async def test_title_and_icon_show_that_it_is_your_turn(browsers: Browsers) -> None:
    tab = await open_situation(browsers, "schadenfreude")
    icon = tab.page.locator("link[rel=icon]")
    assert await tab.page.title() == "● Your turn – Schadenfreude – Fuda"
    await expect(icon).to_have_attribute("href", "/icon-turn.svg")
    await tab.page.goto("/")
    await expect(icon).to_have_attribute("href", "/icon.svg")


@in_browser()
async def test_cards_that_are_asked_for_one_by_one_can_be_selected_together(server: Running, browsers: Browsers) -> None:
    position = next(one for one in every_question("frantic") if one.kind == "pick, purpose give")
    tab = await browsers.open("/")
    await sit_at(tab, position)
    await tab.asked()
    seat = position.game.seat
    wanted = position.game.moves()[:2]
    for card in wanted:
        await tab.page.locator(f'.hand [data-card="{card}"]').first.click()
    await expect(tab.page.locator(".hand .selected")).to_have_count(2)
    await tab.page.get_by_role("button", name="Play 2").click()
    await expect(tab.page.locator(".hand li")).to_have_count(len(position.game.view(seat)["hands"][seat]) - 2)
    game = (await server.table(tab.table)).game
    assert game is not None
    assert game.played[len(position.game.played) :][:2] == wanted


@in_browser()
async def test_an_event_is_shown_with_its_text(browsers: Browsers) -> None:
    tab = await open_situation(browsers, "all or nothing", viewport=PHONE)
    event = tab.page.locator("[data-place=event]")
    await expect(event).to_have_attribute("data-card", "seppuku")
    await expect(tab.page.locator(".captions .text")).to_contain_text("21 points")


@in_browser()
async def test_an_opened_pile_fits_on_the_screen(browsers: Browsers) -> None:
    tab = await open_situation(browsers, "the last reaction", viewport=PHONE)
    pile = tab.page.locator("[data-place=discard]")
    before = await pile.bounding_box()
    await pile.click()
    box = await tab.page.locator(".opened").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]
    assert await pile.bounding_box() == before


@in_browser()
async def test_the_guide_of_a_first_game_can_be_skipped(browsers: Browsers) -> None:
    tab = await browsers.host("cursed_tricks", ["me", "thumb", "thumb"], pace="none", settings={"guided": []})
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


@in_browser()
async def test_the_rules_can_be_searched(browsers: Browsers) -> None:
    tab = await open_situation(browsers, "kirifu")
    await tab.page.locator("header nav button").filter(has_text="§").click()
    drawer = tab.page.locator(".drawer")
    everything = len(await drawer.inner_text())
    await drawer.get_by_role("searchbox").fill("idle")
    await expect(drawer.locator("mark").first).to_be_visible()
    assert len(await drawer.inner_text()) < everything / 3
    assert "K-26" in await drawer.inner_text()


# Watching -----------------------------------------------------------------------------------------


@in_browser()
async def test_a_spectator_sees_no_hand(browsers: Browsers) -> None:
    ann = await open_situation(browsers, "shinigami_preschool")
    held = await ann.page.locator(".hand [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
    stranger = await browsers.open(ann.page.url)
    await stranger.at_table()
    await expect(stranger.page.locator("header")).to_contain_text("watching")
    assert await stranger.page.locator(".hand [data-card]").count() == 0
    assert not any(f'"{card}"' in json.dumps(stranger.news["view"]["hands"]) for card in held)


@in_browser()
async def test_a_finished_game_is_replayed_from_any_viewpoint_and_its_deal_is_checked(
    server: Running, browsers: Browsers, tmp_path: Path
) -> None:
    ann = await with_finished_game(browsers)
    game = (await server.table(ann.table)).game
    assert game is not None
    await ann.page.get_by_role("link", name="Replay").click()
    await ann.page.wait_for_selector(".replay .board")
    await ann.page.get_by_role("button", name="Check this deal").click()
    await expect(ann.page.locator(".verdict")).to_contain_text("nobody has manipulated the cards")
    await expect(ann.page.get_by_text("are the ones that this device drew")).to_be_visible()
    stranger = await browsers.open(ann.page.url)
    page = stranger.page
    await page.wait_for_selector(".replay .board")
    slider, viewpoint = page.get_by_role("slider"), page.get_by_role("combobox")
    await slider.fill("3")
    assert await cards_in(stranger) == set(), "a spectator knows no hand"
    then = game_after(game, 3)
    await viewpoint.select_option("A")
    await page.wait_for_selector(".hand [data-card]")
    assert await cards_in(stranger) == set(then.view("A")["hands"]["A"])
    await page.get_by_role("button", name="One move forward").click()
    await expect(slider).to_have_value("4")
    await viewpoint.select_option("open")
    await expect(page.locator(".hands dt")).to_have_count(3)
    async with page.expect_download() as coming:
        await page.get_by_role("link", name="Download the record").click()
    await (await coming.value).save_as(tmp_path / "record.json")
    record = json.loads((tmp_path / "record.json").read_text("utf-8"))
    assert fuda.replay(record).position() == game.position()


def game_after(game: fuda.Game, turn: int) -> fuda.Game:
    """The game after so many moves."""
    record = game.record()
    start = {key: value for key, value in record.items() if key != "result"}
    return fuda.replay({**start, "moves": record["moves"][:turn]})


async def cards_in(tab: Tab) -> set[str]:
    """The cards of all hands on the page."""
    return set(
        await tab.page.locator("[data-place^='hands '] [data-card], .hand [data-card]").evaluate_all(
            "all => all.map(one => one.dataset.card)"
        )
    )
