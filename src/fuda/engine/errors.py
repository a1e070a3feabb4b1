"""What Fuda raises: one sentence that says what is wrong, and where."""

from __future__ import annotations

from typing import Any

from fuda.engine.words import sentence


class Error(Exception):
    """Something given to Fuda is wrong; the message says what and where. Nothing has changed."""


class Refused(Error):
    """A move was refused: `rule` is the id of the rule that forbids it, `facts` are the facts at hand."""

    def __init__(self, rule: str, text: str, because: str, facts: dict[str, Any]) -> None:
        super().__init__(sentence(f"{text} {because}".strip(), facts))
        self.rule = rule
        self.text = text
        self.because = because
        self.facts = facts


def brief(value: object) -> str:
    """A value as an error message can show it, however long."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):  # nested too deeply, or a number of too many digits
        text = f"a {type(value).__name__} that is too large"
    return text if len(text) <= 60 else f"{text[:57]}…"
