"""The architecture: a level imports only lower levels, no modules import each other, no front end names a game."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import fuda

SOURCE = Path(__file__).parent.parent / "src" / "fuda"
GROUPS = [
    ["engine", "folders"],
    ["games"],
    ["fuda", "game", "transcripts", "verification"],  # the public face
    ["bots"],
    ["lab", "envs"],
    ["protocol", "words", "server", "client"],
    ["cli", "__main__"],
]
LEVELS = {group: level for level, groups in enumerate(GROUPS, 1) for group in groups}
SAME_LEVEL = {
    "fuda": {"game", "verification"},
    "verification": {"game"},
    "transcripts": {"fuda", "game"},
    "words": {"protocol"},
    "server": {"protocol", "words"},
    "client": {"protocol"},
    "__main__": {"cli"},
}
"""What else a folder or module may import from its own level."""
GAMES = [game["id"] for game in fuda.games()]


def module_name(path: Path) -> str:
    return ".".join(["fuda", *path.relative_to(SOURCE).with_suffix("").parts]).removesuffix(".__init__")


MODULES = {module_name(path): path for path in sorted(SOURCE.rglob("*.py"))}


def group_of(module: str) -> str:
    """The folder, or the module beside the folders, that has a level."""
    return module.split(".")[1] if "." in module else module


def imported_by(path: Path) -> set[str]:
    """The modules of Fuda that a file imports, whether at run time or for its types."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {found for name in names if (found := module_in(name)) is not None} - {module_name(path)}


def module_in(name: str) -> str | None:
    """The module that this dotted name leads to; None if it is not one of Fuda's."""
    while name not in MODULES:
        name = name.rpartition(".")[0]
        if not name:
            return None
    return name


IMPORTS = {module: imported_by(path) for module, path in MODULES.items()}


def test_the_imports_are_found() -> None:
    assert IMPORTS["fuda.games.schadenfreude"] >= {"fuda.engine.cards", "fuda.games.tricks"}
    assert IMPORTS["fuda.__main__"] == {"fuda.cli.main"}
    assert sum(map(len, IMPORTS.values())) > 3 * len(MODULES)


@pytest.mark.parametrize("module", MODULES)
def test_a_level_imports_only_lower_levels(module: str) -> None:
    own = group_of(module)
    for name in IMPORTS[module]:
        other = group_of(name)
        allowed = other == own or other in SAME_LEVEL.get(own, set()) or LEVELS[other] < LEVELS[own]
        assert allowed, f"{own} (level {LEVELS[own]}) must not import {name} (level {LEVELS[other]})"


def cycles() -> list[str]:
    """The modules that import each other, one text for each cycle."""
    imports = {module: set(names) for module, names in IMPORTS.items()}
    found = []
    while True:
        try:
            TopologicalSorter(imports).prepare()
        except CycleError as error:
            cycle = error.args[1][:-1]
            found.append(", ".join(sorted(cycle)))
            for module in cycle:
                imports[module] -= {*cycle}
        else:
            return sorted(found)


def test_no_modules_import_each_other() -> None:
    assert cycles() == []


def strings_in(path: Path) -> set[str]:
    """The strings of a file that are not docstrings."""
    return {
        node.value
        for statement in ast.walk(ast.parse(path.read_text()))
        if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        for node in ast.iter_child_nodes(statement)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


@pytest.mark.parametrize(
    "module",
    [
        module
        for module, path in MODULES.items()
        if group_of(module) != "games" and not path.stem.startswith("thumb_") and path.name != "catalogue.py"
    ],
)
def test_no_game_is_named_outside_its_own_files(module: str) -> None:
    for text in strings_in(MODULES[module]):
        assert not any(game in text for game in GAMES), f"{module} names a game: {text!r}"
