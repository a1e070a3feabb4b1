"""A bot for every game, which plays any legal move."""

from __future__ import annotations

from typing import Any

from fuda.bots.bot import Bot


class RandomBot(Bot):
    """Plays any legal move, each as likely as the others."""

    def choose(self, view: dict[str, Any], moves: list[str]) -> str:
        return moves[self.random.below(len(moves))]
