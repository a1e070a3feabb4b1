"""Seats: players are numbers inside and the letters A to H outside."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from fuda.engine.cards import cards_in

SEATS: Final[list[str]] = [*"ABCDEFGH"]
NOBODY: Final = -1
SPECTATOR: Final = 8
"""The number of the bit that stands for all spectators, beside those of the players."""
EVERYONE: Final = -1
"""All players and spectators, as bits."""


def player_at(seat: object, players: i64) -> i64:
    """The player with this letter; NOBODY if a game with this number of players has no such seat."""
    for player in range(players):
        if SEATS[player] == seat:
            return player
    return NOBODY


def seats_in(players: i64) -> list[str]:
    """The letters of the players whose bits are set."""
    return [SEATS[player] for player in cards_in(players)]


def by_seat(numbers: vec[i64]) -> dict[str, int]:
    """Each player's number, by letter."""
    return {SEATS[player]: numbers[player] for player in range(len(numbers))}
