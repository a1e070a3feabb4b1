"""Which bots sit down where nobody asks for a kind, and what they are called."""

from __future__ import annotations

from typing import Final

from fuda.bots.catalogue import names

DEFAULT_NAMES: Final = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hana"]
"""Of bots, and of people who do not give theirs; each begins with its seat's letter."""


def kinds_of(game: str) -> list[str]:
    """All kinds of bots that play it, the strongest first."""
    return names(game)[::-1]


def default_kind(game: str) -> str:
    """The kind that sits down if nobody asks for another."""
    return kinds_of(game)[0]
