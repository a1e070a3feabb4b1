"""A position of Kirifu from which something rare is likely."""

from __future__ import annotations

from fuda.games.kirifu.state import MOST_IDLE
from fuda.lab.observing import RarePosition


def rare_positions() -> list[RarePosition]:
    """A stalemate (K-26)."""
    hands = {"A": ["club 2", "club 3"], "B": ["spade 5"], "C": ["club 5", "club 6"]}
    idle = MOST_IDLE - 1
    return [RarePosition(3, {"games": 1}, {"idle": idle, "trump": "heart", "hands": hands, "rest": "discards"})]
