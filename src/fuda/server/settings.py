"""What an operator can decide."""

from __future__ import annotations

import os
from typing import Final

import msgspec

from fuda.folders import data_folder
from fuda.server.pace import Tempo

LARGEST_FRAME: Final = 8192
"""A client's message has at most so many bytes."""
LARGEST_BODY: Final = 8192


SCALED: Final = (
    "burst",
    "per_second",
    "talk",
    "talk_per_second",
    "sockets",
    "connections",
    "requests",
    "reads",
    "files",
    "records",
    "films",
    "tables",
)
"""Limits on how much may come in; the others are about what a table and a frame can take."""


class Limits(msgspec.Struct, frozen=True):
    """What one socket, one address and one table may use."""

    burst: int = 60
    """Messages that a socket may send at once."""
    per_second: float = 5.0
    """Messages a second that it may go on with."""
    hello: int = 10
    """So many messages a hello counts for: it may be answered with all that has happened."""
    talk: int = 60
    """Messages of a seat at once that are no moves."""
    talk_per_second: float = 1.0
    """Such messages a second that it may go on with."""
    sockets: int = 100
    """Sockets of one address."""
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
    films: int = 120
    """Parts of films that one address may ask for at once; two more every second."""
    tables: int = 30
    """Tables that one address may open at once; one more every two minutes."""
    watching: int = 60
    """Spectators of one table."""
    queue: int = 256
    """Frames that wait for a slow socket."""
    write_seconds: float = 10.0
    """So long one frame may take to be written."""

    def times(self, factor: float) -> Limits:
        """So many times as much, where everything goes so much faster, or many come from one address."""
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
    """A socket from which nothing has come for so long is ended."""
    hello_seconds: float = 10.0
    """So long a socket may wait before it says hello."""
    idle_seconds: float = 30.0
    """After so long without anybody a table is no longer kept in memory."""
    poll_seconds: float = 3.0
    """How often the log is looked at for what other processes wrote."""
    client: str = ""
    """The folder of the browser client; the one that comes with the package, if empty."""


def default_database() -> str:
    return f"sqlite:///{data_folder() / 'tables.db'}"


def usual_workers() -> int:
    """Bots get all cores but the one on which the tables are."""
    return max(1, (os.cpu_count() or 2) - 1)
