"""Limits of addresses, connections and tables; exceeding them affects nobody else."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import socket
import struct
import time
from collections.abc import Callable
from typing import Any, Final

import pytest

from fuda.server.security import network_of
from fuda.server.settings import LARGEST_BODY, LARGEST_FRAME, Limits
from tests.server.clients import PATIENCE, Client, start
from tests.server.raw_socket import RawSocket
from tests.server.serving import Running, served, serving
from tests.server.test_security import closed, turned_away

TWO: Final = "shinigami_preschool"


@served()
async def test_a_frame_that_is_too_large_ends_the_connection(running: Running) -> None:
    ann, ben = await running.people(TWO, 2)
    await ann.send_text(json.dumps({"kind": "say", "id": "x", "text": "x" * LARGEST_FRAME}))
    await closed(ann, 4000, "too large")
    await ben.send_text("x" * (5 * LARGEST_FRAME))
    await closed(ben, 1009)


@served()
async def test_a_body_that_is_too_large_is_not_read(running: Running) -> None:
    async def endless() -> Any:
        for _ in range(100):
            yield b" " * 1000

    headers = {"origin": running.address, "content-type": "application/json"}
    for content in (b" " * (LARGEST_BODY + 1), endless()):
        response = await running.web.post("/api/tables", content=content, headers=headers)
        assert (response.status_code, response.json()["code"]) == (400, "bad request")


@served(limits=Limits(burst=20, per_second=2.0))
async def test_who_sends_too_much_is_cut_off_and_nobody_else(running: Running) -> None:
    ann, ben = await running.people(TWO, 2)
    for _ in range(30):
        await ann.send_text('{"kind":"ping"}')
    await closed(ann, 4029, "too many")
    assert (await ben.ask("say", text="Still here"))["kind"] == "done"
    await ann.come_back()
    assert ann.version == ben.version


@served(limits=Limits(burst=20, per_second=0.1, hello=10))
async def test_a_hello_counts_for_many_messages(running: Running) -> None:
    ann, ben = await running.people(TWO, 2)
    for _ in range(2):
        await ann.send("hello")
    await closed(ann, 4029, "too many")
    assert (await ben.ask("say", text="Still here"))["kind"] == "done"


@served(limits=Limits(talk=6))
async def test_a_seat_says_so_much_and_may_still_play(running: Running) -> None:
    ann, ben = await running.people(TWO, 2, pace="none")
    await start([ann, ben])
    answers = [await ann.ask("say", text="Well") for _ in range(7)]
    assert [answer["kind"] for answer in answers].count("denied") >= 2, "bytes and the start count, too"
    assert answers[-1]["code"] == "too many"
    asked = ann if ann.ask_now else ben
    assert asked.ask_now is not None
    assert (await asked.play(asked.ask_now["moves"][0]))["kind"] == "done"


@served(limits=Limits(reads=5))
async def test_an_address_reads_so_much(running: Running) -> None:
    statuses = [(await running.get(path)).status_code for path in ("/api/tables", "/api/games") * 3]
    assert statuses == [200] * 5 + [429]
    assert (await running.get("/")).status_code != 429, "the client is counted by itself"
    assert (await running.get("/healthz")).status_code == 200


@served(limits=Limits(files=5))
async def test_an_address_reads_so_many_files_of_the_client(running: Running) -> None:
    statuses = [(await running.get(path)).status_code for path in ("/", "/t/abcdefghj", "/r/abcdefghj/1") * 10]
    assert 429 not in statuses[:5]
    assert 429 in statuses[5:]
    assert (await running.get("/api/tables")).status_code == 200


@served(limits=Limits(replays=3))
async def test_an_address_reads_so_many_parts_of_replays(running: Running) -> None:
    statuses = [(await running.get("/api/tables/abcdefghj/records/1/film")).status_code for _ in range(5)]
    assert statuses == [404] * 3 + [429] * 2


@served(limits=Limits(sockets=3))
async def test_an_address_has_so_many_sockets_also_when_all_come_at_once(running: Running) -> None:
    taken = await running.open(TWO)
    clients = [running.stranger(taken.table, taken.cookie) for _ in range(6)]
    came = await asyncio.gather(*(client.connect() for client in clients), return_exceptions=True)
    assert sum(isinstance(one, Exception) for one in came) == 3


@served(limits=Limits(connections=3))
async def test_an_address_opens_so_many_connections(running: Running) -> None:
    taken = await running.open(TWO)
    for _ in range(3):
        await (await running.client(taken)).close()
    refused = await turned_away(running, taken.table, [("origin", running.address), ("cookie", taken.cookie)])
    assert (refused.status_code, refused.json()["code"]) == (429, "too many")


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("203.0.113.9:4711", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::"),
        ("[2001:db8:1:2:3:4:5:6]:4711", "2001:db8:1::"),
        ("[2001:db8:1:2:3:4:5:6]", "2001:db8:1::"),
        ("::ffff:203.0.113.9%eth0", "203.0.113.9"),
        ("fe80::1%eth0", "fe80::"),
        ("unknown", "unknown"),
        ("unknown:4711", "unknown:4711"),
        ("[", "["),
        ("", ""),
    ],
)
def test_an_address_counts_without_its_port_and_for_ipv6_by_its_first_48_bits(address: str, place: str) -> None:
    assert network_of(address) == place


@served(limits=Limits(sockets=3))
async def test_an_address_has_so_many_sockets(running: Running) -> None:
    taken = await running.open(TWO)
    clients = [await running.client(taken) for _ in range(3)]
    refused = await turned_away(running, taken.table, [("origin", running.address), ("cookie", taken.cookie)])
    assert (refused.status_code, refused.json()["code"]) == (429, "too many")
    await clients[0].close()
    await clients[1].settled()
    await running.client(taken)


@served(limits=Limits(tables=3))
async def test_an_address_opens_so_many_tables(running: Running) -> None:
    for _ in range(3):
        await running.open(TWO)
    response = await running.post("/api/tables", {"game": TWO, "name": "Ann"})
    assert (response.status_code, response.json()["code"]) == (429, "too many")


@served(limits=Limits(requests=5))
async def test_an_address_has_so_many_requests(running: Running) -> None:
    taken = await running.open(TWO)
    answers = [await running.post(f"/api/tables/{taken.table}/claims", {"code": str(guess)}) for guess in range(9)]
    assert [answer.status_code for answer in answers] == [403] * 4 + [429] * 5


@served(limits=Limits(watching=2, watching_together=2))
async def test_a_table_has_so_many_spectators_and_those_who_play_are_not_among_them(running: Running) -> None:
    taken = await running.open(TWO, public=True)
    for _ in range(2):
        await running.come(taken.table, "")
    crowd = running.stranger(taken.table, "")
    await crowd.connect()
    await crowd.send("hello")
    await crowd.until(lambda: crowd.closed or crowd.answers)
    assert not crowd.table
    assert (await running.client(taken)).you == "A"


@served(limits=Limits(watching=3, watching_together=2))
async def test_one_address_cannot_take_all_places_of_spectators(running: Running) -> None:
    taken = await running.open(TWO, public=True)
    path = f"/api/tables/{taken.table}/socket"

    async def watch(source: str) -> tuple[RawSocket, bytes]:
        raw = await RawSocket.opened(running.host, path, source=source)
        raw.send(frame_of('{"kind":"hello","id":"h"}'))
        return raw, await raw.receive() or b""

    eves = [await watch("127.0.0.2") for _ in range(3)]
    assert [b'"welcome"' in said for _, said in eves] == [True, True, False]
    assert b"Too many spectators of this table have your address." in eves[2][1]
    await running.client(taken)
    ann = await watch("127.0.0.1")
    assert b'"welcome"' in ann[1]
    for raw, _ in (*eves, ann):
        await raw.close()


@served(limits=Limits(disk=3000, disk_per_second=0.01))
async def test_only_so_much_is_stored_for_an_address(running: Running) -> None:
    (ann,) = await running.people(TWO, 1, rest=["open"])
    answers = [await ann.ask("say", text="x" * 200) for _ in range(9)]
    assert [answer["kind"] for answer in answers[:4]] == ["done"] * 4
    assert (answers[-1]["kind"], answers[-1]["code"]) == ("denied", "too many")
    assert answers[-1]["text"] == "Too much has been stored for your address: wait a little."
    written = len(await running.log(ann.table_id))
    assert await ann.denied("leave") == "too many"
    assert (await ann.ask("why", move="red 1"))["code"] != "too many", "what stores nothing is answered"
    await ann.settled()
    await ann.do("hello")
    opened = await running.post("/api/tables", {"game": TWO, "name": "Ann", "pace": "relaxed", "chairs": ["me", "open"]})
    assert (opened.status_code, opened.json()["code"]) == (429, "too many")
    assert len(await running.log(ann.table_id)) == written


@served(limits=Limits(disk=60_000, disk_per_second=0.01))
async def test_a_game_counts_for_all_that_bots_will_store(running: Running) -> None:
    (ann,) = await running.people(TWO, 1, rest=["thumb"], pace="none")
    await start([ann])
    opened = await running.post("/api/tables", {"game": TWO, "name": "Ann", "chairs": ["me", "thumb"], "start": True})
    assert (opened.status_code, opened.json()["code"]) == (429, "too many")
    assert (await running.post("/api/tables", {"game": TWO, "name": "Ann"})).status_code == 201


@pytest.mark.parametrize("is_trusted", [False, True])
def test_the_address_is_the_last_hop_and_only_a_trusted_proxy_says_so(is_trusted: bool) -> None:
    limits = Limits(tables=2)

    async def status(running: Running, *hops: str) -> int:
        origin = [("origin", running.address)]
        headers = origin + [("x-forwarded-for", hop) for hop in hops]
        return (await running.web.post("/api/tables", json={"game": TWO, "name": "Ann"}, headers=headers)).status_code

    async def do() -> None:
        async with serving(behind_proxy=is_trusted, limits=limits) as running:
            for _ in range(2):
                assert await status(running, "203.0.113.9") == 201
            assert await status(running, "203.0.113.9") == 429
            assert await status(running, "198.51.100.7") == (201 if is_trusted else 429)
            # What a client claims stands before what the proxy adds, in the same line or in one of its own.
            assert await status(running, "192.0.2.1, 203.0.113.9") == 429
            assert await status(running, "192.0.2.1", "203.0.113.9") == 429
            assert await status(running, "203.0.113.9, 192.0.2.1") == (201 if is_trusted else 429)
            assert await status(running, "203.0.113.9:4711") == 429
            assert await status(running, "192.0.2.77:80, 203.0.113.9:4712") == 429

    asyncio.run(do())


# Who does not read --------------------------------------------------------------------------------

SMALL: Final = 4096


class Deaf:
    """A connection that says hello and never reads what comes; nor does it take leave."""

    def __init__(self, client: Client) -> None:
        self.host, _, self.port = client.host.partition(":")
        self.path = f"/api/tables/{client.table_id}/socket"
        self.cookie = client.cookie
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
        self.socket.setblocking(False)

    async def connect(self) -> None:
        loop = asyncio.get_running_loop()
        await loop.sock_connect(self.socket, (self.host, int(self.port)))
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {self.path} HTTP/1.1",
            f"Host: {self.host}:{self.port}",
            f"Origin: http://{self.host}:{self.port}",
            f"Cookie: {self.cookie}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
        ]
        await loop.sock_sendall(self.socket, ("\r\n".join(lines) + "\r\n\r\n").encode())
        assert b"101" in await loop.sock_recv(self.socket, 300)
        await loop.sock_sendall(self.socket, frame_of('{"kind":"hello","id":"deaf"}'))


def frame_of(text: str) -> bytes:
    """A masked text frame, as a client sends it; the mask is nothing but zeros."""
    data = text.encode()
    assert len(data) < 126
    return struct.pack("!BB", 0x81, 0x80 | len(data)) + bytes(4) + data


async def talk_until(client: Client, is_enough: Callable[[], bool]) -> None:
    """Says one thing after the other until it is enough."""
    async with asyncio.timeout(PATIENCE):
        while not is_enough():
            assert (await client.ask("say", text="x" * 200))["kind"] == "done"


@pytest.mark.parametrize(
    "limits",
    [
        pytest.param(Limits(burst=10**6, talk=10**6, queue=20, write_seconds=60.0), id="queue"),
        pytest.param(Limits(burst=10**6, talk=10**6, queue=10**6, write_seconds=1.0), id="time"),
    ],
)
def test_who_does_not_read_is_cut_off_and_nobody_else_waits_for_it(limits: Limits) -> None:
    async def do() -> None:
        async with serving(limits=limits, buffer=SMALL) as running:
            ann, ben = await running.people(TWO, 2)
            deaf = Deaf(ben)
            await deaf.connect()
            await ben.close()
            await ann.settled()
            assert ann.here == ["A", "B"], "it is connected, as far as anybody can tell"
            await talk_until(ann, lambda: ann.here == ["A"])
            assert len(running.server.hall.tables[ann.table_id].presence.sockets) == 1
            await ann.settled()
            assert running.server.hall.sockets_of["127.0.0.1"] == 1
            assert (await ann.ask("say", text="Still here"))["kind"] == "done"
            await ben.come_back()
            await ben.settled()
            assert ben.version == ann.version
            assert ben.said == ann.said[-len(ben.said) :]
            deaf.socket.close()

    asyncio.run(do())


def test_a_server_with_somebody_who_does_not_read_can_be_stopped() -> None:
    limits = Limits(burst=10**6, talk=10**6, queue=10**6, write_seconds=60.0)

    async def do() -> None:
        async with serving(limits=limits, buffer=SMALL, may_fail=True) as running:
            ann, ben = await running.people(TWO, 2)
            deaf = Deaf(ben)
            await deaf.connect()
            sockets = running.server.hall.tables[ann.table_id].presence.sockets
            await talk_until(ann, lambda: any(len(socket.frames) > 20 for socket in sockets))
            begun = time.monotonic()
        assert time.monotonic() - begun < 15
        # It is said that somebody was waited for, and nothing was broken off.
        assert all("Cancel 0 running" in line for line in running.lines.errors)
        deaf.socket.close()

    asyncio.run(do())
