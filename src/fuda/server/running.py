"""Starts and stops the server."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import socket
from collections.abc import Callable
from typing import Final

import uvicorn
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.http11 import Request

from fuda.server.app import Server
from fuda.server.logs import WITHOUT_DETAILS
from fuda.server.settings import LARGEST_FRAME, Settings
from fuda.server.sockets import DIRECT_SEND

GC_THRESHOLDS: Final = (2_000, 10, 10)
"""Higher than the default, as there are few reference cycles."""


def bound_socket(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY only if the protocol is named; otherwise small frames wait up to 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # drop connections that accept no data
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 30_000)
    try:
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise
    return listener


class Sockets(WebSocketsSansIOProtocol):
    """uvicorn's protocol, which also answers invalid handshakes, and can send a frame without a task."""

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            # uvicorn would keep such a connection open forever, and fail when it ends.
            self.transport.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            self.transport.close()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][DIRECT_SEND] = {"send": self.send_directly}

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


def event_loop() -> asyncio.AbstractEventLoop:
    """uvloop, if it is installed."""
    try:
        import uvloop
    except ImportError:  # not available for Windows
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


class Uvicorn(uvicorn.Server):
    """Calls back when it has started, and tells everyone before it stops."""

    def __init__(self, config: uvicorn.Config, server: Server, on_started: Callable[[], None]) -> None:
        super().__init__(config)
        self.server = server
        self.on_started = on_started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            # What has been loaded stays; the garbage collector need not look at it again.
            gc.collect()
            gc.freeze()
            gc.set_threshold(*GC_THRESHOLDS)
            self.on_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()  # accept no new connections while the others are told
        await self.server.hall.announce_restart()
        await super().shutdown(sockets)


def run(settings: Settings, listener: socket.socket, started: Callable[[], None], verbose: bool = False) -> None:
    """Serves until a signal arrives."""
    with asyncio.Runner(loop_factory=event_loop) as runner:
        runner.run(serve(settings, listener, started, verbose))


async def serve(settings: Settings, listener: socket.socket, started: Callable[[], None], verbose: bool) -> None:
    server = Server(settings)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)  # uvicorn raises the signal again, which is not an error
    with listener:
        await Uvicorn(config_of(server, verbose), server, started).serve([listener])


def config_of(server: Server, verbose: bool = False) -> uvicorn.Config:
    logging.getLogger("uvicorn.error").addFilter(WITHOUT_DETAILS)
    return uvicorn.Config(
        server,
        log_config=None,
        access_log=verbose,
        lifespan="on",
        ws=Sockets,
        ws_max_size=4 * LARGEST_FRAME,
        ws_ping_interval=None,  # the protocol has its own pings
        ws_per_message_deflate=False,
        proxy_headers=False,  # see security.py
        server_header=False,
        timeout_graceful_shutdown=5,
        timeout_keep_alive=15,
        h11_max_incomplete_event_size=16384,
    )
