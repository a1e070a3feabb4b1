"""Events in which all give cards away at once: Surprise Party, Merry Christmas, Crowdfunding (F-5)."""

from __future__ import annotations

from typing import Any

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.core import Step
from fuda.engine.gather import Ask, Choice
from fuda.games.frantic.choosing import TO_FUND, TO_PRESENT, Pick
from fuda.games.frantic.deck import CROWDFUNDING, FIRST_SEAT, MERRY_CHRISTMAS, NAMES, SURPRISE_PARTY
from fuda.games.frantic.events.occasion import EventGather, Occasion, TargetAsk, extremes
from fuda.games.frantic.hand import CARD_MASK, KNOWERS_SHIFT, Hand, take_unseen
from fuda.games.frantic.moving import tell_given
from fuda.games.frantic.state import Frantic


class GiveAway(EventGather):
    """All chosen cards change hands at once, each to its receiver."""

    kind = "unwrap"
    arguments = ("owner", "protected", "event")

    def __init__(self, owner: i64, protected: i64, event: i64) -> None:
        super().__init__(owner, protected)
        self.event: i64 = event

    def is_possible(self, s: Frantic, before: Step | None) -> bool:
        return self.event in (SURPRISE_PARTY, MERRY_CHRISTMAS, CROWDFUNDING)

    def asks(self, s: Frantic) -> list[Ask]:
        if self.event == SURPRISE_PARTY:
            return presents(s, self.occasion())
        if self.event == MERRY_CHRISTMAS:
            return parcels(s, self.occasion())
        return funds(s, self.occasion())

    def carry_out(self, s: Frantic, chosen: list[list[Choice]]) -> None:
        received = [Hand(vec[i64]()) for _ in range(s.players)]
        for giver in self.occasion().order(s):
            send_parcels(s, giver, chosen[giver], received)
        player: i64 = 0
        while player < s.players:
            for slot in received[player].slots:
                s.hands[player].add(slot & CARD_MASK, slot >> KNOWERS_SHIFT)
            player += 1


def send_parcels(s: Frantic, giver: i64, choices: list[Choice], received: list[Hand]) -> None:
    """Takes the chosen cards out of the giver's hand and puts them with what their receivers get."""
    cards = vec[i64](capacity=len(choices))
    receivers = vec[i64](capacity=len(choices))
    for choice in choices:
        cards = append(cards, choice.card)
        receivers = append(receivers, choice.target)
    knowers = take_unseen(s.hands[giver], giver, cards, receivers)
    receiver: i64 = 0
    while receiver < s.players:
        parcel = vec[i64]()
        at: i64 = 0
        while at < len(cards):
            if receivers[at] == receiver:
                received[receiver].add(cards[at], knowers[at])
                parcel = append(parcel, cards[at])
            at += 1
        tell_given(s, giver, parcel, receiver, "give")
        receiver += 1


# Surprise Party: everyone gives one card to a player of their choice ------------------------------


def surprise_party(s: Frantic, e: Occasion) -> None:
    if len(e.order(s)) > 1:
        s.gather([GiveAway(e.owner, e.protected, SURPRISE_PARTY)])


def presents(s: Frantic, e: Occasion) -> list[Ask]:
    asks: list[Ask] = []
    for player in e.order(s):
        if s.hand_size(player):
            asks += [Pick(player, TO_PRESENT), ForWhom(player, e.protected)]
    return asks


class ForWhom(TargetAsk):
    """Who gets the card that was just chosen."""

    kind = "for whom"
    may_wait = True

    def completes(self) -> bool:
        return True

    def own_facts(self, s: Frantic) -> dict[str, Any]:
        return {"card": NAMES[s.chosen[self.player][-1].card]}

    def choice(self, s: Frantic, move: i64) -> Choice:
        return Choice(s.chosen[self.player][-1].card, move - FIRST_SEAT)


# Merry Christmas: everyone gives away the whole hand, split among the others ----------------------


def merry_christmas(s: Frantic, e: Occasion) -> None:
    if len(e.order(s)) > 1:
        s.gather([GiveAway(e.owner, e.protected, MERRY_CHRISTMAS)])


def parcels(s: Frantic, e: Occasion) -> list[Ask]:
    return [Wrap(player, e.protected) for player in e.order(s)]


class Wrap(TargetAsk):
    """Who gets the next card, in the order of the hand; nobody is asked without cards."""

    kind = "merry christmas"
    waiting_kind = "start wrapping"

    def number(self, s: Frantic) -> i64:
        """How many cards are wrapped already."""
        return len(s.chosen[self.player])

    def facts(self, s: Frantic) -> dict[str, Any]:
        return {"left": s.hand_size(self.player) - self.number(s)}

    def own_facts(self, s: Frantic) -> dict[str, Any]:
        return {"card": NAMES[s.hands[self.player].card_at(self.number(s))]}

    def moves(self, s: Frantic) -> vec[i64]:
        return super().moves(s) if self.number(s) < s.hand_size(self.player) else vec[i64]()

    def choice(self, s: Frantic, move: i64) -> Choice:
        return Choice(s.hands[self.player].card_at(self.number(s)), move - FIRST_SEAT)

    def next(self, s: Frantic) -> Ask | None:
        return self if self.number(s) < s.hand_size(self.player) else None


# Crowdfunding: everyone gives a card to each player with the fewest cards -------------------------


def crowdfunding(s: Frantic, e: Occasion) -> None:
    s.gather([GiveAway(e.owner, e.protected, CROWDFUNDING)])


def funds(s: Frantic, e: Occasion) -> list[Ask]:
    order = e.order(s)
    receivers = extremes(s, order, most=False)
    return [Pick(giver, TO_FUND, receiver=receiver) for giver in order if giver not in receivers for receiver in receivers]
