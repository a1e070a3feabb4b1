"""Clients that come back after much has happened: they pay for what they are sent, and nobody else waits."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import msgspec
import pytest

import fuda
from fuda.protocol.parts import Seat
from fuda.server import news
from fuda.server.pace import Tempo
from fuda.server.settings import Limits
from fuda.server.table import MOST_EVENTS, Table
from tests.server.clients import Client, start
from tests.server.raw_socket import RawSocket, frame_of
from tests.server.serving import GENEROUS, Running, new_folder, serving
from tests.server.test_long_logs import measured
from tests.server.test_security import closed

MISSED: Final = MOST_EVENTS - 1
SOCKETS: Final = 100
PROMPTLY: Final = 0.3
"""For how long others may wait, in seconds of processor time; all clients run in the same process."""
EVE: Final = "127.0.0.2"
"""Another address than that of other clients."""
DEFAULT: Final = Limits()


@asynccontextmanager
async def long_game(**limits: float) -> AsyncIterator[tuple[Running, Client, Table]]:
    """A server with these limits, a player, and their table, where more has happened than can be told again."""
    with new_folder() as folder:
        async with serving(folder) as running:
            client = await play_long(running)
        async with serving(folder, tempo=Tempo(), limits=msgspec.structs.replace(GENEROUS, **limits)) as running:
            ann = await running.come(client.table_id, client.cookie)
            table = running.server.hall.tables[ann.table_id].table
            assert len(table.recent_events) == MOST_EVENTS
            assert table.noted_before(table.recent_events[1]) > 0
            assert table.phase == "playing"
            yield running, ann, table


async def play_long(running: Running) -> Client:
    rng = random.Random(1)
    while True:
        clients = await running.people("kirifu", 4, pace="none")
        await start(clients)
        while clients[0].phase == "playing":
            if clients[0].version >= MOST_EVENTS + 10:
                return clients[0]
            asked = next(client for client in clients if client.ask_now)
            assert asked.ask_now is not None
            await asked.play(rng.choice(asked.ask_now["moves"] or asked.ask_now["words"]))
            for client in clients:
                await client.settled()


def hello_of(table: Table, missed: int, number: str = "h") -> str:
    """What a client says that has missed so many events."""
    seen = table.recent_events[-missed - 1]
    hello = {"kind": "hello", "id": number, "number": seen.number, "version": seen.version, "noted": seen.noted}
    return json.dumps(hello)


async def from_eve(client: Client) -> RawSocket:
    return await RawSocket.opened(client.host, f"/api/tables/{client.table_id}/socket", client.cookie, EVE)


async def answer_to_hello(raw: RawSocket) -> list[bytes]:
    """The frames up to the answer, or to the end of the connection."""
    frames = []
    while (frame := await raw.receive()) is not None:
        frames.append(frame)
        if b'"kind":"done"' in frame:
            break
    return frames


async def say_hello(table: Table, client: Client) -> list[bytes]:
    """The frames for a client that has missed much."""
    raw = await from_eve(client)
    raw.send(frame_of(hello_of(table, MISSED).encode()))
    frames = await answer_to_hello(raw)
    await raw.close()
    return frames


def test_all_that_was_missed_is_computed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    views = 0
    real = fuda.Game.view

    def view(self: fuda.Game, seat: str | None, since: int = 0) -> dict[str, Any]:
        nonlocal views
        views += 1
        return real(self, seat, since)

    async def do() -> None:
        async with long_game() as (_, ann, table):
            monkeypatch.setattr(fuda.Game, "view", view)
            events = [json.loads(frame) for frame in await say_hello(table, ann) if b'"kind":"event"' in frame]
            assert views <= 3
            assert [event["version"] for event in events] == [*range(table.version - MISSED + 1, table.version + 1)]
            notes = [note for event in events if "game" in event for note in event["game"]["notes"]]
            assert notes == ann.history[-len(notes) :]

    asyncio.run(do())


def test_each_event_has_its_own_notes_also_when_many_are_told_at_once() -> None:
    async def do() -> None:
        async with long_game() as (_, _, table):
            assert table.game is not None
            events = [*table.recent_events][1:]
            viewers: list[Seat | None] = [None, "A", "B"]
            for viewer in viewers:
                history = table.game.view(viewer)["history"]
                first = table.noted_before(events[0])
                for event, told in zip(events, news.events_of(table, events, viewer, None, is_all=True), strict=True):
                    if told.game is not None:
                        assert (told.game.first, told.game.notes) == (first, history[first : event.noted])
                    assert (told.game is None) == (event.noted == first and event is not events[-1])
                    first = event.noted

    asyncio.run(do())


def test_nobody_waits_while_a_hundred_connections_are_told_what_they_have_missed() -> None:
    names = ("burst", "per_second", "hello", "replayed", "replayed_per_second")

    async def do() -> None:
        async with long_game(**{name: getattr(DEFAULT, name) for name in names}) as (_, ann, table):
            sockets = [await from_eve(ann) for _ in range(SOCKETS)]
            async with measured() as busy:
                for raw in sockets:
                    raw.send(frame_of(hello_of(table, MISSED).encode()))
                answers = [await answer_to_hello(raw) for raw in sockets]
            for frames in answers:
                assert sum(b'"kind":"event"' in frame for frame in frames) == MISSED
                assert b'"kind":"done"' in frames[-1]
            assert max(busy) < PROMPTLY
            for raw in sockets:
                await raw.close()

    asyncio.run(do())


def test_a_hello_costs_more_the_more_is_told() -> None:
    """Ten frames, and one for every twenty notes and events, up to twenty more."""

    async def do() -> None:
        async with long_game(burst=60, per_second=0.01, hello=10) as (_, ann, table):
            for missed, count in ((MISSED, 2), (3, 6)):
                raw = await from_eve(ann)
                for _ in range(count):
                    raw.send(frame_of(hello_of(table, missed).encode()))
                    assert b'"kind":"done"' in (await answer_to_hello(raw))[-1]
                raw.send(frame_of(hello_of(table, missed).encode()))
                assert b'"code":"too many"' in (await answer_to_hello(raw))[-1]
                await raw.close()

    asyncio.run(do())


def test_an_address_is_told_only_so_much() -> None:
    async def do() -> None:
        async with long_game(replayed=1000, replayed_per_second=0.01) as (_, ann, table):
            first, *_, last = [await say_hello(table, ann) for _ in range(5)]
            assert b'"kind":"done"' in first[-1]
            assert len(last) == 1
            assert b'"code":"too many"' in last[0]
            assert b'"again":true' in last[0]
            assert (await ann.come_back())["kind"] == "done", "another address"

    asyncio.run(do())


def test_a_welcome_counts_by_its_history() -> None:
    async def do() -> None:
        async with long_game(replayed=1000, replayed_per_second=0.01) as (_, ann, table):
            welcomes = 1000 // table.noted
            for _ in range(welcomes - 1):  # and one at the beginning
                await ann.do("hello")
            await ann.send("hello")
            await closed(ann, 4029, "too many")

    asyncio.run(do())
