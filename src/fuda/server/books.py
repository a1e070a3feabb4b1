"""The books of the games, each made once per language and then sent from memory."""

from __future__ import annotations

import asyncio

import msgspec

import fuda
from fuda.server.denials import Denial
from fuda.server.static import MEDIA_TYPES, File
from fuda.words.book import book_of


class Books:
    def __init__(self) -> None:
        self.made: dict[tuple[str, str], File] = {}

    async def book(self, game: str, language: str) -> File:
        """The book of this game; Denial if there is no such game or language."""
        made = self.made.get((game, language))
        if made is None:
            try:
                made = await asyncio.to_thread(make_book, game, language)
            except fuda.Error as error:
                raise Denial("no book", str(error)) from error
            self.made[game, language] = made
        return made


def make_book(game: str, language: str) -> File:
    return File(msgspec.json.encode(book_of(game, language)), MEDIA_TYPES[".json"])
