"""Every ruling stands on a rules page and is proven; every id that the code cites stands there too."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from fuda.engine.core import RULES_OF_ALL_GAMES, Rule
from fuda.engine.rulebook import Rulebook
from fuda.games.catalogue import CATALOGUE
from tests.rules.pages import CITED, PAGE_OF, PAGES, PARAGRAPH, RULING, RULINGS, page, stated

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SOURCES = sorted((ROOT / "src" / "fuda").rglob("*.py"))
EXAMPLES = [file for file in sorted(HERE.rglob("*.yaml")) if re.fullmatch(RULING, file.stem)]
REFUSING = [*RULES_OF_ALL_GAMES, *(rule for rules in CATALOGUE for rule in rules.rules)]


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


@pytest.mark.parametrize("name", PAGES)
def test_a_page_states_its_rulings_once_and_counts_them_from_1(name: str) -> None:
    found = stated(name)
    (letter,) = {ruling[0] for ruling in found}
    assert PAGE_OF[letter] == name, "every page has a letter of its own"
    assert sorted(found) == sorted(f"{letter}-{number}" for number in range(1, len(found) + 1))


def test_every_card_with_a_text_has_two_examples_of_its_own() -> None:
    for rules in CATALOGUE:
        for name in {key.partition(", ")[0] for key in rules.texts}:
            files = [*(HERE / rules.id).rglob(f"{name.replace(' ', '_')}.yaml")]
            assert len(files) == 1, name
            assert len([*yaml.safe_load_all(files[0].read_text("utf-8"))]) >= 2, name
            assert f"`{name}`" in page(rules.id)


def test_the_page_of_a_game_has_its_name_as_heading() -> None:
    for rules in CATALOGUE:
        assert page(rules.id).startswith(f"# {rules.name}\n")


@pytest.mark.parametrize("name", PAGES)
def test_a_paragraph_has_a_title_with_a_full_stop_and_stands_alone(name: str) -> None:
    for paragraph in page(name).split("\n\n"):
        if CITED.match(paragraph.removeprefix("**")):
            assert re.match(rf"\*\*{RULING} [^*\n]+\.\*\* [^\n]", paragraph)
            assert len(PARAGRAPH.findall(paragraph)) == 1


@pytest.mark.parametrize("name", PAGES)
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


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_an_example_named_after_a_ruling_is_beside_the_others_of_its_page(file: Path) -> None:
    assert file.stem in stated(file.relative_to(HERE).parts[0])


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_the_code_cites_only_rulings_that_stand_on_a_page(file: Path) -> None:
    assert set(CITED.findall(file.read_text("utf-8"))) <= set(RULINGS)


@pytest.mark.parametrize("rule", REFUSING, ids=lambda rule: rule.id)
def test_a_rule_that_can_refuse_does_so_in_an_example_of_its_own(rule: Rule) -> None:
    assert rule.id in refusals_in(HERE / PAGE_OF[rule.id[0]] / f"{rule.id}.yaml")
