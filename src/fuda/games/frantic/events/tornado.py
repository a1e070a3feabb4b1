"""Tornado: hands are shuffled together and dealt again, and what everyone still knows after that."""

from __future__ import annotations

from librt.vecs import append, extend, vec
from mypy_extensions import i64

from fuda.engine.cards import BIT
from fuda.engine.seats import SPECTATOR
from fuda.games.frantic.deck import KIND_COUNT
from fuda.games.frantic.events.occasion import Occasion
from fuda.games.frantic.hand import Hand
from fuda.games.frantic.state import Frantic


def tornado(s: Frantic, e: Occasion) -> None:
    """Shuffles all hands together and deals them again."""
    deal_together(s, e.order(s))


def deal_together(s: Frantic, order: vec[i64]) -> None:
    """Deals the cards one by one, from the first player in the order, as evenly as possible."""
    pool = vec[i64](capacity=64)
    for player in order:
        pool = extend(pool, s.hands[player].cards())
    if not len(pool):
        return
    known = [known_together(s, order, knower) for knower in range(SPECTATOR + 1)]
    pool = s.chance.shuffle(pool)
    for player in order:
        s.hands[player] = Hand(vec[i64](capacity=16))
    for at, card in enumerate(pool):
        player = order[at % len(order)]
        s.hands[player].add(card, BIT[player])
    for knower in range(SPECTATOR + 1):
        remember(s, order, knower, known[knower], len(pool))
    s.tell("tornado")


def known_together(s: Frantic, order: vec[i64], knower: i64) -> vec[i64]:
    """How many of each card somebody knows to be in these hands."""
    out = vec[i64](capacity=KIND_COUNT)
    card: i64 = 0
    while card < KIND_COUNT:
        n: i64 = 0
        for player in order:
            n += s.hands[player].known(card, knower)
        out = append(out, n)
        card += 1
    return out


def remember(s: Frantic, order: vec[i64], knower: i64, known: vec[i64], total: i64) -> None:
    """Notes which cards somebody knows to be in a hand, because there are not enough others to fill it."""
    own: i64 = 0
    if knower < s.players and knower in order:
        own = s.hand_size(knower)
    card: i64 = 0
    while card < KIND_COUNT:
        if known[card]:
            left = known[card]
            if own:
                left -= s.hands[knower].copies(card)
            for player in order:
                if player != knower and left > 0:
                    s.hands[player].set_known(card, knower, s.hand_size(player) - (total - own - left))
        card += 1
