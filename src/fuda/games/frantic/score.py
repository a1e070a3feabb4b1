"""The end of a round and of the game (F-20 to F-23)."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from fuda.engine.cards import BIT
from fuda.games.frantic.deck import POINTS, TIME_BOMB
from fuda.games.frantic.state import BOMB, DOOMSDAY, Frantic

MOST_ROUNDS: Final = 60
DOOM: Final = 50
DEFUSED: Final = 10
MAXIMUMS: Final = {"short": (137, 113), "medium": (154, 137), "long": (179, 154)}
"""F-22: for two to four players, for five to eight."""


def hand_points(s: Frantic, player: i64) -> i64:
    points: i64 = 0
    for card in s.hands[player].cards():
        points += POINTS[card]
    return points


def points_of(s: Frantic, player: i64) -> i64:
    """F-21: the hand, then the bomb; Doomsday is 50 points instead of both. Points of Seppuku are in the total already."""
    if s.spared & BIT[player]:
        return 0
    if s.ending == DOOMSDAY:
        return DOOM
    points = hand_points(s, player)
    if s.ending == BOMB:
        return points + points
    if s.bomb_ticks() and s.finished() and not s.exempt_from(TIME_BOMB) & BIT[player]:
        return points + DEFUSED if s.hand_size(player) else -DEFUSED
    return points


def lowest(points: vec[i64]) -> i64:
    """The players with the fewest points, as bits."""
    best: i64 = 0
    least = points[0]
    for player, number in enumerate(points):
        if number < least:
            least = number
            best = 0
        if number == least:
            best |= BIT[player]
    return best


def next_dealer(s: Frantic, points: vec[i64]) -> i64:
    """F-23: whoever got most points in the round; of several the first one after the old dealer."""
    dealer = s.after(s.dealer)
    player = dealer
    for _ in range(s.players - 1):
        player = s.after(player)
        if points[player] > points[dealer]:
            dealer = player
    return dealer
