"""The commands that can be typed at every table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table as TextTable
from rich.text import Text

import fuda
from fuda.cli.table.display import TableDisplay
from fuda.cli.table.history import find_last_trick
from fuda.cli.table.parser import COMMANDS, Command, CommandTexts, InputParser, Move
from fuda.cli.table.score import score_table
from fuda.cli.table.trick_boxes import finished_trick
from fuda.cli.table.wording import refusal_text
from fuda.cli.terminal.screen import markdown
from fuda.cli.terminal.signals import Quit
from fuda.engine.roles import TRICK
from fuda.words import pages

MAX_RECENT_NOTES: Final = 40
"""In a game without tricks, `last` shows this many notes."""
Handler = Callable[[str, str | None], None]
"""Runs a command with its argument, typed by this seat; None: by a spectator."""
FindRefusal = Callable[[str, str | None], fuda.Refused | None]
"""Why a seat may not make a move; None if it may."""


class TableCommands:
    """Runs typed commands; a session adds handlers for its own."""

    def __init__(self, display: TableDisplay, find_refusal: FindRefusal, texts: CommandTexts = COMMANDS) -> None:
        self.display = display
        self.table = display.table
        self.find_refusal = find_refusal
        self.texts = texts
        """The commands that are available now."""
        self.handlers: dict[str, Handler] = {
            "why": self.explain,
            "rules": self.show_rules,
            "last": self.show_last_trick,
            "score": self.show_score,
            "quit": self.quit,
            "help": self.show_help,
        }

    def run_command(self, command: Command, seat: str | None) -> None:
        self.handlers[command.name](command.argument, seat)

    def parser(self, seat: str) -> InputParser:
        hand = self.display.frame(seat).hand
        return InputParser(self.table.game.rules, self.table.game.moves(), hand, self.table.names, self.texts)

    def explain(self, argument: str, seat: str | None) -> None:
        subject = self.parser(seat or "").parse_subject(argument)
        if not isinstance(subject, Move):
            self.display.reply(subject.message)
            return
        move = subject.move
        refusal = self.find_refusal(move, seat)
        text = self.table.game.rules.text_of(move, self.table.game.options)
        printed = [f"{move}: {text}"] if text else []
        if refusal is None:
            self.display.reply(f"You may play {move}.", *printed)
        else:
            reason = refusal_text(refusal, self.table.names)
            self.display.reply(reason, f"Type rules {refusal.rule} for the whole rule.", *printed)

    def show_rules(self, argument: str, seat: str | None) -> None:
        try:
            page = pages.paragraph(argument) if argument else pages.text(self.table.game.rules.id)
        except fuda.Error as error:
            self.display.reply(str(error))
        else:
            self.display.show_page(markdown(self.table.looks.family_text(page)))

    def show_last_trick(self, argument: str, seat: str | None) -> None:
        frame = self.display.frame(seat)
        history = frame.view["history"]
        trick = find_last_trick(frame.rules, history)
        if trick is not None:
            boxes = finished_trick(frame, history[slice(*trick)], self.display.screen.width)
            self.display.show_page(Group(*boxes, Text(), *self.display.wrap(self.table.paragraphs(None, *trick))))
        elif frame.rules.field_of_kind(TRICK) is not None:
            self.display.reply("No trick has been finished yet.")
        else:
            paragraphs = self.table.paragraphs(seat, max(0, len(history) - MAX_RECENT_NOTES))
            self.display.show_page(Group(*self.display.wrap(paragraphs)))

    def show_score(self, argument: str, seat: str | None) -> None:
        self.display.show_page(score_table(self.table.game, self.table.names))

    def quit(self, argument: str, seat: str | None) -> None:
        raise Quit

    def show_help(self, argument: str, seat: str | None) -> None:
        self.display.show_page(help_page(self.table.game.rules.cards[0], self.texts))


def help_page(card: str, texts: CommandTexts) -> RenderableType:
    """What can be typed, with this card as an example."""
    suit, _, rank = card.partition(" ")
    page = TextTable(box=None, show_header=False, padding=(0, 2))
    page.add_row(Text("a number", "bold"), "the move with that number")
    page.add_row(
        Text("a card", "bold"),
        f"its name, or enough of it: {card}, {suit[:3]} {rank}, {suit[:1]}{rank}; symbols work, too",
    )
    page.add_row(Text("Enter", "bold"), "the only move, if there is only one; otherwise draws the table again")
    page.add_row(Text("Tab", "bold"), "completes what you have typed")
    for usage, text in texts.values():
        page.add_row(Text(usage, "bold"), text)
    return page
