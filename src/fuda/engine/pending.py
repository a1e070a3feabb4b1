"""The stack of steps as text, for games in which effects interrupt each other: no other field says what is still to come."""

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
    """The stack of steps, the next one first. The arguments of all steps are known to everyone."""

    def __init__(self, name: str, codecs: dict[str, Codec], steps: list[type[Step]]) -> None:
        super().__init__(name)
        self.ordered = True
        self.codecs = codecs
        """How each argument is written, by its name."""
        self.steps = {step.kind: step for step in steps}
        self.waiting = {step.waiting_kind: step for step in steps if step.waiting_kind}

    def read(self, s: State, names: list[str]) -> Any:
        return [self.text_of(s.stack[at]) for at in range(s.depth - 1, -1, -1)]

    def text_of(self, step: Step) -> dict[str, Any]:
        """The name and the arguments of the step; a player who is asked later is called the owner."""
        text = self.arguments_of(question_in(step))
        if isinstance(step, AskLater) and step.question.waiting_kind:
            text = {"owner": text.pop("player"), **text}
        return {"step": name_of(step), **text}

    def arguments_of(self, step: Step) -> dict[str, Any]:
        return {name: self.codecs[name].to_text(getattr(step, name)) for name in step.arguments}

    def write(self, s: State, value: object, setup: Setup) -> None:
        if not isinstance(value, list) or len(value) > MOST_STEPS:
            raise setup.wrong(self.name, f"expected a list of steps, got {brief(value)}.")
        s.then([self.step_in(one, f"{self.name}, step {number}", setup) for number, one in enumerate(value, 1)])

    def step_in(self, text: object, where: str, setup: Setup) -> Step:
        name = text.get("step") if isinstance(text, dict) else None
        if isinstance(text, dict) and isinstance(name, str):
            if name in self.steps:
                return self.make(self.steps[name], text, self.steps[name].arguments, where, setup)
            if name in self.waiting:
                question = self.waiting[name]
                names = tuple("owner" if argument == "player" else argument for argument in question.arguments)
                return AskLater(self.make(question, text, names, where, setup))
        raise setup.wrong(where, f"{brief(text)} is not a step of this game.")

    def make(self, step: type[Step], text: dict[str, Any], names: tuple[str, ...], where: str, setup: Setup) -> Step:
        """The step with the arguments that the text has under these names."""
        for name in names:
            if name not in text:
                raise setup.wrong(where, f"it has no {name!r}.")
        if len(text) != 1 + len(names):
            raise setup.wrong(where, f"it has more fields than {', '.join(names) or 'its name'}.")
        return step(*[self.codecs[name].from_text(text[name], f"{where}, {name}", setup) for name in names])

    def check(self, s: State, setup: Setup) -> None:
        """Every step must be possible where it is, and the last one must lead to the next turn."""
        before: Step | None = None
        for at in range(s.depth - 1, -1, -1):
            step = s.stack[at]
            comes_too_soon = before is not None and step.player != NOBODY and not step.may_wait
            if step.is_last != (at == 0) or comes_too_soon or not step.is_possible(s, before):
                raise setup.wrong(self.name, f"{name_of(step)!r} cannot be there.")
            before = step
