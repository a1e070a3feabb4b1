"""The steps of docs/adding_a_game.md, followed in a copy of the source, make a game that passes the tests of all games."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/adding_a_game.md").read_text("utf-8")
GAME = "night_sky"
MAX_LINES = 100
COPIED = ["src/fuda", "docs", "tests", "building", "pyproject.toml", "README.md"]
NOT_COPIED = shutil.ignore_patterns("*.so", "__pycache__", "static", "web", "golden")
"""Without compiled modules: classes that are not compiled cannot be derived from theirs."""
TESTS = [
    "tests/contract",
    "tests/engine",
    "tests/bots",
    "tests/lab",
    "tests/words",
    "tests/rules/test_examples.py",
    "tests/rules/test_completeness.py",
    "tests/cli/test_table.py",
    "tests/server/test_http.py",
    "tests/client/test_online.py",
]
EXPECTED_TESTS = 100
"""At least this many tests are made for a game in the catalogue."""

BY_THE_PUBLIC_FACE = """
import random

import fuda
from fuda.bots.seating import kinds_of
from fuda.words.book import book_of

assert not fuda.compiled
assert fuda.games()[-1]["id"] == "night_sky"
assert kinds_of("night_sky") == ["random"]
for language in ("en", "de", "ja"):
    book = book_of("night_sky", language)
    assert book.name == "Night Sky"
    assert [part.id for part in book.page if part.id.startswith("N")] == ["N-1", "N-2", "N-3"]
for players in (3, 4):
    game = fuda.new("night_sky", players=players, seed=players)
    chooser = random.Random(players)
    while not game.over:
        game.play(chooser.choice(game.moves()))
    assert sum(game.totals.values()) == players * (36 // players)
    assert fuda.replay(game.record()).position() == game.position()
"""


def block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    return str(found)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the source with the game of the page."""
    root = tmp_path_factory.mktemp("adding_a_game")
    for name in COPIED:
        source, target = ROOT / name, root / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=NOT_COPIED)
        else:
            shutil.copy(source, target)
    (root / f"docs/rules/{GAME}.md").write_text(block("markdown"), "utf-8")
    (root / f"tests/rules/{GAME}").mkdir()
    (root / f"tests/rules/{GAME}/N-2.yaml").write_text(block("yaml"), "utf-8")
    (root / f"src/fuda/games/{GAME}.py").write_text(block("python"), "utf-8")
    catalogue = root / "src/fuda/games/catalogue.py"
    text = catalogue.read_text("utf-8").replace("from fuda.games import ", f"from fuda.games import {GAME}, ")
    catalogue.write_text(re.sub(r"^\]$", f"    {GAME}.RULES,\n]", text, flags=re.MULTILINE), "utf-8")
    return root


def run(root: Path, *arguments: str) -> str:
    """What Python prints when it runs with these arguments on the copy, and nothing but the copy."""
    environment = {**os.environ, "PYTHONPATH": str(root / "src"), "XDG_DATA_HOME": str(root)}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_game_is_short() -> None:
    assert len(block("python").splitlines()) < MAX_LINES


def test_it_can_be_played_and_has_a_book_in_every_language(copy: Path) -> None:
    run(copy, "-c", BY_THE_PUBLIC_FACE)


def test_its_example_holds(copy: Path) -> None:
    assert run(copy, "-m", "fuda", "check", f"tests/rules/{GAME}") == "1 example in 1 file holds.\n"


def test_bots_play_it_in_the_terminal(copy: Path) -> None:
    out = run(copy, "-m", "fuda", "play", GAME, "--players", "3", "--people", "none", "--pace", "0")
    assert "The game is over" in out


def test_it_passes_the_tests_of_all_games(copy: Path) -> None:
    out = run(copy, "-m", "pytest", "-p", "no:xdist", "-p", "no:cacheprovider", "-k", GAME, *TESTS)
    (passed,) = re.findall(r"(\d+) passed", out)
    assert int(passed) >= EXPECTED_TESTS
