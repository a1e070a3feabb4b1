"""The terminal: draws, prints and reads lines. Without a terminal it is plain text, line after line."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Final, TypeVar

from rich.console import Console, RenderableType
from rich.text import Text

import fuda
from fuda.cli.terminal.interrupts import InputInterrupted, InputInterrupter
from fuda.cli.terminal.line_editor import prefill, set_completions
from fuda.cli.terminal.signals import Quit, SignalGuard

T = TypeVar("T")
MAX_WIDTH: Final = 120
"""Longer lines than this are hard to read."""
ALTERNATE_SCREEN: Final = "\x1b[?1049h\x1b[2J\x1b[H"
"""Keeps what was there before, and nobody can scroll up to another player's hand."""
MAIN_SCREEN: Final = "\x1b[?1049l"
GO_BACK: Final = "Enter to go back > "


def new_console() -> Console:
    return Console(highlight=False, markup=False, emoji=False)


class Screen:
    """One terminal, or the pipes that replace it."""

    def __init__(self, signals: SignalGuard, interrupter: InputInterrupter | None = None) -> None:
        self.console = new_console()
        self.signals = signals
        self.interrupter = interrupter
        """Interrupts the input line where something can happen meanwhile."""
        self.is_interactive = sys.stdin.isatty()
        """Whether a person types, and not a file or a program."""
        is_terminal = self.is_interactive and sys.stdout.isatty()
        self.can_redraw = is_terminal and os.environ.get("TERM", "dumb") != "dumb"
        """Whether the screen can be cleared and drawn again."""
        self.alert: Callable[[], str] = str
        """What a player should know while reading a page, as the beginning of its prompt."""
        self.is_prompted = False
        """Whether the prompt of the current line has been printed."""

    def __enter__(self) -> Screen:
        if self.can_redraw:
            self.send(ALTERNATE_SCREEN)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.can_redraw:
            with contextlib.suppress(OSError):  # the terminal may have gone away
                self.send(MAIN_SCREEN)

    @property
    def width(self) -> int:
        return min(MAX_WIDTH, self.console.width)

    @property
    def height(self) -> int | None:
        """How many lines fit above the input line; None if there is no limit."""
        return self.console.height - 1 if self.can_redraw else None

    # Output -------------------------------------------------------------------------------------------

    def send(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    def render_lines(self, content: RenderableType) -> list[str]:
        with self.console.capture() as capture:
            self.console.print(content, width=self.width)
        return [line.rstrip() for line in capture.get().splitlines()]

    def draw(self, lines: list[Text]) -> None:
        """Shows these lines and nothing else; without a terminal, prints them."""
        text = [line for one in lines for line in self.cut_line(one)]
        if self.can_redraw:
            self.send("\x1b[H" + "".join(f"{line}\x1b[K\n" for line in text) + "\x1b[J")
        else:
            self.send("\n".join(["", *text, ""]))

    def cut_line(self, line: Text) -> list[str]:
        cut = without_control_characters(line)
        cut.truncate(self.width)
        return self.render_lines(cut) or [""]

    def scroll_away(self) -> None:
        """Pushes what is there out of sight on a terminal that cannot be cleared."""
        if not self.can_redraw and self.is_interactive:
            self.send("\n" * self.console.height)

    def print_lines(self, lines: list[Text]) -> None:
        for line in lines:
            self.console.print(without_control_characters(line), soft_wrap=True)

    def pause(self, seconds: float) -> None:
        with self.signals.interruptible():
            time.sleep(seconds)

    # Input --------------------------------------------------------------------------------------------

    def ask(self, prompt: str, completions: list[str] | None = None, typed: str = "") -> str:
        """Reads a line, which begins with what was `typed` before; EOFError at the end of the input.

        With an interrupter it can raise InputInterrupted.
        """
        lines: list[str | bytes] = []
        self.is_prompted = False
        with self.signals.interruptible():
            try:
                with reraise_first_signal(), self.interruptible_input():
                    self.read_line(prompt, completions or [], typed, lines)
            except InputInterrupted as interrupt:
                if not lines:
                    raise InputInterrupted(interrupt.typed if self.is_prompted else typed) from None
        line = lines[0] if isinstance(lines[0], str) else lines[0].decode(sys.stdin.encoding, "replace")
        if not self.can_redraw:
            if not line:
                raise EOFError
            if not self.is_interactive:
                self.send(line if line.endswith("\n") else f"{line}\n")
        return line.rstrip("\r\n")

    def interruptible_input(self) -> contextlib.AbstractContextManager[None]:
        if self.interrupter is None or not self.is_interactive:
            return contextlib.nullcontext()
        return self.interrupter.reading()

    def read_line(self, prompt: str, completions: list[str], typed: str, lines: list[str | bytes]) -> None:
        """Appends the line without running any Python code in between, where an interrupt could lose it."""
        if self.can_redraw:
            set_completions(completions)
            prefill(typed, self.allow_interrupts)
            lines.extend(map(input, [prompt]))
        else:
            self.send(prompt)
            self.allow_interrupts()
            lines.extend(map(sys.stdin.buffer.readline, [-1]))  # not as text: Python's decoder can be interrupted

    def allow_interrupts(self) -> None:
        self.is_prompted = True
        if self.interrupter is not None:
            self.interrupter.allow()

    def ask_until(self, question: str, default: str, parse: Callable[[str], T]) -> T:
        """Asks until the answer can be parsed; Enter alone means the default."""
        while True:
            try:
                return parse(self.ask(f"{question} [{default}] ").strip() or default)
            except fuda.Error as error:
                self.print_lines([Text(str(error))])

    # Pages --------------------------------------------------------------------------------------------

    def show_page(self, content: RenderableType, prompt: str = GO_BACK) -> None:
        """Shows a text on its own, one screen at a time; `q` closes it."""
        lines = self.render_lines(content)
        if not self.can_redraw:
            self.send("\n".join([*lines, ""]))
            return
        room = max(1, self.console.height - 2)
        for at in range(0, max(1, len(lines)), room):
            part = "".join(f"{line}\n" for line in lines[at : at + room])
            more = at + room < len(lines)
            if self.show_part(part, "Enter for more, q to go back > " if more else prompt).strip().lower() == "q":
                return

    def show_part(self, part: str, prompt: str) -> str:
        """Shows part of a page until a line is typed; interrupts wait until it is closed."""
        was_interrupted = False
        while True:
            self.send(f"\x1b[H\x1b[J{part}\n")
            try:
                typed = self.ask(self.alert() + prompt)
            except InputInterrupted:
                was_interrupted = True
                if self.interrupter is not None:
                    self.interrupter.clear()
                continue
            if self.interrupter is not None and was_interrupted:
                self.interrupter.is_requested = True
            return typed


@contextlib.contextmanager
def reraise_first_signal() -> Iterator[None]:
    """Raises what the first of two simultaneous signals raised: Python turns that into a SystemError."""
    try:
        yield
    except SystemError as error:
        if isinstance(error.__cause__, Quit | InputInterrupted):
            raise error.__cause__ from None
        raise


def without_control_characters(line: Text) -> Text:
    """Names and texts from a server must not control the terminal."""
    out = line.copy()
    if not out.plain.isprintable():
        out.plain = "".join(character if character.isprintable() or character == "\n" else " " for character in out.plain)
    return out


def markdown(page: str) -> RenderableType:
    from rich.markdown import Markdown  # as slow to import as all the rest together, and rarely needed

    return Markdown(page)
