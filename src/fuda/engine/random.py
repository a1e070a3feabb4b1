"""Random numbers that are the same interpreted and compiled."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

BITS_32: Final[i64] = 0xFFFFFFFF


class Random:
    """xoshiro128++, which computes with 32 bits and so gives the same numbers interpreted and compiled."""

    def __init__(self, a: i64, b: i64, c: i64, d: i64) -> None:
        self.a: i64 = a
        self.b: i64 = b
        self.c: i64 = c
        self.d: i64 = d

    def clone(self) -> Random:
        return Random(self.a, self.b, self.c, self.d)

    def next_32_bits(self) -> i64:
        total = (self.a + self.d) & BITS_32
        out = (((total << 7) & BITS_32 | total >> 25) + self.a) & BITS_32
        t = (self.b << 9) & BITS_32
        self.c ^= self.a
        self.d ^= self.b
        self.b ^= self.c
        self.a ^= self.d
        self.c ^= t
        self.d = (self.d << 11) & BITS_32 | self.d >> 21
        return out

    def below(self, n: i64) -> i64:
        """0 … n - 1; the bias of n in 2³² is too small to matter."""
        return (self.next_32_bits() * n) >> 32

    def fraction(self) -> float:
        """0 ≤ x < 1, in steps of 2⁻⁵³."""
        high = self.next_32_bits() >> 5
        low = self.next_32_bits() >> 6
        return (float(high) * 67108864.0 + float(low)) / 9007199254740992.0

    def shuffle(self, cards: vec[i64]) -> None:
        last = len(cards) - 1
        while last > 0:
            other = self.below(last + 1)
            card = cards[last]
            cards[last] = cards[other]
            cards[other] = card
            last -= 1


def seeded(seed: i64) -> Random:
    """The stream of random numbers that belongs to this seed."""
    random = Random(seed & BITS_32, (seed >> 32) & BITS_32, 0x9E3779B9, 0x7F4A7C15)
    for _ in range(8):
        random.next_32_bits()
    return random
