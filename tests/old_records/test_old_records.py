"""Games recorded under older versions of the rules. The files stay as they were written, for ever."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import fuda
from tests.tables import Table, moments

FILES = sorted(Path(__file__).parent.glob("*.jsonl"))
RECORDS = [json.loads(line)["record"] for file in FILES for line in file.read_text("utf-8").splitlines()]
REPLAYED = [record for record in RECORDS if fuda.rulebook(record["game"]).can_replay(record["rules"])]


def name_of(record: dict[str, Any]) -> str:
    options = [f"{name}={value}" for name, value in record["options"].items()]
    return "-".join([record["game"], record["rules"], str(record["players"]), *options])


every_replayed_record = pytest.mark.parametrize("record", REPLAYED, ids=name_of)


def test_there_are_old_records_of_every_game() -> None:
    assert {record["game"] for record in RECORDS} == {game["id"] for game in fuda.games()}
    assert {record["rules"] for record in RECORDS} == {"1"}


@pytest.mark.parametrize("game", ["schadenfreude", "cursed_tricks", "shinigami_preschool", "kirifu"])
def test_a_version_that_only_added_options_replays_the_records_before_it(game: str) -> None:
    rules = fuda.rulebook(game)
    assert rules.version == "2"
    assert rules.replays == ("1",)
    assert any(record["game"] == game for record in REPLAYED)


@every_replayed_record
def test_an_old_record_replays_to_its_result_by_the_same_moves_and_chance(record: dict[str, Any]) -> None:
    game = fuda.replay(record)
    assert game.over
    assert game.result() == record["result"]
    again = game.record()
    assert again["moves"] == record["moves"]
    assert again["chance"] == record["chance"]
    assert again["rules"] == game.rules.version
    assert again["options"].items() >= record["options"].items()


@every_replayed_record
def test_an_old_view_redeals_to_the_same_moves(record: dict[str, Any]) -> None:
    for game in moments(Table(record["game"], record["players"], record["options"]), 5, 0.1):
        view = game.view(game.seat) | {"rules": record["rules"], "options": record["options"]}
        dealt = fuda.redeal(view, 1)
        assert dealt.moves() == game.moves()
        assert dealt.view(game.seat) == game.view(game.seat)


@pytest.mark.parametrize("version", ["0", "3", None, 1])
def test_a_version_that_is_not_listed_is_refused(version: object) -> None:
    game = fuda.new("kirifu", 3, 1)
    with pytest.raises(fuda.Error, match="of the rules"):
        fuda.redeal(game.view("A") | {"rules": version}, 1)
    with pytest.raises(fuda.Error, match="of the rules"):
        fuda.replay(game.record() | {"rules": version})
