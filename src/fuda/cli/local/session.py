"""A game at this terminal: asks people, lets bots play, and shows what happened."""

from __future__ import annotations

from typing import Final

from rich.text import Text

import fuda
from fuda import bots
from fuda.cli.local.recorded_game import RecordedGame
from fuda.cli.local.save_file import SaveFile
from fuda.cli.local.undo import PlayedMove, UndoHistory, visible_cards
from fuda.cli.table.display import TableDisplay
from fuda.cli.table.parser import Command, Input, Move, find_command
from fuda.cli.table.round_end import RoundEnd
from fuda.cli.table.table import Table
from fuda.cli.table.table_commands import TableCommands
from fuda.cli.table.wording import refusal_text
from fuda.cli.terminal.screen import Screen
from fuda.cli.terminal.signals import Quit

FORCED: Final = "pass"
"""The move that is made for people who can do nothing else."""


class LocalSession:
    """Plays one game until it is over or somebody quits."""

    def __init__(self, game: fuda.Game, screen: Screen, save_file: SaveFile, family: bool) -> None:
        self.game = game
        self.screen = screen
        self.save_file = save_file
        self.seating = save_file.seating
        self.table = Table(game, self.seating, family)
        self.display = TableDisplay(self.table, screen)
        self.round_end = RoundEnd(self.display)
        self.round_end.view_before = game.view(None)
        self.commands = TableCommands(self.display, lambda move, seat: self.game.why(move, seat))
        self.commands.handlers |= {"undo": self.undo, "save": self.save_as}
        self.undo_history = UndoHistory()
        self.bots: dict[str, bots.Bot] = {}
        self.pace = 0.0
        """Seconds between the bots' moves."""
        self.printed_notes = 0
        """How many notes have been printed where nobody plays."""
        self.watched_notes = 0
        """How many notes there were when the table was last drawn for a bot's move."""
        self.at_screen: str | None = None
        """The person who looks at the screen."""

    def create_bots(self, seed: int) -> None:
        for at, (seat, kind) in enumerate(self.seating.bot_kinds.items()):
            self.bots[seat] = bots.bot(kind, self.game.rules.id, seed + at)

    def resume(self, recorded: RecordedGame) -> None:
        """Continues a recorded game."""
        history = self.table.history()
        self.round_end.checked_notes = len(history)
        start = self.display.news.start(None, history)
        for count in range(len(recorded)):
            game = recorded.after(count)
            move = PlayedMove(game, str(game.seat), start)
            if count >= len(recorded) - 2:  # no move before these can be undone
                move.visible_cards = visible_cards(game, move.seat)
            self.undo_history.moves.append(move)
        self.display.news.starts = dict.fromkeys(self.table.names, start)

    @property
    def only_person(self) -> str | None:
        return self.seating.people[0] if len(self.seating.people) == 1 else None

    # The course of the game ---------------------------------------------------------------------------

    def run(self) -> None:
        while not self.game.over:
            if self.seating.people:
                self.round_end.show_new_score(self.only_person)
            seat = str(self.game.seat)
            if seat in self.bots:
                self.let_bot_play(seat)
            else:
                self.let_person_play(seat)

    def play(self, move: str, is_forced: bool = False) -> None:
        """Makes a legal move, and remembers what undo needs."""
        seat = str(self.game.seat)
        view = self.game.view(None)
        news = self.display.news
        played = PlayedMove(self.game, seat, news.starts.get(seat, 0))
        played.is_forced = is_forced
        turn_continues = self.undo_history.last_choice(seat) is not None
        if seat not in self.bots and not is_forced:
            played.visible_cards = visible_cards(self.game, seat)
        self.game.play(move)
        self.undo_history.moves.append(played)
        self.round_end.view_before = view
        news.start_after_move(seat, view, is_forced or turn_continues)

    def let_bot_play(self, seat: str) -> None:
        new = len(self.table.history()) - self.watched_notes
        is_first = not self.undo_history.moves
        # No pause after a pass: it left nothing to see.
        if self.screen.can_redraw and self.pace and (new or is_first):
            # A person who plays alone sees their own hand meanwhile; several people see what a spectator would.
            self.display.draw(self.display.frame(self.only_person))
            self.screen.pause(self.pace * (2 if new > 1 and not is_first else 1))
            self.watched_notes += new
        with self.screen.signals.interruptible():
            move = self.bots[seat].choose(self.game.view(seat), self.game.moves())
        self.play(move)
        if not self.screen.can_redraw and not self.seating.people:
            self.print_news()

    def print_news(self) -> None:
        """Prints what happened, where nobody plays and nothing can be drawn."""
        self.screen.print_lines(self.display.wrap(self.table.paragraphs(None, self.printed_notes)))
        self.printed_notes = len(self.table.history())

    # A person's turn ----------------------------------------------------------------------------------

    def let_person_play(self, seat: str) -> None:
        if self.is_forced(seat):
            self.play(FORCED, is_forced=True)
            return
        if not self.pass_screen(seat):
            return
        self.display.draw_question(seat)
        while not self.handle_input(self.read_input(seat), seat):
            if self.screen.can_redraw:
                self.display.draw_question(seat)

    def is_forced(self, seat: str) -> bool:
        """Whether this person can do nothing, and nobody will notice that the question was skipped (A-2)."""
        is_unnoticed = self.only_person is not None or self.at_screen == seat
        return is_unnoticed and self.game.moves() == [FORCED]

    def read_input(self, seat: str) -> Input:
        """What the person types; Enter alone makes the only move, or draws the table again."""
        moves = self.game.moves()
        parser = self.commands.parser(seat)
        text = ""
        while not text:
            text = self.display.ask(self.display.prompt(seat), [*self.display.move_words(), *self.commands.texts]).strip()
            self.display.replies = []
            if not text and len(moves) == 1:
                return Move(moves[0])
            if not text:
                self.display.draw_question(seat)
        return parser.parse(text)

    def handle_input(self, given: Input, seat: str) -> bool:
        """Makes a move, runs a command or replies; True if the turn is over."""
        if isinstance(given, Move):
            refusal = self.game.why(given.move, seat)
            if refusal is None:
                self.play(given.move)
                self.save_file.autosave(self.game)
                return True
            self.display.reply(refusal_text(refusal, self.table.names))
        elif isinstance(given, Command):
            game = self.game
            self.commands.run_command(given, seat)
            return self.game is not game
        else:
            self.display.reply(given.message)
        return False

    # Passing the screen -------------------------------------------------------------------------------

    def pass_screen(self, seat: str) -> bool:
        """Hides the table until the next of several people is there; False if the last move was undone."""
        previous = self.at_screen
        if previous == seat or self.only_person is not None:
            self.at_screen = seat
            return True
        name = self.table.names[seat]
        message = ""
        while True:
            lines = [Text(), Text(f"  Pass the screen to {name}.", "bold"), Text()]
            lines.append(Text(f"  {name}: press Enter when nobody else is looking."))
            if previous is not None and self.find_undo_obstacle(previous) is None:
                lines.append(Text(f"  {self.table.names[previous]}: type undo to take back your last move.", "dim"))
            self.screen.scroll_away()
            self.screen.draw([*lines, *([Text(), Text(f"  {message}")] if message else [])])
            text = self.display.ask("  > ", ["undo", "save", "quit"])
            if not text.strip():
                self.at_screen = seat
                return True
            match find_command(text):
                case Command(name="undo") if previous is not None:
                    message = self.find_undo_obstacle(previous) or ""
                    if not message:
                        self.take_back(previous)
                        return False
                case Command(name="save", argument=file):
                    message = self.save_file.save_as(self.game, file)
                case Command(name="quit"):
                    raise Quit
                case _:
                    message = f"{name} has to press Enter first."

    # Undo and save ------------------------------------------------------------------------------------

    def find_undo_obstacle(self, seat: str) -> str | None:
        return self.undo_history.find_obstacle(self.game, seat, self.table.names)

    def undo(self, argument: str, seat: str | None) -> None:
        obstacle = self.find_undo_obstacle(str(seat))
        if obstacle is not None:
            self.display.reply(obstacle)
        else:
            self.take_back(str(seat))

    def take_back(self, seat: str) -> None:
        game, move = self.undo_history.undo(self.game, seat)
        self.game = self.table.game = game
        self.display.news.starts[seat] = move.news_start
        self.round_end.checked_notes = self.watched_notes = len(self.table.history())
        self.save_file.autosave(game)

    def save_as(self, argument: str, seat: str | None) -> None:
        self.display.reply(self.save_file.save_as(self.game, argument))

    # The end ------------------------------------------------------------------------------------------

    def final_news(self) -> list[Text]:
        """What happened at the end, unless it has been printed."""
        return [] if self.printed_notes else self.round_end.final_news(self.at_screen)
