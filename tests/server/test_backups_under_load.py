"""A backup that is taken while games are played has all that was acknowledged before, and games go on from it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import sys
from pathlib import Path

import msgspec
import pytest

from fuda.protocol import messages
from fuda.server.entries import READ
from fuda.server.store import Row, Store
from tests.server import final_checks
from tests.server.chaos import BOUND, PARTIES, SPEED
from tests.server.parties import Group, Party, open_group
from tests.server.processes import ServerProcess
from tests.server.protocol_client import Habits
from tests.server.services import Postgres

BACKUPS = int(os.environ.get("FUDA_BACKUPS") or 3)
"""How many backups are taken while games are played; the last one is played on."""
LONGEST = 300.0
PLAYING = Habits(thinks=0.4, twice=0.05, late=0.05, talks=0.05)
"""Answers are delayed, so that no game is over when the last backup is taken."""
HURRY = Habits(thinks=0.0)

Promised = dict[Group, set[str]]
"""The ids of the messages that were acknowledged at each table."""


async def fuda_admin(*arguments: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "fuda", "admin", *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    assert process.returncode == 0, said.decode()
    return said.decode()


def acknowledged(group: Group) -> set[str]:
    return {tab.ticket.key(name) for tab in group.tabs for name in tab.acknowledged}


async def wait_for_moves(groups: list[Group], moves: int) -> None:
    """Waits until this many more moves have been made at every table that still plays."""
    until = {group: group.version + moves for group in groups}
    async with asyncio.timeout(BOUND):
        while any(group.version < version and group.is_playing for group, version in until.items()):
            await asyncio.sleep(0.02)


async def begin(party: Party, address: str, stack: contextlib.AsyncExitStack) -> Group:
    group = await open_group(party, [address], PLAYING, random.Random(len(party.game)))
    await stack.enter_async_context(group)
    await group.until(lambda: all(tab.is_greeted for tab in group.tabs), BOUND, asyncio.get_running_loop().time, "all come")
    await group.host.submit(messages.Start(group.host.new_id()))
    await group.until(lambda: group.is_playing, BOUND, asyncio.get_running_loop().time, "the game begins")
    return group


async def check_restored(store: Store, promised: Promised) -> dict[Group, list[Row]]:
    """Every log is complete and has all that was promised."""
    logs: dict[Group, list[Row]] = {}
    for group, ids in promised.items():
        rows = logs[group] = await store.entries(group.table)
        assert [row.number for row in rows] == [*range(1, len(rows) + 1)], "the log has a gap"
        there = {READ.decode(row.data).id for row in rows}
        assert ids <= there, f"acknowledged before the backup, and not in it: {ids - there}"
    return logs


async def play_on(old: Group, log: list[Row], address: str, store: Store) -> None:
    """The players of a table come to the restored server, and finish the game that they were playing."""
    tickets = [tab.ticket for tab in old.tabs[: old.party.people]]
    party = msgspec.structs.replace(old.party, second_tabs=0)
    async with Group(party, [address], tickets, HURRY, random.Random(1)) as group:
        clock = asyncio.get_running_loop().time
        for tab in group.tabs:
            tab.counted = 10_000  # other ids than before the backup
        await group.until(lambda: all(1 in tab.known.finals for tab in group.tabs), BOUND, clock, "the game ends")
        await group.until(lambda: not any(tab.waiting for tab in group.tabs), BOUND, clock, "every message is answered")
        rows = await store.entries(group.table)
        assert rows[: len(log)] == log, "what was restored stays"
        final_checks.check_log(rows, group.tabs)
        game = final_checks.check_record(group.table, 1, rows, await group.record(1))
        final_checks.check_views(1, game, group.tabs)


async def back_up_and_play_on(folder: Path, source: str, targets: list[str]) -> None:
    """Takes backups while games are played, restores each into a database of its own, and plays on from the last one."""
    options = ["--speed", SPEED, "--workers", "1"]
    taken: list[Promised] = []
    files = [folder / f"backup{number}.fuda" for number in range(len(targets))]
    async with asyncio.timeout(LONGEST), contextlib.AsyncExitStack() as stack:
        server = await stack.enter_async_context(ServerProcess(folder, "--db", source, *options, name="first"))
        groups = [*await asyncio.gather(*(begin(party, server.address, stack) for party in PARTIES))]
        for file in files:
            await wait_for_moves(groups, 3)
            taken.append({group: acknowledged(group) for group in groups})
            await fuda_admin("--db", source, "backup", str(file))
        assert sum(group.is_playing for group in groups) >= 3, "the last backup was not taken in the middle of games"
        await wait_for_moves(groups, 1)
        assert not server.complaints(), "the server has noticed the backup"
    promises = [sum(map(len, promised.values())) for promised in taken]
    assert 0 < promises[0] < promises[-1], promises
    for file, target in zip(files, targets, strict=True):
        await fuda_admin("--db", target, "restore", str(file))
    for target, promised in zip(targets, taken, strict=True):
        store = await Store.opened(target)
        try:
            logs = await check_restored(store, promised)
            assert len(await store.summaries()) == len(PARTIES)
            if target == targets[-1]:
                async with (
                    asyncio.timeout(LONGEST),
                    ServerProcess(folder, "--db", target, *options, name="second") as server,
                ):
                    await asyncio.gather(*(play_on(group, log, server.address, store) for group, log in logs.items()))
                    assert not server.complaints()
        finally:
            await store.close()


@pytest.mark.parametrize("kinds", ["sqlite to sqlite", "postgresql to postgresql", "sqlite to postgresql"])
def test_a_backup_taken_during_games_loses_nothing_and_the_games_go_on(
    kinds: str, tmp_path: Path, postgres: Postgres
) -> None:
    source, target = kinds.split(" to ")

    def new(kind: str, name: str) -> str:
        return postgres.new_database() if kind == "postgresql" else f"sqlite:///{tmp_path}/{name}.db"

    targets = [new(target, f"target{number}") for number in range(BACKUPS)]
    asyncio.run(back_up_and_play_on(tmp_path, new(source, "source"), targets))
