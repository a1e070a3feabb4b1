"""Instructions that the processor executes for each decision, by valgrind's callgrind: `make instructions`.

Unlike a time, the number is nearly the same on every run and on a busy machine, so that a change of 1 % can be seen.
It needs valgrind (`apt-get install valgrind`). Each game is played a few times and many times; the difference of both
counts is that of the games alone, without the start of Python.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable

import fuda

FEW, MANY = 5, 60
"""How many playouts the two runs have."""
FEW_LONG, MANY_LONG = 2, 12
"""The same for long games, with more decisions than these."""
LONG = 700
PROGRAM = """
import gc, sys, fuda
from fuda.engine.random import seeded
game, playouts = sys.argv[1], int(sys.argv[2])
dealt = fuda.new(game, players=min(4, fuda.rulebook(game).most), seed=5).state.clone()
moves = seeded(9)
decisions = 0
gc.disable()  # whether a collection of all that was imported falls into a run would change the result by some percent
for number in range(playouts):
    state = dealt.clone()
    state.chance.random = seeded(1000 + number)
    decisions += state.playout(moves)
print(decisions)
"""
"""Plays random games from the same deal, and prints the number of decisions."""
COLLECTED = re.compile(r"Collected : (\d+)")


def run(game: str, playouts: int, prefix: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*prefix, sys.executable, "-c", PROGRAM, game, str(playouts)],
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
    )


def measure(game: str, playouts: int) -> tuple[int, int]:
    """The decisions and the instructions of a process that plays these games."""
    done = run(game, playouts, ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"])
    collected = COLLECTED.search(done.stderr)
    if done.returncode or collected is None:
        raise SystemExit(f"valgrind has failed:\n{done.stderr}")
    return int(done.stdout), int(collected[1])


def per_decision(game: str) -> float:
    is_long = int(run(game, 1, []).stdout) > LONG
    few, many = (FEW_LONG, MANY_LONG) if is_long else (FEW, MANY)
    (first_decisions, first), (decisions, instructions) = measure(game, few), measure(game, many)
    return (instructions - first) / (decisions - first_decisions)


def report(games: Iterable[str]) -> None:
    if not fuda.compiled:
        raise SystemExit("The core is not compiled: there is nothing to compare.")
    if shutil.which("valgrind") is None:
        raise SystemExit("valgrind is not installed: apt-get install valgrind")
    for game in games:
        print(f"{game:22} {per_decision(game):10.1f} instructions per decision", flush=True)


if __name__ == "__main__":
    report(sys.argv[1:] or [game["id"] for game in fuda.games()])
