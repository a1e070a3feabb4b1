"""Tickets that are kept on this machine, so that whoever joins a table again has the same seat."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

import msgspec

from fuda.client import Link, Promise, Ticket
from fuda.folders import data_folder
from fuda.protocol.parts import Seat


class Kept(msgspec.Struct, frozen=True):
    """A ticket, whose it is, and what was promised before the deals."""

    ticket: Ticket
    name: str
    promises: list[Promise] = []


def folder() -> Path:
    return data_folder() / "tickets"


def path_of(ticket: Ticket) -> Path:
    server = re.sub(r"\W+", "-", ticket.server.partition("://")[2])
    return folder() / f"{server}-{ticket.table}-{ticket.seat}.json"


def keep(kept: Kept) -> None:
    """Writes it, whole or not at all, where only this user can read it."""
    path = path_of(kept.ticket)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.encode(kept))
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def find(link: Link, name: str | None, seat: Seat | None) -> Kept | None:
    """The ticket for this table that was kept last, of this name and for this seat if they are given."""
    found: list[tuple[float, Kept]] = []
    for path in sorted(folder().glob(f"*-{link.table}-?.json")):
        try:
            kept = msgspec.json.decode(path.read_bytes(), type=Kept)
            at = path.stat().st_mtime
        except (OSError, msgspec.MsgspecError, UnicodeError):
            continue  # damaged: a seat can be taken anew
        ticket = kept.ticket
        is_here = (ticket.server, ticket.table) == (link.server, link.table)
        if is_here and name in (None, kept.name) and seat in (None, ticket.seat):
            found.append((at, kept))
    return max(found, key=lambda one: one[0])[1] if found else None


def forget(ticket: Ticket) -> None:
    path_of(ticket).unlink(missing_ok=True)


def with_promises(kept: Kept, promises: Iterable[Promise]) -> Kept:
    return msgspec.structs.replace(kept, promises=[*promises])
