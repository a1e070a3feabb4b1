"""Whether the server works: whether its database can be read and written."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from fuda.server.store import Store

FRESH_SECONDS: Final = 2.0
"""How long an answer counts: however often somebody asks, the disk is not written to more often."""
PATIENCE: Final = 5.0
"""How long the database may take."""


class Health:
    def __init__(self, store: Store) -> None:
        self.store = store
        self.check: asyncio.Task[bool] | None = None
        """The last check, or the one that is under way."""
        self.begun = 0.0

    async def is_good(self) -> bool:
        now = time.monotonic()
        if self.check is None or (self.check.done() and now >= self.begun + FRESH_SECONDS):
            self.begun = now
            self.check = asyncio.create_task(self.can_write())
        # A check that takes too long goes on, so that not one after the other waits for the disk.
        done, _ = await asyncio.wait([self.check], timeout=PATIENCE)
        return bool(done) and self.check.result()

    async def can_write(self) -> bool:
        try:
            await self.store.ping()
        except Exception:  # whatever the failure of a database leads to
            return False
        return True
