"""Interrupts the input line from another thread, when something has happened at an online table."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import Any, Final

from fuda.cli.terminal.line_editor import current_line

SIGNAL: Final[int | None] = getattr(signal, "SIGURG", None) if hasattr(signal, "pthread_kill") else None
"""Ignored by default. On systems without it, updates wait until Enter is pressed."""
RETRY_AFTER: Final = 0.3
"""Seconds after which an interrupt that had no effect is sent again."""


class InputInterrupted(Exception):
    """Something has happened; `typed` is the unfinished input line."""

    def __init__(self, typed: str) -> None:
        super().__init__("Something has happened at the table.")
        self.typed = typed


class InputInterrupter:
    """Requested from any thread; interrupts the main one, and only while it reads a line."""

    def __init__(self) -> None:
        self.is_requested = False
        self.is_reading = False
        """Whether the main thread reads a line."""
        self.is_allowed = False
        """Whether that may be interrupted now."""
        self.interrupted_at: float | None = None
        """When the current line was interrupted last."""

    @contextlib.contextmanager
    def installed(self) -> Iterator[None]:
        """Handles the signal inside; afterwards the previous handler is back."""
        previous: Any = None if SIGNAL is None else signal.signal(SIGNAL, self.handle)
        try:
            yield
        finally:
            if SIGNAL is not None:
                signal.signal(SIGNAL, previous)

    def request(self) -> None:
        self.is_requested = True
        if self.is_allowed:
            send_signal()

    def retry(self) -> None:
        """Sends the signal again if it had no effect: it may have come just before, or during a completion by Tab.

        It is sent in any case, because a Ctrl-C just before readline waits is noticed only with the next signal.
        """
        if not self.is_reading:
            return
        if self.interrupted_at is not None and time.monotonic() - self.interrupted_at > RETRY_AFTER:
            self.interrupted_at = None
            self.is_allowed = True
        send_signal()

    def handle(self, number: int, frame: FrameType | None) -> None:
        if self.is_requested and self.is_allowed:
            self.is_allowed = False
            self.interrupted_at = time.monotonic()
            raise InputInterrupted(current_line())

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """A line is read inside, and can be interrupted from `allow` on; at once if that was requested before."""
        if self.is_requested and SIGNAL is not None:
            raise InputInterrupted("")
        self.interrupted_at = None
        self.is_reading = True
        try:
            yield
        finally:
            self.is_reading = self.is_allowed = False

    def allow(self) -> None:
        self.is_allowed = self.is_reading

    def clear(self) -> None:
        """Forgets the request, once its reason is known."""
        self.is_requested = False


def send_signal() -> None:
    """Interrupts whatever system call the main thread waits in."""
    main_thread = threading.main_thread().ident
    if SIGNAL is not None and main_thread is not None:
        signal.pthread_kill(main_thread, SIGNAL)
