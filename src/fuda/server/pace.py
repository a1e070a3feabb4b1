"""Time limits, and the delays of bots."""

from __future__ import annotations

import math
import random
from typing import Final

import msgspec

from fuda.protocol.parts import Pace


class Allowance(msgspec.Struct, frozen=True):
    """Seconds for an answer; None for no limit."""

    turn: float | None
    reaction: float | None


ALLOWANCES: Final[dict[Pace, Allowance]] = {
    "relaxed": Allowance(180, 20),
    "normal": Allowance(60, 12),
    "quick": Allowance(20, 8),
    "none": Allowance(None, None),
}


class Tempo(msgspec.Struct, frozen=True):
    """All other delays, in seconds; `speed` divides those of people and bots, for demonstrations and tests."""

    speed: float = 1.0
    gone: float = 60.0
    """How long a person may be disconnected before a bot plays for them."""
    silent: float = 60.0
    """How long a person may take to answer before the others may ask for a bot."""
    given_back: float = 20.0
    """The least time for an answer after a restart."""
    bytes_wait: float = 5.0
    """How long the start waits for the players' random bytes, at any speed: machines send them."""
    bot_least: float = 0.6
    bot_most: float = 1.4
    reaction_middle: float = 2.0
    """The median delay of reactions of bots, and of people without a choice."""
    reaction_spread: float = 0.5
    reaction_least: float = 0.7
    reaction_most: float = 12.0
    """If there is no deadline; otherwise reactions come before it."""

    def of(self, seconds: float) -> float:
        return seconds / self.speed

    def bot_delay(self, rng: random.Random) -> float:
        return self.of(rng.uniform(self.bot_least, self.bot_most))

    def reaction_delay(self, rng: random.Random, pace: Pace) -> float:
        """A delay like that of a person who passes: mostly short, sometimes as long as allowed."""
        drawn = rng.lognormvariate(math.log(self.reaction_middle), self.reaction_spread)
        most = ALLOWANCES[pace].reaction or self.reaction_most
        return self.of(min(most, max(self.reaction_least, drawn)))

    def allowance(self, pace: Pace, is_reaction: bool) -> float | None:
        seconds = ALLOWANCES[pace].reaction if is_reaction else ALLOWANCES[pace].turn
        return None if seconds is None else self.of(seconds)
