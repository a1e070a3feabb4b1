"""Bots run in processes of their own, so that no table waits for them."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final

from fuda import bots
from fuda.server.metrics import Metrics

LOG: Final = logging.getLogger(__name__)
BOT_SECONDS: Final = 20.0
"""A bot that takes longer plays the first legal move."""


def choose(kind: str, game: str, seed: int, view: dict[str, Any], moves: list[str]) -> str:
    return bots.bot(kind, game, seed).choose(view, moves)


def end_with_parent() -> None:
    """Ends a worker if the server was killed, and ignores Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


class BotPool:
    def __init__(self, workers: int, metrics: Metrics) -> None:
        self.workers = workers
        self.metrics = metrics
        self.pool: ProcessPoolExecutor | None = None

    def current_pool(self) -> ProcessPoolExecutor:
        if self.pool is None:
            context = multiprocessing.get_context("spawn")
            self.pool = ProcessPoolExecutor(self.workers, mp_context=context, initializer=end_with_parent)
        return self.pool

    async def choose(self, kind: str, game: str, seed: int, view: dict[str, Any], moves: list[str]) -> str:
        """One of the moves; the first if the bot fails or takes too long."""
        begun = time.monotonic()
        for _ in range(2):
            pool = self.current_pool()
            try:
                choosing = asyncio.get_running_loop().run_in_executor(pool, choose, kind, game, seed, view, moves)
                move = await asyncio.wait_for(choosing, BOT_SECONDS)
            except BrokenProcessPool:  # a worker died; try again with a new pool
                self.drop(pool)
            except TimeoutError:
                break
            except Exception:
                LOG.exception("a bot failed", extra={"bot": kind, "game": game})
                break
            else:
                self.metrics.bot_seconds.observe(time.monotonic() - begun)
                return move
        return moves[0]

    def drop(self, pool: ProcessPoolExecutor) -> None:
        if self.pool is pool:
            self.pool = None
        pool.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        if self.pool is not None:
            self.drop(self.pool)
