"""Sets of cards as bits."""

from __future__ import annotations

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from fuda.engine import cards
from fuda.engine.random import seeded

SETS = [[], [0], [61], [0, 1, 2], [3, 17, 31, 32, 33, 61], [*range(62)]]
every_set = pytest.mark.parametrize("numbers", SETS, ids=str)


def bits(numbers: list[int]) -> int:
    return sum(1 << number for number in numbers)


@pytest.mark.parametrize("number", range(62))
def test_every_bit_has_its_number(number: int) -> None:
    assert len(cards.BIT) == 62
    assert cards.BIT[number] == 1 << number
    assert cards.bit_index(1 << number) == number


@every_set
def test_a_set_of_bits_lists_its_cards_in_order(numbers: list[int]) -> None:
    assert [*cards.cards_in(bits(numbers))] == numbers
    assert [cards.nth_in(bits(numbers), at) for at in range(len(numbers))] == numbers
    assert cards.count(bits(numbers)) == len(numbers)
    assert cards.set_of(vec[i64](numbers[::-1])) == bits(numbers)


@every_set
def test_a_set_holds_its_cards_and_no_others(numbers: list[int]) -> None:
    assert [card for card in range(62) if cards.holds(bits(numbers), card)] == numbers


def test_a_set_of_any_size_holds_cards_up_to_255() -> None:
    assert cards.holds(1 << 255, 255)
    assert not cards.holds(1 << 255, 254)
    assert cards.holds(~0, 255)


def test_a_card_by_lot_is_the_one_at_a_random_place() -> None:
    ours, theirs = seeded(4), seeded(4)
    for _ in range(100):
        assert cards.random_in(bits([2, 5, 40]), ours) == [2, 5, 40][theirs.below(3)]


@pytest.mark.parametrize("number", [0, 1, 62])
def test_zeros_are_a_new_list_each_time(number: int) -> None:
    assert [*cards.zeros(number)] == [0] * number
    if number:
        changed = cards.zeros(number)
        changed[0] = 7
        assert cards.zeros(number)[0] == 0
