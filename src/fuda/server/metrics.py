"""Metrics for operators, in the format of Prometheus."""

from __future__ import annotations

from functools import cache
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

BUCKETS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


class Metrics:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        to = self.registry
        self.tables = Gauge("fuda_tables", "Tables loaded in this process.", registry=to)
        self.sockets = Gauge("fuda_sockets", "Connections of players and spectators.", registry=to)
        self.opened = Counter("fuda_tables_opened", "Tables opened.", registry=to)
        # Cached, because looking up a label takes longer than counting.
        self.moves_of = cache(Counter("fuda_moves", "Moves made.", ["game", "by"], registry=to).labels)
        self.messages_of = cache(Counter("fuda_messages", "Messages from clients.", ["kind"], registry=to).labels)
        self.denials = Counter("fuda_denials", "Messages and requests not carried out.", ["code"], registry=to)
        self.frames = Counter("fuda_frames", "Frames sent to clients.", registry=to)
        self.conflicts = Counter("fuda_conflicts", "Entries that another process wrote first.", registry=to)
        self.cut = Counter("fuda_sockets_cut", "Connections ended by the server.", ["code"], registry=to)
        self.connections = Gauge("fuda_connections", "Open TCP connections.", registry=to)
        self.connections_closed = Counter(
            "fuda_connections_closed", "TCP connections closed by the server, by reason.", ["why"], registry=to
        )
        self.blocked = Counter("fuda_addresses_blocked", "Addresses blocked for a while.", registry=to)
        self.seconds = Histogram(
            "fuda_message_seconds", "From a message's arrival to its answer.", buckets=BUCKETS, registry=to
        )
        self.commit_seconds = Histogram(
            "fuda_commit_seconds", "Time until an entry is written.", buckets=BUCKETS, registry=to
        )
        self.bot_seconds = Histogram("fuda_bot_seconds", "Time in which bots choose a move.", buckets=BUCKETS, registry=to)

    def text(self) -> bytes:
        return generate_latest(self.registry)
