"""A pseudo-terminal of 24 by 80 for tests, and a screen that interprets its output."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any, Final

import pexpect
from rich.cells import cell_len

ROWS: Final = 24
COLUMNS: Final = 80
PATIENCE: Final = 60.0
"""How long any output may take, on a busy machine."""
PROMPT: Final = r"(?m)(?:\w+: [^\n]* > |Enter [^\n]* > |  > )$"
CODE: Final = re.compile(r"\x1b\[(\??)([\d;]*)([A-Za-z])|\x1b[=>]|\x1b\([A-Z]")


class VirtualScreen:
    """What a terminal shows; it knows the escape codes that Fuda sends, and fails on any other."""

    def __init__(self) -> None:
        self.cells = [[" "] * COLUMNS for _ in range(ROWS)]
        self.row = 0
        self.column = 0
        self.alternate = False
        self.scrolled = 0
        """How many lines have scrolled out since the last drawing began."""
        self.wrapped = False
        """Whether a line was too long, since then."""

    def feed(self, text: str) -> None:
        at = 0
        while at < len(text):
            code = CODE.match(text, at)
            if code:
                self.run_code(code[1], code[2] or "", code[3] or "")
                at = code.end()
            else:
                self.put(text[at])
                at += 1

    def run_code(self, private: str, numbers: str, letter: str) -> None:
        if letter == "H":
            assert numbers == ""
            self.row = self.column = self.scrolled = 0
            self.wrapped = False
        elif letter == "J":
            self.erase(0 if numbers == "2" else self.column, 0 if numbers == "2" else self.row, ROWS)
        elif letter == "K":
            self.erase(self.column, self.row, self.row + 1)
        elif private and numbers == "1049":
            self.alternate = letter == "h"
        else:
            assert letter in "mhlC", f"unknown escape code {letter}"

    def erase(self, column: int, row: int, until: int) -> None:
        self.cells[row][column:] = [" "] * (COLUMNS - column)
        self.cells[row + 1 : until] = [[" "] * COLUMNS for _ in range(row + 1, until)]

    def put(self, character: str) -> None:
        if character == "\r":
            self.column = 0
        elif character == "\n":
            if self.row == ROWS - 1:
                self.cells = [*self.cells[1:], [" "] * COLUMNS]
                self.scrolled += 1
            else:
                self.row += 1
        elif character == "\b":
            self.column = max(0, self.column - 1)
        elif character.isprintable():
            wide = cell_len(character)
            if self.column + wide > COLUMNS:
                self.wrapped = True
                self.put("\r")
                self.put("\n")
            self.cells[self.row][self.column : self.column + wide] = [character, *[""] * (wide - 1)]
            self.column += wide

    @property
    def text(self) -> str:
        return "\n".join("".join(row).rstrip() for row in self.cells)


class Terminal:
    """The command `fuda` at a pseudo-terminal."""

    def __init__(self, home: Path, *arguments: str, **environment: str) -> None:
        env = os.environ | {"XDG_DATA_HOME": str(home), "TERM": "xterm", "LANG": "C.UTF-8"} | environment
        if "NO_COLOR" not in environment:
            env.pop("NO_COLOR", None)
        for name in ("COLUMNS", "LINES", "FORCE_COLOR"):
            env.pop(name, None)
        self.screen = VirtualScreen()
        self.sent = ""
        """The whole output so far."""
        self.child: Any = pexpect.spawn(
            sys.executable,
            ["-m", "fuda", *arguments],
            dimensions=(ROWS, COLUMNS),
            env=env,
            encoding="utf-8",
            timeout=PATIENCE,
        )

    def see(self, pattern: str = PROMPT) -> str:
        """Waits for this output; returns the screen."""
        self.child.expect(pattern)
        self.feed(self.child.before + self.child.after)
        return self.screen.text

    def asked(self) -> bool:
        """Waits for the next prompt; False if the command ends instead."""
        end = self.child.expect([PROMPT, pexpect.EOF])
        self.feed(self.child.before + (self.child.after if end == 0 else ""))
        return bool(end == 0)

    def feed(self, text: str) -> None:
        self.sent += text
        self.screen.feed(text)

    def type(self, line: str) -> str:
        """Types a line, and waits for the next prompt; returns the screen."""
        self.child.sendline(line)
        return self.see()

    def end(self) -> int:
        """Waits for the command to end; returns the exit status."""
        if not self.child.flag_eof:
            self.child.expect(pexpect.EOF)
            self.feed(self.child.before)
        self.child.close()
        status = self.child.exitstatus
        assert isinstance(status, int), f"killed by signal {self.child.signalstatus}"
        return status

    @property
    def fits(self) -> bool:
        """Whether the last drawing fits the screen."""
        return self.screen.alternate and not self.screen.scrolled and not self.screen.wrapped
