"""Choosing one's own cards, to give them away or to dispose of them."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64, mypyc_attr

from fuda.engine.core import ANSWER_WHAT_IS_ASKED, HOLD_IT, Rule
from fuda.engine.gather import Ask, Choice, Gather
from fuda.engine.notes import NO_CARD
from fuda.engine.seats import NOBODY
from fuda.games.frantic.deck import CURSE_CARD, FIRST_EVENT, FUCK_YOU_CARD, NONE, PASS
from fuda.games.frantic.moving import dispose, give
from fuda.games.frantic.refusals import CURSE_STAYS, FUCK_YOU_STAYS, NONE_OR_TWO
from fuda.games.frantic.state import CardAsk, Frantic

TO_GIVE: Final = 0
TO_TRUST: Final = 1
TO_DISPOSE: Final = 2
TO_PRESENT: Final = 3
TO_FUND: Final = 4
TO_SHOOT: Final = 5
TO_SACRIFICE: Final = 6
SACRIFICED: Final = 2
PURPOSES: Final = ["give", "trust fall", "dispose", "surprise party", "crowdfunding", "russian roulette", "seppuku"]


@mypyc_attr(acyclic=True)
class Pick(CardAsk):
    """Asks for one of the player's own cards; `left` is how many are still to be picked, this one included."""

    kind = "pick"
    waiting_kind = "choose"
    arguments = ("player", "purpose", "left", "receiver")
    countdown = "left"

    def __init__(self, player: i64, purpose: i64, left: i64 = 1, receiver: i64 = NOBODY) -> None:
        super().__init__(player)
        self.purpose: i64 = purpose
        self.left: i64 = left
        self.receiver: i64 = receiver

    def is_together(self) -> bool:
        """F-5: presents, funds and shots are chosen by all at the same time."""
        return self.purpose in (TO_PRESENT, TO_FUND, TO_SHOOT)

    def excluded_kind(self) -> i64:
        """F-28, F-29: Fuck You is not given, Curse is not disposed of."""
        if self.purpose == TO_GIVE:
            return FUCK_YOU_CARD
        return CURSE_CARD if self.purpose in (TO_DISPOSE, TO_SACRIFICE) else NONE

    def may_pass(self) -> bool:
        """F-33: a sacrifice is of two cards or of none."""
        return self.purpose == TO_SACRIFICE and self.left == SACRIFICED

    def moves(self, s: Frantic) -> vec[i64]:
        cards = super().moves(s)
        return append(cards, PASS) if self.may_pass() and len(cards) else cards

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        if move == PASS and self.purpose == TO_SACRIFICE:
            return NONE_OR_TWO
        if move >= FIRST_EVENT:
            return ANSWER_WHAT_IS_ASKED
        if move == self.excluded_kind() and s.hands[self.player].has(move):
            return FUCK_YOU_STAYS if move == FUCK_YOU_CARD else CURSE_STAYS
        return HOLD_IT

    def choice(self, s: Frantic, move: i64) -> Choice:
        return Choice(NO_CARD if move == PASS else move, self.receiver)

    def next(self, s: Frantic) -> Ask | None:
        if self.left == 1 or s.chosen[self.player][-1].card == NO_CARD:
            return None
        return Pick(self.player, self.purpose, self.left - 1, self.receiver)


class HandOver(Gather):
    """Two cards, as far as the owner has them, go to a receiver: Gift, Trust Fall."""

    kind = "hand over"
    arguments = ("owner", "receiver", "purpose")

    def __init__(self, owner: i64, receiver: i64, purpose: i64) -> None:
        super().__init__()
        self.owner: i64 = owner
        self.receiver: i64 = receiver
        self.purpose: i64 = purpose

    def pick(self) -> Pick:
        return Pick(self.owner, self.purpose, left=2, receiver=self.receiver)

    def asks(self, s: Frantic) -> list[Ask]:
        return [self.pick()]

    def carry_out(self, s: Frantic, chosen: list[list[Choice]]) -> None:
        give(s, self.owner, cards_of(chosen[self.owner]), self.receiver, "give", self.pick().excluded_kind())


class Dispose(Gather):
    """F-25: cards of the owner's choice go under the discard pile."""

    kind = "dispose"
    arguments = ("owner",)

    def __init__(self, owner: i64, number: i64 = 0) -> None:
        super().__init__()
        self.owner: i64 = owner
        self.number: i64 = number
        """How many; 0 in a given position, which only says how many are left to pick: at most as many as players."""

    def asks(self, s: Frantic) -> list[Ask]:
        return [Pick(self.owner, TO_DISPOSE, left=self.number or s.players)]

    def carry_out(self, s: Frantic, chosen: list[list[Choice]]) -> None:
        dispose(s, self.owner, cards_of(chosen[self.owner]))


class Sacrifice(Gather):
    """F-33: two cards of the owner's choice go under the discard pile, or none."""

    kind = "sacrifice"
    arguments = ("owner",)

    def __init__(self, owner: i64) -> None:
        super().__init__()
        self.owner: i64 = owner

    def asks(self, s: Frantic) -> list[Ask]:
        return [Pick(self.owner, TO_SACRIFICE, left=SACRIFICED)]

    def carry_out(self, s: Frantic, chosen: list[list[Choice]]) -> None:
        dispose(s, self.owner, cards_of(chosen[self.owner]))


def cards_of(choices: list[Choice]) -> vec[i64]:
    out = vec[i64](capacity=len(choices))
    for choice in choices:
        if choice.card != NO_CARD:
            out = append(out, choice.card)
    return out
