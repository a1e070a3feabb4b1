"""Finished games as films: how they stood after every move, with the eyes of a seat, of a spectator, or with open hands."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec

import fuda
from fuda.protocol.films import Eyes, Film, FilmWish, Frame
from fuda.protocol.parts import Seat, View
from fuda.server.denials import Denial
from fuda.server.news import told_in
from fuda.server.questions import seat_named
from fuda.server.static import KINDS, File
from fuda.server.table import Table, seats_of

MOST_KEPT: Final = 8
KEPT_SECONDS: Final = 60.0
"""So many finished games, and so long, are kept for whoever asks for more frames of them."""

FOR_A_WHILE: Final = "private, max-age=300"
"""What is over does not change; but a newer server may tell it otherwise."""


class Films:
    """Plays finished games again, one after the other in a thread, so that no table has to wait for it."""

    def __init__(self, finished: Callable[[str, int], Awaitable[Table]]) -> None:
        self.finished = finished
        """Reads the table as it was at the end of its game of that number."""
        self.kept: dict[tuple[str, int], tuple[float, Table]] = {}
        self.lock = asyncio.Lock()

    async def film(self, table: str, number: int, wish: FilmWish) -> File:
        """Some frames of the film; Denial if there is no such game, or no such seat."""
        async with self.lock:
            read = await self.table(table, number)
            return await asyncio.to_thread(developed, read, wish)

    async def table(self, table: str, number: int) -> Table:
        now = time.monotonic()
        self.kept = {key: kept for key, kept in self.kept.items() if kept[0] > now}
        if (table, number) not in self.kept:
            self.kept[table, number] = (now + KEPT_SECONDS, await self.finished(table, number))
            while len(self.kept) > MOST_KEPT:
                del self.kept[next(iter(self.kept))]
        return self.kept[table, number][1]


def developed(table: Table, wish: FilmWish) -> File:
    return File(msgspec.json.encode(film_of(table, wish)), KINDS[".json"], FOR_A_WHILE)


def film_of(table: Table, wish: FilmWish) -> Film:
    """These frames of the game that was played at the table."""
    assert table.game is not None
    moves = table.game.played
    game = table.new_game()
    seats = seats_of(game.state.players)
    if wish.seat not in ("open", "watch", *seats):
        raise Denial("bad request", f"Nobody sat at {wish.seat} in this game.")
    frames: list[Frame] = []
    for turn in range(min(wish.first + wish.count, len(moves) + 1) if wish.first <= len(moves) else 0):
        mover, noted = None, 0
        if turn:
            mover, noted = seat_named(game.seat or ""), game.note_count
            game.play(moves[turn - 1])
        if turn >= wish.first:
            frames.append(frame_of(game, wish.seat, mover, noted))
    return Film(len(moves), {seat: table.name_at(seat) for seat in seats}, wish.first, frames)


def frame_of(game: fuda.Game, eyes: Eyes, mover: Seat | None, noted: int) -> Frame:
    """How it stands now, with what has been noted since; a move may tell what its player alone knew."""
    view = open_view(game, noted) if eyes == "open" else game.view(None if eyes == "watch" else eyes, noted)
    notes = view.pop("history")
    is_known = mover is not None and eyes in ("open", mover)
    return Frame(
        turn=len(game.played),
        notes=notes,
        view=view,
        seat=mover,
        move=game.played[-1] if is_known else "",
        told=told_in(game.rules, view),
    )


def open_view(game: fuda.Game, noted: int) -> View:
    """What a spectator sees, with whatever each seat sees of its own; what nobody sees stays hidden."""
    view = game.view(None, noted)
    seats = seats_of(game.state.players)
    by_seat = [name for name, value in view.items() if is_by_seat(value, seats)]
    for seat in seats:
        own = game.view(seat, noted)
        for name in by_seat:
            view[name][seat] = own[name][seat]
        view["history"] = [seen | more for seen, more in zip(view["history"], own["history"], strict=True)]
    return view


def is_by_seat(value: Any, seats: list[Seat]) -> bool:
    return isinstance(value, dict) and [*value] == seats
