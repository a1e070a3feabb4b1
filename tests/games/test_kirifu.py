"""Kirifu: what may be laid together, against a definition that tries everything; that it ends; what everyone remembers."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuda
from fuda.games.kirifu.cards import CARD_NAMES, can_be_completed, combinations_in, has_companion, is_combination, is_run

RUN_ORDER = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"]


def is_combination_by_the_book(cards: list[str]) -> bool:
    """K-7 word by word: try all pairs, and look whether more than one companion is left."""
    if len(cards) == 1:
        return True
    suits = {card.split()[0] for card in cards}
    ranks = sorted(RUN_ORDER.index(card.split()[1]) for card in cards)
    if len(cards) >= 3 and len(suits) == 1 and ranks == list(range(ranks[0], ranks[0] + len(ranks))):
        return True
    pairs = [pair for pair in combinations(cards, 2) if pair[0].split()[1] == pair[1].split()[1]]
    sets = [set(pair) for pair in pairs] + [{*a, *b} for a, b in combinations(pairs, 2) if not {*a} & {*b}]
    return any(len(cards) - len(together) in (0, 1) for together in sets)


def bits(cards: list[str]) -> int:
    return sum(1 << CARD_NAMES.index(card) for card in cards)


hands = st.lists(st.sampled_from(CARD_NAMES), min_size=1, max_size=9, unique=True)


@given(hands)
def test_k_7_the_combinations_in_a_hand_are_those_of_the_book(hand: list[str]) -> None:
    for most in (1, 2, 3, 4, 5, 9):
        expected = {
            bits(list(cards))
            for size in range(1, most + 1)
            for cards in combinations(hand, size)
            if is_combination_by_the_book(list(cards))
        }
        found = combinations_in(bits(hand), most)
        assert len(found) == len(set(found))
        assert set(found) == expected


@given(hands, st.integers(1, 9))
def test_cards_may_be_laid_as_long_as_they_can_still_become_a_combination(hand: list[str], most: int) -> None:
    playable = combinations_in(bits(hand), most)
    for size in range(1, 5):
        for cards in combinations(hand, size):
            laid = bits(list(cards))
            wanted = any(one & laid == laid for one in playable)
            complete = is_combination(laid) and size <= most
            assert (complete or can_be_completed(laid, bits(hand) & ~laid, most, runs=True, companions=1)) == wanted
            assert is_combination(laid) == is_combination_by_the_book(list(cards))


@given(hands, st.integers(1, 9), st.booleans(), st.booleans())
def test_with_house_rules_cards_may_be_laid_as_long_as_they_can_become_what_is_left(
    hand: list[str], most: int, runs: bool, companions: bool
) -> None:
    """K-27, K-28: without runs, or without companions."""
    playable = {
        one
        for one in combinations_in(bits(hand), most)
        if (runs or not is_run(one)) and (companions or not has_companion(one))
    }
    for size in range(1, 5):
        for cards in combinations(hand, size):
            laid = bits(list(cards))
            wanted = any(one & laid == laid for one in playable)
            completed = can_be_completed(laid, bits(hand) & ~laid, most, runs, int(companions))
            assert (laid in playable or completed) == wanted


def test_a_hand_of_thirty_cards_keeps_integers_few_and_the_list_of_attacks_bounded() -> None:
    hand = CARD_NAMES[:30]
    game = fuda.new(
        "kirifu",
        players=2,
        position={"hands": {"A": hand, "B": CARD_NAMES[30:36]}, "trump_card": "club A", "rest": "discards"},
    )
    assert len(game.state.legal()) <= 56
    moves = game.moves()
    assert len(moves) == len(set(moves)) < 20_000
    game.play("heart 10 + spade 10")
    assert game.position()["table"] == ["heart 10", "spade 10"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("characters", [False, True])
def test_k_26_a_game_ends_even_if_everyone_always_takes(players: int, characters: bool) -> None:
    """43 cards: at most 43 draws and 21 cuts break a row of idle turns, each row is shorter than 172."""
    chooser = random.Random(players)
    game = fuda.new("kirifu", players=players, seed=players, options={"games": 1, "characters": characters})
    while not game.over:
        moves = game.moves()
        game.play("take" if "take" in moves else moves[int(chooser.random() * len(moves))])
    history = game.view(None)["history"]
    if players % 2:  # with two or four it is always the same ones who play and come to be out
        assert any(note["kind"] == "stalemate" for note in history)
    turns = sum(note["kind"] == "attack" for note in history)
    assert turns <= (43 + 21 + 1) * 172


@pytest.mark.parametrize("players", [2, 3, 5])
def test_what_was_taken_is_known_to_be_there_until_it_is_played(players: int) -> None:
    chooser = random.Random(7)
    game = fuda.new("kirifu", players=players, seed=3, options={"games": 1})
    expected: dict[str, set[str]] = {seat: set() for seat in game.totals}
    taking: list[str] = []
    while not game.over:
        seat, question, moves = str(game.seat), game.question, game.moves()
        assert question is not None
        move = moves[int(chooser.random() * len(moves))]
        game.play(move)
        if move == "take":
            taking.append(question["card"])
        else:
            expected[seat] -= set(move.split(" + "))
        if game.question != question and not game.position()["answers"]:
            expected[seat] |= set(taking)
            taking = []
        if not game.over:
            for other, hand in game.view(None)["hands"].items():
                assert set(hand["cards"]) == expected[other]


def test_the_hidden_order_of_the_stock_is_dealt_anew() -> None:
    game = fuda.new("kirifu", players=3, seed=5)
    view = game.view("A")
    tops = {fuda.redeal(view, seed).position()["stock"][0] for seed in range(60)}
    assert len(tops) > 15


def test_a_character_face_down_is_dealt_anew_and_a_revealed_one_stays() -> None:
    game = fuda.new("kirifu", players=4, seed=6, options={"characters": True})
    while not any(game.position()["revealed"].values()):
        names = [move for move in game.moves() if " " not in move and move != "take"]
        game.play(names[0] if names else game.moves()[0])
    seat = next(seat for seat, cards in game.position()["revealed"].items() if cards)
    others = {other: set[str]() for other in game.totals}
    for seed in range(40):
        position = fuda.redeal(game.view(None), seed).position()
        assert position["revealed"] == game.position()["revealed"]
        for other, cards in position["characters"].items():
            others[other] |= set(cards)
    assert others[seat] == set()
    assert all(len(found) > 5 for other, found in others.items() if other != seat)


def test_the_action_space_has_56_moves() -> None:
    assert len(fuda.rulebook("kirifu").moves) == 56
    assert fuda.rulebook("kirifu").deck(fuda.new("kirifu").state)[-1] == 43
