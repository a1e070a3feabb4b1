"""Starts and stops the server."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import socket
from collections.abc import Callable
from functools import partial
from typing import Final, cast

import uvicorn

from fuda.engine.errors import Error
from fuda.server.app import Server
from fuda.server.connections import files_allowed
from fuda.server.logs import WITHOUT_DETAILS
from fuda.server.protocols import HttpProtocol, SocketProtocol
from fuda.server.settings import LARGEST_FRAME, Settings

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


def listen(listener: socket.socket, backlog: int) -> None:
    """Fails if another process that had bound the same port listens already, which uvloop would not tell."""
    try:
        listener.listen(backlog)
    except OSError as error:
        raise Error(f"Cannot listen on port {listener.getsockname()[1]}: {error.strerror}.") from error


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
        server.stop = self.stop

    def stop(self) -> None:
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        asyncio.get_running_loop().set_exception_handler(self.server.connections.on_loop_error)
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
    server.connections.limit_to(files_allowed())
    with listener:
        async with server.opened():
            listen(listener, server.connections.backlog)
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda *_: None)  # uvicorn raises the signal again, which is not an error
            await Uvicorn(config_of(server, verbose), server, started).serve([listener])
    if server.failure is not None:
        raise server.failure


def config_of(server: Server, verbose: bool = False) -> uvicorn.Config:
    logging.getLogger("uvicorn.error").addFilter(WITHOUT_DETAILS)
    return uvicorn.Config(
        server,
        log_config=None,
        access_log=verbose,
        lifespan="off",
        http=cast(type[asyncio.Protocol], partial(HttpProtocol, server.connections)),
        ws=SocketProtocol,
        ws_max_size=4 * LARGEST_FRAME,
        ws_ping_interval=None,  # the protocol has its own pings
        ws_per_message_deflate=False,
        proxy_headers=False,  # see security.py
        server_header=False,
        backlog=server.connections.backlog,
        timeout_graceful_shutdown=5,
        timeout_keep_alive=15,
        h11_max_incomplete_event_size=16384,
    )
