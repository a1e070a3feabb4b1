"""Replays of finished games show exactly what could be seen from a viewpoint."""

from __future__ import annotations

import asyncio
import json
import random
import re
import threading
import time
from typing import Any

import msgspec
import pytest

import fuda
from fuda.game import begin, chance_from
from fuda.protocol.replays import DEFAULT_FRAMES, MOST_FRAMES, Replay, ReplayFrame
from fuda.server import replays
from tests.server.clients import PATIENCE, Client, start
from tests.server.serving import Running, served

PARTIES: list[Any] = [
    pytest.param("schadenfreude", 3, {"target": 10}, id="schadenfreude"),
    pytest.param("cursed_tricks", 3, {"rounds": 1}, id="cursed_tricks"),
    pytest.param("shinigami_preschool", 2, {"rounds": 1}, id="shinigami_preschool"),
    pytest.param("kirifu", 3, {"games": 1, "characters": True}, id="kirifu"),
    pytest.param("frantic", 4, {"scored": False}, id="frantic"),
]
TWO = "shinigami_preschool"


async def finished(running: Running, game: str, people: int, options: dict[str, Any]) -> list[Client]:
    clients = await running.people(game, people, pace="none", options=options)
    await start(clients)
    await asyncio.gather(*(client.play_on(random.Random(seat)) for seat, client in enumerate(clients)))
    return clients


async def part(running: Running, table: str, **wish: Any) -> Replay:
    query = "&".join(f"{name.rstrip('_')}={value}" for name, value in wish.items())
    response = await running.get(f"/api/tables/{table}/records/1/film?{query}")
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/json"
    return msgspec.json.decode(response.content, type=Replay)


async def whole(running: Running, table: str, seat: str) -> list[ReplayFrame]:
    frames: list[ReplayFrame] = []
    moves = 1
    while len(frames) <= moves:
        got = await part(running, table, seat=seat, from_=len(frames), count=MOST_FRAMES)
        assert got.first == len(frames)
        assert got.frames
        frames += got.frames
        moves = got.moves
    assert [frame.turn for frame in frames] == [*range(moves + 1)]
    return frames


async def states(running: Running, table: str) -> list[fuda.Game]:
    """The game after every move, played again from its record."""
    record = (await running.get(f"/api/tables/{table}/records/1")).json()
    rules = fuda.rulebook(record["game"])
    game = begin(rules, record["players"], record["options"], chance_from(0, rules.cards, record["chance"]))
    after = [game.clone()]
    for move in record["moves"]:
        game.play(move)
        after.append(game.clone())
    return after


@pytest.mark.parametrize(("game", "people", "options"), PARTIES)
@served()
async def test_a_replay_shows_exactly_what_those_eyes_saw(
    running: Running, game: str, people: int, options: dict[str, Any]
) -> None:
    ann, *_ = await finished(running, game, people, options)
    after = await states(running, ann.table_id)
    for eyes, viewer in [("watch", None), *((seat, seat) for seat in after[0].totals)]:
        history: list[dict[str, Any]] = []
        for frame, state in zip(await whole(running, ann.table_id, eyes), after, strict=True):
            mover = after[frame.turn - 1].seat if frame.turn else None
            history += frame.notes
            assert frame.view | {"history": history} == state.view(viewer)
            assert frame.seat == mover
            assert frame.move == (state.played[-1] if mover is not None and mover == viewer else "")
            facts = {
                name: state.rules.caption_facts(name, frame.view) for name in state.rules.captions() if name in frame.view
            }
            assert frame.told == {name: each for name, each in facts.items() if each}


@pytest.mark.parametrize(("game", "people", "options"), PARTIES)
@served()
async def test_with_open_hands_every_seat_shows_what_it_saw_of_its_own_and_the_rest_stays_hidden(
    running: Running, game: str, people: int, options: dict[str, Any]
) -> None:
    ann, *_ = await finished(running, game, people, options)
    after = await states(running, ann.table_id)
    for frame, state in zip(await whole(running, ann.table_id, "open"), after, strict=True):
        seen = state.view(None)
        for name, value in frame.view.items():
            if name in ("hands", "chosen", "characters"):
                assert value == {seat: state.view(seat)[name][seat] for seat in value}
                assert all(isinstance(cards, list) for cards in value.values())
            else:
                assert value == seen[name], name
        assert frame.move == ("" if frame.turn == 0 else state.played[-1])
    noted = [note for frame in await whole(running, ann.table_id, "open") for note in frame.notes]
    seen_by_any = zip(*(after[-1].view(viewer)["history"] for viewer in [None, *after[-1].totals]), strict=True)
    assert noted == [max(notes, key=len) for notes in seen_by_any], "what any seat was told"


@served()
async def test_nothing_is_named_in_a_replay_that_those_eyes_had_not_seen(running: Running) -> None:
    ann, *_ = await finished(running, "frantic", 4, {"scored": False})
    after = await states(running, ann.table_id)
    names = sorted(after[0].rules.cards, key=len, reverse=True)
    card = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w-])")
    for eyes, viewer in [("watch", None), ("B", "B")]:
        known: set[str] = set()
        for frame, state in zip(await whole(running, ann.table_id, eyes), after, strict=True):
            known |= {*card.findall(json.dumps(state.view(viewer)))}
            own = {frame.move} if frame.seat == viewer else set()
            assert {*card.findall(msgspec.json.encode(frame).decode())} <= known | own


@served()
async def test_parts_of_a_replay_are_asked_for(running: Running) -> None:
    ann, *_ = await finished(running, TWO, 2, {"rounds": 2})
    replay = await part(running, ann.table_id)
    assert (replay.first, len(replay.frames)) == (0, DEFAULT_FRAMES)
    assert replay.frames[0].seat is None
    frames = await whole(running, ann.table_id, "watch")
    assert replay.frames == frames[:DEFAULT_FRAMES]
    assert (await part(running, ann.table_id, from_=3, count=1)).frames == frames[3:4]
    assert (await part(running, ann.table_id, from_=replay.moves, count=50)).frames == frames[-1:]
    assert (await part(running, ann.table_id, from_=replay.moves + 1)).frames == []
    assert (await part(running, ann.table_id, from_=10**9)).frames == []


@pytest.mark.parametrize(
    "query", ["seat=C", "seat=Z", "seat=", "from=-1", "from=x", "from=1.5", "count=0", f"count={MOST_FRAMES + 1}", "count="]
)
@served()
async def test_what_cannot_be_shown_is_said_to_be_wrong(running: Running, query: str) -> None:
    ann, *_ = await finished(running, TWO, 2, {"rounds": 1})
    response = await running.get(f"/api/tables/{ann.table_id}/records/1/film?{query}")
    assert (response.status_code, response.json()["code"]) == (400, "bad request")


@served()
async def test_there_is_no_replay_of_a_game_that_is_being_played(running: Running) -> None:
    ann, ben = await running.people(TWO, 2, pace="none")
    await start([ann, ben])
    for seat in ("watch", "open", "A"):
        response = await running.get(f"/api/tables/{ann.table_id}/records/1/film?seat={seat}", ann.cookie)
        assert (response.status_code, response.json()["code"]) == (404, "no record")


@served()
async def test_the_replay_stays_the_same_after_a_rematch_and_somebody_has_left(running: Running) -> None:
    ann, ben = await finished(running, TWO, 2, {"rounds": 1})
    before = await whole(running, ann.table_id, "open")
    await ben.do("leave")
    await ann.do("rematch")
    running.server.replays.cache.clear()
    assert await whole(running, ann.table_id, "open") == before


@served()
async def test_a_replay_is_sent_compressed_and_kept_for_a_while(running: Running) -> None:
    ann, *_ = await finished(running, TWO, 2, {"rounds": 1})
    response = await running.get(f"/api/tables/{ann.table_id}/records/1/film")
    assert response.headers["content-encoding"] == "gzip"
    assert response.headers["cache-control"] == replays.CACHE_CONTROL


@served()
async def test_few_finished_games_are_kept_in_memory_and_not_for_long(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replays, "MOST_CACHED", 2)
    tables = [(await finished(running, TWO, 2, {"rounds": 1}))[0].table_id for _ in range(3)]
    for table in tables:
        await part(running, table)
    assert [*running.server.replays.cache] == [(table, 1) for table in tables[1:]]
    running.server.replays.cache = {
        key: (time.monotonic() - 1, read) for key, (_, read) in running.server.replays.cache.items()
    }
    await part(running, tables[0])
    assert [*running.server.replays.cache] == [(tables[0], 1)]


@served()
async def test_the_tables_do_not_wait_for_a_replay(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, *_ = await finished(running, TWO, 2, {"rounds": 1})
    encoded = replays.encoded
    began, may_end = threading.Event(), threading.Event()

    def slowly(*query: Any) -> Any:
        began.set()
        assert may_end.wait(PATIENCE)
        return encoded(*query)

    monkeypatch.setattr(replays, "encoded", slowly)
    asked = asyncio.create_task(part(running, ann.table_id))
    assert await asyncio.to_thread(began.wait, PATIENCE)
    await ann.settled()
    assert not asked.done()
    may_end.set()
    await asked
