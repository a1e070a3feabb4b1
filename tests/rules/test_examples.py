"""Every example of the rules holds."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from fuda.cli.examples.check import check_file

HERE = Path(__file__).parent
FILES = sorted(HERE.rglob("*.yaml"))


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
def test_its_examples_are_about_the_ruling_or_card_that_names_the_file(file: Path) -> None:
    for document in yaml.safe_load_all(file.read_text("utf-8")):
        assert file.stem == "nestings" or document["about"].startswith(f"{file.stem.replace('_', ' ')} ")
        assert game_of(file) in ("all_games", document["game"])


def test_no_two_examples_say_the_same_of_themselves() -> None:
    said = [document["about"] for file in FILES for document in yaml.safe_load_all(file.read_text("utf-8"))]
    assert len(said) == len(set(said))
