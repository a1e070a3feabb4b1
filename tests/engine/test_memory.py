"""Memory is given back: nothing that the public face does, however often, costs any for good."""

from __future__ import annotations

import gc
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from building.core import build_in

import fuda

GAMES: Final = [game["id"] for game in fuda.games()]
MOVES: Final = int(os.environ.get("FUDA_MOVES") or 1_000_000)
"""How many moves are played in all games together; interpreted a twentieth of them."""
CALLS: Final = 200
SLACK: Final = 0.05
"""Blocks of memory per call that do not count: Python's own caches fill up."""


def blocks_per_call(call: Callable[[], object]) -> float:
    """How many blocks of memory each call keeps for good."""
    for _ in range(CALLS // 4):
        call()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(CALLS):
        call()
    gc.collect()
    return (sys.getallocatedblocks() - before) / CALLS


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


# What mypyc loses ---------------------------------------------------------------------------------

LEAK: Final = """
from librt.vecs import vec
from mypy_extensions import i64

class Holder:
    numbers: vec[i64]

def length(numbers: vec[i64]) -> i64:
    return len(numbers)
"""
SHOW_LEAK: Final = """
import sys
from librt.vecs import vec
from mypy_extensions import i64
from leak import Holder, length

before = sys.getallocatedblocks()
for _ in range(1000):
    length(vec[i64]([1, 2, 3]))
passed = sys.getallocatedblocks() - before
for _ in range(1000):
    setattr(Holder(), "numbers", vec[i64]([1, 2, 3]))
print(passed, sys.getallocatedblocks() - before - passed)
"""


def test_mypyc_loses_a_vector_that_interpreted_code_passes_or_sets(tmp_path: Path) -> None:
    """The cause: compiled code takes a second reference to the vector's memory, and gives back one.

    When this test fails, mypyc has been corrected: `State.set_row` and `State.totals_by_seat` can go.
    """
    (tmp_path / "leak.py").write_text(LEAK)
    setup = "from mypyc.build import mypycify; from setuptools import setup; setup(ext_modules=mypycify(['leak.py']))"
    built = build_in(tmp_path, setup)
    assert built.returncode == 0, built.stdout
    shown = subprocess.run([sys.executable, "-c", SHOW_LEAK], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert [int(lost) >= 1000 for lost in shown.stdout.split()] == [True, True]


# The public face ----------------------------------------------------------------------------------


def in_mid_game(game: str) -> fuda.Game:
    g = fuda.new(game, players=4, seed=7)
    for _ in range(30):
        g.play(g.moves()[0])
    return g


CALLS_OF_A_GAME: Final[dict[str, Callable[[fuda.Game], object]]] = {
    "moves": lambda g: g.moves(),
    "why": lambda g: [g.why(move) for move in [*g.alphabet()[:20], "nonsense", " + ".join(g.alphabet()[:4] * 20)]],
    "play": lambda g: g.play(g.moves()[-1]),
    "attempt": lambda g: g.adopt(g.attempt(g.moves()[-1])),
    "preview": lambda g: [g.preview_for(seat) for seat in g.asked()],
    "totals": lambda g: (g.totals, g.winners, g.result()),
    "view": lambda g: [g.view(seat) for seat in (None, "A", "B")],
    "position": lambda g: fuda.new(g.rules.id, players=4, position=g.position()),
    "record": lambda g: fuda.replay(g.record()),
    "redeal": lambda g: fuda.redeal(g.view("A"), 3),
}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", CALLS_OF_A_GAME)
def test_no_call_of_the_public_face_keeps_memory(game: str, name: str) -> None:
    begun = in_mid_game(game)
    # Each call has a copy of the game: what is lost of the same state again and again would not be noticed.
    assert blocks_per_call(lambda: CALLS_OF_A_GAME[name](begun.clone())) < SLACK


@pytest.mark.parametrize("game", GAMES)
def test_memory_is_flat_however_many_moves_are_played(game: str) -> None:
    rng = random.Random(5)
    share = MOVES // len(GAMES) // (1 if fuda.compiled else 20)
    warming, played, before = share // 4, 0, 0
    while played < share + warming:
        g = fuda.new(game, players=4, seed=played)
        while not g.over:
            g.play(rng.choice(g.moves()))
        if played < warming <= played + len(g.played):
            gc.collect()
            before = resident_bytes()
        played += len(g.played)
    del g
    gc.collect()
    # The allocator keeps a little in reserve, but not a byte for each move.
    assert resident_bytes() - before < max(1_000_000, share // 2)
