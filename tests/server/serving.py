"""A server in this process, for tests."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
import socket
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Any, Final

import httpx2
import msgspec

from fuda.server.app import Server
from fuda.server.entries import READ, Logged
from fuda.server.logs import JsonLines
from fuda.server.pace import Tempo
from fuda.server.running import Uvicorn, bound_socket, config_of
from fuda.server.settings import Limits, Settings
from fuda.server.table import Table
from tests.server.clients import PATIENCE, Client, Taken

FAST: Final = Tempo(speed=500.0, bytes_wait=5.0)
GENEROUS: Final = msgspec.structs.replace(Limits().times(10**7), queue=10**5)


class Lines(logging.Handler):
    """Collects all log lines."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(JsonLines())
        self.lines: list[str] = []
        self.errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        line = self.format(record)
        self.lines.append(line)
        if record.levelno >= logging.ERROR:
            self.errors.append(line)


class Running:
    """A server in this event loop."""

    def __init__(self, server: Server, port: int, lines: Lines) -> None:
        self.server = server
        self.lines = lines
        self.host = f"127.0.0.1:{port}"
        self.address = f"http://{self.host}"
        # Each request has the cookies that it names, and no others.
        nowhere = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
        self.web = httpx2.AsyncClient(base_url=self.address, cookies=nowhere, timeout=PATIENCE, trust_env=False)
        self.clients: list[Client] = []

    async def post(self, path: str, body: object, **headers: str) -> httpx2.Response:
        """A POST as from a browser."""
        return await self.web.post(path, json=body, headers={"origin": self.address, **headers})

    async def get(self, path: str, cookie: str = "") -> httpx2.Response:
        return await self.web.get(path, headers={"cookie": cookie} if cookie else {})

    async def open(self, game: str, name: str = "Ann", **wishes: Any) -> Taken:
        return Taken(await self.post("/api/tables", {"game": game, "name": name, **wishes}))

    async def sit(self, at: Taken, name: str, **wishes: Any) -> Taken:
        return Taken(await self.post(f"/api/tables/{at.table}/seats", {"name": name, "invite": at.invite, **wishes}))

    async def client(self, at: Taken, cookie: str | None = None, **hello: Any) -> Client:
        """A client that has said hello, with the seat that was taken or another cookie."""
        return await self.come(at.table, at.cookie if cookie is None else cookie, **hello)

    async def spectator(self, at: Taken) -> Client:
        return await self.come(at.table, "", invite=at.invite)

    async def come(self, table: str, cookie: str, **hello: Any) -> Client:
        client = self.stranger(table, cookie)
        await client.connect()
        await client.ask("hello", **hello)
        return client

    def stranger(self, table: str, cookie: str) -> Client:
        """A client that is not yet connected."""
        self.clients.append(Client(self.host, table, cookie))
        return self.clients[-1]

    async def people(self, game: str, people: int, **wishes: Any) -> list[Client]:
        """A table with connected people; the first is the host."""
        first = await self.open(game, "P1", chairs=["me", *["open"] * (people - 1), *wishes.pop("rest", [])], **wishes)
        others = [await self.sit(first, f"P{number}") for number in range(2, people + 1)]
        return [await self.client(taken) for taken in [first, *others]]

    async def log(self, table: str, up_to: int | None = None) -> list[Logged]:
        rows = await self.server.hall.store.entries(table)
        return [Logged(row.number, row.at, READ.decode(row.data)) for row in rows[:up_to]]

    async def table(self, table: str) -> Table:
        """The table, read from its log."""
        return folded(table, await self.log(table))


def folded(table: str, logged: list[Logged]) -> Table:
    out = Table(table)
    for one in logged:
        out.apply(one)
    return out


@contextlib.contextmanager
def new_folder() -> Iterator[Path]:
    """A temporary folder."""
    with tempfile.TemporaryDirectory(prefix="fuda-") as folder:
        yield Path(folder)


@contextlib.asynccontextmanager
async def serving(
    folder: Path | None = None,
    *,
    level: int = logging.INFO,
    verbose: bool = False,
    may_fail: bool = False,
    buffer: int = 0,
    **wishes: Any,
) -> AsyncIterator[Running]:
    """A server for as long as the block lasts; whatever it logs as an error fails the test, unless it `may_fail`.

    Its database is in the given folder, where another server can go on, or in one of its own. `buffer` is how many
    bytes may be on their way to a client, where that matters.
    """
    started = asyncio.Event()
    lines = Lines()
    with (
        contextlib.nullcontext(folder) if folder else new_folder() as place,
        bound_socket("127.0.0.1", 0) as listener,
        logged_to(lines, level),
    ):
        settings = Settings(db=str(place / "fuda.db"), tempo=FAST, limits=GENEROUS)
        server = Server(msgspec.structs.replace(settings, **wishes))
        if buffer:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer)
        uvicorn = Uvicorn(config_of(server, verbose), server, started.set)
        serving = asyncio.create_task(served_by(uvicorn, listener))
        waiting = asyncio.create_task(started.wait())
        await asyncio.wait([serving, waiting], return_when=asyncio.FIRST_COMPLETED)
        assert started.is_set(), lines.lines
        running = Running(server, listener.getsockname()[1], lines)
        try:
            yield running
        finally:
            for client in running.clients:
                await client.close()
            await running.web.aclose()
            uvicorn.should_exit = True
            await serving
    if not may_fail:
        assert not lines.errors, "\n".join(lines.errors)


async def served_by(uvicorn: Uvicorn, listener: socket.socket) -> None:
    async with uvicorn.server.opened():
        await uvicorn.serve([listener])


@contextlib.contextmanager
def logged_to(lines: Lines, level: int) -> Iterator[None]:
    """Collects log lines."""
    names = ("fuda", "uvicorn", "asyncio")
    before = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).addHandler(lines)
        logging.getLogger(name).setLevel(level)
    try:
        yield
    finally:
        for name in names:
            logging.getLogger(name).removeHandler(lines)
            logging.getLogger(name).setLevel(before[name])


Test = Callable[..., Coroutine[Any, Any, None]]


def served(**wishes: Any) -> Callable[[Test], Callable[..., None]]:
    """Runs a test with a server of its own, which is its first argument."""

    def decorate(test: Test) -> Callable[..., None]:
        async def with_server(given: dict[str, Any]) -> None:
            async with serving(**wishes) as running:
                await test(running, **given)

        def run(**given: Any) -> None:
            asyncio.run(with_server(given))

        shown = inspect.signature(test)
        run.__dict__["__signature__"] = shown.replace(parameters=[*shown.parameters.values()][1:])
        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        return run

    return decorate
