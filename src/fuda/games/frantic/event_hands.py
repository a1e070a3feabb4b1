"""Events in which cards change hands."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from fuda.engine.cards import BIT
from fuda.engine.core import Step
from fuda.engine.seats import NOBODY
from fuda.games.frantic.deck import (
    CROWDFUNDING,
    MERRY_CHRISTMAS,
    NONE,
    SURPRISE_PARTY,
    is_black,
)
from fuda.games.frantic.event_choices import ForWhom, Shoot, StartWrapping, TurnOver, Unwrap, extremes
from fuda.games.frantic.event_steps import (
    Acknowledge,
    Distribute,
    Fall,
    Occasion,
)
from fuda.games.frantic.hand import ALL_KNOW
from fuda.games.frantic.moving import exchange_hands, lift, receive, take_blind
from fuda.games.frantic.state import Frantic
from fuda.games.frantic.steps import (
    TO_FUND,
    TO_PRESENT,
    TO_SHOOT,
    Choose,
    Lay,
)
from fuda.games.frantic.tornado import deal_together

# Cards that change hands --------------------------------------------------------------------------


def black_hole(s: Frantic, e: Occasion) -> None:
    if not e.takes_part(e.owner):
        return
    for player in e.order(s):
        if player != e.owner:
            black = vec[i64]([card for card in s.hands[player].kinds() if is_black(card)])
            receive(s, player, e.owner, lift(s, player, black), "give")


def charity(s: Frantic, e: Occasion) -> None:
    order = e.order(s)
    givers = extremes(s, order, most=True)
    for taker in order:
        if taker not in givers:
            for giver in givers:
                take_blind(s, taker, giver, 1)


def crowdfunding(s: Frantic, e: Occasion) -> None:
    order = e.order(s)
    receivers = extremes(s, order, most=False)
    steps: list[Step] = []
    for giver in order:
        if giver not in receivers:
            steps += [Choose(giver, TO_FUND, 1, receiver) for receiver in receivers]
    steps.append(Unwrap(e.owner, e.protected, CROWDFUNDING))
    s.then(steps)


def distributor(s: Frantic, e: Occasion) -> None:
    order = e.order(s)
    if len(order) < 2:
        return
    for player in order:
        s.hands[player].show_to(BIT[e.owner])
        if player != e.owner:
            s.tell_of("look", e.owner, s.hands[player].kinds(), seats=BIT[player], witnesses=BIT[e.owner])
    s.push(Distribute(e.owner, e.protected, e.owner if e.takes_part(e.owner) else order[0]))


def earthquake(s: Frantic, e: Occasion) -> None:
    order = e.order(s)
    hands = [s.hands[player] for player in order]
    for at in range(len(order)):
        receiver = order[(at + 1) % len(order)]
        s.hands[receiver] = hands[at]
        s.hands[receiver].show_to(BIT[receiver])


def gambling_man(s: Frantic, e: Occasion) -> None:
    if s.last_colour == NONE:
        return
    steps: list[Step] = [Lay(player) for player in e.order(s)]
    steps.append(TurnOver(e.owner, e.protected))
    s.then(steps)


def merry_christmas(s: Frantic, e: Occasion) -> None:
    order = e.order(s)
    if len(order) < 2:
        return
    steps: list[Step] = [StartWrapping(player, e.protected) for player in order]
    steps.append(Unwrap(e.owner, e.protected, MERRY_CHRISTMAS))
    s.then(steps)


def robin_hood(s: Frantic, e: Occasion) -> None:
    order = e.order(s)
    if len(order) < 2:
        return
    poor = extremes(s, order, most=False)[0]
    rich = extremes(s, order, most=True)[0]
    if s.hand_size(poor) != s.hand_size(rich):
        exchange_hands(s, poor, rich)
        s.tell("swap hands", poor, seats=BIT[rich])


def russian_roulette(s: Frantic, e: Occasion) -> None:
    steps: list[Step] = [Choose(player, TO_SHOOT, 1, NOBODY) for player in e.order(s)]
    steps.append(Shoot(e.owner, e.protected))
    s.then(steps)


def surprise_party(s: Frantic, e: Occasion) -> None:
    order = e.order(s)
    if len(order) < 2:
        return
    steps: list[Step] = []
    for player in order:
        if s.hand_size(player):
            steps += [Choose(player, TO_PRESENT, 1, NOBODY), ForWhom(player, e.protected)]
    steps.append(Unwrap(e.owner, e.protected, SURPRISE_PARTY))
    s.then(steps)


def the_all_seeing_eye(s: Frantic, e: Occasion) -> None:
    for player in e.order(s):
        s.hands[player].show_to(ALL_KNOW)
        if s.hand_size(player):
            s.tell_of("show", player, s.hands[player].kinds())
    s.then([Acknowledge(player) for player in e.order(s)])


def tornado(s: Frantic, e: Occasion) -> None:
    deal_together(s, e.order(s))


def trust_fall(s: Frantic, e: Occasion) -> None:
    s.then([Fall(player, e.protected) for player in e.order(s)])
