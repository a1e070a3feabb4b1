"""Sends to everyone at a table what happens, each what their seat may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fuda.protocol import messages
from fuda.protocol.parts import Seat
from fuda.server import entries, news
from fuda.server.deadlines import Deadlines
from fuda.server.entries import Logged
from fuda.server.presence import Presence
from fuda.server.sockets import ENCODER, NOT_ALLOWED, Socket
from fuda.server.table import RecentEvent, Table

SEATING: Final = (
    entries.Sat,
    entries.Left,
    entries.ChairSet,
    entries.Swapped,
    entries.Started,
    entries.Claimed,
)
"""Entries that change who sits where."""


class Broadcast:
    def __init__(self, table: Table, presence: Presence, deadlines: Deadlines) -> None:
        self.table = table
        self.presence = presence
        self.deadlines = deadlines
        self.last_presence: messages.Here | None = None
        """Who is connected, as it was last sent to everyone."""

    def show_since(self, version: int, logged: Sequence[Logged]) -> None:
        """Sends everyone what has happened since this version, with these entries."""
        events = self.table.events_since(version)
        if events is None:
            known = [event for event in self.table.recent_events if event.version > version]
            for socket in self.presence.sockets:
                self.welcome_again(socket, known)
            self.show_presence()
        elif events:
            self.show(events)
        for one in logged:
            if isinstance(one.entry, entries.Answered) and one.entry.sealed:
                self.show_sealed(one.entry.seat)

    def show(self, events: list[RecentEvent]) -> None:
        frames: dict[Seat | None, list[bytes]] = {}
        for socket in self.presence.sockets:
            seat = self.table.seat_of(socket.token)
            if not socket.is_welcome:
                socket.seat = seat
            elif seat != socket.seat:
                self.welcome_again(socket, events)
            else:
                if seat not in frames:
                    frames[seat] = self.frames_of(events, seat, is_all=len(events) > 1)
                for frame in frames[seat]:
                    socket.send(frame)
        if any(isinstance(event.entry, SEATING) for event in events):
            self.show_presence()

    def show_sealed(self, seat: Seat) -> None:
        """Tells only the seat itself that its answer to a reaction was accepted."""
        since = self.table.questions.since.get(seat)
        if since is not None and self.table.questions.held.get(seat):
            for socket in self.presence.sockets:
                if socket.is_welcome and socket.seat == seat:
                    socket.say(messages.Sealed(since))

    @property
    def here(self) -> messages.Here:
        presence = self.presence
        return messages.Here(presence.connected, presence.spectators, presence.acting_host, presence.gone)

    def show_presence(self) -> None:
        """Sends everyone who is connected, if that has changed."""
        self.presence.update()
        now = self.here
        if now != self.last_presence:
            self.last_presence = now
            frame = ENCODER.encode(now)
            for socket in self.presence.sockets:
                if socket.is_welcome:
                    socket.send(frame)

    # To one connection ------------------------------------------------------------------------------

    def welcome(self, socket: Socket) -> None:
        """Sends the whole table."""
        if socket.is_welcome:
            socket.say(news.welcome_of(self.table, socket.seat, self.presence.connected, self.deadlines.seconds_left))

    def welcome_again(self, socket: Socket, events: list[RecentEvent]) -> None:
        """Sends the whole table to a connection whose seat has changed; one that has lost its seat is ended."""
        before, socket.seat = socket.seat, self.table.seat_of(socket.token)
        taken = [event.entry for event in events if isinstance(event.entry, entries.ChairSet | entries.Claimed)]
        if before is not None and socket.seat is None and taken:
            is_moved = isinstance(taken[-1], entries.Claimed)
            text = "You are playing on another device now." if is_moved else "The host has given your seat away."
            socket.end(NOT_ALLOWED, messages.Bye("moved" if is_moved else "removed", text, again=False))
        else:
            self.welcome(socket)

    def catch_up(self, socket: Socket, missed: list[RecentEvent] | None) -> None:
        """Sends what the connection has missed; the whole table, if that cannot be told."""
        if missed:
            for frame in self.frames_of(missed, socket.seat, is_all=True):
                socket.send(frame)
            socket.say(self.here)
        else:
            # Also if nothing was missed: after a restart the deadline may be another one.
            self.welcome(socket)

    def missed_by(self, hello: messages.Hello) -> list[RecentEvent] | None:
        """The events since the version that the client has seen; None if it needs the whole table."""
        recent = self.table.recent_events
        if hello.number != self.table.number or hello.version == 0 or not recent:
            return None
        at = hello.version - recent[0].version
        if not 0 <= at < len(recent) or recent[at].noted != hello.noted or recent[at].number != hello.number:
            return None
        missed = [*recent][at + 1 :]
        # Only a welcome tells a client its seat.
        return None if any(isinstance(event.entry, SEATING) for event in missed) else missed

    def frames_of(self, events: list[RecentEvent], viewer: Seat | None, is_all: bool) -> list[bytes]:
        return [
            ENCODER.encode(event)
            for event in news.events_of(self.table, events, viewer, self.deadlines.seconds_left, is_all)
        ]
