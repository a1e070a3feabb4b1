"""The errors of the client."""

from __future__ import annotations

from typing import Any

import fuda


class Denied(fuda.Error):
    """The server did not carry out a request, and nothing has changed."""

    def __init__(self, code: str, text: str, rule: str = "", facts: dict[str, Any] | None = None) -> None:
        super().__init__(text)
        self.code = code
        """The reason for programs: see docs/protocol.md."""
        self.text = text
        self.rule = rule
        """The id of the rule that forbids the move, if one does."""
        self.facts = facts or {}


class Unreachable(fuda.Error):
    """The server cannot be reached, or is not a Fuda server. Trying again later may help."""


class Ended(fuda.Error):
    """The connection to the table has ended for good."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
