"""Cursed Tricks: the deal, who starts, and what is open."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import fuda
from tests.rules.whole_games import finished, round_leaders
from tests.tables import Table

PURPLE_GREEN_RED = ("purple", "green", "red")
ALL_COLOURS = (*PURPLE_GREEN_RED, "yellow")


def check_deal(players: int, options: dict[str, Any], colours: tuple[str, ...], highest: int, each: int) -> None:
    position = fuda.new("cursed_tricks", players=players, seed=1, options=options).position()
    assert [len(hand) for hand in position["hands"].values()] == [each] * players
    assert len(position["unused"]) == players
    dealt = [card for hand in position["hands"].values() for card in hand] + position["unused"]
    assert sorted(dealt) == sorted(f"{colour} {value}" for colour in colours for value in range(1, highest + 1))


def test_c_1_three_players_have_three_colours_and_four_have_all() -> None:
    check_deal(3, {}, PURPLE_GREEN_RED, 14, 13)
    check_deal(4, {}, ALL_COLOURS, 14, 13)


def test_c_1_three_players_have_no_yellow_card() -> None:
    with pytest.raises(fuda.Error, match="not in the deck"):
        fuda.new("cursed_tricks", players=3, position={"hands": {"A": ["yellow 7"]}})


def test_c_2_the_first_start_is_drawn_by_lot_and_then_moves_clockwise() -> None:
    starts: Counter[str] = Counter()
    for seed in range(60):
        seats = round_leaders(finished(Table("cursed_tricks", 4, {}), seed))
        assert len(seats) == 4
        assert seats in "ABCDABC"
        starts[seats[0]] += 1
    assert set(starts) == set("ABCD")


def test_c_12_every_card_exists_once() -> None:
    cards = fuda.rulebook("cursed_tricks").cards
    assert len(cards) == len(set(cards)) == 56


def test_c_17_piles_and_curses_are_shown_to_all_and_the_unused_cards_to_nobody() -> None:
    hands = {"A": ["green 9", "red 2"], "B": ["green 3", "red 3"], "C": ["green 5", "red 4"], "D": ["green 6", "red 5"]}
    game = fuda.new("cursed_tricks", players=4, position={"hands": hands, "curses": {"D": ["green 8"]}})
    for move in ("green 9", "green 3", "green 5", "green 6"):
        game.play(move)
    for viewer in (None, "A", "B", "C", "D"):
        view = game.view(viewer)
        assert view["curses"] == {"A": ["green 9"], "B": [], "C": [], "D": []}
        assert view["won"] == {"A": ["green 3", "green 5", "green 6"], "B": [], "C": [], "D": ["green 8"]}
        assert view["unused"]["cards"] == []


def test_c_18_a_standard_deck_is_dealt_in_twelves() -> None:
    check_deal(3, {"deck": "standard"}, PURPLE_GREEN_RED, 13, 12)
    check_deal(4, {"deck": "standard"}, ALL_COLOURS, 13, 12)


def test_c_18_a_standard_deck_has_no_14() -> None:
    with pytest.raises(fuda.Error, match="not in the deck"):
        fuda.new("cursed_tricks", players=4, options={"deck": "standard"}, position={"hands": {"A": ["green 14"]}})
