"""`make load`: its requirements, and a short run of everything."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"
SMOKE_SECONDS = 120.0


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(BENCH)
    return importlib.import_module("load")


def side(load: Any, milliseconds: float, deliveries: float, moves: float, resident: float) -> Any:
    shown = load.Side(server=None, busy=[0.2], moves=[moves], deliveries=[deliveries], resident=resident)
    shown.steady.latencies = [milliseconds / 1000] * 100
    return shown


def compared(load: Any, ours: Any) -> dict[tuple[str, str], Any]:
    sides = {
        load.FUDA: ours,
        load.BARE: side(load, 10.0, 8000.0, 2000.0, 80e6),
        load.BOARDGAME: side(load, 0.0, 0.0, 1100.0, 120e6),
    }
    lines = load.lines_of_turns(load.Extent(tables=250), sides)
    return {(line.what.rpartition(": ")[2], line.against): line for line in lines}


def test_every_demand_is_judged(load: Any) -> None:
    slow, fast = side(load, 16.0, 4000.0, 1000.0, 150e6), side(load, 14.9, 4800.0, 1200.0, 90e6)
    judged = [{key: line.is_met for key, line in compared(load, ours).items() if line.demand} for ours in (slow, fast)]
    demands = [
        ("99 of 100 moves", "bare server"),
        ("deliveries", "bare server"),
        ("moves", "boardgame.io"),
        ("memory", "boardgame.io"),
    ]
    assert judged == [dict.fromkeys(demands, False), dict.fromkeys(demands, True)]


def test_what_is_not_met_is_named(load: Any) -> None:
    lines = [*compared(load, side(load, 12.0, 4000.0, 1200.0, 80e6)).values()]
    assert load.conclusion(lines) == "Not met: 250 tables, as fast as it goes: deliveries (bare server)."
    assert load.conclusion(lines[:3]) == "All that was demanded is met."


def test_a_run_of_seconds_goes_through_all_of_it() -> None:
    command = [sys.executable, str(BENCH / "load.py"), "--smoke", "--no-peers"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SMOKE_SECONDS)
    assert done.returncode == 0, done.stderr
    for part in ("3 tables, a move a second each: 99 of 100", "as fast as it goes: deliveries", "a sleeping table"):
        assert part in done.stdout


def test_the_peer_is_pinned_and_names_no_registry() -> None:
    package = (BENCH / "boardgame" / "package.json").read_text()
    assert json.loads(package)["dependencies"]["boardgame.io"] == "0.50.2"
    assert "://" not in package
    assert not [*(BENCH / "boardgame").glob("*lock*")]
