"""Time limits, and the delays of bots."""

from __future__ import annotations

import math
import random
from typing import Final

import msgspec

from fuda.protocol.parts import Pace

SYSTEM_RANDOM: Final = random.SystemRandom()

TURN_SECONDS: Final[dict[Pace, float | None]] = {"relaxed": 180, "normal": 60, "quick": 20, "none": None}
"""How long a turn may take; None for no limit."""


class Window(msgspec.Struct, frozen=True):
    """The least and the most seconds that a reaction takes."""

    least: float
    most: float

    def draw(self, rng: random.Random) -> float:
        """A length that depends on nothing else; half of them are shorter than the geometric mean of least and most."""
        spread = math.log(self.most / self.least) / 4
        drawn = rng.lognormvariate(math.log(self.least * self.most) / 2, spread)
        return min(self.most, max(self.least, drawn))


WINDOWS: Final[dict[Pace, Window]] = {
    "relaxed": Window(8, 20),
    "normal": Window(4, 10),
    "quick": Window(3, 6),
    "none": Window(8, 20),
}
"""How long a reaction takes if a person is asked."""
BOTS_WINDOW: Final = Window(0.7, 5.7)
"""How long it takes if only bots are asked: as if they were people who think for a moment, mostly about two seconds."""


class Tempo(msgspec.Struct, frozen=True):
    """All other delays, in seconds; `speed` divides those of people and bots, for demonstrations and tests."""

    speed: float = 1.0
    grace: float = 10.0
    """How long a person may be disconnected before somebody acts as host for them, or asks for a bot."""
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
    bot_extra: float = 1.0
    """How long a reaction waits for a bot that has not chosen in time, at any speed: it has to compute."""

    def of(self, seconds: float) -> float:
        return seconds / self.speed

    def bot_delay(self, rng: random.Random) -> float:
        return self.of(rng.uniform(self.bot_least, self.bot_most))

    def reaction_window(self, rng: random.Random, pace: Pace, has_people: bool) -> float:
        """How long a reaction takes, drawn by what everyone knows: the pace, and whether people are asked."""
        return self.of((WINDOWS[pace] if has_people else BOTS_WINDOW).draw(rng))

    def turn(self, pace: Pace) -> float | None:
        """How long a turn may take; None for no limit."""
        seconds = TURN_SECONDS[pace]
        return None if seconds is None else self.of(seconds)

    @property
    def longest(self) -> float:
        """The most seconds that anybody has for an answer."""
        return self.of(max(seconds for seconds in TURN_SECONDS.values() if seconds is not None))
