"""Redealt worlds are drawn without bias: every one that fits is equally likely."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from librt.vecs import vec
from mypy_extensions import i64

import fuda
from fuda.engine.deals import Deal
from fuda.engine.fields import Field, HiddenCards
from fuda.engine.random import seeded

World = tuple[tuple[int, ...], ...]


def all_deals(sizes: list[int], never: list[set[int]]) -> list[World]:
    """Every way to deal the cards 0, 1, 2, … to places of these sizes, found by trying them all."""

    def fill(cards: tuple[int, ...], place: int) -> list[World]:
        if place == len(sizes):
            return [()]
        fits = [hand for hand in itertools.combinations(cards, sizes[place]) if not never[place] & set(hand)]
        return [
            (hand, *rest) for hand in fits for rest in fill(tuple(card for card in cards if card not in hand), place + 1)
        ]

    return fill(tuple(range(sum(sizes))), 0)


def deal_of(sizes: list[int], never: list[set[int]]) -> Deal:
    places = []
    first = 0
    for size, cannot in zip(sizes, never, strict=True):
        unseen = vec[i64](range(first, first + size))
        places.append(HiddenCards(Field("somewhere"), 0, unseen, vec[i64](), sum(1 << card for card in cannot)))
        first += size
    return Deal(places)


def drawn(deal: Deal, times: int, seed: int) -> Counter[World]:
    random = seeded(seed)
    return Counter(tuple(tuple(sorted(hand)) for hand in deal.draw(random)) for _ in range(times))


def assert_uniform(counts: Counter[Any], worlds: list[Any], times: int) -> None:
    """Pearson's chi-square, within five standard deviations of what chance alone would give."""
    assert set(counts) <= set(worlds)
    if len(worlds) == 1:
        return
    expected = times / len(worlds)
    chi_square = sum((counts[world] - expected) ** 2 / expected for world in worlds)
    freedom = len(worlds) - 1
    assert abs(chi_square - freedom) < 5 * math.sqrt(2 * freedom) + 5, (chi_square, freedom)


sizes_and_voids = st.lists(st.integers(0, 3), min_size=1, max_size=4).flatmap(
    lambda sizes: st.tuples(
        st.just(sizes),
        st.lists(st.sets(st.integers(0, max(0, sum(sizes) - 1)), max_size=4), min_size=len(sizes), max_size=len(sizes)),
    )
)


@settings(max_examples=150)
@given(sizes_and_voids)
def test_the_number_of_deals_is_counted_right(problem: tuple[list[int], list[set[int]]]) -> None:
    sizes, never = problem
    deal = deal_of(sizes, never)
    worlds = all_deals(sizes, never)
    assert deal.possible() == bool(worlds)
    if deal.groups:
        assert deal.ways(0, 0, len(deal.groups[0].cards), deal.sizes()) == len(worlds)


@settings(max_examples=25)
@given(sizes_and_voids)
def test_every_deal_that_fits_is_equally_likely(problem: tuple[list[int], list[set[int]]]) -> None:
    sizes, never = problem
    worlds = all_deals(sizes, never)
    if worlds and len(worlds) <= 200:
        times = 12 * len(worlds) + 200
        assert_uniform(drawn(deal_of(sizes, never), times, 1), worlds, times)


def test_redealt_games_are_uniform_over_what_their_seat_cannot_exclude() -> None:
    """C could not follow the swords, so of the worlds that A can think of some have a sword in B's hand, none in C's."""
    game = fuda.new(
        "schadenfreude",
        players=3,
        position={
            "hands": {
                "A": ["sword 8", "flag 1", "flag 2"],
                "B": ["sword 7", "sword 1", "helmet 3"],
                "C": ["flag 8", "helmet 2", "shield 1"],
            },
            "leader": "A",
            "leftover": ["sword 2", "wild 0"],
            "rest": "discards",
        },
    )
    for move in ("sword 8", "sword 7", "flag 8"):
        game.play(move)
    unseen = ["sword 1", "helmet 3", "helmet 2", "shield 1", "sword 2", "wild 0"]
    worlds = [
        (frozenset(b), frozenset(c))
        for b in itertools.combinations(unseen, 2)
        for c in itertools.combinations([card for card in unseen if card not in b], 2)
        if not any(card.startswith("sword") for card in c)
    ]
    times = 3000
    counts: Counter[Any] = Counter()
    view = game.view("A")
    for seed in range(times):
        hands = fuda.redeal(view, seed).position()["hands"]
        counts[frozenset(hands["B"]), frozenset(hands["C"])] += 1
    assert_uniform(counts, worlds, times)


def test_a_position_that_contradicts_itself_is_redealt_without_its_voids() -> None:
    """B did not follow the sword and yet can only hold swords: then the trick shows nothing."""
    game = fuda.new(
        "schadenfreude",
        players=3,
        position={
            "hands": {"A": ["flag 1"], "B": ["sword 1"], "C": ["sword 2", "sword 3"]},
            "trick": ["sword 8", "flag 8"],
            "leader": "A",
            "rest": "discards",
        },
    )
    view = game.view("A")
    assert view["voids"]["B"] == ["sword"]
    assert fuda.redeal(view, 1).view("A") == view
