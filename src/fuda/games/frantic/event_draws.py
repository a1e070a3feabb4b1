"""Events that draw from the deck or dispose of cards."""

from __future__ import annotations

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.core import Step
from fuda.engine.seats import NOBODY
from fuda.games.frantic.deck import (
    CURSE_CARD,
    NONE,
    NUMBER,
    POINTS,
    has_colour,
    is_numeral,
)
from fuda.games.frantic.event_steps import (
    Buy,
    Occasion,
    Seppuku,
)
from fuda.games.frantic.moving import dispose, draw, turn_up
from fuda.games.frantic.state import DECK_OUT, Frantic
from fuda.games.frantic.steps import (
    TO_DISPOSE,
    Choose,
    Dispose,
)

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
    points = sorted([int(POINTS[card]) for card in s.hands[player].kinds()], reverse=True)
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
        dispose(s, player, vec[i64]([card for card in s.hands[player].kinds() if card != CURSE_CARD]))
        draw(s, player, 3)


def market(s: Frantic, e: Occasion) -> None:
    order = e.order(s)
    number: i64 = len(order)
    if number > s.deck_size():
        number = s.deck_size()
        s.end_round(DECK_OUT, 0)
    while len(s.market) < number:
        s.market = append(
            s.market,
            turn_up(s),
        )
    if number:
        s.tell_of("market", NOBODY, s.market, number=number)
    s.then([Buy(player) for player in order[:number]])


def seppuku(s: Frantic, e: Occasion) -> None:
    s.then([Seppuku(player) for player in e.order(s)])


# Cards disposed of --------------------------------------------------------------------------------


def mating_season(s: Frantic, e: Occasion) -> None:
    for player in e.order(s):
        numerals = [card for card in s.hands[player].kinds() if is_numeral(card)]
        numbers = [NUMBER[card] for card in numerals]
        dispose(s, player, vec[i64]([card for card in numerals if numbers.count(NUMBER[card]) > 1]))


def recession(s: Frantic, e: Occasion) -> None:
    steps: list[Step] = []
    for number, player in enumerate(e.order(s), 1):
        steps += [Choose(player, TO_DISPOSE, number, NOBODY), Dispose(player)]
    s.then(steps)


def vandalism(s: Frantic, e: Occasion) -> None:
    if s.last_colour != NONE:
        for player in e.order(s):
            dispose(s, player, vec[i64]([card for card in s.hands[player].kinds() if has_colour(card, s.last_colour)]))
