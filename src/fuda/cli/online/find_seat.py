"""Finds a seat at a server: at a new table, by a link, or from the list of public tables."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any, TypeVar

import msgspec
from rich.text import Text

import fuda
from fuda.cli.online.tickets import SavedTicket, find_ticket, save_ticket
from fuda.cli.terminal.layout import printable
from fuda.cli.terminal.screen import Screen
from fuda.client import Denied, Link, claim, link_from, open_table, tables, take_seat
from fuda.client.links import server_from
from fuda.protocol.messages import Open
from fuda.protocol.parts import Pace, Seat

T = TypeVar("T")


class NewTable(msgspec.Struct):
    """A table to be opened."""

    game: str
    players: int | None
    options: dict[str, Any]
    public: bool
    pace: Pace


class SeatFinder:
    """Asks the server for a seat, and the player for a name and a table if they are not given."""

    def __init__(self, screen: Screen, url: str, name: str | None, seat: Seat | None, new_table: NewTable | None) -> None:
        self.screen = screen
        self.url = url
        self.name = name
        self.seat = seat
        self.new_table = new_table

    def request(self, work: Coroutine[Any, Any, T]) -> T:
        with self.screen.signals.interruptible():
            return asyncio.run(work)

    def find_seat(self) -> SavedTicket:
        """The host's seat at a new table, or a seat at an existing one; its ticket is saved."""
        if self.new_table is None:
            return self.find_seat_at(self.find_table())
        new = self.new_table
        name = self.name or self.ask_name()
        table = Open(new.game, name, players=new.players, options=new.options, public=new.public, pace=new.pace)
        return self.save(SavedTicket(self.request(open_table(self.url, table)), name))

    def find_table(self) -> Link:
        """The table of the link, or one of the server's public tables."""
        with contextlib.suppress(fuda.Error):
            return link_from(self.url)
        server = server_from(self.url)
        if server != self.url.strip().rstrip("/"):
            return link_from(self.url)
        listed = self.request(tables(server))
        if not listed:
            raise fuda.Error(f"There are no public tables at {server}. Ask your friends for the link to theirs.")
        for number, one in enumerate(listed, 1):
            chairs = f"{one.open} of {one.players} chairs open"
            self.screen.print_lines(
                [Text(f" {number} {one.game}, {one.phase}: {printable(one.host)} is the host, {chairs}")]
            )

        def parse(text: str) -> Link:
            if text.isdecimal() and 1 <= int(text[:6]) <= len(listed):
                return Link(server, listed[int(text[:6]) - 1].id)
            raise fuda.Error(f"Which table? Type a number from 1 to {len(listed)}.")

        try:
            return self.screen.ask_until("Which table?", "1", parse)
        except EOFError:
            raise fuda.Error("The input ended before a table was chosen.") from None

    def find_seat_at(self, link: Link) -> SavedTicket:
        """The seat that the player had before, or a new one."""
        if link.kind == "d":
            return self.save(SavedTicket(self.request(claim(link)), self.name or ""))
        return find_ticket(link, self.name, self.seat) or self.save(self.take_seat(link))

    def save(self, ticket: SavedTicket) -> SavedTicket:
        with contextlib.suppress(OSError):  # the seat can be played, but not found again
            save_ticket(ticket)
        return ticket

    def take_seat(self, link: Link) -> SavedTicket:
        while True:
            name = self.name or self.ask_name()
            try:
                return SavedTicket(self.request(take_seat(link, name, self.seat)), name)
            except Denied as denied:
                if self.name is not None or denied.code not in ("taken", "bad name"):
                    raise
                self.screen.print_lines([Text(printable(denied.text))])

    def ask_name(self) -> str:
        name = ""
        while not name:
            try:
                name = self.screen.ask("Your name > ").strip()
            except EOFError:
                raise fuda.Error("The input ended before a name was given. Use --name.") from None
        return name
