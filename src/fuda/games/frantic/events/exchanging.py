"""Events that move hands or cards between players without secret choices, or show them."""

from __future__ import annotations

from librt.vecs import append, extend, vec
from mypy_extensions import i64

from fuda.engine.cards import BIT
from fuda.engine.core import ANSWER_WHAT_IS_ASKED, AskLater, Rule, Step
from fuda.engine.gather import Ask, Choice
from fuda.engine.notes import NO_CARD
from fuda.engine.seats import NOBODY
from fuda.games.frantic.choosing import TO_TRUST, HandOver
from fuda.games.frantic.deck import FIRST_SEAT, OK, is_black
from fuda.games.frantic.events.occasion import EventGather, EventQuestion, Occasion, TargetAsk, extremes, others
from fuda.games.frantic.hand import ALL_KNOW
from fuda.games.frantic.moving import exchange_hands, lift, receive, take_blind
from fuda.games.frantic.refusals import LEFT_OUT, ONE_PACKET_EACH
from fuda.games.frantic.state import Frantic


def black_hole(s: Frantic, e: Occasion) -> None:
    if not e.takes_part(e.owner):
        return
    for player in e.order(s):
        if player != e.owner:
            black = vec[i64]([card for card in s.hands[player].cards() if is_black(card)])
            receive(s, player, e.owner, lift(s, player, black), "give")


def charity(s: Frantic, e: Occasion) -> None:
    order = e.order(s)
    givers = extremes(s, order, most=True)
    for taker in order:
        if taker not in givers:
            for giver in givers:
                take_blind(s, taker, giver, 1)


def earthquake(s: Frantic, e: Occasion) -> None:
    order = e.order(s)
    hands = [s.hands[player] for player in order]
    for at in range(len(order)):
        receiver = order[(at + 1) % len(order)]
        s.hands[receiver] = hands[at]
        s.hands[receiver].show_to(BIT[receiver])


def robin_hood(s: Frantic, e: Occasion) -> None:
    order = e.order(s)
    if len(order) < 2:
        return
    poor = extremes(s, order, most=False)[0]
    rich = extremes(s, order, most=True)[0]
    if s.hand_size(poor) != s.hand_size(rich):
        exchange_hands(s, poor, rich)
        s.tell("swap hands", poor, seats=BIT[rich])


# The All-Seeing Eye: all hands are shown until everyone has had a look ----------------------------


def the_all_seeing_eye(s: Frantic, e: Occasion) -> None:
    for player in e.order(s):
        s.hands[player].show_to(ALL_KNOW)
        if s.hand_size(player):
            s.tell_of("show", player, s.hands[player].cards())
    s.then([Acknowledge(player) for player in e.order(s)])


class Acknowledge(Step):
    """Hands lie open until all have had their look."""

    kind = "the all-seeing eye"
    arguments = ("player",)
    may_wait = True

    def is_together(self) -> bool:
        return True

    def moves(self, s: Frantic) -> vec[i64]:
        return vec[i64]([OK])

    def play(self, s: Frantic, move: i64) -> None:
        pass


# Trust Fall: in turn everyone picks a player who gives them two cards -----------------------------


def trust_fall(s: Frantic, e: Occasion) -> None:
    s.then([AskLater(TrustFall(player, e.protected)) for player in e.order(s)])


class TrustFall(EventQuestion):
    """A player with cards, who gives two of their own choice."""

    kind = "trust fall"
    waiting_kind = "fall"

    def moves(self, s: Frantic) -> vec[i64]:
        out = vec[i64](capacity=8)
        for move in others(s, self.player, self.protected):
            if s.hand_size(move - FIRST_SEAT):
                out = append(out, move)
        return out

    def play(self, s: Frantic, move: i64) -> None:
        giver = move - FIRST_SEAT
        s.tell("trust", self.player, seats=BIT[giver])
        s.gather([HandOver(giver, self.player, TO_TRUST)])


# Distributor: the owner looks at all hands and hands them out again (F-39) ------------------------


def distributor(s: Frantic, e: Occasion) -> None:
    order = e.order(s)
    if len(order) < 2:
        return
    for player in order:
        s.hands[player].show_to(BIT[e.owner])
        if player != e.owner:
            s.tell_of("look", e.owner, s.hands[player].cards(), seats=BIT[player], witnesses=BIT[e.owner])
    s.push(Distribute(e.owner, e.protected, packets(s, e)[0]))


def packets(s: Frantic, e: Occasion) -> vec[i64]:
    """Whose hands are handed out, in order; the owner's own comes first, so that it can go to anybody else."""
    order = e.order(s)
    if not e.takes_part(e.owner):
        return order
    last: i64 = len(order) - 1
    return extend(order[last:], order[:last])


class Distribute(TargetAsk):
    """Who gets the next packet; nobody else sees who got the packets before it until all are handed out (F-5)."""

    kind = "distributor"
    arguments = ("player", "protected", "packet")

    def __init__(self, player: i64, protected: i64, packet: i64) -> None:
        super().__init__(player, protected)
        self.packet: i64 = packet
        """Whose cards they were."""

    def is_together(self) -> bool:
        return False

    def moves(self, s: Frantic) -> vec[i64]:
        """The seats without a packet that this one may go to."""
        out = vec[i64](capacity=8)
        player: i64 = 0
        while player < s.players:
            keeps = player == self.player and self.packet == self.player
            if self.occasion().takes_part(player) and not keeps and not self.is_served(s, player):
                out = append(out, FIRST_SEAT + player)
            player += 1
        return out

    def is_served(self, s: Frantic, player: i64) -> bool:
        return any(choice.target == player for choice in s.chosen[self.player])

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        player = move - FIRST_SEAT
        if player < 0 or player >= s.players:
            return ANSWER_WHAT_IS_ASKED
        return ONE_PACKET_EACH if self.occasion().takes_part(player) else LEFT_OUT

    def choice(self, s: Frantic, move: i64) -> Choice:
        return Choice(NO_CARD, move - FIRST_SEAT)

    def next(self, s: Frantic) -> Ask | None:
        order = packets(s, self.occasion())
        done: i64 = len(s.chosen[self.player])
        return Distribute(self.player, self.protected, order[done]) if done < len(order) else None

    def gather(self) -> HandOut:
        return HandOut(self.player, self.protected)


class HandOut(EventGather):
    """All packets change hands at once."""

    def asks(self, s: Frantic) -> list[Ask]:
        return [Distribute(self.owner, self.protected, packets(s, self.occasion())[0])]

    def carry_out(self, s: Frantic, chosen: list[list[Choice]]) -> None:
        hands = s.hands.copy()
        for giver, choice in zip(packets(s, self.occasion()), chosen[self.owner], strict=True):
            s.hands[choice.target] = hands[giver]
            s.hands[choice.target].show_to(BIT[choice.target])
            s.tell("packet", giver, seats=BIT[choice.target])


# Identity Theft without points: two players change hands (F-33) -----------------------------------


class SwapHands(EventQuestion):
    """The owner of the event picks two players, who may include the owner."""

    kind = "identity theft"
    arguments = ("player", "protected", "first")

    def __init__(self, player: i64, protected: i64, first: i64 = NOBODY) -> None:
        super().__init__(player, protected)
        self.first: i64 = first
        """The player who is picked already."""

    def is_possible(self, s: Frantic, before: Step | None) -> bool:
        return len(self.moves(s)) > (self.first == NOBODY)

    def moves(self, s: Frantic) -> vec[i64]:
        return others(s, self.first, self.protected)

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        player = move - FIRST_SEAT
        if 0 <= player < s.players and not self.occasion().takes_part(player):
            return LEFT_OUT
        return ANSWER_WHAT_IS_ASKED

    def play(self, s: Frantic, move: i64) -> None:
        player = move - FIRST_SEAT
        if self.first == NOBODY:
            s.push(SwapHands(self.player, self.protected, player))
        else:
            exchange_hands(s, self.first, player)
            s.tell("swap hands", self.first, seats=BIT[player])
