"""Events in which all lay a card face down: Russian Roulette, Gambling Man (F-5)."""

from __future__ import annotations

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.cards import BIT
from fuda.engine.core import ANSWER_WHAT_IS_ASKED, HOLD_IT, Rule
from fuda.engine.gather import Ask, Choice
from fuda.engine.notes import NO_CARD
from fuda.engine.seats import NOBODY
from fuda.games.frantic.choosing import TO_SHOOT, Pick
from fuda.games.frantic.deck import COLOUR, FIRST_EVENT, NONE, NUMBER, PASS, is_numeral
from fuda.games.frantic.events.occasion import EventGather, Occasion
from fuda.games.frantic.hand import ALL_KNOW, Hand, take_unseen
from fuda.games.frantic.moving import draw
from fuda.games.frantic.refusals import LAY_A_NUMERAL
from fuda.games.frantic.state import Frantic

# Russian Roulette: everyone puts in a card; they are shuffled and laid on the deck ----------------


def russian_roulette(s: Frantic, e: Occasion) -> None:
    s.gather([Shoot(e.owner, e.protected)])


class Shoot(EventGather):
    """The chosen cards are shuffled and laid on the deck."""

    kind = "shoot"

    def asks(self, s: Frantic) -> list[Ask]:
        return [Pick(player, TO_SHOOT) for player in self.occasion().order(s)]

    def carry_out(self, s: Frantic, chosen: list[list[Choice]]) -> None:
        layer = Hand(vec[i64](capacity=8))
        for player in self.occasion().order(s):
            for choice in chosen[player]:
                cards = vec[i64]([choice.card])
                knowers = take_unseen(s.hands[player], player, cards, vec[i64]([NOBODY]))
                layer.add(choice.card, knowers[0])
                s.tell_of("roulette", player, cards, witnesses=BIT[player])
        if layer.size():
            layer.put_in_order(s.chance.shuffle(layer.cards()))
            s.layers.append(layer)


# Gambling Man: everyone lays a numeral of the last colour; the highest takes them all -------------


def gambling_man(s: Frantic, e: Occasion) -> None:
    if s.last_colour != NONE:
        s.gather([TurnOver(e.owner, e.protected)])


class LayNumeral(Ask):
    """F-40: a numeral of the last colour; asked of everyone, who pass if they hold none (A-2)."""

    kind = "gambling man"
    arguments = ("player",)
    may_wait = True

    def is_together(self) -> bool:
        return True

    def moves(self, s: Frantic) -> vec[i64]:
        out = vec[i64](capacity=16)
        for card in s.free_cards(self.player, self.player, NONE):
            if is_numeral(card) and COLOUR[card] == s.last_colour:
                out = append(out, card)
        return out if len(out) else append(out, PASS)

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        if move == PASS:
            return LAY_A_NUMERAL
        if move >= FIRST_EVENT:
            return ANSWER_WHAT_IS_ASKED
        return LAY_A_NUMERAL if s.hands[self.player].has(move) else HOLD_IT

    def choice(self, s: Frantic, move: i64) -> Choice:
        return Choice(NO_CARD if move == PASS else move)


class TurnOver(EventGather):
    """The player of the highest number takes all cards; whoever laid none draws two."""

    kind = "turn over"

    def asks(self, s: Frantic) -> list[Ask]:
        return [LayNumeral(player) for player in self.occasion().order(s)]

    def carry_out(self, s: Frantic, chosen: list[list[Choice]]) -> None:
        laid = vec[i64](capacity=8)
        without_card = vec[i64](capacity=8)
        highest: i64 = 0
        loser: i64 = NOBODY
        for player in self.occasion().order(s):
            card: i64 = chosen[player][0].card if chosen[player] else NO_CARD
            if card == NO_CARD:
                without_card = append(without_card, player)
                continue
            s.tell("gamble", player, card)
            s.hands[player].remove(card)
            laid = append(laid, card)
            if NUMBER[card] > highest:
                highest = NUMBER[card]
                loser = player
        if loser != NOBODY:
            for card in laid:
                s.hands[loser].add(card, ALL_KNOW)
            s.tell("gambled", loser)
        for player in without_card:
            draw(s, player, 2)
