"""The rules of Frantic that can refuse a move."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from mypy_extensions import i64

from fuda.engine.core import ANSWER_WHAT_IS_ASKED, HOLD_IT, Rule
from fuda.games.frantic.deck import (
    COLOURS,
    CURSE_CARD,
    FIRST_EVENT,
    FIRST_SEAT,
    FUCK_YOU_CARD,
    NAMES,
    is_black,
)
from fuda.games.frantic.state import TO_PLAY_FUCK_YOU, Frantic


class FollowTheTop(Rule):
    id = "F-6"
    text = "Play the demanded colour, number or symbol, or a colourless card."
    reasons: ClassVar[dict[str, str]] = {
        "F-6, colour": "Demanded: {colour}.",
        "F-6, colour, number": "Demanded: {colour} or {number}.",
        "F-6, colour, symbol": "Demanded: {colour} or {symbol}.",
        "F-6, number": "Demanded: {number}.",
        "F-6, symbol": "Demanded: {symbol}.",
    }

    def facts(self, s: Frantic, player: i64, move: i64) -> dict[str, Any]:
        return s.demanded()


class BlackOnItsNumber(Rule):
    id = "F-7"
    text = "A black card is played on its own number alone, and never on a black card."
    because = "No number is demanded."
    reasons: ClassVar[dict[str, str]] = {
        "F-7, number": "Demanded: {number}.",
        "F-7, number, top": "Demanded: {number}; on top: {top}.",
        "F-7, top": "No number is demanded; on top: {top}.",
    }

    def facts(self, s: Frantic, player: i64, move: i64) -> dict[str, Any]:
        return {"number": s.number, "top": NAMES[s.discard[-1]] if len(s.discard) else None}


class MakeTheWish(Rule):
    id = "F-8"
    text = "Whoever plays a wish card in their own turn wishes; a number only with Fantastic and Fantastic Four."


class PlayOrDraw(Rule):
    id = "F-10"
    text = "In your turn play a card or draw one; only after drawing may you pass."


class NothingToDraw(Rule):
    id = "F-11"
    text = "The deck is never shuffled anew."
    because = "It is empty, so there is nothing to draw."


class NotYourself(Rule):
    id = "F-12"
    text = "Nobody can be the target of their own effect."
    because = "{move} is you."


class FuckYouStays(Rule):
    id = "F-28"
    text = "Fuck You is never given by choice with Gift, Exchange or one's own Special Favours, and never stolen."


class CurseStays(Rule):
    id = "F-29"
    text = "Curse is never played and never disposed of."


class FitTheCard(Rule):
    id = "F-34"
    text = (
        "Exchange and Trust Fall need somebody who holds cards, Skip somebody without a pending skip, "
        "Equality somebody with fewer cards than you, Inequality with no more than you."
    )
    because = "{move} holds {cards}, you hold {yours}."
    reasons: ClassVar[dict[str, str]] = {
        "F-34, skipped": "{move} holds {cards}, you hold {yours}; {move} is to be skipped already."
    }

    def facts(self, s: Frantic, player: i64, move: i64) -> dict[str, Any]:
        target = move - FIRST_SEAT
        return {
            "cards": s.hand_size(target),
            "yours": s.hand_size(player),
            "skipped": s.is_skipped(target),
        }


class PlayAgain(Rule):
    id = "F-35"
    text = "On 2nd Chance you play another card if you can, and draw only if you cannot."
    because = "You can play {cards}."

    def facts(self, s: Frantic, player: i64, move: i64) -> dict[str, Any]:
        return {"cards": [NAMES[card] for card in s.playable(player)]}


class TenCards(Rule):
    id = "F-36"
    text = f"Fuck You is played in your own turn with exactly {TO_PLAY_FUCK_YOU} cards in hand."
    because = "You hold {number}."

    def facts(self, s: Frantic, player: i64, move: i64) -> dict[str, Any]:
        return {"number": s.hand_size(player)}


class WhatMimicryBecomes(Rule):
    id = "F-37"
    text = (
        "Mimicry becomes any special card but Curse: a coloured one only in the demanded colour, "
        f"Fuck You only from exactly {TO_PLAY_FUCK_YOU} cards in hand, Mimicry included."
    )
    because = "No colour is demanded."
    reasons: ClassVar[dict[str, str]] = {
        "F-37, colour": "Demanded: {colour}.",
        "F-37, number": "You held {number}.",
    }

    def facts(self, s: Frantic, player: i64, move: i64) -> dict[str, Any]:
        if move == FUCK_YOU_CARD:
            return {"number": with_mimicry(s, player)}
        return {"colour": COLOURS[s.colour] if s.colour >= 0 else None}


def with_mimicry(s: Frantic, player: i64) -> i64:
    """How many cards the player held before Mimicry was played; a start card counts as one of the dealer's (F-24)."""
    return s.hand_size(player) + 1


class NoneOrTwo(Rule):
    id = "F-33"
    text = "Without points, a numeral drawn for Seppuku lets you dispose of two cards or of none."
    because = "You have disposed of one already."


class InPlayOrder(Rule):
    id = "F-38"
    text = "The four cards are handed out in play order, so that a split has one way to be said."
    because = "{move} comes before {last}."

    def facts(self, s: Frantic, player: i64, move: i64) -> dict[str, Any]:
        return s.step.facts(s)


class OnePacketEach(Rule):
    id = "F-39"
    text = "Everyone gets one packet, and you do not keep your own."


class LayANumeral(Rule):
    id = "F-40"
    text = "Whoever holds a numeral of the last colour lays one."
    because = "The last colour is {colour}."

    def facts(self, s: Frantic, player: i64, move: i64) -> dict[str, Any]:
        return {"colour": COLOURS[s.last_colour]}


class LayACard(Rule):
    id = "F-47"
    text = "Whoever holds a card lays one, any card."


class LeftOut(Rule):
    id = "F-41"
    text = "Who is protected by Lucky Bastard takes no part in the event."
    because = "{move} is protected."


FOLLOW_THE_TOP: Final = FollowTheTop()
BLACK_ON_ITS_NUMBER: Final = BlackOnItsNumber()
MAKE_THE_WISH: Final = MakeTheWish()
PLAY_OR_DRAW: Final = PlayOrDraw()
NOTHING_TO_DRAW: Final = NothingToDraw()
NOT_YOURSELF: Final = NotYourself()
FUCK_YOU_STAYS: Final = FuckYouStays()
CURSE_STAYS: Final = CurseStays()
FIT_THE_CARD: Final = FitTheCard()
PLAY_AGAIN: Final = PlayAgain()
TEN_CARDS: Final = TenCards()
WHAT_MIMICRY_BECOMES: Final = WhatMimicryBecomes()
IN_PLAY_ORDER: Final = InPlayOrder()
ONE_PACKET_EACH: Final = OnePacketEach()
LAY_A_NUMERAL: Final = LayANumeral()
LAY_A_CARD: Final = LayACard()
LEFT_OUT: Final = LeftOut()
NONE_OR_TWO: Final = NoneOrTwo()
REFUSALS: Final[list[Rule]] = [
    FOLLOW_THE_TOP,
    BLACK_ON_ITS_NUMBER,
    MAKE_THE_WISH,
    PLAY_OR_DRAW,
    NOTHING_TO_DRAW,
    NOT_YOURSELF,
    FUCK_YOU_STAYS,
    CURSE_STAYS,
    FIT_THE_CARD,
    PLAY_AGAIN,
    TEN_CARDS,
    WHAT_MIMICRY_BECOMES,
    IN_PLAY_ORDER,
    ONE_PACKET_EACH,
    LAY_A_NUMERAL,
    LAY_A_CARD,
    LEFT_OUT,
    NONE_OR_TWO,
]


def rule_against_playing(s: Frantic, player: i64, card: i64) -> Rule:
    """The rule that forbids playing this card in the player's turn."""
    if card >= FIRST_EVENT:
        return ANSWER_WHAT_IS_ASKED
    if not s.hands[player].has(card):
        return HOLD_IT
    if card == CURSE_CARD:
        return CURSE_STAYS
    if card == FUCK_YOU_CARD:
        return TEN_CARDS
    return BLACK_ON_ITS_NUMBER if is_black(card) else FOLLOW_THE_TOP


def rule_against_target(s: Frantic, player: i64, move: i64, otherwise: Rule) -> Rule:
    """The rule that forbids choosing this seat; `otherwise` if no general rule does."""
    target = move - FIRST_SEAT
    if target < 0 or target >= s.players:
        return ANSWER_WHAT_IS_ASKED
    return NOT_YOURSELF if target == player else otherwise
