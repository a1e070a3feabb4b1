"""Kirifu's cards: what beats what, and what may be played together."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.cards import BIT, cards_in, count, set_from

SUIT_NAMES: Final = ["spade", "heart", "diamond", "club"]
RANK_NAMES: Final = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "A"]
CARD_NAMES: Final = [f"{suit} {rank}" for suit in SUIT_NAMES for rank in RANK_NAMES]
IN_A_SUIT: Final = 11
ALL: Final = set_from(range(4 * IN_A_SUIT))
SUITS: Final = vec[i64]([set_from(range(first, first + IN_A_SUIT)) for first in range(0, 4 * IN_A_SUIT, IN_A_SUIT)])
RANKS: Final = set_from(range(IN_A_SUIT))
"""All ranks, each as the bit that it has among the spades."""
SPADE: Final = 0
WORLD: Final = 10
"""The ace of spades."""


# What beats what ------------------------------------------------------------------------------


def beating(trump: i64) -> vec[i64]:
    """K-5, K-6: for each card the cards that beat it."""
    out = vec[i64](capacity=44)
    for card in range(i64(44)):
        stronger = BIT[WORLD]
        for other in range(i64(44)):
            if other // IN_A_SUIT == card // IN_A_SUIT and other > card:
                stronger |= BIT[other]
        if card // IN_A_SUIT != trump:
            stronger |= SUITS[trump]
        out = append(out, 0 if card == WORLD else stronger)
    return out


BEATEN_BY: Final = [beating(suit) for suit in range(4)]
"""By trump suit, for each card."""


# What may be played together ------------------------------------------------------------------


def ranks_in(cards: i64) -> i64:
    """The ranks that occur."""
    return (cards | cards >> 11 | cards >> 22 | cards >> 33) & RANKS


def ranks_twice_in(cards: i64) -> i64:
    """The ranks that occur at least twice."""
    spades = cards
    hearts = cards >> 11
    diamonds = cards >> 22
    clubs = cards >> 33
    return (spades & hearts | (spades | hearts) & (diamonds | clubs) | diamonds & clubs) & RANKS


def ranks_four_times_in(cards: i64) -> i64:
    return cards & cards >> 11 & cards >> 22 & cards >> 33 & RANKS


def pairs_in(cards: i64) -> i64:
    """K-8: three of a number are one pair, four are two."""
    return count(ranks_twice_in(cards)) + count(ranks_four_times_in(cards))


def lone_ranks_in(cards: i64) -> i64:
    """The ranks of which a card is left when all pairs are laid aside."""
    ranks = ranks_in(cards)
    twice = ranks_twice_in(cards)
    spades = cards
    hearts = cards >> 11
    diamonds = cards >> 22
    clubs = cards >> 33
    three = (spades & hearts & (diamonds | clubs) | diamonds & clubs & (spades | hearts)) & RANKS
    return ranks & ~twice | three & ~ranks_four_times_in(cards)


def suit_ranks(cards: i64) -> i64:
    """Cards of one suit as bits in the order of a run, the ace lowest (K-7); 0 if they are of several suits."""
    for suit in range(i64(4)):
        if cards & SUITS[suit] == cards:
            ranks = cards >> IN_A_SUIT * suit
            return (ranks << 1 | ranks >> 10) & RANKS
    return 0


def is_unbroken(ranks: i64) -> bool:
    """Whether the bits that are set stand side by side."""
    ranks //= ranks & -ranks
    return ranks & (ranks + 1) == 0


def is_form(cards: i64) -> bool:
    """K-7: a single; one or two pairs with or without a companion; a run of three or more of a suit."""
    size = count(cards)
    if size < 2:
        return size == 1
    if size <= 5 and pairs_in(cards) >= size // 2:
        return True
    ranks = suit_ranks(cards)
    return size >= 3 and ranks != 0 and is_unbroken(ranks)


def can_be_completed(laid: i64, hand: i64, most: i64) -> bool:
    """Whether other cards of the hand can make the laid ones a form of at most so many cards."""
    return can_become_pairs(laid, hand, most) or can_become_run(laid, hand, most)


def can_become_pairs(laid: i64, hand: i64, most: i64) -> bool:
    """A lone card needs its like from the hand; a pair that is wholly in the hand would help none of the laid ones."""
    size = count(laid)
    pairs = pairs_in(laid)
    likes = count(lone_ranks_in(laid) & ranks_in(hand))
    if most > 5:
        most = 5
    more: i64 = 1
    while size + more <= most:
        if pairs + (more if more < likes else likes) >= (size + more) // 2:
            return True
        more += 1
    return False


def can_become_run(laid: i64, hand: i64, most: i64) -> bool:
    ranks = suit_ranks(laid)
    if ranks == 0:
        return False
    lowest = ranks & -ranks
    span = lowest
    while span & ranks != ranks:
        span |= span << 1
    held = ranks
    for suit in range(i64(4)):
        if laid & SUITS[suit]:
            held |= suit_ranks(hand & SUITS[suit])
    length = count(span)
    if span & held != span or length > most:
        return False
    beside = (span << 1 | span >> 1) & ~span & held
    return length >= 3 or (most >= 3 and beside != 0)


def forms_in(hand: i64, most: i64) -> list[int]:
    """Every set of cards of the hand that may be played together, each once, in a fixed order."""
    cards = cards_in(hand)
    found: dict[int, None] = {BIT[card]: None for card in cards}
    pairs = [BIT[a] | BIT[b] for a in cards for b in cards if a < b and a % IN_A_SUIT == b % IN_A_SUIT]
    if most >= 2:
        found.update(dict.fromkeys(pairs))
    if most >= 3:
        found.update(dict.fromkeys(with_companion(pairs, cards)))
    if most >= 4:
        two_pairs = [first | second for first in pairs for second in pairs if first < second and not first & second]
        found.update(dict.fromkeys(two_pairs))
        if most >= 5:
            found.update(dict.fromkeys(with_companion(two_pairs, cards)))
    found.update(dict.fromkeys(run for run in runs_in(hand) if count(run) <= most))
    return list(found)


def with_companion(sets: list[int], cards: vec[i64]) -> list[int]:
    return [together | BIT[card] for together in sets for card in cards if not together & BIT[card]]


def runs_in(hand: i64) -> list[int]:
    """Every run of three or more cards of a suit, the ace only below the 2."""
    out: list[int] = []
    for suit in range(4):
        row = [suit * IN_A_SUIT + rank for rank in (10, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)]
        for first in range(11):
            run: i64 = 0
            for last in range(first, 11):
                if not hand & BIT[row[last]]:
                    break
                run |= BIT[row[last]]
                if last - first >= 2:
                    out.append(run)
    return out
