"""The memory that Fuda needs for each of many tables, and how fast it is with them: a part of `make load`."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import urlsplit

from bench.load import servers
from bench.load.clients import Failures, Measured
from bench.load.errors import LoadError
from bench.load.servers import Server
from bench.load.tables import Seats, play_at_fuda, take_seats
from bench.load.turns import Extent

SLEEP_TIMEOUT = 120.0
"""Seconds to wait at most until all tables sleep."""
SOON = 0.5
LONG = 3600.0
"""Seconds after which an empty table sleeps."""


@dataclass
class Memory:
    """Bytes for each table."""

    live: float
    """In the middle of a game, with its four sockets."""
    live_alone: float
    """The same without sockets."""
    sleeping: float
    """What is left of it when it sleeps in the middle of a game."""
    on_disk: float
    steady: Measured
    """How long moves took at that many tables."""


def measure(extent: Extent, folder: Path) -> Memory:
    folder.mkdir()
    with servers.fuda(folder, SOON) as server:
        seats, sleeping = play_in_batches(server, extent)
    on_disk = sum(file.stat().st_size for file in folder.glob("fuda.db*")) / extent.many
    # A new server, so that no table is awake and no memory is left from the games so far.
    with servers.fuda(folder, LONG) as server:
        at_first = server.resident
        for taken in seats:
            wake(server, taken)
        alone = (server.resident - at_first) / extent.many
        steady, resident = asyncio.run(play_on(server, seats, extent))
    return Memory((resident - at_first) / extent.many, alone, sleeping, on_disk, steady)


def play_in_batches(server: Server, extent: Extent) -> tuple[list[Seats], float]:
    """Plays half a game at each table; returns also the memory for each table that sleeps.

    A process uses freed memory again, but hardly ever returns it. So only some tables are awake at the same time, and
    what counts is how much memory grows after the first of these batches has gone to sleep.
    """
    seats: list[Seats] = []
    resident = []
    while len(seats) < extent.many:
        # Without a pace: the rest of the game comes much later, and nobody must be too late for it.
        taken = take_seats(server.address, min(extent.batch, extent.many - len(seats)), "none")
        seats += taken
        asyncio.run(play_half(server, taken, extent))
        wait_for_sleep(server)
        resident.append(server.resident)
    return seats, (resident[-1] - resident[0]) / (extent.many - extent.batch)


async def play_half(server: Server, seats: list[Seats], extent: Extent) -> None:
    players = await play_at_fuda(server.address, seats, Failures())
    await players.play_moves(extent.moves_each)
    players.close()


async def play_on(server: Server, seats: list[Seats], extent: Extent) -> tuple[Measured, int]:
    players = await play_at_fuda(server.address, seats, Failures())
    steady = await players.play_steadily(extent.every, 2 * extent.every, extent.many_seconds)
    resident = server.resident
    players.close()
    return steady, resident


def wake(server: Server, seats: Seats) -> None:
    """Makes the server read a table from its log, without any players."""
    table, cookie = seats[0]
    get(server, f"/api/tables/{table}/record", cookie)


def wait_for_sleep(server: Server) -> None:
    end = monotonic() + SLEEP_TIMEOUT
    while "\nfuda_tables 0.0" not in get(server, "/metrics"):
        if monotonic() > end:
            raise LoadError("The tables do not go to sleep.")
        sleep(0.2)


def get(server: Server, path: str, cookie: str = "") -> str:
    connection = HTTPConnection(urlsplit(server.address).netloc, timeout=SLEEP_TIMEOUT)
    connection.request("GET", path, headers={"cookie": cookie})
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    if response.status != 200:
        raise LoadError(f"The server does not answer {path}: {text}")
    return text
