"""Fuda: modern card games, played by their rules. Text in, text out.

>>> import fuda
>>> g = fuda.new("schadenfreude", players=4, seed=7)
>>> g.play(g.moves()[0])
"""

from __future__ import annotations

import os
from typing import Any, Final

from fuda.engine import core
from fuda.engine.errors import Error, Refused, brief
from fuda.engine.records import checked
from fuda.engine.rulebook import Rulebook
from fuda.game import Game, begin, chance_from, redeal_with, replay_with
from fuda.games.catalogue import CATALOGUE
from fuda.verification import Verdict, judge

__version__: Final = "0.2.0"
__all__ = ["Error", "Game", "Refused", "compiled", "games", "new", "redeal", "replay", "rulebook", "verify"]

compiled: Final = not str(core.__file__).endswith(".py")
"""True when the compiled core is in use."""


def games() -> list[dict[str, Any]]:
    """The catalogue: id, name, players (least and most), options with their defaults, and version of the rules."""
    return [
        {
            "id": rules.id,
            "name": rules.name,
            "about": rules.about,
            "players": [rules.least, rules.most],
            "options": {option.name: option.default for option in rules.options},
            "rules": rules.version,
        }
        for rules in CATALOGUE
    ]


def rulebook(game: str) -> Rulebook[Any]:
    """All that is to be known of a game: its cards, fields, rules, options, looks and words."""
    for rules in CATALOGUE:
        if rules.id == game:
            return rules
    raise Error(f"There is no game {brief(game)}; there are {', '.join(rules.id for rules in CATALOGUE)}.")


def new(
    game: str,
    players: int | None = None,
    seed: int | bytes | None = None,
    options: dict[str, Any] | None = None,
    position: dict[str, Any] | None = None,
) -> Game:
    """A new game, from its beginning or from a given position; the same seed gives the same luck.

    Bytes, at least 16 that nobody knows, give luck that nobody can foresee; a number is for simulations.
    """
    rules = rulebook(game)
    chance = chance_from(fresh_seed() if seed is None else seed, rules.cards)
    return begin(rules, rules.most if players is None else players, options, chance, position)


def replay(record: dict[str, Any], seed: int | bytes | None = None) -> Game:
    """The recorded game again, with the luck it had; whatever chance brings after that comes from the seed."""
    whole = checked(record)
    return replay_with(rulebook(whole["game"]), whole, fresh_seed() if seed is None else seed)


def verify(record: dict[str, Any]) -> Verdict:
    """What can be said about the deal of a game at an online table; Error if anything is wrong with it."""
    whole = checked(record)
    verdict = judge(rulebook(whole["game"]), whole)
    if verdict.wrong:
        raise Error(verdict.wrong)
    return verdict


def redeal(view: dict[str, Any], seed: int) -> Game:
    """A full game that this view's seat, or spectator, cannot tell from the true one; all such are equally likely."""
    if not isinstance(view, dict):
        raise Error(f"The view: expected its fields, got {brief(view)}.")
    return redeal_with(rulebook(str(view.get("game"))), view, seed)


def fresh_seed() -> int:
    return int.from_bytes(os.urandom(8), "big") >> 2
