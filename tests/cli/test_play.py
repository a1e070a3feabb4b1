"""`fuda play` without a terminal: everything that can be typed at the table, piped in."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import fuda
from tests.cli.conftest import Run

POSITION: dict[str, Any] = {
    "hands": {
        "A": ["shield 7", "flag 2", "flag 9"],
        "B": ["shield 1", "sword 3", "sword 5"],
        "C": ["shield -3", "flag 4", "flag 8"],
        "D": ["sword 1", "flag 5", "flag 6"],
    },
    "leader": "A",
    "totals": {"A": 12, "B": 30, "C": 0, "D": 7},
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A game saved in the middle: Ann and Dan play, between them two bots; Ann has led, Ben has followed."""
    game = fuda.new("schadenfreude", players=4, seed=1, position=POSITION)
    game.play("shield 7")
    game.play("shield 1")
    path = tmp_path / "middle.json"
    table = {"names": {"A": "Ann", "B": "Ben", "C": "Cleo", "D": "Dan"}, "bots": {}}
    path.write_text(json.dumps({"record": game.record(), "table": table}))
    return path


def moves_in(path: Path) -> list[str]:
    moves: list[str] = json.loads(path.read_text())["record"]["moves"]
    return moves


# Setting up ---------------------------------------------------------------------------------------


def test_what_the_command_line_leaves_out_is_asked(run: Run, home: Path) -> None:
    result = run("play", typed="chess\n3\n9\n2\nKim\nclever\nrandom\nquit\n")
    assert result.exit_code == 0
    assert "There is no game 'chess'" in result.stdout
    assert "Shinigami Preschool is for 2 to 4 players, not 9." in result.stdout
    assert "There is no bot 'clever'" in result.stdout
    (save,) = (home / "fuda" / "saves").glob("shinigami_preschool-*.json")
    assert json.loads(save.read_text())["table"] == {"names": {"A": "Kim", "B": "Ben"}, "bots": {"B": "random"}}


def test_enter_takes_the_default(run: Run, home: Path) -> None:
    assert run("play", typed="\n\n\n\nquit\n").exit_code == 0
    (save,) = (home / "fuda" / "saves").glob("schadenfreude-*.json")
    assert json.loads(save.read_text())["table"]["bots"] == dict.fromkeys("BCD", "thumb")


def test_what_the_command_line_gives_is_not_asked(run: Run) -> None:
    result = run(
        "play", "cursed", "--players", "3", "--people", "C=Kim", "--option", "rounds=2", "--seed", "1", typed="quit\n"
    )
    assert result.exit_code == 0
    assert "?" not in result.stdout.partition("Cursed Tricks")[0]
    assert "round 1 of 2 · deck original" in result.stdout
    assert "C Kim (you)" in result.stdout


def test_the_same_seed_gives_the_same_cards_and_the_same_bots(run: Run) -> None:
    arguments = ("play", "schadenfreude", "--players", "4", "--people", "A", "--bots", "random", "--seed", "8")
    first, second = (run(*arguments, typed="1\n1\n1\n").stdout for _ in range(2))
    assert first.partition("The game is saved")[0] == second.partition("The game is saved")[0]


def test_a_game_of_bots_alone_is_printed(run: Run) -> None:
    result = run("play", "shinigami", "--players", "3", "--people", "none", "--bots", "random", "--seed", "3")
    assert result.exit_code == 0
    assert result.stdout.count("Round ") == 3
    assert len(re.findall(r"plays [♥◆★♣] \w+ \d\.", result.stdout)) == 90
    assert re.search(r"(wins|share the win) with \d+ points, the highest total", result.stdout)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chess"], "There is no game 'chess'"),
        (["s"], "'s' can be schadenfreude or shinigami_preschool."),
        (["schadenfreude", "--players", "2"], "Schadenfreude is for 3 to 5 players, not 2."),
        (["schadenfreude", "--players", "many"], "Invalid value for '--players'"),
        (["schadenfreude", "--players", "4", "--option", "target"], "Option 'target': expected a name and a value"),
        (["schadenfreude", "--players", "4", "--option", "goal=3"], "has no option 'goal'"),
        (["schadenfreude", "--players", "4", "--option", "target=lots"], "Option target: expected a whole number"),
        (["schadenfreude", "--players", "4", "--people", "E=Ann"], "'E' is not a seat; the seats are A, B, C, D."),
        (["schadenfreude", "--players", "4", "--people", "5"], "There are 4 players"),
        (["schadenfreude", "--players", "4", "--people", "A=Ann,a=Bob"], "Seat A is given to two people."),
        (["schadenfreude", "--players", "4", "--people", "Ann,ann"], "Seats A and B are both called ann."),
        (["schadenfreude", "--players", "4", "--people", "A=Wolfeschlegelstein"], "cannot be a player's name"),
        (["schadenfreude", "--players", "4", "--people", "A,B,C,D,Eve"], "There is no seat left for 'Eve'"),
        (["schadenfreude", "--players", "4", "--people", "A", "--bots", "clever"], "There is no bot 'clever'"),
        (["schadenfreude", "--players", "4", "--people", "A", "--bots", "A=random"], "Seat A belongs to Ada"),
        (["schadenfreude", "--players", "4", "--people", "A", "--pace", "-1"], "Invalid value for '--pace'"),
        (["schadenfreude", "--from", "x.json"], "A saved game has its own game"),
        (["--from", "missing.json"], "missing.json cannot be read: No such file or directory."),
        (["schadenfreude", "chess"], "Got unexpected extra argument"),
        (["--nonsense"], "No such option"),
        ([], "The input ended before the game could begin."),
    ],
)
def test_wrong_use_is_one_sentence_and_exit_code_2(arguments: list[str], sentence: str, run: Run, home: Path) -> None:
    result = run("play", *arguments)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert not (home / "fuda").exists()


# At the table -------------------------------------------------------------------------------------


def typed_by_cleo(*lines: str) -> str:
    """At the table of `file` it is Cleo's turn; the first line takes the screen."""
    return "\n".join(["", *lines, "quit", ""])


def test_a_card_can_be_named_in_many_ways(run: Run, file: Path) -> None:
    for text in ("1", "shield -3", "SHIELD -3", "sh", "⛨ -3", "s-3"):
        original = file.read_text()
        run("play", "--from", str(file), typed=typed_by_cleo(text))
        assert moves_in(file) == ["shield 7", "shield 1", "shield -3"], text
        file.write_text(original)


def test_a_refused_card_names_its_rule_and_is_asked_again(run: Run, file: Path) -> None:
    result = run("play", "--from", str(file), typed=typed_by_cleo("flag 4", "helmet 9", "1"))
    assert "you can follow with ⛨ shield -3." in result.stdout
    assert "(S-20)" in result.stdout
    assert "You do not hold ♜ helmet 9. (A-5)" in result.stdout
    assert moves_in(file)[-1] == "shield -3"


def test_why(run: Run, file: Path) -> None:
    result = run("play", "--from", str(file), typed=typed_by_cleo("why flag 8", "why flag", "why shield", "why", "why dog"))
    words = " ".join(result.stdout.split())
    assert "you can follow with ⛨ shield -3. (S-20) Type rules S-20 for the whole rule." in words
    assert "'flag' can be ⚑ flag 4 or ⚑ flag 8." in words
    assert "You may play ⛨ shield -3." in words
    assert "Why what?" in words
    assert "I know no card 'dog'." in words
    assert moves_in(file) == ["shield 7", "shield 1"]


def test_rules_last_score_help(run: Run, file: Path) -> None:
    result = run(
        "play", "--from", str(file), typed=typed_by_cleo("rules S-9", "rules", "rules S-99", "last", "score", "help")
    )
    assert "S-9 Who takes what." in result.stdout
    assert "S-17" in result.stdout
    assert "There is no rule S-99" in result.stdout
    assert "No trick has been finished yet." in result.stdout
    assert re.search(r"before +12 +30 +0 +7", result.stdout)
    assert "save the game and quit" in result.stdout


def test_the_last_trick_is_shown(run: Run, file: Path) -> None:
    result = run("play", "--from", str(file), typed=typed_by_cleo("1", "", "sword 1", "", "last"))
    shown = result.stdout.rpartition("> last")[2]
    assert "│ ⛨ shield 7  │ │ ⛨ shield 1  │ │ ⛨ shield -3 │ │  ⚔ sword 1  │" in shown
    assert "Ben wins the trick with ⛨ shield 1 and takes ⚔ sword 1 and ⛨ shield 1." in " ".join(shown.split())


def test_undo_until_somebody_else_has_played(run: Run, file: Path) -> None:
    result = run(
        "play", "--from", str(file), typed=typed_by_cleo("1", "undo", "1", "", "sword 1", "undo", "sword 1", "", "undo")
    )
    assert result.exit_code == 0
    assert moves_in(file) == ["shield 7", "shield 1", "shield -3", "sword 1"]
    assert "It is too late to undo your move: Dan has played since." in result.stdout


def test_a_move_before_a_deal_cannot_be_undone(run: Run, tmp_path: Path) -> None:
    """Whoever plays the last card of a round and leads the next one has seen new cards."""
    file = tmp_path / "dealt.json"
    file.write_text(json.dumps(dealt_to_the_same_player().record()))
    seat = fuda.replay(json.loads(file.read_text())).seat
    result = run("play", "--from", str(file), "--people", str(seat), typed="undo\nquit\n")
    assert "It is too late to undo your move: new cards have been dealt since." in result.stdout


def dealt_to_the_same_player() -> fuda.Game:
    for seed in range(100):
        game = fuda.new("schadenfreude", players=3, seed=seed)
        while game.view(None)["round"] == 1:
            last = game.seat
            game.play(game.moves()[0])
        if game.seat == last:
            return game
    raise AssertionError("no seed does")


def test_enter_makes_the_only_move(run: Run, file: Path) -> None:
    run("play", "--from", str(file), typed=typed_by_cleo("", "", ""))
    assert moves_in(file)[:3] == ["shield 7", "shield 1", "shield -3"]


def test_save_never_overwrites_other_files(run: Run, file: Path, tmp_path: Path) -> None:
    other = tmp_path / "letter.txt"
    other.write_text("Dear Ben")
    mine = tmp_path / "my game.json"
    result = run("play", "--from", str(file), typed=typed_by_cleo(f"save {other}", f"save {tmp_path}", f"save {mine}", "1"))
    assert " ".join(result.stdout.split()).count("exists already and is not a saved game.") == 2
    assert other.read_text() == "Dear Ben"
    assert f"--from '{mine}'" in result.stdout
    assert moves_in(mine)[-1] == "shield -3"
    assert moves_in(file) == ["shield 7", "shield 1"]


def test_the_end_of_the_input_saves_the_game(run: Run, file: Path) -> None:
    result = run("play", "--from", str(file), typed="\n1\n")
    assert result.exit_code == 0
    assert "To continue:" in result.stdout
    assert len(moves_in(file)) == 3


def test_the_screen_is_drawn_from_the_view_alone(run: Run, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(game: fuda.Game) -> dict[str, Any]:
        raise AssertionError("the position must not be used")

    monkeypatch.setattr(fuda.Game, "position", forbidden)
    result = run("play", "--from", str(file), typed=typed_by_cleo("1", "", "sword 1", "", "last", "1"))
    assert result.exit_code == 0
    cleo = result.stdout.partition("Cleo: Play a card.")[0]
    assert "flag 8" not in cleo.partition("╭────╭")[0]
    assert "sword 1" not in cleo


# The end ------------------------------------------------------------------------------------------


def test_the_end_shows_the_score_by_round_who_won_and_why(run: Run, tmp_path: Path) -> None:
    last = {seat: cards[:1] for seat, cards in POSITION["hands"].items()}
    position = {"hands": last, "leader": "A", "round": 3, "totals": {"A": 12, "B": 41, "C": 30, "D": 30}}
    game = fuda.new("schadenfreude", players=4, seed=1, position=position)
    for move in ("shield 7", "shield 1", "shield -3"):
        game.play(move)
    file = tmp_path / "end.json"
    file.write_text(json.dumps(game.record()))
    result = run("play", "--from", str(file), "--people", "D=Kim", typed="\n")
    assert result.exit_code == 0
    end = " ".join(result.stdout.partition("(or just Enter) >")[2].split())
    assert "Kim plays ⚔ sword 1. Ben wins the trick with ⛨ shield 1" in end
    assert "before 12 41 30 30" in end
    assert "3 +0 12 +0 41 +0 30 +0 30" in end
    assert "Ada wins with 12 points." in end
    assert "Cleo and Kim share 30 points and are out of it." in end
    assert "To see it again:" in end
    over = json.loads(next((tmp_path / "fuda" / "saves").glob("*.json")).read_text())
    assert over["record"]["result"]["winners"] == ["A"]
    again = run("play", "--from", str(next((tmp_path / "fuda" / "saves").glob("*.json"))))
    assert again.exit_code == 0
    assert "Ada wins with 12 points." in again.stdout


def test_a_win_can_be_shared_and_nobody_may_win(run: Run, tmp_path: Path) -> None:
    last = {seat: cards[:1] for seat, cards in POSITION["hands"].items()}
    position = {"hands": last, "leader": "A", "totals": {"A": 12, "B": 41, "C": 12, "D": 50}}
    game = fuda.new("schadenfreude", players=4, seed=1, position=position)
    for move in ("shield 7", "shield 1", "shield -3", "sword 1"):
        game.play(move)
    file = tmp_path / "end.json"
    file.write_text(json.dumps(game.record()))
    assert "Nobody wins." in run("play", "--from", str(file)).stdout
