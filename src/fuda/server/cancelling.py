"""Cancelling tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, Final

RETRY_SECONDS: Final = 0.3


async def cancel_all(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancels the tasks until all have ended; a task may mistake a cancellation for a timeout, and continue."""
    left = {*tasks}
    while left:
        for task in left:
            task.cancel()
        ended, left = await asyncio.wait(left, timeout=RETRY_SECONDS)
        for task in ended:
            if not task.cancelled():
                task.exception()  # its owner has received it
