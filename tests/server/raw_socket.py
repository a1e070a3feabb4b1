"""Connections that can send any bytes."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import struct
from typing import Final, cast

PATIENCE: Final = 30.0
CONTINUATION: Final = 0
TEXT: Final = 1
BINARY: Final = 2
CLOSE: Final = 8
PING: Final = 9
PONG: Final = 10


def upgrade(host: str, path: str, cookie: str = "") -> bytes:
    """The handshake of a WebSocket."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host}",
        f"Origin: http://{host}",
        *([f"Cookie: {cookie}"] if cookie else []),
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def frame_of(data: bytes, kind: int = TEXT, is_last: bool = True, is_masked: bool = True) -> bytes:
    """A frame of a client; its mask is all zeros."""
    first = (0x80 if is_last else 0) | kind
    masked = 0x80 if is_masked else 0
    if len(data) < 126:
        head = struct.pack("!BB", first, masked | len(data))
    elif len(data) < 2**16:
        head = struct.pack("!BBH", first, masked | 126, len(data))
    else:
        head = struct.pack("!BBQ", first, masked | 127, len(data))
    return head + (bytes(4) if is_masked else b"") + data


class RawSocket:
    """A WebSocket over which anything can be sent."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.transport = cast(asyncio.Transport, writer.transport)

    @classmethod
    async def opened(cls, host: str, path: str, cookie: str = "", source: str = "127.0.0.1") -> RawSocket:
        """A socket that has been accepted; `source` is the address from which it comes."""
        name, _, port = host.partition(":")
        reader, writer = await asyncio.open_connection(name, int(port), limit=2**22, local_addr=(source, 0))
        writer.write(upgrade(host, path, cookie))
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101"), head
        return cls(reader, writer)

    def send(self, data: bytes) -> None:
        """Sends these bytes, whether they are frames or not."""
        self.writer.write(data)

    async def receive(self) -> bytes | None:
        """The next message; None when the connection has ended."""
        try:
            async with asyncio.timeout(PATIENCE):
                first, size = await self.reader.readexactly(2)
                if size == 126:
                    (size,) = struct.unpack("!H", await self.reader.readexactly(2))
                elif size == 127:
                    (size,) = struct.unpack("!Q", await self.reader.readexactly(8))
                data = await self.reader.readexactly(size)
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
        return None if first & 15 == CLOSE else data

    async def close(self) -> None:
        self.writer.close()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()


async def answer_to(host: str, request: bytes, is_whole: bool = True) -> int:
    """The status with which these bytes are answered; 0 if the connection is ended without a word.

    Where something may be missing in them, it is said that no more will come.
    """
    name, _, port = host.partition(":")
    reader, writer = await asyncio.open_connection(name, int(port))
    words: list[bytes] = []
    try:
        writer.write(request)
        if not is_whole:
            writer.write_eof()
        async with asyncio.timeout(PATIENCE):
            words = (await reader.readline()).split()
    except ConnectionError:
        pass
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
    return int(words[1]) if len(words) > 1 else 0
