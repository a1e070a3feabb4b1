"""The small vocabulary with which cards and events are told: wishes, and choices of cards that then move."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.core import ANSWER_WHAT_IS_ASKED, HOLD_IT, Rule, Step
from fuda.engine.random import Random
from fuda.engine.seats import NOBODY
from fuda.games.frantic.deck import (
    COLOUR,
    COLOUR_SWAP,
    COLOURS,
    CURSE_CARD,
    DRAW,
    FUCK_YOU_CARD,
    KINDS,
    MIMICRY_CARD,
    NONE,
    OTHER,
    PASS,
    SYMBOL,
    WISH_COLOUR,
    WISH_NUMBER,
    is_numeral,
)
from fuda.games.frantic.hand import KIND, Hand
from fuda.games.frantic.moving import dispose, give
from fuda.games.frantic.refusals import CURSE_STAYS, FUCK_YOU_STAYS, LAY_A_NUMERAL, MAKE_THE_WISH
from fuda.games.frantic.state import NO_CARD_LAID, UNSEEN, Frantic, FranticStep

# Wishes -------------------------------------------------------------------------------------------


class Wish(FranticStep):
    """F-8: a wish in one's own turn, for a colour, or for a number where the card grants that."""

    kind = "wish"
    parts = ("player", "numbers")

    def __init__(self, player: i64, numbers: i64) -> None:
        super().__init__(player)
        self.numbers: i64 = numbers

    def moves(self, s: Frantic) -> vec[i64]:
        return (
            vec[i64](range(WISH_COLOUR, WISH_COLOUR + 13)) if self.numbers else vec[i64](range(WISH_COLOUR, WISH_COLOUR + 4))
        )

    def play_any(self, s: Frantic, random: Random) -> None:
        self.play(s, WISH_COLOUR + random.below(13 if self.numbers else 4))

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        return MAKE_THE_WISH if move == PASS or WISH_NUMBER < move < DRAW else ANSWER_WHAT_IS_ASKED

    def play(self, s: Frantic, move: i64) -> None:
        wish(s, self.player, move)


class MaybeWish(FranticStep):
    """A reaction card may be a colour wish too, which replaces the demand (F-16)."""

    kind = "maybe wish"
    parts = ("player",)

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


class SwapColour(FranticStep):
    """Colour Swap by its symbol alone: the player picks one of its colours."""

    kind = "colour"
    parts = ("player", "card")

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


# Reactions ----------------------------------------------------------------------------------------


class Reaction(FranticStep):
    """A-2: a card may be thrown in, or Mimicry in its place; asked of whoever might hold it."""

    parts: ClassVar[tuple[str, ...]] = ("player",)

    def is_reaction(self) -> bool:
        return True

    def thrown(self) -> i64:
        """The card that reacts here."""
        raise NotImplementedError

    def moves(self, s: Frantic) -> vec[i64]:
        out = vec[i64](capacity=3)
        hand = s.hands[self.player]
        if hand.has(self.thrown()):
            out = append(out, self.thrown())
        if hand.has(MIMICRY_CARD):
            out = append(out, MIMICRY_CARD)
        return append(out, PASS)

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        return HOLD_IT if move in (self.thrown(), MIMICRY_CARD) else ANSWER_WHAT_IS_ASKED


# Choosing cards -----------------------------------------------------------------------------------

TO_GIVE: Final = 0
TO_TRUST: Final = 1
TO_DISPOSE: Final = 2
TO_PRESENT: Final = 3
TO_FUND: Final = 4
TO_SHOOT: Final = 5
PURPOSES: Final = ["give", "trust fall", "dispose", "surprise party", "crowdfunding", "russian roulette"]


def not_for(purpose: i64) -> i64:
    """The kind of card that cannot be chosen for this; -1 if any can."""
    if purpose == TO_GIVE:
        return FUCK_YOU_CARD
    return CURSE_CARD if purpose == TO_DISPOSE else -1


def free_in(hand: Hand, chosen: vec[i64], fixed: i64) -> vec[i64]:
    """The kinds of cards that can still be chosen, each once."""
    out = vec[i64](capacity=16)
    last: i64 = -1
    for slot in hand.cards:
        card = slot & KIND
        if card != last and card != fixed and (not len(chosen) or hand.copies(card) > times(chosen, card)):
            out = append(out, card)
        last = card
    return out


def times(chosen: vec[i64], card: i64) -> i64:
    n: i64 = 0
    for choice in chosen:
        if choice & KIND == card:
            n += 1
    return n


def is_at_once(purpose: i64) -> bool:
    """F-5: whether all choose their cards for this at the same time."""
    return purpose in (TO_PRESENT, TO_FUND, TO_SHOOT)


def may_choose(s: Frantic, player: i64, purpose: i64, left: i64) -> bool:
    """Whether so many cards can be left to be chosen for this."""
    if purpose == TO_DISPOSE:
        return 0 < left <= s.players
    if purpose in (TO_GIVE, TO_TRUST):
        return 0 < left <= 2 - len(s.chosen[player])
    return left == 1


class Choose(FranticStep):
    """Has cards of one's own chosen, as many as there are, up to a number; they move later."""

    kind = "choose"
    parts = ("owner", "purpose", "left", "receiver")

    def __init__(self, owner: i64, purpose: i64, left: i64, receiver: i64) -> None:
        super().__init__()
        self.owner: i64 = owner
        self.purpose: i64 = purpose
        self.left: i64 = left
        self.receiver: i64 = receiver

    def is_possible(self, s: Frantic, before: Step | None) -> bool:
        return may_choose(s, self.owner, self.purpose, self.left)

    def is_together(self) -> bool:
        return is_at_once(self.purpose)

    def run(self, s: Frantic) -> None:
        if len(free_in(s.hands[self.owner], s.chosen[self.owner], not_for(self.purpose))):
            s.push(Pick(self.owner, self.purpose, self.left, self.receiver))

    def chooser(self) -> i64:
        return self.owner


class Pick(FranticStep):
    """A card of one's own for a purpose; so many are left to be chosen."""

    kind = "pick"
    parts = ("player", "purpose", "left", "receiver")

    def __init__(self, player: i64, purpose: i64, left: i64, receiver: i64) -> None:
        super().__init__(player)
        self.purpose: i64 = purpose
        self.left: i64 = left
        self.receiver: i64 = receiver

    def is_possible(self, s: Frantic, before: Step | None) -> bool:
        return may_choose(s, self.player, self.purpose, self.left)

    def is_together(self) -> bool:
        return is_at_once(self.purpose)

    def moves(self, s: Frantic) -> vec[i64]:
        return free_in(s.hands[self.player], s.chosen[self.player], not_for(self.purpose))

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        if move >= KINDS:
            return ANSWER_WHAT_IS_ASKED
        if move == not_for(self.purpose) and s.hands[self.player].has(move):
            return FUCK_YOU_STAYS if move == FUCK_YOU_CARD else CURSE_STAYS
        return HOLD_IT

    def play(self, s: Frantic, move: i64) -> None:
        s.choose(self.player, move, self.receiver)
        if self.left > 1:
            s.push(Choose(self.player, self.purpose, self.left - 1, self.receiver))

    def chooser(self) -> i64:
        return self.player

    def cards_of(self) -> i64:
        return self.player

    def cannot_choose(self) -> i64:
        return not_for(self.purpose)


def is_choice_for(step: Step, purpose: i64, receiver: i64) -> bool:
    """Whether this step has cards chosen for that purpose and that receiver."""
    return isinstance(step, (Choose, Pick)) and step.purpose == purpose and step.receiver == receiver


class Lay(FranticStep):
    """F-40: a numeral of the last colour; asked of everyone, who pass if they hold none (A-2)."""

    kind = "gambling man"
    parts = ("player",)

    def is_together(self) -> bool:
        return True

    def moves(self, s: Frantic) -> vec[i64]:
        out = lays(s, self.player)
        return out if len(out) else append(out, PASS)

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        if move == PASS:
            return LAY_A_NUMERAL
        if move >= KINDS:
            return ANSWER_WHAT_IS_ASKED
        return LAY_A_NUMERAL if s.hands[self.player].has(move) else HOLD_IT

    def play(self, s: Frantic, move: i64) -> None:
        s.choose(self.player, NO_CARD_LAID if move == PASS else move)

    def chooser(self) -> i64:
        return self.player


def lays(s: Frantic, player: i64) -> vec[i64]:
    """The numerals of the last colour in this hand, each kind once."""
    out = vec[i64](capacity=16)
    for card in free_in(s.hands[player], s.chosen[player], -1):
        if is_numeral(card) and COLOUR[card] == s.last_colour:
            out = append(out, card)
    return out


def choose_anew(s: Frantic, player: i64, holder: i64, fixed: i64, receiver: i64) -> None:
    """Fills in choices that a view did not show: any cards of the holder's that could be chosen."""
    known = s.chosen[player]
    s.chosen[player] = vec[i64]()
    for choice in known:
        card = choice & KIND
        if card == UNSEEN:
            free = free_in(s.hands[holder], s.chosen[player], fixed)
            if not len(free):  # a view that was made up
                continue
            card = free[s.chance.random.below(len(free))]
        s.choose(player, card, receiver)


# What then happens to them ------------------------------------------------------------------------


class HandOver(FranticStep):
    """The chosen cards go to their receiver."""

    kind = "hand over"
    parts = ("owner", "receiver", "purpose")

    def __init__(self, owner: i64, receiver: i64, purpose: i64) -> None:
        super().__init__()
        self.owner: i64 = owner
        self.receiver: i64 = receiver
        self.purpose: i64 = purpose

    def run(self, s: Frantic) -> None:
        give(s, self.owner, s.choices(self.owner), self.receiver, "give", not_for(self.purpose))

    def carries_out(self, player: i64) -> bool:
        return player == self.owner

    def is_meant_by(self, step: Step) -> bool:
        return is_choice_for(step, self.purpose, self.receiver)

    def accepts(self, s: Frantic, player: i64, card: i64, receiver: i64) -> bool:
        return card < KINDS and card != not_for(self.purpose)

    def imagine(self, s: Frantic, player: i64) -> None:
        choose_anew(s, player, player, not_for(self.purpose), self.receiver)


class Dispose(FranticStep):
    """The chosen cards go under the discard pile (F-25)."""

    kind = "dispose"
    parts = ("owner",)

    def __init__(self, owner: i64) -> None:
        super().__init__()
        self.owner: i64 = owner

    def run(self, s: Frantic) -> None:
        dispose(s, self.owner, s.choices(self.owner))

    def carries_out(self, player: i64) -> bool:
        return player == self.owner

    def is_meant_by(self, step: Step) -> bool:
        return is_choice_for(step, TO_DISPOSE, NOBODY)

    def most_chosen(self, s: Frantic, player: i64) -> i64:
        return s.hand_size(player)

    def accepts(self, s: Frantic, player: i64, card: i64, receiver: i64) -> bool:
        return card < KINDS and card != CURSE_CARD

    def imagine(self, s: Frantic, player: i64) -> None:
        choose_anew(s, player, player, CURSE_CARD, NOBODY)
