"""Tickets saved on this machine, so that a player who comes back has the same seat."""

from __future__ import annotations

from pathlib import Path

import msgspec

from fuda.cli.online.seen_files import server_slug
from fuda.client import Link, Ticket
from fuda.folders import data_folder, replace_file
from fuda.protocol.parts import Seat


class SavedTicket(msgspec.Struct, frozen=True):
    """A ticket, and its player's name."""

    ticket: Ticket
    name: str


def folder() -> Path:
    return data_folder() / "tickets"


def ticket_path(ticket: Ticket) -> Path:
    return folder() / f"{server_slug(ticket.server)}-{ticket.table}-{ticket.seat}.json"


def save_ticket(saved: SavedTicket) -> None:
    path = ticket_path(saved.ticket)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace_file(path, msgspec.json.encode(saved))


def find_ticket(link: Link, name: str | None, seat: Seat | None) -> SavedTicket | None:
    """The latest ticket for this table, for this name and this seat if they are given."""
    found: list[tuple[float, SavedTicket]] = []
    for path in sorted(folder().glob(f"*-{link.table}-?.json")):
        try:
            saved = msgspec.json.decode(path.read_bytes(), type=SavedTicket)
            time = path.stat().st_mtime
        except (OSError, msgspec.MsgspecError, UnicodeError):
            continue  # damaged: a new seat can be taken
        ticket = saved.ticket
        is_same_table = (ticket.server, ticket.table) == (link.server, link.table)
        if is_same_table and name in (None, saved.name) and seat in (None, ticket.seat):
            found.append((time, saved))
    return max(found, key=lambda one: one[0])[1] if found else None


def delete_ticket(ticket: Ticket) -> None:
    ticket_path(ticket).unlink(missing_ok=True)
