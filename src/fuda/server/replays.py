"""Replays of finished games: the view after every move, of a seat, of a spectator, or with open hands."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec

import fuda
from fuda.protocol.parts import Seat, View
from fuda.protocol.replays import Replay, ReplayFrame, ReplayQuery, Viewpoint
from fuda.server.denials import Denial
from fuda.server.news import caption_facts
from fuda.server.questions import seat_named
from fuda.server.static import MEDIA_TYPES, File
from fuda.server.table import Table, seats_of

MOST_CACHED: Final = 8
CACHE_SECONDS: Final = 60.0
"""How long a finished game is kept in memory for further requests."""

CACHE_CONTROL: Final = "private, max-age=300"
"""A finished game does not change, but a newer server may show it differently."""


class Replays:
    """Replays finished games, one at a time in a thread, so that no table has to wait."""

    def __init__(self, read_finished: Callable[[str, int], Awaitable[Table]]) -> None:
        self.read_finished = read_finished
        """Reads the table as it was at the end of its game of that number."""
        self.cache: dict[tuple[str, int], tuple[float, Table]] = {}
        self.lock = asyncio.Lock()

    async def get(self, table: str, number: int, query: ReplayQuery) -> File:
        """Some frames of the replay; Denial if there is no such game, or no such seat."""
        async with self.lock:
            read = await self.table(table, number)
            return await asyncio.to_thread(encoded, read, query)

    async def table(self, table: str, number: int) -> Table:
        now = time.monotonic()
        self.cache = {key: cached for key, cached in self.cache.items() if cached[0] > now}
        if (table, number) not in self.cache:
            self.cache[table, number] = (now + CACHE_SECONDS, await self.read_finished(table, number))
            while len(self.cache) > MOST_CACHED:
                del self.cache[next(iter(self.cache))]
        return self.cache[table, number][1]


def encoded(table: Table, query: ReplayQuery) -> File:
    return File(msgspec.json.encode(replay_of(table, query)), MEDIA_TYPES[".json"], CACHE_CONTROL)


def replay_of(table: Table, query: ReplayQuery) -> Replay:
    assert table.game is not None
    moves = table.game.played
    game = table.new_game()
    seats = seats_of(game.state.players)
    if query.seat not in ("open", "watch", *seats):
        raise Denial("bad request", f"Nobody sat at {query.seat} in this game.")
    frames: list[ReplayFrame] = []
    for turn in range(min(query.first + query.count, len(moves) + 1) if query.first <= len(moves) else 0):
        mover, noted = None, 0
        if turn:
            mover, noted = seat_named(game.seat or ""), game.note_count
            game.play(moves[turn - 1])
        if turn >= query.first:
            frames.append(frame_of(game, query.seat, mover, noted))
    return Replay(len(moves), {seat: table.name_at(seat) for seat in seats}, query.first, frames)


def frame_of(game: fuda.Game, viewpoint: Viewpoint, mover: Seat | None, noted: int) -> ReplayFrame:
    """The game now, with the notes after the first `noted`; the move is shown only if it may be known."""
    view = open_view(game, noted) if viewpoint == "open" else game.view(None if viewpoint == "watch" else viewpoint, noted)
    notes = view.pop("history")
    is_visible = mover is not None and viewpoint in ("open", mover)
    return ReplayFrame(
        turn=len(game.played),
        notes=notes,
        view=view,
        seat=mover,
        move=game.played[-1] if is_visible else "",
        told=caption_facts(game.rules, view),
    )


def open_view(game: fuda.Game, noted: int) -> View:
    """A spectator's view with all that each seat sees of its own; what nobody sees stays hidden."""
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
