"""What a card does to its victim once nobody counters it any more."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from fuda.engine.cards import BIT
from fuda.engine.core import ANSWER_WHAT_IS_ASKED, Rule, Step
from fuda.engine.gather import Ask, Choice, Gather
from fuda.games.frantic.choosing import TO_GIVE, HandOver, Pick, cards_of
from fuda.games.frantic.deck import (
    EQUALITY,
    EXCHANGE,
    FANTASTIC_FOUR,
    FUCK_YOU_CARD,
    GIFT,
    INEQUALITY,
    NONE,
    SKIP,
    SPECIAL_FAVOURS,
    SYMBOL,
    THIEF,
    is_numeral,
)
from fuda.games.frantic.hand import take_unseen
from fuda.games.frantic.moving import draw, give, lift, random_cards, receive, send, take_blind, tell_given
from fuda.games.frantic.refusals import FUCK_YOU_STAYS
from fuda.games.frantic.state import CardAsk, Frantic


def strike(s: Frantic, card: i64, owner: i64, victim: i64, share: i64) -> None:
    symbol = SYMBOL[card]
    if symbol == GIFT:
        s.gather([HandOver(owner, victim, TO_GIVE)])
    elif symbol == EXCHANGE:
        s.gather([Exchange(owner, victim)])
    elif symbol == SKIP:
        s.skipped |= BIT[victim]
        s.tell("skip", victim)
    elif symbol == THIEF:
        s.hands[victim].show_to(BIT[owner])
        cards = s.hands[victim].cards()
        s.tell_of("look", owner, cards, seats=BIT[victim], witnesses=BIT[owner])
        s.gather([Loot(owner, victim)])
    elif symbol == FANTASTIC_FOUR:
        s.owed[victim] += share
    elif symbol == EQUALITY:
        draw(s, victim, s.hand_size(owner) - s.hand_size(victim))
    elif symbol == INEQUALITY:
        take_blind(s, victim, owner, (s.hand_size(owner) - s.hand_size(victim)) // 2 + 1)
    elif symbol == SPECIAL_FAVOURS:
        swap_specials(s, owner, victim)


class Exchange(Gather):
    """The chosen cards go to the receiver; up to two cards of the receiver's old hand, drawn blind, come back."""

    kind = "exchange"
    arguments = ("owner", "receiver")

    def __init__(self, owner: i64, receiver: i64) -> None:
        super().__init__()
        self.owner: i64 = owner
        self.receiver: i64 = receiver

    def asks(self, s: Frantic) -> list[Ask]:
        return [Pick(self.owner, TO_GIVE, left=2, receiver=self.receiver)]

    def carry_out(self, s: Frantic, chosen: list[list[Choice]]) -> None:
        given = cards_of(chosen[self.owner])
        taken = random_cards(s, self.receiver, 2)
        to_receiver = vec[i64]([self.receiver, self.receiver])[: len(given)]
        to_owner = vec[i64]([self.owner, self.owner])[: len(taken)]
        knowers_given = take_unseen(s.hands[self.owner], self.owner, given, to_receiver, FUCK_YOU_CARD)
        send(s, self.receiver, taken, to_owner)
        at: i64 = 0
        while at < len(given):
            s.hands[self.receiver].add(given[at], knowers_given[at])
            at += 1
        tell_given(s, self.owner, given, self.receiver, "give")
        tell_given(s, self.receiver, taken, self.owner, "blind")


class Steal(CardAsk):
    """Asks for a card of the victim, whose hand the thief sees; never Fuck You (F-28)."""

    kind = "steal"
    waiting_kind = "rob"
    arguments = ("player", "victim", "left")
    countdown = "left"

    def __init__(self, player: i64, victim: i64, left: i64) -> None:
        super().__init__(player)
        self.victim: i64 = victim
        self.left: i64 = left

    def holder(self) -> i64:
        return self.victim

    def excluded_kind(self) -> i64:
        return FUCK_YOU_CARD

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        if move == FUCK_YOU_CARD and s.hands[self.victim].has(move):
            return FUCK_YOU_STAYS
        return ANSWER_WHAT_IS_ASKED

    def choice(self, s: Frantic, move: i64) -> Choice:
        return Choice(move)

    def next(self, s: Frantic) -> Ask | None:
        return Steal(self.player, self.victim, self.left - 1) if self.left > 1 else None


class Loot(Gather):
    """Thief: up to two cards of the victim go to the thief."""

    kind = "loot"
    arguments = ("owner", "victim")

    def __init__(self, owner: i64, victim: i64) -> None:
        super().__init__()
        self.owner: i64 = owner
        self.victim: i64 = victim

    def asks(self, s: Frantic) -> list[Ask]:
        return [Steal(self.owner, self.victim, left=2)]

    def carry_out(self, s: Frantic, chosen: list[list[Choice]]) -> None:
        give(s, self.victim, cards_of(chosen[self.owner]), self.owner, "steal", FUCK_YOU_CARD)


class DrawOwed(Step):
    """F-17: once all have answered Fantastic Four, everyone draws their share, in play order from the attacker."""

    kind = "pay up"
    arguments = ("owner",)

    def __init__(self, owner: i64) -> None:
        super().__init__()
        self.owner: i64 = owner

    def run(self, s: Frantic) -> None:
        far: i64 = 1
        while far <= s.players:
            victim = s.after(self.owner, far)
            number = s.owed[victim]
            s.owed[victim] = 0
            draw(s, victim, number)
            far += 1


def swap_specials(s: Frantic, owner: i64, victim: i64) -> None:
    """Special Favours: all special cards change hands; the owner keeps Fuck You (F-28)."""
    given = lift(s, owner, specials_of(s, owner, excluded_kind=FUCK_YOU_CARD))
    taken = lift(s, victim, specials_of(s, victim, excluded_kind=NONE))
    receive(s, owner, victim, given, "favour")
    receive(s, victim, owner, taken, "favour")


def specials_of(s: Frantic, player: i64, excluded_kind: i64) -> vec[i64]:
    return vec[i64]([card for card in s.hands[player].cards() if not is_numeral(card) and card != excluded_kind])
