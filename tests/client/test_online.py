"""The client against a real server."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

import fuda
from fuda import bots
from fuda.bots.seating import default_kind
from fuda.client import Denied, Ended, Open, TableClient, claim, connect, play_bot, tables, take_seat
from fuda.client.bots import play_on
from tests.client.fake import until
from tests.client.served import Served, run, served

GAMES = [game["id"] for game in fuda.games()]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("server"), "--speed", "100") as server:
        yield server


async def play_as(table: TableClient, kind: str) -> None:
    await play_on(table, bots.bot(kind, table.state.game, 1).choose, rematches=False)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_of_every_kind_with_two_clients_and_bots(server: Served, game: str) -> None:
    players = fuda.games()[GAMES.index(game)]["players"][1]
    strongest = default_kind(game)
    chairs = ["me", "open", *[strongest] * (min(players, 4) - 2)]
    host = server.open(Open(game, "Ann", chairs=chairs, pace="none"))

    async def play() -> None:
        guest = await take_seat(host.link, "Ben")
        async with connect(host) as ann, connect(guest) as ben, connect(ann_link(ann)) as watching:
            await ann.start()
            await asyncio.gather(play_as(ann, strongest), play_as(ben, "random"))
            await until(lambda: ann.version == ben.version == watching.version)
            record = await ann.record(1)
            game = fuda.replay(record)
            assert game.over
            assert ann.view == game.view("A")
            assert ben.view == game.view("B")
            assert watching.view == game.view(None)
            for table in (ann, ben):
                verdict = table.check(record)
                assert verdict.name == "proven", verdict
                assert "Your own bytes were used." in verdict.checked
                assert "The moves are those that your client saw." in verdict.checked

    run(play())


def ann_link(table: TableClient) -> str:
    return f"{table.address.server}/t/{table.address.table}#{table.state.invite}"


def test_one_person_and_bots_start_with_one_request(server: Served) -> None:
    ticket = server.open(Open("shinigami_preschool", "Ann", start=True, pace="none"))
    view = run(play_bot(ticket, "Ann", bots.bot("thumb", "shinigami_preschool", 1).choose))
    assert view is not None
    assert view["over"] is True


def test_public_tables_are_found_while_somebody_is_there(server: Served) -> None:
    ticket = server.open(Open("kirifu", "Cleopatra", players=3, public=True))

    async def found() -> list[tuple[str, int]]:
        return [(one.host, one.open) for one in await tables(server.address) if one.id == ticket.table]

    async def look() -> None:
        assert await found() == []
        async with connect(ticket):
            assert await found() == [("Cleopatra", 2)]

    run(look())


def test_a_seat_moves_to_another_device(server: Served) -> None:
    host = server.open(Open("kirifu", "Ann", players=3))

    async def move() -> None:
        async with connect(host) as table:
            link = await table.device_link()
            ticket = await claim(link)
            assert ticket.seat == host.seat
            assert ticket.token != host.token
            async with connect(ticket) as again:
                assert again.you == "A"
            await until(lambda: table.ended is not None)
            assert table.ended is not None
            assert table.ended.code == "moved"
            with pytest.raises(Denied) as denied:
                await claim(link)
            assert denied.value.code == "bad code"

    run(move())


def test_a_wrong_invitation_is_the_end(server: Served) -> None:
    host = server.open(Open("kirifu", "Ann", players=3))
    with pytest.raises(Ended, match="invitation"):
        run(connect(host.link[:-1] + "0" * (host.link[-1] != "0") + "1" * (host.link[-1] == "0")).__aenter__())
    with pytest.raises(Ended, match="no such table"):
        run(connect(f"{server.address}/t/nothing1").__aenter__())


def test_a_rematch_is_dealt_anew(server: Served) -> None:
    host = server.open(Open("shinigami_preschool", "Ann", start=True, players=2, pace="none"))

    async def play() -> None:
        async with connect(host) as table:
            await play_as(table, "random")
            first = table.view
            await table.rematch()
            await table.start()
            await until(lambda: table.state.phase == "playing" and table.ask is not None)
            assert table.known.number == 2
            await play_as(table, "random")
            assert table.view != first
            for number in (1, 2):
                assert table.check(await table.record(number)).name == "proven"

    run(play())


def test_a_restarted_server_finds_its_players_again(tmp_path: Path) -> None:
    with served(tmp_path, "--speed", "20") as server:
        host = server.open(Open("shinigami_preschool", "Ann", start=True, players=2, pace="none"))

        async def play() -> None:
            async with connect(host) as table:
                await until(lambda: table.ask is not None)
                await table.play(table.moves[0])
                version = table.version
                await asyncio.to_thread(server.stop)
                await until(lambda: not table.is_connected)
                await asyncio.to_thread(server.start)
                await until(lambda: table.is_connected)
                assert table.version >= version
                await play_as(table, "random")
                assert fuda.replay(await table.record(1)).over

        run(play())
