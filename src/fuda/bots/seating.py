"""Which bots sit down where nobody says more, and what they are called."""

from __future__ import annotations

from typing import Final

from fuda.bots.catalogue import names

DEFAULT_NAMES: Final = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hana"]
"""Of bots, and of people who do not say theirs; each begins with its seat's letter."""
BEST_KINDS: Final = ["thumb"]
"""Bots that sit down if nobody asked for a kind, where there are such."""


def kinds_of(game: str) -> list[str]:
    """All kinds of bots that play it; the first sits down if nobody asks for another."""
    return sorted(names(game), key=lambda kind: kind not in BEST_KINDS)


def default_kind(game: str) -> str:
    return kinds_of(game)[0]
