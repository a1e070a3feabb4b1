"""Sets of cards as bits of one integer: card number n is bit n.

In a state a set is an `i64`, for games of up to 62 cards. Where speed does not matter, a set is an ordinary integer and can
have more cards: see `holds`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.random import Random


def powers_of_two() -> vec[i64]:
    out = vec[i64]()
    bit: i64 = 1
    for _ in range(62):
        out = append(out, bit)
        bit += bit
    return out


BIT: Final = powers_of_two()  # never `1 << card`: mypyc shifts a literal as a 32-bit int


DE_BRUIJN: Final[i64] = 0x03F79D71B4CB0A89
"""Shifted left by n, its six highest bits are different for every n."""


def bit_indices() -> vec[i64]:
    out = vec[i64]([0] * 64)
    for n in range(i64(62)):
        out[((BIT[n] * DE_BRUIJN) >> 58) & 63] = n
    return out


BIT_INDEX: Final = bit_indices()


def bit_index(bit: i64) -> i64:
    """The number of the one bit that is set."""
    return BIT_INDEX[((bit * DE_BRUIJN) >> 58) & 63]


def random_in(cards: i64, random: Random) -> i64:
    """One of the cards, by lot: the same as an index into cards_in(), without making the list."""
    return nth_in(cards, random.below(count(cards)))


def lowest_in(cards: i64) -> i64:
    """The card with the lowest number."""
    return bit_index(cards & -cards)


def highest_in(cards: i64) -> i64:
    """The card with the highest number."""
    while cards & (cards - 1):
        cards &= cards - 1
    return bit_index(cards)


def nth_in(cards: i64, n: i64) -> i64:
    """The card with index n in cards_in()."""
    while n:
        cards &= cards - 1
        n -= 1
    return lowest_in(cards)


def cards_in(cards: i64) -> vec[i64]:
    out = zeros(count(cards))
    at: i64 = 0
    while cards:
        low = cards & -cards
        out[at] = bit_index(low)
        cards ^= low
        at += 1
    return out


ZEROS: Final = vec[i64]([0] * 62)


def zeros(n: i64) -> vec[i64]:
    """n zeros."""
    return ZEROS[:n] if n else vec[i64]()


def big_powers_of_two() -> list[int]:
    out: list[int] = []
    bit: int = 1
    for _ in range(256):
        out.append(bit)
        bit += bit
    return out


BIG_BIT: Final = big_powers_of_two()
"""Like BIT, but ordinary integers, for sets of more than 62 cards."""


def holds(cards: int, card: i64) -> bool:
    """Whether this card is in a set of any size."""
    return cards & BIG_BIT[card] != 0


def count(cards: i64) -> i64:
    n: i64 = 0
    while cards:
        cards &= cards - 1
        n += 1
    return n


def set_from(cards: Iterable[int]) -> i64:
    """A set from any iterable of cards: for constants, where speed does not matter."""
    out: i64 = 0
    for card in cards:
        out |= BIT[card]
    return out


def set_of(cards: vec[i64]) -> i64:
    out: i64 = 0
    for card in cards:
        out |= BIT[card]
    return out
