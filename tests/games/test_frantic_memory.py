"""Frantic: what a view remembers, against a second memory that only reads the notes of that seat (F-43).

The second memory counts, for each hand and each layer on the deck, how many cards of a kind must at least be there. It knows
nothing of how the game keeps this; the two must agree card for card, for every seat and for a spectator, at every decision.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import fuda
from fuda.games.frantic.deck import CARD_NAMES, WHOLE
from tests.tables import pick

RUDE = "fuck you"
ALL_CARDS = Counter(CARD_NAMES[card] for card in WHOLE)
OPENLY = {"play", "counter", "luck", "nice try", "gamble"}
PARCELS = {"give", "blind", "steal", "favour"}


def is_numeral(card: str) -> bool:
    return card[-1].isdigit()


class Place:
    """A hand or a layer: its size, and how many cards of each kind must be there."""

    def __init__(self, size: int = 0, known: Counter[str] | None = None) -> None:
        self.size = size
        self.known = known or Counter()

    def loses(self, card: str) -> None:
        """A card that the owner of this memory sees leaving."""
        self.size -= 1
        self.known[card] = max(0, self.known[card] - 1)

    def loses_unseen(self, number: int, fixed: str = "") -> Counter[str]:
        """So many cards leave unseen; returns those that must be among them."""
        gone: Counter[str] = Counter()
        movable = self.size - self.known[fixed] if fixed else self.size
        for card, least in self.known.items():
            if card != fixed:
                gone[card] = max(0, number - (movable - least))
                self.known[card] = max(0, least - number)
        self.size -= number
        return +gone

    def gets(self, cards: Counter[str], number: int) -> None:
        self.size += number
        self.known += cards


class Memory:
    """What one seat, or a spectator, remembers."""

    def __init__(self, seat: str | None, view: dict[str, Any]) -> None:
        self.seat = seat
        self.read = 0
        self.hands: dict[str, Place] = {}
        self.layers: list[Place] = []
        self.own: Counter[str] = Counter()
        self.cause: dict[str, Any] = {}
        self.protected: list[str] = []
        self.stakes: list[str] = []
        self.learn(view)
        for other, shown in view["hands"].items():
            if other != seat:
                self.hands[other] = Place(shown["size"])

    def learn(self, view: dict[str, Any]) -> None:
        """Reads the notes that are new in this view."""
        own = Counter(view["hands"][self.seat]) if self.seat else Counter[str]()
        notes = view["history"][self.read :]
        self.read += len(notes)
        at = 0
        while at < len(notes):
            kind = notes[at]["kind"]
            end = at + 1
            group = PARCELS if kind in PARCELS else {kind} if kind in ("roulette", "packet") else set()
            while end < len(notes) and notes[end]["kind"] in group:
                end += 1
            self.happens(kind, notes[at:end], own)
            at = end
        self.own = own
        self.protected = protected_in(view["pending"])

    def happens(self, kind: str, notes: list[dict[str, Any]], own: Counter[str]) -> None:
        note = notes[0]
        seat = note.get("seat")
        if kind == "deal":
            self.hands = {other: Place(7) for other in self.hands}
            self.layers = []
        elif kind in OPENLY:
            if seat in self.hands:
                self.hands[seat].loses(note["card"])
            if kind == "gamble":
                self.stakes.append(note["card"])
        elif kind == "dispose" and seat in self.hands:
            for card in note["cards"]:
                self.hands[seat].loses(card)
        elif kind == "draw":
            self.draws(str(seat), note)
        elif kind in ("buy", "commit", "gambled"):
            cards = self.stakes if kind == "gambled" else [note["card"]]
            if seat in self.hands:
                self.hands[seat].gets(Counter(cards), len(cards))
            if kind == "commit":
                self.turned_up(note["card"])
            self.stakes = []
        elif kind == "market":
            for card in note.get("cards", []):
                self.turned_up(card)
        elif kind in ("aim", "redirect", "event"):
            self.cause = note
            if kind == "event" and note["card"] == "earthquake":
                order = self.order(str(seat))
                self.move_hands({one: order[(at + 1) % len(order)] for at, one in enumerate(order)})
        elif kind in PARCELS:
            self.parcels(notes)
        elif kind == "roulette":
            self.shoot(notes)
        elif kind in ("look", "show"):
            shown = note["seats"][0] if kind == "look" else seat
            if shown in self.hands and (kind == "show" or seat == self.seat):
                self.hands[shown].known = Counter(note.get("cards", []))
        elif kind == "packet":
            self.move_hands({one["seat"]: one["seats"][0] for one in notes})
        elif kind == "swap hands":
            self.move_hands({str(seat): note["seats"][0], note["seats"][0]: str(seat)})
        elif kind == "tornado":
            self.tornado(own)

    def order(self, owner: str) -> list[str]:
        seats = sorted({*self.hands, *([self.seat] if self.seat else [])})
        first = seats.index(owner) + 1
        return [seat for seat in seats[first:] + seats[:first] if seat not in self.protected]

    def place(self, seat: str) -> Place:
        return Place(self.own.total(), self.own.copy()) if seat == self.seat else self.hands[seat]

    def move_hands(self, to: dict[str, str]) -> None:
        moved = {receiver: self.place(holder) for holder, receiver in to.items()}
        self.hands.update({seat: place for seat, place in moved.items() if seat != self.seat})

    # Draws, and the layers on the deck -----------------------------------------------------------

    def draws(self, seat: str, note: dict[str, Any]) -> None:
        for at in range(note["number"]):
            surely: Counter[str] = Counter()
            if self.layers:
                if seat == self.seat:
                    self.layers[-1].loses(note["cards"][at])
                else:
                    surely = self.layers[-1].loses_unseen(1)
                self.drop_layer()
            if seat in self.hands:
                self.hands[seat].gets(surely, 1)

    def turned_up(self, card: str) -> None:
        if self.layers:
            self.layers[-1].loses(card)
            self.drop_layer()

    def drop_layer(self) -> None:
        if not self.layers[-1].size:
            self.layers.pop()

    def shoot(self, notes: list[dict[str, Any]]) -> None:
        layer = Place()
        for note in notes:
            if note["seat"] == self.seat:
                layer.gets(Counter(note["cards"]), 1)
            else:
                layer.gets(self.hands[note["seat"]].loses_unseen(1), 1)
        self.layers.append(layer)

    # Cards that go from hand to hand -------------------------------------------------------------

    def parcels(self, notes: list[dict[str, Any]]) -> None:
        """All of them leave before any of them arrives; what comes to oneself is seen first."""
        arrivals: list[tuple[str, Counter[str], int]] = []
        for note in sorted(notes, key=lambda one: one["seats"] != [self.seat]):
            giver, (receiver,), number = note["seat"], note["seats"], note["number"]
            if giver == self.seat:
                arrivals.append((receiver, Counter(note["cards"]), number))
            elif receiver == self.seat:
                for card in note["cards"]:
                    self.hands[giver].loses(card)
            else:
                arrivals.append((receiver, self.leaves(note, giver, number), number))
        for receiver, cards, number in arrivals:
            self.hands[receiver].gets(cards, number)

    def leaves(self, note: dict[str, Any], giver: str, number: int) -> Counter[str]:
        hand = self.hands[giver]
        name = self.cause["card"]
        if note["kind"] == "favour":
            keeps = RUDE if giver == self.cause["seat"] else ""
            return self.all_leave(hand, number, [card for card in hand.known if not is_numeral(card) and card != keeps])
        if name == "black hole":
            return self.all_leave(hand, number, [card for card in hand.known if card.startswith("black")])
        by_choice = note["kind"] == "steal" or (note["kind"] == "give" and self.cause["kind"] != "event")
        return hand.loses_unseen(number, RUDE if by_choice else "")

    def all_leave(self, hand: Place, number: int, cards: list[str]) -> Counter[str]:
        hand.size -= number
        return Counter({card: hand.known.pop(card) for card in cards})

    def tornado(self, own: Counter[str]) -> None:
        order = self.order(self.cause["seat"])
        heap = Place()
        for seat in order:
            heap.gets(+self.place(seat).known, self.place(seat).size)
        sizes = {seat: len(range(at, heap.size, len(order))) for at, seat in enumerate(order)}
        if self.seat in order:
            for card in own.elements():
                heap.loses(card)
        for seat in order:
            if seat != self.seat:
                surely = {card: sizes[seat] - (heap.size - least) for card, least in heap.known.items() if least}
                self.hands[seat] = Place(sizes[seat], +Counter(surely))

    # What a view should show ---------------------------------------------------------------------

    def expected(self, view: dict[str, Any]) -> dict[str, Any]:
        """Hands and layers with what must be there, also since all other cards have been counted."""
        deck = Place(view["deck"]["size"] - sum(layer.size for layer in self.layers))
        places = [*self.hands.values(), *self.layers, deck]
        unseen = Counter(ALL_CARDS)
        unseen.subtract(view["discard"] + view["market"] + [*self.own.elements()])
        for place in places:
            unseen.subtract(place.known)
        rooms = sum(place.size - place.known.total() for place in places)

        def shown(place: Place) -> dict[str, Any]:
            room = place.size - place.known.total()
            surely = Counter({card: room - (rooms - number) for card, number in unseen.items()})
            return {"size": place.size, "cards": sorted((+surely + place.known).elements())}

        return {
            "hands": {seat: shown(place) for seat, place in self.hands.items()},
            "layers": [shown(layer) for layer in reversed(self.layers)],
            "deck": shown(deck)["cards"],
        }


def protected_in(pending: list[dict[str, Any]]) -> list[str]:
    """Who is left out of the event that comes next."""
    for step in pending:
        if "protected" in step:
            seats: list[str] = step["protected"]
            return seats
    return []


def seen_in(view: dict[str, Any]) -> dict[str, Any]:
    def plain(shown: dict[str, Any]) -> dict[str, Any]:
        return {"size": shown["size"], "cards": sorted(shown["cards"])}

    return {
        "hands": {seat: plain(shown) for seat, shown in view["hands"].items() if seat != view["you"]},
        "layers": [plain(layer) for layer in view["deck"].get("layers", [])],
        "deck": sorted(view["deck"]["cards"]),
    }


def check_truth(game: fuda.Game, view: dict[str, Any]) -> None:
    """Whatever a view claims is so."""
    truth = game.position()
    for seat, shown in view["hands"].items():
        if seat != view["you"]:
            assert shown["size"] == len(truth["hands"][seat])
            assert Counter(shown["cards"]) <= Counter(truth["hands"][seat])
    top = 0
    for layer in view["deck"].get("layers", []):
        assert Counter(layer["cards"]) <= Counter(truth["deck"][top : top + layer["size"]])
        top += layer["size"]
    assert Counter(view["deck"]["cards"]) <= Counter(truth["deck"][top:])


def follow(game: fuda.Game, chooser: random.Random, limit: int = 600) -> None:
    """Plays a game at random, with every memory beside it."""
    memories = {seat: Memory(seat, game.view(seat)) for seat in (None, *game.totals)}
    while not game.over and limit:
        limit -= 1
        move = pick(chooser, game.moves())
        game.play(move)
        for seat, memory in memories.items():
            view = game.view(seat)
            memory.learn(view)
            if not game.over:
                assert seen_in(view) == memory.expected(view), (seat, game.record())
                check_truth(game, view)


# Games in which both are kept ---------------------------------------------------------------------

SMALL_POOL = [
    *["fantastic"] * 6,
    *["fantastic four"] * 4,
    *["counterattack"] * 4,
    *["special favours"] * 3,
    *["equality", "inequality"] * 2,
    *["mimicry", "lucky bastard", "nice try", "curse", RUDE],
    *[f"{colour} {number}" for colour in ("red", "blue") for number in (1, 2, 3)] * 2,
    *[f"black {number}" for number in range(1, 6)],
    *["red gift", "blue gift"] * 2,
    *[f"{colour} {word}" for colour in ("red", "blue") for word in ("exchange", "thief", "troublemaker", "2nd chance")],
]
"""Few kinds of which there are many, so that counting tells much."""
MOVING_EVENTS = [
    "russian roulette",
    "tornado",
    "merry christmas",
    "surprise party",
    "trust fall",
    "crowdfunding",
    "charity",
    "earthquake",
    "robin hood",
    "distributor",
    "black hole",
    "the all-seeing eye",
    "gambling man",
    "market",
    "seppuku",
    "recession",
    "plague",
    "event manager",
    "repeat",
    "identity theft",
]


def small_game(seed: int) -> fuda.Game:
    """Short hands, a short deck, and events that move cards; most of what is not in them has been played already."""
    chooser = random.Random(seed)
    players = chooser.choice([2, 3, 3, 4, 5])
    pool = chooser.sample(SMALL_POOL, len(SMALL_POOL))
    hands = {seat: [pool.pop() for _ in range(chooser.randint(1, 5))] for seat in "ABCDE"[:players]}
    position = {
        "hands": hands,
        "turn": "A",
        "deck": pool[: chooser.randint(0, len(pool))],
        "discard": [chooser.choice(["red 9", "blue 9"])],
        "events": chooser.sample(MOVING_EVENTS, len(MOVING_EVENTS)),
        "rest": "discard" if chooser.random() < 0.7 else "deck",
    }
    options = {"scored": chooser.random() < 0.5, "maximum": 1}
    return fuda.new("frantic", players=players, seed=seed, options=options, position=position)


@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.parametrize("seed", range(2))
def test_f_43_a_view_remembers_what_follows_from_its_notes_in_whole_rounds(players: int, seed: int) -> None:
    follow(fuda.new("frantic", players=players, seed=seed, options={"scored": False}), random.Random(seed))


@pytest.mark.parametrize("tens", range(10))
def test_f_43_a_view_remembers_what_follows_from_its_notes_when_few_cards_are_left(tens: int) -> None:
    for seed in range(tens * 12, tens * 12 + 12):
        follow(small_game(seed), random.Random(seed), 120)


def test_all_ways_in_which_cards_move_unseen_come_up_in_these_games() -> None:
    kinds: Counter[str] = Counter()
    for seed in range(120):
        game = small_game(seed)
        chooser = random.Random(seed)
        while not game.over:
            game.play(pick(chooser, game.moves()))
        kinds.update(note["kind"] for note in game.view(None)["history"])
    for kind in (*PARCELS, "roulette", "tornado", "packet", "swap hands", "look", "show", "gambled", "luck"):
        assert kinds[kind], kind
