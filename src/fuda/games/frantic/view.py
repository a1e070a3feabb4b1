"""How hands and deck are shown: each seat sees the cards that it knows to be there. Also the other fields of Frantic."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import append, extend, vec
from mypy_extensions import i64

from fuda.engine.cards import BIG_BIT, BIT
from fuda.engine.core import State
from fuda.engine.errors import brief
from fuda.engine.fields import HIDDEN, OWN, Field, HiddenCards, Pile, in_reverse, seen_part, size_of, unseen_in
from fuda.engine.roles import HAND
from fuda.engine.seats import SEATS, seats_in
from fuda.engine.setup import Setup
from fuda.games.frantic.deck import ALL_EVENTS, COLOURS, FIRST_EVENT, KIND_COUNT, NONE, SYMBOLS
from fuda.games.frantic.hand import CARD_MASK, KNOWERS_SHIFT, Hand
from fuda.games.frantic.memory import MOST_LAYERS, Knowledge, as_knower, frantic

CARD_SET: Final = BIG_BIT[KIND_COUNT] - 1
EVENT_SET: Final = BIG_BIT[FIRST_EVENT + ALL_EVENTS] - BIG_BIT[FIRST_EVENT]


def face_down_hand(cards: vec[i64], size: i64, names: list[str]) -> dict[str, Any]:
    return {"size": size, "cards": [names[card] for card in cards]}


class Hands(Field):
    """Each player's hand, and the cards that others know to be in it."""

    def __init__(self) -> None:
        super().__init__("hands", OWN, CARD_SET, kind=HAND)

    def read(self, s: State, names: list[str]) -> Any:
        hands = frantic(s).hands
        return {SEATS[player]: [names[card] for card in hands[player].cards()] for player in range(s.players)}

    def show(self, s: State, names: list[str], viewer: i64) -> Any:
        shown = self.read(s, names)
        knowledge = Knowledge(frantic(s), viewer)
        for player in range(s.players):
            if player != viewer:
                hand = frantic(s).hands[player]
                shown[SEATS[player]] = face_down_hand(knowledge.of(hand), hand.size(), names)
        return shown

    def write(self, s: State, value: object, setup: Setup) -> None:
        for seat, cards in setup.seats(value, self.name).items():
            self.fill(s, SEATS.index(seat), setup.cards(cards, f"{self.name} of {seat}", self.allowed))

    def write_shown(self, s: State, shown: object, viewer: i64, setup: Setup) -> None:
        self.write(s, seen_part(shown), setup)
        for hand in frantic(s).hands:
            hand.show_to(BIT[as_knower(viewer)])

    def cards(self, s: State) -> vec[i64]:
        out = vec[i64](capacity=147)
        for hand in frantic(s).hands:
            out = extend(out, hand.cards())
        return out

    def hidden(self, s: State, viewer: i64) -> list[HiddenCards]:
        out: list[HiddenCards] = []
        for player in range(s.players):
            if player != viewer:
                never = s.never_held(player) | ~CARD_SET
                out.append(hidden_cards_of(self, player, frantic(s).hands[player], viewer, never))
        return out

    def fill(self, s: State, owner: i64, cards: vec[i64]) -> None:
        hand = Hand(vec[i64](capacity=len(cards)))
        for slot in cards:
            hand.add(slot & CARD_MASK, slot >> KNOWERS_SHIFT | BIT[owner])
        frantic(s).hands[owner] = hand


def hidden_cards_of(field: Field, owner: i64, hand: Hand, viewer: i64, never: int) -> HiddenCards:
    """A hand for a redeal: slots that the viewer knows, and the other cards without those who know them."""
    seen = vec[i64](capacity=len(hand.slots))
    unseen = vec[i64](capacity=len(hand.slots))
    for slot in hand.slots:
        if (slot >> KNOWERS_SHIFT) & BIT[as_knower(viewer)]:
            seen = append(seen, slot)
        else:
            unseen = append(unseen, slot & CARD_MASK)
    return HiddenCards(field, owner, unseen, seen, never)


class Deck(Pile):
    """The deck with the layers of Russian Roulette on it: owner 0 is the deck itself, 1 the lowest layer."""

    def __init__(self) -> None:
        super().__init__("deck", HIDDEN, CARD_SET)

    def cards(self, s: State) -> vec[i64]:
        out = super().cards(s)
        for layer in frantic(s).layers:
            out = extend(in_reverse(layer.cards()), out)
        return out

    def show(self, s: State, names: list[str], viewer: i64) -> Any:
        game = frantic(s)
        knowledge = Knowledge(game, viewer)
        shown = face_down_hand(knowledge.among(len(game.deck)), game.deck_size(), names)
        if game.layers:
            layers = [face_down_hand(knowledge.of(layer), layer.size(), names) for layer in reversed(game.layers)]
            shown["layers"] = layers
        return shown

    def write_shown(self, s: State, shown: object, viewer: i64, setup: Setup) -> None:
        if not isinstance(shown, dict):
            raise setup.wrong(self.name, f"expected its size and the cards seen, got {brief(shown)}.")
        super().fill(s, 0, setup.cards(shown.get("cards"), self.name, self.allowed))
        layers: list[dict[str, Any]] = layers_in(shown, setup)
        for layer in layers[::-1]:
            if size_of(layer) < 1:
                raise setup.wrong("deck", "a layer has at least one card.")
            hand = Hand(vec[i64](capacity=8))
            for card in setup.cards(layer.get("cards"), "layers", self.allowed):
                hand.add(card, BIT[as_knower(viewer)])
            frantic(s).layers.append(hand)

    def unseen_count(self, shown: object, hidden: HiddenCards) -> int:
        if not isinstance(shown, dict):
            return -1
        layers = shown.get("layers", [])
        if hidden.owner:
            return unseen_in(layers[len(layers) - hidden.owner])
        inside = [size_of(layer) for layer in layers]
        return unseen_in(shown) - sum(inside) if min(inside, default=0) >= 0 else -1

    def hidden(self, s: State, viewer: i64) -> list[HiddenCards]:
        out = [HiddenCards(self, 0, super().cards(s), vec[i64](), ~CARD_SET)]
        for number, layer in enumerate(frantic(s).layers, 1):
            out.append(hidden_cards_of(self, number, layer, viewer, ~CARD_SET))
        return out

    def fill(self, s: State, owner: i64, cards: vec[i64]) -> None:
        if not owner:
            super().fill(s, 0, cards)
            return
        layer = Hand(vec[i64](capacity=8))
        for slot in cards:
            layer.add(slot & CARD_MASK, slot >> KNOWERS_SHIFT)
        layer.put_in_order(vec[i64]([slot & CARD_MASK for slot in cards]))
        frantic(s).layers[owner - 1] = layer

    def add_behind(self, s: State, cards: vec[i64]) -> None:
        super().fill(s, 0, extend(super().cards(s), cards))


def layers_in(shown: dict[str, Any], setup: Setup) -> list[dict[str, Any]]:
    layers = shown.get("layers", [])
    if not isinstance(layers, list) or len(layers) > MOST_LAYERS or not all(isinstance(layer, dict) for layer in layers):
        raise setup.wrong("deck", "its layers are not a list of sizes and cards.")
    return layers


# What is demanded ---------------------------------------------------------------------------------


class Demand(Field):
    """What the top card demands: a colour, a number, a symbol, or null for each."""

    def __init__(self) -> None:
        super().__init__("demand")

    def read(self, s: State, names: list[str]) -> Any:
        return frantic(s).demanded()

    def write(self, s: State, value: object, setup: Setup) -> None:
        if not isinstance(value, dict):
            raise setup.wrong(self.name, f"expected a colour, a number or a symbol, got {brief(value)}.")
        for key in value:
            if key not in ("colour", "number", "symbol"):
                raise setup.wrong(self.name, f"{brief(key)} is not a colour, a number or a symbol.")
        number = value.get("number")
        frantic(s).demand(
            one_of(value.get("colour"), COLOURS, self.name, setup),
            0 if number is None else setup.number(number, self.name, 1, 9),
            one_of(value.get("symbol"), SYMBOLS, self.name, setup),
        )


def one_of(value: object, words: list[str], where: str, setup: Setup) -> i64:
    if value is None:
        return NONE
    if isinstance(value, str) and value in words:
        return words.index(value)
    raise setup.wrong(where, f"{brief(value)} is not one of {', '.join(words)}.")


class Exempt(Field):
    """For each lasting event those who are protected from it."""

    def __init__(self) -> None:
        super().__init__("exempt")
        self.ordered = True

    def read(self, s: State, names: list[str]) -> Any:
        return [seats_in(players) for players in frantic(s).exempt]

    def write(self, s: State, value: object, setup: Setup) -> None:
        if not isinstance(value, list) or len(value) != len(frantic(s).lasting):
            raise setup.wrong(self.name, "expected a list of seats for each lasting event.")
        frantic(s).exempt = vec[i64]([setup.seat_set(seats, self.name) for seats in value])
