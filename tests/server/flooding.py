"""Attacks with many frames or many connections, from other loopback addresses than those of honest clients."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections.abc import Iterator, Sequence
from typing import Final

from tests.server.raw_socket import CONTINUATION, PING, PONG, TEXT, RawSocket, frame_of

FLOODS: Final = {
    "unsolicited pongs": (b"", frame_of(b"", PONG) * 40_000),
    "empty fragments": (frame_of(b"", TEXT, is_last=False), frame_of(b"", CONTINUATION, is_last=False) * 40_000),
    "pings whose pongs are not read": (b"", frame_of(bytes(125), PING) * 2_000),
}
"""What an attacker sends: once, and then again and again."""


async def flood(host: str, path: str, cookie: str, data: tuple[bytes, bytes], seconds: float, source: str) -> int:
    """Sends this without reading anything, and connects again when it is cut off; returns how often."""
    end = time.monotonic() + seconds
    cut = 0
    while time.monotonic() < end:
        try:
            raw = await RawSocket.opened(host, path, cookie, source)
        except (ConnectionError, asyncio.IncompleteReadError, AssertionError):
            await asyncio.sleep(0.01)  # blocked for a while
            continue
        raw.transport.pause_reading()
        try:
            async with asyncio.timeout(end - time.monotonic()):
                raw.send(data[0])
                while True:
                    raw.send(data[1])
                    await raw.writer.drain()
        except ConnectionError:
            cut += 1
        except TimeoutError:
            pass
        raw.transport.abort()
    return cut


@contextlib.contextmanager
def silent_connections(port: int, count: int, sources: Sequence[str]) -> Iterator[list[socket.socket]]:
    """Connections that send nothing, from these addresses in turn."""
    with contextlib.ExitStack() as stack:
        made = []
        for number in range(count):
            one = stack.enter_context(socket.socket())
            one.setsockopt(socket.IPPROTO_IP, socket.IP_BIND_ADDRESS_NO_PORT, 1)
            one.bind((sources[number % len(sources)], 0))
            with contextlib.suppress(ConnectionError):  # closed already
                one.connect(("127.0.0.1", port))
            made.append(one)
        yield made


def is_closed(connection: socket.socket) -> bool:
    """Whether the server has closed it."""
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
