"""Chance: where every random outcome of a game comes from, so that a game can be recorded, replayed and searched."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.cards import cards_in
from fuda.engine.errors import Error
from fuda.engine.random import Random
from fuda.engine.seats import SEATS

NO_NAMES: Final[list[str]] = []
NO_LOTS: Final[list[list[str]]] = []


class Chance:
    """The random outcomes of a game: drawn at random or read from a record, and recorded as text if asked for."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.names = NO_NAMES
        """What the cards are called in a record."""
        self.script: list[Any] | None = None
        """The outcomes to use instead of random ones, while a record is replayed."""
        self.outcomes: list[Any] | None = None
        """The outcomes so far; None if they are not recorded."""
        self.lots = NO_LOTS
        """The candidates of every lot among the recorded outcomes."""
        self.count: i64 = 0
        """How many outcomes there have been."""

    def clone(self) -> Chance:
        c = Chance(self.random.clone())
        c.count = self.count
        return c

    def record(self, names: list[str], script: list[Any] | None) -> None:
        """From now on outcomes are recorded as text, and read from the script if there is one."""
        self.names = names
        self.outcomes = []
        self.lots = []
        self.script = script

    def shuffle(self, cards: vec[i64]) -> vec[i64]:
        """The cards in random order."""
        if self.script is not None:
            cards = self.read_order(cards)
        else:
            self.mix(cards)
        self.count += 1
        if self.outcomes is not None:
            self.outcomes.append([self.names[card] for card in cards])
        return cards

    def lot(self, players: i64) -> i64:
        """A-3: one of the players whose bits are set, by lot; a single one needs none."""
        return self.one_of(cards_in(players), SEATS)

    def card(self, cards: i64) -> i64:
        """One of the cards, by lot."""
        return self.one_of(cards_in(cards), self.names)

    def one_of(self, candidates: vec[i64], names: list[str]) -> i64:
        if len(candidates) == 1:
            return candidates[0]
        drawn = self.script is None
        chosen = candidates[self.draw(len(candidates))] if drawn else self.read_one(candidates, names)
        self.count += 1
        if self.outcomes is not None:
            self.outcomes.append(names[chosen])
            self.lots.append([names[one] for one in candidates])
        return chosen

    # The source of random outcomes; a fair game has another one -----------------------------------

    def mix(self, cards: vec[i64]) -> None:
        self.random.shuffle(cards)

    def draw(self, n: i64) -> i64:
        """A random number, 0 … n - 1."""
        return self.random.below(n)

    # Reading a record ----------------------------------------------------------------------------

    def next_outcome(self) -> tuple[Any, str]:
        assert self.script is not None
        at = self.count
        if at >= len(self.script):
            raise Error(f"The record is damaged: chance has {at} outcomes, but the game needs another one.")
        return self.script[at], f"The record is damaged: chance, outcome {at + 1}:"

    def read_order(self, cards: vec[i64]) -> vec[i64]:
        outcome, where = self.next_outcome()
        if not isinstance(outcome, list) or len(outcome) != len(cards):
            raise Error(f"{where} expected a list of {len(cards)} cards.")
        codes: dict[str, list[int]] = {}
        for card in sorted(cards, reverse=True):
            codes.setdefault(self.names[card], []).append(card)
        order = vec[i64](capacity=len(cards))
        for name in outcome:
            left = codes.get(name) if isinstance(name, str) else None
            if not left:
                raise Error(f"{where} {name!r} is not among the cards to be shuffled, or is listed too often.")
            order = append(order, left.pop())
        return order

    def read_one(self, candidates: vec[i64], names: list[str]) -> i64:
        outcome, where = self.next_outcome()
        for one in candidates:
            if names[one] == outcome:
                return one
        raise Error(f"{where} {outcome!r} is not one of {', '.join(names[one] for one in candidates)}.")
