"""What a card does to its victim once nobody counters it any more."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from fuda.engine.cards import BIT
from fuda.engine.core import ANSWER_WHAT_IS_ASKED, Rule, Step
from fuda.engine.seats import NOBODY
from fuda.games.frantic.deck import (
    EQUALITY,
    EXCHANGE,
    FANTASTIC_FOUR,
    FUCK_YOU_CARD,
    GIFT,
    INEQUALITY,
    KINDS,
    NONE,
    SKIP,
    SPECIAL_FAVOURS,
    SYMBOL,
    THIEF,
    is_numeral,
)
from fuda.games.frantic.hand import part_with
from fuda.games.frantic.moving import blind, draw, give, lift, receive, send, take_blind, tell_given
from fuda.games.frantic.refusals import (
    FUCK_YOU_STAYS,
)
from fuda.games.frantic.state import Frantic, FranticStep
from fuda.games.frantic.steps import TO_GIVE, Choose, HandOver, choose_anew, free_in, is_choice_for

# What happens to the victim -----------------------------------------------------------------------


def strike(s: Frantic, card: i64, owner: i64, victim: i64, amount: i64) -> None:
    symbol = SYMBOL[card]
    if symbol == GIFT:
        s.then([Choose(owner, TO_GIVE, 2, victim), HandOver(owner, victim, TO_GIVE)])
    elif symbol == EXCHANGE:
        s.then([Choose(owner, TO_GIVE, 2, victim), Swap(owner, victim)])
    elif symbol == SKIP:
        s.skipped |= BIT[victim]
        s.tell("skip", victim)
    elif symbol == THIEF:
        s.hands[victim].show_to(BIT[owner])
        cards = s.hands[victim].kinds()
        s.tell_of("look", owner, cards, seats=BIT[victim], witnesses=BIT[owner])
        s.then([Robbing(owner, victim, 2), Loot(owner, victim)])
    elif symbol == FANTASTIC_FOUR:
        s.owed[victim] += amount
    elif symbol == EQUALITY:
        draw(s, victim, s.hand_size(owner) - s.hand_size(victim))
    elif symbol == INEQUALITY:
        take_blind(s, victim, owner, (s.hand_size(owner) - s.hand_size(victim)) // 2 + 1)
    elif symbol == SPECIAL_FAVOURS:
        swap_specials(s, owner, victim)


class Swap(FranticStep):
    """Exchange: what was chosen goes one way, as many as two of the old hand, drawn blind, the other way."""

    kind = "exchange"
    parts = ("owner", "receiver")

    def __init__(self, owner: i64, receiver: i64) -> None:
        super().__init__()
        self.owner: i64 = owner
        self.receiver: i64 = receiver

    def run(self, s: Frantic) -> None:
        given = s.choices(self.owner)
        taken = blind(s, self.receiver, 2)
        to_receiver = vec[i64]([self.receiver, self.receiver])[: len(given)]
        to_owner = vec[i64]([self.owner, self.owner])[: len(taken)]
        knowers_given = part_with(s.hands[self.owner], self.owner, given, to_receiver, FUCK_YOU_CARD)
        send(s, self.receiver, taken, to_owner)
        at: i64 = 0
        while at < len(given):
            s.hands[self.receiver].add(given[at], knowers_given[at])
            at += 1
        tell_given(s, self.owner, given, self.receiver, "give")
        tell_given(s, self.receiver, taken, self.owner, "blind")

    def carries_out(self, player: i64) -> bool:
        return player == self.owner

    def is_meant_by(self, step: Step) -> bool:
        return is_choice_for(step, TO_GIVE, self.receiver)

    def accepts(self, s: Frantic, player: i64, card: i64, receiver: i64) -> bool:
        return card < KINDS and card != FUCK_YOU_CARD

    def imagine(self, s: Frantic, player: i64) -> None:
        choose_anew(s, player, player, FUCK_YOU_CARD, self.receiver)


class Robbing(FranticStep):
    """Thief: has cards of the victim chosen, as many as there are, up to a number."""

    kind = "rob"
    parts = ("owner", "victim", "left")

    def __init__(self, owner: i64, victim: i64, left: i64) -> None:
        super().__init__()
        self.owner: i64 = owner
        self.victim: i64 = victim
        self.left: i64 = left

    def run(self, s: Frantic) -> None:
        if len(free_in(s.hands[self.victim], s.chosen[self.owner], FUCK_YOU_CARD)):
            s.push(Steal(self.owner, self.victim, self.left))

    def chooser(self) -> i64:
        return self.owner


class Steal(FranticStep):
    """A card of the victim, whose hand the thief sees; never Fuck You (F-28)."""

    kind = "steal"
    parts = ("player", "victim", "left")

    def __init__(self, player: i64, victim: i64, left: i64) -> None:
        super().__init__(player)
        self.victim: i64 = victim
        self.left: i64 = left

    def moves(self, s: Frantic) -> vec[i64]:
        return free_in(s.hands[self.victim], s.chosen[self.player], FUCK_YOU_CARD)

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        if move == FUCK_YOU_CARD and s.hands[self.victim].has(move):
            return FUCK_YOU_STAYS
        return ANSWER_WHAT_IS_ASKED

    def play(self, s: Frantic, move: i64) -> None:
        s.choose(self.player, move)
        if self.left > 1:
            s.push(Robbing(self.player, self.victim, self.left - 1))

    def chooser(self) -> i64:
        return self.player

    def cards_of(self) -> i64:
        return self.victim

    def cannot_choose(self) -> i64:
        return FUCK_YOU_CARD


class Loot(FranticStep):
    """The stolen cards go to the thief."""

    kind = "loot"
    parts = ("owner", "victim")

    def __init__(self, owner: i64, victim: i64) -> None:
        super().__init__()
        self.owner: i64 = owner
        self.victim: i64 = victim

    def run(self, s: Frantic) -> None:
        give(s, self.victim, s.choices(self.owner), self.owner, "steal", FUCK_YOU_CARD)

    def carries_out(self, player: i64) -> bool:
        return player == self.owner

    def is_meant_by(self, step: Step) -> bool:
        return isinstance(step, (Robbing, Steal)) and step.victim == self.victim

    def accepts(self, s: Frantic, player: i64, card: i64, receiver: i64) -> bool:
        return card < KINDS and card != FUCK_YOU_CARD

    def imagine(self, s: Frantic, player: i64) -> None:
        choose_anew(s, player, self.victim, FUCK_YOU_CARD, NOBODY)


class PayUp(FranticStep):
    """F-17: once all have answered, everyone draws what is left to them, in play order from the attacker."""

    kind = "pay up"
    parts = ("owner",)

    def __init__(self, owner: i64) -> None:
        super().__init__()
        self.owner: i64 = owner

    def run(self, s: Frantic) -> None:
        far: i64 = 1
        while far <= s.players:
            victim = s.after(self.owner, far)
            amount = s.owed[victim]
            s.owed[victim] = 0
            draw(s, victim, amount)
            far += 1


def swap_specials(s: Frantic, owner: i64, victim: i64) -> None:
    """Special Favours: all special cards change hands; the owner keeps Fuck You (F-28)."""
    given = lift(s, owner, specials_of(s, owner, FUCK_YOU_CARD))
    taken = lift(s, victim, specials_of(s, victim, NONE))
    receive(s, owner, victim, given, "favour")
    receive(s, victim, owner, taken, "favour")


def specials_of(s: Frantic, player: i64, fixed: i64) -> vec[i64]:
    return vec[i64]([card for card in s.hands[player].kinds() if not is_numeral(card) and card != fixed])
