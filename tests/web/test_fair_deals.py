"""What the browser says about the fairness of a game: random bytes, the deal check, and games that were closed early."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.async_api import Page, Route, expect

from fuda.cli.main import main
from fuda.server.pace import Tempo
from tests.web.browsers import DESKTOP, PHONE, Browsers, Language, Tab, play_game
from tests.web.session import in_browser

IMPATIENT = Tempo(speed=500, bytes_wait=0.2)
"""Does not wait long for bytes."""
REFUSE_BYTES = """(() => {
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (text) {
        const message = JSON.parse(text);
        if (message.kind === 'luck') message.number += 1;
        send.call(this, JSON.stringify(message));
    };
})()"""
"""The page names another game, so that the server refuses its bytes."""
LANGUAGES: dict[Language, tuple[str, str, str]] = {
    "en": ("The table refused the random bytes", "the deal is not proven to you", "Start the game"),
    "de": ("Der Tisch hat die Zufallsbytes dieses Geräts abgelehnt", "für dich nicht bewiesen", "Spiel beginnen"),
    "ja": ("この端末の乱数を拒否しました", "証明されていません", "ゲームを始める"),
}


async def downloaded(page: Page, name: str, path: Path) -> Path:
    async with page.expect_download() as coming:
        await page.get_by_role("link", name=name).click()
    await (await coming.value).save_as(path)
    return path


def verified(*words: str | Path) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["verify", *map(str, words)])
    return done.exit_code, done.output


async def covers_nothing(page: Page) -> bool:
    """Whether no control lies under the notice."""
    return bool(
        await page.locator(".notice").evaluate(
            """notice => {
                const {left, right, top, bottom} = notice.getBoundingClientRect();
                return [...document.querySelectorAll('button, a, input, .board, h1, h2')].every(one => {
                    const box = one.getBoundingClientRect();
                    const isBeside = box.right <= left || box.left >= right || box.bottom <= top || box.top >= bottom;
                    return isBeside || notice.contains(one);
                });
            }"""
        )
    )


# Random bytes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@in_browser(tempo=IMPATIENT)
async def test_refused_bytes_are_reported_before_and_after_the_deal(browsers: Browsers, language: Language) -> None:
    refused, left_out, start = LANGUAGES[language]
    tab = await browsers.open("/", viewport=PHONE if language == "de" else DESKTOP, locale=language)
    await tab.context.add_init_script(REFUSE_BYTES)
    taken = await tab.post(
        "/api/tables", {"game": "shinigami_preschool", "name": "Ann", "chairs": ["me", "thumb", "thumb"], "pace": "none"}
    )
    page = tab.page
    await page.goto(f"/t/{taken['table']}#{taken['invite']}")
    notice = page.locator(".notice")
    await expect(notice).to_contain_text(refused)
    assert await covers_nothing(page)
    await page.get_by_role("button", name=start).click()
    await tab.asked()
    await expect(notice).to_contain_text(left_out)
    assert await covers_nothing(page)
    await notice.get_by_role("button").click()
    await expect(notice).to_have_count(0)


# The deal check -------------------------------------------------------------------------------------


async def with_finished_game(browsers: Browsers, refuse_bytes: bool = False) -> Tab:
    tab = await browsers.open("/", short_pauses=True)
    if refuse_bytes:
        await tab.context.add_init_script(REFUSE_BYTES)
    chairs = {"chairs": ["me", "thumb", "thumb"], "options": {"rounds": 1}, "pace": "none", "start": True}
    taken = await tab.post("/api/tables", {"game": "shinigami_preschool", "name": "Ann", **chairs})
    await tab.page.goto(f"/t/{taken['table']}#{taken['invite']}")
    await play_game(tab, random.Random(1))
    await tab.page.get_by_role("link", name="Replay").click()
    await tab.page.wait_for_selector(".replay .board")
    return tab


@in_browser()
async def test_a_game_is_proven_to_the_player_and_to_the_command_with_what_the_device_saw(
    browsers: Browsers, tmp_path: Path
) -> None:
    page = (await with_finished_game(browsers)).page
    await page.get_by_role("button", name="Check this deal").click()
    await expect(page.locator(".verdict")).to_have_attribute("data-verdict", "proven")
    for sentence in ("the ones that this device drew", "among the recorded candidates", "they are the same in the record"):
        await expect(page.get_by_text(sentence)).to_be_visible()
    record = await downloaded(page, "Download the record", tmp_path / "record.json")
    seen = await downloaded(page, "Save what this device saw", tmp_path / "seen.json")
    assert json.loads(seen.read_text())["seat"] == "A"
    code, said = verified(record, "--seen", seen)
    assert code == 0, said
    assert "The moves are those that your client saw." in said


@in_browser(tempo=IMPATIENT)
async def test_a_deal_without_the_bytes_of_this_device_is_not_proven(browsers: Browsers, tmp_path: Path) -> None:
    page = (await with_finished_game(browsers, refuse_bytes=True)).page
    await page.get_by_role("button", name="Check this deal").click()
    await expect(page.locator(".verdict")).to_have_attribute("data-verdict", "not proven")
    await expect(page.get_by_text("does not contain the random bytes of this device")).to_be_visible()
    await expect(page.get_by_text("No player added random bytes")).to_be_visible()
    record = await downloaded(page, "Download the record", tmp_path / "record.json")
    seen = await downloaded(page, "Save what this device saw", tmp_path / "seen.json")
    code, said = verified(record, "--seen", seen)
    assert (code, "Not proven: your own bytes were not used" in said) == (1, True), said


@in_browser()
async def test_a_device_that_was_not_there_says_that_nothing_is_proven_to_it(browsers: Browsers) -> None:
    ann = await with_finished_game(browsers)
    stranger = await browsers.open(ann.page.url)
    await stranger.page.get_by_role("button", name="Check this deal").click()
    await expect(stranger.page.locator(".verdict")).to_have_attribute("data-verdict", "not proven")
    await expect(stranger.page.get_by_text("This device did not see the game")).to_be_visible()
    await expect(stranger.page.get_by_role("link", name="Save what this device saw")).to_have_count(0)


@in_browser()
async def test_a_record_with_other_moves_is_wrong(browsers: Browsers) -> None:
    tab = await with_finished_game(browsers)

    async def with_other_moves(route: Route) -> None:
        answer = await route.fetch()
        record = await answer.json()
        record["moves"][:2] = reversed(record["moves"][:2])
        await route.fulfill(response=answer, json=record)

    await tab.page.route("**/records/1", with_other_moves)
    await tab.page.get_by_role("button", name="Check this deal").click()
    await expect(tab.page.locator(".verdict")).to_have_attribute("data-verdict", "wrong")
    await expect(tab.page.get_by_text("no hash chain that matches its moves")).to_be_visible()


# Closed early ---------------------------------------------------------------------------------------


@in_browser()
async def test_the_page_of_a_table_that_was_closed_early_offers_the_record_and_the_deal_check(
    browsers: Browsers, tmp_path: Path
) -> None:
    ann = await browsers.host("schadenfreude", ["me", "open", "thumb"], pace="none", start=False)
    await ann.page.wait_for_selector(".lobby")
    ben = await browsers.open(ann.page.url)
    await ben.page.get_by_label("Your name").fill("Ben")
    await ben.page.get_by_role("button", name="Sit down").click()
    await ben.page.wait_for_selector(".waiting")
    await ann.page.get_by_role("button", name="Start the game").click()
    await ben.at_table()
    await ann.page.locator("[aria-haspopup=dialog]").click()
    await ann.page.get_by_role("button", name="Close the table").click()
    await ann.page.get_by_role("button", name="Close the table").click()
    page = ben.page
    await expect(page.get_by_role("heading", name="This table has been closed")).to_be_visible()
    await page.get_by_role("button", name="Check this deal").click()
    await expect(page.locator(".verdict")).to_have_attribute("data-verdict", "proven")
    await expect(page.get_by_text("closed before the game was over")).to_be_visible()
    record = await downloaded(page, "Download the record", tmp_path / "record.json")
    seen = await downloaded(page, "Save what this device saw", tmp_path / "seen.json")
    code, said = verified(record, "--seen", seen)
    assert code == 0, said
    await page.get_by_role("link", name="Replay").click()
    await page.wait_for_selector(".replay .board")
