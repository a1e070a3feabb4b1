"""`fuda verify`: games that were dealt fairly, games that were not, and files that have nothing to check."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from fuda.cli.commands.verify import verify
from tests.engine.test_fair import fair_record

Write = Callable[[str, Any], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes something to a file of this name, and says where that is."""

    def to_file(name: str, what: object) -> str:
        path = tmp_path / name
        path.write_text(json.dumps(what))
        return str(path)

    return to_file


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(verify, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
    return result


def test_findings_of_a_fair_game(write: Write) -> None:
    record = fair_record()
    path = write("game.json", record)
    result = run(path)
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        f"{path}: The secret matches its commitment, {record['fair']['commitment']}, for game 3 of table oak.",
        f"{path}: Bytes of the players: A gave {b'a'.hex() * 16}, C gave {b'c'.hex() * 16}.",
        f"{path}: All {len(record['chance'])} shuffles and draws are what the secret and the bytes give.",
        f"{path}: The moves lead to the recorded result.",
    ]


def test_a_saved_game_has_a_record_in_it(write: Write) -> None:
    assert run(write("game.json", {"record": fair_record(), "table": {}})).exit_code == 0


def test_a_game_that_has_hardly_begun_can_be_checked_too(write: Write) -> None:
    record = fair_record("kirifu", 3)
    del record["moves"][:], record["result"]
    del record["chance"][3:]
    result = run(write("game.json", record))
    assert result.exit_code == 0
    assert "All 3 shuffles and draws are" in result.output
    assert "The record has no result." in result.output


def test_what_is_wrong_is_said_and_the_exit_code_is_1(write: Write) -> None:
    record = fair_record()
    record["fair"]["secret"] = bytes(32).hex()
    path = write("game.json", record)
    result = run(path)
    assert result.exit_code == 1
    assert result.output.startswith(f"{path}: The secret does not match its commitment")
    assert len(result.output.splitlines()) == 1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"fair": None}, "The record is damaged: fair"),
        ({"game": "chess"}, "There is no game 'chess'"),
        ({"rules": "7"}, "version 7 of the rules"),
        ({"fuda": 0}, "This is not a record"),
        ({"position": {}}, "began with a given position"),
    ],
)
def test_a_file_with_nothing_to_check_is_wrong_use(change: dict[str, Any], says: str, write: Write) -> None:
    path = write("game.json", fair_record() | change)
    result = run(path)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"{path}: ")
    assert says in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_record_of_an_ordinary_game_has_nothing_to_check(write: Write) -> None:
    record = fair_record()
    del record["fair"]
    result = run(write("game.json", record))
    assert result.exit_code == 2
    assert "says nothing of a fair deal" in result.stderr


def test_a_file_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    result = run(str(tmp_path / "nothing.json"))
    assert result.exit_code == 2
    assert "cannot be read" in result.stderr


def test_one_bad_file_does_not_keep_the_others_from_being_checked(write: Write) -> None:
    wrong = fair_record()
    wrong["fair"]["bytes"] = {}
    paths = [write("wrong.json", wrong), write("none.json", []), write("right.json", fair_record())]
    result = run(*paths)
    assert result.exit_code == 2
    assert "outcome 1, is not what the secret" in result.stdout
    assert f"{paths[2]}: The moves lead to the recorded result." in result.stdout
    assert paths[1] in result.stderr
    assert run(paths[0], paths[2]).exit_code == 1


def test_its_help_shows_an_example() -> None:
    result = run("--help")
    assert result.exit_code == 0
    assert "fuda verify game.json" in result.output
