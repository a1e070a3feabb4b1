"""Whole games of all five, in browsers, to the final score."""

from __future__ import annotations

import asyncio
import random

import pytest

import fuda
from fuda.server.pace import Tempo
from tests.server.serving import serving
from tests.web.browsing import play_on, visitors

TABLES = [(game["id"], players) for game in fuda.games() for players in {game["players"][0], game["players"][1]}]


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_whole_game_is_played_by_mouse_with_bots(game: str, players: int) -> None:
    options = {"frantic": {"length": "short"}, "schadenfreude": {"target": 20}}.get(game, {})

    async def do() -> None:
        async with serving(tempo=Tempo(speed=500, bytes_wait=5)) as running, visitors(running) as those:
            ann = await those.host(game, ["me", *["thumb"] * (players - 1)], options=options, pace="none")
            await play_on(ann, random.Random(1))
            await ann.page.wait_for_selector(".end h2")

    asyncio.run(do())
