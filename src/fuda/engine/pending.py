"""The stack of steps as text: for games in which effects interrupt each other, so that no other field could tell."""

from __future__ import annotations

from typing import Any, Final

from fuda.engine.codecs import Codec
from fuda.engine.core import AskLater, State, Step, name_of, question_in
from fuda.engine.errors import brief
from fuda.engine.fields import Field
from fuda.engine.seats import NOBODY
from fuda.engine.setup import Setup

MOST_STEPS: Final = 1000


class Pending(Field):
    """The stack of steps, the next one first. Whatever a step was made with everyone may know."""

    def __init__(self, name: str, parts: dict[str, Codec], steps: list[type[Step]]) -> None:
        super().__init__(name)
        self.ordered = True
        self.parts = parts
        self.steps = {step.kind: step for step in steps}
        self.waiting = {step.waiting_kind: step for step in steps if step.waiting_kind}

    def read(self, s: State, names: list[str]) -> Any:
        return [self.text_of(s.stack[at]) for at in range(s.depth - 1, -1, -1)]

    def text_of(self, step: Step) -> dict[str, Any]:
        """The name of the step and all that it was made with; a player who is asked later is called the owner."""
        text = self.parts_of(question_in(step))
        if isinstance(step, AskLater) and step.question.waiting_kind:
            text = {"owner": text.pop("player"), **text}
        return {"step": name_of(step), **text}

    def parts_of(self, step: Step) -> dict[str, Any]:
        return {name: self.parts[name].to_text(getattr(step, name)) for name in step.parts}

    def write(self, s: State, value: object, setup: Setup) -> None:
        if not isinstance(value, list) or len(value) > MOST_STEPS:
            raise setup.wrong(self.name, f"expected a list of steps, got {brief(value)}.")
        s.then([self.step_in(one, f"{self.name}, step {number}", setup) for number, one in enumerate(value, 1)])

    def step_in(self, text: object, where: str, setup: Setup) -> Step:
        name = text.get("step") if isinstance(text, dict) else None
        if isinstance(text, dict) and isinstance(name, str):
            if name in self.steps:
                return self.made(self.steps[name], text, self.steps[name].parts, where, setup)
            if name in self.waiting:
                question = self.waiting[name]
                names = tuple("owner" if part == "player" else part for part in question.parts)
                return AskLater(self.made(question, text, names, where, setup))
        raise setup.wrong(where, f"{brief(text)} is not a step of this game.")

    def made(self, step: type[Step], text: dict[str, Any], names: tuple[str, ...], where: str, setup: Setup) -> Step:
        """The step made with the parts that the text has under these names."""
        for name in names:
            if name not in text:
                raise setup.wrong(where, f"it has no {name!r}.")
        if len(text) != 1 + len(names):
            raise setup.wrong(where, f"it has more than {', '.join(names) or 'its name'}.")
        return step(*[self.parts[name].from_text(text[name], f"{where}, {name}", setup) for name in names])

    def check(self, s: State, setup: Setup) -> None:
        """Every step must make sense where it is, and the last one go on to the next turn."""
        before: Step | None = None
        for at in range(s.depth - 1, -1, -1):
            step = s.stack[at]
            comes_too_soon = before is not None and step.player != NOBODY and not step.may_wait
            if step.is_last != (at == 0) or comes_too_soon or not step.is_possible(s, before):
                raise setup.wrong(self.name, f"{name_of(step)!r} cannot be there.")
            before = step
