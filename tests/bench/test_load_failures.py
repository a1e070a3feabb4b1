"""`make load` reports a server that fails, and leaves no process behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.load import __main__ as load
from bench.load import servers
from bench.load.errors import LoadError
from bench.load.turns import Turns
from click.testing import CliRunner

ROOT = Path(__file__).parents[2]
SOON = 20.0
SERVER = "print('http://127.0.0.1:1', flush=True); import time; time.sleep({seconds}); raise SystemExit({status})"
SILENT_PLAYERS = "import sys; [None for line in sys.stdin]"
PLAYERS = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"moves": 3.0, "deliveries": 12.0}), flush=True)
"""


def python(program: str) -> list[str | Path]:
    return [sys.executable, "-c", program]


processes: list[int] = []
"""All that a test has started."""


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    processes.clear()
    yield
    assert processes
    assert [pid for pid in processes if is_running(pid)] == []


def is_running(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def play(folder: Path, server_program: str, players_program: str) -> dict[str, float]:
    """Lets the players of one program play at the server of another; returns what they answer."""
    with (
        servers.serving(python(server_program), folder / "server.log") as server,
        servers.boardgame_players(server, 1, python(players_program)) as players,
    ):
        processes.extend([server.process.pid, players.process.pid])
        return asyncio.run(players.play(0.0, 0.0))


def test_the_players_answer(tmp_path: Path) -> None:
    rates = play(tmp_path, SERVER.format(seconds=60, status=0), PLAYERS)
    assert rates == {"moves": 3.0, "deliveries": 12.0}


def test_a_server_that_ends_while_its_players_wait_is_reported(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"boardgame.io's server has ended, with status 7"):
        play(tmp_path, SERVER.format(seconds=0.2, status=7), SILENT_PLAYERS)


def test_players_that_end_are_reported_with_what_they_said(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"players have ended\. no connection"):
        play(tmp_path, SERVER.format(seconds=60, status=0), "raise SystemExit('no connection')")


def test_players_that_do_not_answer_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "ANSWER_SECONDS", 0.2)
    with pytest.raises(LoadError, match="players do not answer"):
        play(tmp_path, SERVER.format(seconds=60, status=0), SILENT_PLAYERS)


def test_a_server_that_ignores_the_request_to_stop_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "STOP_SECONDS", 0.2)
    deaf = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + SERVER.format(seconds=60, status=0)
    play(tmp_path, deaf, PLAYERS)


@pytest.mark.parametrize("program", ["raise SystemExit('no port')", "import time; time.sleep(60)"])
def test_a_server_that_does_not_start_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    monkeypatch.setattr(servers, "START_SECONDS", 0.5)
    stop = servers.stop

    def stop_noted(process: subprocess.Popen[bytes]) -> None:
        processes.append(process.pid)
        stop(process)

    monkeypatch.setattr(servers, "stop", stop_noted)
    with pytest.raises(LoadError, match="A server does not start"):
        play(tmp_path, program, PLAYERS)


def test_the_command_reports_what_failed_and_exits(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(turns: Turns, peers: list[str]) -> None:
        raise LoadError("boardgame.io's server has ended, with status 1.")

    processes.append(-1)
    monkeypatch.setattr(Turns, "play", fail)
    result = CliRunner().invoke(load.main, ["--smoke", "--no-peers"])
    assert result.exit_code == 1
    assert result.output.endswith("Nothing was measured. boardgame.io's server has ended, with status 1.\n")


def children(pid: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(stat.parent.name))
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_leaves_no_process(number: int) -> None:
    command = [sys.executable, "-m", "bench.load", "--no-peers"]
    run = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    processes.append(run.pid)
    try:
        interrupt_when_started(run, number)
    finally:
        run.kill()


def interrupt_when_started(run: subprocess.Popen[str], number: int) -> None:
    end = time.monotonic() + SOON
    while not (started := children(run.pid)):
        assert time.monotonic() < end
        time.sleep(0.02)
    processes.extend(started)
    os.kill(run.pid, number)
    output, _ = run.communicate(timeout=SOON)
    assert run.returncode == 1, output
    assert "Aborted" in output
