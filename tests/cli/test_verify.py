"""`fuda verify`: games that were dealt fairly, games that were not, and files that have nothing to check."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from fuda.cli.commands.verify import HINT, verify
from fuda.cli.online.seen_files import SeenFiles
from fuda.client import Link, Ticket
from fuda.verification import Seen
from tests.fair_games import GIVEN, FairGame, last

Write = Callable[[str, Any], str]


def fair_record(game: str = "schadenfreude", players: int = 4) -> dict[str, Any]:
    return FairGame(game, players).play(last).record()


@pytest.fixture(autouse=True)
def _own_home(home: Path) -> None:
    """Nothing was seen on this machine."""


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
        f"{path}: The chain in the record is that of its moves.",
        f"{path}: The moves lead to the recorded result.",
        f"{path}: Whether these are the moves that were played, and whether your own bytes were used, "
        "can be told only with what your client saw.",
        f"{path}: {HINT}",
    ]


def test_a_saved_game_has_a_record_in_it(write: Write) -> None:
    assert run(write("game.json", {"record": fair_record(), "table": {}})).exit_code == 0


def test_a_game_that_has_hardly_begun_is_not_proven(write: Write) -> None:
    record = fair_record("kirifu", 3)
    del record["moves"][:], record["result"], record["fair"]["chain"], record["fair"]["lots"]
    del record["chance"][3:]
    result = run(write("game.json", record))
    assert result.exit_code == 1
    assert "All 3 shuffles and draws are" in result.output
    assert "Not proven: the record has no complete result." in result.output
    assert "Not proven: the game is not over: the table was closed early, or the end is cut off." in result.output


def test_a_deal_without_bytes_of_the_players_is_not_proven_and_the_exit_code_is_1(write: Write) -> None:
    result = run(write("game.json", FairGame(given={}).play().record()))
    assert result.exit_code == 1
    assert "Not proven: no player gave bytes to the deal" in result.output


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


# What a client saw --------------------------------------------------------------------------------------


def as_json(seen: Seen) -> Any:
    return msgspec.to_builtins(seen)


def test_a_record_is_compared_with_what_a_client_saw(write: Write) -> None:
    played = FairGame().play()
    path, seen = write("game.json", played.record()), write("seen.json", as_json(played.seen()))
    result = run(path, "--seen", seen)
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[-4:] == [
        f"{path}: The commitment is the one that your client was shown.",
        f"{path}: Your own bytes were used.",
        f"{path}: The moves are those that your client saw.",
        f"{path}: Compared with what seat A saw: {seen}",
    ]


def test_a_deal_without_my_bytes_is_not_proven_and_the_exit_code_is_1(write: Write) -> None:
    played = FairGame(given={"C": GIVEN["C"]}).play()
    seen = msgspec.structs.replace(played.seen(), bytes="ab" * 16)
    result = run(write("game.json", played.record()), "--seen", write("seen.json", as_json(seen)))
    assert result.exit_code == 1
    assert "Not proven: your own bytes were not used" in result.output


def test_other_moves_than_a_client_saw_are_found(write: Write) -> None:
    seen = FairGame("schadenfreude", 4).play(most=6).seen()
    other = FairGame("schadenfreude", 4).play(last).record()
    result = run(write("game.json", other), "--seen", write("seen.json", as_json(seen)))
    assert result.exit_code == 1
    assert "The first 6 moves in the record are not those that your client saw" in result.output


def test_what_fuda_join_saved_is_found_by_itself(write: Write) -> None:
    played = FairGame().play()
    SeenFiles(Ticket("http://x:1", "oak", "C", "")).save({3: played.seen("C")})
    SeenFiles(Link("http://x:1", "oak")).save({3: played.seen(None)})
    SeenFiles(Link("http://x:1", "elm")).save({3: FairGame(table="elm").seen(None)})
    result = run(write("game.json", played.record()))
    assert result.exit_code == 0
    assert "Compared with what seat C saw" in result.output
    assert "Compared with what a spectator saw" in result.output
    assert "elm" not in result.output
    other = run(write("other.json", FairGame(secret=bytes(32)).play().record()))
    assert other.exit_code == 1
    assert "is not the one that your client was shown" in other.output


def test_what_was_seen_is_loaded_on_the_next_visit() -> None:
    target = Ticket("http://x:1", "oak", "A", "")
    seen = FairGame().seen()
    SeenFiles(target).save({3: seen})
    assert SeenFiles(target).load() == [seen]
    assert SeenFiles(Ticket("http://x:1", "oak", "B", "")).load() == []
    SeenFiles(target).path(3).write_text("damaged")
    assert SeenFiles(target).load() == []


@pytest.mark.parametrize("content", ["{}", [], {"fuda seen": 2}])
def test_a_damaged_file_of_what_was_seen_is_wrong_use(write: Write, content: Any) -> None:
    seen = write("seen.json", content)
    result = run(write("game.json", fair_record()), "--seen", seen)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{seen}: This is not what a client saw of a game")


def test_a_file_of_what_was_seen_that_is_not_there_is_wrong_use(write: Write, tmp_path: Path) -> None:
    result = run(write("game.json", fair_record()), "--seen", str(tmp_path / "none.json"))
    assert result.exit_code == 2
    assert "none.json: It cannot be read" in result.stderr


def test_its_help_shows_an_example() -> None:
    result = run("--help")
    assert result.exit_code == 0
    assert "fuda verify game.json" in result.output
