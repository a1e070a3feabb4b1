"""One WebSocket that is kept alive: it comes back after every loss, and sends again what was not answered."""

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
KINDS: Final = {kind.__struct_config__.tag for kind in get_args(FromServer)}
LARGEST_FRAME: Final = 16_000_000
"""A welcome has the whole history of a game."""
MOST_WAITING: Final = 40
"""So many messages may wait for their answer."""
SHORTEST_TALK: Final = 2.0
"""A connection that lasts no longer than this many seconds counts as a failure."""
ENDS: Final = {4001: "This server speaks another version of the protocol.", 4003: "You are not let in."}
"""Close codes after which it makes no sense to come back, where the server says no more."""
COME_AGAIN: Final = {408, 425, 429, *range(500, 600)}
"""So it is answered where it may go better another time."""
NOT_NOW: Final = {"busy", "too many"}
"""Why a hello is denied that may go better another time."""

Answer = Done | Because | Choices | Link


class Times(msgspec.Struct, frozen=True):
    """How long things may take, in seconds."""

    ping: float = 10.0
    silence: float = 20.0
    """A connection from which nothing has come for so long is lost."""
    opening: float = 5.0
    first_wait: float = 0.2
    """Before the second attempt to come back; then twice as long each time."""
    longest_wait: float = 4.0
    catching_up: float = 5.0
    """So long after an answer the events that led to it must have come."""


class Waiting:
    """A message that waits for its answer."""

    def __init__(self, message: Message) -> None:
        self.frame = ENCODER.encode(message).decode()
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.is_sent = False
        """Whether it has been sent over the present connection."""


class Connection:
    """Keeps a WebSocket to one table for ever. What comes is handed on; what is asked is asked until it is answered."""

    def __init__(
        self,
        address: str,
        origin: str,
        cookie: str | None,
        times: Times,
        hello: Callable[[], Hello],
        heard: Callable[[FromServer], None],
        changed: Callable[[], None],
    ) -> None:
        self.address = address
        self.origin = origin
        self.cookie = cookie
        self.times = times
        self.hello = hello
        """What is said first on every new connection."""
        self.heard = heard
        """Is called with every event; raises Gap if one was missed."""
        self.changed = changed
        """Is called when the connection is there, is lost, or ends."""
        self.is_open = False
        self.trouble = ""
        """Why there is no connection now, in a sentence."""
        self.ended: Ended | None = None
        self.waiting: dict[str, Waiting] = {}
        self.greeting = ""
        """The id of the present connection's hello."""
        self.more = asyncio.Event()
        self.socket: ClientConnection | None = None

    # Asking -------------------------------------------------------------------------------------

    async def ask(self, message: Message) -> Answer:
        """Sends the message, again if need be, until it is answered; Denied if it is not carried out."""
        if self.ended is not None:
            raise self.ended
        if len(self.waiting) >= MOST_WAITING:
            raise fuda.Error(f"{MOST_WAITING} messages wait for their answers already.")
        waiting = self.waiting[message.id] = Waiting(message)
        self.more.set()
        try:
            return await waiting.answer
        finally:
            self.waiting.pop(message.id, None)

    def start_anew(self) -> None:
        """Drops the connection, so that the next one begins with a hello."""
        if self.socket is not None:
            self.socket.transport.abort()

    def end(self, why: Ended) -> None:
        """Nothing more will come."""
        if self.ended is None:
            self.ended = why
            self.is_open = False
            for waiting in self.waiting.values():
                if not waiting.answer.done():
                    waiting.answer.set_exception(why)
            self.changed()

    # Keeping the connection -----------------------------------------------------------------------

    async def keep(self) -> None:
        """Talks with the server until there is no sense in it any more."""
        failures = 0
        while self.ended is None:
            since = time.monotonic()
            try:
                await self.talk()
            except* (OSError, WebSocketException, TimeoutError, msgspec.MsgspecError, Gap, UnicodeError) as problems:
                self.lost(problems.exceptions[0])
            failures = 0 if time.monotonic() - since > SHORTEST_TALK else failures + 1
            if self.ended is None:
                await asyncio.sleep(self.pause_after(failures))

    def pause_after(self, failures: int) -> float:
        """Longer after each failure, and never the same for all who were cut off together."""
        wait = min(self.times.longest_wait, self.times.first_wait * 2.0 ** min(failures, 10))
        return wait * (0.5 + secrets.randbelow(1000) / 1000)

    async def talk(self) -> None:
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
            both.create_task(self.hear_all(socket))

    def lost(self, problem: BaseException) -> None:
        """The connection is gone; it is said why, and whether it makes sense to come back."""
        while isinstance(problem, BaseExceptionGroup):
            problem = problem.exceptions[0]
        self.socket = None
        self.is_open = False
        if isinstance(problem, InvalidStatus) and problem.response.status_code not in COME_AGAIN:
            self.end(turned_away(bytes(problem.response.body or b"")))
        elif isinstance(problem, ConnectionClosed) and problem.rcvd is not None and problem.rcvd.code in ENDS:
            self.end(Ended("no entry", ENDS[problem.rcvd.code]))
        self.trouble = trouble_from(problem)
        self.changed()

    # Talking --------------------------------------------------------------------------------------

    async def send_all(self, socket: ClientConnection) -> None:
        """Says hello, then whatever waits to be sent, and a ping where there is nothing else to say."""
        hello = self.hello()
        self.greeting = hello.id
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

    async def hear_all(self, socket: ClientConnection) -> None:
        clock = asyncio.get_running_loop()
        last = clock.time()
        while self.ended is None:
            # Whoever says everything but a welcome is not there either.
            if self.is_open:
                last = clock.time()
            async with asyncio.timeout_at(last + self.times.silence):
                frame = await socket.recv()
            message = understood(frame)
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
                self.heard(message)
            if not self.is_open and isinstance(message, Welcome | Event | Done):
                self.is_open = True
                self.trouble = ""
                self.changed()
        raise ConnectionResetError(str(self.ended))

    def answer(self, reply: Answer | DeniedReply) -> None:
        """Hands the answer to whoever waits for it; nobody does if it comes for the second time."""
        if isinstance(reply, DeniedReply) and reply.id == self.greeting:
            if reply.code not in NOT_NOW:
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
    """A message of which at least the kind can be read."""

    kind: str


def understood(frame: str | bytes) -> FromServer | None:
    """The message in a frame; None if it is of a kind that came into the protocol later."""
    try:
        return DECODER.decode(frame)
    except msgspec.ValidationError:
        if msgspec.json.decode(frame, type=Unknown).kind in KINDS:
            raise
    return None


async def send(socket: ClientConnection, message: FromClient) -> None:
    await socket.send(ENCODER.encode(message).decode())


def turned_away(body: bytes) -> Ended:
    """Why there is no way in, in the server's words if it has any."""
    try:
        failed = msgspec.json.decode(body, type=Failed)
    except (msgspec.MsgspecError, UnicodeError):
        return Ended("no table", "There is no table at this address.")
    return Ended(failed.code, failed.text)


def trouble_from(problem: BaseException) -> str:
    """Why the connection was lost, in a sentence."""
    if isinstance(problem, Gap):
        return "Something was missed: everything is asked for anew."
    if isinstance(problem, msgspec.MsgspecError | UnicodeError):
        return "The server says what cannot be understood."
    if isinstance(problem, TimeoutError):
        return "The server does not answer."
    if isinstance(problem, InvalidStatus):
        return f"The server answers with status {problem.response.status_code}."
    return "The connection to the server is lost."


def new_id() -> str:
    """A name for a message that no other has."""
    return secrets.token_urlsafe(12)
