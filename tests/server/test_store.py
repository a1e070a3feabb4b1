"""The store: durable writes, and conflicts between writers."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
from typing import Any

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

import fuda
from fuda.protocol.parts import Phase
from fuda.server import writer
from fuda.server.store import Store
from tests.server.services import Postgres
from tests.server.stores import PLAYED, summary, with_store

# Entries ------------------------------------------------------------------------------------------


def test_a_table_is_its_entries_in_order(database: str) -> None:
    async def do(store: Store) -> None:
        await store.create(summary("t"), [(1.5, b'{"a":1}'), (2.5, '{"name":"Zoë 札"}'.encode())])
        assert await store.append("t", 3, 1789000000.123456, PLAYED)
        rows = await store.entries("t")
        assert [(row.number, row.at) for row in rows] == [(1, 1.5), (2, 2.5), (3, 1789000000.123456)]
        assert [row.data for row in rows] == [b'{"a":1}', '{"name":"Zoë 札"}'.encode(), PLAYED]
        assert [row.number for row in await store.entries("t", after=1)] == [2, 3]
        assert await store.entries("t", after=3) == []
        assert await store.entries("nowhere") == []

    with_store(database, do)


def test_everything_is_there_again_after_a_restart(database: str) -> None:
    async def before(store: Store) -> None:
        await store.create(summary("t"), [(1.0, PLAYED)])
        await store.append("t", 2, 2.0, PLAYED, summary("t", phase="playing", changed=2.0))

    async def after(store: Store) -> None:
        assert len(await store.entries("t")) == 2
        assert await store.summaries() == [summary("t", phase="playing", changed=2.0)]

    with_store(database, before)
    with_store(database, after)


def test_a_number_is_given_once(database: str) -> None:
    async def do(store: Store) -> None:
        await store.create(summary("t"), [(1.0, PLAYED)])
        assert not await store.append("t", 1, 9.0, b"{}", summary("t", phase="closed"))
        # All of these wait at the same time, and go into one transaction.
        won = await asyncio.gather(*(store.append("t", 2, float(who), b"{}") for who in range(20)))
        assert won == [True] + [False] * 19
        assert [(row.number, row.at) for row in await store.entries("t")] == [(1, 1.0), (2, 0.0)]
        assert await store.summaries() == [summary("t")], "what did not get in changes nothing"

    with_store(database, do)


def test_of_two_processes_that_write_at_the_same_place_one_wins(database: str) -> None:
    async def do(store: Store) -> None:
        await asyncio.gather(*(store.create(summary(table), [(1.0, PLAYED)]) for table in "abc"))
        other = await Store.opened(database)

        async def race(mine: Store, me: float) -> list[tuple[str, int]]:
            places = [(table, number) for number in range(2, 30) for table in ("abc" if me else "cba")]
            got = await asyncio.gather(*(mine.append(table, number, me, PLAYED, summary(table)) for table, number in places))
            return [place for place, mine_now in zip(places, got, strict=True) if mine_now]

        mine, theirs = await asyncio.gather(race(store, 1.0), race(other, 0.0))
        assert sorted(mine + theirs) == [(table, number) for table in "abc" for number in range(2, 30)]
        for table in "abc":
            for row in (await store.entries(table))[1:]:
                assert (table, row.number) in (mine if row.at else theirs)
        await other.close()

    with_store(database, do)


def test_the_summary_changes_together_with_the_entry(database: str) -> None:
    async def do(store: Store) -> None:
        await store.create(summary("t"), [(1.0, PLAYED)])
        numbers = range(2, 40)
        await asyncio.gather(*(store.append("t", n, 1.0, PLAYED, summary("t", changed=float(n))) for n in numbers))
        assert await store.summaries() == [summary("t", changed=39.0)]

    with_store(database, do)


def test_what_is_refused_takes_nothing_else_along(database: str) -> None:
    async def do(store: Store) -> None:
        await store.create(summary("t"), [(1.0, PLAYED)])
        nowhere, kept, again, fresh, twin = await asyncio.gather(
            store.append("nowhere", 2, 1.0, PLAYED),
            store.append("t", 2, 1.0, PLAYED),
            store.create(summary("t", phase="over"), [(5.0, b"{}"), (5.0, b"{}"), (5.0, b"{}")]),
            store.create(summary("u"), [(1.0, PLAYED)]),
            store.create(summary("u"), [(2.0, PLAYED), (2.0, PLAYED)]),
            return_exceptions=True,
        )
        assert str(nowhere) == "There is no table nowhere any more."
        assert kept is True
        assert str(again) == "There is a table t already."
        assert fresh is None
        assert isinstance(twin, fuda.Error)
        assert [row.at for row in await store.entries("t")] == [1.0, 1.0]
        assert [row.at for row in await store.entries("u")] == [1.0]
        assert {one.phase for one in await store.summaries()} == {"open"}

    with_store(database, do)


def test_whoever_gives_up_waiting_stops_nobody(database: str) -> None:
    async def do(store: Store) -> None:
        await store.create(summary("t"), [(1.0, PLAYED)])
        tasks = [store.append("t", number, 1.0, PLAYED) for number in range(2, 50)]
        await asyncio.sleep(0)
        for task in tasks[::2]:
            task.cancel()
        assert await asyncio.gather(*tasks[1::2]) == [True] * 24
        assert await store.append("t", 50, 1.0, PLAYED)

    with_store(database, do)


def test_closing_finishes_what_is_queued(database: str) -> None:
    async def first(store: Store) -> None:
        await store.create(summary("t"), [(1.0, PLAYED)])
        tasks = [store.append("t", number, 1.0, PLAYED) for number in range(2, 600)]
        await asyncio.sleep(0)
        await store.close()
        assert all(await asyncio.gather(*tasks))
        with pytest.raises(fuda.Error, match="closed"):
            await store.append("t", 600, 1.0, PLAYED)
        with pytest.raises(fuda.Error, match="closed"):
            await store.ping()

    async def second(store: Store) -> None:
        assert await store.heads(["t"]) == {"t": 599}

    with_store(database, first)
    with_store(database, second)


# Lists, counts, purges ----------------------------------------------------------------------------


def test_the_list_has_public_tables_with_people_that_are_open_or_playing_the_newest_first(database: str) -> None:
    async def do(store: Store) -> None:
        phases: list[Phase] = ["open", "starting", "playing", "over", "closed"]
        for place, phase in enumerate(phases):
            await store.create(summary(phase, phase=phase, opened=float(place)), [(1.0, PLAYED)])
        await store.create(summary("by link", public=False), [(1.0, PLAYED)])
        await store.create(summary("empty", opened=9.0), [(1.0, PLAYED)])
        assert await store.listed(0.0, 100) == []
        await store.mark_seen([*phases, "by link", "nowhere"], 100.0)
        assert [one.id for one in await store.listed(100.0, 100)] == ["playing", "starting", "open"]
        assert [one.id for one in await store.listed(100.0, 1)] == ["playing"]
        await store.mark_seen(["starting"], 99.0)
        assert [one.id for one in await store.listed(100.0, 100)] == ["playing", "open"]
        assert len(await store.summaries()) == 7
        assert await store.summaries(["over", "nowhere"]) == [summary("over", phase="over", opened=3.0)]

    with_store(database, do)


def test_the_last_number_of_many_tables(database: str) -> None:
    async def do(store: Store) -> None:
        tables = [f"t{number}" for number in range(1203)]
        await asyncio.gather(*(store.create(summary(table), [(1.0, PLAYED)] * 2) for table in tables))
        assert await store.append("t7", 3, 1.0, PLAYED)
        assert await store.heads([*tables, "nowhere"]) == dict.fromkeys(tables, 2) | {"t7": 3}
        assert await store.heads([]) == {}

    with_store(database, do)


def test_a_purge_removes_tables_where_nothing_has_happened_since(database: str) -> None:
    async def do(store: Store) -> None:
        old = [f"old {number}" for number in range(120)]
        await asyncio.gather(*(store.create(summary(table), [(1.0, PLAYED)]) for table in old))
        await store.create(summary("new", changed=9.0), [(1.0, PLAYED)])
        await store.create(summary("played on", changed=1.0), [(1.0, PLAYED)])
        await store.append("played on", 2, 9.0, PLAYED)
        assert await store.purge(before=5.0) == 120
        assert {one.id for one in await store.summaries()} == {"new", "played on"}
        counts = await store.counts()
        assert counts.pop("bytes") > 0
        assert counts == {"tables": 2, "open": 2, "starting": 0, "playing": 0, "over": 0, "closed": 0, "entries": 3}
        assert await store.purge(before=5.0) == 0
        with pytest.raises(fuda.Error, match="There is no table old 3 any more"):
            await store.append("old 3", 2, 9.0, PLAYED)

    with_store(database, do)


# Trouble ------------------------------------------------------------------------------------------


def test_a_transaction_that_fails_is_told_to_all_who_wait_for_it(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(connection: Connection, writes: list[writer.Write]) -> None:
        real(connection, writes)
        raise RuntimeError("the disk is full")

    real = writer.change_tables

    async def do(store: Store) -> None:
        await store.create(summary("t"), [(1.0, PLAYED)])
        monkeypatch.setattr(writer, "change_tables", fail)
        failed = await asyncio.gather(*(store.append("t", number, 1.0, b"{}") for number in (2, 3)), return_exceptions=True)
        assert [str(error) for error in failed] == ["the disk is full"] * 2
        monkeypatch.setattr(writer, "change_tables", real)
        assert await store.append("t", 2, 2.0, PLAYED)
        assert [row.at for row in await store.entries("t")] == [1.0, 2.0]

    with_store(database, do)


ACKNOWLEDGE = """
import asyncio, sys
from fuda.server.store import Store, Summary

async def play():
    store = await Store.opened(sys.argv[1])
    async def table(name):
        await store.create(Summary(name, "g", "playing", "Ann", True, 1, 0, 4, "none", 1.0, 1.0), [(1.0, b"{}")])
        number = 1
        while await store.append(name, number + 1, 1.0, b"{}"):
            number += 1
            print(name, number, flush=True)
    await asyncio.gather(*(table(name) for name in "abcdefgh"))

asyncio.run(play())
"""


def test_nothing_acknowledged_is_lost_when_the_process_is_killed(database: str) -> None:
    arguments = [sys.executable, "-c", ACKNOWLEDGE, database]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        lines = [process.stdout.readline() for _ in range(100)]
        process.send_signal(signal.SIGKILL)
        lines += process.stdout.readlines()
    acknowledged = dict(line.split() for line in lines if line.endswith("\n"))

    async def do(store: Store) -> None:
        heads = await store.heads([*acknowledged])
        assert len(acknowledged) == 8
        for table, number in acknowledged.items():
            assert int(number) <= heads[table]
            assert [row.number for row in await store.entries(table)] == [*range(1, heads[table] + 1)]

    with_store(database, do)


def test_an_answer_lost_after_the_commit_is_found_again(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    lost: list[bool] = []

    def lose(connection: Connection, writes: list[writer.Write], again: bool) -> list[bool]:
        outcome = real(connection, writes, again)
        if not lost:
            lost.append(True)
            driver: Any = connection.connection.driver_connection
            driver.commit()
            raise OperationalError("COMMIT", None, OSError("the connection is lost"))
        return outcome

    real = writer.write_all

    async def do(store: Store) -> None:
        await store.create(summary("t"), [(1.0, PLAYED), (2.0, PLAYED)])
        monkeypatch.setattr(writer, "write_all", lose)
        outcome = await asyncio.gather(
            store.append("t", 2, 3.0, PLAYED),
            store.append("t", 3, 3.0, PLAYED),
            store.append("t", 3, 3.5, PLAYED),
            store.create(summary("u"), [(1.0, PLAYED), (1.0, PLAYED)]),
        )
        assert lost
        assert list(outcome) == [False, True, False, None]
        assert [row.at for row in await store.entries("t")] == [1.0, 2.0, 3.0]

    with_store(postgres.new_database(), do)


def test_postgresql_may_be_restarted(postgres: Postgres) -> None:
    async def do(store: Store) -> None:
        await store.create(summary("t"), [(1.0, PLAYED)])
        await store.ping()

        def restart() -> None:
            postgres.stop()
            postgres.start()

        restarting = threading.Thread(target=restart)
        restarting.start()
        number = 1
        while restarting.is_alive() or number < 20:
            assert await store.append("t", number + 1, 1.0, PLAYED)
            number += 1
            assert (await store.heads(["t"])) == {"t": number}
        restarting.join()

    with_store(postgres.new_database(), do)


def test_ping_says_when_the_database_is_gone(postgres: Postgres) -> None:
    async def do(store: Store) -> None:
        await store.ping()
        postgres.stop(signal.SIGQUIT)
        try:
            with pytest.raises(OperationalError):
                await store.ping()
        finally:
            postgres.start()
        await store.ping()

    with_store(postgres.new_database(), do)
