"""Processes for work that takes long, so that no table waits for it."""

from __future__ import annotations

import asyncio
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

T = TypeVar("T")


def set_up(niceness: int) -> None:
    """Ends a worker if the server was killed, and ignores Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(niceness)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


class Workers:
    def __init__(self, most: int, niceness: int = 0) -> None:
        self.most = most
        self.niceness = niceness
        self.pool: ProcessPoolExecutor | None = None

    def current_pool(self) -> ProcessPoolExecutor:
        if self.pool is None:
            context = multiprocessing.get_context("spawn")
            self.pool = ProcessPoolExecutor(self.most, mp_context=context, initializer=set_up, initargs=(self.niceness,))
        return self.pool

    async def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """What the function returns; BrokenProcessPool if its process dies twice."""
        pool = self.current_pool()
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(pool, function, *arguments)
        except BrokenProcessPool:
            self.drop(pool)
            return await loop.run_in_executor(self.current_pool(), function, *arguments)

    def drop(self, pool: ProcessPoolExecutor) -> None:
        if self.pool is pool:
            self.pool = None
        pool.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        if self.pool is not None:
            self.drop(self.pool)
