"""Hands, and who knows which of their cards.

A card in a hand is its kind with those who know that it is there, as bits: players, and spectators. Cards of one kind
cannot be told apart, so what somebody knows is how many of a kind there are at least; of several the first ones have the
bit. With that a card that leaves openly is simply the first of its kind.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, pop, vec
from mypy_extensions import i64, mypyc_attr

from fuda.engine.cards import BIT
from fuda.engine.seats import NOBODY, SPECTATOR

KIND: Final[i64] = 127
KNOWERS: Final = 7
"""How far the bits of those who know are above those of the kind."""
ALL_KNOW: Final[i64] = 0x1FF


@mypyc_attr(acyclic=True)
class Hand:
    """Cards in the order of their kinds; or, on the deck, in the order in which they lie, the top one last."""

    def __init__(self, cards: vec[i64]) -> None:
        self.cards = cards

    def clone(self) -> Hand:
        return Hand(self.cards[:])

    def size(self) -> i64:
        return len(self.cards)

    def kind(self, at: i64) -> i64:
        return self.cards[at] & KIND

    def index_of(self, card: i64) -> i64:
        """Where the first card of this kind is; -1 if there is none."""
        at: i64 = 0
        while at < len(self.cards):
            if self.cards[at] & KIND == card:
                return at
            at += 1
        return -1

    def has(self, card: i64) -> bool:
        return self.index_of(card) >= 0

    def copies(self, card: i64) -> i64:
        n: i64 = 0
        for slot in self.cards:
            if slot & KIND == card:
                n += 1
        return n

    def kinds(self) -> vec[i64]:
        out = vec[i64](capacity=len(self.cards))
        for slot in self.cards:
            out = append(out, slot & KIND)
        return out

    def add(self, card: i64, knowers: i64) -> None:
        """Puts a card in its order; who knew one of this kind already knows one more."""
        cards = append(self.cards, card)
        at: i64 = len(cards) - 1
        while at > 0 and cards[at - 1] & KIND > card:
            cards[at] = cards[at - 1]
            at -= 1
        first = at
        while first > 0 and cards[first - 1] & KIND == card:
            first -= 1
        while first < at:
            new = knowers & ~(cards[first] >> KNOWERS)
            cards[first] |= new << KNOWERS
            knowers &= ~new
            first += 1
        cards[at] = card | knowers << KNOWERS
        self.cards = cards

    def remove_at(self, at: i64) -> None:
        self.cards, _ = pop(self.cards, at)

    def remove(self, card: i64) -> None:
        """Takes a card out that everyone sees leaving."""
        self.remove_at(self.index_of(card))

    def put_in_order(self, order: vec[i64]) -> None:
        """Lays the cards in this order of kinds, which are those it has."""
        cards = vec[i64](capacity=len(order))
        for card in order:
            at = self.index_of(card)
            cards = append(cards, self.cards[at])
            self.remove_at(at)
        self.cards = cards

    # What others know of it ---------------------------------------------------------------------

    def all_knowers(self) -> i64:
        """Everyone who knows one of its cards."""
        out: i64 = 0
        for slot in self.cards:
            out |= slot
        return out >> KNOWERS

    def show_to(self, knowers: i64) -> None:
        at: i64 = 0
        while at < len(self.cards):
            self.cards[at] |= knowers << KNOWERS
            at += 1

    def known(self, card: i64, knower: i64) -> i64:
        """How many cards of this kind this player surely knows to be here."""
        n: i64 = 0
        bit = BIT[knower] << KNOWERS
        for slot in self.cards:
            if slot & KIND == card and slot & bit:
                n += 1
        return n

    def set_known(self, card: i64, knower: i64, number: i64) -> None:
        bit = BIT[knower] << KNOWERS
        at: i64 = 0
        while at < len(self.cards):
            if self.cards[at] & KIND == card:
                if number > 0:
                    self.cards[at] |= bit
                    number -= 1
                else:
                    self.cards[at] &= ~bit
            at += 1


def take_unseen(hand: Hand, owner: i64, cards: vec[i64], receivers: vec[i64], excluded_kind: i64 = -1) -> vec[i64]:
    """Takes cards out that only the owner and their receivers see; returns who knows each of them then.

    Somebody else who knows c of a kind among n cards, of which m go away unseen, is sure of c - m that stay, and of
    m - (n - c) among them. `excluded_kind` is a kind that cannot be among them.
    """
    knowers = vec[i64](capacity=len(cards))
    for receiver in receivers:
        knowers = append(knowers, bit_of(owner) | bit_of(receiver))
    strangers = hand.all_knowers() & ~bit_of(owner)
    after: list[Memory] = []
    knower: i64 = 0
    while knower <= SPECTATOR:
        if strangers & BIT[knower]:
            after += still_known(hand, knower, cards, receivers, knowers, excluded_kind)
        knower += 1
    for card in cards:
        hand.remove(card)
    for memory in after:
        hand.set_known(memory.card, memory.knower, memory.number)
    return knowers


def bit_of(player: i64) -> i64:
    return 0 if player == NOBODY else BIT[player]


class Memory:
    """So many cards of a kind somebody surely knows to be in a hand."""

    def __init__(self, knower: i64, card: i64, number: i64) -> None:
        self.knower: i64 = knower
        self.card: i64 = card
        self.number: i64 = number


def still_known(
    hand: Hand, knower: i64, cards: vec[i64], receivers: vec[i64], knowers: vec[i64], excluded_kind: i64
) -> list[Memory]:
    """What somebody still knows of a hand when these cards have left it; what went along is noted in `knowers`."""
    out: list[Memory] = []
    seen = times_in(receivers, knower)
    unseen: i64 = len(cards) - seen
    uncertain = hand.size() - seen - (hand.known(excluded_kind, knower) if excluded_kind >= 0 else i64(0))
    at: i64 = 0
    while at < hand.size():
        card = hand.kind(at)
        number = hand.known(card, knower)
        if number and hand.index_of(card) == at:
            if card != excluded_kind:
                number -= number_to(cards, receivers, card, knower)
                if number < 0:
                    number = 0
                mark_known_parcels(knowers, cards, receivers, card, knower, uncertain - number)
                number -= unseen
            out.append(Memory(knower, card, number))
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
    """Lets somebody know of cards that must be in a parcel, since there are only so many others to fill it with."""
    at: i64 = 0
    while at < len(cards):
        receiver = receivers[at]
        if cards[at] == card and receiver != knower:
            told: i64 = 0
            place: i64 = 0
            while place < len(cards):
                if receivers[place] == receiver and cards[place] == card and knowers[place] & BIT[knower]:
                    told += 1
                place += 1
            if told < times_in(receivers, receiver) - others:
                knowers[at] |= BIT[knower]
        at += 1
