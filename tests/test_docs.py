"""What the documents show is true."""

from __future__ import annotations

import re
from pathlib import Path
from runpy import run_path

import pytest
from click.testing import CliRunner

import fuda
from fuda.cli.examples.check import check_text
from fuda.cli.main import main

ROOT = Path(__file__).parent.parent
DOCUMENTS = [*(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")), *(ROOT / "docs").glob("*.md")]

NOT_OURS = {"__pycache__", "node_modules", "static", ".vitest"}
"""Folders with what is made from other files, or by others."""


def blocks(document: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", document.read_text(), re.DOTALL)


def test_the_python_example_of_the_readme_runs(tmp_path: Path) -> None:
    (example,) = blocks(ROOT / "README.md", "python")
    assert len(example.strip().splitlines()) == 10
    program = tmp_path / "example.py"
    program.write_text(example)
    run_path(str(program))


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


def test_the_examples_in_the_formats_hold() -> None:
    (example,) = blocks(ROOT / "docs/formats.md", "yaml")
    report = check_text(example, "docs/formats.md")
    assert report.examples == 1
    assert not report.differences


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", document.read_text()):
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
    for folder in (".ci", "src", "tests", "docs", "bench", "building", "web"):
        ours += [path for path in (ROOT / folder).rglob("*") if path.is_file() and not NOT_OURS.intersection(path.parts)]
    for path in ours:
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            assert path == Path(__file__) or not wrong.search(line), f"{path.relative_to(ROOT)}:{number}"
