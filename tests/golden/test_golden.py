"""Whole games kept as text. They are the same compiled and interpreted, on every machine, in every later version."""

from __future__ import annotations

import json

import fuda
from tests.golden.make import FOLDER, fingerprint, many_games, perft, whole_game
from tests.tables import TELLING, Table, telling_tables


@telling_tables
def test_a_kept_record_replays_to_the_views_it_had(table: Table) -> None:
    kept = json.loads((FOLDER / f"{table}.json").read_text())
    game = fuda.replay(kept["record"])
    assert game.over
    assert {seat: fingerprint(game.view(None if seat == "spectator" else seat)) for seat in kept["views"]} == kept["views"]


@telling_tables
def test_the_same_seed_gives_the_kept_game(table: Table) -> None:
    assert whole_game(table) == json.loads((FOLDER / f"{table}.json").read_text())


@telling_tables
def test_many_games_have_the_kept_fingerprint(table: Table) -> None:
    assert many_games(table) == json.loads((FOLDER / "many.json").read_text())[str(table)]


@telling_tables
def test_the_number_of_legal_lines_is_the_kept_one(table: Table) -> None:
    assert perft(table) == json.loads((FOLDER / "perft.json").read_text())[str(table)]


def test_there_is_a_golden_file_for_every_table() -> None:
    kept = {path.name for path in FOLDER.glob("*.json")}
    assert kept == {f"{table}.json" for table in TELLING} | {"many.json", "perft.json"}
