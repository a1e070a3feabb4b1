"""Setting up a position from text: every card is placed once, and an error says where it is."""

from __future__ import annotations

from typing import Any

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.cards import holds
from fuda.engine.errors import Error, brief
from fuda.engine.seats import NOBODY, SEATS, player_at


class Setup:
    """A position or view that is being read: which cards of the deck are placed already, and errors that say where."""

    def __init__(self, names: list[str], deck: vec[i64], players: i64, what: str) -> None:
        self.names = names
        self.players = players
        self.what = what
        self.codes: dict[str, int] = {names[card]: card for card in range(len(names))}
        self.left: dict[int, int] = {}
        """How many of each card are not placed yet; only cards of this game have an entry."""
        for card in deck:
            self.left[card] = self.left.get(card, 0) + 1
        self.placed: dict[int, str] = {}
        """Where each card was put last."""

    def wrong(self, where: str, why: str) -> Error:
        return Error(f"{self.what}, {where}: {why}")

    def cards(self, value: object, where: str, allowed: int) -> vec[i64]:
        """The cards with these names, which are placed there."""
        if not isinstance(value, list):
            raise self.wrong(where, f"expected a list of cards, got {brief(value)}.")
        out = vec[i64](capacity=len(value))
        for name in value:
            card = self.card(name, where)
            if not holds(allowed, card):
                raise self.wrong(where, f"the {name} cannot be there.")
            out = append(out, card)
        return out

    def named(self, value: object, where: str) -> vec[i64]:
        """The cards with these names, wherever they are placed."""
        if not isinstance(value, list):
            raise self.wrong(where, f"expected a list of cards, got {brief(value)}.")
        out = vec[i64](capacity=len(value))
        for name in value:
            out = append(out, self.code(name, where))
        return out

    def code(self, name: object, where: str) -> i64:
        card = self.codes.get(name) if isinstance(name, str) else None
        if card is None:
            raise self.wrong(where, f"{brief(name)} is not a card of this game.")
        return card

    def card(self, name: object, where: str) -> i64:
        card = self.code(name, where)
        if card not in self.left:
            raise self.wrong(
                where, f"the {name} is not in the deck of this game with {self.players} players and these options."
            )
        if not self.left[card]:
            raise self.wrong(where, f"the {name} is already in {self.placed[card]}.")
        self.place(card, where)
        return card

    def place(self, card: i64, where: str) -> None:
        self.left[card] -= 1
        self.placed[card] = where

    def unplaced(self) -> vec[i64]:
        """The cards that are not placed yet."""
        out = vec[i64](capacity=62)
        for card in sorted(self.left):
            for _ in range(self.left[card]):
                out = append(out, card)
        return out

    def seats(self, value: object, where: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self.wrong(where, f"expected an entry for each seat, got {brief(value)}.")
        for key in value:
            self.seat(key, where)
        return value

    def seat(self, value: object, where: str) -> i64:
        player = player_at(value, self.players)
        if player != NOBODY:
            return player
        raise self.wrong(where, f"{brief(value)} is not a seat; there are {', '.join(SEATS[: self.players])}.")

    def seat_set(self, value: object, where: str) -> i64:
        """Some of the seats, as bits."""
        if not isinstance(value, list):
            raise self.wrong(where, f"expected a list of seats, got {brief(value)}.")
        named = [self.seat(seat, where) for seat in value]
        if len(set(named)) < len(named):
            raise self.wrong(where, "a seat is listed twice.")
        players: i64 = 0
        bit: i64 = 1
        for player in range(self.players):
            if player in named:
                players |= bit
            bit += bit
        return players

    def number(self, value: object, where: str, low: int, high: int) -> i64:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise self.wrong(where, f"expected a whole number from {low} to {high}, got {brief(value)}.")
        return value
