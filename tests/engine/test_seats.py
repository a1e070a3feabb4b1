"""Seats: numbers inside, letters outside."""

from __future__ import annotations

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from fuda.engine.seats import EVERYONE, NOBODY, SEATS, SPECTATOR, by_seat, player_at, seats_in


def test_the_letters_of_the_seats() -> None:
    assert "".join(SEATS) == "ABCDEFGH"
    assert [player_at(seat, 8) for seat in SEATS] == [*range(8)]


@pytest.mark.parametrize("seat", ["D", "", "AB", "a", 0, None, ["A"]])
def test_what_is_no_seat_is_nobody(seat: object) -> None:
    assert player_at(seat, 3) == NOBODY == -1


def test_players_as_bits_and_as_a_list_of_numbers() -> None:
    assert seats_in(0b10110) == ["B", "C", "E"]
    assert by_seat(vec[i64]([4, -1, 0])) == {"A": 4, "B": -1, "C": 0}


def test_everyone_is_all_players_and_the_spectators() -> None:
    assert len(SEATS) == SPECTATOR
    assert all(EVERYONE >> one & 1 for one in range(SPECTATOR + 1))
