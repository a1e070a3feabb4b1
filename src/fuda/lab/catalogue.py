"""What the soak looks for besides the cards, by game; games without an entry are played too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from fuda.engine.rulebook import Rulebook
from fuda.lab import rare_frantic, rare_kirifu
from fuda.lab.observing import Observer, RarePosition, card_observer

OBSERVERS: Final[dict[str, Callable[[], Observer]]] = {"frantic": rare_frantic.FranticObserver}
RARE_POSITIONS: Final[dict[str, Callable[[], list[RarePosition]]]] = {
    "frantic": rare_frantic.rare_positions,
    "kirifu": rare_kirifu.rare_positions,
}


def observer_of(rules: Rulebook[Any]) -> Observer:
    return OBSERVERS[rules.id]() if rules.id in OBSERVERS else card_observer(rules)


def rare_positions_of(rules: Rulebook[Any]) -> list[RarePosition]:
    return RARE_POSITIONS[rules.id]() if rules.id in RARE_POSITIONS else []
