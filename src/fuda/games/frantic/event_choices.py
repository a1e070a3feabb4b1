"""What all choose at once, each without knowing of the others, and what comes of it (F-5)."""

from __future__ import annotations

from typing import Any

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.cards import BIT
from fuda.engine.core import Step
from fuda.engine.seats import NOBODY
from fuda.games.frantic.deck import (
    COLOUR,
    CROWDFUNDING,
    FIRST_SEAT,
    KINDS,
    MERRY_CHRISTMAS,
    NAMES,
    NUMBER,
    SURPRISE_PARTY,
    is_numeral,
)
from fuda.games.frantic.event_steps import EventQuestion, EventStep
from fuda.games.frantic.hand import ALL_KNOW, KIND, KNOWERS, Hand, part_with
from fuda.games.frantic.moving import draw, tell_given
from fuda.games.frantic.state import EMPTY, NO_CARD_LAID, RECEIVER, UNSEEN, Frantic
from fuda.games.frantic.steps import (
    TO_FUND,
    TO_PRESENT,
    TO_SHOOT,
    Choose,
    Lay,
    Pick,
    choose_anew,
    free_in,
    is_choice_for,
    lays,
)

# Surprise Party, Merry Christmas, Crowdfunding ----------------------------------------------------


class ForWhom(EventQuestion):
    """Surprise Party: who gets the card that was just chosen."""

    kind = "for whom"

    def chooser(self) -> i64:
        return self.player

    def is_together(self) -> bool:
        return True

    def moves(self, s: Frantic) -> vec[i64]:
        return self.others(s)

    def own_facts(self, s: Frantic) -> dict[str, Any]:
        return {"card": NAMES[s.chosen[self.player][-1] & KIND]}

    def is_possible(self, s: Frantic, before: Step | None) -> bool:
        if isinstance(before, Choose):
            return before.owner == self.player and before.purpose == TO_PRESENT and s.hand_size(self.player) > 0
        if isinstance(before, Pick):
            return before.player == self.player and before.purpose == TO_PRESENT
        return len(s.chosen[self.player]) == 1

    def play(self, s: Frantic, move: i64) -> None:
        chosen = s.chosen[self.player]
        last: i64 = len(chosen) - 1
        chosen[last] = (chosen[last] & KIND) | (move - FIRST_SEAT + 1) << RECEIVER


class StartWrapping(EventStep):
    """Merry Christmas: the owner of this step gives away all cards, if there are any."""

    kind = "start wrapping"

    def chooser(self) -> i64:
        return self.owner

    def is_together(self) -> bool:
        return True

    def run(self, s: Frantic) -> None:
        question = Wrap(self.owner, self.protected)
        if question.is_possible(s, None):
            s.push(question)


class Wrap(EventQuestion):
    """Merry Christmas: who gets the next card, in the order of the hand."""

    kind = "merry christmas"

    def chooser(self) -> i64:
        return self.player

    def is_together(self) -> bool:
        return True

    def moves(self, s: Frantic) -> vec[i64]:
        return self.others(s)

    def facts(self, s: Frantic) -> dict[str, Any]:
        return {"left": s.hand_size(self.player) - len(s.chosen[self.player])}

    def own_facts(self, s: Frantic) -> dict[str, Any]:
        return {"card": NAMES[s.hands[self.player].kind(len(s.chosen[self.player]))]}

    def is_possible(self, s: Frantic, before: Step | None) -> bool:
        return super().is_possible(s, before) and len(s.chosen[self.player]) < s.hand_size(self.player)

    def play(self, s: Frantic, move: i64) -> None:
        s.choose(self.player, s.hands[self.player].kind(len(s.chosen[self.player])), move - FIRST_SEAT)
        if len(s.chosen[self.player]) < s.hand_size(self.player):
            s.push(self)


class Unwrap(EventStep):
    """All chosen cards change hands at once, each to its receiver."""

    kind = "unwrap"
    parts = ("owner", "protected", "event")

    def __init__(self, owner: i64, protected: i64, event: i64) -> None:
        super().__init__(owner, protected)
        self.event: i64 = event

    def run(self, s: Frantic) -> None:
        received = [Hand(vec[i64]()) for _ in range(s.players)]
        for giver in self.order(s):
            self.unwrap(s, giver, received)
        player: i64 = 0
        while player < s.players:
            for slot in received[player].cards:
                s.hands[player].add(slot & KIND, slot >> KNOWERS)
            player += 1

    def unwrap(self, s: Frantic, giver: i64, received: list[Hand]) -> None:
        cards = vec[i64]()
        receivers = vec[i64]()
        for choice in s.chosen[giver]:
            cards = append(cards, choice & KIND)
            receivers = append(receivers, (choice >> RECEIVER) - 1)
        s.chosen[giver] = EMPTY
        knowers = part_with(s.hands[giver], giver, cards, receivers)
        receiver: i64 = 0
        while receiver < s.players:
            parcel = vec[i64]()
            at: i64 = 0
            while at < len(cards):
                if receivers[at] == receiver:
                    received[receiver].add(cards[at], knowers[at])
                    parcel = append(parcel, cards[at])
                at += 1
            tell_given(s, giver, parcel, receiver, "give")
            receiver += 1

    def carries_out(self, player: i64) -> bool:
        return self.occasion().takes_part(player)

    def is_meant_by(self, step: Step) -> bool:
        if self.event == MERRY_CHRISTMAS:
            return isinstance(step, (StartWrapping, Wrap))
        if self.event == SURPRISE_PARTY:
            return isinstance(step, ForWhom) or is_choice_for(step, TO_PRESENT, NOBODY)
        return isinstance(step, (Choose, Pick)) and step.purpose == TO_FUND and step.receiver != NOBODY

    def is_possible(self, s: Frantic, before: Step | None) -> bool:
        return self.event in (SURPRISE_PARTY, MERRY_CHRISTMAS, CROWDFUNDING)

    def most_chosen(self, s: Frantic, player: i64) -> i64:
        return s.hand_size(player)

    def accepts(self, s: Frantic, player: i64, card: i64, receiver: i64) -> bool:
        if receiver == NOBODY:
            return isinstance(s.step, ForWhom) and s.step.player == player
        return card < KINDS and receiver != player and self.occasion().takes_part(receiver)

    def imagine(self, s: Frantic, player: i64) -> None:
        """Cards as somebody else could have chosen them: of the hand in its order, or any, to whoever it may be."""
        known = s.chosen[player]
        s.chosen[player] = EMPTY
        receivers = self.receivers(s, player)
        at: i64 = 0
        while at < len(known):
            card = known[at] & KIND
            receiver = (known[at] >> RECEIVER) - 1
            if card == UNSEEN:
                if at == s.hand_size(player) or (at == len(receivers) and self.event == CROWDFUNDING):
                    return  # a view that was made up
                card = self.any_card(s, player)
                receiver = receivers[at] if self.event == CROWDFUNDING else receivers[s.chance.random.below(len(receivers))]
            s.choose(player, card, receiver)
            at += 1

    def any_card(self, s: Frantic, player: i64) -> i64:
        if self.event == MERRY_CHRISTMAS:
            return s.hands[player].kind(len(s.chosen[player]))
        free = free_in(s.hands[player], s.chosen[player], -1)
        return free[s.chance.random.below(len(free))]

    def receivers(self, s: Frantic, player: i64) -> vec[i64]:
        if self.event == CROWDFUNDING:
            return extremes(s, self.order(s), most=False)
        out = vec[i64]()
        for other in self.order(s):
            if other != player:
                out = append(out, other)
        return out


def extremes(s: Frantic, players: vec[i64], most: bool) -> vec[i64]:
    """Those of the players who hold the most cards, or the fewest."""
    best: i64 = 0 if most else len(s.whole())
    for player in players:
        size = s.hand_size(player)
        if size > best if most else size < best:
            best = size
    out = vec[i64](capacity=8)
    for player in players:
        if s.hand_size(player) == best:
            out = append(out, player)
    return out


# Russian Roulette and Gambling Man ------------------------------------------------------------------


class Shoot(EventStep):
    """Russian Roulette: the chosen cards are shuffled and laid on the deck."""

    kind = "shoot"

    def run(self, s: Frantic) -> None:
        layer = Hand(vec[i64](capacity=8))
        for player in self.order(s):
            for card in s.choices(player):
                knowers = part_with(s.hands[player], player, vec[i64]([card]), vec[i64]([NOBODY]))
                layer.add(card, knowers[0])
                s.tell_of("roulette", player, vec[i64]([card]), witnesses=BIT[player])
        if layer.size():
            layer.put_in_order(s.chance.shuffle(layer.kinds()))
            s.layers.append(layer)

    def carries_out(self, player: i64) -> bool:
        return self.occasion().takes_part(player)

    def is_meant_by(self, step: Step) -> bool:
        return is_choice_for(step, TO_SHOOT, NOBODY)

    def most_chosen(self, s: Frantic, player: i64) -> i64:
        return 1

    def imagine(self, s: Frantic, player: i64) -> None:
        choose_anew(s, player, player, -1, NOBODY)


class TurnOver(EventStep):
    """Gambling Man: the highest digit takes the other cards; whoever laid none draws two."""

    kind = "turn over"

    def run(self, s: Frantic) -> None:
        order = self.order(s)
        best: i64 = 0
        loser: i64 = NOBODY
        laid = vec[i64](capacity=8)
        for player in order:
            card: i64 = NO_CARD_LAID
            for one in s.choices(player):
                card = one
            laid = append(laid, card)
            if card != NO_CARD_LAID:
                s.tell("gamble", player, card)
                s.hands[player].remove(card)
                if NUMBER[card] > best:
                    best = NUMBER[card]
                    loser = player
        if loser != NOBODY:
            for card in laid:
                if card != NO_CARD_LAID:
                    s.hands[loser].add(card, ALL_KNOW)
            s.tell("gambled", loser)
        at: i64 = 0
        while at < len(order):
            if laid[at] == NO_CARD_LAID:
                draw(s, order[at], 2)
            at += 1

    def carries_out(self, player: i64) -> bool:
        return self.occasion().takes_part(player)

    def is_meant_by(self, step: Step) -> bool:
        return isinstance(step, Lay)

    def most_chosen(self, s: Frantic, player: i64) -> i64:
        return 1

    def accepts(self, s: Frantic, player: i64, card: i64, receiver: i64) -> bool:
        return card == NO_CARD_LAID or (is_numeral(card) and COLOUR[card] == s.last_colour)

    def imagine(self, s: Frantic, player: i64) -> None:
        if s.chosen[player][0] & KIND == UNSEEN:
            s.chosen[player] = EMPTY
            free = lays(s, player)
            s.choose(player, free[s.chance.random.below(len(free))] if len(free) else NO_CARD_LAID)
