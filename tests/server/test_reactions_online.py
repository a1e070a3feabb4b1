"""Reactions at the tables of a server."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import partial

import msgspec
import pytest

from fuda.protocol.parts import Seat
from fuda.server import clock, entries
from fuda.server.entries import Mover
from fuda.server.pace import Tempo
from fuda.server.presence import ProcessNews
from fuda.server.table import Table
from tests.server.clients import Client, start
from tests.server.prepared_table import Hands, game_at
from tests.server.serving import Running, new_folder, serving

PLAIN = ["blue 1", "blue 2"]
TRYING = {"A": ["red 3"], "B": ["green 1", "green 2"], "C": ["nice try", "blue 1"], "D": ["mimicry", "blue 2"]}


def prepare(monkeypatch: pytest.MonkeyPatch, hands: Hands, moves: Iterable[str] = (), events: Iterable[str] = ()) -> None:
    """Every table deals these cards."""
    monkeypatch.setattr(Table, "new_game", lambda _: game_at(hands, moves, events))


async def seated(running: Running, people: int, pace: str = "none") -> list[Client]:
    clients = await running.people("frantic", people, pace=pace)
    await start(clients)
    return clients


SLOW = Tempo(speed=0.01)
"""A reaction takes longer than the test."""


async def asked_to_react(clients: list[Client]) -> None:
    for client in clients:
        await client.until(partial(is_asked, client, ["B", "C", "D"]))


def is_asked(client: Client, seats: list[Seat]) -> bool:
    return bool(client.news["asked"] == seats)


async def moves_of(running: Running, table: str) -> list[tuple[Seat, str, Mover]]:
    logged = [one.entry for one in await running.log(table)]
    return [(entry.seat, entry.move, entry.by) for entry in logged if isinstance(entry, entries.Played)]


def test_a_held_answer_survives_a_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(monkeypatch, TRYING | {"B": ["mimicry", "green 2"], "D": PLAIN})

    async def do() -> None:
        with new_folder() as folder:
            async with serving(folder, tempo=SLOW) as running:
                clients = await seated(running, 4)
                ann, _, cleo, _ = clients
                assert (await ann.play("red 3"))["kind"] == "done"
                await asked_to_react(clients)
                assert (await cleo.play("nice try"))["kind"] == "done"
                assert cleo.ask_now is None
                table, version = ann.table_id, ann.version
            async with serving(folder, tempo=Tempo(speed=500, given_back=2000)) as running:
                _, ben, cleo, dora = [await running.come(table, one.cookie) for one in clients]
                assert [bool(one.ask_now) for one in (ben, cleo, dora)] == [True, False, True]
                assert {one.version for one in (ben, cleo, dora)} == {version}
                await cleo.until(lambda: cleo.version == version + 2)
                assert (await moves_of(running, table))[1:] == [("B", "pass", "clock"), ("C", "nice try", "person")]

    asyncio.run(do())


def test_nobody_is_told_of_answers_until_the_reaction_ends_and_whoever_has_not_answered_passes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    prepare(monkeypatch, TRYING)

    async def do() -> None:
        async with serving(tempo=Tempo(speed=4)) as running:
            clients = await seated(running, 4)
            ann, ben, cleo, dora = clients
            tab = await running.come(ann.table_id, cleo.cookie)
            await ann.play("red 3")
            await asked_to_react([*clients, tab])
            version, frames = ann.version, {client: len(client.frames) for client in (ann, ben)}
            assert 1 < ann.news["seconds"] <= 5, "everyone is shown how much time is left"
            for client in (dora, cleo):
                assert (await client.play("pass"))["kind"] == "done"
                assert client.ask_now is None
            await tab.until(lambda: tab.ask_now is None)
            assert await cleo.denied("play", since=version, move="nice try") == "not asked"
            for client in (ann, ben):
                await client.settled()
                assert all('"pong"' in frame for frame in client.frames[frames[client] :])
            assert ann.version == version
            await ann.until(lambda: ann.version == version + 3)
            assert (await moves_of(running, ann.table_id))[1:4] == [
                ("B", "pass", "clock"),
                ("C", "pass", "person"),
                ("D", "pass", "person"),
            ]
            assert not any('"clock"' in frame for client in clients for frame in client.frames)

    asyncio.run(do())


def test_an_answer_given_at_another_process_is_told_only_to_its_own_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(monkeypatch, TRYING)

    async def do() -> None:
        async with serving(tempo=SLOW) as running:
            clients = await seated(running, 4)
            ann, ben, cleo, dora = clients
            await ann.play("red 3")
            await asked_to_react(clients)
            length = len(await running.log(ann.table_id))
            answered = entries.Answered("C", "nice try", "person", quiet=True, sealed=True)
            hall = running.server.hall
            await hall.store.append(ann.table_id, length + 1, clock.now(), entries.WRITE.encode(answered))
            hall.on_bus(ann.table_id, msgspec.json.encode(ProcessNews("another", length + 1, [], 0)))
            await cleo.until(lambda: cleo.ask_now is None)
            for client in (ann, ben, dora):
                await client.settled()
                assert not any('"sealed"' in frame for frame in client.frames)
            assert ben.ask_now is not None
            version = ann.version
            assert (await ben.ask("say", text="Well?"))["version"] == version + 1

    asyncio.run(do())


async def alone_asked(client: Client) -> None:
    await client.until(lambda: len(client.news["asked"]) == 1)


def test_where_the_time_runs_out_it_is_let_be_and_nobody_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(monkeypatch, TRYING)

    async def do() -> None:
        async with serving(tempo=Tempo(speed=200)) as running:
            clients = await seated(running, 4, pace="quick")
            await clients[0].play("red 3")
            for client in clients:
                await alone_asked(client)
                assert not any('"clock"' in frame for frame in client.frames)
            logged = await running.log(clients[0].table_id)
            made_by = {one.entry.by for one in logged if isinstance(one.entry, entries.Played) and one.entry.move == "pass"}
            assert "clock" in made_by

    asyncio.run(do())
