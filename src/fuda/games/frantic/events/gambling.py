"""Events in which all lay a card face down: Russian Roulette, Gambling Man (F-5)."""

from __future__ import annotations

from typing import Any

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.cards import BIT
from fuda.engine.core import ANSWER_WHAT_IS_ASKED, HOLD_IT, Rule
from fuda.engine.gather import Ask, Choice
from fuda.engine.notes import NO_CARD
from fuda.engine.seats import NOBODY
from fuda.games.frantic.choosing import TO_SHOOT, Pick
from fuda.games.frantic.deck import COLOUR, FIRST_EVENT, NONE, NUMBER, PASS, POINTS, is_numeral
from fuda.games.frantic.events.occasion import EventGather, Occasion
from fuda.games.frantic.hand import ALL_KNOW, Hand, take_unseen
from fuda.games.frantic.moving import draw
from fuda.games.frantic.refusals import LAY_A_CARD, LAY_A_NUMERAL
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
# F-47, a house rule: everyone lays any card; the second-lowest takes them all.


def gambling_man(s: Frantic, e: Occasion) -> None:
    if s.last_colour != NONE or s.second_lowest:
        s.gather([TurnOver(e.owner, e.protected)])


class LayNumeral(Ask):
    """F-40: a numeral of the last colour, or any card (F-47); asked of everyone, who pass if they hold none (A-2)."""

    kind = "gambling man"
    arguments = ("player",)
    may_wait = True

    def is_together(self) -> bool:
        return True

    def moves(self, s: Frantic) -> vec[i64]:
        out = vec[i64](capacity=16)
        for card in s.free_cards(self.player, self.player, NONE):
            if s.second_lowest or (is_numeral(card) and COLOUR[card] == s.last_colour):
                out = append(out, card)
        return out if len(out) else append(out, PASS)

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        if move == PASS:
            return LAY_A_CARD if s.second_lowest else LAY_A_NUMERAL
        if move >= FIRST_EVENT:
            return ANSWER_WHAT_IS_ASKED
        return LAY_A_NUMERAL if s.hands[self.player].has(move) else HOLD_IT

    def facts(self, s: Frantic) -> dict[str, Any]:
        return {"any_card": True} if s.second_lowest else {}

    def choice(self, s: Frantic, move: i64) -> Choice:
        return Choice(NO_CARD if move == PASS else move)


class TurnOver(EventGather):
    """One player takes all cards; whoever laid none draws two."""

    kind = "turn over"

    def asks(self, s: Frantic) -> list[Ask]:
        return [LayNumeral(player) for player in self.occasion().order(s)]

    def carry_out(self, s: Frantic, chosen: list[list[Choice]]) -> None:
        laid = vec[i64](capacity=8)
        players = vec[i64](capacity=8)
        without_card = vec[i64](capacity=8)
        for player in self.occasion().order(s):
            card: i64 = chosen[player][0].card if chosen[player] else NO_CARD
            if card == NO_CARD:
                without_card = append(without_card, player)
                continue
            s.tell("gamble", player, card)
            s.hands[player].remove(card)
            laid = append(laid, card)
            players = append(players, player)
        if len(laid):
            taker = players[second_lowest(laid) if s.second_lowest else highest(laid)]
            for card in laid:
                s.hands[taker].add(card, ALL_KNOW)
            s.tell("gambled", taker)
        for player in without_card:
            draw(s, player, 2)


def highest(laid: vec[i64]) -> i64:
    """Which of the numerals is the highest; of several the first (F-4)."""
    best: i64 = 0
    for at in range(len(laid)):
        if NUMBER[laid[at]] > NUMBER[laid[best]]:
            best = at
    return best


def second_lowest(laid: vec[i64]) -> i64:
    """F-47: which of the cards has the second-lowest points, the lowest if all are equal; of several the first (F-4)."""
    points = [POINTS[card] for card in laid]
    ranks = sorted(set(points))
    return points.index(ranks[1] if len(ranks) > 1 else ranks[0])
