"""How processes that share tables tell each other that something has happened: through Redis, or not at all."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from fuda.engine.errors import Error
from fuda.server.endings import ended

if TYPE_CHECKING:
    from redis.asyncio.client import PubSub

Heard = Callable[[str, bytes], None]

RECONNECT: Final = 0.3
"""So many seconds after Redis was lost it is tried again."""

HEARTBEAT: Final = 10.0
"""After so many seconds of silence Redis is asked whether it is still there, and given up after as many again."""

PATIENCE: Final = 3.0
"""So many seconds are waited for an answer of Redis, where somebody waits."""

MOST_WAITING: Final = 10_000
"""While Redis is away so many messages are kept for it; older ones are dropped."""

MOST_AT_ONCE: Final = 100
SCHEMES: Final = {"redis": "redis", "rediss": "rediss", "valkey": "redis", "valkeys": "rediss"}
LOG: Final = logging.getLogger(__name__)


class Bus:
    """The bus of a process that serves alone: there is nobody to tell."""

    def __init__(self) -> None:
        self.process = secrets.token_hex(8)
        self.lost = False
        """Whether nothing is heard of the others just now."""

    async def start(self, heard: Heard, missed: Callable[[], None] | None = None) -> None:
        """From now on `heard` gets the id of a watched table and what another process says about it, perhaps twice.

        `missed` is called when something may have been said that was not heard.
        """

    async def watch(self, table: str) -> None:
        """Listens to what is said about this table; all that is said once this has returned."""

    async def unwatch(self, table: str) -> None:
        """Listens no longer."""

    async def tell(self, table: str, message: bytes) -> None:
        """Tells the other processes that watch this table, as soon as that is possible."""

    async def close(self) -> None:
        """Says what there is still to say, and leaves."""


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
        # Whoever reconnects must know that something was missed, so the client may not do it in silence.
        alone = Retry(NoBackoff(), 0)
        try:
            self.client = Redis.from_url(url, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE, retry=alone)
        except ValueError:
            raise Error("The address of the bus cannot be read; expected redis://host:port.") from None
        self.failures: tuple[type[Exception], ...] = (RedisError, OSError, TimeoutError)
        self.watched: dict[str, asyncio.Event] = {}
        self.channels: PubSub | None = None
        self.subscribing = asyncio.Lock()
        self.connected = asyncio.Event()
        self.outgoing: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue(MOST_WAITING)
        self.tasks: list[asyncio.Task[None]] = []

    async def start(self, heard: Heard, missed: Callable[[], None] | None = None) -> None:
        self.heard = heard
        self.missed = missed
        self.tasks = [asyncio.create_task(self.listen_on()), asyncio.create_task(self.tell_on())]
        await self.in_time(self.connected.wait())

    async def close(self) -> None:
        if self.tasks:
            await self.in_time(self.outgoing.join())
        await ended(self.tasks)
        self.tasks = []
        await self.client.aclose()

    async def in_time(self, waiting: Any) -> None:
        """Waits for it, but not for long: what is done without Redis now is done when it is back."""
        with contextlib.suppress(*self.failures):
            await asyncio.wait_for(waiting, PATIENCE)

    # Listening ----------------------------------------------------------------------------------------

    async def watch(self, table: str) -> None:
        confirmed = self.watched.setdefault(table, asyncio.Event())
        await self.in_time(self.subscribe(table, confirmed))

    async def subscribe(self, table: str, confirmed: asyncio.Event) -> None:
        async with self.subscribing:
            if self.channels is None:
                return  # it is among those watched when Redis is back
            await self.channels.subscribe(channel_of(table))
        await confirmed.wait()

    async def unwatch(self, table: str) -> None:
        self.watched.pop(table, None)
        await self.in_time(self.unsubscribe(table))

    async def unsubscribe(self, table: str) -> None:
        async with self.subscribing:
            if self.channels is not None:
                await self.channels.unsubscribe(channel_of(table))

    async def listen_on(self) -> None:
        """Listens for ever, however often Redis is lost."""
        while True:
            try:
                async with self.client.pubsub() as channels:
                    await self.listen(channels)
            except self.failures as error:
                if not self.lost:
                    LOG.warning("the bus is lost: %s", type(error).__name__)
                self.lost = True
            finally:
                self.channels = None
            await asyncio.sleep(RECONNECT)

    async def listen(self, channels: PubSub) -> None:
        async with self.subscribing:
            # Our own channel comes last: once it is confirmed, so are the others.
            await channels.subscribe(*map(channel_of, self.watched), channel_of(self.process))
            self.channels = channels
        asked = False
        while True:
            message = await channels.get_message(timeout=HEARTBEAT)
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
            if process != self.process.encode() and table in self.watched:
                self.carefully(lambda: self.heard(table, said))

    def confirm(self, table: str) -> None:
        if table in self.watched:
            self.watched[table].set()
        elif table == self.process:
            if self.lost:
                LOG.warning("the bus is back")
            self.lost = False
            self.connected.set()
            if self.watched and self.missed:
                self.carefully(self.missed)

    def carefully(self, call: Callable[[], None]) -> None:
        """A listener that fails must not end the listening."""
        try:
            call()
        except Exception:
            LOG.exception("a message of the bus was not understood")

    # Telling ------------------------------------------------------------------------------------------

    async def tell(self, table: str, message: bytes) -> None:
        if self.outgoing.full():
            self.outgoing.get_nowait()
            self.outgoing.task_done()
        self.outgoing.put_nowait((channel_of(table), self.process.encode() + b" " + message))

    async def tell_on(self) -> None:
        while True:
            messages = [await self.outgoing.get()]
            while len(messages) < MOST_AT_ONCE and not self.outgoing.empty():
                messages.append(self.outgoing.get_nowait())
            while not await self.sent(messages):
                await asyncio.sleep(RECONNECT)
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


def bus_from(url: str | None) -> Bus:
    """The bus at redis://, rediss:// or valkey://; None: this process serves alone."""
    if url is None:
        return Bus()
    scheme, colon, rest = url.partition("://")
    if not colon or scheme not in SCHEMES:
        raise Error("The address of the bus cannot be read; expected redis://host:port.")
    return RedisBus(f"{SCHEMES[scheme]}://{rest}")
