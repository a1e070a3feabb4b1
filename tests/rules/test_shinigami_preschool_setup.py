"""Shinigami Preschool: rounds, the deal, who leads, and what is open."""

from __future__ import annotations

from collections import Counter

import pytest

import fuda
from tests.rules.whole_games import finished, round_leaders
from tests.tables import Table, random_game

COLOURS = ("red", "blue", "yellow", "green")


def table(players: int, **options: int) -> Table:
    return Table("shinigami_preschool", players, options)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_p_1_there_are_as_many_rounds_as_players_or_as_the_option_says(players: int) -> None:
    for seed in range(5):
        assert len(round_leaders(finished(table(players), seed))) == players
        assert len(round_leaders(finished(table(players, rounds=5), seed))) == 5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_p_9_the_first_lead_is_drawn_by_lot_and_then_moves_to_the_left(players: int) -> None:
    seats = "ABCD"[:players]
    first: Counter[str] = Counter()
    for seed in range(60):
        leaders = round_leaders(finished(table(players), seed))
        assert leaders in seats + seats
        first[leaders[0]] += 1
    assert set(first) == set(seats)


@pytest.mark.parametrize(("players", "highest", "each", "undealt"), [(2, 6, 11, 2), (3, 8, 10, 2), (4, 9, 9, 0)])
def test_p_10_cards_in_the_game_cards_dealt_and_cards_undealt(players: int, highest: int, each: int, undealt: int) -> None:
    position = fuda.new("shinigami_preschool", players=players, seed=1).position()
    assert [len(hand) for hand in position["hands"].values()] == [each] * players
    assert len(position["undealt"]) == undealt
    dealt = [card for hand in position["hands"].values() for card in hand] + position["undealt"]
    assert sorted(dealt) == sorted(f"{colour} {number}" for colour in COLOURS for number in range(1, highest + 1))


def test_p_10_undealt_cards_are_hidden_and_shuffled_in_again() -> None:
    undealt: set[str] = set()
    for game in random_game(table(3, rounds=6), 1):
        undealt |= set(game.position()["undealt"])
        for viewer in (None, "A", "B", "C"):
            assert game.view(viewer)["undealt"] == {"size": 2, "cards": []}
    assert len(undealt) > 2


def test_p_12_won_cards_are_open_to_everybody() -> None:
    game = fuda.new(
        "shinigami_preschool",
        players=2,
        position={"hands": {"A": ["red 5", "red 1"], "B": ["red 2", "blue 1"]}, "won": {"B": ["green 4"]}},
    )
    game.play("red 5")
    game.play("red 2")
    for viewer in (None, "A", "B"):
        assert game.view(viewer)["won"] == {"A": ["red 2", "red 5"], "B": ["green 4"]}
