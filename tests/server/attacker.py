"""Floods a server on this machine from several loopback addresses: `python -m tests.server.attacker PORT SECONDS`.

Each flood has an address of its own, does one thing as fast as the server lets it, and ends by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Final

import msgspec

from tests.server import flooding
from tests.server.raw_socket import RawSocket, frame_of

LOWEST_PRIORITY: Final = 19
PAUSE: Final = 0.001
"""The players on the same machine need some of its time."""
LOST: Final = (OSError, AssertionError, asyncio.IncompleteReadError, TimeoutError)
AT_ONCE: Final = 50
"""How many messages are written at once."""
ROUND: Final = 5.0
"""The seconds after which a flood of frames is begun anew."""


class Target(msgspec.Struct, frozen=True):
    """The server, a table of the attacker's own there, and the address from which to come."""

    port: int
    address: str
    table: str = ""
    cookie: str = ""

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def socket_path(self) -> str:
        return f"/api/tables/{self.table}/socket"

    async def connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        async with asyncio.timeout(5):
            return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.address, 0))

    async def socket(self) -> RawSocket:
        """A WebSocket that has said hello."""
        async with asyncio.timeout(5):
            socket = await RawSocket.opened(self.host, self.socket_path, self.cookie, self.address)
        socket.send(message(kind="hello", id="h"))
        return socket


def message(**fields: object) -> bytes:
    return frame_of(json.dumps(fields).encode())


def request(target: Target, path: str, body: bytes = b"", cookie: str = "") -> bytes:
    lines = [
        f"{'POST' if body else 'GET'} {path} HTTP/1.1",
        f"Host: {target.host}",
        f"Origin: http://{target.host}",
        *([f"Cookie: {cookie}"] if cookie else []),
        *(["Content-Type: application/json", f"Content-Length: {len(body)}"] if body else []),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


async def opened(target: Target) -> Target:
    """The target with a public table of its own."""
    body = {"game": "frantic", "name": "Mallory", "players": 4, "public": True}
    reader, writer = await target.connected()
    writer.write(request(target, "/api/tables", json.dumps(body).encode()))
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    assert head.startswith("HTTP/1.1 201"), head
    size = next(int(line.partition(":")[2]) for line in head.split("\r\n") if line.lower().startswith("content-length"))
    taken = json.loads(await reader.readexactly(size))
    writer.close()
    cookie = next(line.partition(":")[2].strip() for line in head.split("\r\n") if line.lower().startswith("set-cookie"))
    return msgspec.structs.replace(target, table=taken["table"], cookie=cookie.partition(";")[0])


# The floods ---------------------------------------------------------------------------------------


async def flood_frames(target: Target, name: str) -> None:
    """Sends many frames that carry nothing, connecting again whenever the server has cut it off."""
    await flooding.flood(target.host, target.socket_path, target.cookie, flooding.FLOODS[name], ROUND, target.address)


async def flood_pongs(target: Target) -> None:
    await flood_frames(target, "unsolicited pongs")


async def flood_pings(target: Target) -> None:
    await flood_frames(target, "pings whose pongs are not read")


async def flood_fragments(target: Target) -> None:
    await flood_frames(target, "empty fragments")


async def flood_questions(target: Target) -> None:
    """Asks why a long move is not allowed, and reads no answer, until the server has closed the socket."""
    question = message(kind="why", id="w", move=" + ".join(["red 7"] * 60))
    socket = await target.socket()
    try:
        while not socket.reader.at_eof():
            socket.send(question * AT_ONCE)
            async with asyncio.timeout(1):
                await socket.writer.drain()
            await asyncio.sleep(PAUSE)
    finally:
        socket.transport.abort()


async def flood_chat(target: Target) -> None:
    socket = await target.socket()
    try:
        for number in range(10_000):
            socket.send(message(kind="say", id=f"s{number}-{time.monotonic_ns()}", text="x" * 100))
            await socket.reader.read(65536)
            if socket.reader.at_eof():
                return
    finally:
        socket.transport.abort()


async def flood_hellos(target: Target) -> None:
    """Says hello on a hundred sockets again and again, each time as somebody who has missed a lot."""
    sockets: list[RawSocket] = []
    try:
        while len(sockets) < 100:
            sockets.append(await target.socket())
        for number in range(20):
            for socket in sockets:
                socket.send(message(kind="hello", id=f"h{number}", number=1, version=1))
            await asyncio.sleep(0.1)
    finally:
        for socket in sockets:
            socket.transport.abort()


async def hold_silent_connections(target: Target) -> None:
    """Opens connections that say nothing, or half of a request."""
    open_now: list[asyncio.StreamWriter] = []
    try:
        for number in range(300):
            _, writer = await target.connected()
            if number % 2:
                writer.write(b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n")
            open_now.append(writer)
        await asyncio.sleep(5)
    finally:
        for writer in open_now:
            writer.transport.abort()


async def flood_requests(target: Target) -> None:
    """Asks for lists, records, missing pages and deeply nested bodies over one connection after the other."""
    paths = ("/api/tables", f"/api/tables/{target.table}/records/7", "/api/games/frantic/book", "/nonsense", "/healthz")
    nested = request(target, "/api/tables", b"[" * 4000)
    reader, writer = await target.connected()
    try:
        for number in range(200):
            writer.write(nested if number % 6 == 5 else request(target, paths[number % 5]))
            async with asyncio.timeout(5):
                if not await reader.read(65536):
                    return
    finally:
        writer.transport.abort()


async def flood_connections(target: Target) -> None:
    _, writer = await target.connected()
    writer.write(b"\x16\x03\x01 nonsense\r\n\r\n")
    writer.transport.abort()


async def flood_tables(target: Target) -> None:
    await opened(target)


FLOODS: Final[list[Callable[[Target], Awaitable[None]]]] = [
    flood_pongs,
    flood_pings,
    flood_fragments,
    flood_questions,
    flood_chat,
    flood_hellos,
    hold_silent_connections,
    flood_requests,
    flood_connections,
    flood_tables,
]


async def repeat(flood: Callable[[Target], Awaitable[None]], target: Target, until: float) -> int:
    """Runs a flood again and again until then; returns how often."""
    times = 0
    while time.monotonic() < until:
        # What the server does not allow is tried again: that is what an attacker does.
        with contextlib.suppress(*LOST):
            async with asyncio.timeout(max(0.1, until - time.monotonic())):
                await flood(target)
        times += 1
        await asyncio.sleep(PAUSE)
    return times


async def flood_all(port: int, seconds: float) -> dict[str, int]:
    """All floods at the same time; how often each was begun."""
    targets = [await opened(Target(port, f"127.66.0.{number}")) for number in range(1, len(FLOODS) + 1)]
    until = time.monotonic() + seconds
    times = await asyncio.gather(*(repeat(flood, target, until) for flood, target in zip(FLOODS, targets, strict=True)))
    return {flood.__name__: count for flood, count in zip(FLOODS, times, strict=True)}


if __name__ == "__main__":
    os.nice(LOWEST_PRIORITY)
    print(json.dumps(asyncio.run(flood_all(int(sys.argv[1]), float(sys.argv[2])))))
