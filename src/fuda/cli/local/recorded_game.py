"""A recorded game, move by move."""

from __future__ import annotations

from typing import Any

import fuda
from fuda.game import begin, chance_from


class RecordedGame:
    """A record, and the game after any number of its moves."""

    def __init__(self, record: dict[str, Any]) -> None:
        complete = fuda.replay(record)
        self.rules = complete.rules
        self.record = complete.record()
        self.game = self.start()

    def __len__(self) -> int:
        """The number of moves."""
        return len(self.record["moves"])

    def start(self) -> fuda.Game:
        record = self.record
        chance = chance_from(0, self.rules.cards, record["chance"])
        return begin(self.rules, record["players"], record["options"], chance, record.get("position"), record.get("history"))

    def after(self, count: int) -> fuda.Game:
        """The game after this many moves."""
        if count < len(self.game.played):
            self.game = self.start()
        for move in self.record["moves"][len(self.game.played) : count]:
            self.game.play(move)
        return self.game
