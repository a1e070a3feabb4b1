"""Games played to their end, for what only a whole game shows."""

from __future__ import annotations

from collections import deque
from typing import Any

import fuda
from tests.tables import Table, random_game


def finished(table: Table, seed: int) -> fuda.Game:
    """A whole game at random."""
    return deque(random_game(table, seed), maxlen=1).pop()


def notes(game: fuda.Game, kind: str) -> list[dict[str, Any]]:
    return [note for note in game.view(None)["history"] if note["kind"] == kind]


def round_leaders(game: fuda.Game) -> str:
    """Who led the first trick of each round."""
    return "".join(note["seat"] for note in notes(game, "deal"))
