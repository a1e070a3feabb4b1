"""`make load`: its requirements, and a short run of everything."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

from bench.load import report, turns

BENCH = Path(__file__).resolve().parents[2] / "bench"
SMOKE_SECONDS = 120.0


def side(milliseconds: float, deliveries: float, moves: float, resident: int) -> Any:
    shown = turns.Side(server=cast(Any, None), busy=[0.2], moves=[moves], deliveries=[deliveries], resident=resident)
    shown.steady.latencies = [milliseconds / 1000] * 100
    return shown


def compared(ours: Any) -> dict[tuple[str, str], Any]:
    sides = {
        turns.FUDA: ours,
        turns.BARE: side(10.0, 8000.0, 2000.0, 80_000_000),
        turns.BOARDGAME: side(0.0, 0.0, 1100.0, 120_000_000),
    }
    lines = report.lines_of_turns(turns.Extent(tables=250), sides)
    return {(line.what.rpartition(": ")[2], line.against): line for line in lines}


def test_every_demand_is_judged() -> None:
    slow, fast = side(16.0, 4000.0, 1000.0, 150_000_000), side(14.9, 4800.0, 1200.0, 90_000_000)
    judged = [{key: line.is_met for key, line in compared(ours).items() if line.demand} for ours in (slow, fast)]
    demands = [
        ("99 of 100 moves", "bare server"),
        ("deliveries", "bare server"),
        ("moves", "boardgame.io"),
        ("memory", "boardgame.io"),
    ]
    assert judged == [dict.fromkeys(demands, False), dict.fromkeys(demands, True)]


def test_what_is_not_met_is_named() -> None:
    lines = [*compared(side(12.0, 4000.0, 1200.0, 80_000_000)).values()]
    assert report.conclusion(lines) == "Not met: 250 tables, as fast as possible: deliveries (bare server)."
    assert report.conclusion(lines[:3]) == "All that was demanded is met."


def test_a_run_of_seconds_goes_through_all_of_it() -> None:
    command = [sys.executable, "-m", "bench.load", "--smoke", "--no-peers"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SMOKE_SECONDS, cwd=BENCH.parent)
    assert done.returncode == 0, done.stderr
    for part in ("3 tables, a move a second each: 99 of 100", "as fast as possible: deliveries", "a sleeping table"):
        assert part in done.stdout


def test_the_peer_is_pinned_and_names_no_registry() -> None:
    package = (BENCH / "load" / "boardgame" / "package.json").read_text()
    assert json.loads(package)["dependencies"]["boardgame.io"] == "0.50.2"
    assert "://" not in package
    assert not [*(BENCH / "load" / "boardgame").glob("*lock*")]
