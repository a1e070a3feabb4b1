"""A small server for tests of the client, with one table, that can be made to misbehave."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any, ParamSpec

import msgspec
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed

import fuda
from fuda.client import Link, Ticket, Times
from fuda.protocol import messages
from fuda.protocol.messages import Event, FromClient, FromServer, Welcome
from fuda.protocol.parts import EVERY_SEAT, Ask, Chair, Fair, GameNews, Line, Phase, Seat, TableState

QUICK = Times(ping=0.1, silence=0.4, opening=1.0, first_wait=0.01, longest_wait=0.05, catching_up=0.2)


P = ParamSpec("P")


def asynchronous(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Has a test run in a loop of its own."""

    @functools.wraps(test)
    def run(*arguments: P.args, **named: P.kwargs) -> None:
        asyncio.run(test(*arguments, **named))

    return run


class Mark:
    """Something that happened, and how far the history had come before and after."""

    def __init__(self, what: messages.What, seat: Seat | None, first: int, noted: int, line: Line | None) -> None:
        self.what = what
        self.seat = seat
        self.first = first
        self.noted = noted
        self.line = line


class FakeServer:
    """One table, at which everyone with the token "A" or "B" has that seat."""

    def __init__(self, game: fuda.Game | None) -> None:
        self.game = game
        self.number = 1
        self.phase: Phase = "playing" if game else "open"
        self.bytes: dict[str, str] = {}
        self.commitment = "c0ffee"
        self.marks: list[Mark] = []
        self.seen: dict[str, int] = {}
        """The version that each message led to."""
        self.sockets: dict[ServerConnection, Seat | None] = {}
        self.heard: list[FromClient] = []
        """All that has been said to it."""
        self.requests: list[Any] = []
        self.before: Callable[[ServerConnection, FromClient], Awaitable[bool]] | None = None
        """Is asked before each message; True if it has dealt with it."""
        self.say_nothing = False
        self.sends: list[Callable[[str], list[str]]] = []
        """Each changes what is sent: lost, doubled, spoilt."""
        self.port = 0

    # The table ------------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        return len(self.marks)

    @property
    def noted(self) -> int:
        return 0 if self.game is None else self.game.note_count

    def ticket(self, seat: Seat = "A") -> Ticket:
        return Ticket(f"http://127.0.0.1:{self.port}", "table", seat, seat, "invite")

    @property
    def link(self) -> Link:
        return Link(f"http://127.0.0.1:{self.port}", "table", "invite")

    def state(self) -> TableState:
        return TableState(
            id="table",
            game="schadenfreude" if self.game is None else self.game.rules.id,
            options={},
            chairs=[Chair("A", "person", "Ann", host=True), Chair("B", "person", "Ben")],
            phase=self.phase,
            number=self.number,
            public=False,
            pace="normal",
            chat=True,
            fair=Fair(self.number, self.commitment, dict(self.bytes)),
            invite="invite",
        )

    def news(self, seat: Seat | None, first: int) -> GameNews | None:
        game = self.game
        if game is None:
            return None
        view = game.view(seat, first)
        notes = view.pop("history")
        asked: list[Seat] = [EVERY_SEAT["ABCDEFGH".index(game.seat)]] if game.seat else []
        ask = None
        if seat in asked:
            ask = Ask(self.version, game.view(seat)["question"], game.moves(), seconds=30.0)
        return GameNews(
            self.number,
            first,
            notes,
            len(game.played),
            asked,
            seconds=30.0 if asked else None,
            view=view,
            ask=ask,
            chain=self.chain(),
        )

    def chain(self) -> str:
        """Something that depends on the moves, like the chain of a server."""
        assert self.game is not None
        return hashlib.sha256("\n".join(self.game.played).encode()).hexdigest()

    def welcome(self, seat: Seat | None) -> Welcome:
        here = [one for one in self.sockets.values() if one]
        return Welcome(self.version, self.state(), here, seat, self.news(seat, 0))

    def event(self, version: int, seat: Seat | None) -> Event:
        mark = self.marks[version - 1]
        if version == self.version:
            news = self.news(seat, mark.first)
        elif self.game is not None:
            notes = self.game.view(seat, mark.first)["history"][: mark.noted - mark.first]
            news = GameNews(self.number, mark.first, notes)
        state = self.state() if version == self.version else None
        return Event(version, mark.what, mark.seat, "person", state, news, mark.line)

    async def happen(
        self, what: messages.What, seat: Seat | None = None, noted: int | None = None, line: Line | None = None
    ) -> None:
        first = self.noted if noted is None else noted
        self.marks.append(Mark(what, seat, first, self.noted, line))
        for socket, viewer in [*self.sockets.items()]:
            await self.say(socket, self.event(self.version, viewer))

    async def make_move(self, move: str | None = None) -> None:
        """A move of whoever is asked."""
        assert self.game is not None
        noted = self.noted
        seat = EVERY_SEAT["ABCDEFGH".index(str(self.game.seat))]
        self.game.play(move or self.game.moves()[0])
        if self.game.over:
            self.phase = "over"
        await self.happen("played", seat, noted)

    # Talking --------------------------------------------------------------------------------------

    async def say(self, socket: ServerConnection, message: FromServer) -> None:
        if self.say_nothing:
            return
        frames = [msgspec.json.encode(message).decode()]
        for change in self.sends:
            frames = [changed for frame in frames for changed in change(frame)]
        for frame in frames:
            with contextlib.suppress(ConnectionClosed):
                await socket.send(frame)

    async def cut(self) -> None:
        """Cuts all connections."""
        for socket in [*self.sockets]:
            socket.transport.abort()
        while self.sockets:
            await asyncio.sleep(0.001)

    async def serve(self, socket: ServerConnection) -> None:
        assert socket.request is not None
        self.requests.append(socket.request)
        shown = socket.request.headers.get("Cookie", "").partition("fuda-table=")[2]
        seat: Seat | None = "A" if shown == "A" else "B" if shown == "B" else None
        with contextlib.suppress(ConnectionClosed):
            try:
                async for frame in socket:
                    message = msgspec.json.decode(frame, type=FromClient)
                    self.heard.append(message)
                    if self.before is None or not await self.before(socket, message):
                        await self.answer(socket, seat, message)
            finally:
                self.sockets.pop(socket, None)

    async def answer(self, socket: ServerConnection, seat: Seat | None, message: FromClient) -> None:
        match message:
            case messages.Ping():
                await self.say(socket, messages.Pong())
            case messages.Pong():
                pass
            case messages.Hello():
                self.sockets[socket] = seat
                if message.version and message.number == self.number:
                    for version in range(message.version + 1, self.version + 1):
                        await self.say(socket, self.event(version, seat))
                else:
                    await self.say(socket, self.welcome(seat))
                await self.say(socket, messages.Done(message.id, self.version))
            case messages.Why():
                assert self.game is not None
                refusal = self.game.why(message.move, seat)
                rule, text = ("", "") if refusal is None else (refusal.rule, str(refusal))
                await self.say(socket, messages.Because(message.id, message.move, rule, text))
            case messages.Choose():
                await self.say(socket, messages.Choices(message.id, ["heart 10"], len(message.words) > 1))
            case messages.Device():
                await self.say(socket, messages.Link(message.id, "c0de", 600.0))
            case _:
                await self.act(socket, seat, message)

    async def act(self, socket: ServerConnection, seat: Seat | None, message: FromClient) -> None:
        assert isinstance(message, messages.Message)
        if message.id not in self.seen:
            try:
                await self.carry_out(seat, message)
            except fuda.Refused as refused:
                denied = messages.Denied(message.id, "refused", str(refused), refused.rule, refused.facts)
                await self.say(socket, denied)
                return
            self.seen[message.id] = self.version
        await self.say(socket, messages.Done(message.id, self.seen[message.id]))

    async def carry_out(self, seat: Seat | None, message: FromClient) -> None:
        match message:
            case messages.Play():
                assert self.game is not None
                refusal = self.game.why(message.move, seat)
                if refusal is not None:
                    raise refusal
                await self.make_move(message.move)
            case messages.GiveBytes():
                assert seat is not None
                self.bytes[seat] = message.bytes
                await self.happen("luck", seat)
            case messages.Say():
                assert seat is not None
                await self.happen("said", seat, line=Line(seat, "Ann", message.text))
            case messages.Rematch():
                self.number += 1
                self.phase = "open"
                self.bytes = {}
                self.game = None
                await self.happen("reopened")
            case _:
                await self.happen("configured", seat)


@contextlib.asynccontextmanager
async def fake_server(game: fuda.Game | None = None) -> AsyncIterator[FakeServer]:
    """A table with this game, or one at which the game has not begun."""
    fake = FakeServer(game)
    await fake.happen("opened")
    listening: Server = await serve(fake.serve, "127.0.0.1", 0, ping_interval=None, close_timeout=0.1)
    fake.port = next(iter(listening.sockets)).getsockname()[1]
    try:
        yield fake
    finally:
        listening.close()
        await listening.wait_closed()


async def until(condition: Callable[[], bool]) -> None:
    """Waits until this is so."""
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.005)
