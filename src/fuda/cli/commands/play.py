"""The command `fuda play`: sit down at a table."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path
from typing import Final

import click
from rich.text import Text

import fuda
from fuda.cli.arguments import game_named, options_from
from fuda.cli.local.recorded_game import Steps
from fuda.cli.local.session import Session
from fuda.cli.local.setup import Wishes, new_table
from fuda.cli.table import saved_games as saves
from fuda.cli.table.score import result_of
from fuda.cli.table.seating import kinds_from, people_from, seat_all, seating_from
from fuda.cli.terminal.screen import Screen
from fuda.cli.terminal.shell import command
from fuda.cli.terminal.signals import Leave, Watch

PACE: Final = 0.7
"""Seconds that bots take for a move in a terminal."""


@click.command(short_help="Play a game at this terminal.")
@click.argument("game", required=False)
@click.option("--players", type=int, help="How many play.")
@click.option("--people", metavar="WHO", help="Who are people: seats (A,C), names (Ann,Bob), both (A=Ann,C=Bob), or none.")
@click.option("--bots", metavar="KINDS", help="What kind the bots are: thumb, or for each seat B=random,C=thumb.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game; see `fuda games`.")
@click.option("--seed", type=int, help="The same seed gives the same cards.")
@click.option("--from", "file", type=click.Path(path_type=Path), help="Go on with a saved game.")
@click.option("--pace", type=click.FloatRange(0, 10), help=f"Seconds between the bots' moves; {PACE} in a terminal.")
@click.option("--family", is_flag=True, help="Show names that children may read; others can still be typed.")
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

    Whatever is not said is asked. At the table, type a move's number, a card's name or a clear
    beginning of one; `help` lists what else you can type. Ctrl-C saves the game and leaves.

    \b
    Examples:
      fuda play
      fuda play schadenfreude --players 4 --people A --bots thumb
      fuda play cursed_tricks --players 4 --people Ann,Bob --option rounds=2
      fuda play frantic --players 4 --people A --family
      fuda play --from game.json
    """
    watch = Watch()
    screen = Screen(watch)
    wishes = Wishes(game, players, people, bots)
    if file is not None:
        session = saved_session(screen, file, wishes, options, seed)
    else:
        session = new_session(screen, wishes, options, seed)
    session.family = family
    session.pace = PACE if pace is None else pace
    raise SystemExit(sit_down(session, watch))


def new_session(screen: Screen, wishes: Wishes, options: tuple[str, ...], seed: int | None) -> Session:
    given = options_from(options)
    if wishes.game is not None and wishes.players is not None:
        # What is wrong with the options is better said before anything is asked.
        fuda.new(game_named(wishes.game), wishes.players, 0, given)
    try:
        seating = new_table(screen, wishes)
    except EOFError:
        raise fuda.Error("The input ended before the game could begin.") from None
    game = fuda.new(seating.game, len(seating.names), seed, given)
    session = Session(game, seating, screen, saves.fresh_path(seating.game))
    session.seat_bots(fuda.fresh_seed() if seed is None else seed)
    return session


def saved_session(screen: Screen, file: Path, wishes: Wishes, options: tuple[str, ...], seed: int | None) -> Session:
    """The session of a saved game; others may sit down at it than those who left."""
    if wishes.game is not None or wishes.players is not None or options or seed is not None:
        raise fuda.Error("A saved game has its own game, players, options and luck: leave them out with --from.")
    saved = saves.read(file)
    try:
        steps = Steps(saved.record)
        game = fuda.replay(saved.record)
        seating = seating_from(game.rules.id, len(game.totals), saved.table)
    except fuda.Error as error:
        raise fuda.Error(f"{file}: {error}") from error
    if wishes.people is not None or wishes.bots is not None:
        named = {seat: seating.names[seat] for seat in seating.people}
        players = len(seating.names)
        people = named if wishes.people is None else people_from(wishes.people, players)
        seating = seat_all(seating.game, players, people, kinds_from(wishes.bots or "", seating.game, players, people))
    path = file.absolute() if saved.table is not None else saves.fresh_path(game.rules.id)
    session = Session(game, seating, screen, path)
    session.seat_bots(fuda.fresh_seed())
    session.resume(steps)
    return session


def sit_down(session: Session, watch: Watch) -> int:
    """Plays until the game is over or somebody leaves; either way it is saved. Returns the exit status."""
    family = ["--family"] if session.family else []
    with watch.kept():
        try:
            with session.screen:
                session.run()
        except Leave as leave:
            path = save(session)
            with contextlib.suppress(OSError):  # the terminal may have gone away
                session.screen.say([Text(f"The game is saved. To go on: {command('play', '--from', path, *family)}")])
            return leave.status
        path = save(session)
        session.screen.say([Text(), *session.last_words(), Text()])
        session.screen.console.print(result_of(session.game, session.names, session.looks, session.screen.width))
        session.screen.say([Text(), Text(f"To see it again: {command('replay', path, *family)}", "dim")])
    return 0


def save(session: Session) -> Path:
    path = session.path
    places = [path, Path.cwd() / path.name, Path(tempfile.gettempdir()) / path.name]
    return saves.write_somewhere(places, session.game.record(), session.seating)
