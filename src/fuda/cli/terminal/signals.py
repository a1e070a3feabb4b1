"""Leaving the table: by a word, by Ctrl-C, by the end of the input, or because the terminal is closed."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

SIGNALS: Final = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


class Leave(Exception):
    """Somebody leaves the table; `status` is what the command exits with."""

    def __init__(self, status: int = 0) -> None:
        super().__init__("The table is left.")
        self.status = status


class Watch:
    """Turns signals into Leave, but only while the game waits: a move is made whole, or not at all."""

    def __init__(self) -> None:
        self.is_waiting = False
        self.signal: int | None = None
        """A signal that came while a move was being made."""
        self.before: dict[int, Any] = {}

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Keeps watch inside; afterwards signals do again what they did before."""
        self.before = {number: signal.signal(number, self.notice) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in self.before.items():
                signal.signal(number, handler)

    def notice(self, number: int, frame: FrameType | None) -> None:
        self.signal = number
        if self.is_waiting:
            self.go()

    def go(self) -> None:
        if self.signal is not None:
            leave = Leave(128 + self.signal)
            self.signal = None
            raise leave

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Here the game stands still, and a signal is heeded at once."""
        self.is_waiting = True
        try:
            self.go()
            yield
        finally:
            self.is_waiting = False
