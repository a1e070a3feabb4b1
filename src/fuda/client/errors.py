"""What can go wrong at a table online, each in a sentence."""

from __future__ import annotations

from typing import Any

import fuda


class Denied(fuda.Error):
    """The server did not do what it was asked for, and nothing has changed."""

    def __init__(self, code: str, text: str, rule: str = "", facts: dict[str, Any] | None = None) -> None:
        super().__init__(text)
        self.code = code
        """Why, in a word or two for programs: see docs/protocol.md."""
        self.text = text
        self.rule = rule
        """The id of the rule that forbids the move, where one does."""
        self.facts = facts or {}


class Unreachable(fuda.Error):
    """The server cannot be reached, or what answers is not one of ours. It may be worth trying again later."""


class Ended(fuda.Error):
    """The connection to the table has ended, and it makes no sense to come back."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
