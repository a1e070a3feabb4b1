"""A table online: what a player or spectator knows of it, and what they can do there."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Iterable
from types import TracebackType
from typing import Any, Final

import msgspec

import fuda
from fuda.client import fairness, requests
from fuda.client.connection import Answer, Connection, Times, new_id
from fuda.client.errors import Denied, Ended, Unreachable
from fuda.client.fairness import Doubt, Witness
from fuda.client.known import Gap, Known, after_answer, after_event, from_welcome, moves_in, with_presence
from fuda.client.links import Link, link_from, origin_of, socket_address
from fuda.client.tickets import Ticket
from fuda.protocol import messages
from fuda.protocol.messages import Because, Choices, Event, FromServer, Hello, Here, Message, Sealed, Welcome
from fuda.protocol.parts import Ask, Line, Pace, Reaction, Seat, TableState, View
from fuda.verification import Seen, Verdict

TIMEOUT: Final = 15.0
"""How long the first connection may take."""
MOST_CHANGES: Final = 1000
"""How many changes are kept that nobody has read; the table itself is always up to date."""
TRIES: Final = 5
"""How often a request is sent that the server denies as busy."""


class Connected(msgspec.Struct, frozen=True):
    """The connection was established again, or was lost and will be tried again."""

    is_open: bool
    trouble: str = ""
    """Why it was lost, in a sentence."""


Change = Welcome | Event | Here | Sealed | Connected | Doubt


def connect(
    at: Ticket | Link | str, *, seen: Iterable[Seen] = (), patience: float = TIMEOUT, times: Times | None = None
) -> TableClient:
    """A table for `async with`: with a ticket at the player's seat, with a link as a spectator."""
    return TableClient(at, seen, patience, times or Times())


class TableClient:
    """A table online. It reconnects by itself, and is always up to date."""

    def __init__(self, at: Ticket | Link | str, seen: Iterable[Seen], patience: float, times: Times) -> None:
        self.address = link_from(at) if isinstance(at, str) else at
        if isinstance(self.address, Link) and self.address.kind == "d":
            raise fuda.Error("This link moves a seat to another device: claim it first.")
        self.patience = patience
        self.times = times
        self.witness = Witness(self.address.table, seen)
        self.latest: Known | None = None
        self.changes: deque[Change] = deque(maxlen=MOST_CHANGES)
        self.change = asyncio.Event()
        self.connection: Connection | None = None
        self.running: asyncio.Task[None] | None = None
        self.giving: dict[int, asyncio.Task[None]] = {}
        """The task that sends our random bytes, by game."""
        self.is_out_of_sync = False
        """Whether a message was missed, so that the whole table has to be sent again."""

    # Entering and leaving -----------------------------------------------------------------------------

    async def __aenter__(self) -> TableClient:
        address = self.address
        self.connection = Connection(
            socket_address(address.server, address.table),
            origin_of(address.server),
            address.cookie if isinstance(address, Ticket) else None,
            self.times,
            self.hello,
            self.on_message,
            self.on_connection_change,
        )
        self.running = asyncio.create_task(self.run(self.connection))
        try:
            async with asyncio.timeout(self.patience):
                while self.latest is None and self.connection.ended is None:
                    await self.wait_for_change()
        except TimeoutError as error:
            trouble = self.connection.trouble or "It does not answer."
            await self.close()
            raise Unreachable(f"The table cannot be reached at {address.server}. {trouble}") from error
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

    async def run(self, connection: Connection) -> None:
        try:
            await connection.run()
        finally:
            connection.end(Ended("closed here", "The connection to the table was closed."))

    async def close(self) -> None:
        """Ends the connection; the player keeps the seat."""
        tasks = [*self.giving.values()] if self.running is None else [*self.giving.values(), self.running]
        self.running = None
        for task in tasks:
            task.cancel()
            await asyncio.wait([task])
            if not task.cancelled():
                task.result()

    # What is known -----------------------------------------------------------------------------

    @property
    def known(self) -> Known:
        """All that is known now, as one object that does not change."""
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
        """All that the player's own seat may know of the game, as `Game.view` gives it; None before the first game."""
        return self.known.view

    @property
    def ask(self) -> Ask | None:
        """What the player's own seat is asked now."""
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
        """The legal moves; none if the player's own seat is not asked."""
        return moves_in(self.known)

    @property
    def seen(self) -> dict[int, Seen]:
        """What this client saw of each game; can be stored, and passed to `connect` later."""
        return self.witness.seen

    @property
    def doubts(self) -> list[Doubt]:
        """Why games at this table cannot be proven to be fair, as far as that is known already."""
        return self.witness.doubts

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

    # Changes ---------------------------------------------------------------------------------

    async def changed(self) -> list[Change]:
        """Waits for changes since the last call, and returns them; an empty list once the connection has ended."""
        while not self.changes and self.ended is None:
            await self.wait_for_change()
        changes = [*self.changes]
        self.changes.clear()
        return changes

    async def __aiter__(self) -> AsyncIterator[Change]:
        """One change after the other, until the connection ends for good."""
        while self.changes or self.ended is None:
            if self.changes:
                yield self.changes.popleft()
            else:
                await self.wait_for_change()

    async def wait_for_change(self) -> None:
        await self.change.wait()

    def notify(self, change: Change | None) -> None:
        if change is not None:
            self.changes.append(change)
        self.change.set()
        self.change = asyncio.Event()

    def on_connection_change(self) -> None:
        assert self.connection is not None
        self.notify(None if self.latest is None else Connected(self.connection.is_open, self.connection.trouble))

    def hello(self) -> Hello:
        """What we have seen so far, so that the server sends what we missed; nothing, to receive the whole table."""
        known = self.latest
        invite = self.address.secret if isinstance(self.address, Link) else self.address.invite
        hello = Hello(new_id(), invite=invite or None)
        if known is None or self.is_out_of_sync:
            return hello
        return msgspec.structs.replace(hello, number=known.number, version=known.version, noted=known.noted)

    def on_message(self, message: FromServer) -> None:
        """Applies a message of the server; Gap if one before it was missed."""
        try:
            if isinstance(message, Welcome):
                self.latest = from_welcome(message)
                self.is_out_of_sync = False
            elif isinstance(message, Event):
                if self.latest is None:
                    raise Gap("An event came before the welcome.")
                before, self.latest = self.latest, after_event(self.latest, message)
                if before is self.latest:
                    return
            elif isinstance(message, Here) and self.latest is not None:
                self.latest = with_presence(self.latest, message)
            elif isinstance(message, Sealed) and self.latest is not None:
                self.latest = after_answer(self.latest, message)
            else:
                return
        except Gap:
            self.is_out_of_sync = True
            raise
        self.notify(message)
        if isinstance(message, Welcome | Event):
            self.notify_doubts(self.witness.see(self.latest, message.game))
        self.give_bytes()

    # Fair deals -----------------------------------------------------------------------------------

    def give_bytes(self) -> None:
        """Sends random bytes for the next game, once, as soon as the server has shown its commitment."""
        known = self.known
        fair = known.table.fair
        is_due = known.table.phase in ("open", "starting") and known.you is not None and known.you not in fair.bytes
        is_same = is_due and self.seen[fair.number].commitment == fair.commitment
        if is_same and fair.number not in self.giving:
            self.giving[fair.number] = asyncio.create_task(self.give(fair.number, self.witness.draw(fair.number)))
        while len(self.giving) > fairness.MOST_GAMES:
            del self.giving[min(self.giving)]

    async def give(self, number: int, given: str) -> None:
        try:
            await self.request(messages.GiveBytes(new_id(), number, given))
        except Denied as denied:
            self.notify_doubts(self.witness.refuse(number, str(denied)))
        except fuda.Error:
            return  # it is not known whether they arrived
        else:
            self.witness.accept(number)

    def notify_doubts(self, doubts: list[Doubt]) -> None:
        for doubt in doubts:
            self.notify(doubt)

    def check(self, record: dict[str, Any]) -> Verdict:
        """Whether a complete record is of the game that was seen from here, and was dealt fairly."""
        return fairness.check(record, self.address.table, self.seen)

    # Actions -----------------------------------------------------------------------------

    async def request(self, message: Message) -> Answer:
        """Sends a request, and returns when its effect is known here too; Denied if it was not carried out."""
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
        """Waits until this version is known here."""
        assert self.connection is not None
        asked = time.monotonic()
        while self.version < version and self.connection.ended is None:
            try:
                async with asyncio.timeout(self.times.catching_up):
                    await self.wait_for_change()
            except TimeoutError:
                pass
            if self.version < version and time.monotonic() - asked > self.times.catching_up:
                self.connection.reconnect()
                asked = time.monotonic()

    async def play(self, move: str) -> None:
        """Answers the question to the player's own seat; Denied, with the rule, if the move is not allowed."""
        ask = self.known.ask
        await self.request(messages.Play(new_id(), 0 if ask is None else ask.since, move))

    async def why(self, move: str) -> Because | None:
        """Why a move is not allowed now, with the rule; None if it is."""
        because = await self.request(messages.Why(new_id(), move))
        return because if isinstance(because, Because) and because.rule else None

    async def choices(self, words: list[str]) -> Choices:
        """Which words can be added to a move that has these already, and whether it is complete."""
        ask = self.known.ask
        choices = await self.request(messages.Choose(new_id(), 0 if ask is None else ask.since, words))
        assert isinstance(choices, Choices)
        return choices

    async def start(self) -> None:
        """Starts the game, as the host; our own random bytes are sent first."""
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
        """Opens a chair, closes it, or puts a bot of this kind there, as the host."""
        await self.request(messages.SetChair(new_id(), seat, to))

    async def swap(self, seat: Seat, other: Seat) -> None:
        """Swaps two seats before the start."""
        await self.request(messages.Swap(new_id(), seat, other))

    async def configure(self, public: bool | None = None, pace: Pace | None = None, chat: bool | None = None) -> None:
        """Changes settings of the table, as the host; what is left out stays as it is."""
        await self.request(messages.Configure(new_id(), public, pace, chat))

    async def stand_in(self, seat: Seat) -> None:
        """Has a bot play for somebody who is absent, or has not answered for long."""
        await self.request(messages.StandIn(new_id(), seat))

    async def say(self, text: str) -> None:
        await self.request(messages.Say(new_id(), text))

    async def react(self, reaction: Reaction) -> None:
        await self.request(messages.React(new_id(), reaction))

    async def device_link(self) -> str:
        """A link that moves the seat to another device, once, within a few minutes."""
        link = await self.request(messages.Device(new_id()))
        assert isinstance(link, messages.Link)
        return str(Link(self.address.server, self.address.table, link.code, "d"))

    async def close_table(self) -> None:
        """Closes the table for good, as the host."""
        await self.request(messages.Close(new_id()))

    async def record(self, number: int | None = None) -> dict[str, Any]:
        """The record of this game, or of the latest: complete once it is over, before that what we may know."""
        return await requests.record(self.address, number)
