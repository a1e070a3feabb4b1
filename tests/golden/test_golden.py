"""Whole games stored as text. They are the same compiled and interpreted, on every machine, in every later version."""

from __future__ import annotations

from functools import cache
from typing import Any

import fuda
from tests.golden.make import FOLDER, MARK, SEED, all_views, digest, file_of, more_games, perft, refusals, stored, trace
from tests.tables import REDUCED, Table, random_game, reduced_tables


@cache
def golden_games() -> dict[str, dict[str, Any]]:
    return stored()


@reduced_tables
def test_a_stored_record_replays_to_the_views_it_had(table: Table) -> None:
    golden = golden_games()[str(table)]
    game = fuda.replay(golden["record"])
    assert game.over
    assert game.record() == golden["record"]
    assert digest(all_views(game)) == golden["views"]


@reduced_tables
def test_the_same_seed_gives_the_stored_game(table: Table) -> None:
    golden = golden_games()[str(table)]
    *_, game = random_game(table, SEED)
    assert game.record() == golden["record"]
    assert digest(all_views(game)) == golden["views"]


@reduced_tables
def test_the_same_seed_shows_the_same_at_every_decision(table: Table) -> None:
    golden = golden_games()[str(table)]
    marks, expected = (parts(text) for text in (trace(random_game(table, SEED)), golden["trace"]))
    for number, (mark, other) in enumerate(zip(marks, expected, strict=False)):
        assert mark == other, f"decision {number}, after {golden['record']['moves'][max(0, number - 3) : number]}"
    assert len(marks) == len(expected) == len(golden["record"]["moves"]) + 1


def parts(text: str) -> list[str]:
    return [text[start : start + MARK] for start in range(0, len(text), MARK)]


@reduced_tables
def test_the_same_rules_forbid_the_same_moves(table: Table) -> None:
    assert refusals(table) == golden_games()[str(table)]["refusals"]


@reduced_tables
def test_twenty_more_games_have_the_stored_digest(table: Table) -> None:
    assert more_games(table) == golden_games()[str(table)]["more"]


@reduced_tables
def test_the_number_of_legal_sequences_of_moves_is_the_stored_one(table: Table) -> None:
    assert perft(table) == golden_games()[str(table)]["perft"]


def test_there_is_a_golden_game_for_every_table() -> None:
    assert {*golden_games()} == {*map(str, REDUCED)}
    assert {*FOLDER.glob("*.json*")} == {file_of(game["id"]) for game in fuda.games()}
