"""The terminal: what is drawn on it and what is typed. Piped in or out, it is plain text that follows on."""

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
from fuda.cli.terminal.interrupts import Bell, Stirred
from fuda.cli.terminal.line_editor import begin_with, complete
from fuda.cli.terminal.signals import Leave, Watch

T = TypeVar("T")
WIDEST: Final = 120
"""Longer lines than this are hard to read."""
ENTER: Final = "\x1b[?1049h\x1b[2J\x1b[H"
"""A screen of our own: what was there before comes back, and nobody can scroll up to another player's hand."""
RETURN: Final = "\x1b[?1049l"


def new_console() -> Console:
    return Console(highlight=False, markup=False, emoji=False)


class Screen:
    """One terminal, or what stands in for it."""

    def __init__(self, watch: Watch, bell: Bell | None = None) -> None:
        self.console = new_console()
        self.watch = watch
        self.bell = bell
        """Interrupts whoever types, where something can happen meanwhile."""
        self.is_typed = sys.stdin.isatty()
        """Whether somebody types, and not a file or a program."""
        terminal = self.is_typed and sys.stdout.isatty()
        self.live = terminal and os.environ.get("TERM", "dumb") != "dumb"
        """Whether it can be cleared and drawn anew, and somebody sits before it."""
        self.notice: Callable[[], str] = str
        """What must not be missed by whoever reads something else than the table."""
        self.has_begun = False
        """Whether the line that is asked for can be typed by now."""

    def __enter__(self) -> Screen:
        if self.live:
            self.send(ENTER)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.live:
            with contextlib.suppress(OSError):  # the terminal may have gone away
                self.send(RETURN)

    @property
    def width(self) -> int:
        return min(WIDEST, self.console.width)

    @property
    def height(self) -> int | None:
        """How many lines fit above the line on which one types; None where nothing limits them."""
        return self.console.height - 1 if self.live else None

    def send(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    def lines_of(self, shown: RenderableType) -> list[str]:
        with self.console.capture() as capture:
            self.console.print(shown, width=self.width)
        return [line.rstrip() for line in capture.get().splitlines()]

    def draw(self, lines: list[Text]) -> None:
        """Shows these lines and nothing else; where that cannot be, after what is there."""
        text = [line for one in lines for line in self.line_of(one)]
        if self.live:
            self.send("\x1b[H" + "".join(f"{line}\x1b[K\n" for line in text) + "\x1b[J")
        else:
            self.send("\n".join(["", *text, ""]))

    def hide(self) -> None:
        """Pushes what is there out of sight, where it cannot be cleared but somebody may be looking."""
        if not self.live and sys.stdin.isatty():
            self.send("\n" * self.console.height)

    def line_of(self, line: Text) -> list[str]:
        cut = harmless(line)
        cut.truncate(self.width)
        return self.lines_of(cut) or [""]

    def say(self, lines: list[Text]) -> None:
        """A few lines after what is there."""
        for line in lines:
            self.console.print(harmless(line), soft_wrap=True)

    def ask(self, prompt: str, known: list[str] | None = None, typed: str = "") -> str:
        """What was typed, Tab completing what is known; EOFError when nothing will ever be typed any more.

        Where there is a bell it may be Stirred instead; the line can then go on with what had been `typed`.
        """
        lines: list[str] = []
        self.has_begun = False
        with self.watch.waiting():
            try:
                with at_once(), self.bell.asking() if self.bell is not None and self.is_typed else contextlib.nullcontext():
                    self.read_line(prompt, known or [], typed, lines)
            except Stirred as stirred:
                if not lines:
                    raise Stirred(stirred.typed if self.has_begun else typed) from None
        if not self.live:
            if not lines[0]:
                raise EOFError
            if not self.is_typed:
                self.send(lines[0] if lines[0].endswith("\n") else f"{lines[0]}\n")
        return lines[0].rstrip("\n")

    def ask_until(self, question: str, default: str, read: Callable[[str], T]) -> T:
        """Asks until the answer can be read; Enter alone is the default."""
        while True:
            try:
                return read(self.ask(f"{question} [{default}] ").strip() or default)
            except fuda.Error as error:
                self.say([Text(str(error))])

    def read_line(self, prompt: str, known: list[str], typed: str, lines: list[str]) -> None:
        """Puts the next line there in one go: once it is typed no bell can make it lost."""
        if self.live:
            complete(known)
            begin_with(typed, self.begin)
            lines.extend(map(input, [prompt]))
        else:
            self.send(prompt)
            self.begin()
            lines.extend(map(sys.stdin.readline, [-1]))

    def begin(self) -> None:
        """From now on the line can be typed, and whoever types it be interrupted."""
        self.has_begun = True
        if self.bell is not None:
            self.bell.is_listening = self.bell.is_inside

    def pause(self, seconds: float) -> None:
        with self.watch.waiting():
            time.sleep(seconds)

    def leaf(self, shown: RenderableType, prompt: str = "Enter to go back > ") -> None:
        """A text to be read on its own, a screenful at a time; `q` puts it away."""
        lines = self.lines_of(shown)
        if not self.live:
            self.send("\n".join([*lines, ""]))
            return
        room = max(1, self.console.height - 2)
        for at in range(0, max(1, len(lines)), room):
            part = "".join(f"{line}\n" for line in lines[at : at + room])
            more = at + room < len(lines)
            if self.turn(part, "Enter for more, q to go back > " if more else prompt).strip().lower() == "q":
                return

    def turn(self, page: str, prompt: str) -> str:
        """Shows a page until something is typed; whatever happens meanwhile waits until it is put away."""
        has_happened = False
        while True:
            self.send(f"\x1b[H\x1b[J{page}\n")
            try:
                typed = self.ask(self.notice() + prompt)
            except Stirred:
                has_happened = True
                if self.bell is not None:
                    self.bell.silence()
                continue
            if self.bell is not None and has_happened:
                self.bell.is_rung = True
            return typed


@contextlib.contextmanager
def at_once() -> Iterator[None]:
    """Heeds the first of two signals that come at once: Python fails where the other finds it under way."""
    try:
        yield
    except SystemError as error:
        if isinstance(error.__cause__, Leave | Stirred):
            raise error.__cause__ from None
        raise


def harmless(line: Text) -> Text:
    """The line without signs of control, which a name or a server elsewhere could bring in."""
    out = line.copy()
    if not out.plain.isprintable():
        out.plain = "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in out.plain)
    return out


def rendered(page: str) -> RenderableType:
    from rich.markdown import Markdown  # as slow to import as all the rest together, and rarely needed

    return Markdown(page)
