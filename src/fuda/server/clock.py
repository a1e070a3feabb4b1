"""The time by which a server plans: nobody can set this clock, and it never goes back."""

from __future__ import annotations

import time


def elapsed() -> float:
    """Seconds since some moment in the past, including those in which the machine slept, where that is known."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


STARTED_AT = time.time() - elapsed()


def now() -> float:
    """The wall clock as it was when the process started, and the seconds since then."""
    return STARTED_AT + elapsed()
