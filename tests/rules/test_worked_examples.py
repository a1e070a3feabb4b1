"""The worked examples of the rules pages are played by `worked_example.yaml`, and say the same in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from building.docs import CODE, WORKED_EXAMPLES, cards_by_name, worked_examples

from fuda.games.catalogue import CATALOGUE

HERE = Path(__file__).parent
PAGES = HERE.parent.parent / "docs" / "rules"
GAMES = [rules.id for rules in CATALOGUE if (HERE / rules.id / "worked_example.yaml").exists()]
TRANSLATED = [
    (game, language) for game in GAMES for language in WORKED_EXAMPLES if (PAGES / language / f"{game}.md").exists()
]
HEADING = re.compile(r"^### \D*(\d+)[:：]", re.MULTILINE)

every_game = pytest.mark.parametrize("game", GAMES)
every_translation = pytest.mark.parametrize(("game", "language"), TRANSLATED)


def on_page(game: str, language: str) -> dict[int, str]:
    """The text of each worked example, by number."""
    folder = PAGES if language == "en" else PAGES / language
    section = worked_examples((folder / f"{game}.md").read_text("utf-8"), language)
    _, *pieces = HEADING.split(section)
    return {int(number): text for number, text in zip(pieces[::2], pieces[1::2], strict=True)}


def cards_on_page(game: str, language: str, text: str) -> list[str]:
    names = cards_by_name(game, language)
    return [names[name].id for name in CODE.findall(text)]


def played(game: str) -> dict[int, list[dict[str, Any]]]:
    """The examples that the engine plays, by number."""
    found: dict[int, list[dict[str, Any]]] = {}
    for document in yaml.safe_load_all((HERE / game / "worked_example.yaml").read_text("utf-8")):
        number = re.match(r"worked example (\d+): ", document["about"])
        assert number is not None
        found.setdefault(int(number[1]), []).append(document)
    return found


def words_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from value.split(" + ")
    elif isinstance(value, list):
        for one in value:
            yield from words_in(one)
    elif isinstance(value, dict):
        for one in value.values():
            yield from words_in(one)


def cards_played(documents: list[dict[str, Any]]) -> set[str]:
    """The words of all moves that were not refused."""
    return {word for document in documents for step in document["play"] if "refused" not in step for word in words_in(step)}


def test_a_page_has_worked_examples_if_and_only_if_they_are_played() -> None:
    assert [
        rules.id for rules in CATALOGUE if f"## {WORKED_EXAMPLES['en']}" in (PAGES / f"{rules.id}.md").read_text()
    ] == GAMES


@every_game
def test_every_worked_example_is_played_and_no_other(game: str) -> None:
    numbers = [*on_page(game, "en")]
    assert numbers == [*range(1, len(numbers) + 1)]
    assert sorted(played(game)) == numbers


@every_game
def test_the_cards_of_a_worked_example_are_those_that_are_played(game: str) -> None:
    known = {card.id for card in cards_by_name(game, "en").values()}
    for number, text in on_page(game, "en").items():
        documents = played(game)[number]
        shown = set(cards_on_page(game, "en", text))
        assert shown <= {word for document in documents for word in words_in(document)}, number
        assert not shown or cards_played(documents) & known <= shown, number


@every_game
def test_a_worked_example_states_the_totals_that_come_out(game: str) -> None:
    for number, text in on_page(game, "en").items():
        stated = {int(found) for found in re.findall(r"\b\d+\b", text)}
        for document in played(game)[number]:
            assert set(document["expect"].get("totals", {}).values()) <= stated, number


@every_translation
def test_a_worked_example_has_the_same_cards_and_numbers_in_every_language(game: str, language: str) -> None:
    assert [*on_page(game, language)] == [*on_page(game, "en")]
    for number, text in on_page(game, "en").items():
        translated = on_page(game, language)[number]
        assert cards_on_page(game, language, translated) == cards_on_page(game, "en", text), number
        assert re.findall(r"(?<=\| )−?\d+(?= \|)", translated) == re.findall(r"(?<=\| )−?\d+(?= \|)", text), number
