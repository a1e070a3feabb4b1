"""The browser session that the tests share. Pages do not depend on how the core was built: they are tested compiled only."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

import pytest

import fuda
from fuda.server.table import Table
from tests.web.positions import given_or_dealt
from tests.web.session import BrowserSession

collect_ignore_glob = [] if fuda.compiled else ["test_*.py"]


@pytest.fixture(scope="session")
def browser_session() -> Iterator[BrowserSession]:
    """Tables may start from a given position; see `positions.GIVEN`."""
    with patch.object(Table, "new_game", given_or_dealt):
        session = BrowserSession()
        yield session
        session.close()
