"""The books of the games: all their words in one language, made once and then sent from memory."""

from __future__ import annotations

import asyncio

import msgspec

import fuda
from fuda.server.denials import Denial
from fuda.server.static import KINDS, File
from fuda.words.book import book_of


class Books:
    def __init__(self) -> None:
        self.made: dict[tuple[str, str], File] = {}

    async def book(self, game: str, language: str) -> File:
        """The book of this game; Denial if there is none in this language."""
        made = self.made.get((game, language))
        if made is None:
            try:
                made = await asyncio.to_thread(printed, game, language)
            except fuda.Error as error:
                raise Denial("no book", str(error)) from error
            self.made[game, language] = made
        return made


def printed(game: str, language: str) -> File:
    return File(msgspec.json.encode(book_of(game, language)), KINDS[".json"])
