"""What the tests of the command line share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fuda.cli.main import main

Run = Callable[..., Result]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this test's games are saved."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def run(home: Path) -> Run:
    """The command `fuda` without a terminal: its arguments, and the lines that are piped into it."""

    def invoke(*arguments: str, typed: str = "") -> Result:
        result = CliRunner().invoke(main, arguments, input=typed)
        assert "\x1b" not in result.output, "no colour and no clearing without a terminal"
        assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
        return result

    return invoke
