"""`fuda soak`: everything that happens is counted, and what never happens is named."""

from __future__ import annotations

from collections import Counter

import pytest
from click.testing import CliRunner, Result

import fuda
from fuda.cli.main import main
from fuda.engine.random import seeded
from fuda.games.catalogue import CATALOGUE
from fuda.lab.catalogue import observer_of, rare_positions_of
from fuda.lab.soak import MOST_PREPARED, Soak, asked, begin_prepared, kinds_in, play, soak, tables

every_game = pytest.mark.parametrize("game", [rules.id for rules in CATALOGUE])
WITH_PREPARED = [rules.id for rules in CATALOGUE if rare_positions_of(rules)]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["soak", *arguments])


@every_game
def test_a_soak_makes_as_many_decisions_as_it_is_told_and_counts_each_question(game: str) -> None:
    report = soak(fuda.rulebook(game), 3000, 1)
    assert 3000 <= report.decisions < 12_000
    questions = {name: times for (what, name), times in report.seen.items() if what == "question"}
    assert sum(questions.values()) >= report.decisions
    assert all(what in report.names() for what, _ in report.seen)


@every_game
def test_whatever_is_seen_is_one_of_the_things_that_should_be_seen(game: str) -> None:
    report = soak(fuda.rulebook(game), 3000, 2)
    for what, name in report.seen:
        assert name in report.names()[what], (what, name)


@every_game
def test_every_number_of_players_and_every_option_has_its_table(game: str) -> None:
    rules = fuda.rulebook(game)
    found = [*tables(rules)]
    assert {players for players, _ in found} == set(range(rules.least, rules.most + 1))
    named = {name for _, options in found for name in options}
    assert named == {option.name for option in rules.options if isinstance(option.default, bool) or option.values}


@every_game
def test_the_notes_of_a_game_are_counted_once_each(game: str) -> None:
    out = Soak(fuda.rulebook(game))
    played = fuda.new(game, seed=4)
    play(out, played, seeded(5))
    assert played.over
    expected = Counter(note["kind"] for note in played.view(None)["history"])
    assert {name: times for (what, name), times in out.seen.items() if what == "note"} == expected
    assert out.games == 1
    assert not out.in_prepared


@pytest.mark.parametrize("game", WITH_PREPARED)
def test_games_from_prepared_positions_are_short_and_counted_apart(game: str) -> None:
    rules = fuda.rulebook(game)
    for position in rare_positions_of(rules):
        out = Soak(rules)
        for seed in range(5):
            begin_prepared(out, position, seed, seeded(seed))
        assert 0 < out.decisions <= 5 * MOST_PREPARED
        assert out.seen == out.in_prepared


@pytest.mark.parametrize("game", WITH_PREPARED)
def test_prepared_positions_are_for_what_is_looked_for(game: str) -> None:
    """The rare things do come up in them."""
    rules = fuda.rulebook(game)
    out = Soak(rules)
    moves = seeded(6)
    for seed in range(80):
        for position in rare_positions_of(rules):
            begin_prepared(out, position, seed, moves)
    rare = observer_of(rules).names.get("nesting", [])
    assert [name for name in rare if not out.seen["nesting", name]] == []
    natural = Soak(rules)
    while natural.decisions < 5000:
        play(natural, fuda.new(rules.id, players=3, seed=natural.games), moves)
    assert [*out.seen.keys() - natural.seen.keys()] != []


def test_what_is_asked_is_counted_with_the_things_it_is_asked_of() -> None:
    assert asked("answer", {"card": "x", "attack": [{"kind": "plain"}, {"kind": "trump"}], "cards": ["y"]}) == [
        *("answer", "plain", "trump"),
    ]


def test_kinds_are_named_once_whatever_words_there_are_for_them() -> None:
    assert kinds_in({"draw": "", "draw, cards": "", "play": ""}) == ["draw", "play"]


def test_a_soak_is_the_same_every_time() -> None:
    rules = CATALOGUE[0]
    assert soak(rules, 500, 3).seen == soak(rules, 500, 3).seen != soak(rules, 500, 4).seen


# The command ----------------------------------------------------------------------------------------


@every_game
def test_what_never_happened_is_said_and_exits_with_1(game: str) -> None:
    """A small game may have shown everything after one game."""
    result = run(game, "--decisions", "1")
    name = fuda.rulebook(game).name
    missing = soak(fuda.rulebook(game), 1, 1).missing()
    assert result.exit_code == (1 if missing else 0)
    assert result.stderr == (f"In {name} this never happened: {', '.join(missing)}.\n" if missing else "")
    assert result.stdout.startswith(f"{name}: ")


def test_when_all_has_happened_it_exits_with_0() -> None:
    result = run("schadenfreude", "--decisions", "30000", "--seed", "1")
    assert result.stderr == ""
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert {"card", "question", "note"} <= {*lines}
    assert not any(line.split()[:1] == ["0"] for line in lines)


def test_the_report_says_what_comes_from_prepared_games() -> None:
    for game in WITH_PREPARED:
        result = run(game, "--decisions", "4000")
        assert "in prepared games)" in result.stdout
        assert ("\nnesting\n" in result.stdout) == ("nesting" in observer_of(fuda.rulebook(game)).names)


@pytest.mark.parametrize("wrong", [["chess"], ["--decisions", "0"], ["--decisions", "many"], ["--seed", "-1"]])
def test_wrong_use_is_said_in_a_sentence(wrong: list[str]) -> None:
    result = run(*wrong)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
