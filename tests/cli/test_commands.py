"""The other commands: games, rules, replay; their help and their errors; saved games."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuda
from fuda.cli.main import main
from fuda.cli.table import saved_games
from fuda.cli.table.seating import assign_seats, load_seating, parse_bots, parse_people
from fuda.words import pages
from tests.cli.conftest import Run


@pytest.mark.parametrize("command", [*main.commands])
def test_every_command_has_help_with_an_example(command: str, run: Run) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert re.search(rf"Examples?:\n +fuda {command}", result.stdout)


def test_the_command_alone_shows_help(run: Run) -> None:
    result = run()
    assert result.exit_code == 0
    known = ["play", "serve", "join", "games", "rules", "replay", "verify", "admin", "check", "bench", "soak"]
    assert [*main.commands] == known
    assert all(f"\n  {command} " in result.stdout for command in main.commands)
    assert "Fuda " in run("--version").stdout


def test_it_runs_as_a_module_and_knows_how_to_call_itself(tmp_path: Path) -> None:
    env = os.environ | {"XDG_DATA_HOME": str(tmp_path), "PATH": "", "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "fuda", "play", "shinigami", "--players", "2", "--people", "A"]
    done = subprocess.run(command, input="quit\n", capture_output=True, text=True, env=env, check=True)
    assert done.stderr == ""
    assert f"To continue: {sys.executable} -m fuda play --from {tmp_path}" in done.stdout


@pytest.mark.parametrize("arguments", [["nonsense"], ["games", "extra"], ["rules", "X-1"], ["rules", "chess"], ["replay"]])
def test_wrong_use_is_one_sentence_and_exit_code_2(arguments: list[str], run: Run) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1


# games ----------------------------------------------------------------------------------------------


def test_games_lists_the_catalogue(run: Run) -> None:
    text = " ".join(run("games").stdout.split())
    for game in fuda.games():
        assert f"{game['id']} {game['name']}, {game['players'][0]} to {game['players'][1]} players" in text
        for option in fuda.rulebook(game["id"]).options:
            assert option.text in text
    assert json.loads(run("games", "--json").stdout) == fuda.games()


# rules ----------------------------------------------------------------------------------------------


def test_rules_lists_pages_and_shows_one_of_them(run: Run) -> None:
    assert [line.split()[0] for line in run("rules").stdout.splitlines()] == pages.names()
    for game in fuda.games():
        shown = run("rules", game["id"]).stdout
        assert all(rule.id in shown for rule in fuda.rulebook(game["id"]).rules)
    assert run("rules", "cursed tricks").stdout == run("rules", "cursed_tricks").stdout
    assert "A-4" in run("rules", "all_games").stdout


def test_rules_shows_the_paragraph_of_an_id_and_no_other(run: Run) -> None:
    for rule in ("S-20", "s-20"):
        shown = run("rules", rule).stdout
        assert shown.startswith("S-20 ")
        assert "S-4" not in shown


def test_every_rule_that_can_refuse_has_its_paragraph() -> None:
    for game in fuda.games():
        for rule in fuda.rulebook(game["id"]).rules:
            assert pages.paragraph(rule.id).startswith(f"**{rule.id} ")


# replay ---------------------------------------------------------------------------------------------


@pytest.fixture
def record() -> dict[str, Any]:
    game = fuda.new("schadenfreude", players=3, seed=5, options={"target": 10})
    while not game.over:
        game.play(game.moves()[0])
    return game.record()


@pytest.fixture
def recorded(record: dict[str, Any], tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(record))
    return path


def test_replay_shows_every_move_and_the_result(run: Run, record: dict[str, Any], recorded: Path) -> None:
    result = run("replay", str(recorded))
    assert result.exit_code == 0
    steps = re.split(r"── (?:move \d+|the beginning) ─+\n", result.stdout)
    assert len(steps) == len(record["moves"]) + 2
    for move, told in zip(record["moves"], steps[2:], strict=True):
        assert re.match(rf" \w+ plays . {move}\.", told)
    assert result.stdout == run("replay", str(recorded), "--all").stdout
    assert "round" in steps[-1]


def test_replay_with_open_hands_shows_everything(run: Run, record: dict[str, Any], recorded: Path) -> None:
    beginning = run("replay", str(recorded)).stdout.partition("── the beginning")[0]
    cards = re.findall(r"-?\d+", beginning.partition("hands")[2].partition("── the trick")[0])
    assert len(cards) == 38 + 3, "each card once, and the totals"


def test_replay_from_a_seat_shows_nothing_that_it_did_not_know(run: Run, record: dict[str, Any], recorded: Path) -> None:
    shown = run("replay", str(recorded), "--seat", "b").stdout
    beginning = shown.partition("── move 1 ")[0]
    hand = record["chance"][1][12:24]
    fan = next(row for row in beginning.splitlines() if re.match(r"│. +-?\d+ *│", row))
    assert fan.count("│") == 13
    assert sorted(fan.strip("│").replace(" ", "").split("│")) == sorted(short(card) for card in hand)
    assert "Ben (you)" in beginning
    seats = beginning.partition("hands")[2].partition("──")[0]
    assert not re.search("[⚔⚑⛨♜★]", seats)


def short(card: str) -> str:
    suit, rank = card.split()
    return fuda.rulebook("schadenfreude").looks[suit].symbol + rank


def test_replay_reads_a_saved_game_with_its_names(run: Run, record: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "saved.json"
    table = {"names": {"A": "Ann", "B": "Bob", "C": "Kim"}, "bots": {"C": "random"}}
    path.write_text(json.dumps({"record": record, "table": table}))
    shown = run("replay", str(path)).stdout
    assert "Bob plays" in shown
    assert "Kim random" in shown


DAMAGED: list[tuple[str, str]] = [
    ("", "not JSON"),
    ("{", "not JSON"),
    ("[]", "The record is damaged: expected its fields"),
    ("7", "The record is damaged: expected its fields"),
    ("{}", "This is not a record"),
    ('{"record": 1}', "The record is damaged"),
    ('{"record": {}, "more": 1}', "is damaged: it should have only a record and a table"),
    ("[" * 100_000, "not JSON"),
    ('{"fuda": ' + "9" * 5000 + "}", "not JSON"),
]


@pytest.mark.parametrize("command", [["replay"], ["play", "--from"]])
@pytest.mark.parametrize(("text", "sentence"), DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_file_is_one_sentence(command: list[str], text: str, sentence: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(text)
    result = run(*command, str(path))
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert str(path) in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "table",
    [
        7,
        {},
        {"names": {"A": "Ann"}, "bots": {}},
        {"names": {"A": "Ann", "B": "Bob", "C": 3}, "bots": {}},
        {"names": {"A": "Ann", "B": "Bob", "C": "\x1b[2J"}, "bots": {}},
        {"names": {"A": "Ann", "B": "Bob", "C": "Bob"}, "bots": {}},
        {"names": {"A": "Ann", "B": "Bob", "C": "Kim"}, "bots": {"C": "clever"}},
        {"names": {"A": "Ann", "B": "Bob", "C": "Kim"}, "bots": {"X": "random"}},
        {"names": {"A": "Ann", "B": "Bob", "C": "Kim"}, "bots": []},
    ],
)
def test_a_damaged_table_is_one_sentence(table: Any, run: Run, record: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps({"record": record, "table": table}))
    for command in (["replay"], ["play", "--from"]):
        result = run(*command, str(path))
        assert result.exit_code == 2
        assert len(result.stderr.strip().splitlines()) == 1


def test_a_truncated_record_is_refused(run: Run, record: dict[str, Any], recorded: Path) -> None:
    record["moves"].pop()
    recorded.write_text(json.dumps(record))
    result = run("replay", str(recorded))
    assert result.exit_code == 2
    assert "The record is damaged" in result.stderr


def test_replay_from_a_seat_that_does_not_exist(run: Run, recorded: Path) -> None:
    result = run("replay", str(recorded), "--seat", "D")
    assert result.exit_code == 2
    assert "'D' is not a seat; the seats are A, B, C." in result.stderr


# Saved games ----------------------------------------------------------------------------------------


def test_saving_is_all_or_nothing(record: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.json"
    seating = load_seating("schadenfreude", 3, None)
    saved_games.write(path, record, seating)
    before = path.read_text()

    def fail(descriptor: int) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="full"):
        saved_games.write(path, {**record, "moves": []}, seating)
    assert path.read_text() == before
    assert [*tmp_path.iterdir()] == [path]


def test_another_place_is_found_when_one_cannot_be_written(record: dict[str, Any], tmp_path: Path) -> None:
    seating = load_seating("schadenfreude", 3, None)
    (tmp_path / "file").write_text("")
    bad = tmp_path / "file" / "game.json"
    good = tmp_path / "game.json"
    assert saved_games.write_to_first([bad, good], record, seating) == good
    assert saved_games.read(good).record == record
    with pytest.raises(fuda.Error, match="The game could not be saved"):
        saved_games.write_to_first([bad], record, seating)


def test_no_two_games_share_a_file(home: Path, record: dict[str, Any]) -> None:
    seating = load_seating("schadenfreude", 3, None)
    paths = set()
    for _ in range(3):
        path = saved_games.new_path("schadenfreude")
        saved_games.write(path, record, seating)
        paths.add(path)
    assert len(paths) == 3
    assert all(path.is_relative_to(home) for path in paths)


# Seating --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("A", {"A": "Ada"}),
        ("a, c", {"A": "Ada", "C": "Cleo"}),
        ("Ann,Bob", {"A": "Ann", "B": "Bob"}),
        ("C=Ann,Bob", {"C": "Ann", "A": "Bob"}),
        ("B=Bob,d", {"B": "Bob", "D": "Dora"}),
        ("2", {"A": "Ada", "B": "Ben"}),
        ("0", {}),
        ("none", {}),
    ],
)
def test_people(text: str, people: dict[str, str]) -> None:
    assert parse_people(text, 4) == people


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("", {"B": "thumb", "C": "thumb"}),
        ("random", {"B": "random", "C": "random"}),
        ("B=random", {"B": "random", "C": "thumb"}),
        ("c=thumb,random", {"B": "random", "C": "thumb"}),
    ],
)
def test_kinds_of_bots(text: str, kinds: dict[str, str]) -> None:
    assert parse_bots(text, "schadenfreude", 3, {"A": "Ada"}) == kinds


def test_a_bot_whose_name_is_taken_has_another() -> None:
    seating = assign_seats("schadenfreude", 3, {"A": "Ben"}, {"B": "random", "C": "random"})
    assert [*seating.names.values()] == ["Ben", "Ben (bot)", "Cleo"]


@given(st.text(max_size=20), st.booleans())
def test_any_text_for_people_and_bots_is_taken_or_is_an_error(text: str, of_people: bool) -> None:
    try:
        seats = parse_people(text, 4) if of_people else parse_bots(text, "schadenfreude", 4, {"A": "Ada"})
    except fuda.Error as error:
        assert str(error).endswith(".")
    else:
        assert set(seats) <= set("ABCD")
