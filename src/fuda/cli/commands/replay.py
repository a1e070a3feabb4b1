"""The command `fuda replay`: a recorded game again, step by step."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import RenderableType
from rich.text import Text

import fuda
from fuda.bots.seating import DEFAULT_NAMES
from fuda.cli.local.recorded_game import Steps
from fuda.cli.table import saved_games as saves
from fuda.cli.table.cards import looks_of
from fuda.cli.table.frame import Scene
from fuda.cli.table.render import picture
from fuda.cli.table.score import result_of
from fuda.cli.table.seating import checked_seat, seating_from, seats_of
from fuda.cli.terminal.screen import Screen
from fuda.cli.terminal.signals import Leave, Watch


@click.command(short_help="Show a recorded game step by step.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--seat", help="See it with this seat's eyes: its own hand, and nothing that it did not know.")
@click.option("--all", "at_once", is_flag=True, help="Print everything at once, without waiting.")
@click.option("--family", is_flag=True, help="Show names that children may read.")
def replay(file: Path, seat: str | None, at_once: bool, family: bool) -> None:
    """Show the game recorded in FILE step by step: Enter for the next move, b for the one before, q to stop.

    \b
    Examples:
      fuda replay game.json
      fuda replay game.json --seat B
      fuda replay game.json --all > game.txt
    """
    saved = saves.read(file)
    try:
        film = Film(Steps(saved.record), saved.table)
        film.looks = looks_of(film.steps.rules, family)
        film.seat = seat and checked_seat(seat, [*film.names])
    except fuda.Error as error:
        raise fuda.Error(f"{file}: {error}") from error
    watch = Watch()
    screen = Screen(watch)
    if at_once or not screen.live:
        screen.live = False
        for step in range(len(film.steps) + 1):
            screen.draw(film.picture(step, screen))
        screen.leaf(film.ending(screen.width))
        return
    with watch.kept():
        try:
            with screen:
                browse(film, screen)
        except EOFError:
            return
        except Leave as leave:
            raise SystemExit(leave.status) from None


class Film:
    """A recorded game, and with whose eyes it is seen."""

    def __init__(self, steps: Steps, table: object) -> None:
        self.steps = steps
        players = steps.record["players"]
        self.names = dict(zip(seats_of(players), DEFAULT_NAMES, strict=False))
        self.kinds: dict[str, str] = {}
        if table is not None:
            seating = seating_from(steps.rules.id, players, table)
            self.names, self.kinds = seating.names, seating.bots
        self.looks = looks_of(steps.rules)
        self.seat: str | None = None
        """None: all hands lie open."""

    def picture(self, step: int, screen: Screen) -> list[Text]:
        """The table after so many moves, and what the last of them brought."""
        known = len(self.steps.after(step - 1).view(self.seat)["history"]) if step else 0
        game = self.steps.after(step)
        view = game.view(self.seat)
        if self.seat is None:
            view |= game.position()
        scene = Scene(self.steps.rules, self.names, self.kinds, view, self.looks)
        scene.title = f"move {step}" if step else "the beginning"
        scene.tell(view["history"][known:])
        return picture(scene, screen.width, screen.height)

    def ending(self, width: int) -> RenderableType:
        """The score sheet, and who won, if the game came to its end."""
        game = self.steps.after(len(self.steps))
        return result_of(game, self.names, self.looks, width)


def browse(film: Film, screen: Screen) -> None:
    step = 0
    while True:
        screen.draw(film.picture(step, screen))
        last = step == len(film.steps)
        word = screen.ask(f"{step} of {len(film.steps)}: Enter {'score' if last else 'next'}, b back, a number, q quit > ")
        word = word.strip().lower()
        if word in ("q", "quit"):
            return
        if word.isdecimal():
            step = min(int(word[:9]), len(film.steps))
        elif word in ("b", "back"):
            step = max(0, step - 1)
        elif not word and last:
            screen.leaf(film.ending(screen.width))
        elif not word:
            step += 1
