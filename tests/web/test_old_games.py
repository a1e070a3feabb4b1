"""Games of a version of the rules that the server no longer has."""

from __future__ import annotations

import zlib

import msgspec
import pytest
from playwright.async_api import expect

from fuda.transcripts import transcript_of
from tests.server.serving import Running
from tests.server.test_old_games import forget_transcripts, transcripts_kept, with_other_rules
from tests.web.browsers import Browsers, Tab
from tests.web.session import SLOW, in_browser
from tests.web.test_user_flows import with_finished_game

SENTENCES = {
    "en-GB": "Played under version",
    "de-DE": "Gespielt nach Version",
    "ja-JP": "で行われたゲームです",
}


async def replay_of(browsers: Browsers, server: Running, table: str, locale: str = "en-GB") -> Tab:
    server.server.replays.cache.clear()
    tab = await browsers.open(f"/r/{table}/1", locale=locale)
    await expect(tab.page.locator("header .rules")).to_contain_text(SENTENCES[locale])
    # The page asks for a spectator's view first, which is denied.
    tab.errors = [error for error in tab.errors if "409" not in error]
    return tab


@pytest.mark.parametrize("locale", SENTENCES)
@in_browser()
async def test_a_finished_game_of_other_rules_is_shown_as_it_was(server: Running, browsers: Browsers, locale: str) -> None:
    ann = await with_finished_game(browsers)
    await transcripts_kept(server, ann.table)
    with with_other_rules():
        tab = await replay_of(browsers, server, ann.table, locale)
        await tab.page.wait_for_selector(".replay .board")
        await tab.page.get_by_role("slider").fill("3")
        await expect(tab.page.locator(".hands dt")).to_have_count(3)
        await expect(tab.page.get_by_role("combobox").locator("option")).to_have_count(1)


@in_browser()
async def test_views_with_other_fields_are_shown_as_far_as_they_are_known(server: Running, browsers: Browsers) -> None:
    ann = await with_finished_game(browsers)
    await transcripts_kept(server, ann.table)
    game = (await server.table(ann.table)).game
    assert game is not None
    transcript = transcript_of(game.record())
    known = {"game", "rules", "players", "options", "you", "seat", "question", "over", "winners", "hands"}
    for part in [transcript, *transcript["moves"]]:
        part["view"] = {name: value for name, value in part.get("view", {}).items() if name in known} | {"weather": ["rain"]}
        part["notes"] = [{"kind": "thunder", "seat": "A"}]
    for move in transcript["moves"]:
        move["seats"] = {seat: {"hands": part["hands"]} for seat, part in move.get("seats", {}).items() if "hands" in part}
    await forget_transcripts(server)
    await server.server.hall.store.add_transcript(ann.table, 1, zlib.compress(msgspec.json.encode(transcript)))
    with with_other_rules():
        tab = await replay_of(browsers, server, ann.table)
        await tab.page.wait_for_selector(".replay .board")
        for turn in ("3", "9", "1"):
            await tab.page.get_by_role("slider").fill(turn)
        await tab.page.get_by_role("button", name="One move forward").click()
        await expect(tab.page.locator(".hands dt")).to_have_count(3)


@in_browser()
async def test_without_a_transcript_the_moves_are_listed(server: Running, browsers: Browsers) -> None:
    ann = await with_finished_game(browsers)
    await transcripts_kept(server, ann.table)
    game = (await server.table(ann.table)).game
    assert game is not None
    await forget_transcripts(server)
    with with_other_rules():
        tab = await replay_of(browsers, server, ann.table)
        await expect(tab.page.get_by_text("Only the moves of this game were kept")).to_be_visible()
        await expect(tab.page.locator(".moves ol li")).to_have_count(0)
        await tab.page.get_by_role("button", name="To the end").click()
        await expect(tab.page.locator(".moves ol li").last).to_contain_text(":")
        await expect(tab.page.locator(".moves ol li").last).to_have_attribute("value", str(len(game.played)))
        await expect(tab.page.locator(".moves dl")).to_contain_text("Ann")


@in_browser(tempo=SLOW)
async def test_players_of_a_game_that_was_ended_are_told_why(server: Running, browsers: Browsers) -> None:
    ann = await browsers.host("shinigami_preschool", ["me", "thumb", "thumb"])
    await ann.at_table()
    hall = server.server.hall
    with with_other_rules():
        live = hall.tables[ann.table]
        hall.unload(live)
        await ann.page.reload()
        await expect(ann.page.locator(".ended")).to_contain_text("The last game was ended: it was played under version")
        await ann.page.get_by_role("button", name="Start", exact=False).first.click()
        await ann.at_table()
