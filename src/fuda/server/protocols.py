"""HTTP and WebSockets on a connection: uvicorn's protocols, with limits on what a client sends and on how slowly."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any, Final, cast

import h11
from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.http.flow_control import CLOSE_HEADER
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import Frame, Opcode
from websockets.http11 import Request

from fuda.protocol import messages
from fuda.server.connections import Connection, Connections
from fuda.server.settings import LARGEST_BODY
from fuda.server.sockets import BYE, CONNECTION, PROTOCOL_VIOLATED, TOO_MANY, Credits

SLICE: Final = 1024
"""How many bytes are parsed before it is checked whether to go on; they may be 170 frames."""
MOST_UNSENT: Final = 4096
"""How much of an answer may wait to be sent before it is checked whether the client reads it."""
MOST_FRAGMENTS: Final = 16
"""The most frames of one message."""
MOST_IGNORED: Final = 2**18
"""How many bytes of a body that is too large are read, so that the client reads the answer."""
CLOSE_SECONDS: Final = 1.0
"""How long a client that has sent too much may take to close the connection."""
BYE_SECONDS: Final = 5.0
"""After how long it is closed even if it could not be told why."""
INVALID: Final = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


def slices(data: bytes) -> list[bytes]:
    return [data] if len(data) <= SLICE else [data[at : at + SLICE] for at in range(0, len(data), SLICE)]


class OnConnection(asyncio.Protocol):
    """The part of both protocols that concerns their TCP connection."""

    tcp: Connection

    def connection_lost(self, exc: Exception | None) -> None:
        self.tcp.lost()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.tcp.watch_writing()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.tcp.stop_watching()


class HttpProtocol(OnConnection, H11Protocol):
    """Requests, which must arrive within `request_seconds`."""

    def __init__(self, all_connections: Connections, **given: Any) -> None:
        super().__init__(**given)
        self.all_connections = all_connections
        self.timer: asyncio.TimerHandle | None = None
        """Closes the connection unless a request is complete."""
        self.is_body_ignored = False
        self.ignored = 0
        """How many bytes of the body have been ignored."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        transport.set_write_buffer_limits(MOST_UNSENT)
        self.tcp = Connection(self.all_connections, transport)
        if self.tcp.is_counted:
            self.expect_request()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.request_arrived()
        super().connection_lost(exc)

    # Requests ---------------------------------------------------------------------------------------

    def expect_request(self) -> None:
        self.tcp.wait()
        self.timer = self.loop.call_later(self.all_connections.settings.request_seconds, self.tcp.close, "late")

    def request_arrived(self) -> None:
        self.tcp.stop_waiting()
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def data_received(self, data: bytes) -> None:
        if self.is_body_ignored:
            self.ignored += len(data)
            if self.ignored > MOST_IGNORED:
                self.tcp.close("large")
            return
        for part in slices(data):
            super().data_received(part)
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return  # after an error, or an upgrade
            self.check_request()
            if self.conn.their_state is h11.SEND_BODY and self.is_body_too_large():
                self.ignore_body()
                return

    def check_request(self) -> None:
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self.request_arrived()
        elif self.timer is None:
            self.expect_request()

    def is_body_too_large(self) -> bool:
        """Whether the body exceeds the limit, or does not say how large it is."""
        headers = dict(self.headers)
        return b"transfer-encoding" in headers or int(headers.get(b"content-length", b"0")) > LARGEST_BODY

    def ignore_body(self) -> None:
        """Closes the connection after the answer; not at once, as the client may still be sending and would not read it."""
        self.is_body_ignored = True
        self.headers.append(CLOSE_HEADER)  # uvicorn adds it to the answer, and then closes
        self.cycle.transport = cast(asyncio.Transport, ClosedLater(self.tcp))

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self.tcp.wait()

    def send_400_response(self, msg: str) -> None:
        self.tcp.strike()
        super().send_400_response(msg)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self.request_arrived()
        self.transport.set_write_buffer_limits()
        self.ws_protocol_class = cast(type[asyncio.Protocol], partial(SocketProtocol, self.tcp))
        super().handle_websocket_upgrade(event)


class ClosedLater:
    """A transport that is closed a little later than asked for."""

    def __init__(self, tcp: Connection) -> None:
        self.tcp = tcp
        self.write = tcp.transport.write
        self.is_closing = tcp.transport.is_closing

    def close(self) -> None:
        asyncio.get_running_loop().call_later(CLOSE_SECONDS, self.tcp.close, "large")


class SocketProtocol(OnConnection, WebSocketsSansIOProtocol):
    """A WebSocket on which every frame is charged for; it can send a frame without a task."""

    def __init__(self, tcp: Connection, **given: Any) -> None:
        super().__init__(**given)
        self.tcp = tcp
        limits = tcp.connections.settings.limits
        self.credits = Credits(limits.burst, limits.per_second)
        """What the client may still send; the application charges for costly messages, too."""
        self.is_refused = False
        """Whether the client has violated a limit, after which nothing is read."""
        self.last_timer: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        if self.last_timer is not None:
            self.last_timer.cancel()
        super().connection_lost(exc)

    # What the client sends --------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        for part in slices(data):
            if self.is_refused or self.transport.is_closing():
                return
            super().data_received(part)
            if self.conn.handshake_exc is not None and not self.handshake_initiated:
                # uvicorn would keep such a connection open forever, and fail when it ends.
                self.tcp.strike()
                self.transport.write(INVALID)
                self.transport.close()

    def handle_events(self) -> None:
        for event in self.conn.events_received():
            if isinstance(event, Request):
                self.handle_connect(event)
            elif isinstance(event, Frame):
                self.handle_frame(event)
            if self.is_refused:
                return

    def handle_frame(self, frame: Frame) -> None:
        if frame.opcode is Opcode.CLOSE:
            self.handle_close(frame)
        elif not self.credits.take():
            self.refuse(TOO_MANY, messages.Bye("too many", "Too many messages.", again=True))
        elif frame.opcode is Opcode.CONT and len(self.frames) == MOST_FRAGMENTS:
            why = f"A message may have at most {MOST_FRAGMENTS} fragments."
            self.refuse(PROTOCOL_VIOLATED, messages.Bye("bad message", why, again=True))
        elif frame.opcode is Opcode.CONT:
            self.handle_cont(frame)
        elif frame.opcode is Opcode.TEXT:
            self.handle_text(frame)
        elif frame.opcode is Opcode.BINARY:
            self.handle_bytes(frame)
        elif frame.opcode is Opcode.PING:
            self.handle_ping()

    def handle_ping(self) -> None:
        pongs = b"".join(self.conn.data_to_send())
        if self.writable.is_set():  # a client that does not read gets no pongs, which would take memory
            self.transport.write(pongs)

    def refuse(self, code: int, why: messages.Bye) -> None:
        """Reads nothing more; the application says why and closes the connection after the messages before."""
        self.is_refused = True
        self.frames = []
        self.read_paused = False  # or uvicorn would resume reading
        self.transport.pause_reading()
        self.queue.put_nowait(cast(ASGIReceiveEvent, {"type": "websocket.receive", BYE: (code, why)}))
        self.close_timeout = CLOSE_SECONDS
        self.last_timer = self.loop.call_later(BYE_SECONDS, self.tcp.close, "refused")

    # What the application sends ---------------------------------------------------------------------

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][CONNECTION] = {
                "send": self.send_directly,
                "abort": partial(self.tcp.close, "slow"),
                "credits": self.credits,
            }

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if message["type"] == "websocket.accept":
            del self.request, self.response  # no longer needed, and connections last for hours

    def send_directly(self, text: bytes) -> bool:
        """Sends the frame now, as `send` would; False if it would have to wait, or the client has gone."""
        if self.disconnected or self.close_sent or not self.writable.is_set():
            return False
        try:
            self.conn.send_text(text)
        except InvalidState:
            return False
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True
