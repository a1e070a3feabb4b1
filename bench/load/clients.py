"""The players' side of `make load`: tables of four sockets, and how long a move takes to reach all four.

One loop drives all sockets with nothing but the protocol of `websockets`, so that the players cost little, and the same
on every server.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, TypeVar, cast

from websockets.client import ClientProtocol
from websockets.datastructures import Headers
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.uri import parse_uri

from bench.load.errors import LoadError

T = TypeVar("T")
SEATS = 4
AT_ONCE = 20
"""How many tables connect at the same time."""
ENDLESS = 1_000_000_000
MOVES_TIMEOUT = 600.0
"""Seconds to wait at most until all moves have been made."""


class Client(asyncio.Protocol):
    """One socket, from its handshake on."""

    def __init__(self, address: str, path: str, on_text: Callable[[bytes], None], cookie: str = "") -> None:
        self.uri = parse_uri(address.replace("http", "ws", 1) + path)
        self.protocol = ClientProtocol(self.uri)
        self.headers = Headers(Origin=address, Cookie=cookie)
        self.on_text = on_text
        self.transport: asyncio.Transport
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.is_closing = False

    async def connect(self) -> None:
        await asyncio.get_running_loop().create_connection(lambda: self, self.uri.host, self.uri.port)
        await self.opened

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        request = self.protocol.connect()
        request.headers.update(self.headers)
        self.protocol.send_request(request)
        self.flush()

    def data_received(self, data: bytes) -> None:
        self.protocol.receive_data(data)
        for event in self.protocol.events_received():
            if isinstance(event, Frame):
                if event.opcode is Opcode.TEXT:
                    self.on_text(bytes(event.data))
            elif isinstance(event, Response) and event.status_code == 101:
                self.opened.set_result(None)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(LoadError(f"The server at {self.uri.host}:{self.uri.port} refuses a connection."))
        elif not self.is_closing:
            raise LoadError(f"The server at {self.uri.host}:{self.uri.port} has closed a connection.")

    def send(self, text: bytes) -> None:
        self.protocol.send_text(text)
        self.flush()

    def flush(self) -> None:
        self.transport.write(b"".join(self.protocol.data_to_send()))

    def close(self) -> None:
        self.is_closing = True
        self.transport.abort()


@dataclass
class Measured:
    """What arrives in a span of time."""

    latencies: list[float] = field(default_factory=list)
    """Seconds from each move to the last of its deliveries."""
    frames: int = 0
    size: int = 0
    """Bytes of those frames."""
    seconds: float = 0.0

    def add(self, other: Measured) -> None:
        self.latencies += other.latencies
        self.frames += other.frames
        self.size += other.size
        self.seconds += other.seconds

    def percentile(self, share: float) -> float:
        """The milliseconds that this share of all moves took at most."""
        ordered = sorted(self.latencies)
        return ordered[int(share * (len(ordered) - 1))] * 1000

    @property
    def moves(self) -> float:
        return len(self.latencies) / self.seconds

    @property
    def deliveries(self) -> float:
        return self.frames / self.seconds


class Table:
    """Four sockets and the move that is on its way between them."""

    def __init__(self, players: Players) -> None:
        self.players = players
        self.clients: list[Client] = []
        self.waiting = SEATS
        """How many have not yet received what happened last."""
        self.moved: float | None = None
        """When the move on its way was made; None if none is."""
        self.due: float | None = None
        """Since when a move has been due that had to wait for the one before."""
        self.left = 0
        """How many more moves to make, each as soon as the one before has arrived."""
        self.is_over = False

    async def connect(self) -> None:
        raise NotImplementedError

    def make_move(self) -> None:
        raise NotImplementedError

    def start_next_game(self) -> None:
        raise NotImplementedError

    def move(self, due: float) -> None:
        """Makes the move that is due; as soon as possible, if the one before is still on its way."""
        if self.waiting:
            self.due = self.due or due
            return
        self.due = None
        self.moved = due
        self.waiting = SEATS
        self.make_move()

    def arrived(self, frame: bytes) -> None:
        """One of the four has received what happened."""
        if not self.waiting:
            raise LoadError(f"A server sends what no player has caused: {frame.decode()}")
        measured = self.players.measured
        measured.frames += 1
        measured.size += len(frame)
        self.waiting -= 1
        if self.waiting == 0:
            now = monotonic()
            if self.moved is not None:
                measured.latencies.append(now - self.moved)
                self.moved = None
            self.continue_playing(now)

    def continue_playing(self, now: float) -> None:
        if self.is_over:
            self.waiting = SEATS
            self.start_next_game()
        elif self.left:
            self.left -= 1
            self.move(now)
        elif self.due is not None:
            self.move(self.due)


class Failures:
    """Nothing is measured where anything fails: the first error of any player ends the measurement."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.first: asyncio.Future[None] = loop.create_future()
        loop.set_exception_handler(self.on_error)

    def on_error(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if not self.first.done():
            self.first.set_exception(context.get("exception") or LoadError(context["message"]))

    async def none_in(self, work: Coroutine[Any, Any, T]) -> T:
        task = asyncio.create_task(work)
        either: list[asyncio.Future[Any]] = [task, self.first]
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if self.first.done():
            task.cancel()
            self.first.result()
        return task.result()


class Players:
    """The players at all tables of one server."""

    def __init__(self, failures: Failures) -> None:
        self.failures = failures
        self.measured = Measured()
        self.tables: list[Table] = []

    async def connect(self, tables: Iterable[Table]) -> None:
        self.tables = [*tables]
        for start in range(0, len(self.tables), AT_ONCE):
            some = self.tables[start : start + AT_ONCE]
            await self.failures.none_in(gather(table.connect() for table in some))

    async def play_steadily(self, every: float, warming: float, seconds: float) -> Measured:
        """Each table makes one move every `every` seconds, whether or not the server keeps up."""
        loop = asyncio.get_running_loop()
        end = loop.time() + warming + seconds

        def tick(table: Table, at: float) -> None:
            if at < end:
                table.move(monotonic())
                loop.call_at(at + every, tick, table, at + every)

        for number, table in enumerate(self.tables):
            # A step of the golden ratio spreads them over the time, but not in the order in which they connected.
            at = loop.time() + every * (number * 0.618 % 1)
            loop.call_at(at, tick, table, at)
        measured = await self.measure(warming, seconds)
        await self.finish_moves()
        return measured

    async def play_fast(self, warming: float, seconds: float) -> Measured:
        """Each table makes its next move when all four have received the last one."""
        self.make_moves(ENDLESS)
        measured = await self.measure(warming, seconds)
        for table in self.tables:
            table.left = 0
        await self.finish_moves()
        return measured

    async def play_moves(self, moves: int) -> None:
        """Each table makes this number of moves, as fast as possible."""
        self.make_moves(moves)
        await self.finish_moves()

    def make_moves(self, moves: int) -> None:
        for table in self.tables:
            table.left = moves - 1
            table.move(monotonic())

    async def finish_moves(self) -> None:
        """Waits until no move is on its way."""
        try:
            async with asyncio.timeout(MOVES_TIMEOUT):
                while any(table.waiting for table in self.tables):
                    await self.failures.none_in(asyncio.sleep(0.05))
        except TimeoutError:
            raise LoadError(f"Moves are still on their way after {MOVES_TIMEOUT:.0f} seconds.") from None

    async def measure(self, warming: float, seconds: float) -> Measured:
        """What arrives in this many seconds, after a warm-up that does not count."""
        with no_garbage_collection():
            await self.failures.none_in(asyncio.sleep(warming))
            measured = self.measured = Measured()
            start = monotonic()
            await self.failures.none_in(asyncio.sleep(seconds))
            self.measured = Measured()
            measured.seconds = monotonic() - start
        return measured

    def close(self) -> None:
        for table in self.tables:
            for client in table.clients:
                client.close()


async def gather(work: Iterable[Coroutine[Any, Any, None]]) -> None:
    await asyncio.gather(*work)


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """The players make no pause to collect garbage."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
