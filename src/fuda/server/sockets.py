"""A connection: the frames that wait to be sent, and how much it may send."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from fuda.protocol import messages
from fuda.protocol.parts import Seat
from fuda.server.metrics import Metrics
from fuda.server.settings import Limits

CONNECTION: Final = "fuda.connection"
"""The ASGI extension of our protocol: sends a frame without a task, if the connection is free; and the client's credits."""
BYE: Final = "fuda.bye"
"""The part of a received ASGI event that says how to close a connection whose client violated a limit of frames."""
ENCODER: Final = msgspec.json.Encoder()

NORMAL: Final = 1000
PROTOCOL_VIOLATED: Final = 4000
OTHER_PROTOCOL: Final = 4001
NOT_ALLOWED: Final = 4003
TOO_SLOW: Final = 4008
SILENT: Final = 4009
TOO_MANY: Final = 4029
RESTART: Final = 1012
TRY_LATER: Final = 1013


class Credits:
    """A token bucket: a burst, and then a number per second."""

    def __init__(self, burst: float, per_second: float) -> None:
        self.burst = burst
        self.per_second = per_second
        self.left = burst
        self.at = time.monotonic()

    def take(self, cost: int = 1) -> bool:
        now = time.monotonic()
        self.left = min(self.burst, self.left + (now - self.at) * self.per_second)
        self.at = now
        if self.left < cost:
            return False
        self.left -= cost
        return True

    @property
    def is_full(self) -> bool:
        return self.left + (time.monotonic() - self.at) * self.per_second >= self.burst


class Socket:
    """One tab, or one program, at a table."""

    def __init__(self, websocket: WebSocket, token: str, address: str, limits: Limits, metrics: Metrics) -> None:
        self.websocket = websocket
        self.token = token
        """The hash of the token with which it was opened."""
        self.address = address
        self.seat: Seat | None = None
        self.is_welcome = False
        """Whether it has said hello and receives events."""
        self.received_at = time.monotonic()
        self.pinged_at = 0.0
        self.limits = limits
        self.metrics = metrics
        connection = websocket.scope["extensions"][CONNECTION]
        self.credits: Credits = connection["credits"]
        """What the client may still send; each frame has been paid for when it arrives here."""
        self.send_now: Callable[[bytes], bool] = connection["send"]
        """Sends a frame at once; False if it has to wait."""
        self.abort: Callable[[], None] = connection["abort"]
        """Closes the connection at once, without telling why."""
        self.frames: list[bytes] = []
        """The frames that wait."""
        self.writer: asyncio.Task[None] | None = None
        """Sends the frames that wait, as long as there are any."""
        self.is_lost = False
        self.ending: int | None = None
        """The code with which it will be closed."""

    def say(self, message: messages.FromServer) -> None:
        self.send(ENCODER.encode(message))

    def send(self, frame: bytes) -> None:
        """Sends a frame after those that wait; a client that is too slow is disconnected."""
        if self.ending is not None:
            return
        if len(self.frames) >= self.limits.queue:
            self.frames.clear()
            self.end(TOO_SLOW)
            self.abort()  # it could not be told, either
        elif self.writer is None and self.send_now(frame):
            self.metrics.frames.inc()
        else:
            self.frames.append(frame)
            self.start_writing()

    def end(self, code: int, why: messages.Bye | None = None) -> None:
        """Closes the connection after the frames that wait have been sent."""
        if self.ending is None:
            if why is not None:
                self.say(why)
            self.ending = code
            self.metrics.cut.labels(str(code)).inc()
            self.start_writing()

    def lost(self) -> None:
        """The client has disconnected: nothing more can be sent."""
        self.is_lost = True
        self.frames.clear()
        self.ending = self.ending or NORMAL

    def start_writing(self) -> None:
        if self.writer is None:
            self.writer = asyncio.create_task(self.write())

    async def write(self) -> None:
        """Sends the frames that wait, and closes the connection if it is to end."""
        try:
            while self.frames:
                await self.websocket.send_text(self.frames.pop(0).decode())
                self.metrics.frames.inc()
            if self.ending is not None and not self.is_lost:
                await self.websocket.close(self.ending)
        except (WebSocketDisconnect, RuntimeError, OSError):
            self.ending = self.ending or TOO_SLOW
            self.frames.clear()
        self.writer = None

    async def finish(self) -> None:
        """Waits a little for the frames that are still being sent."""
        self.send_now = cannot_send
        self.abort = do_nothing
        self.websocket.scope["extensions"].pop(CONNECTION, None)  # it is part of a reference cycle
        if self.writer is not None:
            if self.is_lost:
                self.writer.cancel()
            _, waiting = await asyncio.wait([self.writer], timeout=self.limits.write_seconds)
            for writer in waiting:
                writer.cancel()
            self.writer = None


def cannot_send(_: bytes) -> bool:
    return False


def do_nothing() -> None:
    pass
