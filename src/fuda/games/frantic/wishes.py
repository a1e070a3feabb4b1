"""Wishes: the colour or number that the next card must have."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.core import ANSWER_WHAT_IS_ASKED, Rule, Step
from fuda.engine.random import Random
from fuda.games.frantic.deck import COLOUR, COLOUR_SWAP, COLOURS, DRAW, NONE, OTHER, PASS, SYMBOL, WISH_COLOUR, WISH_NUMBER
from fuda.games.frantic.refusals import MAKE_THE_WISH
from fuda.games.frantic.state import Frantic

COLOUR_ONLY: Final = 0
COLOUR_OR_NUMBER: Final = 1


class Wish(Step):
    """F-8: a wish in one's own turn, for a colour, or for a number where the card grants that."""

    kind = "wish"
    arguments = ("player", "numbers")

    def __init__(self, player: i64, numbers: i64) -> None:
        super().__init__(player)
        self.numbers: i64 = numbers
        """COLOUR_ONLY or COLOUR_OR_NUMBER."""

    def count(self) -> i64:
        """How many wishes there are to choose from."""
        return 13 if self.numbers else 4

    def moves(self, s: Frantic) -> vec[i64]:
        return vec[i64](range(WISH_COLOUR, WISH_COLOUR + self.count()))

    def play_random(self, s: Frantic, random: Random) -> None:
        self.play(s, WISH_COLOUR + random.below(self.count()))

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        return MAKE_THE_WISH if move == PASS or WISH_NUMBER < move < DRAW else ANSWER_WHAT_IS_ASKED

    def play(self, s: Frantic, move: i64) -> None:
        wish(s, self.player, move)


class MaybeWish(Step):
    """F-16: after a reaction card its player may also wish for a colour, which replaces the demand."""

    kind = "maybe wish"
    arguments = ("player",)

    def moves(self, s: Frantic) -> vec[i64]:
        return append(vec[i64](range(WISH_COLOUR, WISH_COLOUR + 4)), PASS)

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        return MAKE_THE_WISH if WISH_NUMBER < move < DRAW else ANSWER_WHAT_IS_ASKED

    def play(self, s: Frantic, move: i64) -> None:
        if move != PASS:
            wish(s, self.player, move)


def wish(s: Frantic, player: i64, move: i64) -> None:
    if move < WISH_COLOUR + 4:
        s.demand(move - WISH_COLOUR, 0, NONE)
        if s.log is not None:
            s.tell(f"wish {COLOURS[s.colour]}", player)
    else:
        s.demand(NONE, move - WISH_NUMBER, NONE)
        s.tell("wish number", player, number=s.number)


class SwapColour(Step):
    """Colour Swap by its symbol alone: the player picks one of its colours."""

    kind = "colour"
    arguments = ("player", "card")

    def __init__(self, player: i64, card: i64) -> None:
        super().__init__(player)
        self.card: i64 = card

    def facts(self, s: Frantic) -> dict[str, Any]:
        return {"colours": [COLOURS[COLOUR[self.card]], COLOURS[OTHER[self.card]]]}

    def is_possible(self, s: Frantic, before: Step | None) -> bool:
        return SYMBOL[self.card] == COLOUR_SWAP

    def moves(self, s: Frantic) -> vec[i64]:
        return vec[i64]([WISH_COLOUR + COLOUR[self.card], WISH_COLOUR + OTHER[self.card]])

    def play(self, s: Frantic, move: i64) -> None:
        become(s, self.player, move - WISH_COLOUR)


def become(s: Frantic, player: i64, colour: i64) -> None:
    """F-6, F-26: a Colour Swap demands its new colour, or its symbol."""
    s.demand(colour, 0, COLOUR_SWAP)
    s.last_colour = colour
    if s.log is not None:
        s.tell(f"become {COLOURS[colour]}", player)
