"""Running the server: from the first connection to the last."""

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
from fuda.server.sockets import AT_ONCE

COLLECTING: Final = (2_000, 10, 10)
"""New objects, and collections of newer ones, until garbage is collected: more than usual, as little is ever in circles."""


def bound_socket(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Only where TCP is named does asyncio send small frames at once, instead of waiting up to 40 ms for more.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # what nobody reads is not kept for ever
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 30_000)
    try:
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise
    return listener


class Sockets(WebSocketsSansIOProtocol):
    """uvicorn's own, which answers also what is no handshake, and sends short frames without a detour."""

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            # uvicorn would keep such a connection for ever, and fail when it ends itself.
            self.transport.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            self.transport.close()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][AT_ONCE] = {"send": self.send_at_once}

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if message["type"] == "websocket.accept":
            del self.request, self.response  # the handshake is over, but connections last for hours

    def send_at_once(self, text: bytes) -> bool:
        """Sends the frame now, as `send` would; False if it would have to wait, or nobody is there."""
        if self.disconnected or self.close_sent or not self.writable.is_set():
            return False
        try:
            self.conn.send_text(text)
        except InvalidState:
            return False
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True


def event_loop() -> asyncio.AbstractEventLoop:
    """The fastest loop that there is."""
    try:
        import uvloop
    except ImportError:  # there is none for Windows
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


class Uvicorn(uvicorn.Server):
    """Tells when it has started, and tells everyone at the tables before it ends."""

    def __init__(self, config: uvicorn.Config, server: Server, started: Callable[[], None]) -> None:
        super().__init__(config)
        self.server = server
        self.tell_started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            # What has been loaded stays for good; looking at it again and again would only make players wait.
            gc.collect()
            gc.freeze()
            gc.set_threshold(*COLLECTING)
            self.tell_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()  # nobody else comes in while those who are here are told
        await self.server.hall.announce_restart()
        await super().shutdown(sockets)


def run(settings: Settings, listener: socket.socket, started: Callable[[], None], verbose: bool = False) -> None:
    """Serves until a signal says that it is enough."""
    with asyncio.Runner(loop_factory=event_loop) as runner:
        runner.run(serve(settings, listener, started, verbose))


async def serve(settings: Settings, listener: socket.socket, started: Callable[[], None], verbose: bool) -> None:
    server = Server(settings)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)  # uvicorn passes on what ended it, and that is no failure
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
        ws_ping_interval=None,  # either side asks in the protocol itself
        ws_per_message_deflate=False,
        proxy_headers=False,  # believed or not in security.py
        server_header=False,
        timeout_graceful_shutdown=5,
        timeout_keep_alive=15,
        h11_max_incomplete_event_size=16384,
    )
