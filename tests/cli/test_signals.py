"""Signals that arrive at the same moment are handled one after the other."""

from __future__ import annotations

import signal

import pytest

from fuda.cli.terminal.interrupts import InputInterrupted
from fuda.cli.terminal.screen import reraise_first_signal
from fuda.cli.terminal.signals import Quit, SignalGuard


@pytest.mark.parametrize("first", [Quit(130), InputInterrupted("sword")])
def test_a_second_signal_does_not_hide_the_first(first: Exception) -> None:
    with pytest.raises(type(first)) as raised, reraise_first_signal():
        raise SystemError("a result with an exception set") from first
    assert raised.value is first


def test_another_failure_is_not_hidden() -> None:
    with pytest.raises(SystemError), reraise_first_signal():
        raise SystemError("something else")


def test_a_signal_that_failed_is_raised_at_the_next_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    signals = SignalGuard()
    with monkeypatch.context() as patched:
        patched.setattr("fuda.cli.terminal.signals.Quit", failing)
        with pytest.raises(SystemError), signals.interruptible():
            signals.handle(signal.SIGINT, None)
    with pytest.raises(Quit) as left, signals.interruptible():
        raise AssertionError("not reached")
    assert left.value.status == 130


def failing(status: int) -> Quit:
    raise SystemError("a result with an exception set")
