"""Games of a version of the rules that the server no longer has: running ones are ended, finished ones can be watched."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from sqlalchemy import text

import fuda
from fuda.engine.records import checked
from fuda.protocol.replays import Replay
from fuda.server import entries
from fuda.server.workers import Workers
from fuda.transcripts import frames_of, transcript_of
from tests.server.clients import Client, start
from tests.server.serving import Running, serving

GAME = "shinigami_preschool"
NOW = fuda.rulebook(GAME).version
LATER = "99"


@contextmanager
def with_other_rules(version: str = LATER) -> Iterator[None]:
    """The server has been upgraded: its rules have another version. Workers would not know it, and do nothing here."""

    async def run_here(_: Workers, function: Callable[..., Any], *arguments: Any) -> Any:
        return function(*arguments)

    rules = fuda.rulebook(GAME)
    before, rules.version = rules.version, version
    try:
        with patch.object(Workers, "run", run_here):
            yield
    finally:
        rules.version = before


async def two(running: Running, **wishes: Any) -> list[Client]:
    return await running.people(GAME, 2, options={"rounds": 1}, **wishes)


async def play_to_the_end(clients: list[Client]) -> None:
    await start(clients)
    await asyncio.gather(*(client.play_on(random.Random(seat)) for seat, client in enumerate(clients)))


async def forget_transcripts(running: Running) -> None:
    """As in a database of a Fuda that wrote none."""

    def forget(connection: Any) -> int:
        return int(connection.execute(text("DELETE FROM transcripts")).rowcount)

    await running.server.hall.store.work(forget)


async def transcripts_kept(running: Running, table: str, number: int = 1) -> bytes:
    """The stored transcript, when it is there."""
    for _ in range(500):
        data = await running.server.hall.store.transcript(table, number)
        if data is not None:
            return data
        await asyncio.sleep(0.02)
    raise AssertionError("no transcript was stored")


async def film(running: Running, table: str, seat: str = "open", number: int = 1) -> Replay:
    response = await running.get(f"/api/tables/{table}/records/{number}/film?seat={seat}&count=50")
    assert response.status_code == 200, response.text
    return msgspec.json.decode(response.content, type=Replay)


async def record_of(running: Running, table: str, number: int = 1) -> Any:
    response = await running.get(f"/api/tables/{table}/records/{number}")
    assert response.status_code == 200, response.text
    return response.json()


# Transcripts --------------------------------------------------------------------------------------


def test_the_transcript_of_a_game_is_kept_when_it_ends_and_is_part_of_its_record(database: str) -> None:
    async def test() -> None:
        async with serving(db=database) as running:
            ann, ben = await two(running, pace="none")
            await start([ann, ben])
            assert await running.server.hall.store.transcript(ann.table_id, 1) is None
            await asyncio.gather(*(client.play_on(random.Random(seat)) for seat, client in enumerate([ann, ben])))
            assert len(await transcripts_kept(running, ann.table_id)) < 5000
            record = await record_of(running, ann.table_id)
            fuda.verify(record)
            transcript = record.pop("transcript")
            assert transcript == transcript_of(record)
            latest = (await running.get(f"/api/tables/{ann.table_id}/record", ann.cookie)).json()
            assert latest == record | {"transcript": transcript}
            await running.server.hall.store.purge(2e10)
            assert await running.server.hall.store.transcript(ann.table_id, 1) is None
            await running.server.hall.store.add_transcript(ann.table_id, 1, b"too late")

    asyncio.run(test())


def test_a_transcript_that_was_not_written_is_made_when_a_replay_is_asked_for(database: str) -> None:
    async def test() -> None:
        async with serving(db=database) as running:
            clients = await two(running, pace="none")
            await play_to_the_end(clients)
            table = clients[0].table_id
            kept = await transcripts_kept(running, table)
            await forget_transcripts(running)
            await film(running, table, "watch")
            assert await transcripts_kept(running, table) == kept

    asyncio.run(test())


def test_the_transcript_belongs_to_the_game_that_ended_even_if_the_next_begins_at_once(database: str) -> None:
    async def test() -> None:
        async with serving(db=database) as running:
            ann, ben = await two(running, pace="none")
            await play_to_the_end([ann, ben])
            await ann.do("rematch")
            await transcripts_kept(running, ann.table_id)
            await play_to_the_end([ann, ben])
            await transcripts_kept(running, ann.table_id, 2)
            records = [await record_of(running, ann.table_id, number) for number in (1, 2)]
            assert records[0]["transcript"] != records[1]["transcript"]
            for record in records:
                assert record["transcript"] == transcript_of(record)

    asyncio.run(test())


# Finished games ------------------------------------------------------------------------------------


def test_a_finished_game_of_other_rules_is_shown_from_its_transcript(database: str) -> None:
    async def test() -> None:
        async with serving(db=database) as running:
            clients = await two(running, pace="none")
            await play_to_the_end(clients)
            table = clients[0].table_id
            before = await film(running, table)
            record = await record_of(running, table)
        with with_other_rules():
            async with serving(db=database) as running:
                shown = await film(running, table)
                assert shown == msgspec.structs.replace(before, rules=NOW)
                assert shown.frames[0].view["rules"] == NOW
                part = await running.get(f"/api/tables/{table}/records/1/film?seat=open&from=3&count=2")
                assert [frame["turn"] for frame in part.json()["frames"]] == [3, 4]
                for seat in ("watch", "A", "H"):
                    denied = await running.get(f"/api/tables/{table}/records/1/film?seat={seat}")
                    assert (denied.status_code, denied.json()["code"]) == (409, "other rules")
                    assert f"version {NOW} of the rules" in denied.json()["text"]
                # The log does not have the result and the candidates of lots, which the rules would tell.
                fair = {key: value for key, value in record["fair"].items() if key not in ("chain", "lots")}
                assert await record_of(running, table) == {key: record[key] for key in record if key != "result"} | {
                    "options": {"rounds": 1},
                    "fair": fair,
                }
        fuda.verify(record)

    asyncio.run(test())


def test_without_a_transcript_the_moves_of_a_finished_game_are_shown(database: str) -> None:
    async def test() -> None:
        async with serving(db=database) as running:
            clients = await two(running, pace="none")
            await play_to_the_end(clients)
            table = clients[0].table_id
            record = await record_of(running, table)
            movers = [frame.seat for frame in frames_of(record.pop("transcript"))]
            await forget_transcripts(running)
        with with_other_rules():
            async with serving(db=database) as running:
                shown = await film(running, table)
                assert (shown.bare, shown.rules, shown.moves) == (True, NOW, len(record["moves"]))
                assert shown.names == {"A": "P1", "B": "P2"}
                assert [frame.move for frame in shown.frames] == ["", *record["moves"]]
                assert [frame.seat for frame in shown.frames] == movers
                assert shown.frames[0].view["options"] == {"rounds": 1}
                old = await record_of(running, table)
                assert "transcript" not in old
                with pytest.raises(fuda.Error, match=f"follows version {NOW} of the rules"):
                    fuda.replay(checked(old))
        fuda.verify(old)

    asyncio.run(test())


def test_a_game_can_be_watched_whose_table_was_closed_after_its_end(database: str) -> None:
    async def test() -> None:
        async with serving(db=database) as running:
            clients = await two(running, pace="none")
            await play_to_the_end(clients)
            table = clients[0].table_id
            await transcripts_kept(running, table)
            await clients[0].do("close")
        with with_other_rules():
            async with serving(db=database) as running:
                assert (await film(running, table)).rules == NOW
                assert (await record_of(running, table))["rules"] == NOW
                ann = await running.come(table, clients[0].cookie)
                assert ann.phase == "closed"

    asyncio.run(test())


def test_people_come_back_from_a_finished_game_of_other_rules_to_the_lobby(database: str) -> None:
    async def test() -> None:
        async with serving(db=database) as running:
            clients = await two(running, pace="none")
            await play_to_the_end(clients)
            table, cookie = clients[0].table_id, clients[0].cookie
        with with_other_rules():
            async with serving(db=database) as running:
                ann = await running.come(table, cookie)
                assert (ann.phase, ann.table["number"], ann.table.get("ended", "")) == ("open", 2, "")
                assert (await film(running, table)).rules == NOW

    asyncio.run(test())


# Running games -------------------------------------------------------------------------------------


def test_a_running_game_of_other_rules_is_ended_and_everyone_is_told_why(database: str) -> None:
    async def test() -> None:
        async with serving(db=database) as running:
            ann, ben = await two(running, public=True)
            await start([ann, ben])
            mover = ann if ann.ask_now else ben
            assert mover.ask_now is not None
            await mover.play(mover.ask_now["moves"][0])
            table, cookies = ann.table_id, [ann.cookie, ben.cookie]
        with with_other_rules():
            async with serving(db=database) as running:
                assert [(one.id, one.phase) for one in await running.server.hall.store.summaries()] == [(table, "playing")]
                ann, ben = [await running.come(table, cookie) for cookie in cookies]
                assert isinstance((await running.log(table))[-1].entry, entries.Reopened)
                for client in (ann, ben):
                    assert (client.phase, client.table["number"], client.table["ended"]) == ("open", 2, NOW)
                listed = (await running.get("/api/tables")).json()["tables"]
                assert [(one["id"], one["phase"]) for one in listed] == [(table, "open")]
                await ben.do("say", text="What now?")
                for number in (1, 2):
                    missing = await running.get(f"/api/tables/{table}/records/{number}/film?seat=open")
                    assert (missing.status_code, missing.json()["code"]) == (404, "no record")
                    missing = await running.get(f"/api/tables/{table}/records/{number}")
                    assert (missing.status_code, missing.json()["code"]) == (404, "no record")
                assert (await running.get(f"/api/tables/{table}/record", cookies[0])).json()["code"] == "no record"
                await play_to_the_end([ann, ben])
                assert ann.table.get("ended", "") == ""
                assert (await record_of(running, table, 2))["rules"] == LATER
                missing = await running.get(f"/api/tables/{table}/records/1/film?seat=open")
                assert missing.json()["code"] == "no record", "the ended game is not over because the next one is"

    asyncio.run(test())


def test_a_running_game_of_other_rules_with_bots_and_deadlines_is_ended_once(database: str) -> None:
    async def test() -> None:
        async with serving(db=database) as running:
            (ann,) = await running.people(GAME, 1, rest=["random"], pace="quick")
            await start([ann])
            table, cookie = ann.table_id, ann.cookie
        with with_other_rules():
            for _ in range(2):
                async with serving(db=database) as running:
                    ann = await running.come(table, cookie)
                    await ann.settled()
                    assert (ann.phase, ann.table["ended"]) == ("open", NOW)
                    log = await running.log(table)
                    assert sum(isinstance(one.entry, entries.Reopened) for one in log) == 1
            async with serving(db=database) as running:
                ann = await running.come(table, cookie)
                await play_to_the_end([ann])

    asyncio.run(test())


def test_a_table_that_was_closed_during_a_game_of_other_rules_stays_closed(database: str) -> None:
    async def test() -> None:
        async with serving(db=database) as running:
            ann, ben = await two(running)
            await start([ann, ben])
            await ann.do("close")
            table, cookie = ann.table_id, ann.cookie
        with with_other_rules():
            async with serving(db=database) as running:
                ann = await running.come(table, cookie)
                assert ann.phase == "closed"
                assert await ann.denied("say", text="Hello?") == "closed"
                record = await record_of(running, table)
                assert record["fair"]["secret"] == ann.table["fair"]["secret"]
                assert (await running.get(f"/api/tables/{table}/record")).json() == record
        assert fuda.verify(record).name == "not proven"

    asyncio.run(test())


def test_a_game_that_another_process_starts_under_other_rules_is_ended_too(database: str) -> None:
    async def test() -> None:
        async with serving(db=database, may_fail=True) as running:
            ann, ben = await two(running)
            live = await running.server.hall.get(ann.table_id)
            game = live.table.new_game()
            started = entries.Started(LATER, tuple(game.outcomes()))
            store, version = running.server.hall.store, live.table.version
            await store.append(ann.table_id, version + 1, 1.0, entries.WRITE.encode(started))
            await ben.until(lambda: ben.closed is not None)
            await ben.come_back()
            assert (ben.phase, ben.table["ended"]) == ("open", LATER)

    asyncio.run(test())
