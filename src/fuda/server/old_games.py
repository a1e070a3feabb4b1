"""Games of other versions of the rules than this server has: what their logs tell without the rules."""

from __future__ import annotations

from typing import Any

import msgspec

from fuda.engine.records import FORMAT
from fuda.protocol.parts import Seat
from fuda.server.entries import Played


class OldGame(msgspec.Struct):
    """A game that can be neither continued nor replayed by the rules."""

    rules: str
    players: int
    chance: list[Any]
    moves: list[tuple[Seat, str]]

    def play(self, entry: Played) -> None:
        self.chance += entry.chance
        self.moves.append((entry.seat, entry.move))

    def record(self, game: str, options: dict[str, Any]) -> dict[str, Any]:
        """The record without its result, which only the rules know."""
        return {
            "fuda": FORMAT,
            "game": game,
            "rules": self.rules,
            "players": self.players,
            "options": options,
            "chance": self.chance,
            "moves": [move for _, move in self.moves],
        }
