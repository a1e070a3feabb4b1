"""Chance: the same numbers everywhere and always, and none drawn in a replay."""

from __future__ import annotations

from collections import Counter

import pytest
from librt.vecs import vec
from mypy_extensions import i64

import fuda
from fuda.engine.chance import Chance
from fuda.engine.random import Random, seeded


def test_the_random_numbers_are_those_of_xoshiro128_plus_plus() -> None:
    """The published words that follow from the state 1, 2, 3, 4."""
    random = Random(1, 2, 3, 4)
    words = [random.next_32_bits() for _ in range(10)]
    assert words[:5] == [641, 1573767, 3222811527, 3517856514, 836907274]
    assert words[5:] == [4247214768, 3867114732, 1355841295, 495546011, 621204420]


def test_a_seed_always_gives_the_same_numbers() -> None:
    random = seeded(42)
    assert [random.next_32_bits() for _ in range(5)] == [4170294242, 1102707532, 766119250, 704721743, 3917431222]


def test_a_seed_of_more_than_32_bits_means_all_of_them() -> None:
    random = seeded(42 + (7 << 32))
    expected = Random(42, 7, 0x9E3779B9, 0x7F4A7C15)
    skipped = [expected.next_32_bits() for _ in range(8)]
    assert [random.next_32_bits() for _ in range(5)] == [expected.next_32_bits() for _ in range(5)]
    assert len({*skipped}) == 8


def test_a_fraction_has_53_random_bits() -> None:
    random, words = seeded(3), seeded(3)
    for _ in range(100):
        high, low = words.next_32_bits() >> 5, words.next_32_bits() >> 6
        assert random.fraction() == (high << 26 | low) / 2**53


def test_a_shuffle_gives_every_order_equally_often() -> None:
    random = seeded(1)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(12_000):
        cards = vec[i64]([0, 1, 2, 3])
        random.shuffle(cards)
        counts[tuple(cards)] += 1
    assert len(counts) == 24
    assert sum((count - 500) ** 2 / 500 for count in counts.values()) < 60


def test_a_3_a_lot_falls_on_each_of_the_players_and_on_no_other() -> None:
    chance = Chance(seeded(2))
    counts = Counter(chance.lot(0b10110) for _ in range(3000))
    assert set(counts) == {1, 2, 4}
    assert all(850 < count < 1150 for count in counts.values())


def test_a_3_nothing_is_drawn_for_a_lot_among_one() -> None:
    chance = Chance(seeded(3))
    chance.record(["x"], None)
    assert chance.lot(0b100) == 2
    assert chance.outcomes == []


def test_a_clone_continues_the_count_of_outcomes() -> None:
    chance = Chance(seeded(3))
    chance.lot(0b11)
    assert chance.clone().count == chance.count == 1


def test_a_replay_draws_no_random_numbers() -> None:
    """The record holds what came out, so it replays whatever generator is behind it."""
    game = fuda.new("schadenfreude", players=4, seed=5)
    while not game.over:
        game.play(game.moves()[0])
    again = fuda.replay(game.record(), seed=77)
    assert again.view(None) == game.view(None)
    assert again.state.chance.random.next_32_bits() == seeded(77).next_32_bits()


def test_a_record_with_another_deal_is_another_game() -> None:
    record = fuda.new("shinigami_preschool", players=2, seed=1).record()
    record["chance"][-1].reverse()
    del record["result"]
    hands = fuda.replay(record).position()["hands"]
    assert set(hands["A"]) == set(record["chance"][-1][:11])


@pytest.mark.parametrize("seed", [0, -1, 2**62, 2**200, -(2**77)])
def test_any_whole_number_is_a_seed(seed: int) -> None:
    assert fuda.new("schadenfreude", seed=seed).position() == fuda.new("schadenfreude", seed=seed).position()
