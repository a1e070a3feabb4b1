"""`fuda bench`: its figures as data and as a table, and what it says to wrong use."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

import fuda
from fuda.cli.main import main

QUICK = ["--seconds", "0.05"]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["bench", *arguments])


def test_every_game_of_the_catalogue_is_measured() -> None:
    result = run("--json", *QUICK)
    assert result.exit_code == 0
    figures = json.loads(result.stdout)
    assert list(figures) == [game["id"] for game in fuda.games()]
    for figure in figures.values():
        assert list(figure) == ["players", "playout", "stepped", "clone"]
        assert figure["players"] == 4
        assert all(isinstance(number, int) and number > 0 for number in figure.values())


def test_only_the_named_games_are_measured_each_once() -> None:
    result = run("cursed_tricks", "cursed_tricks", "--json", "--players", "3", *QUICK)
    figures = json.loads(result.stdout)
    assert list(figures) == ["cursed_tricks"]
    assert figures["cursed_tricks"]["players"] == 3


def test_without_a_name_all_games_for_so_many_players_are_measured() -> None:
    assert list(json.loads(run("--json", "--players", "5", *QUICK).stdout)) == ["schadenfreude", "frantic", "kirifu"]


def test_people_get_a_table() -> None:
    result = run("shinigami_preschool", *QUICK)
    assert result.exit_code == 0
    assert "Shinigami Preschool" in result.stdout
    assert "playout" in result.stdout
    assert ("compiled" if fuda.compiled else "plain Python") in result.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["chess"],
            "There is no game 'chess'; there are schadenfreude, cursed_tricks, shinigami_preschool, frantic, kirifu.",
        ),
        (["cursed_tricks", "--players", "5"], "Cursed Tricks is for 3 to 4 players, not 5."),
        (["--players", "9"], "There is no game for 9 players."),
        (["--seconds", "0"], "Invalid value for '--seconds': 0.0 is not in the range 0<x<=3600."),
    ],
)
def test_wrong_use_is_answered_with_one_sentence(arguments: list[str], sentence: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == f"{sentence}\n"


def test_the_help_shows_an_example() -> None:
    assert "fuda bench schadenfreude --players 5" in run("--help").stdout
