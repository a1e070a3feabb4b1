"""Plays examples of the rules and reports what does not hold.

An example has a position, moves that are played or refused, and what is expected at the end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import fuda
from fuda.cli.examples.load import (
    Example,
    ExampleReader,
    Expected,
    Step,
    documents,
    printable_path,
    read_text,
)
from fuda.engine.errors import brief
from fuda.engine.fields import Cards, SeatCards
from fuda.engine.rulebook import Rulebook

DEFAULT_SEED: Final = 1
UNQUOTED: Final = re.compile(r"(?!(true|false|null)$)[A-Za-z][\w -]*")
"""Text that needs no quotes in an example."""


@dataclass
class Report:
    """The result of a file's examples."""

    examples: int = 0
    failed: int = 0
    differences: list[str] = field(default_factory=list)


def check_file(path: Path) -> Report:
    return check_text(read_text(path), printable_path(path))


def check_text(text: str, name: str) -> Report:
    """Plays all examples of a text; Error if there are none, or one cannot be read."""
    examples = [ExampleReader(name).example(node) for node in documents(text, name)]
    if not examples:
        raise fuda.Error(f"{name}: it has no examples.")
    report = Report()
    for example in examples:
        differences = run(example)
        report.examples += 1
        report.failed += bool(differences)
        report.differences += differences
    return report


def run(example: Example) -> list[str]:
    """Plays an example; returns a line for everything that does not hold."""
    game = new_game(example)
    differences: list[str] = []
    for step in example.steps:
        with add_location(f"{example.file}:{step.line}"):
            difference, can_continue = play_step(game, step)
        if difference:
            differences.append(f"{example.file}:{step.line}: {step.seat}, {brief(step.move)}: {difference}")
        if not can_continue:
            return differences
    return differences + list(compare(game, example))


def new_game(example: Example) -> fuda.Game:
    values = example.values
    players, options, seed = values.get("players"), values.get("options"), values.get("seed", DEFAULT_SEED)
    with add_location(example.location("game")):
        rules = fuda.rulebook(values["game"])
    with add_location(example.location("players")):
        rules.checked_options(rules.most if players is None else players, None)
    with add_location(example.location("options")):
        rules.checked_options(rules.most if players is None else players, options)
    with add_location(example.location("position")):
        return fuda.new(rules.id, players, seed, options, values.get("position"))


@contextmanager
def add_location(location: str) -> Iterator[None]:
    """Puts the location before the message of an error."""
    try:
        yield
    except fuda.Error as error:
        raise fuda.Error(f"{location}: {error}") from error


def play_step(game: fuda.Game, step: Step) -> tuple[str, bool]:
    """Plays one step; returns how it differs from what was expected, and whether the example can continue."""
    refusal = game.why(step.move, step.seat)
    if refusal is None:
        if step.refused:
            return f"expected {refused_by(step.refused)}, but it may be played.", False
        game.play(step.move, step.seat)
        return "", True
    if not step.refused:
        return f"expected to be played, but it is refused by {refusal.rule}: {refusal}", False
    if step.refused is True or step.refused == refusal.rule:
        return "", True
    return f"expected {refused_by(step.refused)}, but it is refused by {refusal.rule}: {refusal}", True


def refused_by(rule: str | bool) -> str:
    return "a refusal" if rule is True else f"a refusal by {rule}"


def compare(game: fuda.Game, example: Example) -> Iterator[str]:
    final = {**game.position(), "seat": game.seat, "over": game.over, "winners": game.winners}
    for expected in example.expected:
        with add_location(f"{example.file}:{expected.line}"):
            actual = value_at(final, expected)
            check_shape(game.rules, expected, actual)
        if not is_equal(game.rules, expected, actual):
            yield (
                f"{example.file}:{expected.line}: {expected.name}: "
                f"expected {value_text(expected.value)}, but it is {value_text(actual)}."
            )


def value_at(final: dict[str, Any], expected: Expected) -> Any:
    value: Any = final
    at = "expect"
    for key in expected.path:
        if not isinstance(value, dict):
            raise fuda.Error(f"{at} has no parts, so there is no {brief(key)} in it.")
        if key not in value:
            raise fuda.Error(f"{at} has no {brief(key)}; it has {', '.join(value)}.")
        value, at = value[key], key
    return value


def check_shape(rules: Rulebook[Any], expected: Expected, actual: object) -> None:
    """Error if the expected value is not possible: a mistake in the example, not in the game."""
    field = rules.field(expected.path[0])
    if isinstance(actual, dict) and expected.value != {}:
        raise fuda.Error(f"{expected.name}: expected an entry for each of {', '.join(actual)}, got {brief(expected.value)}.")
    if field is not None and isinstance(actual, list) and not isinstance(expected.value, list):
        raise fuda.Error(f"{expected.name}: expected a list, got {brief(expected.value)}.")
    if isinstance(field, (Cards, SeatCards)) and isinstance(expected.value, list):
        for card in expected.value:
            if card not in rules.cards:
                raise fuda.Error(f"{expected.name}: {brief(card)} is not a card of this game.")


def is_equal(rules: Rulebook[Any], expected: Expected, actual: object) -> bool:
    """Whether the value is as expected; order counts only in ordered fields."""
    if isinstance(actual, dict):
        return True
    field = rules.field(expected.path[0])
    is_ordered = field is not None and field.ordered
    if isinstance(actual, list) and isinstance(expected.value, list) and not is_ordered:
        return sorted(map(json.dumps, actual)) == sorted(map(json.dumps, expected.value))
    return json.dumps(actual) == json.dumps(expected.value)


def value_text(value: object) -> str:
    """A value as it is written in an example."""
    if isinstance(value, list):
        return f"[{', '.join(value_text(item) for item in value)}]"
    return value if isinstance(value, str) and UNQUOTED.fullmatch(value) else json.dumps(value)
