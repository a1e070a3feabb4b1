"""The transcripts of finished games, which outlive their version of the rules."""

from __future__ import annotations

import asyncio
import logging
import zlib
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final

import msgspec
from sqlalchemy.exc import SQLAlchemyError

import fuda
from fuda.server.store import Store
from fuda.server.workers import Workers
from fuda.transcripts import frames_of, transcript_of

LOG: Final = logging.getLogger("fuda.server")
LOW_PRIORITY: Final = 10
"""A tenth of the processor if others want all of it: whoever asks for the record of a game waits for its transcript."""


class Transcripts:
    """Makes each transcript once, in a process that has time when nobody else needs it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.workers = Workers(1, LOW_PRIORITY)
        self.lock = asyncio.Lock()

    async def get(self, table: str, number: int, game: fuda.Game | None) -> Any:
        """The transcript of this finished game; None if it was not made while the server had its rules."""
        async with self.lock:
            data = await self.store.transcript(table, number)
            transcript = None if data is None else await asyncio.to_thread(decoded, data)
            if data is not None and transcript is None:
                LOG.warning("a transcript is damaged", extra={"table": table, "number": number})
            if transcript is None and game is not None:
                is_damaged = data is not None
                data = await self.workers.run(compressed, game.record())
                await self.store.add_transcript(table, number, data, replace=is_damaged)
                transcript = msgspec.json.decode(zlib.decompress(data))
        return transcript

    def close(self) -> None:
        self.workers.close()

    async def make(self, table: str, number: int, game: fuda.Game | None) -> None:
        """Makes the transcript unless there is one; if that fails, it is made when it is needed."""
        try:
            await self.get(table, number, game)
        except (SQLAlchemyError, BrokenProcessPool, fuda.Error) as error:
            LOG.warning("a transcript cannot be stored", extra={"table": table, "error": repr(error)})


def decoded(data: bytes) -> Any:
    """The transcript; None if it is damaged."""
    try:
        transcript = msgspec.json.decode(zlib.decompress(data))
        frames_of(transcript)
    except (zlib.error, msgspec.MsgspecError, UnicodeError, RecursionError, fuda.Error):
        return None
    return transcript


def compressed(record: dict[str, Any]) -> bytes:
    return zlib.compress(msgspec.json.encode(transcript_of(record)))
