"""The system clock is set while tables are played, or before a restart: nobody loses or gains time."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import msgspec
import pytest

from fuda.protocol import messages
from fuda.server import clock, entries
from fuda.server.deadlines import Deadlines
from fuda.server.entries import READ, WRITE
from fuda.server.log_reader import apply_log, read_log
from fuda.server.pace import Tempo
from fuda.server.presence import Presence
from fuda.server.store import Row
from fuda.server.table import Table
from tests.server.clients import start
from tests.server.one_table import PATIENCE, TWO, WITH_BOT, OneTable, one_table, run
from tests.server.serving import Running, new_folder, served, serving

HOUR: Final = 3600.0
QUICK: Final = 20.0
"""The seconds for an answer at a quick table."""
jumps = pytest.mark.parametrize("jump", [-HOUR, HOUR], ids=["back", "forward"])


class WrongClock:
    """The clock of a server process."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.file = folder / "clock"
        self.set(0.0)
        monkeypatch.setenv("FUDA_TEST_CLOCK", str(self.file))
        monkeypatch.setattr("tests.server.processes.PROGRAM", "tests.server.wrong_clock")

    def set(self, seconds: float) -> None:
        written = self.file.with_suffix(".new")
        written.write_text(str(seconds))
        written.replace(self.file)


@pytest.fixture
def system_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WrongClock:
    return WrongClock(tmp_path, monkeypatch)


def test_the_clock_advances_like_any_other_but_cannot_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    before, begun = clock.now(), time.monotonic()
    assert abs(before - time.time()) < 60
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert 0 <= clock.now() - before <= time.monotonic() - begun + 0.1


# A server whose clock is set ----------------------------------------------------------------------


def movers(log: list[entries.AnyEntry]) -> list[str]:
    return [entry.by for entry in log if isinstance(entry, entries.Played)]


async def seconds_until_the_clock_played(it: OneTable) -> float:
    """By the server's own clock, from the entry before."""
    rows = await it.store.entries(it.group.table)
    log = [READ.decode(row.data) for row in rows]
    late = next(place for place, entry in enumerate(log) if isinstance(entry, entries.Played) and entry.by == "clock")
    return rows[late].at - rows[late - 1].at


@jumps
def test_a_bot_plays_on_and_nobody_is_late_when_the_clock_is_set(
    tmp_path: Path, system_clock: WrongClock, jump: float
) -> None:
    async def test() -> None:
        async with one_table(tmp_path, msgspec.structs.replace(WITH_BOT, pace="relaxed"), speed=10) as it:
            await it.start()
            for number in range(4):
                system_clock.set(jump * (number % 2))
                await it.played(await it.asked())
            await it.asked()
            assert "bot" in movers(await it.log())
            assert "clock" not in movers(await it.log())

    run(test)


@jumps
def test_deadlines_pass_as_they_should_when_the_clock_is_set(tmp_path: Path, system_clock: WrongClock, jump: float) -> None:
    async def test() -> None:
        async with one_table(tmp_path, msgspec.structs.replace(TWO, pace="quick"), speed=10) as it:
            await it.start()
            system_clock.set(jump)
            await it.until_logged(lambda log: "clock" in movers(log))
            assert QUICK / 10 <= await seconds_until_the_clock_played(it) < PATIENCE

    run(test)


@jumps
def test_after_a_restart_with_another_clock_everybody_has_time_to_answer(
    tmp_path: Path, system_clock: WrongClock, jump: float
) -> None:
    async def test() -> None:
        async with one_table(tmp_path, msgspec.structs.replace(TWO, pace="quick"), speed=4) as it:
            await it.start()
            system_clock.set(jump)
            await it.restart()
            await it.back()
            ask = (await it.asked()).known.ask
            assert ask is not None
            assert ask.seconds is not None
            assert 0.5 < ask.seconds <= QUICK / 4
            assert "clock" not in movers(await it.log())
            await it.until_logged(lambda log: "clock" in movers(log))

    run(test)


@jumps
def test_a_game_about_to_begin_begins_after_a_restart_with_another_clock(
    tmp_path: Path, system_clock: WrongClock, jump: float
) -> None:
    async def test() -> None:
        async with begun_without_bytes(tmp_path) as it:
            system_clock.set(jump)
            await it.restart()
            await it.asked()

    run(test)


@contextlib.asynccontextmanager
async def begun_without_bytes(folder: Path) -> AsyncIterator[OneTable]:
    """A table that waits for the random bytes of one player."""
    async with one_table(folder, speed=2) as it:
        it.tabs[1].gives_bytes = False
        await it.until(lambda: all(tab.is_greeted for tab in it.tabs), "everybody comes")
        await it.group.host.submit(messages.Start(it.group.host.new_id()))
        await it.until_logged(lambda log: isinstance(log[-1], entries.Starting))
        yield it


# Another process with another clock -----------------------------------------------------------------


@jumps
def test_what_another_process_writes_counts_from_when_we_learn_of_it(jump: float) -> None:
    opened = entries.Opened("shinigami_preschool", {}, ["open", "open"], False, "quick", True, "ab" * 16, "cd" * 32)
    table = Table("t")
    theirs = clock.now() + jump
    rows = [row(1, theirs, opened), row(2, theirs, entries.Starting())]
    apply_log(table, read_log("t", rows, learnt_at=clock.now()))
    game = table.new_game()
    started = entries.Started(game.rules.version, tuple(game.outcomes()), theirs + QUICK)
    code = entries.CodeMade("A", "hash", theirs + 600)
    apply_log(table, read_log("t", [row(3, theirs, started), row(4, theirs, code)], 2, learnt_at=clock.now()))
    due = Deadlines(table, Presence(table, "ours", 10.0), Tempo()).of_question
    assert due is not None
    assert QUICK - 5 < due - clock.now() <= QUICK
    assert 590 < table.codes["A"].until - clock.now() <= 600
    assert abs(table.starting_since - clock.now()) < 5


def test_nobody_gets_more_time_than_the_slowest_pace_allows() -> None:
    opened = entries.Opened("shinigami_preschool", {}, ["open", "open"], False, "quick", True, "ab" * 16, "cd" * 32)
    table = Table("t")
    now = clock.now()
    apply_log(table, read_log("t", [row(1, now, opened), row(2, now, entries.Starting())]))
    game = table.new_game()
    started = entries.Started(game.rules.version, tuple(game.outcomes()), now + HOUR)
    apply_log(table, read_log("t", [row(3, now, started)], 2))
    due = Deadlines(table, Presence(table, "ours", 10.0), Tempo()).of_question
    assert due is not None
    assert due - now == pytest.approx(180, abs=1)


def row(number: int, at: float, entry: entries.AnyEntry) -> Row:
    return Row(number, at, WRITE.encode(entry))


# Links --------------------------------------------------------------------------------------------


@served()
async def test_a_link_to_another_device_expires_by_our_clock(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, _ = await running.people("shinigami_preschool", 2)
    code = (await ann.ask("device"))["code"]
    real = clock.now
    monkeypatch.setattr(clock, "now", lambda: real() + 601)
    answer = await running.post(f"/api/tables/{ann.table_id}/claims", {"code": code})
    assert (answer.status_code, answer.json()["code"]) == (403, "bad code")
    monkeypatch.setattr(clock, "now", lambda: real() + 599)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert (await running.post(f"/api/tables/{ann.table_id}/claims", {"code": code})).status_code == 201


def test_a_log_of_a_clock_that_was_set_back_is_read_as_past(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        with new_folder() as folder:
            async with serving(folder, tempo=Tempo(speed=10)) as first:
                clients = await first.people("shinigami_preschool", 2, pace="quick")
                await start(clients)
                table = clients[0].table_id
            monkeypatch.setattr(clock, "STARTED_AT", clock.STARTED_AT - HOUR)
            async with serving(folder, tempo=Tempo(speed=10)) as second:
                again = [await second.come(table, client.cookie) for client in clients]
                asked = again[0] if again[0].ask_now else again[1]
                assert asked.ask_now is not None
                assert 0.0 < asked.ask_now["seconds"] <= QUICK / 10
                read = await second.server.hall.get(table)
                assert read.table.changed <= clock.now()

    asyncio.run(test())
