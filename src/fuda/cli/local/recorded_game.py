"""A recorded game, step by step."""

from __future__ import annotations

from typing import Any

import fuda
from fuda.game import begin, chance_from


class Steps:
    """A record, and the game after any number of its moves."""

    def __init__(self, record: dict[str, Any]) -> None:
        whole = fuda.replay(record)
        self.rules = whole.rules
        self.record = whole.record()
        self.game = self.start()

    def __len__(self) -> int:
        return len(self.record["moves"])

    def start(self) -> fuda.Game:
        record = self.record
        chance = chance_from(0, self.rules.cards, record["chance"])
        return begin(self.rules, record["players"], record["options"], chance, record.get("position"), record.get("history"))

    def after(self, count: int) -> fuda.Game:
        """The game as it was after so many moves."""
        if count < len(self.game.played):
            self.game = self.start()
        for move in self.record["moves"][len(self.game.played) : count]:
            self.game.play(move)
        return self.game


def luck_of(game: fuda.Game) -> int:
    """How many outcomes chance has brought."""
    return len(game.state.chance.outcomes or [])
