"""The command `fuda replay`: a recorded game, move by move."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from rich.console import RenderableType
from rich.text import Text

import fuda
from fuda.bots.seating import DEFAULT_NAMES
from fuda.cli.local.old_game import TranscribedGame, check_old_record, moves_page, version_text
from fuda.cli.local.recorded_game import RecordedGame
from fuda.cli.table import saved_games
from fuda.cli.table.cards import card_looks
from fuda.cli.table.frame import Frame
from fuda.cli.table.game import Names
from fuda.cli.table.render import render_table
from fuda.cli.table.saved_games import SavedGame
from fuda.cli.table.score import game_result
from fuda.cli.table.seating import first_seats, load_seating, parse_seat
from fuda.cli.terminal.screen import Screen
from fuda.cli.terminal.signals import Quit, SignalGuard
from fuda.engine.records import checked, is_version


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
    signals = SignalGuard()
    screen = Screen(signals)
    try:
        recorded = recorded_game(saved.record, seat)
        if recorded is None:
            screen.console.print(only_moves(saved, screen.width))
            return
        player = ReplayPlayer(recorded, saved.table, family)
        player.seat = seat and parse_seat(seat, [*player.names])
    except fuda.Error as error:
        raise fuda.Error(f"{file}: {error}") from error
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


def recorded_game(record: dict[str, Any], seat: str | None) -> RecordedGame | TranscribedGame | None:
    """The game by its rules or, if they have another version, by its transcript; None if it has none."""
    whole = checked(record)
    rules = fuda.rulebook(whole["game"])
    if rules.can_replay(whole["rules"]) or not is_version(whole["rules"]):
        return RecordedGame(whole)
    check_old_record(whole)
    if "transcript" not in whole:
        return None
    if seat is not None:
        raise fuda.Error(f"{version_text(rules, whole)} It can only be shown with open hands: leave out --seat.")
    return TranscribedGame(rules, whole)


def only_moves(saved: SavedGame, width: int) -> RenderableType:
    record = saved.record
    names, _ = seating_of(record["game"], record["players"], saved.table)
    return moves_page(fuda.rulebook(record["game"]), record, names, width)


def seating_of(game: str, players: int, table: object) -> tuple[Names, Names]:
    """The names of the players, and the kinds of the bots, by seat."""
    if table is None:
        return dict(zip(first_seats(players), DEFAULT_NAMES, strict=False)), {}
    seating = load_seating(game, players, table)
    return seating.names, seating.bot_kinds


class ReplayPlayer:
    """Draws a recorded game as one seat saw it, or with all hands open."""

    def __init__(self, recorded: RecordedGame | TranscribedGame, table: object, family: bool) -> None:
        self.recorded = recorded
        self.names, self.labels = seating_of(recorded.rules.id, recorded.record["players"], table)
        self.looks = card_looks(recorded.rules, family)
        self.seat: str | None = None
        """None: all hands are open."""

    def lines_after(self, count: int, screen: Screen) -> list[Text]:
        """The table after this many moves, with the news of the last one."""
        with self.damage_reported():
            return render_table(self.frame_after(count), screen.width, screen.height)

    def frame_after(self, count: int) -> Frame:
        start = len(self.recorded.after(count - 1).view(self.seat)["history"]) if count else 0
        game = self.recorded.after(count)
        view = game.view(self.seat)
        if self.seat is None:
            view |= game.position()
        frame = Frame(self.recorded.rules, self.names, self.labels, view, self.looks)
        frame.title = f"move {count}" if count else "the beginning"
        frame.set_news(view["history"][start:])
        if isinstance(self.recorded, TranscribedGame):
            frame.status = [version_text(self.recorded.rules, self.recorded.record)]
        return frame

    def result(self, width: int) -> RenderableType:
        game = self.recorded.after(len(self.recorded))
        with self.damage_reported():
            return game_result(game, self.names, self.looks, width)

    @contextlib.contextmanager
    def damage_reported(self) -> Iterator[None]:
        """Raises Error if a transcript, which may come from anywhere, has something that cannot be drawn."""
        try:
            yield
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            if isinstance(self.recorded, RecordedGame):
                raise
            raise fuda.Error("The transcript is damaged: it shows what cannot be drawn.") from error


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
