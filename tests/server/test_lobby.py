"""The list of tables, and tables that are deleted because nobody needs them."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any, Final
from unittest.mock import patch

import pytest
from sqlalchemy import Connection, text

from fuda.protocol.parts import Phase
from fuda.server import clock, entries, lobby
from fuda.server.entries import WRITE
from fuda.server.store import Store
from tests.server.clients import start
from tests.server.serving import Running, new_folder, served, serving
from tests.server.stores import PLAYED, summary, with_store
from tests.server.test_long_logs import until

TWO: Final = "shinigami_preschool"
HOUR: Final = 3600.0
STARTED: Final = WRITE.encode(entries.Started("1", ()))


async def listed(running: Running) -> list[str]:
    return [one["id"] for one in (await running.get("/api/tables")).json()["tables"]]


def execute(statement: str, connection: Connection) -> int:
    return connection.execute(text(statement)).rowcount


async def ids(store: Store) -> set[str]:
    return {one.id for one in await store.summaries()}


@served()
async def test_a_table_is_listed_while_somebody_who_plays_is_connected(running: Running) -> None:
    taken = await running.open(TWO, public=True)
    assert await listed(running) == []
    ann = await running.client(taken)
    assert await listed(running) == [taken.table]
    watcher = await running.come(taken.table, "")
    await ann.close()
    await watcher.until(lambda: watcher.here == [])
    assert await listed(running) == [], "a spectator does not count"
    await ann.come_back()
    assert await listed(running) == [taken.table]
    running.server.hall.unload(running.server.hall.tables[taken.table])
    assert await listed(running) == []


def test_a_table_is_listed_by_all_processes_and_no_longer_when_its_process_has_died(
    monkeypatch: pytest.MonkeyPatch, redis_url: str
) -> None:
    async def do() -> None:
        with new_folder() as folder:
            async with serving(folder, bus=redis_url) as one, serving(folder, bus=redis_url) as other:
                taken = await one.open(TWO, public=True)
                ann = await one.client(taken)
                await one.server.hall.lobby.update()
                assert await listed(other) == [taken.table]
                monkeypatch.setattr(lobby, "REFRESH_SECONDS", 0.0)
                monkeypatch.setattr(lobby, "LISTED_SECONDS", 2.0)
                await asyncio.sleep(3)
                assert await listed(other) == [taken.table], "it is said again and again"
                monkeypatch.setattr(lobby.Lobby, "update", unable)
                now = clock.now()
                monkeypatch.setattr(clock, "now", lambda: now + 3)
                assert await listed(other) == []
                await ann.close()

    async def unable(self: lobby.Lobby) -> None:
        """As if that process had died."""

    asyncio.run(do())


@served()
async def test_the_list_is_stored_only_when_it_changes(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    marked: list[list[str]] = []
    real = running.server.hall.store.mark_seen

    async def mark_seen(tables: Any, at: float) -> None:
        marked.extend([[*tables]] if tables else [])
        await real(tables, at)

    await running.server.hall.lobby.update()
    monkeypatch.setattr(running.server.hall.store, "mark_seen", mark_seen)
    taken = await running.open(TWO, public=True)
    private = await running.open(TWO)
    ann, ben = await running.client(taken), await running.client(private)
    for _ in range(5):
        await listed(running)
    assert sorted(table for tables in marked for table in tables) == sorted([taken.table, private.table])
    marked.clear()
    await ann.close()
    await ben.close()
    await until(lambda: len(marked) >= 1)
    for _ in range(5):
        await listed(running)
    assert sorted(table for tables in marked for table in tables) == sorted([taken.table, private.table])


# Tables that nobody needs -----------------------------------------------------------------------------


def test_tables_without_a_game_expire_when_nobody_has_been_there_for_long(database: str) -> None:
    async def do(store: Store) -> None:
        await store.create(summary("empty"), [(1.0, PLAYED)])
        await store.create(summary("starting", phase="starting"), [(1.0, PLAYED)])
        await store.create(summary("changed", changed=9.0), [(1.0, PLAYED)])
        await store.create(summary("talked"), [(1.0, PLAYED), (9.0, PLAYED)])
        await store.create(summary("connected"), [(1.0, PLAYED)])
        await store.create(summary("between games"), [(1.0, PLAYED), (1.0, STARTED)])
        await store.create(summary("playing", phase="playing"), [(1.0, PLAYED), (1.0, STARTED)])
        await store.create(summary("over", phase="over"), [(1.0, PLAYED), (1.0, STARTED)])
        await store.mark_seen(["connected"], 9.0)
        await store.mark_seen(["starting"], 4.0)
        everything = await ids(store)
        assert await store.expire(before=5.0) == 2
        assert await ids(store) == everything - {"empty", "starting"}
        assert await store.expire(before=5.0) == 0
        assert await store.expire(before=10.0) == 3
        assert await ids(store) == {"between games", "playing", "over"}

    with_store(database, do)


def test_a_purge_deletes_few_entries_at_a_time(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fuda.server.store.MOST_DELETED", 10)
    monkeypatch.setattr("fuda.server.store.PURGE_CHUNK", 4)

    async def do(store: Store) -> None:
        for number in range(9):
            await store.create(summary(f"t{number}"), [(1.0, PLAYED)] * (25 if number == 3 else 4))
        real = store.work
        sizes = []

        async def work(run: Any) -> int:
            before = (await store.counts())["entries"]
            done = await real(run)
            sizes.append(before - (await store.counts())["entries"])
            return done

        monkeypatch.setattr(store, "work", work)
        assert await store.purge(before=5.0) == 9
        assert sizes == [8, 4, 25, 8, 8, 4]

    with_store(database, do)


def test_a_table_where_something_happens_at_that_moment_is_not_deleted(database: str) -> None:
    async def do(store: Store) -> None:
        await store.create(summary("t"), [(1.0, PLAYED)])
        real = store.read

        async def read(statement: Any) -> list[Any]:
            found = await real(statement)
            await store.append("t", 2, 9.0, PLAYED)
            return found

        with patch.object(store, "read", read):
            assert await store.purge(before=5.0) == 0
        assert await ids(store) == {"t"}

    with_store(database, do)


@served(clean_seconds=0.05, keep_days=30.0, keep_empty_hours=2.0)
async def test_the_server_deletes_old_tables_by_itself(running: Running) -> None:
    store = running.server.hall.store
    now = clock.now()
    tables: list[tuple[str, Phase, float]] = [
        ("old", "over", 31),
        ("shut", "closed", 31),
        ("new", "over", 29),
        ("left", "playing", 29),
    ]
    for table, phase, days in tables:
        at = now - days * 24 * HOUR
        await store.create(summary(table, phase=phase, changed=at), [(at, PLAYED), (at, STARTED)])
    for table, hours in (("forgotten", 3.0), ("fresh", 1.0)):
        at = now - hours * HOUR
        await store.create(summary(table, changed=at), [(at, PLAYED)])
    async with asyncio.timeout(20):
        while await ids(store) != {"new", "left", "fresh"}:
            await asyncio.sleep(0.05)
    assert any("nothing has happened for long" in line for line in running.lines.lines)


@served(clean_seconds=0.05, keep_days=0.0, keep_empty_hours=0.0)
async def test_tables_are_kept_for_ever_if_the_operator_wants_so(running: Running) -> None:
    store = running.server.hall.store
    await store.create(summary("old", phase="over"), [(1.0, PLAYED), (1.0, STARTED)])
    await store.create(summary("empty"), [(1.0, PLAYED)])
    await asyncio.sleep(0.5)
    assert await ids(store) == {"old", "empty"}


@served(clean_seconds=0.05)
async def test_a_table_at_which_somebody_waits_does_not_expire(running: Running) -> None:
    taken = await running.open(TWO, players=2)
    ann = await running.client(taken)
    store = running.server.hall.store
    await running.server.hall.lobby.update()
    for column in ("tables SET changed", "entries SET at"):
        await store.work(partial(execute, f"UPDATE {column} = {clock.now() - 25 * HOUR}"))
    await asyncio.sleep(0.5)
    ben = await running.client(await running.sit(taken, "Ben"))
    await start([ann, ben])


@served(clean_seconds=0.05, may_fail=True)
async def test_a_database_that_fails_for_a_moment_does_not_end_the_cleaning(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = running.server.hall.store
    await store.work(partial(execute, "ALTER TABLE entries RENAME TO elsewhere"))
    await until(lambda: any("old tables cannot be deleted" in line for line in running.lines.lines))
    await store.work(partial(execute, "ALTER TABLE elsewhere RENAME TO entries"))
    await store.create(summary("old", phase="over"), [(1.0, PLAYED)])
    async with asyncio.timeout(20):
        while await ids(store):
            await asyncio.sleep(0.05)
