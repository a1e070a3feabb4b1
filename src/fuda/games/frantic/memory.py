"""What each seat knows about the hidden cards: which ones it has seen, and where they must still be."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import append, extend, vec
from mypy_extensions import i64

from fuda.engine.cards import BIT
from fuda.engine.core import State
from fuda.engine.errors import brief
from fuda.engine.fields import Field
from fuda.engine.roles import MEMORY
from fuda.engine.seats import NOBODY, SEATS, SPECTATOR
from fuda.engine.setup import Setup
from fuda.games.frantic.deck import KIND_COUNT
from fuda.games.frantic.hand import CARD_MASK, KNOWERS_SHIFT, Hand
from fuda.games.frantic.state import Frantic

EVERYBODY: Final = "everybody"
MOST_LAYERS: Final = 32
"""More than Russian Roulette leaves on a deck in any real round."""


def as_knower(viewer: i64) -> i64:
    return SPECTATOR if viewer == NOBODY else viewer


def frantic(s: State) -> Frantic:
    assert isinstance(s, Frantic)
    return s


# What somebody knows ------------------------------------------------------------------------------


class Knowledge:
    """What one viewer knows about all hidden cards: what was seen, and what follows from counting."""

    def __init__(self, s: Frantic, viewer: i64) -> None:
        self.knower = as_knower(viewer)
        self.unseen = vec[i64]([0] * KIND_COUNT)
        """How many of each card the viewer has not seen."""
        self.unknown_slots: i64 = 0
        """In how many slots of hands and deck they can be."""
        for card in s.whole():
            self.unseen[card] += 1
        for pile in (s.discard, s.market):
            for card in pile:
                self.unseen[card] -= 1
        for hand in [*s.hands, *s.layers]:
            for slot in hand.slots:
                if self.has_seen(slot):
                    self.unseen[slot & CARD_MASK] -= 1
                else:
                    self.unknown_slots += 1
        self.unknown_slots += len(s.deck)

    def has_seen(self, slot: i64) -> bool:
        return (slot >> KNOWERS_SHIFT) & BIT[self.knower] != 0

    def of(self, hand: Hand) -> vec[i64]:
        """The cards that must be in this hand."""
        out = vec[i64](capacity=16)
        unknown: i64 = 0
        for slot in hand.slots:
            if self.has_seen(slot):
                out = append(out, slot & CARD_MASK)
            else:
                unknown += 1
        return vec[i64](sorted(extend(out, self.among(unknown))))

    def among(self, slots: i64) -> vec[i64]:
        """The unseen cards that must be in this number of slots, as there are not enough others to fill them."""
        out = vec[i64]()
        card: i64 = 0
        while card < KIND_COUNT:
            surely = slots - (self.unknown_slots - self.unseen[card])
            while surely > 0:
                out = append(out, card)
                surely -= 1
            card += 1
        return out


# Who knows what, which is only in positions -------------------------------------------------------


def known_in(hand: Hand, knower: i64, names: list[str]) -> list[str]:
    return [names[slot & CARD_MASK] for slot in hand.slots if slot >> KNOWERS_SHIFT & BIT[knower]]


def write_known(hand: Hand, knower: i64, value: object, where: str, setup: Setup) -> None:
    for card in set(setup.named(value, where)):
        assert isinstance(value, list)
        number = value.count(setup.names[card])
        if number > hand.copies(card):
            raise setup.wrong(where, f"the {setup.names[card]} is not there.")
        hand.set_known(card, knower, number)


def knower_at(seat: object, where: str, setup: Setup) -> i64:
    return SPECTATOR if seat == EVERYBODY else setup.seat(seat, where)


class KnownToEach(Field):
    """The cards of each hand that each player, or every spectator, knows to be there."""

    def __init__(self) -> None:
        super().__init__("known", kind=MEMORY)
        self.in_views = False

    def read(self, s: State, names: list[str]) -> Any:
        out: dict[str, Any] = {}
        for knower in [*range(s.players), SPECTATOR]:
            seen: dict[str, Any] = {}
            for player in range(s.players):
                cards = known_in(frantic(s).hands[player], knower, names)
                if cards and player != knower:
                    seen[SEATS[player]] = cards
            if seen:
                out[EVERYBODY if knower == SPECTATOR else SEATS[knower]] = seen
        return out

    def write(self, s: State, value: object, setup: Setup) -> None:
        if not isinstance(value, dict):
            raise setup.wrong(self.name, f"expected what each seat knows, got {brief(value)}.")
        for seat in value:
            knower = knower_at(seat, self.name, setup)
            for holder, cards in setup.seats(value[seat], f"{self.name} to {seat}").items():
                where = f"{self.name} to {seat} of {holder}"
                if holder == seat:
                    raise setup.wrong(where, "everyone knows their own hand.")
                write_known(frantic(s).hands[SEATS.index(holder)], knower, cards, where, setup)


class Layers(Field):
    """The layers that Russian Roulette put on the deck, the top one first, and who knows which of their cards."""

    def __init__(self) -> None:
        super().__init__("layers")
        self.in_views = False
        self.ordered = True

    def read(self, s: State, names: list[str]) -> Any:
        return [
            {"size": layer.size(), "known": self.known_of(layer, s.players, names)} for layer in reversed(frantic(s).layers)
        ]

    def known_of(self, layer: Hand, players: i64, names: list[str]) -> dict[str, list[str]]:
        out: dict[str, list[str]] = {}
        for knower in [*range(players), SPECTATOR]:
            cards = known_in(layer, knower, names)
            if cards:
                out[EVERYBODY if knower == SPECTATOR else SEATS[knower]] = cards
        return out

    def write(self, s: State, value: object, setup: Setup) -> None:
        if not isinstance(value, list) or len(value) > MOST_LAYERS:
            raise setup.wrong(self.name, f"expected a list of layers, got {brief(value)}.")
        game = frantic(s)
        layers: list[Hand] = []
        for layer in value:
            if not isinstance(layer, dict):
                raise setup.wrong(self.name, f"expected a size and who knows what, got {brief(layer)}.")
            size = setup.number(layer.get("size"), self.name, 1, len(game.deck))
            hand = Hand(game.deck[len(game.deck) - size :])
            game.deck = game.deck[: len(game.deck) - size]
            known = layer.get("known", {})
            if not isinstance(known, dict):
                raise setup.wrong(self.name, f"expected who knows what, got {brief(known)}.")
            for seat in known:
                write_known(hand, knower_at(seat, self.name, setup), known[seat], self.name, setup)
            layers.append(hand)
        layers.reverse()
        game.layers = layers
