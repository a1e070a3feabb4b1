"""Plays or watches at a server's table, or lets a bot play there, from joining to saying goodbye."""

from __future__ import annotations

import asyncio
import contextlib

import msgspec
from rich.console import Group
from rich.text import Text

import fuda
from fuda import bots
from fuda.cli.online.connection import Connection
from fuda.cli.online.find_seat import SeatFinder
from fuda.cli.online.game import OnlineGame, seating_from_chairs
from fuda.cli.online.seen_files import SeenFiles
from fuda.cli.online.session import OnlineSession
from fuda.cli.online.tickets import SavedTicket, delete_ticket, save_ticket
from fuda.cli.table.cards import card_looks
from fuda.cli.table.score import game_result
from fuda.cli.terminal.layout import printable
from fuda.cli.terminal.screen import Screen
from fuda.cli.terminal.shell import shell_command
from fuda.cli.terminal.signals import Quit
from fuda.client import Known, Link, Ticket, connect
from fuda.client.bots import play_on


def play_online(finder: SeatFinder, is_watching: bool, family: bool) -> int:
    """Plays or watches until the player quits or it is over; returns the exit status."""
    screen = finder.screen
    assert screen.interrupter is not None
    with screen.signals.installed(), screen.interrupter.installed():
        try:
            if is_watching:
                return run_session(screen, finder.find_table(), None, family)
            ticket = finder.find_seat()
            return run_session(screen, ticket.ticket, ticket, family)
        except Quit as quit_:
            return quit_.status


def run_session(screen: Screen, target: Link | Ticket, ticket: SavedTicket | None, family: bool) -> int:
    files = SeenFiles(target)
    with Connection(target, screen, files.load()) as connection:
        if ticket is not None and connection.known.you is None:
            delete_ticket(ticket.ticket)
            raise fuda.Error("Your seat at this table has been given away. Join again for another one.")
        if ticket is not None:
            ticket = with_current_name(ticket, connection.known)
            with contextlib.suppress(OSError):  # the seat can be played, but not found again
                save_ticket(ticket)
        session = OnlineSession(connection, screen, ticket, files, family)
        status = 0
        try:
            with screen:
                session.run()
        except Quit as quit_:
            status = quit_.status
        with contextlib.suppress(OSError):  # the terminal may have gone away
            print_goodbye(session)
        files.save(connection.client.seen)
    return status


def print_goodbye(session: OnlineSession) -> None:
    """How it ended, and how to come back."""
    screen, ticket, known = session.screen, session.ticket, session.online.known
    table = session.online.table
    family = ["--family"] if table.family else []
    if ticket is not None and session.commands.has_left:
        delete_ticket(ticket.ticket)
        screen.print_lines([Text("You have left the table.")])
    elif table.game.over and not session.online.is_before_game:
        screen.print_lines([Text(), *session.display.round_end.final_news(known.you), Text()])
        screen.console.print(Group(*session.game_end.result(screen.width)), soft_wrap=True)
    elif session.connection.ended is not None or known.table.phase == "closed":
        why = known.table.why_closed
        screen.print_lines([Text(f"The table is {printable(why)}." if why else printable(str(session.connection.ended)))])
        if known.table.phase == "closed" and known.number == known.table.number:
            screen.console.print(Group(*session.game_end.deal_lines()), soft_wrap=True)
        if ticket is not None:
            delete_ticket(ticket.ticket)
    elif ticket is None:
        screen.print_lines([Text(f"To watch again: {shell_command('join', session.online.link, '--watch', *family)}")])
    else:
        link = Link(ticket.ticket.server, ticket.ticket.table)
        screen.print_lines([Text(f"Your seat stays yours. To come back: {shell_command('join', link, *family)}")])


def with_current_name(ticket: SavedTicket, known: Known) -> SavedTicket:
    """The ticket with the seat's name, which is unknown for a seat that was moved to this device."""
    name = next((chair.name for chair in known.table.chairs if chair.seat == known.you), ticket.name)
    return msgspec.structs.replace(ticket, name=name)


def run_bot(finder: SeatFinder, kind: str, family: bool) -> int:
    """Lets one of Fuda's bots play the seat from here, until the game is over; returns the exit status."""
    finder.name = finder.name or kind.capitalize()
    known = asyncio.run(play_as_bot(finder.find_seat(), kind, finder.screen))
    if known.view is not None:
        game = OnlineGame(known)
        names = seating_from_chairs(known).names
        finder.screen.console.print(game_result(game, names, card_looks(game.rules, family), finder.screen.width))
    return 0


async def play_as_bot(ticket: SavedTicket, kind: str, screen: Screen) -> Known:
    files = SeenFiles(ticket.ticket)
    async with connect(ticket.ticket, seen=files.load()) as table:
        bot = bots.bot(kind, table.state.game, fuda.fresh_seed())
        screen.print_lines([Text(f"{ticket.name} ({kind}) has seat {table.you} at {ticket.ticket.link}")])
        await play_on(table, bot.choose, rematches=False)
        files.save(table.seen)
        screen.print_lines([Text(doubt.text) for doubt in table.doubts])
        return table.known
