"""The programs in docs/client.md run."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import fuda.client
from fuda.client import Open, TableClient, connect
from tests.client.served import Served, run, served

DOCUMENT = (Path(__file__).parent.parent.parent / "docs" / "client.md").read_text()
BOT, TABLE = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("server"), "--speed", "100") as server:
        yield server


def test_the_bot_plays(server: Served) -> None:
    host = server.open(Open("shinigami_preschool", "Ann", chairs=["me", "open"], pace="none"))
    with subprocess.Popen([sys.executable, "-c", BOT, host.link]) as bot:

        async def play() -> None:
            async with connect(host) as table:
                while table.state.chairs[1].kind == "open":
                    await table.changed()
                assert table.state.chairs[1].name == "Rob"
                await table.start()
                while table.state.phase != "over":
                    if table.ask is not None:
                        await table.play(table.moves[0])
                    else:
                        await table.changed()

        run(play())
    assert bot.returncode == 0


def test_the_table_is_played_at(server: Served) -> None:
    done = subprocess.run([sys.executable, "-c", TABLE, server.address], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"Others would join with {server.address}/t/")
    assert re.search(r"(?m)^[AP]-\d+ ", done.stdout), "a move that a rule forbids is denied with its rule"
    assert "Your own bytes were used." in done.stdout


def test_everything_named_exists() -> None:
    parts = {"state", "you", "view", "ask", "moves", "asked", "here", "said", "version", "known"}
    for name in re.findall(r"`table\.(\w+)`", DOCUMENT):
        assert name in parts or hasattr(TableClient, name), name
    for name in re.findall(r"`(?:await )?(\w+)\((?:server|link|ticket)\b", DOCUMENT):
        assert hasattr(fuda.client, name), name
    done = re.search(r"\| what can be done \|.*?\n\n", DOCUMENT, re.DOTALL)
    assert done is not None
    for name in re.findall(r"`(\w+)\(", done[0]):
        assert asyncio.iscoroutinefunction(getattr(TableClient, name)) or name == "check", name
