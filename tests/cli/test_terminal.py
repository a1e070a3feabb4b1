"""The table at a real pseudo-terminal of 24 by 80, as a player uses it."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import fuda
from tests.cli.terminal import Terminal
from tests.tables import Table, reduced_tables

QUICK = ("--pace", "0", "--bots", "random")
SHORT = ("shinigami_preschool", "--players", "2", "--seed", "4")


def saved(home: Path) -> Path:
    """Where the game is saved."""
    (path,) = (home / "fuda" / "saves").glob("*.json")
    return path


def fan(text: str) -> str:
    """The row of the glass with the faces of the cards in hand."""
    (row,) = [row for row in text.splitlines() if re.match(r"│\S+ -?\d+ *│\S", row)]
    return row


def test_a_whole_game_can_be_played_with_numbers(tmp_path: Path) -> None:
    table = Terminal(tmp_path, "play", *SHORT, "--people", "Ann", *QUICK)
    rounds = cards = 0
    while table.asked():
        text = table.glass.text
        assert table.fits
        assert ("Ann (you)" in text) != ("The round is over." in text)
        rounds += "The round is over." in text
        cards += "Ann (you)" in text
        table.child.sendline("" if "The round is over." in text else "1")
    assert table.end() == 0
    assert (rounds, cards) == (1, 22)
    assert not table.glass.alternate
    assert re.search(r"(Ann|Ben|Ann and Ben) (wins|share the win) with -?\d+ points", table.glass.text)
    assert re.search(r"(?m)^ +1 +[+-]\d+ +-?\d+ .*\n +2 +[+-]\d+", table.glass.text)
    assert json.loads(saved(tmp_path).read_text())["record"]["result"]["over"] is True


@reduced_tables
def test_the_screen_fits_24_by_80(table: Table, tmp_path: Path) -> None:
    options = [f"--option={name}={value}" for name, value in table.options.items()]
    arguments = ["play", table.game, "--players", str(table.players), "--people", "A=Evangelistas", "--seed", "1", *options]
    glass = Terminal(tmp_path, *arguments, *QUICK)
    text = glass.see()
    for _ in range(4):
        assert glass.fits
        if "The round is over." in text:
            text = glass.type("")
        assert text.rstrip().splitlines()[-1].startswith("Evangelistas: ")
        assert all(f" {seat} " in text for seat in table.seats)
        text = glass.type("1")
    glass.child.sendline("quit")
    assert glass.end() == 0


# Leaving ------------------------------------------------------------------------------------------


def by_interrupt(table: Terminal) -> None:
    table.child.sendintr()


def by_end_of_input(table: Terminal) -> None:
    table.child.sendeof()


def by_termination(table: Terminal) -> None:
    table.child.kill(signal.SIGTERM)


def by_word(table: Terminal) -> None:
    table.child.sendline("quit")


@pytest.mark.parametrize(
    ("leave", "status"), [(by_interrupt, 130), (by_end_of_input, 0), (by_termination, 143), (by_word, 0)]
)
def test_leaving_saves_the_game_and_prints_the_command_to_go_on(
    leave: Callable[[Terminal], None], status: int, tmp_path: Path
) -> None:
    table = Terminal(tmp_path, "play", *SHORT, "--people", "Ann", *QUICK)
    table.see()
    before = table.type("1")
    leave(table)
    assert table.end() == status
    assert not table.glass.alternate
    command = shlex.split(table.sent.rpartition("To go on: ")[2])
    assert command[-2:] == ["--from", str(saved(tmp_path))]
    again = Terminal(tmp_path, *command[command.index("play") :], "--pace", "0")
    after = again.see()
    assert fan(after) == fan(before)
    assert again.fits
    again.child.close()


def test_ctrl_c_in_the_middle_of_the_bots_moves_loses_nothing(tmp_path: Path) -> None:
    table = Terminal(tmp_path, "play", "schadenfreude", "--players", "5", "--people", "A", "--seed", "5", "--pace", "9")
    table.see("what happens.*\x1b\\[J")
    table.child.sendintr()
    assert table.end() == 130
    assert "To go on:" in table.sent
    assert fuda.replay(json.loads(saved(tmp_path).read_text())["record"]).seat == "B"


def test_a_closed_terminal_loses_nothing(tmp_path: Path) -> None:
    table = Terminal(tmp_path, "play", *SHORT, "--people", "Ann", *QUICK)
    table.see()
    table.type("1")
    saved(tmp_path).unlink()
    table.child.ptyproc.delayafterclose = 2  # a busy machine takes longer than the usual tenth of a second
    table.child.close(force=False)  # hangs up
    assert table.child.exitstatus == 128 + signal.SIGHUP
    assert fuda.replay(json.loads(saved(tmp_path).read_text())["record"]).seat == "A"


def test_ctrl_c_before_a_game_has_begun_is_quiet(tmp_path: Path) -> None:
    table = Terminal(tmp_path, "play")
    table.see("A number or a name")
    table.child.sendintr()
    assert table.end() == 130
    assert "Traceback" not in table.sent
    assert not (tmp_path / "fuda").exists()


# Several people -------------------------------------------------------------------------------------


def test_a_curtain_hides_everything_until_enter(tmp_path: Path) -> None:
    table = Terminal(tmp_path, "play", *SHORT, "--people", "Ann,Bob")
    text = table.see()
    first, second = ("Ann", "Bob") if "Pass the screen to Ann" in text else ("Bob", "Ann")
    assert not re.search(r"│|\d", text)
    hand = fan(table.type(""))
    assert f"{first} (you)" in table.glass.text
    text = table.type("1")
    assert f"Pass the screen to {second}." in text
    assert not re.search(r"│|\d", text)
    assert "First" in table.type("2"), "a card typed too early plays nothing"
    text = table.type("")
    assert f"{second} (you)" in text
    assert not set(hand.split("│")[2:-1]) & set(fan(text).split("│")), "no card of the other hand is on the screen"
    table.child.sendline("quit")
    assert table.end() == 0


def test_undo_at_the_curtain_takes_the_move_back(tmp_path: Path) -> None:
    table = Terminal(tmp_path, "play", *SHORT, "--people", "Ann,Bob")
    table.see()
    before = table.type("")
    assert "undo takes your last move back" in table.type("1")
    assert fan(table.type("undo")) == fan(before)
    assert len(json.loads(saved(tmp_path).read_text())["record"]["moves"]) == 0
    table.type("1")
    table.type("")
    text = table.type("undo")
    assert "You have made no move yet" in text
    table.child.close()


def test_undo_after_winning_a_trick_and_not_once_others_have_played(tmp_path: Path) -> None:
    table = Terminal(tmp_path, "play", "shinigami_preschool", "--players", "2", "--seed", "1", "--people", "A", *QUICK)
    table.see()
    taken_back = refused = False
    for _ in range(10):
        before = fan(table.glass.text)
        cards = before.count("│")
        won = "╭ Ben" in table.type("1") and "the last trick" in table.glass.text
        assert fan(table.glass.text).count("│") == cards - 1
        text = table.type("undo")
        if won:
            assert fan(text) == before
            table.type("1")
            taken_back = True
        else:
            assert "It is too late to take your move back: Ben has played since." in text
            refused = True
        if taken_back and refused:
            break
    assert taken_back
    assert refused
    table.child.close()


# Colours ---------------------------------------------------------------------------------------------


def test_suits_have_colours_and_what_cannot_be_played_is_dim(tmp_path: Path) -> None:
    table = Terminal(tmp_path, "play", *SHORT, "--people", "A", *QUICK)
    text = table.see()
    while " 1 " in fan_numbers(text) and fan_numbers(text).split("│")[1:-1].count("   ") == 0:
        text = table.type("1")
    assert re.search(r"\x1b\[1;31m♥ red \d", table.sent)
    assert re.search(r"\x1b\[(?:2;)3\dm. \d", table.sent)
    table.child.close()


def fan_numbers(text: str) -> str:
    lines = text.splitlines()
    return lines[lines.index(fan(text)) + 1]


def test_no_color_is_honoured(tmp_path: Path) -> None:
    table = Terminal(tmp_path, "play", *SHORT, "--people", "A", *QUICK, NO_COLOR="1")
    table.see()
    assert not re.search(r"\x1b\[[\d;]*3\dm", table.sent)
    table.child.close()


# Reading on the screen ---------------------------------------------------------------------------------


def test_answers_stand_on_the_screen_and_pages_go_back_to_the_table(tmp_path: Path) -> None:
    table = Terminal(tmp_path, "play", "cursed_tricks", "--players", "4", "--seed", "2", "--people", "A", *QUICK)
    table.see()
    for command, shown in [
        ("why purple 99", "I know no card"),
        ("save", "Saved in"),
        ("undo", "made no move yet"),
        ("last", "No trick has been finished yet."),
        ("rules X-1", "There is no rule X-1"),
    ]:
        assert shown in table.type(command)
        assert table.fits
        assert "Ada (you)" in table.glass.text
    for command, shown in [("rul\t C-19", "C-19"), ("score", "No round is over yet."), ("help", "why CARD")]:
        assert shown in table.type(command)
        assert table.fits
        assert "Ada (you)" in table.type("")
    assert "Enter for more" in table.type("rules")
    assert table.fits
    assert "Ada (you)" in table.type("q")
    table.child.close()


def test_a_game_can_be_watched_step_by_step(tmp_path: Path) -> None:
    game = fuda.new("cursed_tricks", players=4, seed=1)
    for _ in range(20):
        game.play(game.moves()[0])
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game.record()))
    table = Terminal(tmp_path, "replay", str(file))
    prompt = r"of 20: [^>]*> $"
    texts = [table.see(prompt)]
    for key in ["", "", "b", "20", ""]:
        table.child.sendline(key)
        texts.append(table.see(prompt if key != "" or len(texts) < 4 else r"Enter to go back > $"))
        assert table.fits
    assert "the beginning" in texts[0]
    assert "move 1 " in texts[1]
    assert "move 2 " in texts[2]
    assert texts[3].replace("\n", "") == texts[1].replace("\n", "")
    assert "move 20 " in texts[4]
    assert "round" in texts[5]
    table.child.sendline("")
    table.see(prompt)
    table.child.sendline("q")
    assert table.end() == 0


def test_the_output_into_a_closed_pipe_ends_without_a_traceback(tmp_path: Path) -> None:
    game = fuda.new("schadenfreude", players=5, seed=1)
    while not game.over:
        game.play(game.moves()[0])
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game.record()))
    command = [sys.executable, "-m", "fuda", "replay", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8") as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.readline()
        child.stdout.close()
        assert child.stderr.read() == ""
