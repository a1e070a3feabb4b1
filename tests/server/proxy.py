"""A TCP proxy that can cut connections, and hold back or delay data."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final, Self

AT_ONCE: Final = 65536


class Flow:
    """One direction of a connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.is_open = asyncio.Event()
        self.is_open.set()
        self.is_holding = False
        """Whether received bytes are being held back."""
        self.delay = 0.0
        self.cuts_midway = False

    async def run(self) -> None:
        """Forwards data until the connection ends."""
        with contextlib.suppress(OSError):
            while data := await self.reader.read(AT_ONCE):
                self.is_holding = not self.is_open.is_set()
                await self.is_open.wait()
                self.is_holding = False
                if self.delay:
                    await asyncio.sleep(self.delay)
                if self.cuts_midway:
                    self.writer.write(data[: len(data) // 2])
                    return
                self.writer.write(data)
                await self.writer.drain()


class Link:
    """One connection through the proxy."""

    def __init__(self, up: Flow, down: Flow) -> None:
        self.up = up
        self.down = down
        self.is_cut = False

    @property
    def flows(self) -> tuple[Flow, Flow]:
        return self.up, self.down

    async def run(self) -> None:
        """Runs until one side ends, and then ends the other."""
        running = [asyncio.ensure_future(flow.run()) for flow in self.flows]
        try:
            await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            # What was passed on last must arrive, unless the connection was cut.
            if not self.is_cut:
                for flow in self.flows:
                    flow.writer.close()
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            for flow in self.flows:
                flow.writer.close()

    def cut(self) -> None:
        """Cuts the connection for both sides."""
        self.is_cut = True
        for flow in self.flows:
            flow.writer.transport.abort()

    def cut_midway(self) -> None:
        """Cuts the connection in the middle of the next data."""
        for flow in self.flows:
            flow.cuts_midway = True

    def hold(self, *flows: Flow) -> None:
        """Holds all data back; neither side notices."""
        for flow in flows or self.flows:
            flow.is_open.clear()

    def let_go(self) -> None:
        for flow in self.flows:
            flow.is_open.set()


class Proxy:
    """Listens on a port of its own for a server that may be restarted."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self.links: set[Link] = set()
        self.listener: asyncio.Server | None = None
        self.tasks: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        self.listener = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        self.port = self.listener.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self.listener is not None
        self.listener.close()
        for link in [*self.links]:
            link.cut()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self.connect(reader, writer))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            from_server, to_server = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.close()
            return
        link = Link(up=Flow(reader, to_server), down=Flow(from_server, writer))
        self.links.add(link)
        try:
            await link.run()
        finally:
            self.links.discard(link)
