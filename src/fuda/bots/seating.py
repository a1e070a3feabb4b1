"""Which bots sit down where nobody says more, and what they are called."""

from __future__ import annotations

from typing import Final

from fuda.bots.catalogue import names

DEFAULT_NAMES: Final = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hana"]
"""Of bots, and of people who do not say theirs; each begins with its seat's letter."""
BEST_KINDS: Final = ["thumb"]
"""Bots that sit down if nobody asked for a kind, where there are such."""


def default_kind(game: str) -> str:
    kinds = names(game)
    return next((kind for kind in BEST_KINDS if kind in kinds), kinds[0])
