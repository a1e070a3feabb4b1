"""In plain Python a few of these are enough: pages and browsers are the same, and the server has tests of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

import fuda
from fuda.server.table import Table
from tests.web.evenings import Evening
from tests.web.positions import given_or_dealt

HERE = Path(__file__).parent
ALWAYS = ("test_playing.py",)
collect_ignore = [] if fuda.compiled else [file.name for file in HERE.glob("test_*.py") if file.name not in ALWAYS]


@pytest.fixture(scope="module")
def evening() -> Iterator[Evening]:
    """Where a whole module plays, at tables that begin with a position if one is given."""
    with patch.object(Table, "new_game", given_or_dealt):
        evening = Evening()
        yield evening
        evening.end()
