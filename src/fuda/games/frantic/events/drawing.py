"""Events that draw from the deck or dispose of cards."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.core import ANSWER_WHAT_IS_ASKED, Rule, Step
from fuda.engine.gather import Gather
from fuda.engine.seats import NOBODY
from fuda.games.frantic.choosing import Dispose, Sacrifice
from fuda.games.frantic.deck import COMMIT, CURSE_CARD, DECLINE, NONE, NUMBER, POINTS, has_colour, is_numeral
from fuda.games.frantic.events.occasion import Occasion
from fuda.games.frantic.hand import ALL_KNOW
from fuda.games.frantic.moving import dispose, draw, turn_up, without
from fuda.games.frantic.refusals import NOTHING_TO_DRAW
from fuda.games.frantic.state import DECK_OUT, Frantic

DECLINED: Final = 21
NUMERAL_DRAWN: Final = -21
SPECIAL_DRAWN: Final = 42

# Cards from the deck ------------------------------------------------------------------------------


def capitalism(s: Frantic, e: Occasion) -> None:
    held = [s.hand_size(player) for player in range(s.players)]
    for player in e.order(s):
        draw(s, player, held[player])


def communism(s: Frantic, e: Occasion) -> None:
    most: i64 = 0
    for player in e.order(s):
        if s.hand_size(player) > most:
            most = s.hand_size(player)
    for player in e.order(s):
        draw(s, player, most - s.hand_size(player))


def double_taxation(s: Frantic, e: Occasion) -> None:
    order = e.order(s)
    sums = [three_highest(s, player) for player in order]
    ranks = sorted(set(sums))
    for at in range(len(order)):
        draw(s, order[at], ranks.index(sums[at]) + 1)


def three_highest(s: Frantic, player: i64) -> int:
    points = sorted([int(POINTS[card]) for card in s.hands[player].cards()], reverse=True)
    return sum(points[:3])


def expansion(s: Frantic, e: Occasion) -> None:
    number: i64 = 1
    for player in e.order(s):
        draw(s, player, number)
        number += 1


def third_time_lucky(s: Frantic, e: Occasion) -> None:
    for player in e.order(s):
        draw(s, player, 3)


def mexican_standoff(s: Frantic, e: Occasion) -> None:
    for player in e.order(s):
        dispose(s, player, vec[i64]([card for card in s.hands[player].cards() if card != CURSE_CARD]))
        draw(s, player, 3)


# Cards disposed of --------------------------------------------------------------------------------


def mating_season(s: Frantic, e: Occasion) -> None:
    for player in e.order(s):
        numerals = [card for card in s.hands[player].cards() if is_numeral(card)]
        numbers = [NUMBER[card] for card in numerals]
        dispose(s, player, vec[i64]([card for card in numerals if numbers.count(NUMBER[card]) > 1]))


def recession(s: Frantic, e: Occasion) -> None:
    gathers: list[Gather] = [Dispose(player, number) for number, player in enumerate(e.order(s), 1)]
    s.gather(gathers)


def vandalism(s: Frantic, e: Occasion) -> None:
    if s.last_colour != NONE:
        for player in e.order(s):
            dispose(s, player, vec[i64]([card for card in s.hands[player].cards() if has_colour(card, s.last_colour)]))


# Market: as many cards as players are turned up; everyone picks one in turn -----------------------


def market(s: Frantic, e: Occasion) -> None:
    order = e.order(s)
    number: i64 = len(order)
    if number > s.deck_size():
        number = s.deck_size()
        s.end_round(DECK_OUT, 0)
    while len(s.market) < number:
        s.market = append(s.market, turn_up(s))
    if number:
        s.tell_of("market", NOBODY, s.market, number=number)
    s.then([Buy(player) for player in order[:number]])


class Buy(Step):
    """One of the open cards."""

    kind = "market"
    arguments = ("player",)
    may_wait = True

    def is_possible(self, s: Frantic, before: Step | None) -> bool:
        return len(s.market) > 0 and (before is None or isinstance(before, Buy))

    def moves(self, s: Frantic) -> vec[i64]:
        out = vec[i64](capacity=8)
        for card in sorted(s.market):
            if not len(out) or out[len(out) - 1] != card:
                out = append(out, card)
        return out

    def play(self, s: Frantic, move: i64) -> None:
        s.market = without(s.market, move)
        s.hands[self.player].add(move, ALL_KNOW)
        s.tell("buy", self.player, move)


# Seppuku: in turn, 21 points, or draw a card that decides -----------------------------------------


def seppuku(s: Frantic, e: Occasion) -> None:
    s.then([Seppuku(player) for player in e.order(s)])


class Seppuku(Step):
    """Draw the top card for all to see, or not; with an empty deck there is no choice."""

    kind = "seppuku"
    arguments = ("player",)
    may_wait = True

    def moves(self, s: Frantic) -> vec[i64]:
        return vec[i64]([COMMIT, DECLINE]) if s.deck_size() else vec[i64]([DECLINE])

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        return NOTHING_TO_DRAW if move == COMMIT else ANSWER_WHAT_IS_ASKED

    def play(self, s: Frantic, move: i64) -> None:
        if move == DECLINE:
            s.tell("decline", self.player)
            if s.scored:
                self.credit(s, DECLINED)
            else:
                draw(s, self.player, 2)
            return
        card = turn_up(s)
        s.hands[self.player].add(card, ALL_KNOW)
        s.tell("commit", self.player, card)
        if s.scored:
            self.credit(s, NUMERAL_DRAWN if is_numeral(card) else SPECIAL_DRAWN)
        elif is_numeral(card):
            s.gather([Sacrifice(self.player)])
        else:
            draw(s, self.player, 4)

    def credit(self, s: Frantic, points: i64) -> None:
        """F-21: booked at once, and nothing takes it away."""
        s.totals[self.player] += points
        s.tell("credit", self.player, number=points)
