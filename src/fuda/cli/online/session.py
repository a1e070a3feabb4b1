"""A session at an online table: reads input while other players may change the table."""

from __future__ import annotations

import contextlib
from typing import Final

from fuda.cli.online.connection import Connection
from fuda.cli.online.display import OnlineDisplay
from fuda.cli.online.game_end import GameEnd
from fuda.cli.online.notices import Notices
from fuda.cli.online.online_commands import OnlineCommands
from fuda.cli.online.online_table import OnlineTable
from fuda.cli.online.printer import OnlinePrinter
from fuda.cli.online.seen_files import SeenFiles
from fuda.cli.online.tickets import SavedTicket
from fuda.cli.table.display import TableDisplay
from fuda.cli.table.history import recent_start
from fuda.cli.table.parser import Command, Input, Move, Unclear, complete_command, find_command
from fuda.cli.terminal.interrupts import InputInterrupted
from fuda.cli.terminal.screen import Screen
from fuda.protocol.messages import Event

NOT_ASKED: Final = "It is not your turn. Type say TEXT to chat, or help for the other commands."


class OnlineSession:
    """Plays or watches at one table until the player quits or the table is closed."""

    def __init__(
        self, connection: Connection, screen: Screen, ticket: SavedTicket | None, files: SeenFiles, family: bool
    ) -> None:
        self.connection = connection
        self.screen = screen
        self.ticket = ticket
        """The player's own seat; None for a spectator."""
        self.files = files
        """Where what was seen of the games is saved."""
        self.online = OnlineTable(connection.target, connection.known, family)
        self.table_display = TableDisplay(self.online.table, screen)
        self.notices = Notices(announces_reconnection=not screen.can_redraw)
        self.game_end = GameEnd(connection, self.online, files)
        self.display = OnlineDisplay(self.table_display, self.online, self.notices, self.game_end)
        self.printer = OnlinePrinter(self.display)
        self.commands = OnlineCommands(connection, self.online, self.table_display)
        self.typed = ""
        """The unfinished input line."""
        self.last_mover: str | None = None
        screen.alert = self.alert
        self.notices.add_doubts([*connection.client.doubts])
        # Somebody who joins in the middle of a game is told what happened recently.
        known = self.online.known
        is_late = known.view is not None and known.turn > 0
        self.start_game(recent_start(self.online.table.game.rules, known.own_view["history"]) if is_late else 0)

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to wait for; without a person at the terminal, nobody waits for a rematch."""
        phase = self.online.known.table.phase
        return self.connection.ended is not None or phase == "closed" or (phase == "over" and not self.screen.is_interactive)

    @property
    def is_input_needed(self) -> bool:
        """Whether nothing happens until the player types something."""
        if self.online.known.table.phase == "open":
            return self.online.is_host
        return self.online.known.ask is not None

    # The loop -----------------------------------------------------------------------------------------

    def run(self) -> None:
        while not self.is_done:
            with contextlib.suppress(InputInterrupted):  # an interrupt may come a moment too late
                self.show()
                self.wait()
            self.update()

    def show(self) -> None:
        if self.screen.can_redraw:
            self.display.draw()
        else:
            self.printer.print_changes()

    def wait(self) -> None:
        """Waits for input or for a change."""
        if self.screen.is_interactive or self.is_input_needed:
            self.read_input()
        else:
            self.connection.wait()

    def read_input(self) -> None:
        """Reads a line and acts on it, unless something happens first."""
        prompt = "" if self.printer.is_prompted else self.display.prompt()
        try:
            completions = [*self.table_display.move_words(), *self.commands.texts]
            text = self.table_display.ask(prompt, completions, self.typed)
        except InputInterrupted as interrupt:
            self.typed = interrupt.typed
            is_prompted = self.printer.is_prompted or self.screen.is_prompted
            self.printer.is_prompted = not self.screen.can_redraw and is_prompted
            return
        self.printer.is_prompted = False
        self.typed = ""
        self.table_display.replies = []
        self.notices.clear()
        self.handle_input(self.parse(text.strip()))

    def parse(self, text: str) -> Input | None:
        """What was typed; None: draw the table again."""
        texts = self.commands.texts
        if self.online.known.ask is not None and self.online.known.you is not None:
            moves = self.online.table.game.moves()
            if not text:
                return Move(moves[0]) if len(moves) == 1 else None
            self.commands.common.texts = texts
            return self.commands.common.parser(self.online.known.you).parse(text)
        if not text:
            return None
        unclear = f"I do not understand {text!r}. Type help for the commands." if self.online.is_before_game else NOT_ASKED
        return find_command(text, texts) or complete_command(text, texts) or Unclear(unclear)

    def handle_input(self, given: Input | None) -> None:
        you = self.online.known.you
        if isinstance(given, Move):
            view = self.online.known.own_view
            if self.commands.play(given.move):
                self.table_display.news.start_after_move(str(you), view, self.last_mover == you)
        elif isinstance(given, Command):
            self.commands.run_command(given)
        elif given is not None:
            self.table_display.reply(given.message)
        else:
            self.printer.printed_moment = None

    # Changes ------------------------------------------------------------------------------------------

    def update(self) -> None:
        """Processes what has happened; unfinished input stays unless it answers an old question."""
        changes = self.connection.take_changes()
        before, known = self.online.known, self.connection.known
        for change in changes:
            self.notices.add(change, known.you)
            if isinstance(change, Event) and change.what == "played":
                self.last_mover = change.seat
        self.notices.add_doubts([*self.connection.client.doubts])
        self.files.save(self.connection.client.seen)
        if before is known:
            return
        self.online.update(known)
        if before.number != known.number or before.you != known.you:
            self.start_game(0)
        elif before.turn != known.turn and before.view is not None:
            self.display.round_end.view_before = before.own_view
        if before.ask is not None and (known.ask is None or known.ask.since != before.ask.since):
            self.table_display.replies = []
            if find_command(self.typed, self.commands.texts) is None:
                self.typed = ""

    def start_game(self, start: int) -> None:
        """Prepares for a new game, or a new seat; the news begin with this note."""
        self.display.round_end.view_before = {}
        self.display.round_end.checked_notes = self.printer.printed_notes = start
        self.last_mover = None
        self.game_end.fairness = ""
        you = self.online.known.you
        self.table_display.news.starts = {you: start} if start and you is not None else {}

    def alert(self) -> str:
        """Tells a player who reads a page that it is their turn."""
        known = self.connection.known
        if known.ask is None:
            return ""
        return "It is your turn. " if known.seconds is None else f"It is your turn: {int(known.seconds)} s left. "
