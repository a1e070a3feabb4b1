"""Recovery from the failure of a server or service, one case at a time."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import time
from functools import partial
from pathlib import Path

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from fuda.protocol import messages
from fuda.server import entries
from fuda.server.bot_pool import BotPool
from fuda.server.entries import WRITE
from fuda.server.metrics import Metrics
from fuda.server.writer import RETRY_PAUSES
from tests.server.one_table import TWO, WITH_BOT, OneTable, answer_of, one_table, run
from tests.server.parties import ask
from tests.server.processes import ServerProcess, is_running
from tests.server.protocol_client import DECODER, Habits, Tab
from tests.server.services import Postgres, Redis

# Killed -------------------------------------------------------------------------------------------


def test_a_move_is_kept_that_was_acknowledged_just_before_the_server_was_killed(tmp_path: Path) -> None:
    async def test() -> None:
        async with one_table(tmp_path) as it:
            tab = await it.start()
            for _ in range(3):
                play = await it.played(tab)
                await it.restart()
                await it.back()
                tab = await it.asked()
                assert [entry.move for entry in await it.log() if isinstance(entry, entries.Played)][-1] == play.move
                assert all(one.known.version == it.group.version for one in it.tabs)
            await it.check()

    run(test)


def test_a_move_whose_acknowledgement_was_lost_acts_once_when_it_is_sent_again(tmp_path: Path) -> None:
    async def test() -> None:
        async with one_table(tmp_path) as it:
            tab = await it.start()
            for link in it.proxy.links:
                link.hold(link.down)
            play = await it.play(tab)
            key = tab.ticket.key(play.id)
            await it.until_logged(lambda log: log[-1].id == key)
            assert play.id in tab.waiting
            await it.restart()
            await it.until(lambda: play.id in tab.acknowledged, "the move is acknowledged after all")
            assert [entry.id for entry in await it.log()].count(key) == 1
            assert tab.acknowledged[play.id].version == len(await it.log())

    run(test)


def test_a_move_that_never_arrived_acts_once_when_it_is_sent_again(tmp_path: Path) -> None:
    async def test() -> None:
        async with one_table(tmp_path) as it:
            tab = await it.start()
            for link in it.proxy.links:
                link.hold(link.up)
            before = len(await it.log())
            play = await it.play(tab)
            await it.until(lambda: any(link.up.is_holding for link in it.proxy.links), "the move is held back")
            assert len(await it.log()) == before
            await it.restart()
            await it.until(lambda: play.id in tab.acknowledged, "the move is acknowledged")
            await tab.submit(play)
            await it.until(lambda: not tab.waiting, "it is acknowledged once more")
            assert len(await it.log()) == before + 1

    run(test)


def test_a_game_that_was_about_to_begin_begins_after_a_restart(tmp_path: Path) -> None:
    async def test() -> None:
        async with one_table(tmp_path, speed=2) as it:
            it.tabs[1].gives_bytes = False
            await it.until(lambda: all(tab.is_greeted for tab in it.tabs), "everybody comes")
            await it.group.host.submit(messages.Start(it.group.host.new_id()))
            await it.until_logged(lambda log: isinstance(log[-1], entries.Starting))
            await it.restart()
            await it.asked()

    run(test)


def test_the_bots_of_a_killed_server_end_with_it(tmp_path: Path) -> None:
    async def test() -> None:
        async with one_table(tmp_path, WITH_BOT) as it:
            tab = await it.start()
            while not any(isinstance(entry, entries.Played) and entry.by == "bot" for entry in await it.log()):
                if tab.known.ask:
                    await it.played(tab)
                await it.asked()
            children = it.server.children()
            assert children
            await it.server.kill()
            async with asyncio.timeout(10):
                while any(is_running(child) for child in children):
                    await asyncio.sleep(0.05)
            await it.server.start()

    run(test)


def test_a_bot_whose_process_dies_goes_on_in_another(tmp_path: Path) -> None:
    async def test() -> None:
        async with one_table(tmp_path, WITH_BOT) as it:
            tab = await it.start()
            tab.answers = True
            await it.until_logged(lambda log: any(isinstance(entry, entries.Played) and entry.by == "bot" for entry in log))
            for child in it.server.children():
                os.kill(child, signal.SIGKILL)
            moves = sum(isinstance(entry, entries.Played) for entry in await it.log())
            await it.until_logged(lambda log: sum(isinstance(entry, entries.Played) for entry in log) > moves + 4)

    run(test)


def test_a_bot_that_fails_takes_the_first_legal_move() -> None:
    async def test() -> None:
        thinkers = BotPool(1, Metrics())
        assert await thinkers.choose("nobody", TWO.game, 1, {}, ["red 1", "red 2"]) == "red 1"
        thinkers.close()

    run(test)


# Ended --------------------------------------------------------------------------------------------


def test_a_server_that_is_asked_to_end_says_so_and_ends_in_time(tmp_path: Path) -> None:
    async def test() -> None:
        async with one_table(tmp_path) as it:
            tab = await it.start()
            address = f"{it.server.address.replace('http', 'ws', 1)}/api/tables/{tab.ticket.table}/socket"
            origin = Origin(it.server.address)
            async with connect(address, origin=origin, additional_headers={"cookie": tab.ticket.cookie}) as connection:
                await connection.send(msgspec.json.encode(messages.Hello("one")).decode())
                assert isinstance(DECODER.decode(await connection.recv()), messages.Welcome)
                begun = time.monotonic()
                stopping = asyncio.create_task(it.server.stop())
                last: messages.FromServer | None = None
                with contextlib.suppress(ConnectionClosed):
                    while True:
                        last = DECODER.decode(await connection.recv())
                assert isinstance(last, messages.Bye)
                assert last.code == "restart"
                assert last.again
                assert connection.close_code == 1012
            assert await stopping == 0
            assert time.monotonic() - begun < 5
            await it.server.start()
            await it.back()
            await it.played(await it.asked())

    run(test)


# Another process ----------------------------------------------------------------------------------


@pytest.mark.parametrize("is_move", [True, False], ids=["move", "message"])
def test_a_process_that_writes_at_a_taken_place_loses_and_catches_up(database: str, tmp_path: Path, is_move: bool) -> None:
    async def test() -> None:
        async with one_table(tmp_path, database=database) as it:
            tab = await it.start()
            other = it.other(tab)
            # Another process is quicker, and nobody has heard of it.
            place = len(await it.log()) + 1
            assert other.ticket.seat is not None
            spoke = entries.Spoke(other.ticket.seat, "I was first")
            assert await it.store.append(it.group.table, place, time.time(), WRITE.encode(spoke))
            if is_move:
                message: messages.Play | messages.Say = answer_of(tab)
            else:
                message = messages.Say(tab.new_id(), "I was second")
            await tab.submit(message)
            await it.until(lambda: message.id in tab.acknowledged, "it is acknowledged")
            assert tab.acknowledged[message.id].version == place + 1
            log = await it.log()
            assert log[place - 1] == spoke
            assert log[place].id == tab.ticket.key(message.id)
            await it.until(lambda: all(one.known.version == place + 1 for one in it.tabs), "everybody is told of both")
            await it.played(await it.asked())
            await it.check()

    run(test)


def test_whoever_comes_from_another_process_finds_everything_that_was_so_there(tmp_path: Path) -> None:
    async def test() -> None:
        with Redis() as bus:
            async with (
                one_table(tmp_path, msgspec.structs.replace(TWO, spectators=1), bus=bus.url()) as it,
                ServerProcess(tmp_path, *it.server.options, name="second") as second,
            ):
                await come_from_another_process(it, second, bus)

    run(test)


async def come_from_another_process(it: OneTable, second: ServerProcess, bus: Redis) -> None:
    first, other, watching = it.tabs
    bus.stop()  # so that the second process does not hear of what happens at the first
    for tab in (other, watching):
        await it.group.leave(tab)
        tab.doors = [second.address]
    it.group.come(watching)
    await it.until(lambda: first.is_greeted and watching.is_greeted, "the table is awake at both")
    host = first.ticket
    await first.submit(messages.SetChair(first.new_id(), "B", "open"))
    await it.until(lambda: not first.waiting, "the seat is open")
    assert first.known.table is not None
    wish = messages.Join("New", "B", first.known.table.invite)
    taken = await ask(it.server.address, f"/api/tables/{host.table}/seats", wish)
    new = it.group.add("B", taken.ticket(""), Habits(), random.Random(1))
    new.doors = [second.address]
    it.group.come(new)
    await it.until(lambda: new.is_greeted, "who sat down at the first is known at the second")
    await first.submit(messages.Say(first.new_id(), "hello"))
    await it.until(lambda: not first.waiting, "something is said at the first")
    version = first.known.version
    await it.group.leave(first)
    first.doors = [second.address]
    it.group.come(first)
    await it.until(lambda: first.is_greeted, "nothing is taken back at the second")
    assert first.known.version >= version


def test_people_at_different_processes_play_on_while_the_bus_is_away(tmp_path: Path, postgres: Postgres) -> None:
    async def test() -> None:
        url = postgres.new_database()
        with Redis() as bus:
            async with (
                one_table(tmp_path, database=url, bus=bus.url()) as it,
                ServerProcess(tmp_path, "--db", url, "--bus", bus.url(), "--speed", "50", name="second") as second,
            ):
                await it.group.leave(it.tabs[1])
                it.tabs[1].doors = [second.address]
                it.group.come(it.tabs[1])
                await it.played(await it.start())
                bus.stop()
                for _ in range(3):
                    tab = await it.asked()
                    await it.played(tab)
                    await it.until(lambda: len({one.known.version for one in it.tabs}) == 1, "the other is told")
                bus.start()
                tab = await it.asked()
                await it.played(tab)
                await it.until(lambda: len({one.known.version for one in it.tabs}) == 1, "the other is told")
                await it.check()

    run(test)


def all_answered(plays: list[tuple[Tab, messages.Play]]) -> bool:
    return all(play.id not in tab.waiting for tab, play in plays)


def test_a_move_is_kept_whose_database_is_started_again_meanwhile(tmp_path: Path) -> None:
    async def test() -> None:
        with Postgres() as postgres:
            async with one_table(
                tmp_path, msgspec.structs.replace(TWO, second_tabs=2), database=postgres.new_database()
            ) as it:
                it.is_disturbed = True
                await it.start()
                for seconds in (0.5, 1.2 * sum(RETRY_PAUSES)):
                    # Everybody who is asked answers in both tabs, so that one has to wait for the other.
                    plays = [(tab, await it.play(tab)) for tab in it.tabs if tab.known.ask]
                    await asyncio.to_thread(postgres.stop)
                    more = [(tab, await it.play(tab)) for tab in it.tabs if tab.known.ask and not tab.waiting]
                    await asyncio.sleep(seconds)
                    await asyncio.to_thread(postgres.start)
                    await it.until(partial(all_answered, plays + more), "everybody is answered")
                    await it.until(lambda: len({one.known.version for one in it.tabs}) == 1, "everybody is told")
                    await it.until(lambda: any(tab.known.ask for tab in it.tabs), "somebody is asked")
                for tab in it.tabs:
                    tab.answers = True
                await it.until(lambda: all(1 in tab.known.finals for tab in it.tabs), "the game ends")
                await it.group.check(1, it.store)

    run(test)
