"""The command `fuda play`: a game at this terminal."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Final

import click
from rich.text import Text

import fuda
from fuda.cli.arguments import find_game, parse_options
from fuda.cli.local.recorded_game import RecordedGame
from fuda.cli.local.save_file import SaveFile
from fuda.cli.local.session import LocalSession
from fuda.cli.local.setup import SetupArguments, set_up
from fuda.cli.table import saved_games
from fuda.cli.table.score import game_result
from fuda.cli.table.seating import assign_seats, load_seating, parse_bots, parse_people
from fuda.cli.terminal.screen import Screen
from fuda.cli.terminal.shell import shell_command
from fuda.cli.terminal.signals import Quit, SignalGuard

PACE: Final = 0.7
"""Seconds between the bots' moves."""


@click.command(short_help="Play a game at this terminal.")
@click.argument("game", required=False)
@click.option("--players", type=int, help="How many play.")
@click.option("--people", metavar="WHO", help="Who are people: seats (A,C), names (Ann,Bob), both (A=Ann,C=Bob), or none.")
@click.option("--bots", metavar="KINDS", help="Which bots: thumb, or for each seat B=random,C=thumb.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game; see `fuda games`.")
@click.option("--seed", type=int, help="The same seed gives the same cards.")
@click.option("--from", "file", type=click.Path(path_type=Path), help="Continue a saved game.")
@click.option("--pace", type=click.FloatRange(0, 10), help=f"Seconds between the bots' moves.  [default: {PACE}]")
@click.option("--family", is_flag=True, help="Show family-friendly card names; the others can still be typed.")
def play(
    game: str | None,
    players: int | None,
    people: str | None,
    bots: str | None,
    options: tuple[str, ...],
    seed: int | None,
    file: Path | None,
    pace: float | None,
    family: bool,
) -> None:
    """Play GAME at this terminal, alone with bots or with others who share it.

    You are asked for whatever you leave out. At the table, type the number of a move, or a card's name or
    the beginning of it; `help` lists the commands. Ctrl-C saves the game and quits.

    \b
    Examples:
      fuda play
      fuda play schadenfreude --players 4 --people A --bots thumb
      fuda play cursed_tricks --players 4 --people Ann,Bob --option rounds=2
      fuda play frantic --players 4 --people A --family
      fuda play --from game.json
    """
    signals = SignalGuard()
    screen = Screen(signals)
    arguments = SetupArguments(game, players, people, bots)
    if file is not None:
        session = saved_session(screen, file, arguments, options, seed, family)
    else:
        session = new_session(screen, arguments, options, seed, family)
    session.pace = PACE if pace is None else pace
    with signals.installed():
        raise SystemExit(run_session(session))


def new_session(
    screen: Screen, arguments: SetupArguments, options: tuple[str, ...], seed: int | None, family: bool
) -> LocalSession:
    given = parse_options(options)
    if arguments.game is not None and arguments.players is not None:
        # Report wrong options before anything is asked.
        fuda.new(find_game(arguments.game), arguments.players, 0, given)
    try:
        seating = set_up(screen, arguments)
    except EOFError:
        raise fuda.Error("The input ended before the game could begin.") from None
    game = fuda.new(seating.game, len(seating.names), seed, given)
    session = LocalSession(game, screen, SaveFile(saved_games.new_path(seating.game), seating), family)
    session.create_bots(fuda.fresh_seed() if seed is None else seed)
    return session


def saved_session(
    screen: Screen, file: Path, arguments: SetupArguments, options: tuple[str, ...], seed: int | None, family: bool
) -> LocalSession:
    """A saved game, with its own seating or a new one."""
    if arguments.game is not None or arguments.players is not None or options or seed is not None:
        raise fuda.Error("A saved game has its own game, players, options and seed: leave them out with --from.")
    saved = saved_games.read(file)
    try:
        recorded = RecordedGame(saved.record)
        game = fuda.replay(saved.record)
        seating = load_seating(game.rules.id, len(game.totals), saved.table)
    except fuda.Error as error:
        raise fuda.Error(f"{file}: {error}") from error
    if arguments.people is not None or arguments.bots is not None:
        people = {seat: seating.names[seat] for seat in seating.people}
        players = len(seating.names)
        if arguments.people is not None:
            people = parse_people(arguments.people, players)
        bot_kinds = parse_bots(arguments.bots or "", seating.game, players, people)
        seating = assign_seats(seating.game, players, people, bot_kinds)
    path = file.absolute() if saved.table is not None else saved_games.new_path(game.rules.id)
    session = LocalSession(game, screen, SaveFile(path, seating), family)
    session.create_bots(fuda.fresh_seed())
    session.resume(recorded)
    return session


def run_session(session: LocalSession) -> int:
    """Plays until the game is over or somebody quits, and saves it; returns the exit status."""
    screen, table = session.screen, session.table
    family = ["--family"] if table.family else []
    try:
        with screen:
            session.run()
    except Quit as quit_:
        path = session.save_file.save_at_end(session.game)
        with contextlib.suppress(OSError):  # the terminal may have gone away
            screen.print_lines([Text(f"The game is saved. To continue: {shell_command('play', '--from', path, *family)}")])
        return quit_.status
    path = session.save_file.save_at_end(session.game)
    screen.print_lines([Text(), *session.final_news(), Text()])
    screen.console.print(game_result(session.game, table.names, table.looks, screen.width))
    screen.print_lines([Text(), Text(f"To see it again: {shell_command('replay', path, *family)}", "dim")])
    return 0
