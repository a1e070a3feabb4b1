"""Shows a table on the screen, and asks the players there."""

from __future__ import annotations

from typing import Any, Final

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from fuda.cli.table.frame import Frame
from fuda.cli.table.game import Paragraph
from fuda.cli.table.news import News
from fuda.cli.table.render import render_table
from fuda.cli.table.seat_rows import seat_rows
from fuda.cli.table.table import Table
from fuda.cli.table.wording import question_text
from fuda.cli.terminal.layout import wrap_words
from fuda.cli.terminal.screen import GO_BACK, Screen
from fuda.cli.terminal.signals import Quit
from fuda.game import SEPARATOR, words_in

MIN_INPUT_WIDTH: Final = 16
"""Columns that a prompt leaves for what is typed."""


class TableDisplay:
    """Draws the table with news, questions and replies."""

    def __init__(self, table: Table, screen: Screen) -> None:
        self.table = table
        self.screen = screen
        self.news = News(table)
        self.replies: list[str] = []
        """The reply to what was typed last."""

    # The table ----------------------------------------------------------------------------------------

    def draw(self, frame: Frame) -> None:
        self.screen.draw(render_table(frame, self.screen.width, self.screen.height))

    def frame(self, viewer: str | None, title: str = "what happened") -> Frame:
        """The table with what is new to this viewer."""
        view = self.table.game.view(viewer)
        frame = self.table.frame(view)
        frame.title = title
        frame.set_news(view["history"][self.news.start(viewer, view["history"]) :])
        return frame

    def question_frame(self, seat: str) -> Frame:
        """The table with the moves of the player who is asked."""
        frame = self.frame(seat, "since your last turn" if seat in self.news.starts else "so far")
        frame.moves = words_in(self.table.game.moves())
        frame.add_explanations(frame.view["question"])
        question = self.question(seat)
        frame.question = "" if question in self.prompt(seat) else question
        return frame

    def draw_question(self, seat: str) -> None:
        frame = self.question_frame(seat)
        if self.replies:
            frame.set_reply(self.replies)
        self.draw(frame)

    def reply(self, *sentences: str) -> None:
        """Replies to what was typed: with the next drawing, or printed at once if there is none."""
        self.replies = [*sentences]
        if not self.screen.can_redraw:
            self.screen.print_lines(self.wrap([self.table.looks.words(sentence) for sentence in sentences]))

    def wrap(self, paragraphs: list[Paragraph]) -> list[Text]:
        return [line for paragraph in paragraphs for line in wrap_words(paragraph, self.screen.width - 1)]

    def seat_rows(self, view: dict[str, Any]) -> list[Text]:
        return seat_rows(self.table.frame(view), self.screen.width, open_cards=True)

    # Questions ----------------------------------------------------------------------------------------

    def question(self, seat: str) -> str:
        moves = self.table.game.moves()
        text = question_text(self.table.game.rules, self.table.game.view(seat)["question"], self.table.names)
        if any(SEPARATOR in move for move in moves):
            text += " (several: 1 3 4)"
        return self.table.looks.family_text(text) + (" (or just Enter)" if len(moves) == 1 else "")

    def prompt(self, seat: str) -> str:
        """The question; if it is too long for the input line, the frame shows it instead."""
        name = self.table.names[seat]
        prompt = f"{name}: {self.question(seat)} > "
        return prompt if cell_len(prompt) + MIN_INPUT_WIDTH <= self.screen.width else f"{name}: your choice > "

    def ask(self, prompt: str, completions: list[str], typed: str = "") -> str:
        """Reads a line; the end of the input quits."""
        try:
            return self.screen.ask(prompt, completions, typed)
        except EOFError:
            raise Quit from None

    def show_page(self, content: RenderableType, prompt: str = GO_BACK) -> None:
        """Shows something on its own; the end of the input quits."""
        try:
            self.screen.show_page(content, prompt)
        except EOFError:
            raise Quit from None

    def move_words(self) -> list[str]:
        """The legal moves, for completion."""
        return [self.table.looks.family_text(word) for word in words_in(self.table.game.moves())]
