"""Frantic: what somebody is sure of after cards moved unseen, against all worlds that fit what was seen."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

import pytest
from librt.vecs import vec
from mypy_extensions import i64

import fuda
from fuda.engine.cards import BIT
from fuda.engine.seats import NOBODY, SPECTATOR
from fuda.games.frantic.deck import CARD_NAMES, FUCK_YOU_CARD
from fuda.games.frantic.events.tornado import deal_together
from fuda.games.frantic.hand import Hand, take_unseen
from fuda.games.frantic.state import Frantic

OWNER = 0
KNOWER = 3
KINDS = [0, 1, 2, FUCK_YOU_CARD]
"""A small world: three kinds of which there are enough, and one of which there is one."""
Bag = tuple[int, ...]


def bags(size: int) -> Iterator[Bag]:
    """Every hand of this size."""
    for bag in combinations_with_replacement(KINDS, size):
        if bag.count(FUCK_YOU_CARD) <= 1:
            yield bag


def taken_from(bag: Bag, number: int, fixed: int = -1) -> Iterator[tuple[Bag, Bag]]:
    """Every way to take so many cards out, with what is left."""
    found = set()
    for places in combinations(range(len(bag)), number):
        taken = tuple(bag[at] for at in places)
        if fixed not in taken:
            found.add((taken, tuple(card for at, card in enumerate(bag) if at not in places)))
    yield from found


def minus(bag: Bag, cards: Bag) -> Bag | None:
    left = Counter(bag)
    left.subtract(cards)
    return None if min(left.values(), default=0) < 0 else tuple(sorted(left.elements()))


def least_of(worlds: list[tuple[Bag, ...]], place: int) -> dict[int, int]:
    """How many cards of each kind are there in every world."""
    return {kind: min(world[place].count(kind) for world in worlds) for kind in KINDS}


def worlds_after_parting(
    size: int, known: Counter[int], seen: Bag, parcels: tuple[int, int], fixed: int
) -> list[tuple[Bag, ...]]:
    """What may have stayed and what may be in two parcels, as somebody sees it who knew some cards and got some himself."""
    out: list[tuple[Bag, ...]] = []
    for bag in bags(size):
        rest = minus(bag, seen)
        if rest is None or not known <= Counter(bag):
            continue
        for first, left in taken_from(rest, parcels[0], fixed):
            out += [(stays, first, second) for second, stays in taken_from(left, parcels[1], fixed)]
    return out


def hand_of(cards: list[int], owner: int) -> Hand:
    hand = Hand(vec[i64]())
    for card in sorted(cards):
        hand.add(card, BIT[owner] if owner != NOBODY else 0)
    return hand


def part(chooser: random.Random, owner: int, fixed: int) -> None:
    """Cards leave a random hand; what is kept in mind of them is just what all worlds have in common."""
    size = chooser.randint(1, 5)
    cards = list(chooser.choice([*bags(size)]))
    hand = hand_of(cards, owner)
    known: Counter[int] = Counter()
    for kind, copies in Counter(cards).items():
        known[kind] = chooser.randint(0, copies)
        hand.set_known(kind, KNOWER, known[kind])
    free = [card for card in cards if card != fixed]
    chooser.shuffle(free)
    leaving = free[: chooser.randint(0, len(free))]
    receivers = [chooser.choice([1, 2, KNOWER]) for _ in leaving]
    knowers = take_unseen(hand, owner, vec[i64](leaving), vec[i64](receivers), fixed)

    gone = list(zip(leaving, receivers, knowers, strict=True))
    seen = tuple(card for card, receiver, _ in gone if receiver == KNOWER)
    worlds = worlds_after_parting(size, known, seen, (receivers.count(1), receivers.count(2)), fixed)
    assert {kind: hand.known(kind, KNOWER) for kind in KINDS} == least_of(worlds, 0)
    for receiver in (1, 2):
        sure = Counter(card for card, to, who in gone if to == receiver and who & BIT[KNOWER])
        assert {kind: sure[kind] for kind in KINDS} == least_of(worlds, receiver)
    for _, receiver, who in gone:
        assert who & BIT[receiver]
        assert owner == NOBODY or who & BIT[owner]
        assert not who & BIT[4]
    assert sorted(hand.cards()) == sorted((Counter(cards) - Counter(leaving)).elements())


@pytest.mark.parametrize("fixed", [-1, FUCK_YOU_CARD])
@pytest.mark.parametrize("owner", [OWNER, NOBODY])
@pytest.mark.parametrize("part_of_all", range(4))
def test_f_43_what_is_sure_after_cards_left_a_hand_is_what_all_worlds_have_in_common(
    owner: int, fixed: int, part_of_all: int
) -> None:
    chooser = random.Random(part_of_all)
    for _ in range(150):
        part(chooser, owner, fixed)


def deals(heap: Bag, sizes: list[int]) -> Iterator[tuple[Bag, ...]]:
    """Every way to deal the heap out in hands of these sizes."""
    if not sizes:
        yield ()
        return
    for hand, left in taken_from(heap, sizes[0]):
        for others in deals(left, sizes[1:]):
            yield (hand, *others)


def heaps(size: int) -> list[Bag]:
    return [*combinations_with_replacement(KINDS[:3], size)]


def names(cards: list[int]) -> list[str]:
    return [CARD_NAMES[card] for card in cards]


def knows(state: Frantic, holder: int, knower: int) -> Counter[int]:
    return Counter({kind: int(state.hands[holder].known(kind, knower)) for kind in KINDS[:3]})


def blow(chooser: random.Random, players: int, knower: int, protected: int) -> None:
    """A Tornado over random small hands, of which one player, or a spectator, knows some cards."""
    heap = chooser.sample([*range(3)] * 2, chooser.randint(players, 6))
    hands: list[list[int]] = [[] for _ in range(players)]
    for at, card in enumerate(heap):
        hands[at if at < players else chooser.randrange(players)].append(card)
    position = {"hands": {"ABCDEFGH"[player]: names(hand) for player, hand in enumerate(hands)}}
    state = fuda.new("frantic", players=players, seed=chooser.randint(0, 99), position=position).state.clone()
    assert isinstance(state, Frantic)
    for player in range(players):
        for kind, copies in Counter(hands[player]).items():
            if player != knower:
                state.hands[player].set_known(kind, knower, chooser.randint(0, copies))
    order = [player for player in range(1, players) if player != protected] + [0] * (protected != 0)
    known = sum((knows(state, player, knower) for player in order), Counter[int]())
    total = sum(len(hands[player]) for player in order)
    deal_together(state, vec[i64](order))

    assert [state.hand_size(player) for player in order] == [len(range(at, total, len(order))) for at in range(len(order))]
    others = [player for player in order if player != knower]
    own = tuple(state.hands[knower].cards()) if knower in order else ()
    worlds: list[tuple[Bag, ...]] = []
    for bag in heaps(total):
        rest = minus(bag, own)
        if rest is not None and known <= Counter(bag):
            worlds += deals(rest, [int(state.hand_size(player)) for player in others])
    for at, player in enumerate(others):
        assert knows(state, player, knower) == Counter({kind: least_of(worlds, at)[kind] for kind in KINDS[:3]})


@pytest.mark.parametrize("protected", [NOBODY, 0, 1])
@pytest.mark.parametrize("knower", [0, 1, SPECTATOR])
@pytest.mark.parametrize("players", [2, 3])
def test_f_43_what_is_sure_after_a_tornado_is_what_all_worlds_have_in_common(
    players: int, knower: int, protected: int
) -> None:
    chooser = random.Random(players)
    for _ in range(60):
        blow(chooser, players, knower, protected)


def test_cards_of_one_kind_are_counted_and_an_open_loss_costs_one_that_was_known() -> None:
    chooser = random.Random(4)
    for _ in range(300):
        hand = Hand(vec[i64]())
        counts = {kind: [0, 0] for kind in KINDS[:3]}
        for _ in range(chooser.randint(1, 12)):
            kind = chooser.choice(KINDS[:3])
            if counts[kind][0] and chooser.random() < 0.4:
                hand.remove(kind)
                counts[kind] = [counts[kind][0] - 1, max(0, counts[kind][1] - 1)]
            else:
                sees = chooser.random() < 0.5
                hand.add(kind, BIT[KNOWER] if sees else 0)
                counts[kind] = [counts[kind][0] + 1, counts[kind][1] + sees]
            assert {one: [int(hand.copies(one)), int(hand.known(one, KNOWER))] for one in counts} == counts
            assert [*hand.cards()] == sorted(hand.cards())
