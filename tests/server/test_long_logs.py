"""Long logs: old chat is deleted, the number of entries is limited, and nobody waits for a log that is read."""

from __future__ import annotations

import asyncio
import json
import random
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import msgspec
import pytest
from sqlalchemy import text

import fuda
from fuda.server import entries, hall
from fuda.server.database import database_url, writing_engine
from fuda.server.entries import WRITE, Logged
from fuda.server.log_reader import Behind, Damaged, read_log
from fuda.server.store import CHAT, STARTED, Row, Store
from fuda.server.summaries import summary_after
from fuda.server.table import MOST_CHAT, MOST_LINES, Table
from tests.server.clients import PATIENCE, Client, start
from tests.server.prepared_table import Prepared, game_at
from tests.server.serving import GENEROUS, Running, Test, new_folder, served, serving
from tests.server.stores import PLAYED, summary, with_store
from tests.server.test_http import finished

TWO: Final = "shinigami_preschool"
LINE: Final = WRITE.encode(entries.Spoke("A", "Hello", id="0123456789ab:x"))
MANY: Final = 200_000
PROMPTLY: Final = 0.3
"""For how long others may wait, in seconds of processor time."""


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.02)


@asynccontextmanager
async def measured() -> AsyncIterator[list[float]]:
    """For how long the event loop has been busy with one thing, or waited for another thread that kept Python for itself.

    In processor time, so that it does not depend on what else runs on the machine.
    """
    busy: list[float] = []

    async def measure() -> None:
        while True:
            begun = time.process_time()
            await asyncio.sleep(0)
            busy.append(time.process_time() - begun)

    measuring = asyncio.create_task(measure())
    try:
        yield busy
        await asyncio.sleep(0)
    finally:
        measuring.cancel()


def add_chat(url: str, table: str, after: int, count: int) -> None:
    """Lines of chat as an older server wrote them, without an end."""
    engine = writing_engine(database_url(url))
    row = text("INSERT INTO entries (table_id, number, at, data) VALUES (:table, :number, 1.0, :data)")
    with engine.begin() as connection:
        numbers = range(after + 1, after + count + 1)
        connection.execute(row, [{"table": table, "number": number, "data": LINE.decode()} for number in numbers])
    engine.dispose()


# Chat in the database -------------------------------------------------------------------------------


def test_chat_and_the_start_of_a_game_can_be_found_in_the_database() -> None:
    assert LINE.decode().startswith(CHAT)
    assert WRITE.encode(entries.Spoke("A", reaction="hello")).decode().startswith(CHAT)
    assert WRITE.encode(entries.Started("1", ())).decode().startswith(STARTED)
    others = [entries.Starting(), entries.Played("A", "spoke", "person"), entries.Closed('{"kind":"spoke"')]
    assert not any(WRITE.encode(other).decode().startswith((CHAT, STARTED)) for other in others)


def test_all_but_the_latest_chat_is_deleted_and_counted(database: str) -> None:
    async def do(store: Store) -> None:
        await store.create(summary("t"), [(1.0, data) for data in [PLAYED, LINE, LINE, PLAYED, LINE, LINE, PLAYED]])
        await store.create(summary("u"), [(1.0, LINE)] * 5)
        await store.prune_chat("t", most=4, keep=2)
        assert await store.length("t") == 7, "there are not more than four"
        await store.prune_chat("t", most=3, keep=2)
        rows = await store.entries("t")
        assert [(row.number, row.data == LINE) for row in rows] == [(1, False), (4, False), (5, True), (6, True), (7, False)]
        assert {row.pruned for row in rows} == {2}
        assert [row.pruned for row in await store.entries("t", 6)] == [2]
        assert (await store.length("t"), await store.length("u"), await store.length("nowhere")) == (5, 5, 0)
        assert await store.append("t", 8, 1.0, PLAYED, summary("t", phase="playing"))
        assert (await store.entries("t"))[-1].pruned == 2

    with_store(database, do)


def test_chat_of_many_lines_is_deleted_a_part_at_a_time(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fuda.server.store.MOST_DELETED", 30)

    async def do(store: Store) -> None:
        await store.create(summary("t"), [(1.0, PLAYED), *[(1.0, LINE)] * 100])
        other = await Store.opened(database)
        await asyncio.gather(*(one.prune_chat("t", most=20, keep=10) for one in (store, other)))
        rows = await store.entries("t")
        assert [row.number for row in rows] == [1, *range(92, 102)]
        assert {row.pruned for row in rows} == {90}
        await other.close()

    with_store(database, do)


# Logs with gaps -------------------------------------------------------------------------------------


def rows_of(*numbers: int, pruned: int = 0) -> list[Row]:
    return [Row(number, 1.0, LINE, pruned) for number in numbers]


def test_only_entries_that_were_deleted_on_purpose_may_be_missing() -> None:
    assert [one.number for one in read_log("t", rows_of(1, 2, 5, 8, pruned=4))] == [1, 2, 5, 8]
    for rows, first in (
        (rows_of(1, 2, 5, 8), 3),
        (rows_of(1, 2, 5, 8, pruned=3), 3),
        (rows_of(1, 2, 5, 8, pruned=5), 3),
        (rows_of(2, 3), 1),
        (rows_of(1, 3), 2),
    ):
        with pytest.raises(Damaged, match=f"Entry {first} "):
            read_log("t", rows)


def test_a_process_that_has_missed_deleted_entries_loads_the_table_again() -> None:
    assert [one.number for one in read_log("t", rows_of(6, 7, pruned=3), 5)] == [6, 7]
    with pytest.raises(Behind):
        read_log("t", rows_of(7, 8, pruned=3), 5)
    with pytest.raises(Damaged, match="Entry 6 "):
        read_log("t", rows_of(7, 8), 5)


# At a table -----------------------------------------------------------------------------------------


async def talk(client: Client, lines: int) -> None:
    for number in range(lines):
        await client.do("say", text=f"line {number}")


def chat_in(logged: list[Logged]) -> list[str]:
    return [one.entry.text for one in logged if isinstance(one.entry, entries.Spoke)]


def test_old_chat_is_deleted_while_a_game_goes_on_and_nobody_notices() -> None:
    async def do() -> None:
        with new_folder() as folder:
            async with serving(folder) as running:
                ann, ben = await running.people(TWO, 2, pace="none")
                for client in (ann, ben):
                    await client.give_bytes()
                await ben.close()
                await talk(ann, 30)
                await start([ann], with_luck=False)
                await talk(ann, MOST_CHAT)
                table = running.server.hall.tables[ann.table_id].table
                await until(lambda: table.chat_count < MOST_CHAT)
                log = await running.log(ann.table_id)
                assert chat_in(log)[-MOST_LINES:] == [
                    f"line {number}" for number in range(MOST_CHAT - MOST_LINES, MOST_CHAT)
                ]
                assert len(chat_in(log)) == table.chat_count < 2 * MOST_LINES
                assert (len(log), log[-1].number) == (table.entry_count, table.version)
                await ben.come_back()
                assert (ben.version, ben.view["history"]) == (ann.version, ann.view["history"])
                await ann.do("say", text="Go on")
                await ben.until(lambda: ben.said[-1]["text"] == "Go on")
                version, said = ben.version, ben.said[-MOST_LINES:]
                await asyncio.gather(ann.close(), ben.close())
            async with serving(folder) as running:
                ann, ben = [await running.come(client.table_id, client.cookie) for client in (ann, ben)]
                assert (ben.version, ben.said) == (version, said)
                await asyncio.gather(*(client.play_on(random.Random(1)) for client in (ann, ben)))
                record = (await running.get(f"/api/tables/{ann.table_id}/record")).json()
                assert fuda.replay(record).over

    asyncio.run(do())


@served()
async def test_what_is_said_while_old_chat_is_deleted_is_counted(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, _ = await running.people(TWO, 2)
    table = running.server.hall.tables[ann.table_id].table
    prune = running.server.hall.store.prune_chat

    async def talk_and_prune(*given: Any) -> int:
        await talk(ann, 3)
        return await prune(*given)

    monkeypatch.setattr(running.server.hall.store, "prune_chat", talk_and_prune)
    await talk(ann, MOST_CHAT + 1)
    await until(lambda: table.chat_count < MOST_CHAT)
    log = await running.log(ann.table_id)
    assert (len(chat_in(log)), len(log)) == (table.chat_count, table.entry_count)


@served()
async def test_who_has_missed_chat_that_is_deleted_is_welcomed(running: Running) -> None:
    ann, ben = await running.people(TWO, 2)
    await ben.close()
    await talk(ann, MOST_CHAT + 1)
    live = running.server.hall.tables[ann.table_id]
    await until(lambda: live.table.chat_count < MOST_CHAT)
    running.server.hall.unload(live)
    for socket in live.presence.sockets:
        socket.end(1013)
    await ann.until(lambda: ann.closed)
    seen = len(ben.frames)
    await ann.come_back()
    await ben.come_back()
    assert ben.version == ann.version
    assert ben.said == ann.said[-MOST_LINES:]
    kinds = [json.loads(frame)["kind"] for frame in ben.frames[seen:]]
    assert ("welcome" in kinds, "event" in kinds) == (True, False)


@served()
async def test_a_table_where_very_much_was_said_wakes_and_nobody_else_waits(running: Running) -> None:
    url = running.server.settings.db
    ann, ben = await running.people(TWO, 2, pace="none")
    await start([ann, ben])
    for client in (ann, ben):
        await client.close()
    sleeping = running.server.hall.tables[ann.table_id]
    running.server.hall.unload(sleeping)
    await asyncio.to_thread(add_chat, url, ann.table_id, sleeping.table.version, MANY)
    async with measured() as busy:
        await ann.come_back()
    assert max(busy) < PROMPTLY
    assert ann.version == sleeping.table.version + MANY
    assert len(ann.said) == MOST_LINES
    assert len(await running.log(ann.table_id)) == sleeping.table.version + MOST_LINES
    await ben.come_back()
    await asyncio.gather(*(client.play_on(random.Random(1)) for client in (ann, ben)))
    assert ann.phase == "over"


@served()
async def test_logs_are_read_in_a_thread_and_only_two_at_a_time(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    hosts = [await running.open(TWO) for _ in range(6)]
    reading = Reading(monkeypatch)
    clients = await asyncio.gather(*(running.client(host) for host in hosts))
    assert {client.you for client in clients} == {"A"}
    assert reading.most == 2
    assert threading.current_thread() not in reading.threads


class Reading:
    """Watches how many logs are read at a time, and in which threads; makes it take a while."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = self.most = 0
        self.threads: set[threading.Thread] = set()
        self.table_from = hall.table_from
        monkeypatch.setattr(hall, "table_from", self.watch)

    def watch(self, table: str, rows: list[Row], number: int | None = None) -> Table:
        self.now += 1
        self.most = max(self.most, self.now)
        self.threads.add(threading.current_thread())
        time.sleep(0.05)
        self.now -= 1
        return self.table_from(table, rows, number)


# The number of entries ------------------------------------------------------------------------------

FEW: Final = 40


def limited(entries: int) -> Callable[[Test], Callable[..., None]]:
    return served(limits=msgspec.structs.replace(GENEROUS, entries=entries))


@limited(FEW)
async def test_a_table_with_too_many_entries_can_only_finish_its_game(running: Running) -> None:
    ann, ben = await running.people(TWO, 2, pace="none")
    await start([ann, ben])
    link = await ben.ask("device")
    count = len(await running.log(ann.table_id))
    await talk(ann, FEW - count)
    assert len(await running.log(ann.table_id)) == FEW
    for kind, fields in (("say", {"text": "More"}), ("react", {"reaction": "hello"}), ("configure", {"pace": "quick"})):
        assert await ann.denied(kind, **fields) == "log full"
    assert await ben.denied("device") == "log full"
    claim = await running.post(f"/api/tables/{ann.table_id}/claims", {"code": link["code"]})
    assert (claim.status_code, claim.json()["code"]) == (409, "log full")
    await asyncio.gather(*(client.play_on(random.Random(1)) for client in (ann, ben)))
    assert ann.phase == "over"
    assert (await running.get(f"/api/tables/{ann.table_id}/record")).status_code == 200
    assert await ann.denied("rematch") == "log full"
    await ben.do("leave")
    seat = await running.post(f"/api/tables/{ann.table_id}/seats", {"name": "Cleo", "invite": ann.table["invite"]})
    assert (seat.status_code, seat.json()["code"]) == (409, "log full")
    await ann.do("close")


@limited(MOST_CHAT + 20)
async def test_old_chat_does_not_count_as_entries(running: Running) -> None:
    ann, _ = await running.people(TWO, 2)
    await talk(ann, MOST_CHAT + 1)
    table = running.server.hall.tables[ann.table_id].table
    await until(lambda: table.chat_count < MOST_CHAT)
    await talk(ann, MOST_CHAT - MOST_LINES)


# Records --------------------------------------------------------------------------------------------


@served()
async def test_that_there_is_no_record_is_said_without_reading_the_log(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = await finished(running)
    await ann.do("rematch")
    await ann.until(lambda: ann.phase == "open")
    closed = await running.open(TWO)
    await (await running.client(closed)).do("close")

    async def entries(table: str, after: int = 0) -> list[Row]:
        raise AssertionError("the log is read")

    monkeypatch.setattr(running.server.hall.store, "entries", entries)
    for table, number in ((ann.table_id, 2), (ann.table_id, 99), (closed.table, 1)):
        for path in ("", "/film"):
            response = await running.get(f"/api/tables/{table}/records/{number}{path}")
            assert (response.status_code, response.json()["code"]) == (404, "no record")


@served()
async def test_records_of_rows_without_their_number_are_found_in_the_log(running: Running) -> None:
    ann, _ = await finished(running)
    await running.server.hall.store.work(
        lambda connection: connection.execute(text("UPDATE tables SET last_record = NULL")).rowcount
    )
    assert (await running.get(f"/api/tables/{ann.table_id}/records/1")).status_code == 200
    assert (await running.get(f"/api/tables/{ann.table_id}/records/2")).json()["code"] == "no record"


@served()
async def test_a_finished_game_has_a_record_after_its_table_was_closed(running: Running) -> None:
    ann, _ = await finished(running)
    await ann.do("configure", pace="quick")
    await ann.do("close")
    assert (await running.get(f"/api/tables/{ann.table_id}/records/1")).status_code == 200


def test_a_game_that_ends_with_its_deal_is_over_in_the_list_and_has_a_record(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_at({"A": ["red 7"], "B": ["blue 3"]}, [])
    prepared = Prepared(game)
    table = Table("t")
    for one in prepared.logged[:-1]:
        table.apply(one)
    over = game.clone()
    while not over.over:
        over.play(over.moves()[0])
    monkeypatch.setattr(table, "new_game", over.clone)
    started = Logged(table.version + 1, 1.0, entries.Started(game.rules.version, tuple(over.outcomes(0))))
    after = summary_after(table, started, None)
    assert after is not None
    assert (after.phase, after.last_record) == ("over", 1)
    assert table.phase == "starting"


@served()
async def test_of_many_records_and_replays_only_two_are_read_at_a_time(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = await finished(running, 2)
    reading = Reading(monkeypatch)
    paths = [f"/api/tables/{ann.table_id}/records/{number}{film}" for number in (1, 2) for film in ("", "", "", "/film")]
    answers = await asyncio.gather(*(running.get(path) for path in paths))
    assert [answer.status_code for answer in answers] == [200] * len(paths)
    assert reading.most == 2


@served()
async def test_a_table_wakes_while_records_are_read(running: Running) -> None:
    ann, _ = await finished(running)
    running.server.hall.unload(running.server.hall.tables[ann.table_id])
    slots = running.server.hall.replay_slots
    async with slots, slots:
        record = asyncio.create_task(running.get(f"/api/tables/{ann.table_id}/records/1"))
        await ann.come_back()
        assert not record.done()
    assert (await record).status_code == 200
