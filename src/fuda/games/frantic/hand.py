"""Hands, and who knows which of their cards.

A hand has a slot for each card: the card, and as bits above it those who know that it is there, players and spectators.
Equal cards cannot be told apart, so what somebody knows is how many of a card there are at least; the first slots of this
card have the bit. A card that leaves openly is therefore always the first of its kind.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, pop, vec
from mypy_extensions import i64, mypyc_attr

from fuda.engine.cards import BIT
from fuda.engine.seats import NOBODY, SPECTATOR

CARD_MASK: Final[i64] = 127
KNOWERS_SHIFT: Final = 7
"""The bits of those who know a card are this far above the bits of the card."""
ALL_KNOW: Final[i64] = 0x1FF


@mypyc_attr(acyclic=True)
class Hand:
    """Sorted cards; or a layer on the deck: cards in the order in which they lie, the top one last."""

    def __init__(self, slots: vec[i64]) -> None:
        self.slots = slots

    def clone(self) -> Hand:
        return Hand(self.slots[:])

    def size(self) -> i64:
        return len(self.slots)

    def card_at(self, at: i64) -> i64:
        return self.slots[at] & CARD_MASK

    def index_of(self, card: i64) -> i64:
        """Where the first card of this kind is; -1 if there is none."""
        at: i64 = 0
        while at < len(self.slots):
            if self.slots[at] & CARD_MASK == card:
                return at
            at += 1
        return -1

    def has(self, card: i64) -> bool:
        return self.index_of(card) >= 0

    def copies(self, card: i64) -> i64:
        n: i64 = 0
        for slot in self.slots:
            if slot & CARD_MASK == card:
                n += 1
        return n

    def cards(self) -> vec[i64]:
        out = vec[i64](capacity=len(self.slots))
        for slot in self.slots:
            out = append(out, slot & CARD_MASK)
        return out

    def add(self, card: i64, knowers: i64) -> None:
        """Sorts a card in; whoever knew one like it now knows one more."""
        slots = append(self.slots, card)
        at: i64 = len(slots) - 1
        while at > 0 and slots[at - 1] & CARD_MASK > card:
            slots[at] = slots[at - 1]
            at -= 1
        first = at
        while first > 0 and slots[first - 1] & CARD_MASK == card:
            first -= 1
        while first < at:
            new = knowers & ~(slots[first] >> KNOWERS_SHIFT)
            slots[first] |= new << KNOWERS_SHIFT
            knowers &= ~new
            first += 1
        slots[at] = card | knowers << KNOWERS_SHIFT
        self.slots = slots

    def remove_at(self, at: i64) -> None:
        self.slots, _ = pop(self.slots, at)

    def remove(self, card: i64) -> None:
        """Takes a card out that everyone sees leaving."""
        self.remove_at(self.index_of(card))

    def put_in_order(self, order: vec[i64]) -> None:
        """Puts its cards in this order, which has the same cards."""
        slots = vec[i64](capacity=len(order))
        for card in order:
            at = self.index_of(card)
            slots = append(slots, self.slots[at])
            self.remove_at(at)
        self.slots = slots

    # What others know of it ---------------------------------------------------------------------

    def all_knowers(self) -> i64:
        """Everyone who knows one of its cards."""
        out: i64 = 0
        for slot in self.slots:
            out |= slot
        return out >> KNOWERS_SHIFT

    def show_to(self, knowers: i64) -> None:
        at: i64 = 0
        while at < len(self.slots):
            self.slots[at] |= knowers << KNOWERS_SHIFT
            at += 1

    def known(self, card: i64, knower: i64) -> i64:
        """How many of this card the knower is sure to be here."""
        n: i64 = 0
        bit = BIT[knower] << KNOWERS_SHIFT
        for slot in self.slots:
            if slot & CARD_MASK == card and slot & bit:
                n += 1
        return n

    def set_known(self, card: i64, knower: i64, number: i64) -> None:
        bit = BIT[knower] << KNOWERS_SHIFT
        at: i64 = 0
        while at < len(self.slots):
            if self.slots[at] & CARD_MASK == card:
                if number > 0:
                    self.slots[at] |= bit
                    number -= 1
                else:
                    self.slots[at] &= ~bit
            at += 1


def take_unseen(hand: Hand, owner: i64, cards: vec[i64], receivers: vec[i64], excluded_kind: i64 = -1) -> vec[i64]:
    """Takes cards out that only the owner and their receivers see; returns who knows each of them afterwards.

    Somebody else who knows c of a kind among n cards, of which m leave unseen, is sure that c - m stay, and that
    m - (n - c) are among those that left. Cards of the `excluded_kind` cannot be among them.
    """
    knowers = vec[i64](capacity=len(cards))
    for receiver in receivers:
        knowers = append(knowers, bit_of(owner) | bit_of(receiver))
    strangers = hand.all_knowers() & ~bit_of(owner)
    after: list[KnownCount] = []
    knower: i64 = 0
    while knower <= SPECTATOR:
        if strangers & BIT[knower]:
            after += still_known(hand, knower, cards, receivers, knowers, excluded_kind)
        knower += 1
    for card in cards:
        hand.remove(card)
    for count in after:
        hand.set_known(count.card, count.knower, count.number)
    return knowers


def bit_of(player: i64) -> i64:
    return 0 if player == NOBODY else BIT[player]


class KnownCount:
    """How many of one card somebody knows to be in a hand."""

    def __init__(self, knower: i64, card: i64, number: i64) -> None:
        self.knower: i64 = knower
        self.card: i64 = card
        self.number: i64 = number


def still_known(
    hand: Hand, knower: i64, cards: vec[i64], receivers: vec[i64], knowers: vec[i64], excluded_kind: i64
) -> list[KnownCount]:
    """What somebody still knows of a hand when these cards have left it; adds to `knowers` which of them they can follow."""
    out: list[KnownCount] = []
    seen = times_in(receivers, knower)
    unseen: i64 = len(cards) - seen
    uncertain = hand.size() - seen - (hand.known(excluded_kind, knower) if excluded_kind >= 0 else i64(0))
    at: i64 = 0
    while at < hand.size():
        card = hand.card_at(at)
        number = hand.known(card, knower)
        if number and hand.index_of(card) == at:
            if card != excluded_kind:
                number -= number_to(cards, receivers, card, knower)
                if number < 0:
                    number = 0
                mark_known_parcels(knowers, cards, receivers, card, knower, uncertain - number)
                number -= unseen
            out.append(KnownCount(knower, card, number))
        at += 1
    return out


def times_in(players: vec[i64], player: i64) -> i64:
    n: i64 = 0
    for one in players:
        if one == player:
            n += 1
    return n


def number_to(cards: vec[i64], receivers: vec[i64], card: i64, receiver: i64) -> i64:
    """How many cards of this kind the receiver gets."""
    n: i64 = 0
    at: i64 = 0
    while at < len(cards):
        if cards[at] == card and receivers[at] == receiver:
            n += 1
        at += 1
    return n


def mark_known_parcels(knowers: vec[i64], cards: vec[i64], receivers: vec[i64], card: i64, knower: i64, others: i64) -> None:
    """Adds the knower of cards that must be in a parcel, as there are not enough other cards to fill it."""
    at: i64 = 0
    while at < len(cards):
        receiver = receivers[at]
        if cards[at] == card and receiver != knower:
            known: i64 = 0
            other: i64 = 0
            while other < len(cards):
                if receivers[other] == receiver and cards[other] == card and knowers[other] & BIT[knower]:
                    known += 1
                other += 1
            if known < times_in(receivers, receiver) - others:
                knowers[at] |= BIT[knower]
        at += 1
