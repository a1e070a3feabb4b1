"""Bots at tables online."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection

import fuda
from fuda import bots
from fuda.client import Denied, play_bot
from fuda.protocol import messages
from fuda.protocol.messages import FromClient
from tests.client.fake import asynchronous, fake_server, until


def first_move(view: dict[str, Any], moves: list[str]) -> str:
    return moves[0]


@asynchronous
async def test_two_bots_play_a_whole_game() -> None:
    async with fake_server(fuda.new("shinigami_preschool", 2, 4)) as fake:
        first, second = await asyncio.gather(
            play_bot(fake.ticket("A"), "Ann", bots.bot("thumb", "shinigami_preschool", 1).choose),
            play_bot(fake.ticket("B"), "Ben", bots.bot("random", "shinigami_preschool", 2).choose),
        )
        assert fake.game is not None
        assert fake.game.over
        assert first == fake.game.view("A")
        assert second == fake.game.view("B")


@asynchronous
async def test_a_bot_that_breaks_a_rule_is_told_which() -> None:
    def choose(view: dict[str, Any], moves: list[str]) -> str:
        return "nonsense"

    async with fake_server(fuda.new("shinigami_preschool", 2, 4)) as fake:
        with pytest.raises(Denied) as denied:
            await play_bot(fake.ticket("A"), "Ann", choose)
        assert denied.value.rule == "A-6"


@asynchronous
async def test_a_bot_that_is_too_slow_goes_on_with_the_next_question() -> None:
    asked: list[str] = []

    def choose(view: dict[str, Any], moves: list[str]) -> str:
        asked.append(view["question"]["kind"])
        return moves[0]

    async def too_late(socket: ServerConnection, message: FromClient) -> bool:
        if isinstance(message, messages.Play) and len(asked) == 1:
            await fake.say(socket, messages.Denied(message.id, "too late", "Somebody has answered."))
            return True
        return False

    async with fake_server(fuda.new("shinigami_preschool", 2, 4)) as fake:
        fake.before = too_late
        bot = asyncio.create_task(play_bot(fake.ticket("A"), "Ann", choose))
        await until(lambda: len(asked) == 1)
        await fake.make_move()
        assert fake.game is not None
        while not fake.game.over:
            if fake.game.seat == "B":
                await fake.make_move()
            await asyncio.sleep(0.001)
        await bot
        assert len(asked) > 1


@asynchronous
async def test_a_bot_can_stay_for_more_games() -> None:
    async with fake_server(fuda.new("shinigami_preschool", 2, 4)) as fake:
        bot = asyncio.create_task(play_bot(fake.ticket("A"), "Ann", first_move, rematches=True))
        for number in (1, 2):
            assert fake.game is not None
            while not fake.game.over:
                if fake.game.seat == "B":
                    await fake.make_move()
                await asyncio.sleep(0.001)
            assert not bot.done()
            if number == 1:
                await fake.carry_out("B", messages.Rematch("again"))
                fake.game, fake.phase = fuda.new("shinigami_preschool", 2, 5), "playing"
                await fake.happen("started", noted=0)
        for socket in [*fake.sockets]:
            await fake.say(socket, messages.Bye("closed", "This table is closed by the host.", again=False))
        view = await bot
        assert fake.game is not None
        assert view == fake.game.view("A")


@asynchronous
async def test_a_bot_answers_a_reaction_once_and_then_waits_for_its_end() -> None:
    """Also if it can only pass: the server tells nobody when it did."""
    hands = {"A": ["red skip", "blue 9"], "B": ["red 1", "red 2"]}
    position = {"turn": "A", "hands": hands, "discard": ["red 9"]}
    game = fuda.new("frantic", players=2, seed=1, position=position)
    for move in ("red skip", "B"):
        game.play(move)
    assert (game.seat, game.moves(), game.is_reaction) == ("B", ["pass"], True)
    played: list[messages.Play] = []

    async def seal(socket: ServerConnection, message: FromClient) -> bool:
        if isinstance(message, messages.Play) and not played:
            played.append(message)
            await fake.say(socket, messages.Sealed(message.since))
            await fake.say(socket, messages.Done(message.id, fake.version))
            return True
        return False

    async with fake_server(game) as fake:
        fake.before = seal
        bot = asyncio.create_task(play_bot(fake.ticket("B"), "Ben", first_move))
        await until(lambda: len(played) == 1)
        await asyncio.sleep(0.3)
        assert [one for one in fake.heard if isinstance(one, messages.Play)] == played
        assert not bot.done()
        bot.cancel()
        await asyncio.wait([bot])
