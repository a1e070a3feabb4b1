"""Settings of the server."""

from __future__ import annotations

import os
from typing import Final

import msgspec

from fuda.folders import data_folder
from fuda.server.pace import Tempo

LARGEST_FRAME: Final = 8192
"""The most bytes of a client's message."""
LARGEST_BODY: Final = 8192


SCALED: Final = (
    "burst",
    "per_second",
    "talk",
    "talk_per_second",
    "tcp",
    "strikes",
    "sockets",
    "connections",
    "requests",
    "reads",
    "files",
    "records",
    "replays",
    "tables",
    "replayed",
    "replayed_per_second",
    "disk",
    "disk_per_second",
)
"""Limits on what may come in, which are scaled by `Limits.times`."""


class Limits(msgspec.Struct, frozen=True):
    """What one socket, one address and one table may use."""

    burst: int = 60
    """Frames that a socket may send at once, of any kind."""
    per_second: float = 5.0
    """Frames per second after that."""
    hello: int = 10
    """How many frames a hello counts for, as its answer may be large; up to three times as many if it is."""
    talk: int = 60
    """Messages that a seat may send at once, other than moves and questions about them."""
    talk_per_second: float = 1.0
    """Such messages per second after that."""
    tcp: int = 200
    """Open TCP connections of one address; not behind a proxy, whose address all have."""
    strikes: int = 100
    """How often an address may exceed limits at once before it is blocked; once more every second."""
    blocked_seconds: float = 30.0
    """How long new connections of such an address are closed."""
    sockets: int = 100
    """Open sockets of one address."""
    connections: int = 300
    """Sockets that one address may open at once; one more every second."""
    requests: int = 120
    """Requests of one address that change something, at once; one more every second."""
    reads: int = 300
    """Lists and books that one address may ask for at once; five more every second."""
    files: int = 1000
    """Files of the browser client that one address may ask for at once; twenty more every second."""
    records: int = 60
    """Records that one address may ask for at once; one more every second."""
    replays: int = 120
    """Parts of replays that one address may ask for at once; two more every second."""
    tables: int = 30
    """Tables that one address may open at once; one more every two minutes."""
    replayed: int = 100_000
    """Events and notes that the connections of one address may be sent at once for a hello."""
    replayed_per_second: float = 1000.0
    """Events and notes per second after that."""
    disk: int = 50_000_000
    """Bytes that one address may have written to the database at once."""
    disk_per_second: float = 5000.0
    """Bytes per second after that."""
    entries: int = 20_000
    """Entries of one table's log, without old chat; after that only the running game can be finished."""
    watching: int = 60
    """Spectators of one table."""
    watching_together: int = 15
    """Spectators of one table who have the same address."""
    queue: int = 256
    """Frames that may wait for a slow socket."""
    write_seconds: float = 10.0
    """How long a connection may accept next to nothing of what is sent."""

    def times(self, factor: float) -> Limits:
        """Higher limits, for a faster game or many players at one address."""
        more = {name: type(value)(value * factor) for name, value in msgspec.structs.asdict(self).items() if name in SCALED}
        return msgspec.structs.replace(self, **more)


class Settings(msgspec.Struct, frozen=True):
    db: str = ""
    bus: str | None = None
    behind_proxy: bool = False
    workers: int = 1
    tempo: Tempo = Tempo()
    limits: Limits = Limits()
    ping_seconds: float = 15.0
    silence_seconds: float = 40.0
    """A socket is closed after this long without a message."""
    hello_seconds: float = 10.0
    """How long a socket may wait before it says hello."""
    request_seconds: float = 10.0
    """How long a request may take to arrive, and a new connection may wait before it."""
    idle_seconds: float = 30.0
    """A table is unloaded after this long without connections."""
    poll_seconds: float = 3.0
    """How often the log is polled for entries of other processes."""
    keep_days: float = 90.0
    """Tables where nothing has happened for this long are deleted; 0: never."""
    keep_empty_hours: float = 24.0
    """Tables without a game are deleted after this long without connections; 0: never."""
    clean_seconds: float = 600.0
    """How often tables are deleted."""
    client: str = ""
    """The folder of the browser client; if empty, the one in the package."""


def default_database() -> str:
    return f"sqlite:///{data_folder() / 'tables.db'}"


def usual_workers() -> int:
    """All cores but one, which is for the tables."""
    return max(1, (os.cpu_count() or 2) - 1)
