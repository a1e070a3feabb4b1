"""Bots run in processes of their own, so that no table waits for them."""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final

from fuda import bots
from fuda.server.metrics import Metrics
from fuda.server.workers import Workers

LOG: Final = logging.getLogger(__name__)
BOT_SECONDS: Final = 20.0
"""A bot that takes longer plays the first legal move."""


def choose(kind: str, game: str, seed: int, view: dict[str, Any], moves: list[str]) -> str:
    return bots.bot(kind, game, seed).choose(view, moves)


class BotPool:
    def __init__(self, workers: int, metrics: Metrics) -> None:
        self.workers = Workers(workers)
        self.metrics = metrics

    async def choose(self, kind: str, game: str, seed: int, view: dict[str, Any], moves: list[str]) -> str:
        """One of the moves; the first if the bot fails or takes too long."""
        begun = time.monotonic()
        try:
            move = await asyncio.wait_for(self.workers.run(choose, kind, game, seed, view, moves), BOT_SECONDS)
        except (BrokenProcessPool, TimeoutError):
            return moves[0]
        except Exception:
            LOG.exception("a bot failed", extra={"bot": kind, "game": game})
            return moves[0]
        self.metrics.bot_seconds.observe(time.monotonic() - begun)
        return move

    def close(self) -> None:
        self.workers.close()
