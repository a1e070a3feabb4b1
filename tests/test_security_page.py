"""The tests that docs/security.md names exist, and its promises name tests."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/security.md").read_text()
NAMED = sorted({*re.findall(r"`(tests/[^`]+)`", PAGE)})
PROMISES = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith(("| promise", "| ---"))]


def functions_in(path: Path) -> set[str]:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, functions)}


@pytest.mark.parametrize("name", NAMED)
def test_a_test_that_the_page_names_exists(name: str) -> None:
    file, _, function = name.partition("::")
    assert (ROOT / file).is_file(), file
    if function:
        assert function.startswith("test_")
        assert function in functions_in(ROOT / file), name


def test_every_promise_names_a_test() -> None:
    assert len(PROMISES) > 20
    assert [line for line in PROMISES if "`tests/" not in line] == []
