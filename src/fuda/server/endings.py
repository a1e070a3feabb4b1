"""How tasks are ended."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, Final

AGAIN: Final = 0.3
"""So many seconds after a task was told to end it is told once more."""


async def ended(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Ends them all, however often that takes: a wait that is over just then may take it for a time-out, and go on."""
    left = {*tasks}
    while left:
        for task in left:
            task.cancel()
        over, left = await asyncio.wait(left, timeout=AGAIN)
        for task in over:
            if not task.cancelled():
                task.exception()  # whoever owns it has been told
