"""Who is connected to a table: at this process, and at others that serve the same table."""

from __future__ import annotations

from itertools import takewhile
from typing import Final

import msgspec

from fuda.protocol.parts import Seat
from fuda.server import clock
from fuda.server.sockets import Socket
from fuda.server.table import Table

PRESENCE_SECONDS: Final = 25.0
"""How long the news of another process about its connections count."""


class ProcessNews(msgspec.Struct):
    """What a process tells the others about a table."""

    process: str
    length: int = msgspec.field(name="version")
    """How many entries of the log it knows."""
    seats: list[Seat]
    spectators: int = msgspec.field(name="watching")
    is_new: bool = False
    """Whether it has just loaded the table, and does not know who is connected to the others."""


class OtherProcess(msgspec.Struct):
    """Who is connected to another process, and until when that counts."""

    expires: float
    seats: list[Seat]
    spectators: int


class Presence:
    def __init__(self, table: Table, process: str, grace: float) -> None:
        self.table = table
        self.process = process
        self.grace = grace
        """For how many seconds a person who is disconnected counts as being there."""
        self.sockets: set[Socket] = set()
        """The connections to this process."""
        self.own_seats: list[Seat] = []
        """The seats connected to this process, as of the last update."""
        self.others: dict[str, OtherProcess] = {}
        self.gone_since: dict[str, float] = {}
        """Since when nobody has been connected for a token."""
        self.resumed_at = 0.0
        """When a person connected after nobody had been there."""

    def update(self) -> None:
        """Takes into account who is connected now."""
        had_people = self.has_people
        self.own_seats = self.connected_here
        now = clock.now()
        if self.has_people and not had_people:
            self.resumed_at = now
        connected = self.connected
        tokens = {state.token: seat for seat, state in self.table.seats.items() if state.is_person}
        self.gone_since = {token: self.gone_since.get(token, now) for token, seat in tokens.items() if seat not in connected}

    @property
    def connected_here(self) -> list[Seat]:
        """The seats connected to this process."""
        seats = {socket.seat for socket in self.sockets if socket.is_welcome}
        return [seat for seat in self.table.seats if seat in seats]

    @property
    def connected(self) -> list[Seat]:
        """The seats connected to any process."""
        if not self.others:
            return self.own_seats
        elsewhere = {seat for other in self.live_others for seat in other.seats}
        return [seat for seat in self.table.seats if seat in elsewhere or seat in self.own_seats]

    @property
    def has_people(self) -> bool:
        """Whether anybody who plays is connected."""
        seats = self.table.seats
        return any(seat in seats and seats[seat].is_person for seat in self.connected)

    # Who counts as being there ----------------------------------------------------------------------

    def grace_left(self, seat: Seat) -> float:
        """For how many seconds a person who is disconnected still counts as being there."""
        now = clock.now()
        return max(0.0, self.gone_since.get(self.table.seats[seat].token, now) + self.grace - now)

    def is_gone(self, seat: Seat) -> bool:
        return seat not in self.connected and not self.grace_left(seat)

    @property
    def gone(self) -> list[Seat]:
        """The people for whom a bot may be asked."""
        return [seat for seat in self.table.people if self.is_gone(seat)]

    def hosts_before(self, seat: Seat) -> list[Seat]:
        """Those who act as host rather than this person: who has sat there longer and is not gone."""
        longer = takewhile(lambda other: other != seat, map(self.table.seat_of, self.table.sitting))
        return [other for other in longer if other is not None and not self.is_gone(other)]

    @property
    def acting_host(self) -> Seat | None:
        """The host; once the host is gone, the person who has sat there longest and is not."""
        there = [seat for seat in self.table.people if not self.is_gone(seat) and not self.hosts_before(seat)]
        return there[0] if there else self.table.host

    @property
    def spectators_here(self) -> int:
        return sum(socket.is_welcome and socket.seat is None for socket in self.sockets)

    def spectators_of(self, address: str) -> int:
        """How many spectators with this address are connected to this process."""
        return sum(socket.is_welcome and socket.seat is None and socket.address == address for socket in self.sockets)

    @property
    def spectators(self) -> int:
        return self.spectators_here + sum(other.spectators for other in self.live_others)

    # Other processes --------------------------------------------------------------------------------

    def note_other(self, news: ProcessNews) -> None:
        self.others[news.process] = OtherProcess(clock.now() + PRESENCE_SECONDS, news.seats, news.spectators)

    def extend_others(self) -> None:
        """Lets the last news of the others count on, as no newer ones can arrive."""
        for other in self.others.values():
            other.expires = clock.now() + PRESENCE_SECONDS

    @property
    def live_others(self) -> list[OtherProcess]:
        if not self.others:
            return []
        now = clock.now()
        return [other for other in self.others.values() if other.expires > now]

    @property
    def goes_first(self) -> bool:
        """Whether it is up to this process to act for bots and absent players; the others do so if it fails to."""
        if not self.others:
            return True
        now = clock.now()
        active = [process for process, other in self.others.items() if other.expires > now and other.seats]
        return not any(process < self.process for process in active)
