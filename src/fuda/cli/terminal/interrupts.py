"""A bell that interrupts whoever types when something has happened at a table elsewhere."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import Any, Final

from fuda.cli.terminal.line_editor import typed_so_far

SIGNAL: Final[int | None] = getattr(signal, "SIGURG", None) if hasattr(signal, "pthread_kill") else None
"""A signal that nobody minds who does not listen for it; where there is none, news wait until Enter is pressed."""


LOST: Final = 0.3
"""So many seconds after it was heard and nothing came of it, it is to be heard again."""


class Stirred(Exception):
    """Something has happened; `typed` is what had been typed so far."""

    def __init__(self, typed: str) -> None:
        super().__init__("Something has happened at the table.")
        self.typed = typed


class Bell:
    """Rung from any thread, heard by the main one, and only while it waits for somebody to type."""

    def __init__(self) -> None:
        self.is_rung = False
        self.is_inside = False
        """Whether somebody is asked to type."""
        self.is_listening = False
        """Whether that may be interrupted now."""
        self.heard: float | None = None
        """When it was heard since then."""

    @contextlib.contextmanager
    def kept(self) -> Iterator[None]:
        """Can be heard inside; afterwards the signal means again what it meant before."""
        before: Any = None if SIGNAL is None else signal.signal(SIGNAL, self.hear)
        try:
            yield
        finally:
            if SIGNAL is not None:
                signal.signal(SIGNAL, before)

    def ring(self) -> None:
        self.is_rung = True
        self.call()

    def call(self) -> None:
        listener = threading.main_thread().ident
        if SIGNAL is not None and self.is_rung and self.is_listening and listener is not None:
            signal.pthread_kill(listener, SIGNAL)

    def remind(self) -> None:
        """Rings again where it was not heeded: it may have rung just before, or while Tab completed a word."""
        if self.is_inside and self.heard is not None and time.monotonic() - self.heard > LOST:
            self.heard = None
            self.is_listening = True
        self.call()

    def hear(self, number: int, frame: FrameType | None) -> None:
        if self.is_rung and self.is_listening:
            self.is_listening = False
            self.heard = time.monotonic()
            raise Stirred(typed_so_far())

    @contextlib.contextmanager
    def asking(self) -> Iterator[None]:
        """Here somebody is asked to type, and interrupted from when it `is_listening`; at once if it has rung already."""
        if self.is_rung and SIGNAL is not None:
            raise Stirred("")
        self.heard = None
        self.is_inside = True
        try:
            yield
        finally:
            self.is_inside = self.is_listening = False

    def silence(self) -> None:
        """Whatever it was rung for is known now."""
        self.is_rung = False
