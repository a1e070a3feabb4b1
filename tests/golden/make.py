"""Writes the golden files anew: `python -m tests.golden.make`. Only for a change of the rules, with its version."""

from __future__ import annotations

import hashlib
import json
import random
from collections import deque
from pathlib import Path
from typing import Any

import fuda
from tests.tables import TELLING, Table, pick, random_game

FOLDER = Path(__file__).parent
SEEDS = range(100, 120)
DEPTHS = (1, 2, 3, 4)
MANY_LINES = 500
"""From a moment with more lines of four moves than these, longer ones are not counted."""


def whole_game(table: Table) -> dict[str, Any]:
    """A recorded game with a fingerprint of what every seat saw of it."""
    *_, game = random_game(table, 7)
    return {
        "record": game.record(),
        "views": {seat or "spectator": fingerprint(game.view(seat)) for seat in [None, *table.seats]},
    }


def fingerprint(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def many_games(table: Table) -> str:
    """One fingerprint of twenty whole games with all their views."""
    ends = [deque(random_game(table, seed), maxlen=1)[0] for seed in SEEDS]
    return fingerprint([(game.position(), game.view("A")) for game in ends])


def lines(state: Any, depth: int) -> int:
    """How many different lines of so many legal moves there are."""
    moves = state.legal()
    if depth == 1 or not len(moves):
        return len(moves)
    total = 0
    for move in moves:
        after = state.clone()
        after.play(move)
        total += lines(after, depth - 1)
    return total


def perft(table: Table) -> dict[str, list[int]]:
    """The number of lines from the deal, and from a moment near a round's end, to depths 1, 2, 3, 4 or 6."""
    game = table.new(2026)
    counts = {"deal": [lines(game.state, depth) for depth in DEPTHS]}
    luck = random.Random(1)
    while min(map(len, game.position()["hands"].values())) > 2:
        game.play(pick(luck, game.moves()))
    counts["late"] = [lines(game.state, depth) for depth in DEPTHS]
    if counts["late"][-1] < MANY_LINES:
        counts["late"] += [lines(game.state, depth) for depth in (5, 6)]
    return counts


def main() -> None:
    for table in TELLING:
        (FOLDER / f"{table}.json").write_text(json.dumps(whole_game(table), indent=1) + "\n")
    (FOLDER / "perft.json").write_text(json.dumps({str(table): perft(table) for table in TELLING}, indent=1) + "\n")
    (FOLDER / "many.json").write_text(json.dumps({str(table): many_games(table) for table in TELLING}, indent=1) + "\n")
    print(f"written with Fuda {fuda.__version__}")


if __name__ == "__main__":
    main()
