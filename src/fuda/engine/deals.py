"""Unseen cards dealt anew without bias: every deal that fits what a seat knows is equally likely."""

from __future__ import annotations

from librt.vecs import append, extend, vec
from mypy_extensions import i64

from fuda.engine.cards import BIT, holds
from fuda.engine.core import State
from fuda.engine.fields import Field, Place
from fuda.engine.random import Random


class Kind:
    """Unseen cards that may lie in just the same places."""

    def __init__(self, allowed: i64) -> None:
        self.allowed: i64 = allowed
        self.cards = vec[i64](capacity=16)


def deal_anew(s: State, fields: list[Field], viewer: i64, random: Random) -> None:
    """Deals all cards anew that the viewer cannot see, in keeping with all that the viewer knows."""
    places: list[Place] = []
    for field in fields:
        places.extend(field.hidden(s, viewer))
    deal = Deal(places)
    if not deal.possible():
        # Only a given position can contradict itself like this: then its voids are no facts.
        for place in places:
            place.never = 0
        deal = Deal(places)
    hands = deal.draw(random)
    for at in range(len(places)):
        place = places[at]
        cards = extend(hands[at], place.seen)
        if place.field.ordered:
            random.shuffle(cards)
        place.field.fill(s, place.owner, cards)


class Deal:
    """The possible deals of some unseen cards to some places.

    Cards are grouped by the places where they may lie. Working through the groups, and in each through the places,
    `ways` counts in how many ways the rest can still be dealt; drawing with these weights is exact.
    """

    def __init__(self, places: list[Place]) -> None:
        self.places = places
        self.kinds: list[Kind] = []
        for place in places:
            for card in place.unseen:
                self.sort_in(card)
        self.kinds.sort(key=lambda kind: (len(kind.cards), kind.allowed))
        self.memory: dict[int, float] = {}

    def sort_in(self, card: i64) -> None:
        allowed: i64 = 0
        for at in range(len(self.places)):
            if not holds(self.places[at].never, card):
                allowed |= BIT[at]
        for kind in self.kinds:
            if kind.allowed == allowed:
                kind.cards = append(kind.cards, card)
                return
        kind = Kind(allowed)
        kind.cards = append(kind.cards, card)
        self.kinds.append(kind)

    def rooms(self) -> vec[i64]:
        out = vec[i64]()
        for place in self.places:
            out = append(out, len(place.unseen))
        return out

    def possible(self) -> bool:
        rooms = self.rooms()
        return not self.kinds or self.ways(0, 0, len(self.kinds[0].cards), rooms) > 0.0

    def ways(self, at: i64, place: i64, left: i64, rooms: vec[i64]) -> float:
        """How many deals there are from here: `left` cards of this kind, to this place and those after it."""
        if place == len(rooms):
            if left:
                return 0.0
            if at + 1 == len(self.kinds):
                return 1.0
            return self.ways(at + 1, 0, len(self.kinds[at + 1].cards), rooms)
        key: int = at * 64 + place
        key = key * 256 + int(left)
        for room in rooms:
            key = key * 256 + int(room)  # an ordinary integer, of any size
        known = self.memory.get(key)
        if known is not None:
            return known
        total = 0.0
        room = rooms[place]
        for share in range(self.least_here(at, room), self.most_here(at, place, left, room) + 1):
            rooms[place] = room - share
            total += choose(left, share) * self.ways(at, place + 1, left - share, rooms)
        rooms[place] = room
        self.memory[key] = total
        return total

    def least_here(self, at: i64, room: i64) -> i64:
        """The last kind has to fill whatever room there is."""
        return room if at + 1 == len(self.kinds) else 0

    def most_here(self, at: i64, place: i64, left: i64, room: i64) -> i64:
        if not self.kinds[at].allowed & BIT[place]:
            return 0
        return left if left < room else room

    def draw(self, random: Random) -> list[vec[i64]]:
        """One deal, drawn by lot."""
        hands = [vec[i64](capacity=16) for _ in self.places]
        rooms = self.rooms()
        for at in range(len(self.kinds)):
            cards = self.kinds[at].cards[:]
            random.shuffle(cards)
            dealt: i64 = 0
            for place in range(len(self.places)):
                share = self.draw_share(at, place, len(cards) - dealt, rooms, random)
                rooms[place] -= share
                for _ in range(share):
                    hands[place] = append(hands[place], cards[dealt])
                    dealt += 1
        return hands

    def draw_share(self, at: i64, place: i64, left: i64, rooms: vec[i64], random: Random) -> i64:
        """How many of the cards left of this kind go to this place."""
        room = rooms[place]
        point = random.fraction() * self.ways(at, place, left, rooms)
        chosen: i64 = 0
        for share in range(self.least_here(at, room), self.most_here(at, place, left, room) + 1):
            rooms[place] = room - share
            ways = choose(left, share) * self.ways(at, place + 1, left - share, rooms)
            if ways > 0.0:
                chosen = share
                point -= ways
                if point < 0.0:
                    break
        rooms[place] = room
        return chosen


def choose(n: i64, k: i64) -> float:
    """How many sets of k there are among n."""
    ways = 1.0
    for i in range(k):
        ways = ways * float(n - i) / float(i + 1)
    return ways
