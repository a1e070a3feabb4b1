"""The figures are honest: what is counted is what is played, and time is what the clock says."""

from __future__ import annotations

import random

import pytest

import fuda
from fuda.engine.positions import position_of
from fuda.engine.random import seeded
from fuda.games.catalogue import CATALOGUE
from fuda.lab import bench
from fuda.lab.bench import Table

EVERY_TABLE = [Table(rules, players) for rules in CATALOGUE for players in range(rules.least, rules.most + 1)]
every_table = pytest.mark.parametrize("table", EVERY_TABLE, ids=lambda table: f"{table.rules.id}-{table.players}")
every_seed = pytest.mark.parametrize("seed", [0, 1, 20])


def game_at(table: Table, seed: int) -> fuda.Game:
    """The same game through the public face."""
    return fuda.new(table.rules.id, players=table.players, seed=seed)


@every_table
@every_seed
def test_a_playout_counts_the_moves_of_a_whole_game(table: Table, seed: int) -> None:
    state = game_at(table, seed).state
    moves = seeded(5)
    decisions = 0
    while not state.over:
        state.play(state.legal()[moves.below(len(state.legal()))])
        decisions += 1
    assert bench.play_out(table, seed, seeded(5)) == decisions


@every_table
@every_seed
def test_stepping_counts_the_moves_of_a_whole_game(table: Table, seed: int) -> None:
    state = game_at(table, seed).state
    choice = random.Random(5).random
    decisions = 0
    while not state.over:
        moves = list(state.legal())
        state.play(moves[int(choice() * len(moves))])
        decisions += 1
    assert bench.step_through(table, seed, random.Random(5).random) == decisions


@every_table
def test_what_is_cloned_is_in_the_middle_of_a_round(table: Table) -> None:
    dealt = position_of(table.rules, table.start(0))
    position = position_of(table.rules, bench.mid_round(table))
    assert position["round"] == 1
    if "trick" in position:
        for seat, hand in dealt["hands"].items():
            assert len(hand) / 4 <= len(position["hands"][seat]) <= len(hand) * 3 / 4


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that shows what stands in its list."""
    time = [0.0]
    monkeypatch.setattr(bench, "perf_counter", lambda: time[0])
    return time


def test_a_rate_divides_all_work_by_all_time(clock: list[float]) -> None:
    def work() -> int:
        clock[0] += 0.4
        return 6

    assert bench.rate(work, 1.0) == pytest.approx(6 / 0.4)


def test_the_best_run_counts(clock: list[float]) -> None:
    pace = iter([3.0, 2.0, 0.5, 1.0, 4.0])

    def work() -> int:
        clock[0] += next(pace)
        return 10

    assert bench.best_rate(work, 0.05) == pytest.approx(10 / 0.5)
    assert next(pace, None) is None


def test_four_play_where_the_game_allows_it_unless_another_number_is_given() -> None:
    for rules in CATALOGUE:
        assert Table(rules).players == min(4, rules.most)
        assert Table(rules, rules.least).players == rules.least


def test_a_table_has_the_players_that_its_game_allows() -> None:
    with pytest.raises(fuda.Error, match="3 to 4 players, not 5"):
        Table(fuda.rulebook("cursed_tricks"), 5)
