"""`fuda` with a system clock that is wrong from the start, or is set while it runs.

FUDA_TEST_CLOCK names a file with the seconds by which the clock is wrong; whenever the process asks for the time,
it is read again.
"""

from __future__ import annotations

import os
import runpy
import time
from pathlib import Path

FILE = Path(os.environ["FUDA_TEST_CLOCK"])
right_time = time.time


def wrong_time() -> float:
    return right_time() + float(FILE.read_text())


if __name__ == "__main__":
    time.time = wrong_time
    runpy.run_module("fuda", run_name="__main__")
