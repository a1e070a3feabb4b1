"""The command `fuda join`: play at a server's table."""

from __future__ import annotations

from typing import get_args

import click

from fuda.cli.arguments import find_game, parse_options
from fuda.cli.terminal.interrupts import InputInterrupter
from fuda.cli.terminal.screen import Screen
from fuda.cli.terminal.signals import SignalGuard
from fuda.engine.seats import SEATS
from fuda.protocol.parts import Pace, Seat


@click.command(short_help="Play at a server's table.")
@click.argument("url")
@click.option("--name", help="Your name at the table.")
@click.option("--seat", type=click.Choice(SEATS, case_sensitive=False), help="The seat to take.  [default: any]")
@click.option("--watch", "is_watching", is_flag=True, help="Only watch.")
@click.option("--bot", metavar="KIND", help="Let a bot of this kind play the seat.")
@click.option("--new", "game", metavar="GAME", help="Open a new table for this game at the server URL; you are its host.")
@click.option("--players", type=int, help="The number of chairs at the new table.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the new game; see `fuda games`."
)
@click.option("--public", "is_public", is_flag=True, help="List the new table for everybody.")
@click.option(
    "--pace", type=click.Choice(get_args(Pace)), default="normal", show_default=True, help="How much time players have."
)
@click.option("--family", is_flag=True, help="Show family-friendly card names; the others can still be typed.")
def join(
    url: str,
    name: str | None,
    seat: Seat | None,
    is_watching: bool,
    bot: str | None,
    game: str | None,
    players: int | None,
    options: tuple[str, ...],
    is_public: bool,
    pace: Pace,
    family: bool,
) -> None:
    """Play at the table with the link URL; with the address of a server, choose one of its public tables.

    Everything is typed as in `fuda play`; `help` lists the commands, such as `say`. Ctrl-C quits, and if you
    join again you have the same seat.

    \b
    Examples:
      fuda join http://127.0.0.1:8000 --new frantic --name Ann
      fuda join http://127.0.0.1:8000/t/k3jd82hqp#1f0c --name Ben
      fuda join http://127.0.0.1:8000/t/k3jd82hqp --watch
      fuda join http://127.0.0.1:8000/t/k3jd82hqp#1f0c --name Rob --bot thumb
    """
    # Only this command needs the network, which is slow to import.
    from fuda.cli.online.find_seat import NewTable, SeatFinder
    from fuda.cli.online.visit import play_online, run_bot

    new_table = None
    if game is not None:
        new_table = NewTable(find_game(game), players, parse_options(options), is_public, pace)
    screen = Screen(SignalGuard(), InputInterrupter())
    finder = SeatFinder(screen, url, name, seat, new_table)
    raise SystemExit(play_online(finder, is_watching, family) if bot is None else run_bot(finder, bot, family))
