"""Every way of cheating in the threat model of docs/fair.md has a test that exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.test_security_page import functions_in

ROOT = Path(__file__).parent.parent
MODEL = (ROOT / "docs/fair.md").read_text().partition("## Threat model")[2].partition("### What is not proven")[0]
ROWS = [line for line in MODEL.splitlines() if line.startswith("| ") and not line.startswith(("| who", "| ---"))]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row)[2:60])
def test_a_way_of_cheating_has_tests_that_exist(row: str) -> None:
    named = re.findall(r"`(tests/[^`:]+)::(test_\w+)`", row)
    assert named
    assert len(row.split(" | ")) == 3
    for file, function in named:
        assert function in functions_in(ROOT / file), function


def test_the_threat_model_names_all_that_verification_notices() -> None:
    """Whoever adds a check there adds it to the page."""
    tests = functions_in(ROOT / "tests/test_verification.py")
    assert {name for name in tests if re.search(r"_(is|are)_noticed", name)} <= {*re.findall(r"::(test_\w+)`", MODEL)}
    assert len(ROWS) > 15
