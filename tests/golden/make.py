"""Writes the golden games: `python -m tests.golden.make`. Only for a change of the rules, with its version.

There is a file for each game, with one line of JSON for each table. A line has the record of one random game, a trace of all
that the public face showed of it, and digests of twenty more games.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import fuda
from tests.tables import REDUCED, Table, pick, random_game

FOLDER = Path(__file__).parent
SEED = 7
MORE_SEEDS = range(100, 120)
MARK = 4
"""Hexadecimal digits that a trace has for each decision."""
DEPTHS = (1, 2, 3, 4)
MANY_LINES = 500
"""Where there are more sequences of four moves than these, longer ones are not counted."""


def golden(table: Table) -> dict[str, Any]:
    """All that is stored of a table."""
    *_, game = random_game(table, SEED)
    return {
        "table": str(table),
        "record": game.record(),
        "views": digest(all_views(game)),
        "trace": trace(random_game(table, SEED)),
        "refusals": refusals(table),
        "more": more_games(table),
        "perft": perft(table),
    }


def digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def all_views(game: fuda.Game, since: int = 0) -> list[dict[str, Any]]:
    return [game.view(seat, since) for seat in [None, *game.totals]]


def trace(game_at_each_decision: Iterable[fuda.Game]) -> str:
    """The start of a running digest at every decision and at the end, so that the first difference can be found."""
    running = hashlib.sha256()
    marks: list[str] = []
    notes = outcomes = 0
    for game in game_at_each_decision:
        shown = [
            game.seat,
            game.asked(),
            game.is_together,
            game.is_reaction,
            game.question,
            game.moves(),
            game.totals,
            game.winners,
            game.position(),
            game.outcomes(outcomes),
            all_views(game, notes),
        ]
        notes, outcomes = game.note_count, game.outcome_count
        running.update(json.dumps(shown, sort_keys=True).encode())
        marks.append(running.hexdigest()[:MARK])
    return "".join(marks)


def refusals(table: Table) -> str:
    """A digest of the rules that forbid each possible move, at every tenth decision."""
    found = []
    for number, game in enumerate(random_game(table, SEED)):
        if number % 10 == 0:
            reasons = [(move, game.why(move)) for move in game.alphabet()]
            found.append([(move, why and why.rule) for move, why in reasons])
    return digest(found)


def more_games(table: Table) -> str:
    """A digest of twenty games: the moves at every decision, and all there is at the end."""
    return digest([[*moves_and_end(random_game(table, seed))] for seed in MORE_SEEDS])


def moves_and_end(game_at_each_decision: Iterable[fuda.Game]) -> Iterator[Any]:
    for game in game_at_each_decision:
        yield [game.seat, game.question, game.moves()]
        if game.over:
            yield [game.position(), game.record(), all_views(game)]


def count_lines(state: Any, depth: int) -> int:
    """How many different sequences of that many legal moves there are."""
    moves = state.legal()
    if depth == 1 or not len(moves):
        return len(moves)
    total = 0
    for move in moves:
        after = state.clone()
        after.play(move)
        total += count_lines(after, depth - 1)
    return total


def perft(table: Table) -> dict[str, list[int]]:
    """The number of sequences of moves from the deal, and from a moment near a round's end, to depths 1 to 4 or 6."""
    game = table.new(2026)
    counts = {"deal": [count_lines(game.state, depth) for depth in DEPTHS]}
    choice = random.Random(1)
    while min(map(len, game.position()["hands"].values())) > 2:
        game.play(pick(choice, game.moves()))
    counts["late"] = [count_lines(game.state, depth) for depth in DEPTHS]
    if counts["late"][-1] < MANY_LINES:
        counts["late"] += [count_lines(game.state, depth) for depth in (5, 6)]
    return counts


def file_of(game: str) -> Path:
    return FOLDER / f"{game}.jsonl"


def stored() -> dict[str, dict[str, Any]]:
    """What the files have, by the table's name."""
    lines = [line for path in sorted(FOLDER.glob("*.jsonl")) for line in path.read_text().splitlines()]
    return {line["table"]: line for line in map(json.loads, lines)}


def main() -> None:
    for game in [rules["id"] for rules in fuda.games()]:
        lines = [json.dumps(golden(table), separators=(",", ":")) for table in REDUCED if table.game == game]
        file_of(game).write_text("\n".join(lines) + "\n")
    print(f"written with Fuda {fuda.__version__}")


if __name__ == "__main__":
    main()
