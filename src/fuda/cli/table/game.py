"""The game that a table shows."""

from __future__ import annotations

from typing import Any, Protocol

from fuda.engine.rulebook import Rulebook

Note = dict[str, Any]


Names = dict[str, str]


class Shown(Protocol):
    """A game as a table shows it, whether it is played here or elsewhere."""

    @property
    def rules(self) -> Rulebook[Any]: ...

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
