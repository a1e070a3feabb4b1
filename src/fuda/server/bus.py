"""Messages between processes that serve the same tables: through Redis, or not at all."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from fuda.engine.errors import Error
from fuda.server.cancelling import cancel_all

if TYPE_CHECKING:
    from redis.asyncio.client import PubSub

OnMessage = Callable[[str, bytes], None]

RECONNECT_SECONDS: Final = 0.3
HEARTBEAT_SECONDS: Final = 10.0
"""After this long without a message Redis is pinged; after as long again it counts as lost."""

TIMEOUT: Final = 3.0
"""How long an answer of Redis may take."""

MOST_WAITING: Final = 10_000
"""How many messages wait while Redis is away; older ones are dropped."""

MOST_AT_ONCE: Final = 100
SILENT: Final = "it does not answer"
DEFAULT_HOST: Final = "localhost"
DEFAULT_PORT: Final = 6379
SCHEMES: Final = {"redis": "redis", "rediss": "rediss", "valkey": "redis", "valkeys": "rediss"}
LOG: Final = logging.getLogger(__name__)


class Bus:
    """The bus of a single process, which has nobody to talk to."""

    def __init__(self) -> None:
        self.process = secrets.token_hex(8)
        self.lost = False
        """Whether the connection to the other processes is lost."""

    async def start(self, on_message: OnMessage, on_gap: Callable[[], None] | None = None) -> None:
        """Calls `on_message` with a subscribed table and what another process says about it, at least once.

        `on_gap` is called when messages may have been lost. Error if the bus cannot be reached.
        """

    async def subscribe(self, table: str) -> None:
        """Receives every message about this table that is sent after this has returned."""

    async def unsubscribe(self, table: str) -> None:
        """Receives no more messages about this table."""

    async def publish(self, table: str, message: bytes) -> None:
        """Sends a message to the other processes that have subscribed to this table, as soon as possible."""

    async def close(self) -> None:
        """Sends the messages that wait, and disconnects."""


class RedisBus(Bus):
    """A channel of Redis, or Valkey, for each table; Redis may come and go."""

    def __init__(self, url: str) -> None:
        super().__init__()
        try:
            from redis.asyncio import Redis
            from redis.asyncio.retry import Retry
            from redis.backoff import NoBackoff
            from redis.exceptions import RedisError
        except ImportError:
            raise Error("A bus needs the package redis; install it with: pip install 'fuda[cluster]'") from None
        # We must know when messages may have been lost, so the client must not reconnect by itself.
        no_retry = Retry(NoBackoff(), 0)
        try:
            self.client = Redis.from_url(url, socket_connect_timeout=TIMEOUT, socket_timeout=TIMEOUT, retry=no_retry)
            make_connection: Callable[[], object] = self.client.connection_pool.make_connection
            make_connection()  # TypeError for unknown options
        except (ValueError, TypeError):
            raise Error("The bus address is not valid; expected redis://host:port.") from None
        self.address = address_of(url)
        self.problem = SILENT
        """Why the last attempt to connect has failed."""
        self.failures: tuple[type[Exception], ...] = (RedisError, OSError, TimeoutError)
        self.subscribed: dict[str, asyncio.Event] = {}
        self.channels: PubSub | None = None
        self.subscribing = asyncio.Lock()
        self.connected = asyncio.Event()
        self.outgoing: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue(MOST_WAITING)
        self.tasks: list[asyncio.Task[None]] = []

    async def start(self, on_message: OnMessage, on_gap: Callable[[], None] | None = None) -> None:
        self.on_message = on_message
        self.on_gap = on_gap
        self.tasks = [asyncio.create_task(self.listen_forever()), asyncio.create_task(self.send_all())]
        await self.in_time(self.connected.wait())
        if not self.connected.is_set():
            raise Error(f"The bus at {self.address} cannot be reached: {self.problem}.")

    async def close(self) -> None:
        if self.tasks:
            await self.in_time(self.outgoing.join())
        await cancel_all(self.tasks)
        self.tasks = []
        await self.client.aclose()

    async def in_time(self, waiting: Any) -> None:
        """Waits for a short time: what fails without Redis is made up for when it is back."""
        with contextlib.suppress(*self.failures):
            await asyncio.wait_for(waiting, TIMEOUT)

    # Receiving ----------------------------------------------------------------------------------------

    async def subscribe(self, table: str) -> None:
        confirmed = self.subscribed.setdefault(table, asyncio.Event())
        await self.in_time(self.subscribe_channel(table, confirmed))

    async def subscribe_channel(self, table: str, confirmed: asyncio.Event) -> None:
        async with self.subscribing:
            if self.channels is None:
                return  # all tables are subscribed to when Redis is back
            await self.channels.subscribe(channel_of(table))
        await confirmed.wait()

    async def unsubscribe(self, table: str) -> None:
        self.subscribed.pop(table, None)
        await self.in_time(self.unsubscribe_channel(table))

    async def unsubscribe_channel(self, table: str) -> None:
        async with self.subscribing:
            if self.channels is not None:
                await self.channels.unsubscribe(channel_of(table))

    async def listen_forever(self) -> None:
        """Reconnects whenever Redis is lost."""
        while True:
            try:
                async with self.client.pubsub() as channels:
                    await self.listen(channels)
            except self.failures as error:
                self.problem = reason_of(error)
                if not self.lost and self.connected.is_set():
                    LOG.warning("the bus is lost: %s", type(error).__name__)
                self.lost = True
            finally:
                self.channels = None
            await asyncio.sleep(RECONNECT_SECONDS)

    async def listen(self, channels: PubSub) -> None:
        async with self.subscribing:
            # Our own channel comes last: once it is confirmed, so are the others.
            await channels.subscribe(*map(channel_of, self.subscribed), channel_of(self.process))
            self.channels = channels
        asked = False
        while True:
            message = await channels.get_message(timeout=HEARTBEAT_SECONDS)
            if message is not None:
                asked = False
                self.take(message)
            elif asked:
                raise TimeoutError
            else:
                asked = True
                await channels.ping()

    def take(self, message: dict[str, Any]) -> None:
        if message["type"] == "subscribe":
            self.confirm(table_of(message["channel"]))
        elif message["type"] == "message":
            process, _, said = message["data"].partition(b" ")
            table = table_of(message["channel"])
            if process != self.process.encode() and table in self.subscribed:
                self.guarded(lambda: self.on_message(table, said))

    def confirm(self, table: str) -> None:
        if table in self.subscribed:
            self.subscribed[table].set()
        elif table == self.process:
            if self.lost:
                LOG.warning("the bus is back")
            self.lost = False
            self.connected.set()
            if self.subscribed and self.on_gap:
                self.guarded(self.on_gap)

    def guarded(self, call: Callable[[], None]) -> None:
        """Logs an error of a callback instead of ending the loop."""
        try:
            call()
        except Exception:
            LOG.exception("a message from the bus could not be handled")

    # Sending ------------------------------------------------------------------------------------------

    async def publish(self, table: str, message: bytes) -> None:
        if self.outgoing.full():
            self.outgoing.get_nowait()
            self.outgoing.task_done()
        self.outgoing.put_nowait((channel_of(table), self.process.encode() + b" " + message))

    async def send_all(self) -> None:
        while True:
            messages = [await self.outgoing.get()]
            while len(messages) < MOST_AT_ONCE and not self.outgoing.empty():
                messages.append(self.outgoing.get_nowait())
            while not await self.sent(messages):
                await asyncio.sleep(RECONNECT_SECONDS)
            for _ in messages:
                self.outgoing.task_done()

    async def sent(self, messages: list[tuple[str, bytes]]) -> bool:
        try:
            async with self.client.pipeline(transaction=False) as pipeline:
                for channel, message in messages:
                    pipeline.publish(channel, message)
                await pipeline.execute()
        except self.failures:
            return False
        return True


def channel_of(table: str) -> str:
    return f"fuda:{table}"


def table_of(channel: bytes) -> str:
    return channel.decode().removeprefix("fuda:")


def reason_of(error: Exception) -> str:
    """Why Redis cannot be reached, in a few words."""
    cause = error.__cause__ or error.__context__
    if isinstance(cause, OSError) and cause.errno:
        return str(cause.strerror) if isinstance(cause, socket.gaierror) else os.strerror(cause.errno)
    return str(error).rstrip(".") or SILENT


def address_of(url: str | None) -> str:
    """Where the bus is, without its password; empty if there is none. All databases of a Redis share their channels."""
    if url is None:
        return ""
    parts = urlsplit(url)
    return f"{parts.hostname or DEFAULT_HOST}:{parts.port or DEFAULT_PORT}"


def bus_from(url: str | None) -> Bus:
    """The bus at redis://, rediss:// or valkey://; None for a single process."""
    if url is None:
        return Bus()
    scheme, colon, rest = url.partition("://")
    if not colon or scheme not in SCHEMES:
        raise Error("The bus address is not valid; expected redis://host:port.")
    return RedisBus(f"{SCHEMES[scheme]}://{rest}")
