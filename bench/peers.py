"""The peers' side: `python -m bench.peers SECONDS` measures OpenSpiel and RLCard and prints their figures as JSON.

OpenSpiel's hearts, four players, is the nearest it has to our games. Its figures count decisions of players alone:
dealing, which it does one card at a time, takes part of the time of whole games as ours does, but is no decision.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from importlib.metadata import version
from time import perf_counter
from typing import Any

import pyspiel
from rlcard.games.uno import Game as Uno

RUNS = 5
GAMES_PER_READING = 10
CLONES_PER_READING = 500
ROLLOUTS_PER_READING = 500
COUNTED_GAMES = 200
SEED = 7

Choice = Callable[[], float]


def best_rate(work: Callable[[], float], seconds: float) -> int:
    """How much of the work is done in a second, in the best of several runs that together take this long."""
    return round(max(rate(work, seconds / RUNS) for _ in range(RUNS)))


def rate(work: Callable[[], float], seconds: float) -> float:
    done = 0.0
    begun = now = perf_counter()
    while now - begun < seconds:
        done += work()
        now = perf_counter()
    return done / (now - begun)


# OpenSpiel ------------------------------------------------------------------------------------


def dealt(hearts: Any, choice: Choice) -> Any:
    """A game of hearts at its first decision; its chance nodes are driven from Python, as its users must."""
    state = hearts.new_initial_state()
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        state.apply_action(outcomes[int(choice() * len(outcomes))][0])
    return state


def step_through(state: Any, choice: Choice) -> int:
    """Plays to the end from Python, integers in and out; returns the number of decisions."""
    decisions = 0
    while moves := state.legal_actions():
        state.apply_action(moves[int(choice() * len(moves))])
        decisions += 1
    return decisions


def hearts_mid_round() -> Any:
    state = dealt(pyspiel.load_game("hearts"), random.Random(SEED).random)
    decisions = step_through(state.clone(), random.Random(SEED).random)
    for _ in range(decisions // 2):
        state.apply_action(state.legal_actions()[0])
    return state


def open_spiel(seconds: float) -> dict[str, Any]:
    hearts = pyspiel.load_game("hearts")
    choice = random.Random(SEED).random
    start = dealt(hearts, choice)
    decisions = sum(step_through(start.clone(), choice) for _ in range(COUNTED_GAMES)) / COUNTED_GAMES
    clone = hearts_mid_round().clone
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS_PER_READING, SEED)
    # One simulation: the root is evaluated once, with that many rollouts from it to the end.
    searcher = pyspiel.MCTSBot(hearts, evaluator, 1.0, 1, 1000, False, SEED, False)

    def rollouts() -> float:
        searcher.mcts_search(start)
        return ROLLOUTS_PER_READING * decisions

    def clones() -> int:
        for _ in range(CLONES_PER_READING):
            clone()
        return CLONES_PER_READING

    return {
        "version": version("open_spiel"),
        "decisions": decisions,
        "playout": best_rate(rollouts, seconds),
        "stepped": best_rate(
            lambda: sum(step_through(dealt(hearts, choice), choice) for _ in range(GAMES_PER_READING)), seconds
        ),
        "stepped_after_deal": best_rate(
            lambda: sum(step_through(start.clone(), choice) for _ in range(GAMES_PER_READING)), seconds
        ),
        "clone": best_rate(clones, seconds),
    }


# RLCard ---------------------------------------------------------------------------------------


def play_uno(game: Any, choice: Choice) -> int:
    """Plays a whole game on the engine itself, without its environment; returns the number of decisions."""
    state, _ = game.init_game()
    decisions = 0
    while not game.is_over():
        moves = state["legal_actions"]
        state, _ = game.step(moves[int(choice() * len(moves))])
        decisions += 1
    return decisions


def rlcard(seconds: float) -> dict[str, Any]:
    game = Uno(num_players=2)  # its engine scores two players only
    game.np_random.seed(SEED)
    choice = random.Random(SEED).random
    return {"version": version("rlcard"), "stepped": best_rate(lambda: play_uno(game, choice), seconds)}


if __name__ == "__main__":
    duration = float(sys.argv[1])
    print(json.dumps({"open_spiel": open_spiel(duration), "rlcard": rlcard(duration)}))
