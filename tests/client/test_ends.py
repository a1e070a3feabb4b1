"""When a connection ends for good, and when not."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

import fuda
from fuda.client import Connected, Ended, Ticket, Unreachable, connect
from fuda.protocol import messages
from fuda.protocol.messages import FromClient
from tests.client.fake import QUICK, asynchronous, fake_server, until
from tests.client.test_table import enter, new_game, said


@asynchronous
async def test_leaving_ends_what_still_waits() -> None:
    async with fake_server(new_game()) as fake:
        async with enter(fake) as table:
            fake.say_nothing = True
            waiting = asyncio.create_task(table.say("hello"))
            await asyncio.sleep(0.01)
        with pytest.raises(Ended, match="was closed"):
            await waiting
        with pytest.raises(Ended):
            await table.say("again")
        assert [change async for change in table][-1] == Connected(False)


@asynchronous
async def test_a_farewell_for_good_ends_the_table() -> None:
    async with fake_server(new_game()) as fake, enter(fake) as table:
        (socket,) = fake.sockets
        await fake.say(socket, messages.Bye("closed", "This table is closed by the host.", again=False))
        async for _ in table:
            pass
        assert table.ended is not None
        assert (table.ended.code, str(table.ended)) == ("closed", "This table is closed by the host.")
        with pytest.raises(Ended, match="closed by the host"):
            await table.play("anything")


@asynchronous
async def test_after_a_farewell_with_return_it_comes_back() -> None:
    async with fake_server(new_game()) as fake, enter(fake) as table:
        (socket,) = fake.sockets
        await fake.say(socket, messages.Bye("restart", "The server is restarted.", again=True))
        await socket.close(1012)
        await until(lambda: len(said(fake, messages.Hello)) == 2 and table.is_connected)
        assert table.ended is None


@asynchronous
async def test_a_denied_hello_is_the_end() -> None:
    async def deny(socket: ServerConnection, message: FromClient) -> bool:
        if isinstance(message, messages.Hello):
            await fake.say(socket, messages.Denied(message.id, "no entry", "This table is by invitation."))
        return True

    async with fake_server(new_game()) as fake:
        fake.before = deny
        with pytest.raises(Ended, match="by invitation"):
            await enter(fake).__aenter__()


@pytest.mark.parametrize("code", [4001, 4003])
@asynchronous
async def test_who_is_not_let_in_does_not_come_back(code: int) -> None:
    async def close(socket: ServerConnection, message: FromClient) -> bool:
        await socket.close(code)
        return True

    async with fake_server(new_game()) as fake:
        fake.before = close
        with pytest.raises(Ended):
            await enter(fake).__aenter__()


@asynchronous
async def test_a_table_that_is_not_there_is_the_end() -> None:
    async def refuse(socket: ServerConnection, request: Any) -> Any:
        return socket.respond(404, '{"code":"no table","text":"There is no such table."}')

    async def never(socket: ServerConnection) -> None:
        raise AssertionError

    async with serve(never, "127.0.0.1", 0, process_request=refuse) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        with pytest.raises(Ended, match="no such table"):
            await connect(Ticket(f"http://127.0.0.1:{port}", "table", "A", "A"), times=QUICK).__aenter__()


@asynchronous
async def test_a_server_that_is_not_there_is_said_to_be_so() -> None:
    async with fake_server(None) as fake:
        ticket = fake.ticket()
    with pytest.raises(Unreachable, match="cannot be reached"):
        await connect(ticket, patience=0.2, times=QUICK).__aenter__()


@asynchronous
async def test_a_server_that_comes_later_is_found() -> None:
    async with fake_server(new_game()) as fake:
        fake.say_nothing = True
        client = enter(fake)
        entering = asyncio.create_task(client.__aenter__())
        await until(lambda: any(isinstance(message, messages.Hello) for message in fake.heard))
        fake.say_nothing = False
        await entering
        await client.close()


def test_a_link_to_ones_own_seat_must_be_claimed_first() -> None:
    with pytest.raises(fuda.Error, match="claim it first"):
        connect("http://127.0.0.1:1/d/table#c0de")
