"""The command `fuda replay`: a recorded game, move by move."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import RenderableType
from rich.text import Text

import fuda
from fuda.bots.seating import DEFAULT_NAMES
from fuda.cli.local.recorded_game import RecordedGame
from fuda.cli.table import saved_games
from fuda.cli.table.cards import card_looks
from fuda.cli.table.frame import Frame
from fuda.cli.table.render import render_table
from fuda.cli.table.score import game_result
from fuda.cli.table.seating import first_seats, load_seating, parse_seat
from fuda.cli.terminal.screen import Screen
from fuda.cli.terminal.signals import Quit, SignalGuard


@click.command(short_help="Show a recorded game move by move.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--seat", help="Show only what this seat knew. Without it, all hands are open.")
@click.option("--all", "print_all", is_flag=True, help="Print everything at once.")
@click.option("--family", is_flag=True, help="Show family-friendly card names.")
def replay(file: Path, seat: str | None, print_all: bool, family: bool) -> None:
    """Show the game recorded in FILE move by move: Enter for the next move, b for the previous one, q to quit.

    \b
    Examples:
      fuda replay game.json
      fuda replay game.json --seat B
      fuda replay game.json --all > game.txt
    """
    saved = saved_games.read(file)
    try:
        player = ReplayPlayer(RecordedGame(saved.record), saved.table, family)
        player.seat = seat and parse_seat(seat, [*player.names])
    except fuda.Error as error:
        raise fuda.Error(f"{file}: {error}") from error
    signals = SignalGuard()
    screen = Screen(signals)
    if print_all or not screen.can_redraw:
        screen.can_redraw = False
        for count in range(len(player.recorded) + 1):
            screen.draw(player.lines_after(count, screen))
        screen.show_page(player.result(screen.width))
        return
    with signals.installed():
        try:
            with screen:
                browse(player, screen)
        except EOFError:
            return
        except Quit as quit_:
            raise SystemExit(quit_.status) from None


class ReplayPlayer:
    """Draws a recorded game as one seat saw it, or with all hands open."""

    def __init__(self, recorded: RecordedGame, table: object, family: bool) -> None:
        self.recorded = recorded
        players = recorded.record["players"]
        self.names = dict(zip(first_seats(players), DEFAULT_NAMES, strict=False))
        self.labels: dict[str, str] = {}
        if table is not None:
            seating = load_seating(recorded.rules.id, players, table)
            self.names, self.labels = seating.names, seating.bot_kinds
        self.looks = card_looks(recorded.rules, family)
        self.seat: str | None = None
        """None: all hands are open."""

    def lines_after(self, count: int, screen: Screen) -> list[Text]:
        """The table after this many moves, with the news of the last one."""
        start = len(self.recorded.after(count - 1).view(self.seat)["history"]) if count else 0
        game = self.recorded.after(count)
        view = game.view(self.seat)
        if self.seat is None:
            view |= game.position()
        frame = Frame(self.recorded.rules, self.names, self.labels, view, self.looks)
        frame.title = f"move {count}" if count else "the beginning"
        frame.set_news(view["history"][start:])
        return render_table(frame, screen.width, screen.height)

    def result(self, width: int) -> RenderableType:
        game = self.recorded.after(len(self.recorded))
        return game_result(game, self.names, self.looks, width)


def browse(player: ReplayPlayer, screen: Screen) -> None:
    count, end = 0, len(player.recorded)
    while True:
        screen.draw(player.lines_after(count, screen))
        action = "score" if count == end else "next"
        typed = screen.ask(f"{count} of {end}: Enter {action}, b back, a number, q quit > ").strip().lower()
        if typed in ("q", "quit"):
            return
        if typed.isdecimal():
            count = min(int(typed[:9]), end)
        elif typed in ("b", "back"):
            count = max(0, count - 1)
        elif not typed and count == end:
            screen.show_page(player.result(screen.width))
        elif not typed:
            count += 1
