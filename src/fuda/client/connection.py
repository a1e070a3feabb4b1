"""A WebSocket that reconnects after every loss, and sends again what was not answered."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from typing import Final, get_args

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.typing import Origin

import fuda
from fuda.client.errors import Denied, Ended
from fuda.client.known import Gap
from fuda.protocol.messages import (
    Because,
    Bye,
    Choices,
    Done,
    Event,
    Failed,
    FromClient,
    FromServer,
    Hello,
    Link,
    Message,
    Ping,
    Pong,
    Welcome,
)
from fuda.protocol.messages import Denied as DeniedReply

ENCODER: Final = msgspec.json.Encoder()
DECODER: Final[msgspec.json.Decoder[FromServer]] = msgspec.json.Decoder(FromServer)
KNOWN_KINDS: Final = {kind.__struct_config__.tag for kind in get_args(FromServer)}
LARGEST_FRAME: Final = 16_000_000
"""A welcome contains the whole history of a game."""
MOST_WAITING: Final = 40
"""How many messages may wait for their answer."""
SHORTEST_SECONDS: Final = 2.0
"""A shorter connection counts as a failure."""
FINAL_CODES: Final = {4001: "The server uses another version of the protocol.", 4003: "You may not join this table."}
"""Close codes after which the client does not reconnect."""
RETRY_STATUSES: Final = {408, 425, 429, *range(500, 600)}
RETRY_DENIALS: Final = {"busy", "too many"}
"""Denials of a hello after which the client reconnects."""

Answer = Done | Because | Choices | Link


class Times(msgspec.Struct, frozen=True):
    """Timeouts and pauses, in seconds."""

    ping: float = 10.0
    silence: float = 20.0
    """A connection counts as lost after this long without a message."""
    opening: float = 5.0
    first_wait: float = 0.2
    """The pause before reconnecting; it doubles each time."""
    longest_wait: float = 4.0
    catching_up: float = 5.0
    """How long after an answer the events that it refers to may take to arrive."""


class Waiting:
    """A message that waits for its answer."""

    def __init__(self, message: Message) -> None:
        self.frame = ENCODER.encode(message).decode()
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.is_sent = False
        """Whether it has been sent over the current connection."""


class Connection:
    """Keeps a connection to one table, passes on what arrives, and repeats requests until they are answered."""

    def __init__(
        self,
        address: str,
        origin: str,
        cookie: str | None,
        times: Times,
        hello: Callable[[], Hello],
        on_message: Callable[[FromServer], None],
        on_change: Callable[[], None],
    ) -> None:
        self.address = address
        self.origin = origin
        self.cookie = cookie
        self.times = times
        self.hello = hello
        """Makes the first message of every connection."""
        self.on_message = on_message
        """Called with every event; raises Gap if one was missed."""
        self.on_change = on_change
        """Called when the connection is established, is lost, or ends."""
        self.is_open = False
        self.trouble = ""
        """Why there is no connection now, in a sentence."""
        self.ended: Ended | None = None
        self.waiting: dict[str, Waiting] = {}
        self.hello_id = ""
        """The id of the hello of this connection."""
        self.more = asyncio.Event()
        self.socket: ClientConnection | None = None

    # Asking -------------------------------------------------------------------------------------

    async def ask(self, message: Message) -> Answer:
        """Sends the message, repeatedly if need be, until it is answered; Denied if it is not carried out."""
        if self.ended is not None:
            raise self.ended
        if len(self.waiting) >= MOST_WAITING:
            raise fuda.Error(f"{MOST_WAITING} messages are already waiting for an answer.")
        waiting = self.waiting[message.id] = Waiting(message)
        self.more.set()
        try:
            return await waiting.answer
        finally:
            self.waiting.pop(message.id, None)

    def reconnect(self) -> None:
        """Drops the connection; the next one begins with a hello."""
        if self.socket is not None:
            self.socket.transport.abort()

    def end(self, why: Ended) -> None:
        """Ends the connection for good."""
        if self.ended is None:
            self.ended = why
            self.is_open = False
            for waiting in self.waiting.values():
                if not waiting.answer.done():
                    waiting.answer.set_exception(why)
            self.on_change()

    # Keeping the connection -----------------------------------------------------------------------

    async def run(self) -> None:
        """Connects again and again until the connection has ended for good."""
        failures = 0
        while self.ended is None:
            since = time.monotonic()
            try:
                await self.run_once()
            except* (OSError, WebSocketException, TimeoutError, msgspec.MsgspecError, Gap, UnicodeError) as problems:
                self.lost(problems.exceptions[0])
            failures = 0 if time.monotonic() - since > SHORTEST_SECONDS else failures + 1
            if self.ended is None:
                await asyncio.sleep(self.pause_after(failures))

    def pause_after(self, failures: int) -> float:
        """Longer after each failure, and random, so that not all clients reconnect at the same moment."""
        wait = min(self.times.longest_wait, self.times.first_wait * 2.0 ** min(failures, 10))
        return wait * (0.5 + secrets.randbelow(1000) / 1000)

    async def run_once(self) -> None:
        """One connection, from its hello until it is lost."""
        headers = {} if self.cookie is None else {"Cookie": self.cookie}
        async with (
            connect(
                self.address,
                origin=Origin(self.origin),
                additional_headers=headers,
                open_timeout=self.times.opening,
                close_timeout=1,
                ping_interval=None,
                max_size=LARGEST_FRAME,
                compression=None,
            ) as socket,
            asyncio.TaskGroup() as both,
        ):
            self.socket = socket
            for waiting in self.waiting.values():
                waiting.is_sent = False
            both.create_task(self.send_all(socket))
            both.create_task(self.receive_all(socket))

    def lost(self, problem: BaseException) -> None:
        """Notes why the connection was lost, and ends it for good if reconnecting makes no sense."""
        while isinstance(problem, BaseExceptionGroup):
            problem = problem.exceptions[0]
        self.socket = None
        self.is_open = False
        if isinstance(problem, InvalidStatus) and problem.response.status_code not in RETRY_STATUSES:
            self.end(rejection_from(bytes(problem.response.body or b"")))
        elif isinstance(problem, ConnectionClosed) and problem.rcvd is not None and problem.rcvd.code in FINAL_CODES:
            self.end(Ended("no entry", FINAL_CODES[problem.rcvd.code]))
        self.trouble = trouble_from(problem)
        self.on_change()

    # Messages --------------------------------------------------------------------------------------

    async def send_all(self, socket: ClientConnection) -> None:
        """Sends hello, then the messages that wait, and pings in between."""
        hello = self.hello()
        self.hello_id = hello.id
        await send(socket, hello)
        while True:
            self.more.clear()
            for waiting in [one for one in self.waiting.values() if not one.is_sent]:
                waiting.is_sent = True
                await socket.send(waiting.frame)
            try:
                async with asyncio.timeout(self.times.ping):
                    await self.more.wait()
            except TimeoutError:
                await send(socket, Ping())

    async def receive_all(self, socket: ClientConnection) -> None:
        clock = asyncio.get_running_loop()
        last = clock.time()
        while self.ended is None:
            # Before the welcome other messages do not count.
            if self.is_open:
                last = clock.time()
            async with asyncio.timeout_at(last + self.times.silence):
                frame = await socket.recv()
            message = decoded(frame)
            if message is None:
                continue
            if isinstance(message, Bye):
                if not message.again:
                    self.end(Ended(message.code, message.text))
                continue
            if isinstance(message, Ping):
                await send(socket, Pong())
            elif isinstance(message, Answer | DeniedReply):
                self.answer(message)
            elif not isinstance(message, Pong):
                self.on_message(message)
            if not self.is_open and isinstance(message, Welcome | Event | Done):
                self.is_open = True
                self.trouble = ""
                self.on_change()
        raise ConnectionResetError(str(self.ended))

    def answer(self, reply: Answer | DeniedReply) -> None:
        """Passes an answer to the request that waits for it; a repeated answer is ignored."""
        if isinstance(reply, DeniedReply) and reply.id == self.hello_id:
            if reply.code not in RETRY_DENIALS:
                self.end(Ended(reply.code, reply.text))
            raise ConnectionRefusedError(reply.text)
        waiting = self.waiting.get(reply.id)
        if waiting is None or waiting.answer.done():
            return
        if isinstance(reply, DeniedReply):
            waiting.answer.set_exception(Denied(reply.code, reply.text, reply.rule, reply.facts))
        else:
            waiting.answer.set_result(reply)


class Unknown(msgspec.Struct):
    """A message of which only the kind is read."""

    kind: str


def decoded(frame: str | bytes) -> FromServer | None:
    """The message in a frame; None for a kind that this version does not know."""
    try:
        return DECODER.decode(frame)
    except msgspec.ValidationError:
        if msgspec.json.decode(frame, type=Unknown).kind in KNOWN_KINDS:
            raise
    return None


async def send(socket: ClientConnection, message: FromClient) -> None:
    await socket.send(ENCODER.encode(message).decode())


def rejection_from(body: bytes) -> Ended:
    """Why the server rejected the connection."""
    try:
        failed = msgspec.json.decode(body, type=Failed)
    except (msgspec.MsgspecError, UnicodeError):
        return Ended("no table", "There is no table at this address.")
    return Ended(failed.code, failed.text)


def trouble_from(problem: BaseException) -> str:
    """Why the connection was lost, in a sentence."""
    if isinstance(problem, Gap):
        return "Messages were missed: the table is loaded again."
    if isinstance(problem, msgspec.MsgspecError | UnicodeError):
        return "The server sends messages that cannot be read."
    if isinstance(problem, TimeoutError):
        return "The server does not answer."
    if isinstance(problem, InvalidStatus):
        return f"The server answers with status {problem.response.status_code}."
    return "The connection to the server is lost."


def new_id() -> str:
    """A new id for a message."""
    return secrets.token_urlsafe(12)
