"""Soak test: random games with every number of players and all options, and how often everything happened in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import count, cycle
from typing import Any, Final

import fuda
from fuda.engine.random import Random, seeded
from fuda.engine.rulebook import Options, Rulebook
from fuda.lab.catalogue import observer_of, rare_positions_of
from fuda.lab.observing import RarePosition

PREPARED_SHARE: Final = 10
"""One in this many decisions is made in a game from a prepared position."""
MOST_PREPARED: Final = 20
"""The most decisions in a game from a prepared position: by then the rare thing has happened, or will not."""


class Soak:
    """How often each thing happened in the games so far, and in those among them that began from a prepared position."""

    def __init__(self, rules: Rulebook[Any]) -> None:
        self.rules = rules
        self.games = 0
        self.decisions = 0
        self.seen: Counter[tuple[str, str]] = Counter()
        self.in_prepared: Counter[tuple[str, str]] = Counter()

    def names(self) -> dict[str, list[str]]:
        """All that should happen sooner or later, by what it is."""
        return {
            **observer_of(self.rules).names,
            "question": kinds_in(self.rules.questions),
            "note": kinds_in(self.rules.notes),
        }

    def missing(self) -> list[str]:
        """What never happened."""
        return [f"{what} {name}" for what, names in self.names().items() for name in names if not self.seen[what, name]]

    def count(self, things: list[tuple[str, str]], prepared: bool) -> None:
        self.seen.update(things)
        if prepared:
            self.in_prepared.update(things)


def kinds_in(words: dict[str, str]) -> list[str]:
    """The kinds that there are words for; "draw, cards" are words for a draw too."""
    return [*dict.fromkeys(kind.partition(",")[0] for kind in words)]


def tables(rules: Rulebook[Any]) -> Iterator[tuple[int, Options]]:
    """Every number of players: with the default options, and with each other value of each option that is not a number."""
    for players in range(rules.least, rules.most + 1):
        yield players, {}
        for option in rules.options:
            values = [False, True] if isinstance(option.default, bool) else option.values or []
            for value in values:
                if value != option.default:
                    yield players, {option.name: value}


def soak(rules: Rulebook[Any], decisions: int, seed: int) -> Soak:
    """Plays games until this many decisions have been made; all are played to their end, except prepared ones."""
    out = Soak(rules)
    moves = seeded(seed)
    seeds = count(seed)
    positions = rare_positions_of(rules)
    every_position = cycle(positions)
    while positions and out.decisions < decisions // PREPARED_SHARE:
        begin_prepared(out, next(every_position), next(seeds), moves)
    every_table = cycle(tables(rules))
    while out.decisions < decisions:
        players, options = next(every_table)
        play(out, fuda.new(rules.id, players=players, seed=next(seeds), options=options), moves)
    return out


def asked(kind: str, facts: dict[str, Any]) -> list[str]:
    """The kind of a question, and the kinds of the details in it."""
    lists = [value for value in facts.values() if isinstance(value, list)]
    return [kind, *(one["kind"] for things in lists for one in things if isinstance(one, dict))]


def begin_prepared(out: Soak, rare: RarePosition, seed: int, moves: Random) -> None:
    game = fuda.new(out.rules.id, players=rare.players, seed=seed, options=rare.options, position=rare.position)
    play(out, game, moves, MOST_PREPARED)


def play(out: Soak, game: fuda.Game, moves: Random, most: int = 0) -> None:
    """Plays a game at random: to its end, or at most `most` decisions if that is not 0."""
    state = game.state
    notes = game.log().notes
    observer = observer_of(out.rules)
    played = read = 0
    while True:
        new = notes[read:]
        read += len(new)
        out.count([*observer.see(state, new), *(("note", note["kind"]) for note in new)], most > 0)
        if state.over or (most and played == most):
            break
        out.count([("question", kind) for kind in asked(state.step.kind, state.step.facts(state))], most > 0)
        legal = state.legal()
        state.play(legal[moves.below(len(legal))])
        played += 1
    out.games += 1
    out.decisions += played
