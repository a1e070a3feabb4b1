"""Every example of the rules holds."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from fuda.cli.examples.check import check_file

HERE = Path(__file__).parent
FILES = sorted(HERE.rglob("*.yaml"))
GAMES = {
    "A": "all_games",
    "S": "schadenfreude",
    "C": "cursed_tricks",
    "P": "shinigami_preschool",
    "F": "frantic",
    "K": "kirifu",
}
NESTINGS = [
    "Counterattack against Counterattack against a Mimicry of Gift",
    "Nice Try after a Gift that handed it over",
    "Last Chance into Plague into Repeat into Event Manager",
    "Lucky Bastard before a sub-event",
    "2nd Chance chains",
    "a black card as the last card",
    "the deck runs out in the middle of Capitalism",
    "Doomsday inside Plague while a Time Bomb ticks",
]
"""Effects of Frantic inside each other, each with examples of its own in one file."""


def name_of(file: Path) -> str:
    return str(file.relative_to(HERE).with_suffix(""))


def game_of(file: Path) -> str:
    return file.relative_to(HERE).parts[0]


every_file = pytest.mark.parametrize("file", FILES, ids=name_of)


@every_file
def test_its_examples_hold(file: Path) -> None:
    report = check_file(file)
    assert report.differences == []
    assert report.failed == 0
    assert report.examples > 0


@every_file
def test_its_examples_are_about_the_ruling_that_names_the_file(file: Path) -> None:
    named_after_a_ruling = file.stem[1:2] == "-"
    assert not named_after_a_ruling or game_of(file) == GAMES[file.stem[0]]
    subjects = NESTINGS if file.stem == "nestings" else [f"{file.stem.replace('_', ' ')} "]
    for document in yaml.safe_load_all(file.read_text("utf-8")):
        assert any(document["about"].startswith(subject) for subject in subjects)
        assert game_of(file) in ("all_games", document["game"])


def test_every_nesting_of_effects_has_an_example() -> None:
    said = [document["about"] for document in yaml.safe_load_all((HERE / "frantic" / "nestings.yaml").read_text("utf-8"))]
    for nesting in NESTINGS:
        assert any(about.startswith(nesting) for about in said), nesting


def test_no_two_examples_say_the_same_of_themselves() -> None:
    said = [document["about"] for file in FILES for document in yaml.safe_load_all(file.read_text("utf-8"))]
    assert len(said) == len(set(said))
