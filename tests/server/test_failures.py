"""Failures in the middle of something, and of other processes."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import msgspec
import pytest

from fuda.server import hall, presence
from fuda.server.pace import Tempo
from fuda.server.presence import ProcessNews
from fuda.server.store import Store, finished
from tests.server.clients import Client, start
from tests.server.serving import Running, new_folder, served, serving

TWO = "shinigami_preschool"


def test_whoever_is_cancelled_twice_still_waits_for_what_is_being_written() -> None:
    async def do() -> None:
        writing: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        waiting = asyncio.create_task(finished(writing))
        for _ in range(2):
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.sleep(0)
        assert not waiting.done()
        writing.set_result(True)
        done, cancelled = await waiting
        assert done
        assert cancelled is not None

    asyncio.run(do())


@served(may_fail=True)
async def test_a_table_whose_log_cannot_be_written_is_read_anew_and_goes_on(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot's move fails; nothing that was only in memory is ever written."""
    (ann,) = await running.people(TWO, 1, rest=["random"], pace="none")
    store = running.server.hall.store
    await start([ann])
    real = Store.append
    failures = 0

    def append(table: str, number: int, at: float, data: bytes, summary: Any = None) -> asyncio.Future[bool]:
        nonlocal failures
        if b'"by":"bot"' in data and failures < 3:
            failures += 1
            failed: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
            failed.set_exception(OSError("the disk is full"))
            return failed
        return real(store, table, number, at, data, summary)

    monkeypatch.setattr(store, "append", append)
    rng = random.Random(1)
    while ann.phase != "over":
        if ann.closed is not None:
            assert ann.byes[-1]["again"]
            await ann.come_back()
        elif ann.ask_now is not None:
            await ann.send("play", since=ann.ask_now["since"], move=rng.choice(ann.ask_now["moves"]))
        await ann.until(lambda: ann.closed is not None or ann.ask_now is not None or ann.phase == "over")
        if ann.closed is None:
            await ann.settled()
    assert failures == 3
    made_anew = await running.table(ann.table_id)
    assert made_anew.game is not None
    assert made_anew.game.view("A") == ann.view
    assert not [task for task in asyncio.all_tasks() if task.get_name() == f"table {ann.table_id}"][1:]


@served()
async def test_a_table_changes_only_after_its_log_entry_is_written(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = await running.people(TWO, 2, pace="none")
    await start([ann, ben])
    asked = ann if ann.ask_now else ben
    assert asked.ask_now is not None
    store = running.server.hall.store
    table = (await running.server.hall.get(ann.table_id)).table
    assert table.game is not None
    writing = asyncio.Event()
    may_write: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    real = store.append

    def append(*entry: Any) -> asyncio.Future[bool]:
        writing.set()
        return asyncio.ensure_future(later(entry))

    async def later(entry: tuple[Any, ...]) -> bool:
        await may_write
        return await real(*entry)

    before = (table.version, table.game.record(), table.questions.since.copy(), table.phase)
    monkeypatch.setattr(store, "append", append)
    move = asked.ask_now["moves"][0]
    await asked.send("play", since=asked.ask_now["since"], move=move)
    await writing.wait()
    assert (table.version, table.game.record(), table.questions.since.copy(), table.phase) == before
    may_write.set_result(True)
    await asked.until(lambda: table.version == before[0] + 1)
    assert table.game.played == [move]


# Other processes ------------------------------------------------------------------------------------


async def with_ben_elsewhere(running: Running) -> tuple[Client, Client]:
    """Ann is connected here; Ben, who is asked, to a process that says so once."""
    ann, ben = await running.people(TWO, 2, pace="none")
    await start([ann, ben])
    while ben.ask_now is None:
        assert ann.ask_now is not None
        await ann.play(ann.ask_now["moves"][0])
        await ben.settled()
    await ben.close()
    await ann.until(lambda: ann.here == ["A"])
    say_that_ben_is_there(running, ann)
    await ann.until(lambda: ann.here == ["A", "B"])
    return ann, ben


def say_that_ben_is_there(running: Running, ann: Client, is_new: bool = False) -> None:
    running.server.hall.on_bus(ann.table_id, msgspec.json.encode(ProcessNews("another", ann.version, ["B"], 0, is_new)))


def is_played_for(ann: Client) -> bool:
    return bool(ann.table["chairs"][1].get("played_for"))


@served(tempo=Tempo(speed=100))
async def test_those_at_a_process_that_has_died_are_played_for(running: Running) -> None:
    ann, _ = await with_ben_elsewhere(running)
    running.server.hall.tables[ann.table_id].presence.others["another"].expires = 0.0
    await ann.until(lambda: is_played_for(ann))


@served(tempo=Tempo(speed=100))
async def test_while_the_bus_is_lost_those_elsewhere_are_taken_to_be_there(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "PRESENCE_SECONDS", 0.5)
    monkeypatch.setattr(hall, "TICK", 0.1)
    running.server.hall.bus.lost = True
    ann, _ = await with_ben_elsewhere(running)
    other = running.server.hall.tables[ann.table_id].presence.others["another"]
    first = other.expires
    await ann.until(lambda: other.expires > first + 2 * presence.PRESENCE_SECONDS)
    await ann.settled()
    assert ann.here == ["A", "B"]
    assert not is_played_for(ann)
    running.server.hall.bus.lost = False
    await ann.until(lambda: is_played_for(ann))


@served()
async def test_a_process_that_comes_to_a_table_again_is_told_who_is_there(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[ProcessNews] = []

    async def publish(table: str, message: bytes) -> None:
        told.append(msgspec.json.decode(message, type=ProcessNews))

    monkeypatch.setattr(running.server.hall.bus, "publish", publish)
    ann, _ = await running.people(TWO, 2)
    assert [heard.is_new for heard in told].count(True) == 1
    for is_new in (True, False, True):
        told.clear()
        before = {*running.server.hall.tasks}
        say_that_ben_is_there(running, ann, is_new)
        await asyncio.gather(*(running.server.hall.tasks - before))
        assert [heard.seats for heard in told] == ([["A", "B"]] if is_new else [])


def test_the_old_device_is_sent_away_also_when_the_seat_was_moved_at_another_process(redis_url: str) -> None:
    async def do() -> None:
        with new_folder() as folder:
            async with serving(folder, bus=redis_url) as first, serving(folder, bus=redis_url) as second:
                ann, ben = await first.people(TWO, 2)
                link = await ben.ask("device")
                there = await second.post(f"/api/tables/{ann.table_id}/claims", {"code": link["code"]})
                phone = await second.come(ann.table_id, there.headers["set-cookie"].partition(";")[0])
                await phone.do("say", text="Here I am")
                await ben.until(lambda: ben.closed)
                assert (ben.closed, ben.byes[-1]["code"]) == (4003, "moved")

    asyncio.run(do())
