"""Examples: rules as text. A position, the moves that are played or refused, and what is expected of them.

A file holds one or more of them as YAML documents. What is wrong with a file is an Error that names the line;
what does not hold in an example is a line of its report.
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
    Expected,
    Reader,
    Step,
    documents,
    name_of,
    text_in,
)
from fuda.engine.errors import brief
from fuda.engine.fields import Cards, SeatCards
from fuda.engine.rulebook import Rulebook

ALWAYS_THE_SAME: Final = 1
"""The seed of an example that gives none, so that it comes out the same every time."""
PLAIN_WORDS: Final = re.compile(r"(?!(true|false|null)$)[A-Za-z][\w -]*")
"""What needs no quotes in an example."""


@dataclass
class Report:
    """What came of the examples of a file."""

    examples: int = 0
    failed: int = 0
    differences: list[str] = field(default_factory=list)


# From the disk --------------------------------------------------------------------------------


def check_file(path: Path) -> Report:
    return check_text(text_in(path), name_of(path))


def check_text(text: str, name: str) -> Report:
    """Runs all examples of a text; Error if there are none, or one is not an example at all."""
    examples = [Reader(name).example(node) for node in documents(text, name)]
    if not examples:
        raise fuda.Error(f"{name}: there is no example in it.")
    report = Report()
    for example in examples:
        differences = run(example)
        report.examples += 1
        report.failed += bool(differences)
        report.differences += differences
    return report


# From YAML ------------------------------------------------------------------------------------


# Running them ---------------------------------------------------------------------------------


def run(example: Example) -> list[str]:
    """Plays the example; returns what does not hold, a line for each."""
    game = set_up(example)
    differences: list[str] = []
    for step in example.steps:
        with located(f"{example.name}:{step.line}"):
            difference, advance_in_window = take(game, step)
        if difference:
            differences.append(f"{example.name}:{step.line}: {step.seat}, {brief(step.move)}: {difference}")
        if not advance_in_window:
            return differences
    return differences + list(compare(game, example))


def set_up(example: Example) -> fuda.Game:
    values = example.values
    players, options, seed = values.get("players"), values.get("options"), values.get("seed", ALWAYS_THE_SAME)
    with located(example.where("game")):
        rules = fuda.rulebook(values["game"])
    with located(example.where("players")):
        rules.settle_options(rules.most if players is None else players, None)
    with located(example.where("options")):
        rules.settle_options(rules.most if players is None else players, options)
    with located(example.where("position")):
        return fuda.new(rules.id, players, seed, options, values.get("position"))


@contextmanager
def located(where: str) -> Iterator[None]:
    """Says where an error is."""
    try:
        yield
    except fuda.Error as error:
        raise fuda.Error(f"{where}: {error}") from error


def take(game: fuda.Game, step: Step) -> tuple[str, bool]:
    """Takes one step: how it differs from what was expected, if it does, and whether the example can go on."""
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
    reached = {**game.position(), "seat": game.seat, "over": game.over, "winners": game.winners}
    for expected in example.expected:
        with located(f"{example.name}:{expected.line}"):
            came = value_at(reached, expected)
            check_shape(game.rules, expected, came)
        if not agrees(game.rules, expected, came):
            yield (
                f"{example.name}:{expected.line}: {expected.what}: "
                f"expected {shown(expected.value)}, but it is {shown(came)}."
            )


def value_at(reached: dict[str, Any], expected: Expected) -> Any:
    value: Any = reached
    at = "expect"
    for key in expected.path:
        if not isinstance(value, dict):
            raise fuda.Error(f"{at} has no parts, so there is no {brief(key)} in it.")
        if key not in value:
            raise fuda.Error(f"{at} has no {brief(key)}; it has {', '.join(value)}.")
        value, at = value[key], key
    return value


def check_shape(rules: Rulebook[Any], expected: Expected, came: object) -> None:
    """Error if the value could never be the one expected: a mistake in the example, not in the game."""
    place = rules.field(expected.path[0])
    if isinstance(came, dict) and expected.value != {}:
        raise fuda.Error(f"{expected.what}: expected an entry for each of {', '.join(came)}, got {brief(expected.value)}.")
    if place is not None and isinstance(came, list) and not isinstance(expected.value, list):
        raise fuda.Error(f"{expected.what}: expected a list, got {brief(expected.value)}.")
    if isinstance(place, (Cards, SeatCards)) and isinstance(expected.value, list):
        for card in expected.value:
            if card not in rules.cards:
                raise fuda.Error(f"{expected.what}: {brief(card)} is not a card of this game.")


def agrees(rules: Rulebook[Any], expected: Expected, came: object) -> bool:
    """Whether it came as expected; order counts only where the rulebook says so."""
    if isinstance(came, dict):
        return True
    place = rules.field(expected.path[0])
    in_order = place is not None and place.ordered
    if isinstance(came, list) and isinstance(expected.value, list) and not in_order:
        return sorted(map(json.dumps, came)) == sorted(map(json.dumps, expected.value))
    return json.dumps(came) == json.dumps(expected.value)


def shown(value: object) -> str:
    """A value as it would stand in an example."""
    if isinstance(value, list):
        return f"[{', '.join(shown(item) for item in value)}]"
    return value if isinstance(value, str) and PLAIN_WORDS.fullmatch(value) else json.dumps(value)
