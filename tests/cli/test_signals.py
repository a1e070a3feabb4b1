"""Signals that come at the same moment: what they say is heeded, one after the other."""

from __future__ import annotations

import signal

import pytest

from fuda.cli.terminal.interrupts import Stirred
from fuda.cli.terminal.screen import at_once
from fuda.cli.terminal.signals import Leave, Watch


@pytest.mark.parametrize("first", [Leave(130), Stirred("sword")])
def test_a_second_signal_does_not_hide_the_first(first: Exception) -> None:
    with pytest.raises(type(first)) as raised, at_once():
        raise SystemError("a result with an exception set") from first
    assert raised.value is first


def test_another_failure_is_not_hidden() -> None:
    with pytest.raises(SystemError), at_once():
        raise SystemError("something else")


def test_a_signal_that_could_not_be_heeded_is_heeded_at_the_next_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch()
    with monkeypatch.context() as patched:
        patched.setattr("fuda.cli.terminal.signals.Leave", failing)
        with pytest.raises(SystemError), watch.waiting():
            watch.notice(signal.SIGINT, None)
    with pytest.raises(Leave) as left, watch.waiting():
        raise AssertionError("nobody waits any more")
    assert left.value.status == 130


def failing(status: int) -> Leave:
    raise SystemError("a result with an exception set")
