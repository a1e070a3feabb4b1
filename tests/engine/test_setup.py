"""Setting up a position: every card is placed once, and what is wrong is named with its place."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from librt.vecs import vec
from mypy_extensions import i64

import fuda
from fuda.engine.setup import Setup

NAMES = ["one", "two", "three", "four"]


def setup() -> Setup:
    """Two ones, a two and a three for two players; the four is not in the game."""
    return Setup(NAMES, vec[i64]([0, 0, 1, 2]), 2, "The position")


def test_cards_are_placed_until_none_is_left() -> None:
    table = setup()
    assert table.names == NAMES
    assert [*table.unplaced()] == [0, 0, 1, 2]
    assert [*table.cards(["three", "one"], "hand", ~0)] == [2, 0]
    assert [*table.unplaced()] == [0, 1]
    table.place(1, "deck")
    assert [*table.unplaced()] == [0]


def test_cards_that_are_only_named_stay_where_they_are() -> None:
    table = setup()
    assert [*table.named(["four", "one", "one", "one"], "known")] == [3, 0, 0, 0]
    assert [*table.unplaced()] == [0, 0, 1, 2]


def test_seats_as_numbers_and_as_bits() -> None:
    table = setup()
    assert table.seat("B", "leader") == 1
    assert table.seat_set(["B", "A"], "out") == 0b11
    assert table.seat_set(["B"], "out") == 0b10
    assert table.seat_set([], "out") == 0
    assert table.seats({"B": 4}, "totals") == {"B": 4}


@pytest.mark.parametrize("number", [-3, 0, 9])
def test_a_number_within_its_limits(number: int) -> None:
    assert setup().number(number, "round", -3, 9) == number


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda s: s.cards("one", "hand", ~0), "hand: expected a list of cards, got 'one'."),
        (lambda s: s.cards(["five"], "hand", ~0), "hand: 'five' is not a card of this game."),
        (lambda s: s.cards([["one"]], "hand", ~0), "hand: ['one'] is not a card of this game."),
        (lambda s: s.cards(["four"], "hand", ~0), "hand: the four is not in the deck of this game with 2 players and these"),
        (lambda s: s.cards(["two", "two"], "hand", ~0), "hand: the two is already in hand."),
        (lambda s: s.cards(["one", "one", "one"], "hand", ~0), "hand: the one is already in hand."),
        (lambda s: s.cards(["two"], "hand", 0b101), "hand: the two cannot be there."),
        (lambda s: s.named("one", "known"), "known: expected a list of cards, got 'one'."),
        (lambda s: s.named(["five"], "known"), "known: 'five' is not a card of this game."),
        (lambda s: s.seats(["A"], "totals"), "totals: expected an entry for each seat, got ['A']."),
        (lambda s: s.seats({"C": 1}, "totals"), "totals: 'C' is not a seat; there are A, B."),
        (lambda s: s.seat("C", "leader"), "leader: 'C' is not a seat; there are A, B."),
        (lambda s: s.seat_set("A", "out"), "out: expected a list of seats, got 'A'."),
        (lambda s: s.seat_set(["A", "A"], "out"), "out: a seat is listed twice."),
        (lambda s: s.number(-4, "round", -3, 9), "round: expected a whole number from -3 to 9, got -4."),
        (lambda s: s.number(10, "round", -3, 9), "round: expected a whole number from -3 to 9, got 10."),
        (lambda s: s.number(True, "round", -3, 9), "round: expected a whole number from -3 to 9, got True."),
        (lambda s: s.number("1", "round", -3, 9), "round: expected a whole number from -3 to 9, got '1'."),
    ],
)
def test_what_is_wrong_is_named_with_its_place(call: Callable[[Setup], object], says: str) -> None:
    with pytest.raises(fuda.Error) as error:
        call(setup())
    assert str(error.value).startswith(f"The position, {says}")
