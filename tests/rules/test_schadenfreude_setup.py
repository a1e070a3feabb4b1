"""Schadenfreude: the deal, what is open, and who leads a round."""

from __future__ import annotations

import re
from collections import Counter

import pytest

import fuda
from tests.rules.whole_games import finished
from tests.tables import Table, random_game

SUITS = ("sword", "flag", "shield", "helmet")
WILD = {"wild 0", "wild 10"}
LAST_TRICK = {"A": ["sword 5"], "B": ["wild 0"], "C": ["sword -1"], "D": ["sword -2"]}
"""A trick that B wins with the wild 0, so that nobody's total changes."""


def deck(ranks: list[int]) -> set[str]:
    return {f"{suit} {rank}" for suit in SUITS for rank in ranks} | WILD


@pytest.mark.parametrize(
    ("players", "each", "left_over", "cards"),
    [
        (3, 12, 2, deck([-3, 1, 2, 3, 4, 5, 6, 7, 8])),
        (4, 12, 2, deck([-3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9])),
        (5, 10, 0, deck([-3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9])),
    ],
)
def test_s_1_cards_in_the_game_cards_dealt_and_cards_left_over(
    players: int, each: int, left_over: int, cards: set[str]
) -> None:
    position = fuda.new("schadenfreude", players=players, seed=1).position()
    assert [len(hand) for hand in position["hands"].values()] == [each] * players
    assert len(position["leftover"]) == left_over
    dealt = [card for hand in position["hands"].values() for card in hand] + position["leftover"]
    assert len(dealt) == len(cards)
    assert set(dealt) == cards


@pytest.mark.parametrize("card", [f"{suit} {rank}" for suit in SUITS for rank in (-2, -1, 9)])
def test_s_1_three_players_have_no_such_card(card: str) -> None:
    with pytest.raises(fuda.Error, match="not in the deck"):
        fuda.new("schadenfreude", players=3, position={"hands": {"A": [card]}})


def test_s_1_the_whole_deck_is_dealt_anew_in_every_round() -> None:
    left_over: set[str] = set()
    for game in random_game(Table("schadenfreude", 4, {}), 2):
        position = game.position()
        left_over |= set(position["leftover"])
        hands = [card for hand in position["hands"].values() for card in hand]
        piles = [card for pile in position["piles"].values() for card in pile]
        everywhere = hands + piles + position["trick"] + position["discards"] + position["leftover"]
        assert sorted(everywhere) == sorted(game.rules.cards)
    assert len(left_over) > 2


def test_s_3_no_rank_occurs_twice_among_the_cards_that_can_follow_a_suit() -> None:
    for players in (3, 4, 5):
        position = fuda.new("schadenfreude", players=players, seed=1).position()
        cards = [card for hand in position["hands"].values() for card in hand] + position["leftover"]
        for suit in SUITS:
            ranks = [card.split()[1] for card in cards if card.split()[0] in (suit, "wild")]
            assert len(ranks) == len(set(ranks))


def test_s_13_piles_and_discards_are_open_to_all_and_the_cards_left_over_to_nobody() -> None:
    hands = {
        "A": ["flag 9", "sword 1"],
        "B": ["flag 7", "sword 2"],
        "C": ["flag 4", "sword 4"],
        "D": ["helmet 3", "sword 5"],
    }
    position = {"hands": hands, "leftover": ["wild 0", "helmet 9"], "rest": "discards"}
    game = fuda.new("schadenfreude", players=4, position=position)
    for move in ("flag 9", "flag 7", "flag 4", "helmet 3"):
        game.play(move)
    for viewer in (None, "A", "B", "C", "D"):
        view = game.view(viewer)
        assert view["piles"] == {"A": [], "B": ["flag 7", "helmet 3"], "C": [], "D": []}
        assert {"flag 9", "flag 4", "wild 10"} <= set(view["discards"])
        assert view["leftover"] == {"size": 2, "cards": []}
        assert not re.search("wild 0|helmet 9", str(view))


def test_s_18_a_tie_for_the_lowest_total_is_settled_by_lot_among_those_who_share_it() -> None:
    leaders: Counter[str | None] = Counter()
    for seed in range(200):
        position = {"hands": LAST_TRICK, "totals": {"A": 9, "B": 4, "C": 7, "D": 4}, "leader": "A"}
        game = fuda.new("schadenfreude", players=4, seed=seed, position=position)
        for hand in LAST_TRICK.values():
            game.play(hand[0])
        leaders[game.seat] += 1
    assert set(leaders) == {"B", "D"}
    assert 70 < leaders["B"] < 130


def test_s_18_in_a_whole_game_every_round_is_led_by_a_lowest_total() -> None:
    for seed in range(10):
        game = finished(Table("schadenfreude", 5, {}), seed)
        totals = dict.fromkeys("ABCDE", 0)
        for note in game.view(None)["history"]:
            if note["kind"] == "score":
                totals = note["totals"]
            if note["kind"] == "deal":
                assert totals[note["seat"]] == min(totals.values())
