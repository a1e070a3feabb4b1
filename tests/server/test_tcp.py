"""TCP connections: slow and silent clients, and many connections, lock nobody out."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import resource
import socket
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Final, cast

import httpx2
import pytest

from fuda.server.connections import BACKLOG, LOG_SECONDS, OWN_FILES, Connections
from fuda.server.metrics import Metrics
from fuda.server.settings import Limits, Settings
from tests.server.clients import PATIENCE
from tests.server.flooding import is_closed, silent_connections
from tests.server.processes import ServerProcess
from tests.server.raw_socket import answer_to
from tests.server.serving import Lines, Running, served, serving

TWO: Final = "shinigami_preschool"
SOON: Final = 0.3
"""How long a request may take in these tests."""
FILES: Final = 1024
SILENT: Final = 1100
PROMPTLY: Final = 0.8 * Settings().request_seconds
"""How long an honest client may wait, on a busy machine: less than the time after which silent connections are closed."""
REQUEST: Final = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.02)


@contextlib.asynccontextmanager
async def connected(
    running: Running, source: str = "127.0.0.1"
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    name, _, port = running.host.partition(":")
    reader, writer = await asyncio.open_connection(name, int(port), local_addr=(source, 0))
    try:
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


async def has_ended(reader: asyncio.StreamReader) -> bool:
    """Waits until the server closes the connection; whether it said nothing before."""
    async with asyncio.timeout(PATIENCE):
        try:
            return await reader.read() == b""
        except ConnectionError:
            return True


# Requests that do not arrive ------------------------------------------------------------------------

HEAD: Final = b"POST /api/tables HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    "part",
    [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\n", HEAD + b"Content-Length: 100\r\n\r\n{"],
    ids=["silent", "line", "head", "body"],
)
@served(request_seconds=SOON)
async def test_a_connection_without_a_complete_request_is_closed(running: Running, part: bytes) -> None:
    async with connected(running) as (reader, writer):
        begun = time.monotonic()
        writer.write(part.replace(b"{host}", running.host.encode()))
        assert await has_ended(reader)
        assert time.monotonic() - begun >= SOON * 0.9
    await until(lambda: running.server.connections.total == 0)
    assert not running.server.connections.of
    assert not running.server.connections.waiting


@pytest.mark.parametrize("is_second", [False, True])
@served(request_seconds=SOON)
async def test_a_request_that_arrives_slowly_is_not_waited_for(running: Running, is_second: bool) -> None:
    async with connected(running) as (reader, writer):
        if is_second:
            writer.write(REQUEST)
            await reader.readuntil(b'"ok"}')
            await asyncio.sleep(2 * SOON)  # a connection may be kept for longer between requests
        begun = time.monotonic()
        ended = asyncio.create_task(has_ended(reader))
        while not ended.done():
            with contextlib.suppress(ConnectionError):
                writer.write(b"G")
                await writer.drain()
            await asyncio.sleep(SOON / 10)
            assert time.monotonic() - begun < PATIENCE
        assert time.monotonic() - begun >= SOON * 0.9


@served(request_seconds=SOON)
async def test_a_socket_lasts_longer_than_a_request(running: Running) -> None:
    ann, _ = await running.people(TWO, 2)
    await asyncio.sleep(2 * SOON)
    assert (await ann.ask("say", text="Still here"))["kind"] == "done"
    assert running.server.connections.of["127.0.0.1"] >= 2


@served(request_seconds=SOON)
async def test_an_answer_may_take_longer_than_a_request(running: Running) -> None:
    ping = running.server.hall.store.ping

    async def slow_ping() -> None:
        await asyncio.sleep(2 * SOON)
        await ping()

    cast(Any, running.server.hall.store).ping = slow_ping
    assert (await running.get("/healthz")).status_code == 200


@pytest.mark.parametrize("framing", ["Transfer-Encoding: chunked", "Content-Length: 1000000000"])
@served()
async def test_a_body_without_a_small_length_is_not_parsed(running: Running, framing: str) -> None:
    """Tiny chunks would take long to parse."""
    head = HEAD.replace(b"{host}", running.host.encode()) + framing.encode() + b"\r\n\r\n"
    async with connected(running) as (reader, writer):
        writer.write(head + b"1\r\n \r\n" * 10_000)
        answer = await reader.readuntil(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 400")
        assert b"connection: close" in answer.lower()
        with contextlib.suppress(ConnectionError):
            for _ in range(100):
                writer.write(b"1\r\n \r\n" * 10_000)
                await writer.drain()
        await until(lambda: running.server.connections.total == 0)


# How many connections -------------------------------------------------------------------------------


@served(limits=Limits(tcp=3))
async def test_an_address_has_so_many_connections(running: Running) -> None:
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(3):
            await stack.enter_async_context(connected(running))
        await until(lambda: running.server.connections.of["127.0.0.1"] == 3)
        assert await answer_to(running.host, REQUEST) == 0
        async with connected(running, "127.0.0.2") as (reader, writer):
            writer.write(REQUEST)
            assert (await reader.readline()).startswith(b"HTTP/1.1 200"), "others are served"
    await until(lambda: running.server.connections.total == 0)
    assert await answer_to(running.host, REQUEST) == 200


@served(limits=Limits(tcp=3), behind_proxy=True)
async def test_a_proxy_has_more_connections_than_an_address(running: Running) -> None:
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(5):
            await stack.enter_async_context(connected(running))
        assert await answer_to(running.host, REQUEST) == 200


@served()
async def test_when_there_are_too_many_in_all_the_oldest_that_waits_for_a_request_is_closed(running: Running) -> None:
    running.server.connections.most = 4
    ann, ben = await running.people(TWO, 2)
    await running.web.aclose()
    await until(lambda: running.server.connections.total == 2)
    async with connected(running) as (first, _), connected(running) as (second, kept):
        await until(lambda: running.server.connections.total == 4)
        assert await answer_to(running.host, REQUEST) == 200
        assert await has_ended(first)
        kept.write(REQUEST)
        assert (await second.readline()).startswith(b"HTTP/1.1 200")
    for client in (ann, ben):
        await client.settled()
        assert client.closed is None, "sockets are not closed for it"
    assert sum("out of connections" in line for line in running.lines.lines) == 1
    running.server.connections.most = 2
    await until(lambda: running.server.connections.total == 2)
    assert await answer_to(running.host, REQUEST) == 0, "nobody waits for a request"


@pytest.mark.parametrize("files", [64, 256, 1024, 4096, 10**6])
def test_files_are_kept_free_for_others(files: int) -> None:
    connections = Connections(Settings(), Metrics())
    connections.limit_to(files)
    assert 0 < connections.most < files
    assert connections.backlog <= BACKLOG
    if files > 128:
        assert connections.most + connections.backlog + OWN_FILES <= files


# Silent connections at a real server ----------------------------------------------------------------


async def open_and_talk(server: ServerProcess) -> float:
    """Opens a table, takes a seat and says something, at an address of its own; returns how long that took."""
    honest = Running(cast(Any, None), server.port, Lines())
    begun = time.monotonic()
    (ann,) = await honest.people(TWO, 1, rest=["open"])
    await ann.do("say", text="Hello")
    took = time.monotonic() - begun
    await ann.close()
    await honest.web.aclose()
    return took


def options(folder: Path) -> list[str]:
    return ["--db", f"sqlite:///{folder / 'fuda.db'}", "--workers", "1"]


def most_lines_since(begun: float) -> float:
    """How often it may have been logged that something has run out."""
    return 1 + (time.monotonic() - begun) / LOG_SECONDS


@pytest.fixture
def many_files() -> Any:
    """Lets this process open enough files for the attack."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(4 * SILENT, hard)), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("addresses", [1, 7])
@pytest.mark.usefixtures("many_files")
def test_silent_connections_stop_nobody(addresses: int, tmp_path: Path) -> None:
    sources = [f"127.0.0.{number}" for number in range(2, 2 + addresses)]

    async def do() -> None:
        begun = time.monotonic()
        async with ServerProcess(tmp_path, *options(tmp_path), files=FILES) as server:
            assert resource.prlimit(server.pid, resource.RLIMIT_NOFILE) == (FILES, FILES), "it was raised"
            with silent_connections(server.port, SILENT, sources) as made:
                assert await open_and_talk(server) < PROMPTLY
                assert sum(is_closed(one) for one in made) >= SILENT - FILES
                assert server.open_files() < FILES - OWN_FILES
            assert await open_and_talk(server) < PROMPTLY
            assert await server.stop() == 0
            said = [json.loads(line)["message"] for line in server.complaints()]
            expected = "is blocked" if addresses == 1 else "out of connections"
            assert 1 <= len(said) <= most_lines_since(begun), said
            assert all(expected in line for line in said)

    asyncio.run(do())


@pytest.mark.parametrize("loop", ["uvloop", "asyncio"])
@pytest.mark.usefixtures("many_files")
def test_running_out_of_files_is_survived(loop: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if loop == "asyncio":
        (tmp_path / "uvloop.py").write_text("raise ImportError\n")
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))

    async def do() -> None:
        begun = time.monotonic()
        async with ServerProcess(tmp_path, *options(tmp_path), files=FILES) as server:
            assert await open_and_talk(server) < PROMPTLY
            used = server.open_files()
            resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (used + 8, FILES))
            with silent_connections(server.port, 100, ["127.0.0.2"]) as made:
                await asyncio.sleep(1.5)  # asyncio tries again once a second
                busy = server.cpu_seconds()
                await asyncio.sleep(1.5)
                assert server.cpu_seconds() - busy < 0.5, "it does not spin"
                resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (FILES, FILES))
                assert await open_and_talk(server) < PROMPTLY
                assert len(made) == 100
            assert await server.stop() == 0
            assert len(server.complaints()) <= most_lines_since(begun)
            assert all("out of connections" in line for line in server.complaints())

    asyncio.run(do())


# Addresses that keep exceeding limits ---------------------------------------------------------------


@served(limits=Limits(reads=5, strikes=5))
async def test_who_keeps_exceeding_limits_is_blocked_for_a_while(running: Running) -> None:
    (ann,) = await running.people(TWO, 1, rest=["open"])
    statuses = [(await running.get("/api/tables")).status_code for _ in range(11)]
    assert statuses == [200] * 5 + [429] * 6
    assert await answer_to(running.host, REQUEST) == 0, "new connections are closed"
    assert (await running.get("/healthz")).status_code == 429, "and requests on old ones are not looked at"
    assert (await ann.ask("say", text="Still here"))["kind"] == "done", "but nobody is thrown out"
    async with connected(running, "127.0.0.2") as (reader, writer):
        writer.write(REQUEST)
        assert (await reader.readline()).startswith(b"HTTP/1.1 200"), "others are served"
    assert sum("is blocked for a while" in line for line in running.lines.lines) == 1
    assert "fuda_addresses_blocked_total 1.0" in running.server.metrics.text().decode()
    running.server.connections.blocked["127.0.0.1"] = time.monotonic()
    assert await answer_to(running.host, REQUEST) == 200


@served(limits=Limits(reads=5, strikes=5), behind_proxy=True)
async def test_behind_a_proxy_an_address_is_blocked_and_not_the_proxy(running: Running) -> None:
    async def status(path: str, address: str) -> int:
        return (await running.web.get(path, headers={"x-forwarded-for": address})).status_code

    for _ in range(11):
        await status("/api/tables", "203.0.113.9")
    assert await status("/healthz", "203.0.113.9") == 429
    assert await status("/healthz", "203.0.113.10") == 200
    for _ in range(10):
        assert await answer_to(running.host, b"nonsense\r\n\r\n") == 400
    assert await status("/healthz", "203.0.113.10") == 200


@served(limits=Limits(strikes=5))
async def test_who_sends_invalid_requests_is_blocked(running: Running) -> None:
    statuses = [await answer_to(running.host, b"nonsense\r\n\r\n") for _ in range(8)]
    assert statuses == [400] * 6 + [0] * 2
    assert not any("Invalid HTTP" in line for line in running.lines.lines), "they do not fill the log"


@served(limits=Limits())
async def test_a_family_at_one_address_never_exceeds_a_limit(running: Running) -> None:
    """Six people load the page with its files, play, and reload it."""
    people = await running.people("frantic", 6)
    for _ in range(2):
        for client in people:
            browser = httpx2.AsyncClient(base_url=running.address, trust_env=False)
            paths = ["/", "/api/games", "/api/tables", *running.server.client.files][:40]
            answers = await asyncio.gather(*(browser.get(path) for path in paths))
            assert all(answer.status_code in (200, 404) for answer in answers)
            await browser.aclose()
            await client.come_back()
            for _ in range(5):
                await client.do("say", text="Hello")
    assert not running.server.connections.strikes


# Who does not read ----------------------------------------------------------------------------------

SMALL: Final = 4096


@pytest.mark.parametrize("is_deaf", [True, False])
def test_who_does_not_read_an_answer_is_cut_off_but_not_who_reads_slowly(is_deaf: bool) -> None:
    seconds = 1.0

    async def do() -> None:
        limits = Limits(write_seconds=seconds, reads=1000)
        async with serving(limits=limits, buffer=SMALL) as running:
            name, _, port = running.host.partition(":")
            with socket.socket() as client:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
                client.setblocking(False)
                loop = asyncio.get_running_loop()
                await loop.sock_connect(client, (name, int(port)))
                await until(lambda: running.server.connections.total == 1)
                head = f"Host: {running.host}\r\nConnection: close\r\n\r\n"
                await loop.sock_sendall(client, f"GET /api/games/frantic/book HTTP/1.1\r\n{head}".encode())
                read, begun = b"", time.monotonic()
                while not is_deaf and (part := await loop.sock_recv(client, 4 * SMALL)):
                    read += part
                    await asyncio.sleep(seconds / 5)
                await until(lambda: running.server.connections.total == 0)
                if not is_deaf:
                    size = int(read.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
                    assert len(read.partition(b"\r\n\r\n")[2]) == size
                    assert time.monotonic() - begun > 2 * seconds
            cut = 'fuda_connections_closed_total{why="slow"} 1.0' in running.server.metrics.text().decode()
            assert cut == is_deaf

    asyncio.run(do())
