"""The command `fuda serve`: its port, and the browser."""

from __future__ import annotations

import socket
import webbrowser
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from click.testing import CliRunner

from fuda.cli.main import main
from fuda.server import logs, running


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The default port, which is in use; nothing is served, and no browser opened."""

    def run(settings: Any, listener: socket.socket, started: Any, verbose: bool) -> None:
        with listener:
            started()

    monkeypatch.setattr(running, "run", run)
    monkeypatch.setattr(webbrowser, "open", lambda _: None)
    monkeypatch.setattr(logs, "log_as_json", lambda _: None)  # other tests log, too
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        monkeypatch.setattr(import_module("fuda.cli.commands.serve"), "DEFAULT_PORT", port)
        yield port


def test_open_uses_another_port_if_the_default_one_is_taken(taken: int) -> None:
    result = CliRunner().invoke(main, ["serve", "--open"])
    assert result.exit_code == 0
    assert result.output.startswith("Fuda is at http://127.0.0.1:")
    assert f":{taken}\n" not in result.output


@pytest.mark.parametrize("with_open", [False, True])
def test_an_operator_is_told_that_the_port_is_taken(taken: int, with_open: bool) -> None:
    words = ["--port", str(taken), "--open"] if with_open else []
    result = CliRunner().invoke(main, ["serve", *words])
    assert result.exit_code != 0
    assert f"Cannot listen on 127.0.0.1, port {taken}" in result.output


def test_a_port_that_is_free_is_taken(taken: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as found:
        free = found.getsockname()[1]
    result = CliRunner().invoke(main, ["serve", "--port", str(free)])
    assert result.output == f"Fuda is at http://127.0.0.1:{free}\n"
