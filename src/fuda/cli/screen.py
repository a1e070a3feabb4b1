"""The terminal: what is drawn on it and what is typed. Piped in or out, it is plain text that follows on."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from types import TracebackType
from typing import Final

from rich.console import Console, RenderableType
from rich.text import Text

from fuda.cli.leaving import Watch

WIDEST: Final = 120
"""Longer lines than this are hard to read."""
ENTER: Final = "\x1b[?1049h\x1b[2J\x1b[H"
"""A screen of our own: what was there before comes back, and nobody can scroll up to another player's hand."""
RETURN: Final = "\x1b[?1049l"


def new_console() -> Console:
    return Console(highlight=False, markup=False, emoji=False)


class Screen:
    """One terminal, or what stands in for it."""

    def __init__(self, watch: Watch) -> None:
        self.console = new_console()
        self.watch = watch
        terminal = sys.stdin.isatty() and sys.stdout.isatty()
        self.live = terminal and os.environ.get("TERM", "dumb") != "dumb"
        """Whether it can be cleared and drawn anew, and somebody sits before it."""

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
        cut = line.copy()
        cut.truncate(self.width)
        return self.lines_of(cut) or [""]

    def say(self, lines: list[Text]) -> None:
        """A few lines after what is there."""
        for line in lines:
            self.console.print(line, soft_wrap=True)

    def ask(self, prompt: str, known: list[str] | None = None) -> str:
        """What was typed, Tab completing what is known; EOFError when nothing will ever be typed any more."""
        with self.watch.waiting():
            if self.live:
                complete(known or [])
                return input(prompt)
            self.send(prompt)
            line = sys.stdin.readline()
        if not line:
            raise EOFError
        if not sys.stdin.isatty():
            self.send(line if line.endswith("\n") else f"{line}\n")
        return line.rstrip("\n")

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
            part = lines[at : at + room]
            self.send("\x1b[H\x1b[J" + "".join(f"{line}\n" for line in part) + "\n")
            more = at + room < len(lines)
            if self.ask("Enter for more, q to go back > " if more else prompt).strip().lower() == "q":
                return


def complete(known: list[str]) -> None:
    """Has Tab complete these, where the terminal can edit lines at all."""
    try:
        import readline
    except ImportError:
        return

    def candidate(text: str, state: int) -> str | None:
        found = [word for word in known if word.startswith(text.lower())]
        return found[state] if state < len(found) else None

    readline.set_auto_history(False)  # a player who asked "why" about a card must not be found out by the next one
    readline.set_completer_delims("")
    readline.set_completer(candidate)
    readline.parse_and_bind("tab: complete")
