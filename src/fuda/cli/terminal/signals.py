"""Ctrl-C, SIGTERM and SIGHUP, handled only while the program waits."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

SIGNALS: Final = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


class Quit(Exception):
    """The player quits: by a command, a signal or the end of the input. `status` is the exit status."""

    def __init__(self, status: int = 0) -> None:
        super().__init__("The player quits.")
        self.status = status


class SignalGuard:
    """Turns signals into Quit, but only while the program waits: a move is completed, or not made at all."""

    def __init__(self) -> None:
        self.is_interruptible = False
        self.pending: int | None = None
        """A signal that has not raised Quit yet."""

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Handles signals inside; afterwards the previous handlers are back."""
        previous: dict[int, Any] = {number: signal.signal(number, self.handle) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)

    def handle(self, number: int, frame: FrameType | None) -> None:
        self.pending = number
        if self.is_interruptible:
            self.raise_pending()

    def raise_pending(self) -> None:
        if self.pending is not None:
            quit_ = Quit(128 + self.pending)
            self.pending = None
            raise quit_

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """The program waits inside, and a signal raises Quit at once."""
        self.is_interruptible = True
        try:
            self.raise_pending()
            yield
        finally:
            self.is_interruptible = False
