"""Choices that are collected first and carried out together later.

A `Gather` is on the stack below its questions, the `Ask`s. Each answer becomes a `Choice`, which nobody else sees. After the
last answer the gather is carried out with all choices. The game says what is asked and what happens with the choices; the
engine stores, shows, checks and redeals them.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from mypy_extensions import i64, mypyc_attr

from fuda.engine.chance import Chance
from fuda.engine.core import AskLater, State, Step
from fuda.engine.notes import NO_CARD
from fuda.engine.seats import NOBODY


@mypyc_attr(acyclic=True)
class Choice:
    """What a player has chosen: a card, a target, a card for a target, or nothing. Immutable, so that clones share it."""

    def __init__(self, card: i64 = NO_CARD, target: i64 = NOBODY) -> None:
        self.card: i64 = card
        self.target: i64 = target

    def is_same(self, other: Choice) -> bool:
        return self.card == other.card and self.target == other.target


NOTHING_CHOSEN: Final[list[Choice]] = []


class GatherState(State):
    """The state of a game with gathers."""

    def __init__(self, players: i64, chance: Chance) -> None:
        super().__init__(players, chance)
        self.chosen: list[list[Choice]] = [NOTHING_CHOSEN] * players
        """What each player has chosen for the next gather on the stack. The lists are never changed: clones share them."""

    def copy_gather_to(self, c: GatherState) -> None:
        self.copy_to(c)
        c.chosen = self.chosen.copy()

    def gather(self, gathers: list[Gather]) -> None:
        """For one gather after the other: asks its questions, then carries it out."""
        for gather in reversed(gathers):
            self.push(gather)
            for ask in reversed(gather.asks(self)):
                self.push(AskLater(ask))


@mypyc_attr(acyclic=True)
class Ask(Step):
    """Asks one player for one choice."""

    countdown: ClassVar[str] = ""
    """The argument that says how many choices are left, this one included; none if the question does not count them."""

    def completes(self) -> bool:
        """Whether the answer is added to the player's last choice, instead of being a choice of its own."""
        return False

    def choice(self, s: Any, move: i64) -> Choice:
        """What this move chooses."""
        raise NotImplementedError

    def next(self, s: Any) -> Ask | None:
        """The next question to the same player, if there is one; this question itself only if it has a move."""
        return None

    def gather(self) -> Gather | None:
        """The gather to carry out after the last answer, if it is not on the stack already."""
        return None

    def play(self, s: GatherState, move: i64) -> None:
        self.record(s, move)
        following = self.next(s)
        if following is self:
            s.push(self)
        elif following is not None:
            s.push(AskLater(following))
        else:
            gather = self.gather()
            if gather is not None:
                s.push(gather)

    def record(self, s: GatherState, move: i64) -> None:
        choice = self.choice(s, move)
        chosen = s.chosen[self.player].copy()
        if self.completes():
            chosen.pop()
        chosen.append(choice)
        s.chosen[self.player] = chosen

    def matches(self, expected: Ask) -> bool:
        """Whether it is the question that the gather asks; its countdown may be lower, but not 0."""
        if self.kind != expected.kind:
            return False
        for name in self.arguments:
            own: int = getattr(self, name)
            other: int = getattr(expected, name)
            if own != other and not (name == self.countdown and 0 < own < other):
                return False
        return True


class Gather(Step):
    """Waits until all its questions are answered, and is carried out then."""

    def asks(self, s: Any) -> list[Ask]:
        """What is asked, in order. It depends only on what everyone may know and what the answers do not change."""
        raise NotImplementedError

    def carry_out(self, s: Any, chosen: list[list[Choice]]) -> None:
        """Does what the game does with the choices of each player."""
        raise NotImplementedError

    def run(self, s: GatherState) -> None:
        chosen = s.chosen
        s.chosen = [NOTHING_CHOSEN] * s.players
        self.carry_out(s, chosen)
