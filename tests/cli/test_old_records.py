"""Records of a version of the rules that this Fuda does not have can be watched, and are never taken for damaged ones."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

import fuda
from fuda.cli.online.lobby import lobby_lines
from fuda.client import Known
from fuda.protocol.parts import Fair, TableState
from fuda.transcripts import transcript_of
from tests.cli.conftest import Run
from tests.tables import Table, random_game

OLD_FRANTIC = Path(__file__).parent.parent / "old_records" / "frantic.jsonl"
RECORDS: list[dict[str, Any]] = [json.loads(line)["record"] for line in OLD_FRANTIC.read_text("utf-8").splitlines()]
SENTENCE = "Played under version 1 of the rules of Frantic; today's version is 2."
MESSAGE = "The record follows version 1 of the rules of Frantic; this version of Fuda knows 2. Fuda 0.1.0 has version 1."
TABLE = {"names": {"A": "Ann", "B": "Ben"}, "bots": {"B": "thumb"}}

FAIR = {"table": "t", "number": 1, "commitment": "0" * 64, "secret": "0" * 64, "bytes": {}}

every_record = pytest.mark.parametrize("record", RECORDS, ids=lambda record: str(record["players"]))


def old(record: dict[str, Any]) -> dict[str, Any]:
    """The record with its transcript, as if it had been played under another version of the rules."""
    transcript = transcript_of(record) | {"rules": "0"}
    transcript["view"]["rules"] = "0"
    return copy.deepcopy(record) | {"rules": "0", "transcript": transcript}


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    *_, game = random_game(Table("frantic", 2, {"scored": False}), 3)
    return game.record()


def written(path: Path, data: Any) -> str:
    path.write_text(json.dumps(data))
    return str(path)


def words(text: str) -> str:
    return " ".join(text.split())


@every_record
def test_a_record_of_the_first_version_is_not_replayed_by_the_rules_of_the_second(record: dict[str, Any]) -> None:
    with pytest.raises(fuda.Error) as raised:
        fuda.replay(record)
    assert str(raised.value) == MESSAGE


@every_record
def test_replay_shows_the_moves_of_a_record_without_a_transcript(run: Run, tmp_path: Path, record: dict[str, Any]) -> None:
    result = run("replay", written(tmp_path / "game.json", record))
    assert result.exit_code == 0
    shown = words(result.stdout)
    assert SENTENCE in shown
    assert "written without a transcript" in shown
    assert f"1. {record['moves'][0]}, 2. {record['moves'][1]}, " in shown
    assert f"{len(record['moves'])}. {record['moves'][-1]}. Result: " in shown
    assert f"length {record['options']['length']}" in shown


def test_replay_names_the_players_and_the_winner_of_a_record_without_a_transcript(run: Run, tmp_path: Path) -> None:
    record = next(one for one in RECORDS if one["players"] == 2)
    result = run("replay", written(tmp_path / "game.json", {"record": record, "table": TABLE}))
    shown = words(result.stdout)
    (winner,) = record["result"]["winners"]
    totals = record["result"]["totals"]
    assert "Players: Ann, Ben." in shown
    assert f"Result: {TABLE['names'][winner]} won; totals: Ann {totals['A']}, Ben {totals['B']}." in shown


def test_play_does_not_continue_a_game_of_other_rules(run: Run, tmp_path: Path) -> None:
    result = run("play", "--from", written(tmp_path / "game.json", {"record": RECORDS[0], "table": None}))
    assert (result.exit_code, MESSAGE in words(result.stderr)) == (2, True)


def test_verify_says_which_version_it_needs(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path / "game.json", RECORDS[0] | {"fair": FAIR})
    result = run("verify", path)
    assert result.exit_code == 2
    assert words(result.stderr) == f"{path}: {MESSAGE} It can be checked only with the rules under which it was played."


def test_replay_shows_a_transcript_as_it_shows_a_game(run: Run, tmp_path: Path, record: dict[str, Any]) -> None:
    saved = {"record": old(record), "table": TABLE}
    today = run("replay", written(tmp_path / "today.json", {"record": record, "table": TABLE}), "--all").stdout
    shown = run("replay", written(tmp_path / "old.json", saved), "--all").stdout
    sentence = "Played under version 0 of the rules of Frantic; today's version is 2."
    assert words(shown).count(sentence) == len(record["moves"]) + 1
    lines = [line for line in shown.splitlines() if line.strip() != sentence]
    hidden = ("deck", "events")  # with the rules, what nobody saw is shown as well
    assert [one for one in lines if one.split()[:1] not in ([name] for name in hidden)][-10:] == today.splitlines()[-10:]
    for line in today.splitlines():
        if " plays " in line:
            assert line in lines


def test_replay_leaves_out_what_the_rules_do_not_know(run: Run, tmp_path: Path, record: dict[str, Any]) -> None:
    strange = old(record)
    strange["transcript"]["view"] |= {"weather": "rain", "options": {"umbrella": True}}
    strange["transcript"]["notes"].append({"kind": "thunder", "seat": "A"})
    for name in ("demand", "pending", "dealer"):
        del strange["transcript"]["view"][name]
        for move in strange["transcript"]["moves"]:
            move.get("view", {}).pop(name, None)
    result = run("replay", written(tmp_path / "old.json", strange), "--all")
    assert result.exit_code == 0
    assert "weather" not in result.stdout


def test_a_transcript_is_shown_only_with_open_hands(run: Run, tmp_path: Path, record: dict[str, Any]) -> None:
    result = run("replay", written(tmp_path / "old.json", old(record)), "--seat", "A")
    assert result.exit_code == 2
    assert "It can only be shown with open hands: leave out --seat." in words(result.stderr)


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (["transcript"], [], "The transcript is damaged: Expected `object`, got `array`"),
        (["transcript", "view", "hands"], [7], "The transcript is damaged"),
        (["transcript", "view", "discard"], [[]], "The transcript is damaged"),
        (["transcript", "view", "totals"], {"A": "x"}, "The transcript is damaged"),
        (["transcript", "moves"], [], "The transcript is damaged: it is of another game."),
        (["players"], 9, "The record is damaged: players is 9."),
        (["players"], "2", "The record is damaged: players is '2'."),
        (["moves", 0], 7, "The record is damaged: move 1 is 7."),
        (["rules"], "old", "'old' is no version of the rules of Frantic that Fuda can replay."),
    ],
)
def test_a_damaged_old_record_is_one_sentence(
    run: Run, tmp_path: Path, record: dict[str, Any], path: list[Any], value: object, says: str
) -> None:
    damaged = old(record)
    part: Any = damaged
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    result = run("replay", written(tmp_path / "old.json", damaged), "--all")
    assert result.exit_code == 2, result.stdout
    assert says in words(result.stderr)


@pytest.mark.parametrize(
    "change", [{"options": [1]}, {"result": 1}, {"result": {"winners": 1}}, {"result": {"winners": [[]], "totals": {}}}]
)
def test_an_odd_record_without_a_transcript_is_shown_all_the_same(
    run: Run, tmp_path: Path, record: dict[str, Any], change: dict[str, Any]
) -> None:
    assert run("replay", written(tmp_path / "old.json", record | {"rules": "0"} | change)).exit_code == 0


def test_a_finished_game_is_saved_with_its_transcript(run: Run, home: Path) -> None:
    run("play", "shinigami_preschool", "--players", "2", "--people", "none", "--seed", "1", "--option", "rounds=1")
    (file,) = home.rglob("*.json")
    record = json.loads(file.read_text())["record"]
    assert record["transcript"] == transcript_of(record)


def test_the_lobby_says_why_the_last_game_was_ended() -> None:
    fair = Fair(2, "0" * 64)
    state = TableState("oak", "frantic", {}, [], "open", 2, False, "normal", True, fair, ended="1")
    lines = lobby_lines(Known(version=9, table=state, you=None, here=[], said=[]), fuda.rulebook("frantic"), "", 80)
    assert "it was played under version 1 of the rules of Frantic" in words(" ".join(line.plain for line in lines))
