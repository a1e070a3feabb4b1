"""Helpers for tests of the store."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from fuda.protocol.parts import Phase
from fuda.server.store import Store, Summary

PLAYED = b'{"kind":"played","seat":"A","move":"sword 7","by":"person"}'


def summary(table: str, *, phase: Phase = "open", public: bool = True, opened: float = 1.0, changed: float = 1.0) -> Summary:
    return Summary(table, "hanafuda", phase, "Ann", public, 1, 3, 4, "normal", opened, changed)


def with_store(url: str, do: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        store = await Store.opened(url)
        try:
            await do(store)
        finally:
            await store.close()

    asyncio.run(run())
