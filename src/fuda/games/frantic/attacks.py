"""Cards played against somebody: their targets, and the window for a Counterattack (F-12 to F-18)."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.cards import BIT
from fuda.engine.codecs import share, with_share
from fuda.engine.core import Rule, Step
from fuda.engine.seats import SEATS
from fuda.games.frantic.deck import (
    COUNTERATTACK_CARD,
    EQUALITY,
    EXCHANGE,
    FANTASTIC_FOUR,
    FANTASTIC_FOUR_CARD,
    FIRST_SEAT,
    GIFT,
    INEQUALITY,
    PASS,
    SKIP,
    SPECIAL_FAVOURS,
    SYMBOL,
    THIEF,
)
from fuda.games.frantic.moving import lay
from fuda.games.frantic.reactions import Reaction
from fuda.games.frantic.refusals import (
    FIT_THE_CARD,
    IN_PLAY_ORDER,
    rule_against_target,
)
from fuda.games.frantic.state import Frantic
from fuda.games.frantic.strikes import DrawOwed, strike
from fuda.games.frantic.wishes import COLOUR_ONLY, COLOUR_OR_NUMBER, MaybeWish, Wish

FOUR: Final = 4
COUNTERABLE: Final = [GIFT, EXCHANGE, SKIP, THIEF, FANTASTIC_FOUR, EQUALITY, INEQUALITY, SPECIAL_FAVOURS]
"""F-14: no other card, and no event, can be countered."""


def may_hit(s: Frantic, owner: i64, target: i64, card: i64) -> bool:
    """F-12, F-34: whether the owner's card can hit this target."""
    symbol = SYMBOL[card]
    if target == owner:
        return False
    if symbol == EXCHANGE:
        return s.hand_size(target) > 0
    if symbol == SKIP:
        return not s.is_skipped(target)
    if symbol == EQUALITY:
        return s.hand_size(target) < s.hand_size(owner)
    if symbol == INEQUALITY:
        return s.hand_size(target) <= s.hand_size(owner)
    return True


def targets(s: Frantic, owner: i64, card: i64) -> vec[i64]:
    """The seats that this card can hit, as moves."""
    out = vec[i64](capacity=8)
    target: i64 = 0
    while target < s.players:
        if may_hit(s, owner, target, card):
            out = append(out, FIRST_SEAT + target)
        target += 1
    return out


# Naming a target ----------------------------------------------------------------------------------


class Aim(Step):
    """Asks for a player whom a card can hit."""

    arguments: ClassVar[tuple[str, ...]] = ("player", "card")

    def __init__(self, player: i64, card: i64) -> None:
        super().__init__(player)
        self.card: i64 = card

    def moves(self, s: Frantic) -> vec[i64]:
        return targets(s, self.player, self.card)

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        return rule_against_target(s, self.player, move, FIT_THE_CARD)


class Target(Aim):
    """The target of a coloured card."""

    kind = "target"

    def is_possible(self, s: Frantic, before: Step | None) -> bool:
        return SYMBOL[self.card] in (EXCHANGE, SKIP, GIFT, THIEF)

    def play(self, s: Frantic, move: i64) -> None:
        target = move - FIRST_SEAT
        s.tell("aim", self.player, self.card, seats=BIT[target])
        s.push(CounterWindow(target, self.card, owner=self.player))


def aim(s: Frantic, player: i64, card: i64) -> None:
    """Has a target named; F-13: without a legal one the card has no effect."""
    if len(targets(s, player, card)):
        s.push(Target(player, card))
    else:
        s.tell("no target", player, card)


class TargetOrWish(Aim):
    """F-9: the target of a wish card, or the wish alone."""

    kind = "target or wish"

    def is_possible(self, s: Frantic, before: Step | None) -> bool:
        return SYMBOL[self.card] in (EQUALITY, INEQUALITY, SPECIAL_FAVOURS)

    def moves(self, s: Frantic) -> vec[i64]:
        return append(super().moves(s), PASS)

    def play(self, s: Frantic, move: i64) -> None:
        if move == PASS:
            s.push(Wish(self.player, COLOUR_ONLY))
            return
        target = move - FIRST_SEAT
        s.tell("aim", self.player, self.card, seats=BIT[target])
        s.then([Wish(self.player, COLOUR_ONLY), CounterWindow(target, self.card, owner=self.player)])


def aim_and_wish(s: Frantic, player: i64, card: i64) -> None:
    if len(targets(s, player, card)):
        s.push(TargetOrWish(player, card))
    else:
        s.tell("no target", player, card)
        s.push(Wish(player, COLOUR_ONLY))


class Split(Step):
    """Fantastic Four: who draws the next of the four cards, in play order; or the wish alone (F-9, F-38)."""

    kind = "split"
    arguments = ("player", "shares", "left")

    def __init__(self, player: i64, shares: i64, left: i64) -> None:
        super().__init__(player)
        self.shares: i64 = shares
        self.left: i64 = left

    def facts(self, s: Frantic) -> dict[str, Any]:
        return {} if self.left == FOUR else {"last": SEATS[s.after(self.player, self.last(s))]}

    def is_possible(self, s: Frantic, before: Step | None) -> bool:
        named: i64 = 0
        for player in range(s.players):
            named += share(self.shares, player)
        return self.left > 0 and named + self.left == FOUR and not share(self.shares, self.player)

    def last(self, s: Frantic) -> i64:
        """How far from the attacker the last one named sits."""
        far: i64 = s.players - 1
        while far > 1 and not share(self.shares, s.after(self.player, far)):
            far -= 1
        return far if share(self.shares, s.after(self.player, far)) else i64(1)

    def moves(self, s: Frantic) -> vec[i64]:
        out = vec[i64](capacity=8)
        target: i64 = 0
        last = self.last(s)
        while target < s.players:
            if target != self.player and distance(s, self.player, target) >= last:
                out = append(out, FIRST_SEAT + target)
            target += 1
        return append(out, PASS) if self.left == FOUR else out

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        return rule_against_target(s, self.player, move, IN_PLAY_ORDER)

    def play(self, s: Frantic, move: i64) -> None:
        if move == PASS:
            s.push(Wish(self.player, COLOUR_OR_NUMBER))
            return
        shares = with_share(self.shares, move - FIRST_SEAT, 1)
        if self.left > 1:
            s.push(Split(self.player, shares, self.left - 1))
            return
        steps: list[Step] = [Wish(self.player, COLOUR_OR_NUMBER)]
        far: i64 = 1
        while far < s.players:
            victim = s.after(self.player, far)
            if share(shares, victim):
                s.tell("share", self.player, seats=BIT[victim], number=share(shares, victim))
                steps.append(CounterWindow(victim, FANTASTIC_FOUR_CARD, self.player, share(shares, victim)))
            far += 1
        steps.append(DrawOwed(self.player))
        s.then(steps)


def distance(s: Frantic, a: i64, b: i64) -> i64:
    """How many seats b is after a in play order."""
    return b - a if b >= a else b - a + s.players


# The window for a Counterattack -------------------------------------------------------------------


class CounterWindow(Reaction):
    """F-15: the victim, holding a Counterattack or not, answers before anything happens."""

    kind = "counterattack"
    arguments = ("player", "card", "owner", "share")
    may_wait = True

    def __init__(self, player: i64, card: i64, owner: i64, share: i64 = 0) -> None:
        super().__init__(player)
        self.card: i64 = card
        self.owner: i64 = owner
        self.share: i64 = share
        """How many cards Fantastic Four makes the victim draw."""

    def is_possible(self, s: Frantic, before: Step | None) -> bool:
        waits_for = (Wish, MaybeWish, Redirect, CounterWindow) if self.card == FANTASTIC_FOUR_CARD else (Wish, MaybeWish)
        if before is not None and not isinstance(before, waits_for):
            return False
        return SYMBOL[self.card] in COUNTERABLE and may_hit(s, self.owner, self.player, self.card)

    def reaction_card(self) -> i64:
        return COUNTERATTACK_CARD

    def play(self, s: Frantic, move: i64) -> None:
        if move == PASS:
            strike(s, self.card, self.owner, self.player, self.share)
            return
        lay(s, self.player, move)
        s.tell("counter", self.player, move, seats=BIT[self.owner])
        if len(targets(s, self.player, self.card)):
            s.push(Redirect(self.player, self.card, self.share))
        else:
            s.push(MaybeWish(self.player))


class Redirect(Aim):
    """F-16: the counterer may become the owner of the effect; the new victim may counter in turn."""

    kind = "redirect"
    arguments = ("player", "card", "share")

    def __init__(self, player: i64, card: i64, share: i64) -> None:
        super().__init__(player, card)
        self.share: i64 = share

    def is_possible(self, s: Frantic, before: Step | None) -> bool:
        return SYMBOL[self.card] in COUNTERABLE

    def moves(self, s: Frantic) -> vec[i64]:
        return append(super().moves(s), PASS)

    def play(self, s: Frantic, move: i64) -> None:
        if move == PASS:
            s.push(MaybeWish(self.player))
            return
        target = move - FIRST_SEAT
        s.tell("redirect", self.player, self.card, seats=BIT[target])
        s.then([MaybeWish(self.player), CounterWindow(target, self.card, self.player, self.share)])
