"""A table online, as whoever sits or watches there knows it, and all that can be done at it."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Iterable
from types import TracebackType
from typing import Any, Final

import msgspec

import fuda
from fuda.client import luck, requests
from fuda.client.connection import Answer, Connection, Times, new_id
from fuda.client.errors import Denied, Ended, Unreachable
from fuda.client.known import Gap, Known, after, gathered, moves_in, welcomed
from fuda.client.links import Link, link_from, origin_of, socket_address
from fuda.client.luck import Promise
from fuda.client.tickets import Ticket
from fuda.protocol import messages
from fuda.protocol.messages import Because, Choices, Event, FromServer, Hello, Here, Message, Welcome
from fuda.protocol.parts import Ask, Line, Pace, Reaction, Seat, TableState, View

PATIENCE: Final = 15.0
"""Seconds that the first connection may take."""
MOST_CHANGES: Final = 1000
"""So many changes are kept for whoever has not looked; what the table knows is always complete."""
MOST_PROMISES: Final = 20
TRIES: Final = 5
"""So often something is asked for again from a server that is too busy for it."""


class Connected(msgspec.Struct, frozen=True):
    """The connection is there again, or is lost and will be tried again."""

    is_open: bool
    trouble: str = ""
    """Why it is lost, in a sentence."""


Change = Welcome | Event | Here | Connected


def connect(
    at: Ticket | Link | str, *, promises: Iterable[Promise] = (), patience: float = PATIENCE, times: Times | None = None
) -> TableClient:
    """A table to be entered with `async with`: at one's own seat with a ticket, only to watch with a link."""
    return TableClient(at, promises, patience, times or Times())


class TableClient:
    """A table online. It keeps its connection by itself, comes back after every loss, and always knows how things stand."""

    def __init__(self, at: Ticket | Link | str, promises: Iterable[Promise], patience: float, times: Times) -> None:
        self.place = link_from(at) if isinstance(at, str) else at
        if isinstance(self.place, Link) and self.place.kind == "d":
            raise fuda.Error("This link moves a seat to another device: claim it first.")
        self.patience = patience
        self.times = times
        self.promises = {promise.number: promise for promise in promises}
        """What was promised before each deal; can be kept, and given to `connect` another time."""
        self.latest: Known | None = None
        self.changes: deque[Change] = deque(maxlen=MOST_CHANGES)
        self.stirred = asyncio.Event()
        self.connection: Connection | None = None
        self.keeping: asyncio.Task[None] | None = None
        self.giving: dict[int, asyncio.Task[None]] = {}
        """For each game the task that gives our random bytes; once, even if they come too late."""
        self.is_astray = False
        """Whether something was missed, so that everything has to be told anew."""

    # Coming and going -----------------------------------------------------------------------------

    async def __aenter__(self) -> TableClient:
        place = self.place
        self.connection = Connection(
            socket_address(place.server, place.table),
            origin_of(place.server),
            place.cookie if isinstance(place, Ticket) else None,
            self.times,
            self.hello,
            self.hear,
            self.note_connection,
        )
        self.keeping = asyncio.create_task(self.keep(self.connection))
        try:
            async with asyncio.timeout(self.patience):
                while self.latest is None and self.connection.ended is None:
                    await self.stir()
        except TimeoutError as error:
            trouble = self.connection.trouble or "It does not answer."
            await self.close()
            raise Unreachable(f"The table cannot be reached at {place.server}. {trouble}") from error
        except BaseException:
            await self.close()
            raise
        if self.connection.ended is not None:
            await self.close()
            raise self.connection.ended
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def keep(self, connection: Connection) -> None:
        try:
            await connection.keep()
        finally:
            connection.end(Ended("closed here", "The connection to the table was closed."))

    async def close(self) -> None:
        """Ends the connection; the seat stays one's own."""
        tasks = [*self.giving.values()] if self.keeping is None else [*self.giving.values(), self.keeping]
        self.keeping = None
        for task in tasks:
            task.cancel()
            await asyncio.wait([task])
            if not task.cancelled():
                task.result()

    # How things stand -----------------------------------------------------------------------------

    @property
    def known(self) -> Known:
        """All that is known now, as one thing that does not change any more."""
        assert self.latest is not None, "the table has not been entered"
        return self.latest

    @property
    def state(self) -> TableState:
        return self.known.table

    @property
    def you(self) -> Seat | None:
        return self.known.you

    @property
    def version(self) -> int:
        return self.known.version

    @property
    def view(self) -> View | None:
        """All that the own seat may know of the game, as `Game.view` gives it; None before the first game."""
        return self.known.view

    @property
    def ask(self) -> Ask | None:
        """What the own seat is asked now."""
        return self.known.ask

    @property
    def asked(self) -> list[Seat]:
        return self.known.asked

    @property
    def here(self) -> list[Seat]:
        return self.known.here

    @property
    def said(self) -> list[Line]:
        return self.known.said

    @property
    def moves(self) -> list[str]:
        """The legal moves; none if the own seat is not asked."""
        return moves_in(self.known)

    @property
    def is_connected(self) -> bool:
        return self.connection is not None and self.connection.is_open

    @property
    def trouble(self) -> str:
        """Why there is no connection now, in a sentence."""
        return "" if self.connection is None else self.connection.trouble

    @property
    def ended(self) -> Ended | None:
        """Why the connection has ended for good; None if it has not."""
        return None if self.connection is None else self.connection.ended

    # What happens ---------------------------------------------------------------------------------

    async def changed(self) -> list[Change]:
        """What has happened since this was last asked, as soon as something has; nothing once the connection has ended."""
        while not self.changes and self.ended is None:
            await self.stir()
        changes = [*self.changes]
        self.changes.clear()
        return changes

    async def __aiter__(self) -> AsyncIterator[Change]:
        """Whatever happens, one thing after the other, until the connection ends for good."""
        while self.changes or self.ended is None:
            if self.changes:
                yield self.changes.popleft()
            else:
                await self.stir()

    async def stir(self) -> None:
        """Waits until anything is different."""
        await self.stirred.wait()

    def happened(self, change: Change | None) -> None:
        if change is not None:
            self.changes.append(change)
        self.stirred.set()
        self.stirred = asyncio.Event()

    def note_connection(self) -> None:
        assert self.connection is not None
        self.happened(None if self.latest is None else Connected(self.connection.is_open, self.connection.trouble))

    def hello(self) -> Hello:
        """How far we have come, so that we are told what we missed; from the beginning if something is wrong with it."""
        known = self.latest
        invite = self.place.secret if isinstance(self.place, Link) else self.place.invite
        hello = Hello(new_id(), invite=invite or None)
        if known is None or self.is_astray:
            return hello
        return msgspec.structs.replace(hello, number=known.number, version=known.version, noted=known.noted)

    def hear(self, message: FromServer) -> None:
        """Takes into account what the server says; Gap if something before it was missed."""
        try:
            if isinstance(message, Welcome):
                self.latest = welcomed(message)
                self.is_astray = False
            elif isinstance(message, Event):
                if self.latest is None:
                    raise Gap("An event came before the welcome.")
                before, self.latest = self.latest, after(self.latest, message)
                if before is self.latest:
                    return
            elif isinstance(message, Here) and self.latest is not None:
                self.latest = gathered(self.latest, message)
            else:
                return
        except Gap:
            self.is_astray = True
            raise
        self.happened(message)
        self.give_luck()

    # Fair deals -----------------------------------------------------------------------------------

    def give_luck(self) -> None:
        """Gives random bytes for the next game, once, as soon as the server has shown what it commits itself to."""
        known = self.known
        fair = known.table.fair
        is_due = known.table.phase in ("open", "starting") and known.you is not None and known.you not in fair.bytes
        promise = self.promises.setdefault(fair.number, luck.promise_for(fair)) if is_due else None
        if promise is not None and promise.commitment == fair.commitment and fair.number not in self.giving:
            self.giving[fair.number] = asyncio.create_task(self.give(promise))
        for kept in (self.promises, self.giving):
            while len(kept) > MOST_PROMISES:
                del kept[min(kept)]

    async def give(self, promise: Promise) -> None:
        try:
            await self.request(messages.GiveBytes(new_id(), promise.number, promise.bytes))
        except fuda.Error:
            return  # too late: the game is dealt without them, and `check` says so
        self.promises[promise.number] = msgspec.structs.replace(promise, is_kept=True)

    def check(self, record: dict[str, Any]) -> str:
        """Says what was found to be fair in a complete record; Error if the cards were not dealt as promised."""
        number = record.get("fair", {}).get("number")
        return luck.check(record, self.place.table, self.promises.get(number))

    # What can be done -----------------------------------------------------------------------------

    async def request(self, message: Message) -> Answer:
        """Has something done, and returns when it is known here, too; Denied if it was not done."""
        assert self.connection is not None, "the table has not been entered"
        for tried in range(TRIES):
            try:
                answer = await self.connection.ask(message)
            except Denied as denied:
                if denied.code != "busy" or tried == TRIES - 1:
                    raise
                await asyncio.sleep(0.2 * 2**tried)
            else:
                break
        if isinstance(answer, messages.Done):
            await self.catch_up(answer.version)
        return answer

    async def catch_up(self, version: int) -> None:
        """Waits until we know what our message has led to."""
        assert self.connection is not None
        asked = time.monotonic()
        while self.version < version and self.connection.ended is None:
            try:
                async with asyncio.timeout(self.times.catching_up):
                    await self.stir()
            except TimeoutError:
                pass
            if self.version < version and time.monotonic() - asked > self.times.catching_up:
                self.connection.start_anew()
                asked = time.monotonic()

    async def play(self, move: str) -> None:
        """Answers what the own seat is asked; Denied, with the rule that forbids it, if the move may not be made."""
        ask = self.known.ask
        await self.request(messages.Play(new_id(), 0 if ask is None else ask.since, move))

    async def why(self, move: str) -> Because | None:
        """Why a move may not be made now, with the rule that forbids it; None if it may."""
        because = await self.request(messages.Why(new_id(), move))
        return because if isinstance(because, Because) and because.rule else None

    async def choices(self, words: list[str]) -> Choices:
        """With which words a move of several can go on that has these already, and whether it is one as it is."""
        ask = self.known.ask
        choices = await self.request(messages.Choose(new_id(), 0 if ask is None else ask.since, words))
        assert isinstance(choices, Choices)
        return choices

    async def start(self) -> None:
        """Begins the game, as the host; our own random bytes are given first."""
        giving = self.giving.get(self.known.table.number)
        if giving is not None:
            await asyncio.wait([giving])
        await self.request(messages.Start(new_id()))

    async def rematch(self) -> None:
        """Another game with the same people, once this one is over."""
        await self.request(messages.Rematch(new_id()))

    async def leave(self) -> None:
        """Gives up the seat."""
        await self.request(messages.Leave(new_id()))

    async def furnish(self, seat: Seat, to: str) -> None:
        """Opens a chair, closes it, or seats a bot of this kind there, as the host."""
        await self.request(messages.SetChair(new_id(), seat, to))

    async def swap(self, seat: Seat, other: Seat) -> None:
        """Has two seats change places before the start."""
        await self.request(messages.Swap(new_id(), seat, other))

    async def configure(self, public: bool | None = None, pace: Pace | None = None, chat: bool | None = None) -> None:
        """Changes what the host has decided; what is left out stays."""
        await self.request(messages.Configure(new_id(), public, pace, chat))

    async def stand_in(self, seat: Seat) -> None:
        """Has a bot play for somebody who is gone, or has not answered for long."""
        await self.request(messages.StandIn(new_id(), seat))

    async def say(self, text: str) -> None:
        await self.request(messages.Say(new_id(), text))

    async def react(self, reaction: Reaction) -> None:
        await self.request(messages.React(new_id(), reaction))

    async def device_link(self) -> str:
        """A link that moves the seat to another device, once, within a few minutes."""
        link = await self.request(messages.Device(new_id()))
        assert isinstance(link, messages.Link)
        return str(Link(self.place.server, self.place.table, link.code, "d"))

    async def close_table(self) -> None:
        """Closes the table for good, as the host."""
        await self.request(messages.Close(new_id()))

    async def record(self, number: int | None = None) -> dict[str, Any]:
        """The record of a game, complete once it is over, of the latest if no number is named; else what we may know."""
        return await requests.record(self.place, number)
