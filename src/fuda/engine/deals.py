"""Redeals unseen cards without bias: every deal that fits what a seat knows is equally likely."""

from __future__ import annotations

from librt.vecs import append, extend, vec
from mypy_extensions import i64

from fuda.engine.cards import BIT, holds
from fuda.engine.core import State
from fuda.engine.fields import Field, HiddenCards
from fuda.engine.random import Random


class CardGroup:
    """Unseen cards that may be in the same places."""

    def __init__(self, places: i64) -> None:
        self.places: i64 = places
        """Where they may be, as bits."""
        self.cards = vec[i64](capacity=16)


def redeal_unseen(s: State, fields: list[Field], viewer: i64, random: Random) -> None:
    """Redeals all cards that the viewer cannot see, so that the deal fits everything the viewer knows."""
    places: list[HiddenCards] = []
    for field in fields:
        places.extend(field.hidden(s, viewer))
    deal = Deal(places)
    if not deal.possible():
        # Only a given position can contradict itself like this: then its voids are ignored.
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

    Cards are grouped by the places where they may be. Working through the groups, and in each through the places,
    `ways` counts in how many ways the rest can still be dealt; drawing with these weights is exact.
    """

    def __init__(self, places: list[HiddenCards]) -> None:
        self.places = places
        self.groups: list[CardGroup] = []
        for place in places:
            for card in place.unseen:
                self.add_to_group(card)
        self.groups.sort(key=lambda group: (len(group.cards), group.places))
        self.cache: dict[int, float] = {}

    def add_to_group(self, card: i64) -> None:
        places: i64 = 0
        for at in range(len(self.places)):
            if not holds(self.places[at].never, card):
                places |= BIT[at]
        for group in self.groups:
            if group.places == places:
                group.cards = append(group.cards, card)
                return
        group = CardGroup(places)
        group.cards = append(group.cards, card)
        self.groups.append(group)

    def sizes(self) -> vec[i64]:
        out = vec[i64]()
        for place in self.places:
            out = append(out, len(place.unseen))
        return out

    def possible(self) -> bool:
        sizes = self.sizes()
        return not self.groups or self.ways(0, 0, len(self.groups[0].cards), sizes) > 0.0

    def ways(self, at: i64, place: i64, left: i64, sizes: vec[i64]) -> float:
        """How many deals there are from here: `left` cards of this group, to this place and those after it."""
        if place == len(sizes):
            if left:
                return 0.0
            if at + 1 == len(self.groups):
                return 1.0
            return self.ways(at + 1, 0, len(self.groups[at + 1].cards), sizes)
        key: int = at * 64 + place
        key = key * 256 + int(left)
        for size in sizes:
            key = key * 256 + int(size)  # an ordinary integer, of any size
        cached = self.cache.get(key)
        if cached is not None:
            return cached
        total = 0.0
        size = sizes[place]
        for share in range(self.least_here(at, size), self.most_here(at, place, left, size) + 1):
            sizes[place] = size - share
            total += choose(left, share) * self.ways(at, place + 1, left - share, sizes)
        sizes[place] = size
        self.cache[key] = total
        return total

    def least_here(self, at: i64, size: i64) -> i64:
        """The last group has to fill the place; the others may leave room."""
        return size if at + 1 == len(self.groups) else 0

    def most_here(self, at: i64, place: i64, left: i64, size: i64) -> i64:
        if not self.groups[at].places & BIT[place]:
            return 0
        return left if left < size else size

    def draw(self, random: Random) -> list[vec[i64]]:
        """One deal, drawn by lot."""
        hands = [vec[i64](capacity=16) for _ in self.places]
        sizes = self.sizes()
        for at in range(len(self.groups)):
            cards = self.groups[at].cards[:]
            random.shuffle(cards)
            dealt: i64 = 0
            for place in range(len(self.places)):
                share = self.draw_share(at, place, len(cards) - dealt, sizes, random)
                sizes[place] -= share
                for _ in range(share):
                    hands[place] = append(hands[place], cards[dealt])
                    dealt += 1
        return hands

    def draw_share(self, at: i64, place: i64, left: i64, sizes: vec[i64], random: Random) -> i64:
        """How many of the cards left of this group go to this place."""
        size = sizes[place]
        point = random.fraction() * self.ways(at, place, left, sizes)
        chosen: i64 = 0
        for share in range(self.least_here(at, size), self.most_here(at, place, left, size) + 1):
            sizes[place] = size - share
            ways = choose(left, share) * self.ways(at, place + 1, left - share, sizes)
            if ways > 0.0:
                chosen = share
                point -= ways
                if point < 0.0:
                    break
        sizes[place] = size
        return chosen


def choose(n: i64, k: i64) -> float:
    """How many sets of k there are among n."""
    ways = 1.0
    for i in range(k):
        ways = ways * float(n - i) / float(i + 1)
    return ways
