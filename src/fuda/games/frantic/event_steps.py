"""What events ask of the players, and what comes of it once all have chosen (F-5)."""

from __future__ import annotations

from typing import ClassVar, Final

from librt.vecs import append, extend, vec
from mypy_extensions import i64

from fuda.engine.cards import BIT
from fuda.engine.core import ANSWER_WHAT_IS_ASKED, Rule, Step
from fuda.engine.seats import NOBODY
from fuda.games.frantic.deck import (
    COMMIT,
    DECLINE,
    FIRST_SEAT,
    OK,
    is_numeral,
)
from fuda.games.frantic.hand import ALL_KNOW
from fuda.games.frantic.moving import draw, exchange_hands, turn_up, without
from fuda.games.frantic.refusals import FIT_THE_CARD, LEFT_OUT, NOTHING_TO_DRAW, ONE_PACKET_EACH, rule_against_target
from fuda.games.frantic.state import EMPTY, PACKET, RECEIVER, Frantic, FranticStep
from fuda.games.frantic.steps import TO_DISPOSE, TO_TRUST, Choose, Dispose, HandOver

DECLINED: Final = 21
NUMERAL_DRAWN: Final = -21
SPECIAL_DRAWN: Final = 42


class Occasion:
    """An event that happens: whose it is, and who is left out of it."""

    def __init__(self, owner: i64, protected: i64) -> None:
        self.owner: i64 = owner
        self.protected: i64 = protected

    def takes_part(self, player: i64) -> bool:
        return not self.protected & BIT[player]

    def order(self, s: Frantic) -> vec[i64]:
        """F-4: from the owner's right neighbour round to the owner."""
        out = vec[i64](capacity=8)
        far: i64 = 1
        while far <= s.players:
            player = s.after(self.owner, far)
            if self.takes_part(player):
                out = append(out, player)
            far += 1
        return out


class EventStep(FranticStep):
    """A step of an event: it belongs to its owner, and some players are protected from it."""

    parts: ClassVar[tuple[str, ...]] = ("owner", "protected")

    def __init__(self, owner: i64, protected: i64) -> None:
        super().__init__()
        self.owner: i64 = owner
        self.protected: i64 = protected

    def occasion(self) -> Occasion:
        return Occasion(self.owner, self.protected)

    def order(self, s: Frantic) -> vec[i64]:
        return self.occasion().order(s)


class EventQuestion(FranticStep):
    """Something that an event asks of a player."""

    parts: ClassVar[tuple[str, ...]] = ("player", "protected")

    def __init__(self, player: i64, protected: i64) -> None:
        super().__init__(player)
        self.protected: i64 = protected

    def others(self, s: Frantic) -> vec[i64]:
        """The other players who take part, as moves."""
        out = vec[i64](capacity=8)
        player: i64 = 0
        while player < s.players:
            if player != self.player and not self.protected & BIT[player]:
                out = append(out, FIRST_SEAT + player)
            player += 1
        return out

    def is_possible(self, s: Frantic, before: Step | None) -> bool:
        return len(self.moves(s)) > 0

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        rule = rule_against_target(s, self.player, move, FIT_THE_CARD)
        return LEFT_OUT if rule is FIT_THE_CARD and self.protected & BIT[move - FIRST_SEAT] else rule


# Distributor --------------------------------------------------------------------------------------


class Distribute(EventQuestion):
    """F-39: who gets the next packet; the owner's own comes first, so that it can go to anybody else.

    Who gets the packets before it is among the owner's choices, which nobody else sees until all are made (F-5).
    """

    kind = "distributor"
    parts = ("player", "protected", "packet")

    def __init__(self, player: i64, protected: i64, packet: i64) -> None:
        super().__init__(player, protected)
        self.packet: i64 = packet
        """Whose cards they were."""

    def moves(self, s: Frantic) -> vec[i64]:
        return self.free(s, self.packet)

    def free(self, s: Frantic, packet: i64) -> vec[i64]:
        """The seats without a packet that this one may go to."""
        out = vec[i64](capacity=8)
        player: i64 = 0
        while player < s.players:
            keeps = player == self.player and packet == self.player
            if not self.protected & BIT[player] and not keeps and not self.is_served(s, player):
                out = append(out, FIRST_SEAT + player)
            player += 1
        return out

    def is_served(self, s: Frantic, player: i64) -> bool:
        return any(choice >> RECEIVER == player + 1 for choice in s.chosen[self.player])

    def packets(self, s: Frantic) -> vec[i64]:
        """Whose packets are handed out, in order."""
        order = Occasion(self.player, self.protected).order(s)
        if self.protected & BIT[self.player]:
            return order
        last: i64 = len(order) - 1
        return extend(order[last:], order[:last])

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        player = move - FIRST_SEAT
        if player < 0 or player >= s.players:
            return ANSWER_WHAT_IS_ASKED
        return LEFT_OUT if self.protected & BIT[player] else ONE_PACKET_EACH

    def play(self, s: Frantic, move: i64) -> None:
        s.choose(self.player, PACKET, move - FIRST_SEAT)
        packets = self.packets(s)
        done: i64 = len(s.chosen[self.player])
        if done < len(packets):
            s.push(Distribute(self.player, self.protected, packets[done]))
            return
        hands = s.hands.copy()
        for giver, choice in zip(packets, s.chosen[self.player], strict=True):
            receiver = (choice >> RECEIVER) - 1
            s.hands[receiver] = hands[giver]
            s.hands[receiver].show_to(BIT[receiver])
            s.tell("packet", giver, seats=BIT[receiver])
        s.chosen[self.player] = EMPTY

    def is_possible(self, s: Frantic, before: Step | None) -> bool:
        packets = self.packets(s)
        done: i64 = len(s.chosen[self.player])
        return before is None and done < len(packets) and packets[done] == self.packet and len(self.moves(s)) > 0

    def carries_out(self, player: i64) -> bool:
        return player == self.player

    def most_chosen(self, s: Frantic, player: i64) -> i64:
        return s.players

    def accepts(self, s: Frantic, player: i64, card: i64, receiver: i64) -> bool:
        return card == PACKET and receiver != NOBODY and not self.protected & BIT[receiver]

    def imagine(self, s: Frantic, player: i64) -> None:
        packets = self.packets(s)
        done: i64 = len(s.chosen[player])
        s.chosen[player] = EMPTY
        for packet in packets[:done]:
            free = self.free(s, packet)
            s.choose(player, PACKET, free[s.chance.random.below(len(free))] - FIRST_SEAT)


# Trust Fall, Market, Seppuku, the All-Seeing Eye, Identity Theft ------------------------------------


class Fall(EventStep):
    """Trust Fall: the owner of this step picks a player with cards, if there is one."""

    kind = "fall"

    def run(self, s: Frantic) -> None:
        question = TrustFall(self.owner, self.protected)
        if len(question.moves(s)):
            s.push(question)


class TrustFall(EventQuestion):
    """A player who gives two cards of their own choice."""

    kind = "trust fall"

    def moves(self, s: Frantic) -> vec[i64]:
        out = vec[i64](capacity=8)
        for move in self.others(s):
            if s.hand_size(move - FIRST_SEAT):
                out = append(out, move)
        return out

    def play(self, s: Frantic, move: i64) -> None:
        giver = move - FIRST_SEAT
        s.tell("trust", self.player, seats=BIT[giver])
        s.then([Choose(giver, TO_TRUST, 2, self.player), HandOver(giver, self.player, TO_TRUST)])


class Buy(FranticStep):
    """Market: one of the open cards."""

    kind = "market"
    parts = ("player",)

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


class Seppuku(FranticStep):
    """Draw the top card for all to see, or not; with an empty deck there is no choice."""

    kind = "seppuku"
    parts = ("player",)

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
            s.then([Choose(self.player, TO_DISPOSE, 2, NOBODY), Dispose(self.player)])
        else:
            draw(s, self.player, 4)

    def credit(self, s: Frantic, points: i64) -> None:
        s.bonus[self.player] += points
        s.tell("credit", self.player, number=points)


class Acknowledge(FranticStep):
    """The All-Seeing Eye: hands lie open until all have had their look."""

    kind = "the all-seeing eye"
    parts = ("player",)

    def is_together(self) -> bool:
        return True

    def moves(self, s: Frantic) -> vec[i64]:
        return vec[i64]([OK])

    def play(self, s: Frantic, move: i64) -> None:
        pass


class SwapSeats(EventQuestion):
    """F-33: Identity Theft without points lets its owner have two players change hands, himself among them if he likes."""

    kind = "identity theft"
    parts = ("player", "protected", "first")

    def __init__(self, player: i64, protected: i64, first: i64) -> None:
        super().__init__(player, protected)
        self.first: i64 = first

    def is_possible(self, s: Frantic, before: Step | None) -> bool:
        return len(self.moves(s)) > (self.first == NOBODY)

    def moves(self, s: Frantic) -> vec[i64]:
        out = vec[i64](capacity=8)
        player: i64 = 0
        while player < s.players:
            if player != self.first and not self.protected & BIT[player]:
                out = append(out, FIRST_SEAT + player)
            player += 1
        return out

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        player = move - FIRST_SEAT
        if 0 <= player < s.players and self.protected & BIT[player]:
            return LEFT_OUT
        return ANSWER_WHAT_IS_ASKED

    def play(self, s: Frantic, move: i64) -> None:
        player = move - FIRST_SEAT
        if self.first == NOBODY:
            s.push(SwapSeats(self.player, self.protected, player))
        else:
            exchange_hands(s, self.first, player)
            s.tell("swap hands", self.first, seats=BIT[player])
