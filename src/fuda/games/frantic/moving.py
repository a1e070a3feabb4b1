"""How cards move between hands, deck and discard pile, and who sees them."""

from __future__ import annotations

from librt.vecs import append, extend, vec
from mypy_extensions import i64

from fuda.engine.cards import BIT
from fuda.engine.seats import NOBODY
from fuda.games.frantic.deck import PLUS_ONE
from fuda.games.frantic.hand import CARD_MASK, KNOWERS_SHIFT, take_unseen
from fuda.games.frantic.state import DECK_OUT, Frantic


def lay(s: Frantic, player: i64, card: i64) -> None:
    """Puts a card of the hand on the discard pile."""
    s.hands[player].remove(card)
    s.discard = append(s.discard, card)


def dispose(s: Frantic, player: i64, cards: vec[i64]) -> None:
    """F-25: puts cards of the hand under the discard pile."""
    if not len(cards):
        return
    for card in cards:
        s.hands[player].remove(card)
    s.discard = extend(cards[:], s.discard)
    s.tell_of("dispose", player, cards, number=len(cards))


def take_top(s: Frantic, player: i64, number: i64) -> vec[i64]:
    """Moves up to `number` cards from the top of the deck to the hand: one, or those of the top layer."""
    if not s.layers:
        card = s.top_card()
        s.hands[player].add(card, BIT[player])
        return vec[i64]([card])
    layer = s.layers[-1]
    order = layer.cards()
    left: i64 = len(order) - number if number < len(order) else 0
    cards = order[left:]
    knowers = take_unseen(layer, NOBODY, cards, vec[i64]([player] * len(cards)))
    layer.put_in_order(order[:left])
    for at in range(len(cards)):
        s.hands[player].add(cards[at], knowers[at])
    if not left:
        s.layers.pop()
    return cards


def turn_up(s: Frantic) -> i64:
    """Takes the top card of the deck and shows it to all."""
    if not s.layers:
        return s.top_card()
    layer = s.layers[-1]
    last: i64 = layer.size() - 1
    card = layer.card_at(last)
    order = layer.cards()[:last]
    layer.remove(card)
    layer.put_in_order(order)
    if not layer.size():
        s.layers.pop()
    return card


def draw(s: Frantic, player: i64, number: i64) -> None:
    """F-30: one instruction to draw. F-11: the round ends if the deck has too few cards."""
    if number <= 0:
        return
    at: i64 = 0
    while at < len(s.lasting):
        if s.lasting[at] == PLUS_ONE and not s.exempt[at] & BIT[player]:
            number += 1
        at += 1
    there = s.deck_size()
    if number > there:
        number = there
        s.end_round(DECK_OUT, 0)
    if s.log is None and not s.layers:
        at = 0
        while at < number:
            s.hands[player].add(s.top_card(), BIT[player])
            at += 1
        return
    drawn = vec[i64](capacity=number)
    while len(drawn) < number:
        drawn = extend(drawn, take_top(s, player, number - len(drawn)))
    if number:
        s.tell_of("draw", player, drawn, number=number, witnesses=BIT[player])


def give(s: Frantic, giver: i64, cards: vec[i64], receiver: i64, note: str, excluded_kind: i64 = -1) -> None:
    """Moves cards to another hand; only the two players see them."""
    receivers = vec[i64](capacity=len(cards))
    for _ in cards:
        receivers = append(receivers, receiver)
    send(s, giver, cards, receivers, excluded_kind)
    tell_given(s, giver, cards, receiver, note)


def tell_given(s: Frantic, giver: i64, cards: vec[i64], receiver: i64, note: str) -> None:
    if len(cards):
        witnesses = BIT[giver] | BIT[receiver]
        s.tell_of(note, giver, cards, seats=BIT[receiver], number=len(cards), witnesses=witnesses)


def send(s: Frantic, giver: i64, cards: vec[i64], receivers: vec[i64], excluded_kind: i64 = -1) -> None:
    """Moves each card to the hand of its receiver; only the giver and the receiver see it."""
    knowers = take_unseen(s.hands[giver], giver, cards, receivers, excluded_kind)
    at: i64 = 0
    while at < len(cards):
        s.hands[receivers[at]].add(cards[at], knowers[at])
        at += 1


def random_cards(s: Frantic, holder: i64, number: i64) -> vec[i64]:
    """F-27: random cards of a hand, at most `number`; they are not moved."""
    left = s.hands[holder].cards()
    out = vec[i64](capacity=number)
    while len(out) < number and len(left):
        card = s.chance.one_of(left, s.chance.names)
        out = append(out, card)
        left = without(left, card)
    return out


def take_blind(s: Frantic, taker: i64, holder: i64, number: i64) -> None:
    give(s, holder, random_cards(s, holder, number), taker, "blind")


def exchange_hands(s: Frantic, a: i64, b: i64) -> None:
    """Swaps two hands; the former holders still know the cards."""
    s.hands[a], s.hands[b] = s.hands[b], s.hands[a]
    s.hands[a].show_to(BIT[a])
    s.hands[b].show_to(BIT[b])


def lift(s: Frantic, player: i64, cards: vec[i64]) -> vec[i64]:
    """Takes out all cards that are among these, as slots: whoever knows a card can follow where it goes."""
    out = vec[i64](capacity=len(cards))
    at: i64 = s.hand_size(player) - 1
    while at >= 0:
        slot = s.hands[player].slots[at]
        if slot & CARD_MASK in cards:
            out = append(out, slot)
            s.hands[player].remove_at(at)
        at -= 1
    return out


def receive(s: Frantic, giver: i64, receiver: i64, slots: vec[i64], note: str) -> None:
    """Puts lifted cards into a hand."""
    cards = vec[i64](capacity=len(slots))
    for slot in slots:
        s.hands[receiver].add(slot & CARD_MASK, slot >> KNOWERS_SHIFT | BIT[receiver])
        cards = append(cards, slot & CARD_MASK)
    tell_given(s, giver, cards, receiver, note)


def without(cards: vec[i64], card: i64) -> vec[i64]:
    """The cards without one copy of this card."""
    out = vec[i64](capacity=len(cards))
    gone = False
    for one in cards:
        if one == card and not gone:
            gone = True
        else:
            out = append(out, one)
    return out
