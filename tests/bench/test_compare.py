"""`make bench`: the demands, and the report of those that are met or not met."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench import compare

BENCH = Path(__file__).resolve().parents[2] / "bench"
OURS = {"hanafuda": {"players": 4, "playout": 4_000_000, "stepped": 900_000, "clone": 2_000_000}}
SLOW = {"hanafuda": {"players": 4, "playout": 100_000, "stepped": 90_000, "clone": 200_000}}
HEARTS = {"playout": 5_000_000, "stepped": 400_000, "stepped_after_deal": 1_000_000, "clone": 1_000_000, "bytes": 3000}
PEERS = {"open_spiel": HEARTS, "rlcard": {"stepped": 100_000}}


def compared(imports: list[float], **peers: Any) -> dict[tuple[str, str], Any]:
    best = {"compiled": OURS, "interpreted": SLOW, **peers}
    return {(line.what, line.against): line for line in compare.lines(best, imports, {"hanafuda": 600})}


def test_every_demand_is_judged() -> None:
    lines = compared([20.0, 30.0, 200.0], **PEERS)
    judged = {key: (round(line.ratio, 2), line.required, line.met) for key, line in lines.items() if line.required}
    assert judged == {
        ("playout hanafuda", "OpenSpiel"): (0.8, 1.0, False),
        ("stepped hanafuda", "pyspiel"): (2.25, 2.0, True),
        ("interpreted hanafuda", "limit"): (1.25, 1.0, True),
        ("clone hanafuda", "limit"): (2.0, 1.0, True),
        ("import, median", "limit"): (5.0, 1.0, True),
        ("memory hanafuda", "limit"): (16.67, 1.0, True),
    }


def test_what_is_not_met_is_named() -> None:
    lines = list(compared([400.0], **PEERS).values())
    assert compare.conclusion(lines) == "Not met: playout hanafuda; import, median."
    assert "NOT MET" in compare.verdict(lines[0])


def test_of_sizes_and_times_the_smaller_is_better() -> None:
    lines = compared([20.0], **PEERS)
    assert lines["memory hanafuda", "pyspiel"].ratio == 5.0
    assert lines["clone hanafuda", "pyspiel"].ratio == 2.0


def test_without_the_peers_our_side_stands_alone() -> None:
    lines = compared([20.0])
    assert lines["playout hanafuda", "OpenSpiel"].as_data()["met"] is None
    assert compare.verdict(lines["stepped hanafuda", "pyspiel"]) == "not compared"
    assert compare.conclusion(list(lines.values())) == "All that was compared is met. Not compared: 2."


def test_the_best_of_all_turns_counts_figure_by_figure() -> None:
    one = {"compiled": {"hanafuda": {"playout": 3, "clone": 9}}, "rlcard": {"version": "1.2.0", "stepped": 5}}
    other = {"compiled": {"hanafuda": {"playout": 4, "clone": 8}}, "rlcard": {"version": "1.2.0", "stepped": 2}}
    best = {"compiled": {"hanafuda": {"playout": 4, "clone": 9}}, "rlcard": {"version": "1.2.0", "stepped": 5}}
    assert compare.better(one, other) == best


def test_the_pinned_peers_name_no_registry() -> None:
    pinned = (BENCH / "requirements.txt").read_text()
    assert "open-spiel==" in pinned
    assert "rlcard==" in pinned
    assert "://" not in pinned
