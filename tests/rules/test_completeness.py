"""Every ruling stands on a rules page and is proven; every id that the code cites stands there too."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from fuda.engine.core import ANSWER_WHAT_IS_ASKED, HOLD_IT, WAIT_UNTIL_ASKED, Rule
from fuda.engine.rulebook import Rulebook
from fuda.games.catalogue import CATALOGUE

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PAGES = ROOT / "docs" / "rules"
SOURCES = sorted((ROOT / "src" / "fuda").rglob("*.py"))
PAGE_OF = {
    "A": "all_games",
    "S": "schadenfreude",
    "C": "cursed_tricks",
    "P": "shinigami_preschool",
    "F": "frantic",
    "K": "kirifu",
}
LAST = {"A": 6, "S": 21, "C": 19, "P": 13, "F": 43, "K": 26}
"""The last ruling of each letter; a new ruling counts it up."""
RULINGS = [f"{letter}-{number}" for letter, last in LAST.items() for number in range(1, last + 1)]
REFUSING = [WAIT_UNTIL_ASKED, HOLD_IT, ANSWER_WHAT_IS_ASKED, *(rule for rules in CATALOGUE for rule in rules.rules)]

PARAGRAPH = re.compile(r"^\*\*([A-Z]-\d+) ([^*\n]+)\*\* \S", re.MULTILINE)
CITED = re.compile(r"\b[ACFKPS]-\d+\b")


def page(name: str) -> str:
    return (PAGES / f"{name}.md").read_text("utf-8")


def stated(name: str) -> list[str]:
    """The ids of the paragraphs of a page."""
    return [ruling for ruling, _ in PARAGRAPH.findall(page(name))]


def unit_tests() -> set[str]:
    """The names of all test functions beside the examples."""
    return {
        node.name
        for file in HERE.glob("test_*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    }


def refusals_in(file: Path) -> set[str]:
    return {
        str(step["refused"])
        for document in yaml.safe_load_all(file.read_text("utf-8"))
        for step in document.get("play") or []
        if "refused" in step
    }


@pytest.mark.parametrize("letter", LAST)
def test_a_page_states_each_of_its_rulings_once_and_no_others(letter: str) -> None:
    expected = [ruling for ruling in RULINGS if ruling.startswith(letter)]
    assert sorted(stated(PAGE_OF[letter])) == sorted(expected)


def test_every_card_with_a_text_has_two_examples_of_its_own() -> None:
    for rules in CATALOGUE:
        for name in rules.texts:
            files = [*(HERE / rules.id).rglob(f"{name.replace(' ', '_')}.yaml")]
            assert len(files) == 1, name
            assert len([*yaml.safe_load_all(files[0].read_text("utf-8"))]) >= 2, name
            assert f"`{name}`" in page(rules.id)


def test_every_game_has_its_page_with_its_name_as_heading() -> None:
    assert {rules.id for rules in CATALOGUE} == set(PAGE_OF.values()) - {"all_games"}
    for rules in CATALOGUE:
        assert page(rules.id).startswith(f"# {rules.name}\n")


@pytest.mark.parametrize("name", PAGE_OF.values())
def test_a_paragraph_has_a_title_with_a_full_stop_and_stands_alone(name: str) -> None:
    for paragraph in page(name).split("\n\n"):
        if CITED.match(paragraph.removeprefix("**")):
            assert re.match(r"\*\*[A-Z]-\d+ [^*\n]+\.\*\* [^\n]", paragraph)
            assert len(PARAGRAPH.findall(paragraph)) == 1


@pytest.mark.parametrize("name", PAGE_OF.values())
def test_a_page_cites_only_rulings_that_stand_somewhere(name: str) -> None:
    assert set(CITED.findall(page(name))) <= set(RULINGS)


@pytest.mark.parametrize("rules", CATALOGUE, ids=lambda rules: rules.id)
def test_a_page_names_every_option(rules: Rulebook[Any]) -> None:
    for option in rules.options:
        assert f"`{option.name}`" in page(rules.id)


@pytest.mark.parametrize("ruling", RULINGS)
def test_a_ruling_has_an_example_or_a_unit_test_named_after_it(ruling: str) -> None:
    example = HERE / PAGE_OF[ruling[0]] / f"{ruling}.yaml"
    prefix = f"test_{ruling.lower().replace('-', '_')}_"
    assert example.is_file() or any(name.startswith(prefix) for name in unit_tests())


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_the_code_cites_only_rulings_that_stand_on_a_page(file: Path) -> None:
    assert set(CITED.findall(file.read_text("utf-8"))) <= set(RULINGS)


@pytest.mark.parametrize("rule", REFUSING, ids=lambda rule: rule.id)
def test_a_rule_that_can_refuse_does_so_in_an_example_of_its_own(rule: Rule) -> None:
    assert rule.id in refusals_in(HERE / PAGE_OF[rule.id[0]] / f"{rule.id}.yaml")
