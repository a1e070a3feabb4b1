"""How fast the games run: decisions and clones per second, whole games played at random.

Other work on the machine can only slow a run down, so each figure is the best of several short runs.
This file is not compiled, so that stepped games are driven from Python, as a user's program would do it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count
from time import perf_counter
from typing import Any, Final

from fuda.engine.chance import Chance
from fuda.engine.core import State
from fuda.engine.random import Random, seeded
from fuda.engine.rulebook import Options, Rulebook

PLAYERS: Final = 4
RUNS: Final = 5
GAMES_PER_READING: Final = 10
"""How many games are played between two readings of the clock."""
CLONES_PER_READING: Final = 500
CHOICES_SEED: Final = 7
"""The random moves have a generator of their own; the seed of a game decides only its deals and lots."""

Choice = Callable[[], float]
"""Python's own random numbers, 0 ≤ x < 1."""


class Table:
    """A game with its players and options, ready to be started again and again."""

    def __init__(self, rules: Rulebook[Any], players: int | None = None) -> None:
        self.rules = rules
        self.players = min(PLAYERS, rules.most) if players is None else players
        self.options: Options = rules.checked_options(self.players, {})

    def start(self, seed: int) -> State:
        """The game of this seed, dealt, at its first decision."""
        state: State = self.rules.blank(self.players, self.options, Chance(seeded(seed)))
        self.rules.start(state)
        state.settle()
        return state


# What is measured -----------------------------------------------------------------------------


def play_out(table: Table, seed: int, moves: Random) -> int:
    """Plays a whole game inside the core; returns the number of decisions."""
    return table.start(seed).playout(moves)


def step_through(table: Table, seed: int, choice: Choice) -> int:
    """Plays a whole game from Python, integers in and out; returns the number of decisions."""
    state: Any = table.start(seed)  # whose integers are Python's own here
    decisions = 0
    while moves := state.legal():
        state.play(moves[int(choice() * len(moves))])
        decisions += 1
    return decisions


def mid_round(table: Table, seed: int = 0) -> State:
    """A game in the middle of its first round."""
    decisions = 0
    state = table.start(seed)
    while state.round == 1 and not state.over:
        state.play(state.legal()[0])
        decisions += 1
    state = table.start(seed)
    for _ in range(decisions // 2):
        state.play(state.legal()[0])
    return state


# How it is measured ---------------------------------------------------------------------------


def best_rate(work: Callable[[], int], seconds: float) -> float:
    """How much of the work is done in a second, in the best of several runs that together take this long."""
    return max(rate(work, seconds / RUNS) for _ in range(RUNS))


def rate(work: Callable[[], int], seconds: float) -> float:
    done = 0
    begun = now = perf_counter()
    while now - begun < seconds:
        done += work()
        now = perf_counter()
    return done / (now - begun)


def playout_rate(table: Table, seconds: float) -> float:
    moves = seeded(CHOICES_SEED)
    seeds = count()
    return best_rate(lambda: sum(play_out(table, next(seeds), moves) for _ in range(GAMES_PER_READING)), seconds)


def stepped_rate(table: Table, seconds: float) -> float:
    choice = random.Random(CHOICES_SEED).random  # noqa: S311 - moves, not secrets; peers draw theirs from it
    seeds = count()
    return best_rate(lambda: sum(step_through(table, next(seeds), choice) for _ in range(GAMES_PER_READING)), seconds)


def clone_rate(table: Table, seconds: float) -> float:
    clone = mid_round(table).clone

    def clones() -> int:
        for _ in range(CLONES_PER_READING):
            clone()
        return CLONES_PER_READING

    return best_rate(clones, seconds)


def measure(table: Table, seconds: float) -> dict[str, int]:
    """The figures of one game, each measured for this many seconds."""
    return {
        "players": table.players,
        "playout": round(playout_rate(table, seconds)),
        "stepped": round(stepped_rate(table, seconds)),
        "clone": round(clone_rate(table, seconds)),
    }
