"""Every example of the rules holds."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from fuda.cli.examples import check_file

HERE = Path(__file__).parent
FILES = sorted(HERE.rglob("*.yaml"))
GAMES = {"A": "all_games", "S": "schadenfreude", "C": "cursed_tricks", "P": "shinigami_preschool", "K": "kirifu"}


def name_of(file: Path) -> str:
    return f"{file.parent.name}/{file.stem}"


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
    assert not named_after_a_ruling or file.parent.name == GAMES[file.stem[0]]
    for document in yaml.safe_load_all(file.read_text("utf-8")):
        assert document["about"].startswith(f"{file.stem} ")
        assert file.parent.name in ("all_games", document["game"])


def test_no_two_examples_say_the_same_of_themselves() -> None:
    said = [document["about"] for file in FILES for document in yaml.safe_load_all(file.read_text("utf-8"))]
    assert len(said) == len(set(said))
