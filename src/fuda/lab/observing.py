"""What a soak looks for in a game, and positions from which something rare is likely."""

from __future__ import annotations

from typing import Any

from fuda.engine.notes import Note
from fuda.engine.rulebook import Options, Rulebook


class Observer:
    """Follows one game and says what has happened in it."""

    def __init__(self, names: dict[str, list[str]]) -> None:
        self.names = names
        """All that should happen if enough games are played, by what it is: "card", "event", …"""

    def see(self, s: Any, notes: list[Note]) -> list[tuple[str, str]]:
        """What has happened since the last call: these notes have led to this state."""
        return [("card", card) for note in notes for card in [*note.get("cards", []), note.get("card")] if card]


class RarePosition:
    """A position from which something rare is likely."""

    def __init__(self, players: int, options: Options, position: dict[str, Any]) -> None:
        self.players = players
        self.options = options
        self.position = position


def card_observer(rules: Rulebook[Any]) -> Observer:
    """Looks for every card."""
    return Observer({"card": rules.cards})
