"""The game that a table shows."""

from __future__ import annotations

from typing import Any, Protocol

from rich.text import Text

from fuda.engine.rulebook import Options, Rulebook

Note = dict[str, Any]
"""What happened, as data."""
Names = dict[str, str]
"""Something to be read, by seat."""
Paragraph = list[Text]
"""Words that are to be wrapped."""


class TableGame(Protocol):
    """A game as a table shows it, whether it is played here or on a server."""

    @property
    def rules(self) -> Rulebook[Any]: ...

    @property
    def options(self) -> Options: ...

    @property
    def given(self) -> dict[str, Any] | None: ...

    @property
    def past(self) -> list[Note]: ...

    @property
    def over(self) -> bool: ...

    @property
    def totals(self) -> dict[str, int]: ...

    @property
    def winners(self) -> list[str] | None: ...

    def view(self, seat: str | None) -> dict[str, Any]: ...

    def moves(self) -> list[str]: ...
