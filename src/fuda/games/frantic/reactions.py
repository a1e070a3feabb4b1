"""Cards that are thrown in when something happens: Counterattack, Lucky Bastard, Nice Try."""

from __future__ import annotations

from typing import ClassVar

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.core import ANSWER_WHAT_IS_ASKED, HOLD_IT, Rule, Step
from fuda.games.frantic.deck import MIMICRY_CARD, PASS
from fuda.games.frantic.state import Frantic


class Reaction(Step):
    """A-2: asks whether a card, or Mimicry in its place, is thrown in; also of players who do not hold it."""

    arguments: ClassVar[tuple[str, ...]] = ("player",)

    def is_reaction(self) -> bool:
        return True

    def reaction_card(self) -> i64:
        """The card that can be thrown in here."""
        raise NotImplementedError

    def moves(self, s: Frantic) -> vec[i64]:
        out = vec[i64](capacity=3)
        hand = s.hands[self.player]
        if hand.has(self.reaction_card()):
            out = append(out, self.reaction_card())
        if hand.has(MIMICRY_CARD):
            out = append(out, MIMICRY_CARD)
        return append(out, PASS)

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        return HOLD_IT if move in (self.reaction_card(), MIMICRY_CARD) else ANSWER_WHAT_IS_ASKED
