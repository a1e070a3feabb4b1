"""A table online, whatever the network and the server do."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection

import fuda
from fuda.client import Connected, Denied, TableClient, connect
from fuda.client.connection import MOST_WAITING
from fuda.protocol import messages
from fuda.protocol.messages import Event, FromClient
from tests.client.fake import QUICK, FakeServer, asynchronous, fake_server, until


def new_game() -> fuda.Game:
    return fuda.new("shinigami_preschool", 2, 4)


def enter(fake: FakeServer, seat: str = "A") -> TableClient:
    return connect(fake.ticket("A" if seat == "A" else "B"), times=QUICK)


def said(fake: FakeServer, kind: type[messages.Message]) -> list[Any]:
    return [message for message in fake.heard if isinstance(message, kind)]


# How things stand ---------------------------------------------------------------------------------


@asynchronous
async def test_the_table_is_known_when_it_is_entered() -> None:
    async with fake_server(new_game()) as fake, enter(fake) as table:
        assert table.you == "A"
        assert table.version == fake.version == 1
        assert fake.game is not None
        assert table.view == fake.game.view("A")
        assert table.state.chairs[1].name == "Ben"
        assert table.here == ["A"]
        assert table.is_connected


@asynchronous
async def test_the_ticket_is_shown_as_a_cookie_with_the_origin_of_the_server() -> None:
    async with fake_server(new_game()) as fake, enter(fake):
        (request,) = fake.requests
        assert request.headers["Cookie"] == "fuda-table=A"
        assert request.headers["Origin"] == f"http://127.0.0.1:{fake.port}"
        assert request.path == "/api/tables/table/socket"


@asynchronous
async def test_with_a_link_one_watches() -> None:
    async with fake_server(new_game()) as fake, connect(fake.link, times=QUICK) as table:
        assert table.you is None
        assert fake.game is not None
        assert table.view == fake.game.view(None)
        assert said(fake, messages.Hello)[0].invite == "invite"


def is_asked(table: TableClient) -> bool:
    return table.ask is not None


@asynchronous
async def test_whole_games_end_with_the_view_of_the_server() -> None:
    async with fake_server(new_game()) as fake, enter(fake, "A") as ann, enter(fake, "B") as ben:
        assert fake.game is not None
        while not fake.game.over:
            table = ann if fake.game.seat == "A" else ben
            await until(partial(is_asked, table))
            assert table.moves == fake.game.moves()
            await table.play(table.moves[-1])
        await until(lambda: ann.version == ben.version == fake.version)
        assert ann.view == fake.game.view("A")
        assert ben.view == fake.game.view("B")
        assert ann.state.phase == "over"
        assert ann.moves == []


@asynchronous
async def test_what_happens_is_told_one_thing_after_the_other() -> None:
    async with fake_server(new_game()) as fake, enter(fake) as table:
        told = []
        await fake.make_move()
        await fake.make_move()
        async for change in table:
            if isinstance(change, Event):
                told.append(change.version)
            if told == [2, 3]:
                break
        assert table.version == 3


@asynchronous
async def test_what_happened_can_be_had_all_together() -> None:
    async with fake_server(new_game()) as fake, enter(fake) as table:
        await table.changed()
        await fake.make_move()
        assert [type(change) for change in await table.changed()] == [Event]


# Lost connections ---------------------------------------------------------------------------------


@asynchronous
async def test_after_a_loss_it_comes_back_and_is_told_what_it_missed() -> None:
    async with fake_server(new_game()) as fake, enter(fake) as table:
        await fake.make_move()
        await until(lambda: table.version == 2)
        noted = table.known.noted
        await fake.cut()
        for _ in range(3):
            await fake.make_move()
        await until(lambda: table.version == 5)
        hello = said(fake, messages.Hello)[-1]
        assert (hello.number, hello.version, hello.noted) == (1, 2, noted)
        assert fake.game is not None
        assert table.view == fake.game.view("A")


@asynchronous
async def test_a_loss_and_the_return_are_told() -> None:
    async with fake_server(new_game()) as fake, enter(fake) as table:
        await table.changed()
        await fake.cut()
        states = []
        async for change in table:
            if isinstance(change, Connected):
                states.append((change.is_open, change.trouble))
            if len(states) == 2:
                break
        assert states == [(False, "The connection to the server is lost."), (True, "")]
        assert table.trouble == ""


@asynchronous
async def test_a_move_whose_answer_was_lost_is_sent_again_and_made_once() -> None:
    async with fake_server(new_game()) as fake, enter(fake) as table:
        lost = 0

        async def lose(socket: ServerConnection, message: FromClient) -> bool:
            nonlocal lost
            if not isinstance(message, messages.Play) or lost == 2:
                return False
            lost += 1
            if lost == 1:
                socket.transport.abort()  # before it is carried out
            else:
                fake.say_nothing = True  # after it
                await fake.answer(socket, "A", message)
                fake.say_nothing = False
                socket.transport.abort()
            return True

        fake.before = lose
        await until(lambda: table.ask is not None)
        await table.play(table.moves[0])
        assert fake.game is not None
        assert len(fake.game.played) == 1
        plays = said(fake, messages.Play)
        assert len(plays) == 3
        assert len({play.id for play in plays}) == 1
        assert table.view == fake.game.view("A")


@asynchronous
async def test_what_is_said_twice_happens_once() -> None:
    async with fake_server(new_game()) as fake:
        fake.sends.append(lambda frame: [frame, frame])
        async with enter(fake) as table:
            await until(lambda: table.ask is not None)
            await table.play(table.moves[0])
            for _ in range(4):
                await fake.make_move()
            await until(lambda: table.version == fake.version)
            assert fake.game is not None
            assert table.view == fake.game.view("A")


@asynchronous
async def test_after_a_lost_event_everything_is_asked_for_anew() -> None:
    async with fake_server(new_game()) as fake, enter(fake) as table:
        fake.say_nothing = True
        await fake.make_move()
        fake.say_nothing = False
        await fake.make_move()
        await until(lambda: table.version == 3)
        assert said(fake, messages.Hello)[-1].version == 0
        assert fake.game is not None
        assert table.view == fake.game.view("A")


@asynchronous
async def test_after_notes_that_do_not_follow_everything_is_asked_for_anew() -> None:
    def later(frame: str) -> list[str]:
        message = json.loads(frame)
        if message["kind"] == "event" and message.get("game"):
            message["game"]["first"] += 5
        return [json.dumps(message)]

    async with fake_server(new_game()) as fake, enter(fake) as table:
        fake.sends.append(later)
        await fake.make_move()
        await until(lambda: said(fake, messages.Hello)[-1].version == 0 and table.version == 2)
        assert fake.game is not None
        assert table.view == fake.game.view("A")


@pytest.mark.parametrize("frame", ["", "{", '{"kind":1}', '{"kind":"event"}', "[1]", '{"kind":"event","version":-1}'])
@asynchronous
async def test_what_cannot_be_understood_ends_the_connection_but_not_the_client(frame: str) -> None:
    async with fake_server(new_game()) as fake, enter(fake) as table:
        (socket,) = fake.sockets
        await socket.send(frame)
        await until(lambda: len(said(fake, messages.Hello)) == 2)
        await fake.make_move()
        await until(lambda: table.version == 2)


@asynchronous
async def test_kinds_of_messages_that_came_later_are_passed_over() -> None:
    async with fake_server(new_game()) as fake, enter(fake) as table:
        (socket,) = fake.sockets
        await socket.send('{"kind":"weather","sun":true}')
        await socket.send('{"kind":"here","seats":["A"],"moon":true}')
        await fake.make_move()
        await until(lambda: table.version == 2)
        assert len(said(fake, messages.Hello)) == 1


@asynchronous
async def test_silence_is_a_loss() -> None:
    async with fake_server(new_game()) as fake, enter(fake) as table:
        fake.say_nothing = True
        await until(lambda: not table.is_connected)
        assert table.trouble
        fake.say_nothing = False
        await until(lambda: table.is_connected)
        assert said(fake, messages.Hello)[-1].version == 1


@asynchronous
async def test_pings_keep_a_quiet_table() -> None:
    async with fake_server(new_game()) as fake, enter(fake):
        pings = 2 * QUICK.silence / QUICK.ping
        await until(lambda: len([message for message in fake.heard if isinstance(message, messages.Ping)]) >= pings)
        assert len(said(fake, messages.Hello)) == 1


@asynchronous
async def test_a_ping_is_answered() -> None:
    async with fake_server(new_game()) as fake, enter(fake):
        (socket,) = fake.sockets
        await fake.say(socket, messages.Ping())
        await until(lambda: any(isinstance(message, messages.Pong) for message in fake.heard))


@asynchronous
async def test_an_answer_whose_event_does_not_come_has_everything_told_anew() -> None:
    def without_events(frame: str) -> list[str]:
        return [] if '"kind":"event"' in frame and len(said(fake, messages.Hello)) == 1 else [frame]

    async with fake_server(new_game()) as fake, enter(fake) as table:
        fake.sends.append(without_events)
        await until(lambda: table.ask is not None)
        await table.play(table.moves[0])
        assert table.version == 2
        assert fake.game is not None
        assert table.view == fake.game.view("A")


@asynchronous
async def test_a_slow_server_is_waited_for() -> None:
    async def slowly(socket: ServerConnection, message: FromClient) -> bool:
        await asyncio.sleep(0.05)
        return False

    async with fake_server(new_game()) as fake:
        fake.before = slowly
        async with enter(fake) as table:
            await asyncio.gather(*(table.say(str(number)) for number in range(5)))
            assert [line.text for line in table.said] == [str(number) for number in range(5)]


# What can be done ---------------------------------------------------------------------------------


@asynchronous
async def test_a_forbidden_move_is_denied_with_its_rule() -> None:
    async with fake_server(new_game()) as fake, enter(fake) as table:
        await until(lambda: table.ask is not None)
        with pytest.raises(Denied) as denied:
            await table.play("nonsense")
        assert (denied.value.code, denied.value.rule) == ("refused", "A-6")
        assert str(denied.value) == denied.value.text
        assert denied.value.facts["move"] == "nonsense"
        assert table.version == 1


@asynchronous
async def test_why_says_the_rule_or_nothing() -> None:
    async with fake_server(new_game()) as fake, enter(fake) as table:
        await until(lambda: table.ask is not None)
        because = await table.why("nonsense")
        assert because is not None
        assert because.rule == "A-6"
        assert await table.why(table.moves[0]) is None


@asynchronous
async def test_it_is_told_with_what_a_move_can_go_on() -> None:
    async with fake_server(new_game()) as fake, enter(fake) as table:
        await until(lambda: table.ask is not None)
        assert table.ask is not None
        choices = await table.choices(["diamond 10"])
        assert (choices.words, choices.enough) == (["heart 10"], False)
        assert (await table.choices(["diamond 10", "spade 10"])).enough
        assert [message.since for message in said(fake, messages.Choose)] == [table.ask.since] * 2


@asynchronous
async def test_a_busy_server_is_asked_again() -> None:
    async def busy(socket: ServerConnection, message: FromClient) -> bool:
        if isinstance(message, messages.Say) and len(said(fake, messages.Say)) < 3:
            await fake.say(socket, messages.Denied(message.id, "busy", "Try again."))
            return True
        return False

    async with fake_server(new_game()) as fake, enter(fake) as table:
        fake.before = busy
        await table.say("hello")
        assert [line.text for line in table.said] == ["hello"]
        assert len({message.id for message in said(fake, messages.Say)}) == 1


@asynchronous
async def test_a_link_for_another_device() -> None:
    async with fake_server(new_game()) as fake, enter(fake) as table:
        assert await table.device_link() == f"http://127.0.0.1:{fake.port}/d/table#c0de"


@asynchronous
async def test_only_so_many_messages_wait() -> None:
    async with fake_server(new_game()) as fake, enter(fake) as table:
        fake.say_nothing = True
        waiting = [asyncio.create_task(table.say("hello")) for _ in range(MOST_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(fuda.Error, match="already waiting for an answer"):
            await table.say("one more")
        for task in waiting:
            task.cancel()
        await asyncio.wait(waiting)
        assert table.connection is not None
        assert not table.connection.waiting
