"""Which tables are listed: those to which somebody is connected. And which are deleted, as nobody needs them any more."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from fuda.server import clock
from fuda.server.live import LiveTable
from fuda.server.settings import Settings
from fuda.server.store import Store, Summary

LOG: Final = logging.getLogger("fuda.server")
LISTED_SECONDS: Final = 60.0
"""How long a table is listed after a process has last said that somebody is connected to it."""
REFRESH_SECONDS: Final = 20.0
"""How often a process says so."""
UPDATE_SECONDS: Final = 1.0
"""How often it says what has changed."""
MOST_LISTED: Final = 100
HOUR: Final = 3600.0
DAY: Final = 24 * HOUR


class Lobby:
    def __init__(self, settings: Settings, store: Store, tables: Mapping[str, LiveTable]) -> None:
        self.settings = settings
        self.store = store
        self.tables = tables
        """All tables that are loaded in this process."""
        self.marked: set[str] = set()
        """The tables of which the database says that somebody is connected to this process."""
        self.refreshed_at = 0.0
        self.lock = asyncio.Lock()

    async def listed(self) -> list[Summary]:
        """The public tables that can be joined or watched, and to which somebody is connected at any process."""
        await self.update()
        return await self.store.listed(clock.now() - LISTED_SECONDS, MOST_LISTED)

    # Who is connected -------------------------------------------------------------------------------

    async def keep_up(self) -> None:
        while True:
            await asyncio.sleep(UPDATE_SECONDS)
            await self.update()

    async def update(self) -> None:
        """Stores to which tables somebody is connected, if that has changed or has not been said for long."""
        async with self.lock:
            try:
                await self.store_marks(clock.now())
            except SQLAlchemyError as error:  # the database may be away for a moment
                LOG.warning("it cannot be stored who is connected", extra={"error": repr(error)})

    async def store_marks(self, now: float) -> None:
        here = {table for table, live in self.tables.items() if live.presence.own_seats and is_marked(live)}
        is_old = now - self.refreshed_at > REFRESH_SECONDS
        await self.store.mark_seen(here if is_old else here - self.marked, now)
        gone = {table for table in self.marked - here if not self.is_connected_elsewhere(table)}
        # The time is kept, as tables are deleted some time after somebody was there.
        await self.store.mark_seen(gone, now - LISTED_SECONDS)
        self.marked = here
        if is_old:
            self.refreshed_at = now

    def is_connected_elsewhere(self, table: str) -> bool:
        return table in self.tables and bool(self.tables[table].presence.connected)

    # Tables that nobody needs -----------------------------------------------------------------------

    async def clean_up(self) -> None:
        """Deletes tables from time to time."""
        while True:
            await asyncio.sleep(self.settings.clean_seconds)
            try:
                await self.delete_old()
            except SQLAlchemyError as error:
                LOG.warning("old tables cannot be deleted", extra={"error": repr(error)})

    async def delete_old(self) -> None:
        now = clock.now()
        deleted = 0
        if hours := self.settings.keep_empty_hours:
            deleted += await self.store.expire(now - hours * HOUR)
        if days := self.settings.keep_days:
            deleted += await self.store.purge(now - days * DAY)
        if deleted:
            LOG.info("tables were deleted where nothing has happened for long", extra={"tables": deleted})


def is_marked(live: LiveTable) -> bool:
    """Whether it matters who is connected: at tables that are listed, and at those that would be deleted if nobody is."""
    return live.table.public or live.table.phase in ("open", "starting")
