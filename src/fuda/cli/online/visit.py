"""A visit to a table elsewhere: from the link to the farewell."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any, TypeVar

import msgspec
from rich.console import Group
from rich.text import Text

import fuda
from fuda import bots
from fuda.cli.online import tickets as online_tickets
from fuda.cli.online.connection import Wire
from fuda.cli.online.game import OnlineGame, plain, seating_of
from fuda.cli.online.session import OnlineSession
from fuda.cli.online.tickets import Kept
from fuda.cli.table.cards import looks_of
from fuda.cli.table.score import result_of
from fuda.cli.terminal.interrupts import Bell
from fuda.cli.terminal.screen import Screen
from fuda.cli.terminal.shell import command
from fuda.cli.terminal.signals import Leave, Watch
from fuda.client import Denied, Known, Link, claim, connect, link_from, open_table, tables, take_seat
from fuda.client.bots import play_on
from fuda.client.links import server_from
from fuda.protocol.messages import Open
from fuda.protocol.parts import Pace, Seat

T = TypeVar("T")


class Wish(msgspec.Struct):
    """A table that somebody wants to open."""

    game: str
    players: int | None
    options: dict[str, Any]
    public: bool
    pace: Pace


class Visit:
    """Who comes to which table, and how."""

    def __init__(self, url: str, name: str | None, seat: Seat | None, family: bool) -> None:
        self.url = url
        self.name = name
        self.seat = seat
        self.family = family
        self.wish: Wish | None = None
        """The table to be opened, if it is not there yet."""
        self.watch = Watch()
        self.bell = Bell()
        self.screen = Screen(self.watch, self.bell)

    def begin(self, bot: str | None, is_watching: bool) -> int:
        """Plays, watches, or has a bot play, until it is left or over. Returns the exit status."""
        if bot is not None:
            self.name = self.name or bot.capitalize()
            return self.seat_bot(self.find_seat(), bot)
        with self.watch.kept(), self.bell.kept():
            try:
                return self.sit_down(self.find_table() if is_watching else self.find_seat())
            except Leave as leave:
                return leave.status

    def fetch(self, request: Coroutine[Any, Any, T]) -> T:
        """Something that is asked for before there is a table."""
        with self.watch.waiting():
            return asyncio.run(request)

    # Finding a seat -------------------------------------------------------------------------------

    def find_seat(self) -> Kept:
        """The host's seat at a new table, or one at a table that is there."""
        if self.wish is None:
            return self.seat_at(self.find_table())
        wish = self.wish
        name = self.name or self.ask_name()
        table = Open(wish.game, name, players=wish.players, options=wish.options, public=wish.public, pace=wish.pace)
        kept = Kept(self.fetch(open_table(self.url, table)), name)
        self.keep(kept)
        return kept

    def find_table(self) -> Link:
        """The table to which the link leads, or one from the server's list of public tables."""
        with contextlib.suppress(fuda.Error):
            return link_from(self.url)
        server = server_from(self.url)
        if server != self.url.strip().rstrip("/"):
            return link_from(self.url)
        listed = self.fetch(tables(server))
        if not listed:
            raise fuda.Error(f"There is no public table at {server}; ask your friends for the link to theirs.")
        for number, one in enumerate(listed, 1):
            chairs = f"{one.open} of {one.players} chairs open"
            self.screen.say([Text(f" {number} {one.game}, {one.phase}: {plain(one.host)} is the host, {chairs}")])

        def chosen(word: str) -> Link:
            if word.isdecimal() and 1 <= int(word[:6]) <= len(listed):
                return Link(server, listed[int(word[:6]) - 1].id)
            raise fuda.Error(f"Which table? A number from 1 to {len(listed)}.")

        try:
            return self.screen.ask_until("A number", "1", chosen)
        except EOFError:
            raise fuda.Error("The input ended before a table was chosen.") from None

    def seat_at(self, link: Link) -> Kept:
        """The seat that was taken before, or is taken now; it is kept on this machine."""
        found = None if link.kind == "d" else online_tickets.find(link, self.name, self.seat)
        if found is not None:
            return found
        kept = Kept(self.fetch(claim(link)), self.name or "") if link.kind == "d" else self.take_seat(link)
        self.keep(kept)
        return kept

    def keep(self, kept: Kept) -> None:
        with contextlib.suppress(OSError):  # then it cannot be taken back later, but played
            online_tickets.keep(kept)

    def take_seat(self, link: Link) -> Kept:
        while True:
            name = self.name or self.ask_name()
            try:
                return Kept(self.fetch(take_seat(link, name, self.seat)), name)
            except Denied as denied:
                if self.name is not None or denied.code not in ("taken", "bad name"):
                    raise
                self.screen.say([Text(plain(denied.text))])

    def ask_name(self) -> str:
        name = ""
        while not name:
            try:
                name = self.screen.ask("Your name > ").strip()
            except EOFError:
                raise fuda.Error("The input ended before a name was given; say it with --name.") from None
        return name

    # At the table ---------------------------------------------------------------------------------

    def sit_down(self, place: Link | Kept) -> int:
        """Plays at a seat, or watches."""
        screen = self.screen
        kept = place if isinstance(place, Kept) else None
        with Wire(place.ticket if isinstance(place, Kept) else place, screen, kept.promises if kept else []) as wire:
            if kept is not None and wire.known.you is None:
                online_tickets.forget(kept.ticket)
                raise fuda.Error("The seat that you had at this table is no longer yours; join again for another one.")
            session = OnlineSession(wire, screen, kept and named_as(kept, wire.known))
            session.family = self.family
            status = 0
            try:
                with screen:
                    session.run()
            except Leave as leave:
                status = leave.status
            with contextlib.suppress(OSError):  # the terminal may have gone away
                self.say_farewell(session)
        return status

    def say_farewell(self, session: OnlineSession) -> None:
        """How it ended, and how to come back."""
        screen, kept = self.screen, session.kept
        family = ["--family"] if self.family else []
        if kept is not None and session.has_left:
            online_tickets.forget(kept.ticket)
            screen.say([Text("You have left the table.")])
        elif session.game.over and not session.is_before:
            screen.say([Text(), *session.end_of_story(session.known.you), Text()])
            screen.console.print(Group(*session.result()), soft_wrap=True)
        elif session.wire.ended is not None or session.known.table.phase == "closed":
            why = session.known.table.why_closed
            screen.say([Text(f"The table is {plain(why)}." if why else plain(str(session.wire.ended)))])
            if kept is not None:
                online_tickets.forget(kept.ticket)
        elif kept is None:
            screen.say([Text(f"To watch again: {command('join', session.link, '--watch', *family)}")])
        else:
            link = Link(kept.ticket.server, kept.ticket.table)
            screen.say([Text(f"The seat stays yours. To come back: {command('join', link, *family)}")])

    # Bots -----------------------------------------------------------------------------------------

    def seat_bot(self, kept: Kept, kind: str) -> int:
        """Has one of Fuda's own bots play the seat from here, until the game is over."""
        known = asyncio.run(self.let_bot_play(kept, kind))
        if known.view is not None:
            game = OnlineGame(known)
            looks = looks_of(game.rules, self.family)
            self.screen.console.print(result_of(game, seating_of(known).names, looks, self.screen.width))
        return 0

    async def let_bot_play(self, kept: Kept, kind: str) -> Known:
        async with connect(kept.ticket, promises=kept.promises) as table:
            bot = bots.bot(kind, table.state.game, fuda.fresh_seed())
            self.screen.say([Text(f"{kept.name} ({kind}) has seat {table.you} at {kept.ticket.link}")])
            await play_on(table, bot.choose, rematches=False)
            return table.known


def named_as(kept: Kept, known: Known) -> Kept:
    """With the name that goes with the seat, which is not known of one that was moved here."""
    name = next((chair.name for chair in known.table.chairs if chair.seat == known.you), kept.name)
    return msgspec.structs.replace(kept, name=name)
