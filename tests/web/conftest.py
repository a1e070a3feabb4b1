"""In plain Python a few of these are enough: pages and browsers are the same, and the server has tests of its own."""

from __future__ import annotations

from pathlib import Path

import fuda

HERE = Path(__file__).parent
ALWAYS = ("test_playing.py",)
collect_ignore = [] if fuda.compiled else [file.name for file in HERE.glob("test_*.py") if file.name not in ALWAYS]
