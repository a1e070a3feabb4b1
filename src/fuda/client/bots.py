"""Plays a bot at a table online."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from fuda.client.errors import Denied, Ended
from fuda.client.links import Link, link_from
from fuda.client.requests import claim, take_seat
from fuda.client.table import TableClient, connect
from fuda.client.tickets import Ticket
from fuda.protocol.parts import Seat, View

Choose = Callable[[View, list[str]], str]
"""A bot: chooses one of the legal moves, given the view of its seat."""

TRIES: Final = 5
"""How often an answer is tried again that was denied, though no rule forbids it."""


async def play_bot(
    at: Ticket | Link | str, name: str, choose: Choose, *, seat: Seat | None = None, rematches: bool = False
) -> View | None:
    """Takes a seat for a bot and plays until the game is over, or until the table is closed; returns its last view.

    `choose(view, moves)` runs in a thread of its own; the table's clock is the only limit.
    """
    ticket = at if isinstance(at, Ticket) else await seat_for(at, name, seat)
    async with connect(ticket) as table:
        await play_on(table, choose, rematches)
        return table.view


async def seat_for(at: Link | str, name: str, seat: Seat | None) -> Ticket:
    link = link_from(at) if isinstance(at, str) else at
    return await claim(link) if link.kind == "d" else await take_seat(link, name, seat)


async def play_on(table: TableClient, choose: Choose, rematches: bool) -> None:
    """Answers every question until the game is over, or until the table is closed."""
    while table.ended is None and table.state.phase != "closed":
        if table.you is None:
            raise Ended("not seated", "The bot no longer has a seat at this table.")
        if table.ask is not None:
            await answer(table, choose)
        elif table.state.phase == "over" and not rematches:
            return
        else:
            await table.changed()
    if table.ended is not None and table.ended.code != "closed":
        raise table.ended


async def answer(table: TableClient, choose: Choose) -> None:
    """Answers one question, unless it is too late; the server shows a reaction to nobody before its time."""
    ask = table.ask
    assert ask is not None
    move = await asyncio.to_thread(choose, table.known.own_view, table.moves)
    tried = 0
    while table.ask is not None and table.ask.since == ask.since:
        try:
            await table.play(move)
        except Denied as denied:
            tried += 1
            if denied.rule or tried == TRIES:
                raise
            await asyncio.sleep(0.1 * 2**tried)
