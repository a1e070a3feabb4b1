"""Loads examples from YAML files; every error names the line."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from yaml.reader import ReaderError

import fuda
from fuda.engine.errors import brief

KEYS: Final = ("game", "players", "about", "options", "seed", "position", "play", "expect")
MAX_FILE_SIZE: Final = 1_000_000
MAX_VALUES: Final = 100_000
MAX_DEPTH: Final = 8


@dataclass(frozen=True)
class Step:
    """One move of an example; `refused` is the rule that should refuse it, or True for any."""

    line: int
    seat: str
    move: str
    refused: str | bool


@dataclass(frozen=True)
class Expected:
    """One value that an example expects at its end, at a path such as ("piles", "B")."""

    line: int
    path: tuple[str, ...]
    value: Any

    @property
    def name(self) -> str:
        return " of ".join(self.path)


@dataclass
class Example:
    """One document of a file, with the line of each key."""

    file: str
    line: int
    lines: dict[str, int] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    expected: list[Expected] = field(default_factory=list)

    def location(self, key: str) -> str:
        return f"{self.file}:{self.lines.get(key, self.line)}"


def files_in(path: Path) -> list[Path]:
    """The file itself, or all *.yaml files below a folder."""
    try:
        if not path.is_dir():
            return [path]
        files = sorted(file for file in path.rglob("*.yaml") if file.is_file())
    except (OSError, ValueError) as error:
        raise fuda.Error(f"{printable_path(path)}: cannot be read ({error_reason(error)}).") from error
    if not files:
        raise fuda.Error(f"{printable_path(path)}: there is no *.yaml file in this folder.")
    return files


def printable_path(path: Path) -> str:
    """The path as it can be printed, whatever bytes are in it."""
    return os.fsencode(path).decode("utf-8", "replace")


def read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_SIZE + 1)
    except (OSError, ValueError) as error:
        raise fuda.Error(f"{printable_path(path)}: cannot be read ({error_reason(error)}).") from error
    if len(content) > MAX_FILE_SIZE:
        raise fuda.Error(f"{printable_path(path)}: a file of examples may have at most {MAX_FILE_SIZE} bytes.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise fuda.Error(f"{printable_path(path)}:{line}: this is not text in UTF-8.") from error


def error_reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def documents(text: str, name: str) -> list[Node]:
    """The documents of a text that are not empty."""
    try:
        nodes = list(yaml.compose_all(text, Loader=yaml.SafeLoader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise fuda.Error(f"{name}:{line}: this is not YAML: {error.problem or error.context}.") from error
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise fuda.Error(f"{name}:{line}: this is not YAML: it has a character that is not allowed.") from error
    except RecursionError as error:
        raise fuda.Error(f"{name}: this is nested too deeply for an example.") from error
    except (ValueError, OverflowError) as error:
        raise fuda.Error(f"{name}: this is not YAML: it has an escape or a version number that is too large.") from error
    return [node for node in nodes if not is_empty(node)]


def is_empty(node: Node) -> bool:
    return isinstance(node, ScalarNode) and node.tag == "tag:yaml.org,2002:null"


class ExampleReader:
    """Makes an example of a document; values are words, whole numbers, lists and mappings."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.values = 0
        """How many have been read: a few lines with aliases can make billions."""

    def error(self, node: Node, why: str) -> fuda.Error:
        return fuda.Error(f"{self.name}:{line_of(node)}: {why}")

    def example(self, node: Node) -> Example:
        example = Example(self.name, line_of(node))
        for key, value in self.entries(node, "an example"):
            if key.value not in KEYS:
                raise self.error(key, f"an example has no key {brief(key.value)}; its keys: {', '.join(KEYS)}.")
            example.lines[key.value] = line_of(key)
            if is_empty(value):
                continue
            if key.value == "play":
                example.steps = [self.step(item) for item in self.items(value, "play")]
            elif key.value == "expect":
                example.expected = list(self.expectations(value, (), line_of(key)))
            else:
                example.values[key.value] = self.plain(value)
        if "game" not in example.values:
            raise self.error(node, "an example needs its game.")
        check_type(example, "about", str, "text")
        check_type(example, "seed", int, "a whole number")
        return example

    def step(self, node: Node) -> Step:
        refused: str | bool = False
        moves: list[tuple[ScalarNode, Any]] = []
        for key, value in self.entries(node, "a step of play"):
            if key.value == "refused":
                refused = self.refusal(value)
            else:
                moves.append((key, self.plain(value)))
        if len(moves) != 1:
            raise self.error(node, "a step of play has one seat with its move, and perhaps 'refused'.")
        seat, move = moves[0]
        if not isinstance(move, str):
            raise self.error(seat, f"the move of {brief(seat.value)}: expected text, got {brief(move)}.")
        return Step(line_of(seat), seat.value, move, refused)

    def refusal(self, node: Node) -> str | bool:
        value = self.plain(node)
        if value is True or isinstance(value, str):
            return value
        raise self.error(node, f"refused: expected the id of a rule, or true for any, got {brief(value)}.")

    def expectations(self, node: Node, path: tuple[str, ...], line: int) -> Iterator[Expected]:
        if path and not (isinstance(node, MappingNode) and node.value):
            yield Expected(line, path, self.plain(node, len(path)))
            return
        if len(path) > MAX_DEPTH:
            raise self.error(node, "this is nested too deeply for an example.")
        for key, value in self.entries(node, "expect"):
            yield from self.expectations(value, (*path, key.value), line_of(key))

    def plain(self, node: Node, depth: int = 0) -> Any:
        if depth > MAX_DEPTH:
            raise self.error(node, "this is nested too deeply for an example.")
        if isinstance(node, MappingNode):
            return {key.value: self.plain(value, depth + 1) for key, value in self.entries(node, "this")}
        if isinstance(node, SequenceNode):
            return [self.plain(item, depth + 1) for item in self.items(node, "this")]
        assert isinstance(node, ScalarNode)
        return self.scalar(node)

    def entries(self, node: Node, what: str) -> list[tuple[ScalarNode, Node]]:
        """The names and values of a mapping, each name once."""
        if not isinstance(node, MappingNode) or node.tag != "tag:yaml.org,2002:map":
            raise self.error(node, f"{what}: expected names with values such as {{A: 1}}, got {node_text(node)}.")
        seen: set[str] = set()
        for key, _ in node.value:
            self.count(key)
            if not isinstance(key, ScalarNode) or key.tag != "tag:yaml.org,2002:str":
                raise self.error(key, f"{node_text(key)} cannot be a name here.")
            if key.value in seen:
                raise self.error(key, f"{brief(key.value)} is here twice.")
            seen.add(key.value)
        return list(node.value)

    def items(self, node: Node, what: str) -> list[Node]:
        if not isinstance(node, SequenceNode) or node.tag != "tag:yaml.org,2002:seq":
            raise self.error(node, f"{what}: expected a list, got {node_text(node)}.")
        for item in node.value:
            self.count(item)
        return list(node.value)

    def scalar(self, node: ScalarNode) -> str | int | bool | None:
        tag = node.tag.removeprefix("tag:yaml.org,2002:")
        if tag == "str":
            return str(node.value)
        if tag == "int" and re.fullmatch(r"[-+]?(0|[1-9][0-9]{0,18})", node.value):
            return int(node.value)
        if tag == "bool" and node.value.lower() in yaml.SafeLoader.bool_values:
            return yaml.SafeLoader.bool_values[node.value.lower()]
        if tag == "null":
            return None
        raise self.error(node, f"{node_text(node)} is neither a word nor a whole number; put it in quotes if it is a word.")

    def count(self, node: Node) -> None:
        self.values += 1
        if self.values > MAX_VALUES:
            raise self.error(node, f"an example has at most {MAX_VALUES} values.")


def check_type(example: Example, key: str, expected: type, description: str) -> None:
    value = example.values.get(key)
    if value is not None and type(value) is not expected:
        raise fuda.Error(f"{example.location(key)}: {key}: expected {description}, got {brief(value)}.")


def line_of(node: Node) -> int:
    line: int = node.start_mark.line
    return line + 1


def node_text(node: Node) -> str:
    if isinstance(node, ScalarNode):
        return brief(node.value)
    return "a list" if isinstance(node, SequenceNode) else f"a mapping tagged {brief(node.tag)}"
