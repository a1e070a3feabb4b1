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
ALL_CARDS: Final = set_from(range(4 * IN_A_SUIT))
SUITS: Final = vec[i64]([set_from(range(first, first + IN_A_SUIT)) for first in range(0, 4 * IN_A_SUIT, IN_A_SUIT)])
RANKS: Final = 2**11 - 1  # a constant for the compiler, which set_from() would not be
"""All eleven ranks. A set of ranks has the bits that these ranks have among the spades."""
SPADE: Final = 0
WORLD: Final = 10
"""The ace of spades."""


# What beats what ------------------------------------------------------------------------------


def stronger_cards(trump: i64) -> vec[i64]:
    """K-5, K-6: for each card the cards that beat it."""
    out = vec[i64](capacity=len(CARD_NAMES))
    for card in range(i64(len(CARD_NAMES))):
        stronger = BIT[WORLD]
        for other in range(i64(len(CARD_NAMES))):
            if other // IN_A_SUIT == card // IN_A_SUIT and other > card:
                stronger |= BIT[other]
        if card // IN_A_SUIT != trump:
            stronger |= SUITS[trump]
        out = append(out, 0 if card == WORLD else stronger)
    return out


BEATEN_BY: Final = [stronger_cards(trump) for trump in range(4)]
"""By trump suit, for each card the cards that beat it."""


# What may be played together ------------------------------------------------------------------


def ranks_in(cards: i64) -> i64:
    """The ranks that occur."""
    hearts = cards >> IN_A_SUIT
    diamonds = cards >> 2 * IN_A_SUIT
    clubs = cards >> 3 * IN_A_SUIT
    return (cards | hearts | diamonds | clubs) & RANKS


def ranks_twice_in(cards: i64) -> i64:
    """The ranks that occur at least twice."""
    hearts = cards >> IN_A_SUIT
    diamonds = cards >> 2 * IN_A_SUIT
    clubs = cards >> 3 * IN_A_SUIT
    return (cards & hearts | (cards | hearts) & (diamonds | clubs) | diamonds & clubs) & RANKS


def ranks_three_times_in(cards: i64) -> i64:
    """The ranks that occur at least three times."""
    hearts = cards >> IN_A_SUIT
    diamonds = cards >> 2 * IN_A_SUIT
    clubs = cards >> 3 * IN_A_SUIT
    return (cards & hearts & (diamonds | clubs) | diamonds & clubs & (cards | hearts)) & RANKS


def ranks_four_times_in(cards: i64) -> i64:
    return cards & cards >> IN_A_SUIT & cards >> 2 * IN_A_SUIT & cards >> 3 * IN_A_SUIT & RANKS


def pairs_in(cards: i64) -> i64:
    """K-8: three of a number are one pair, four are two."""
    return count(ranks_twice_in(cards)) + count(ranks_four_times_in(cards))


def ranks_without_pair(cards: i64) -> i64:
    """The ranks of which one card is left when all pairs are set aside: those that occur once or three times."""
    once = ranks_in(cards) & ~ranks_twice_in(cards)
    return once | ranks_three_times_in(cards) & ~ranks_four_times_in(cards)


def run_ranks(cards: i64) -> i64:
    """Cards of one suit as bits in the order of a run, the ace lowest (K-7); 0 if they are of several suits."""
    for suit in range(i64(4)):
        if cards & SUITS[suit] == cards:
            ranks = cards >> IN_A_SUIT * suit
            return (ranks << 1 | ranks >> (IN_A_SUIT - 1)) & RANKS
    return 0


def has_no_gap(ranks: i64) -> bool:
    """Whether the bits that are set are adjacent."""
    ranks //= ranks & -ranks
    return ranks & (ranks + 1) == 0


def is_combination(cards: i64) -> bool:
    """K-7: a single; one or two pairs with or without a companion; a run of three or more of a suit."""
    size = count(cards)
    if size < 2:
        return size == 1
    if size <= 5 and pairs_in(cards) >= size // 2:
        return True
    ranks = run_ranks(cards)
    return size >= 3 and ranks != 0 and has_no_gap(ranks)


def is_run(combination: i64) -> bool:
    """Whether this combination is a run; only runs have three cards or more without a pair."""
    return count(combination) >= 3 and pairs_in(combination) == 0


def has_companion(combination: i64) -> bool:
    """Whether this combination is one or two pairs with a companion."""
    return count(combination) % 2 == 1 and pairs_in(combination) > 0


def can_be_completed(laid: i64, hand: i64, most: i64, runs: bool, companions: i64) -> bool:
    """Whether other cards of the hand can make the laid ones a combination of at most `most` cards.

    K-27, K-28: house rules can do without runs, or with no companion instead of one.
    """
    return can_become_pairs(laid, hand, most, companions) or (runs and can_become_run(laid, hand, most))


def can_become_pairs(laid: i64, hand: i64, most: i64, companions: i64) -> bool:
    """All laid cards but a companion need a pair: those without one get it from the hand."""
    unpaired = ranks_without_pair(laid)
    more = count(unpaired) - companions
    if more < 1 or more > count(unpaired & ranks_in(hand)):
        return False
    largest = 4 + companions
    return count(laid) + more <= (most if most < largest else largest)


def can_become_run(laid: i64, hand: i64, most: i64) -> bool:
    ranks = run_ranks(laid)
    if ranks == 0:
        return False
    span = ranks & -ranks
    while span & ranks != ranks:
        span |= span << 1
    held = ranks
    for suit in range(i64(4)):
        if laid & SUITS[suit]:
            held |= run_ranks(hand & SUITS[suit])
    length = count(span)
    if span & held != span or length > most:
        return False
    beside = (span << 1 | span >> 1) & ~span & held
    return length >= 3 or (most >= 3 and beside != 0)


def combinations_in(hand: i64, most: i64) -> list[int]:
    """Every set of at most `most` cards of the hand that may be played together, each once, in a fixed order."""
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
        row = [suit * IN_A_SUIT + rank for rank in (IN_A_SUIT - 1, *range(IN_A_SUIT - 1))]
        for first in range(IN_A_SUIT):
            run: i64 = 0
            for last in range(first, IN_A_SUIT):
                if not hand & BIT[row[last]]:
                    break
                run |= BIT[row[last]]
                if last - first >= 2:
                    out.append(run)
    return out
