"""Fair deals at a server: bytes before the deal, the chain over the moves, and games that are closed early."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import pytest

import fuda
from fuda.engine.fair import commitment_of, key_in
from fuda.server import entries
from fuda.server.entries import Logged
from fuda.server.hall import table_from
from fuda.server.pace import Tempo
from fuda.server.table import Table
from fuda.verification import chains_of
from tests.server.clients import Client, start
from tests.server.serving import Running, served

TWO = "shinigami_preschool"


async def record_of(running: Running, table: str) -> Any:
    return (await running.get(f"/api/tables/{table}/record")).json()


async def play_once(*clients: Client) -> None:
    """One move of whoever is asked."""
    for client in clients:
        if client.ask_now is not None:
            await client.play(client.ask_now["moves"][0])
            break
    await asyncio.gather(*(has_news_of_move(client) for client in clients))


async def has_news_of_move(client: Client) -> None:
    await client.until(lambda: client.news.get("turn") == 1)


def place(client: Client, **fields: Any) -> int:
    """Where the first frame with these fields is among those that the client received."""
    frames = [json.loads(frame) for frame in client.frames]
    return next(at for at, frame in enumerate(frames) if fields.items() <= frame.items())


# Bytes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [["luck", "start"], ["start", "luck"]])
@served(tempo=Tempo(bytes_wait=0.05))
async def test_bytes_are_shown_and_acknowledged_before_the_deal(running: Running, order: list[str]) -> None:
    """Also if they are sent in one go with the start."""
    ann, ben = await running.people(TWO, 2, pace="none")
    fields: dict[str, dict[str, Any]] = {"luck": {"number": 1, "bytes": "ab" * 16}, "start": {}}
    ids = {kind: await ann.send(kind, **fields[kind]) for kind in order}
    await ann.until(lambda: ann.phase == "playing")
    await ben.until(lambda: ben.phase == "playing")
    for client in (ann, ben):
        shown = place(client, kind="event", what="luck", seat="A")
        assert json.loads(client.frames[shown])["table"]["fair"]["bytes"] == {"A": "ab" * 16}
        assert shown < place(client, kind="event", what="started")
    assert place(ann, kind="done", id=ids["luck"]) < place(ann, kind="event", what="started")
    assert ann.table["fair"]["bytes"] == {"A": "ab" * 16}


@served(tempo=Tempo(bytes_wait=0.05))
async def test_bytes_after_the_deal_are_refused_and_change_nothing(running: Running) -> None:
    ann, ben = await running.people(TWO, 2, pace="none")
    await ann.give_bytes()
    await ann.do("start")
    await ben.until(lambda: ben.phase == "playing")
    assert await ben.denied("luck", number=1, bytes="00" * 16) == "too late"
    assert [*ben.table["fair"]["bytes"]] == ["A"]


# The chain ----------------------------------------------------------------------------------------


def chains_sent(client: Client) -> dict[int, set[str]]:
    """The chains that the client was sent, by the number of moves; every view must come with one."""
    chains: dict[int, set[str]] = {}
    for text in client.frames:
        news = json.loads(text).get("game")
        if news is not None and "view" in news:
            chains.setdefault(news.get("turn", 0), set()).add(news["chain"])
    return chains


@served()
async def test_the_chain_over_the_moves_comes_with_every_view_and_is_in_the_record(running: Running) -> None:
    taken = await running.open(TWO, chairs=["me", "open", "thumb"], pace="none")
    second = await running.sit(taken, "Ben")
    clients = [await running.client(taken), await running.client(second), await running.spectator(taken)]
    await start(clients[:2])
    await clients[1].come_back(version=0, number=0, noted=0)
    await asyncio.gather(*(client.play_on(random.Random(3)) for client in clients[:2]))
    record = await record_of(running, taken.table)
    await clients[2].until(lambda: clients[2].phase == "over")
    chains = [chain.hex() for chain in chains_of(key_in(record["fair"]), record["rules"], fuda.replay(record))]
    assert record["fair"]["chain"] == chains[-1]
    for client in clients:
        sent = chains_sent(client)
        assert len(sent) > 5
        assert sent == {turn: {chains[turn]} for turn in sent}
    assert fuda.verify(record).name == "proven"


@served()
async def test_a_table_that_is_read_from_its_log_has_the_same_chain(running: Running) -> None:
    ann, ben = await running.people(TWO, 2, pace="none")
    await start([ann, ben])
    await play_once(ann, ben)
    rows = await running.server.hall.store.entries(ann.table_id)
    live = await running.server.hall.get(ann.table_id)
    assert ann.news["chain"] == live.table.chain.hex() == table_from(ann.table_id, rows).chain.hex()


def test_a_game_that_was_dealt_under_older_rules_keeps_their_version_in_chain_and_record() -> None:
    """A server that was upgraded meanwhile continues such a game if its rules only added options."""
    table = Table("oak")
    opened = entries.Opened("schadenfreude", {}, ["thumb"] * 4, False, "normal", True, "ab" * 16, "cd" * 32)
    for entry in (opened, entries.Starting()):
        table.apply(Logged(table.version + 1, 1.0, entry))
    table.apply(Logged(table.version + 1, 1.0, entries.Started("1", tuple(table.new_game().outcomes()))))
    record = table.record()
    assert record["rules"] == "1" != fuda.rulebook("schadenfreude").version
    assert "The chain in the record is that of its moves." in fuda.verify(record).checked


@served()
async def test_the_candidates_of_lots_are_in_the_record_as_the_rules_have_them(running: Running) -> None:
    ann, ben = await running.people(TWO, 2, pace="none")
    await start([ann, ben])
    await asyncio.gather(*(client.play_on(random.Random(4)) for client in (ann, ben)))
    record = await record_of(running, ann.table_id)
    assert record["fair"]["lots"] == fuda.replay(record).lots()
    assert record["fair"]["lots"][0] == ["A", "B"]


# Games that are closed early ----------------------------------------------------------------------------


@served()
async def test_a_dealt_game_that_is_closed_early_shows_its_secret_and_its_record(running: Running) -> None:
    ann, ben = await running.people(TWO, 2, pace="none")
    await start([ann, ben])
    await play_once(ann, ben)
    assert "secret" not in ann.table["fair"]
    await ann.do("close")
    await ben.until(lambda: ben.phase == "closed")
    fair = ben.table["fair"]
    assert commitment_of(bytes.fromhex(fair["secret"]), ann.table_id, 1) == fair["commitment"]
    record = await record_of(running, ann.table_id)
    assert (await running.get(f"/api/tables/{ann.table_id}/records/1")).json() == record
    assert record["result"] == {"moves": 1, "over": False, "totals": {"A": 0, "B": 0}, "winners": None}
    assert record["fair"]["secret"] == fair["secret"]
    assert record["fair"]["chain"] == ben.news["chain"]
    assert fuda.verify(record).missing == ["the game is not over: the table was closed early, or the end is cut off."]
    film = (await running.get(f"/api/tables/{ann.table_id}/records/1/film?seat=open")).json()
    assert film["moves"] == 1


@served()
async def test_a_table_that_is_closed_before_the_deal_shows_nothing(running: Running) -> None:
    ann, ben = await running.people(TWO, 2, pace="none")
    await ann.give_bytes()
    await ann.do("close")
    await ben.until(lambda: ben.phase == "closed")
    assert "secret" not in ben.table["fair"]
    assert (await running.get(f"/api/tables/{ann.table_id}/record")).json()["code"] == "no record"
    assert (await running.get(f"/api/tables/{ann.table_id}/records/1")).json()["code"] == "no record"


@served()
async def test_the_secret_of_the_next_game_stays_hidden_when_the_table_is_closed_between_games(running: Running) -> None:
    ann, ben = await running.people(TWO, 2, pace="none")
    await start([ann, ben])
    await asyncio.gather(*(client.play_on(random.Random(4)) for client in (ann, ben)))
    await ann.do("rematch")
    await ann.do("close")
    assert "secret" not in ann.table["fair"]
    assert (await running.get(f"/api/tables/{ann.table_id}/records/1")).json()["result"]["over"]
