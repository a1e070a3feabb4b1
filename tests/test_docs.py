"""What the documents show is true."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from runpy import run_path
from typing import Any

import griffe
import pytest
import yaml
from building import docs
from click.testing import CliRunner

import fuda
from fuda.cli.examples.check import check_text
from fuda.cli.main import main
from fuda.engine.records import KEYS
from fuda.engine.views import HEADER

ROOT = Path(__file__).parent.parent
DOCUMENTS = [*(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")), *(ROOT / "docs").glob("*.md")]
NOT_BY_THEMSELVES = {"client.md", "adding_a_game.md"}
"""Pages whose examples need a server, or the source; they have tests of their own."""
WITH_PYTHON = [path for path in DOCUMENTS if "```python" in path.read_text() and path.name not in NOT_BY_THEMSELVES]

NOT_OURS = {"__pycache__", "node_modules", "static", ".vitest"}
"""Folders with what is made from other files, or by others."""


def is_ours(path: Path) -> bool:
    return path.is_file() and path.suffix != ".so" and not NOT_OURS.intersection(path.parts)


def blocks(document: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", document.read_text(), re.DOTALL)


def page_names(nav: list[Any]) -> Iterator[str]:
    """The files that the navigation of the site leads to."""
    for entry in nav:
        (target,) = entry.values()
        if isinstance(target, str):
            yield target
        else:
            yield from page_names(target)


@pytest.mark.parametrize("document", WITH_PYTHON, ids=lambda path: path.name)
def test_the_python_examples_of_a_page_run_one_after_the_other(document: Path, tmp_path: Path) -> None:
    program = tmp_path / "example.py"
    program.write_text("\n".join(blocks(document, "python")))
    run_path(str(program))


def test_the_readme_shows_how_to_play_ask_why_look_redeal_and_replay() -> None:
    (example,) = blocks(ROOT / "README.md", "python")
    for call in ("fuda.new(", ".moves()", ".play(", ".why(", ".view(", "fuda.redeal(", "fuda.replay("):
        assert call in example


def test_the_api_page_describes_the_whole_public_face_and_names_only_what_exists() -> None:
    text = (ROOT / "docs/api.md").read_text()
    described = re.findall(r"^::: fuda\.(\S+)\n((?: {4}.*\n)*)", text, re.MULTILINE)
    source = griffe.load("fuda", search_paths=[ROOT / "src"], allow_inspection=False)
    for path, settings in described:
        members = (yaml.safe_load(settings) or {}).get("options", {}).get("members", [])
        assert [member for member in members if member not in source[path].all_members] == [], path
    by_hand = {"games"}  # a function that has the name of a package, which hides it here
    assert set(fuda.__all__) == {path for path, _ in described if path in fuda.__all__} | by_hand


def test_every_page_is_in_the_navigation_of_the_site() -> None:
    config = (ROOT / "zensical.toml").read_text()
    rules = [*page_names(tomllib.loads(f"nav = {docs.rules_navigation()}")["nav"])]
    nav = [*page_names(tomllib.loads(config)["project"]["nav"]), *rules]
    pages = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
    assert sorted(nav) == sorted(pages | set(docs.FROM_THE_ROOT.values()))
    assert docs.RULES_IN_NAVIGATION in config


def test_the_readme_opens_with_the_two_commands() -> None:
    first = blocks(ROOT / "README.md", "sh")[0]
    assert [line.split("#")[0].strip() for line in first.splitlines()] == ["make play", "make test"]


def test_the_readme_has_every_game_and_every_command() -> None:
    text = (ROOT / "README.md").read_text()
    for game in fuda.games():
        least, most = game["players"]
        assert re.search(rf"\| {game['name']} \| {least}–{most} \|.*docs/rules/{game['id']}\.md", text)
    for command in main.commands:
        assert f"`fuda {command}" in text


def test_the_architecture_page_names_only_files_that_exist() -> None:
    text = (ROOT / "docs/architecture.md").read_text()
    for name in re.findall(r"`([\w./]+/[\w.]+)`", text):
        assert any((folder / name).exists() for folder in (ROOT, ROOT / "src/fuda")), name
    assert {path.name for path in (ROOT / "src/fuda").iterdir() if (path / "__init__.py").exists()} <= set(
        re.findall(r"`src/fuda/(\w+)`", text)
    )


def waiting(game: fuda.Game) -> str:
    """The steps that wait, the next one first, each with the player whose decision it is."""
    steps = game.position()["pending"]
    return ", ".join(f"{step['step']} of {step['player']}" if "player" in step else step["step"] for step in steps)


def test_the_countered_gift_runs_on_the_stack_as_the_architecture_page_says() -> None:
    text = (ROOT / "docs/architecture.md").read_text()
    rows = re.findall(r"^\| ([A-H]?) *\| ([\w ]*?) *\| ([\w ,]*end check) \|$", text, re.MULTILINE)
    file = ROOT / "tests/rules/frantic/worked_example.yaml"
    gift = next(one for one in yaml.safe_load_all(file.read_text()) if one["about"].startswith("worked example 2"))
    game = fuda.new("frantic", players=gift["players"], seed=1, position=gift["position"])
    happened = [("", "", waiting(game))]
    for step in gift["play"]:
        ((seat, move),) = step.items()
        game.play(move, seat)
        happened.append((seat, move, waiting(game)))
    assert rows == happened


def test_the_examples_in_the_formats_hold() -> None:
    (example,) = blocks(ROOT / "docs/formats.md", "yaml")
    report = check_text(example, "docs/formats.md")
    assert report.examples == 1
    assert not report.differences


def test_the_formats_name_every_field_of_every_game_and_every_key_of_views_and_records() -> None:
    text = (ROOT / "docs/formats.md").read_text()
    for game in fuda.games():
        for field in fuda.rulebook(game["id"]).fields:
            assert f"`{field.name}`" in text, f"{game['id']}: {field.name}"
    for key in (*HEADER, *KEYS):
        assert f"`{key}`" in text, key
    assert f"Frantic has {len(fuda.rulebook('frantic').moves)} words" in text


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    prose = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.DOTALL | re.MULTILINE)
    for target in re.findall(r"\]\(([^)#]+)", prose):
        if not target.startswith("http"):
            assert (document.parent / target).exists(), target


def test_every_command_shows_an_example_in_its_help() -> None:
    for name in main.commands:
        result = CliRunner().invoke(main, [name, "--help"])
        assert result.exit_code == 0
        assert f"fuda {name}" in result.output.split("Example")[1]


def test_nothing_names_a_path_of_a_machine_or_a_package_registry() -> None:
    wrong = re.compile(r"python[h]osted|py[p]i[.]org|npm[j]s[.](org|com)|deb[.]deb[i]an|(?<![\w.-])/(work|root|home)/")
    ours = [path for path in ROOT.iterdir() if path.is_file() and path.name != ".git"]
    for folder in (".ci", "src", "tests", "docs", "bench", "building", "deploy", "web"):
        ours += [path for path in (ROOT / folder).rglob("*") if is_ours(path)]
    for path in ours:
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            assert path == Path(__file__) or not wrong.search(line), f"{path.relative_to(ROOT)}:{number}"
