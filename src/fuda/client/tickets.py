"""Tickets: the proof of a player's seat."""

from __future__ import annotations

import msgspec

import fuda
from fuda.client.links import Link
from fuda.protocol.parts import Seat, cookie_name


class Ticket(msgspec.Struct, frozen=True):
    """A seat at a table. The token gives access to the seat, so `repr` does not show it."""

    server: str
    table: str
    seat: Seat
    token: str
    invite: str = ""

    def __repr__(self) -> str:
        return f"<Ticket for seat {self.seat} of {self.table} at {self.server}>"

    @property
    def link(self) -> str:
        """The link with which others can join this table."""
        return str(Link(self.server, self.table, self.invite))

    @property
    def cookie(self) -> str:
        return f"{cookie_name(self.table)}={self.token}"

    def as_json(self) -> str:
        """For storage that nobody else can read."""
        return msgspec.json.encode(self).decode()


def ticket_from(text: str | bytes) -> Ticket:
    """A stored ticket."""
    try:
        return msgspec.json.decode(text, type=Ticket)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise fuda.Error("The ticket is damaged.") from error
