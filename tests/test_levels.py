"""The architecture: each level imports only what is above it, and nothing outside a game's own file knows that game."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import fuda

SOURCE = Path(__file__).parent.parent / "src" / "fuda"
LEVELS = {"engine": 1, "games": 2, "bots": 3, "lab": 3, "protocol": 4, "words": 5, "server": 6, "client": 6, "cli": 7}
FILES = sorted(SOURCE.rglob("*.py"))
GAMES = [game["id"] for game in fuda.games()]


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {str(node.module)}
    return found


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.parent != SOURCE], ids=lambda path: str(path.relative_to(SOURCE))
)
def test_a_level_imports_only_from_levels_above(path: Path) -> None:
    part = path.relative_to(SOURCE).parts[0]
    for name in imports(path):
        if name == "fuda" or (name.startswith("fuda.") and name.split(".")[1] not in LEVELS):
            assert LEVELS[part] >= 3 or name == "fuda", f"{name}: the public face stands on the games"
            assert LEVELS[part] >= 4 or part == "lab", f"{name}: only front ends and the lab use the public face"
        elif name.startswith("fuda."):
            other = name.split(".")[1]
            assert other == part or LEVELS[other] < LEVELS[part], f"{part} must not import {name}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_game_is_named_outside_its_own_files(path: Path) -> None:
    if "games" in path.relative_to(SOURCE).parts or path.stem.startswith("thumb_") or path.name == "catalogue.py":
        return
    code = ast.parse(path.read_text())
    docstrings = {
        ast.get_docstring(node, clean=False)
        for node in ast.walk(code)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
    }
    for node in ast.walk(code):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in docstrings:
            for game in GAMES:
                assert game != node.value, f"{path.name} has a special case for {game}"


def test_every_file_has_a_page_at_most() -> None:
    """A file of rules stays readable in one sitting."""
    for path in FILES:
        assert len(path.read_text().splitlines()) <= 420, path
