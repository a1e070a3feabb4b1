"""Every kind of table in the catalogue, for tests that apply to all games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import fuda
from fuda.games.catalogue import CATALOGUE


class Table:
    """A game with a number of players and options."""

    def __init__(self, game: str, players: int, options: dict[str, Any]) -> None:
        self.game = game
        self.players = players
        self.options = options
        self.seats = [*"ABCDEFGH"[:players]]

    def new(self, seed: int, position: dict[str, Any] | None = None) -> fuda.Game:
        return fuda.new(self.game, players=self.players, seed=seed, options=self.options, position=position)

    def __str__(self) -> str:
        return "-".join([self.game, str(self.players), *(f"{name}={value}" for name, value in self.options.items())])


def tables() -> Iterator[Table]:
    """Every game with every number of players, and with every value of its options that is not a number."""
    for rules in CATALOGUE:
        for players in range(rules.least, rules.most + 1):
            yield Table(rules.id, players, {})
            for option in rules.options:
                values = [False, True] if isinstance(option.default, bool) else option.values or []
                for value in values:
                    if value != option.default:
                        yield Table(rules.id, players, {option.name: value})


ALL = list(tables())
every_table = pytest.mark.parametrize("table", ALL, ids=str)


def is_in_reduced_set(table: Table) -> bool:
    """Of a game with many options each is tried with the fewest players only; the defaults with every number of players."""
    of_the_game = [other for other in ALL if other.game == table.game]
    return len(of_the_game) < 20 or not table.options or table.players == of_the_game[0].players


REDUCED = [table for table in ALL if is_in_reduced_set(table)]
reduced_tables = pytest.mark.parametrize("table", REDUCED, ids=str)
"""For tests that look at many moments: every number of players and every option, but not all combinations."""


def random_game(table: Table, seed: int) -> Iterator[fuda.Game]:
    """A whole random game: the same object at every decision, and once more when it is over."""
    chooser = random.Random(seed)
    game = table.new(seed)
    while not game.over:
        yield game
        game.play(pick(chooser, game.moves()))
    yield game


def pick(chooser: random.Random, moves: list[str]) -> str:
    """One of the moves; only `random()` gives the same numbers in every version of Python."""
    return moves[int(chooser.random() * len(moves))]


def seeds(many: int) -> range:
    """The seeds of this number of random games; fewer in plain Python."""
    return range(many if fuda.compiled else 1 + many // 4)


def moments(table: Table, seed: int, share: float) -> Iterator[fuda.Game]:
    """Some of the decisions of a whole random game, and its end; of a long game no more than of a short one.

    Plain Python is much slower, and the rules are the same there: a third is enough.
    """
    length = sum(1 for _ in random_game(table, seed))
    share *= min(1.0, (150 if fuda.compiled else 50) / length)
    chooser = random.Random(seed + 1)
    for game in random_game(table, seed):
        if game.over or chooser.random() < share:
            yield game
