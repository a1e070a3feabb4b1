"""The catalogue: one line per game."""

from __future__ import annotations

from typing import Any, Final

from fuda.engine.rulebook import Rulebook
from fuda.games import cursed_tricks, schadenfreude, shinigami_preschool
from fuda.games.frantic import rulebook as frantic
from fuda.games.kirifu import rulebook as kirifu

CATALOGUE: Final[list[Rulebook[Any]]] = [
    schadenfreude.RULES,
    cursed_tricks.RULES,
    shinigami_preschool.RULES,
    frantic.RULES,
    kirifu.RULES,
]
