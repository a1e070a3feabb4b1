"""The state of Frantic, and what its cards and events do to it."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import append, pop, vec
from mypy_extensions import i64, mypyc_attr

from fuda.engine.cards import BIG_BIT, BIT, zeros
from fuda.engine.chance import Chance
from fuda.engine.gather import Ask, Choice, GatherState
from fuda.games.frantic.deck import (
    BASE,
    COLOUR,
    COLOURS,
    CURSE_CARD,
    FIRST_COLOURLESS,
    FUCK_YOU_CARD,
    LAST_CHANCE,
    NONE,
    NUMBER,
    SYMBOL,
    SYMBOLS,
    TIME_BOMB,
    WHOLE,
    event_deck,
    has_colour,
)
from fuda.games.frantic.hand import CARD_MASK, Hand

TO_PLAY_FUCK_YOU: Final = 10
EMPTY: Final = vec[i64]()

# Why a round ends before anybody has finished; if there are several reasons, the highest number counts.
NOT_YET: Final = -1
DECK_OUT: Final = 0
FINISH_LINE: Final = 1
BOMB: Final = 2
DOOMSDAY: Final = 3
ENDINGS: Final = ["deck out", "finish line", "time bomb", "doomsday"]


@mypyc_attr(acyclic=True)
class CardAsk(Ask):
    """Asks for a card of a hand that is not chosen yet; one kind of card may be excluded."""

    def holder(self) -> i64:
        """Whose hand the card is in."""
        return self.player

    def excluded_kind(self) -> i64:
        """The kind of card that cannot be chosen; NONE if any can."""
        return NONE

    def moves(self, s: Frantic) -> vec[i64]:
        return s.free_cards(self.holder(), self.player, self.excluded_kind())


class Frantic(GatherState):
    def __init__(
        self,
        players: i64,
        maximum: i64,
        hand: i64,
        addon: bool,
        simple_start: bool,
        scored: bool,
        second_lowest: bool,
        chance: Chance,
    ) -> None:
        super().__init__(players, chance)
        self.maximum: i64 = maximum
        self.hand: i64 = hand
        """F-46: how many cards everyone is dealt."""
        self.addon = addon
        self.simple_start = simple_start
        self.scored = scored
        self.second_lowest = second_lowest
        """F-47: Gambling Man by the publisher's other rule."""
        self.dealer: i64 = 0
        self.turn: i64 = 0
        self.hands: list[Hand] = [Hand(EMPTY) for _ in range(players)]
        self.deck = EMPTY
        """The top card last; the layers are on top of it."""
        self.layers: list[Hand] = []
        """What Russian Roulette has put on the deck, the top layer last; players may know that a card is in a layer."""
        self.discard = EMPTY
        """The top card last."""
        self.market = EMPTY
        # What the top card demands (F-6): a colour, a number or a symbol; if none of these is set, anything may follow.
        self.colour: i64 = NONE
        self.number: i64 = 0
        self.symbol: i64 = NONE
        self.last_colour: i64 = NONE
        """F-26: of the last coloured card played."""
        self.events = EMPTY
        """The event deck, the top one first."""
        self.uncovered = EMPTY
        """The events turned up since the event deck was last shuffled."""
        self.earlier = EMPTY
        """The other events turned up in this round."""
        self.lasting = EMPTY
        self.exempt = EMPTY
        """Who is protected from each lasting event, as bits."""
        self.fuse = zeros(players)
        """How many turns each player has begun since the Time Bomb."""
        self.skipped: i64 = 0
        self.owed = zeros(players)
        """How many cards each player draws after everyone has answered a Fantastic Four (F-17)."""
        self.ending: i64 = NOT_YET
        self.spared: i64 = 0
        """Who is protected from this ending, as bits."""

    def clone(self) -> Frantic:
        chance = self.chance.clone()
        c = Frantic(0, self.maximum, self.hand, self.addon, self.simple_start, self.scored, self.second_lowest, chance)
        self.copy_gather_to(c)
        c.dealer = self.dealer
        c.turn = self.turn
        c.hands = [hand.clone() for hand in self.hands]
        c.deck = self.deck[:]
        c.layers = [layer.clone() for layer in self.layers]
        c.discard = self.discard[:]
        c.market = self.market[:]
        c.colour = self.colour
        c.number = self.number
        c.symbol = self.symbol
        c.last_colour = self.last_colour
        c.events = self.events[:]
        c.uncovered = self.uncovered[:]
        c.earlier = self.earlier[:]
        c.lasting = self.lasting[:]
        c.exempt = self.exempt[:]
        c.fuse = self.fuse[:]
        c.skipped = self.skipped
        c.owed = self.owed[:]
        c.ending = self.ending
        c.spared = self.spared
        return c

    def set_row(self, name: str, row: vec[i64]) -> None:
        match name:
            case "deck":
                self.deck = row
            case "discard":
                self.discard = row
            case "market":
                self.market = row
            case "events":
                self.events = row
            case "uncovered":
                self.uncovered = row
            case "earlier":
                self.earlier = row
            case "lasting":
                self.lasting = row
            case _:
                super().set_row(name, row)

    def never_held(self, player: i64) -> int:
        """If a player is asked for a card of a hand, there is one to choose: a last card is not of the excluded kind."""
        if self.over or not self.depth:
            return 0
        step = self.step
        if not isinstance(step, CardAsk) or step.holder() != player or step.excluded_kind() == NONE:
            return 0
        is_last = self.hand_size(player) - len(self.chosen[step.player]) == 1
        return BIG_BIT[step.excluded_kind()] if is_last else 0

    # The table --------------------------------------------------------------------------------------

    def whole(self) -> vec[i64]:
        return WHOLE if self.addon else BASE

    def hand_size(self, player: i64) -> i64:
        return self.hands[player].size()

    def everyone(self) -> i64:
        return BIT[self.players] - 1

    def deck_size(self) -> i64:
        n: i64 = len(self.deck)
        for layer in self.layers:
            n += layer.size()
        return n

    def finished(self) -> i64:
        """The players without cards."""
        out: i64 = 0
        player: i64 = 0
        while player < self.players:
            if not self.hands[player].size():
                out |= BIT[player]
            player += 1
        return out

    def is_skipped(self, player: i64) -> bool:
        return self.skipped & BIT[player] != 0

    def begin_round(self) -> None:
        """F-23: event deck, skips and lasting events start again."""
        self.layers = []
        self.discard = vec[i64](capacity=64)
        self.market = EMPTY
        self.demand(NONE, 0, NONE)
        self.last_colour = NONE
        self.uncovered = EMPTY
        self.earlier = EMPTY
        self.lasting = EMPTY
        self.exempt = EMPTY
        self.fuse = zeros(self.players)
        self.skipped = 0
        self.owed = zeros(self.players)
        self.ending = NOT_YET
        self.spared = 0
        self.deck = self.chance.shuffle(self.whole()[:])
        self.events = self.chance.shuffle(event_deck(self.addon))
        player: i64 = 0
        while player < self.players:
            self.hands[player] = Hand(vec[i64](capacity=16))
            for _ in range(self.hand):
                self.hands[player].add(self.top_card(), BIT[player])
            player += 1

    # What may follow (F-6) ----------------------------------------------------------------------------

    def demand(self, colour: i64, number: i64, symbol: i64) -> None:
        self.colour = colour
        self.number = number
        self.symbol = symbol

    def demand_of(self, card: i64) -> None:
        """What a coloured or black card demands; F-26 remembers its colour."""
        self.demand(COLOUR[card], NUMBER[card], SYMBOL[card])
        if COLOUR[card] != NONE:
            self.last_colour = COLOUR[card]

    def anything_follows(self) -> bool:
        return self.colour == NONE and not self.number and self.symbol == NONE

    def demanded(self) -> dict[str, Any]:
        """A colour, a number or a symbol; all None if anything may follow."""
        return {
            "colour": COLOURS[self.colour] if self.colour != NONE else None,
            "number": self.number or None,
            "symbol": SYMBOLS[self.symbol] if self.symbol != NONE else None,
        }

    def fits(self, card: i64) -> bool:
        """Whether this card follows what the top demands."""
        if card >= FIRST_COLOURLESS:
            return True
        number = NUMBER[card]
        if number and number == self.number:
            return True
        symbol = SYMBOL[card]
        if symbol != NONE and symbol == self.symbol:
            return True
        if self.colour != NONE:
            return has_colour(card, self.colour)
        return self.anything_follows()

    def may_play(self, player: i64, card: i64) -> bool:
        if card >= CURSE_CARD:  # F-29, F-36
            return card == FUCK_YOU_CARD and self.hands[player].size() == TO_PLAY_FUCK_YOU
        return self.fits(card)

    def playable(self, player: i64) -> vec[i64]:
        """The cards that this player could play in a turn, each once."""
        out = vec[i64](capacity=16)
        last: i64 = -1
        for slot in self.hands[player].slots:
            card = slot & CARD_MASK
            if card != last and self.may_play(player, card):
                out = append(out, card)
            last = card
        return out

    # Cards ------------------------------------------------------------------------------------------

    def top_card(self) -> i64:
        """Takes the top card of the deck, which must have no layers on it and must not be empty."""
        self.deck, card = pop(self.deck)
        return card

    def free_cards(self, holder: i64, chooser: i64, excluded_kind: i64) -> vec[i64]:
        """The cards of a hand that the chooser can still choose, each once."""
        out = vec[i64](capacity=16)
        hand = self.hands[holder]
        chosen = self.chosen[chooser]
        last: i64 = -1
        for slot in hand.slots:
            card = slot & CARD_MASK
            if card != last and card != excluded_kind and (not chosen or has_more(hand, card, chosen)):
                out = append(out, card)
            last = card
        return out

    # Ends ---------------------------------------------------------------------------------------------

    def end_round(self, why: i64, spared: i64) -> None:
        """Ends the round at the next end check; of several reasons the one with the highest number counts."""
        if why == self.ending:
            self.spared &= spared
        elif why > self.ending:
            self.ending = why
            self.spared = spared
            self.tell(ENDINGS[why], seats=spared)

    def in_force(self, event: i64) -> bool:
        return event in self.lasting

    def exempt_from(self, event: i64) -> i64:
        """Who is protected from all lasting events with this name, as bits."""
        out = self.everyone()
        at: i64 = 0
        while at < len(self.lasting):
            if self.lasting[at] == event:
                out &= self.exempt[at]
            at += 1
        return out

    def add_lasting(self, event: i64, protected: i64) -> None:
        """The event stays in force for the rest of the round."""
        self.lasting = append(self.lasting, event)
        self.exempt = append(self.exempt, protected)

    def bomb_ticks(self) -> bool:
        return self.in_force(TIME_BOMB)

    def has_last_chance(self) -> bool:
        return self.in_force(LAST_CHANCE)


def has_more(hand: Hand, card: i64, chosen: list[Choice]) -> bool:
    """Whether the hand has more of this card than were chosen."""
    n: i64 = 0
    for choice in chosen:
        if choice.card == card:
            n += 1
    return not n or hand.copies(card) > n
