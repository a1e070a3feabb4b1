"""What Fuda takes for each of many tables, and how it keeps up with them: a part of `make load`."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import urlsplit

import load_servers
from load_clients import Measured, Mishaps
from load_rounds import Extent
from load_servers import Served
from load_tables import Seats, at_fuda, take_seats

PATIENCE = 120.0
"""So many seconds are waited until all tables sleep."""
SOON = 0.5
LONG = 3600.0
"""Seconds after which a table sleeps that nobody is at."""


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
    """How long moves took at so many tables."""


def measure(extent: Extent, folder: Path) -> Memory:
    folder.mkdir()
    with load_servers.fuda(folder, SOON) as server:
        seats, sleeping = play_in_batches(server, extent)
    on_disk = sum(file.stat().st_size for file in folder.glob("fuda.db*")) / extent.many
    # A new server, so that nothing is awake and no memory is left over from the games so far.
    with load_servers.fuda(folder, LONG) as server:
        at_first = server.resident
        for taken in seats:
            wake(server, taken)
        alone = (server.resident - at_first) / extent.many
        steady, resident = asyncio.run(play_on(server, seats, extent))
    return Memory((resident - at_first) / extent.many, alone, sleeping, on_disk, steady)


def play_in_batches(server: Served, extent: Extent) -> tuple[list[Seats], float]:
    """Half a game at each table; and the memory for each that sleeps.

    Memory that was needed once is used again, but hardly ever given back. So only some tables are awake at the same
    time, and counted is by how much memory grows after the first of these batches has gone to sleep.
    """
    seats: list[Seats] = []
    resident = []
    while len(seats) < extent.many:
        # No pace, because nobody must be late for the rest of the game, which comes much later.
        taken = take_seats(server.address, min(extent.batch, extent.many - len(seats)), "none")
        seats += taken
        asyncio.run(play_half(server, taken, extent))
        wait_for_sleep(server)
        resident.append(server.resident)
    return seats, (resident[-1] - resident[0]) / (extent.many - extent.batch)


async def play_half(server: Served, seats: list[Seats], extent: Extent) -> None:
    crowd = await at_fuda(server.address, seats, Mishaps())
    await crowd.play_moves(extent.moves_each)
    crowd.leave()


async def play_on(server: Served, seats: list[Seats], extent: Extent) -> tuple[Measured, int]:
    crowd = await at_fuda(server.address, seats, Mishaps())
    steady = await crowd.play_steadily(extent.every, 2 * extent.every, extent.many_seconds)
    resident = server.resident
    crowd.leave()
    return steady, resident


def wake(server: Served, seats: Seats) -> None:
    """Has a table read from its log, though nobody comes to it."""
    table, cookie = seats[0]
    get(server, f"/api/tables/{table}/record", cookie)


def wait_for_sleep(server: Served) -> None:
    end = monotonic() + PATIENCE
    while "\nfuda_tables 0.0" not in get(server, "/metrics"):
        if monotonic() > end:
            raise RuntimeError("The tables do not sleep.")
        sleep(0.2)


def get(server: Served, path: str, cookie: str = "") -> str:
    connection = HTTPConnection(urlsplit(server.address).netloc)
    connection.request("GET", path, headers={"cookie": cookie})
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    if response.status != 200:
        raise RuntimeError(f"The server does not give {path}: {text}")
    return text
