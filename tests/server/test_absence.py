"""Deadlines pass, bots play for absent players, and a table without people pauses."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from pathlib import Path

import msgspec

from fuda.protocol import messages
from fuda.server import entries
from fuda.server.entries import READ
from tests.server.one_table import TWO, WITH_BOT, OneTable, one_table, run
from tests.server.protocol_client import Tab

# Deadlines ----------------------------------------------------------------------------------------


def test_time_is_given_back_after_a_restart(tmp_path: Path) -> None:
    async def test() -> None:
        async with one_table(tmp_path, msgspec.structs.replace(TWO, pace="quick"), speed=10) as it:
            tab = await it.start()
            await it.server.kill()
            due = next(entry.due for entry in reversed(await it.log()) if isinstance(entry, entries.Started))
            assert due is not None
            await asyncio.sleep(max(0.0, due + 0.2 - time.time()))
            for one in it.tabs:
                one.known.version = 0  # so that everybody is welcomed anew
            await it.server.start()
            await it.back()
            assert tab.known.ask is not None
            assert tab.known.ask.seconds is not None
            assert 0.5 < tab.known.ask.seconds <= 20 / 10
            await asyncio.sleep(tab.known.ask.seconds / 2)
            await it.played(tab)
            played = [entry for entry in await it.log() if isinstance(entry, entries.Played)]
            assert [entry.by for entry in played] == ["person"]

    run(test)


def test_time_is_given_back_to_whoever_wakes_a_table(tmp_path: Path) -> None:
    async def test() -> None:
        async with one_table(tmp_path, msgspec.structs.replace(WITH_BOT, pace="quick"), speed=10) as it:
            tab = await it.start()
            await it.group.leave(tab)
            await asyncio.sleep(20 / 10 + 0.5)
            tab.known.version = 0  # so that it is welcomed anew
            it.group.come(tab)
            await it.until(lambda: tab.is_greeted, "it comes back")
            assert tab.known.ask is not None
            assert tab.known.ask.seconds is not None
            assert tab.known.ask.seconds > 0.5
            await asyncio.sleep(tab.known.ask.seconds / 2)
            await it.played(tab)
            assert all(entry.by != "clock" for entry in await it.log() if isinstance(entry, entries.Played))

    run(test)


def test_whoever_is_late_twice_is_played_for_until_they_do_something(tmp_path: Path) -> None:
    async def test() -> None:
        async with one_table(tmp_path, msgspec.structs.replace(TWO, pace="quick"), speed=40) as it:
            late = await it.start()
            it.other(late).answers = True
            await it.until_logged(lambda log: any(isinstance(entry, entries.PlayedFor) for entry in log))
            log = await it.log()
            place = next(at for at, entry in enumerate(log) if isinstance(entry, entries.PlayedFor))
            assert late.ticket.seat is not None
            assert log[place] == entries.PlayedFor(late.ticket.seat, "idle")
            own = [entry for entry in log[:place] if isinstance(entry, entries.Played) and entry.seat == late.ticket.seat]
            assert [entry.by for entry in own] == ["clock", "clock"]
            await late.submit(messages.Say(late.new_id(), "here I am"))
            await it.until_logged(lambda log: any(isinstance(entry, entries.Returned) for entry in log))

    run(test)


# Gone ---------------------------------------------------------------------------------------------


def test_a_table_without_people_sleeps_until_one_comes_back(tmp_path: Path) -> None:
    async def test() -> None:
        async with one_table(tmp_path, WITH_BOT, speed=50) as it:
            tab = await it.start()
            await it.played(tab)
            await it.group.leave(tab)
            before = await it.quiet_log()
            assert len(await it.log()) == before
            it.group.come(tab)
            await it.played(await it.asked())
            await it.played(await it.asked())
            assert len(await it.log()) >= before + 2
            assert not any(isinstance(entry, entries.PlayedFor) for entry in await it.log())

    run(test)


def test_somebody_who_is_gone_is_played_for_and_takes_the_seat_back(tmp_path: Path) -> None:
    async def test() -> None:
        async with one_table(tmp_path, speed=40) as it:
            gone = await it.start()
            it.other(gone).answers = True
            begun = time.time()
            await it.group.leave(gone)
            await it.until_logged(lambda log: isinstance(log[-1], entries.Played) and log[-1].by == "bot")
            rows = await it.store.entries(it.group.table)
            played_for = next(row for row in rows if isinstance(READ.decode(row.data), entries.PlayedFor))
            assert gone.ticket.seat is not None
            assert READ.decode(played_for.data) == entries.PlayedFor(gone.ticket.seat, "gone")
            assert played_for.at - begun >= 60 / 40 - 0.1
            it.group.come(gone)
            await it.until_logged(lambda log: any(isinstance(entry, entries.Returned) for entry in log))
            await it.played(await asked_among(it, gone))
            log = await it.log()
            back = next(at for at, entry in enumerate(log) if isinstance(entry, entries.Returned))
            after = [entry for entry in log[back:] if isinstance(entry, entries.Played)]
            assert all(entry.by == "person" for entry in after)

    run(test)


def is_answered(tab: Tab, message: str) -> bool:
    return message in tab.acknowledged or message in tab.denied


async def asked_among(it: OneTable, tab: Tab) -> Tab:
    await it.until(lambda: tab.known.ask is not None, f"{tab.name} is asked")
    return tab


def test_a_bot_stands_in_soon_where_somebody_asks_for_it(tmp_path: Path) -> None:
    async def test() -> None:
        async with one_table(tmp_path, speed=5) as it:
            gone = await it.start()
            other = it.other(gone)
            assert gone.ticket.seat is not None
            early = messages.StandIn(other.new_id(), gone.ticket.seat)
            await other.submit(early)
            await it.until(lambda: early.id in other.denied, "nobody stands in for somebody who is there")
            assert other.denied[early.id].code == "present"
            await it.group.leave(gone)
            request = messages.StandIn(other.new_id(), gone.ticket.seat)
            while request.id not in other.acknowledged:  # until they have been away for long enough
                await asyncio.sleep(0.2)
                request = messages.StandIn(other.new_id(), gone.ticket.seat)
                await other.submit(request)
                await it.until(partial(is_answered, other, request.id), "it is answered")
            entry = (await it.log())[-1]
            wanted = entries.PlayedFor(gone.ticket.seat, "asked", id=other.ticket.key(request.id), digest=entry.digest)
            assert entry == wanted
            await it.until(lambda: other.known.ask is not None, "the bot plays, and the other is asked")

    run(test)
