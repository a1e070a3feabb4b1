"""Every kind of table that the catalogue offers, for tests that hold for all games."""

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


def is_telling(table: Table) -> bool:
    """Of a game with many options each is tried with the fewest players; the usual ones with every number of them."""
    of_the_game = [other for other in ALL if other.game == table.game]
    return len(of_the_game) < 10 or not table.options or table.players == of_the_game[0].players


TELLING = [table for table in ALL if is_telling(table)]
telling_tables = pytest.mark.parametrize("table", TELLING, ids=str)
"""For what takes long: enough tables to try every number of players and every option."""


def random_game(table: Table, seed: int) -> Iterator[fuda.Game]:
    """A whole game at random: the same game before every decision, and once more when it is over."""
    luck = random.Random(seed)
    game = table.new(seed)
    while not game.over:
        yield game
        game.play(pick(luck, game.moves()))
    yield game


def pick(luck: random.Random, moves: list[str]) -> str:
    """One of the moves; `random()` alone is promised to give the same in every version of Python."""
    return moves[int(luck.random() * len(moves))]


def seeds(many: int) -> range:
    """So many random games; fewer in plain Python."""
    return range(many if fuda.compiled else 1 + many // 4)


def moments(table: Table, seed: int, share: float) -> Iterator[fuda.Game]:
    """Some of the moments of a whole random game, its end among them; of a long game no more than of a short one.

    Plain Python is forty times slower, and the rules are the same there: a third is enough to see that.
    """
    length = sum(1 for _ in random_game(table, seed))
    share *= min(1.0, (150 if fuda.compiled else 50) / length)
    luck = random.Random(seed + 1)
    for game in random_game(table, seed):
        if game.over or luck.random() < share:
            yield game
