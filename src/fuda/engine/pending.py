"""The steps that wait, as text: for games in which effects interrupt each other, so that no other field could tell."""

from __future__ import annotations

from typing import Any, Final

from mypy_extensions import i64

from fuda.engine.core import State, Step
from fuda.engine.errors import brief
from fuda.engine.fields import Field
from fuda.engine.seats import NOBODY, SEATS, seats_in
from fuda.engine.setup import Setup

MOST_STEPS: Final = 1000


class Part:
    """One of the numbers that a step was made with, as text."""

    def __init__(self, name: str) -> None:
        self.name = name

    def read(self, value: i64) -> Any:
        return value

    def write(self, value: object, where: str, setup: Setup) -> i64:
        return setup.number(value, where, 0, 999)


class SeatPart(Part):
    """A player; where that is allowed null stands for nobody."""

    def __init__(self, name: str, optional: bool = False) -> None:
        super().__init__(name)
        self.optional = optional

    def read(self, value: i64) -> Any:
        return None if value == NOBODY else SEATS[value]

    def write(self, value: object, where: str, setup: Setup) -> i64:
        return NOBODY if value is None and self.optional else setup.seat(value, where)


class SeatsPart(Part):
    """Players, as bits."""

    def read(self, value: i64) -> Any:
        return seats_in(value)

    def write(self, value: object, where: str, setup: Setup) -> i64:
        return setup.seat_set(value, where)


class SharesPart(Part):
    """A small number of each player, four bits each; who has none is left out."""

    def read(self, value: i64) -> Any:
        return {SEATS[player]: share(value, player) for player in range(len(SEATS)) if share(value, player)}

    def write(self, value: object, where: str, setup: Setup) -> i64:
        shares: i64 = 0
        for seat, number in setup.seats(value, where).items():
            shares = with_share(shares, SEATS.index(seat), setup.number(number, where, 0, 15))
        return shares


class WordPart(Part):
    """One of some words, each standing for a number; where that is allowed null stands for -1."""

    def __init__(self, name: str, words: list[str], first: int = 0, optional: bool = False) -> None:
        super().__init__(name)
        self.words = words
        self.first = first
        """What the first word stands for; the others follow."""
        self.optional = optional

    def read(self, value: i64) -> Any:
        return None if value < 0 else self.words[value - self.first]

    def write(self, value: object, where: str, setup: Setup) -> i64:
        if value is None and self.optional:
            return -1
        if isinstance(value, str) and value in self.words:
            return self.first + self.words.index(value)
        raise setup.wrong(where, f"{brief(value)} is not one of {', '.join(self.words)}.")


def share(shares: i64, player: i64) -> i64:
    return (shares >> (4 * player)) & 15


def with_share(shares: i64, player: i64, more: i64) -> i64:
    return shares + (more << (4 * player))


class Pending(Field):
    """The stack of steps, the next one first. Whatever a step was made with everyone may know."""

    def __init__(self, name: str, parts: list[Part], steps: list[type[Step]]) -> None:
        super().__init__(name)
        self.ordered = True
        self.parts = {part.name: part for part in parts}
        self.steps = {step.kind: step for step in steps}

    def read(self, s: State, names: list[str]) -> Any:
        return [self.told(s.stack[at]) for at in range(s.depth - 1, -1, -1)]

    def told(self, step: Step) -> dict[str, Any]:
        out: dict[str, Any] = {"step": step.kind}
        for name in step.parts:
            out[name] = self.parts[name].read(getattr(step, name))
        return out

    def write(self, s: State, value: object, setup: Setup) -> None:
        if not isinstance(value, list) or len(value) > MOST_STEPS:
            raise setup.wrong(self.name, f"expected a list of steps, got {brief(value)}.")
        s.then([self.made(one, f"{self.name}, step {number}", setup) for number, one in enumerate(value, 1)])

    def made(self, value: object, where: str, setup: Setup) -> Step:
        name = value.get("step") if isinstance(value, dict) else None
        cls = self.steps.get(name) if isinstance(name, str) else None
        if cls is None or not isinstance(value, dict):
            raise setup.wrong(where, f"{brief(value)} is not a step of this game.")
        numbers: list[int] = []
        for name in cls.parts:
            if name not in value:
                raise setup.wrong(where, f"it has no {name!r}.")
            numbers.append(self.parts[name].write(value[name], f"{where}, {name}", setup))
        if len(value) != 1 + len(numbers):
            raise setup.wrong(where, f"it has more than {', '.join(cls.parts) or 'its name'}.")
        return cls(*numbers)
