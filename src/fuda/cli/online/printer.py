"""Prints an online table line by line, where the screen cannot be redrawn."""

from __future__ import annotations

from typing import Any

from rich.console import Group
from rich.text import Text

from fuda.cli.online.display import OnlineDisplay
from fuda.cli.table.render import render_table
from fuda.client import Known


class OnlinePrinter:
    """Prints what has not been printed yet."""

    def __init__(self, display: OnlineDisplay) -> None:
        self.display = display
        self.online = display.online
        self.screen = display.display.screen
        self.printed_moment: Any = None
        """The moment that was printed last; None: print again."""
        self.printed_notes = 0
        self.is_prompted = False
        """Whether a prompt has been printed and not been answered."""

    def print_changes(self) -> None:
        """Prints what is new; if nothing is, the input line stays as it is."""
        notices = self.display.notices
        lines = [Text(sentence) for sentence in notices.sentences]
        notices.clear()
        problem = notices.connection_problem
        moment = problem or moment_of(self.online.known)
        if moment != self.printed_moment:
            self.printed_moment = moment
            lines += [Text(problem)] if problem else self.new_lines()
        if lines and self.is_prompted:
            lines.insert(0, Text())
        self.is_prompted = self.is_prompted and not lines
        self.screen.print_lines(lines)

    def new_lines(self) -> list[Text]:
        """The lobby, the whole table if the player is asked, the end, or what happened."""
        known, screen, table = self.online.known, self.screen, self.online.table
        start, self.printed_notes = self.printed_notes, known.noted
        if not self.online.has_game:
            return [Text(), *self.display.lobby(), Text()]
        if table.game.over:
            if not screen.is_interactive:
                return []  # the goodbye has it
            result = screen.render_lines(Group(*self.display.game_end.result(screen.width)))
            return [*self.display.round_end.final_news(known.you), Text(), *map(Text, result)]
        if known.ask is not None:
            return [Text(), *render_table(self.display.frame(), screen.width, None)]
        if known.you is not None and not screen.is_interactive:
            return []
        return self.display.display.wrap(table.paragraphs(known.you, start))


def moment_of(known: Known) -> Any:
    """Something that changes whenever there is something to print."""
    if known.view is None or known.table.phase in ("open", "starting"):
        return (known.table.phase, known.table.chairs, known.here)
    return (known.number, known.noted if known.ask is None else -known.ask.since)
