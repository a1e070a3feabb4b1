"""Replays of finished games: the view after every move, of a seat, of a spectator, or with open hands."""

from __future__ import annotations

import asyncio
import time
from typing import Final

import msgspec

import fuda
from fuda.protocol.parts import Seat
from fuda.protocol.replays import Replay, ReplayFrame, ReplayQuery, Viewpoint
from fuda.server.denials import Denial
from fuda.server.hall import Hall
from fuda.server.news import caption_facts
from fuda.server.questions import seat_named
from fuda.server.static import MEDIA_TYPES, File
from fuda.server.table import Table, seats_of
from fuda.transcripts import Frame, frames_of, open_view

MOST_CACHED: Final = 8
CACHE_SECONDS: Final = 60.0
"""How long a finished game is kept in memory for further requests."""

CACHE_CONTROL: Final = "private, max-age=300"
"""A finished game does not change, but a newer server may show it differently."""


class Replays:
    """Replays finished games, a few at a time in threads, so that no table has to wait."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.cache: dict[tuple[str, int], tuple[float, Table]] = {}

    async def get(self, table: str, number: int, query: ReplayQuery) -> File:
        """Some frames of the replay; Denial if there is no such game, or no such seat."""
        await self.hall.check_record(table, number)
        async with self.hall.replay_slots:
            read = await self.table(table, number)
            if read.old_game is None:
                return await asyncio.to_thread(encoded, read, query)
            transcript = await self.hall.transcripts.get(table, number, None)
            return await asyncio.to_thread(encoded_old, read, transcript, query)

    async def table(self, table: str, number: int) -> Table:
        now = time.monotonic()
        self.cache = {key: cached for key, cached in self.cache.items() if cached[0] > now}
        if (table, number) not in self.cache:
            self.cache[table, number] = (now + CACHE_SECONDS, await self.hall.read_finished(table, number))
            while len(self.cache) > MOST_CACHED:
                del self.cache[next(iter(self.cache))]
        return self.cache[table, number][1]


def encoded(table: Table, query: ReplayQuery) -> File:
    return file_of(replay_of(table, query))


def encoded_old(table: Table, transcript: object, query: ReplayQuery) -> File:
    return file_of(old_replay_of(table, transcript, query))


def file_of(replay: Replay) -> File:
    return File(msgspec.json.encode(replay), MEDIA_TYPES[".json"], CACHE_CONTROL)


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


# Other versions of the rules --------------------------------------------------------------------------


def old_replay_of(table: Table, transcript: object, query: ReplayQuery) -> Replay:
    """A game whose rules this server does not have: with its transcript, or only its moves."""
    old = table.old_game
    assert old is not None
    if query.seat != "open":
        raise Denial(
            "other rules",
            f"This game was played under version {old.rules} of the rules and can only be shown with open hands.",
        )
    frames = bare_frames(table) if transcript is None else frames_of(transcript)
    return Replay(
        moves=len(frames) - 1,
        names={seat: table.name_at(seat) for seat in seats_of(old.players)},
        first=query.first,
        frames=[
            old_frame(table, turn, frame)
            for turn, frame in enumerate(frames)
            if query.first <= turn < query.first + query.count
        ],
        rules=old.rules,
        bare=transcript is None,
    )


def bare_frames(table: Table) -> list[Frame]:
    """The moves of a game without a transcript, in views that show nothing but the options."""
    old = table.old_game
    assert old is not None
    view = {
        "game": table.game_id,
        "rules": old.rules,
        "players": old.players,
        "options": table.options,
        "you": None,
        "seat": None,
        "question": None,
        "over": True,
        "winners": None,
    }
    return [Frame(view, []), *(Frame(view, [], seat, move) for seat, move in old.moves)]


def old_frame(table: Table, turn: int, frame: Frame) -> ReplayFrame:
    try:
        told = caption_facts(fuda.rulebook(table.game_id), frame.view)
    except (LookupError, TypeError, ValueError):  # the field was another one then
        told = {}
    mover = None if frame.seat is None else seat_named(frame.seat)
    return ReplayFrame(turn=turn, notes=frame.notes, view=frame.view, seat=mover, move=frame.move, told=told)
