"""Fixtures for the tests of the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fuda.cli.main import main
from tests.client.served import Served, served

Run = Callable[..., Result]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of this test's saved games."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def run(home: Path) -> Run:
    """Runs `fuda` without a terminal, with these lines as input."""

    def invoke(*arguments: str, typed: str = "") -> Result:
        result = CliRunner().invoke(main, arguments, input=typed)
        assert "\x1b" not in result.output, "no escape codes without a terminal"
        assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
        return result

    return invoke


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A fast server for all tests."""
    with served(tmp_path_factory.mktemp("server"), "--speed", "20", "--workers", "1") as server:
        yield server
