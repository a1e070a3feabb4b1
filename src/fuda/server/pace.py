"""How long things may take, and how long they are made to take."""

from __future__ import annotations

import math
import random
from typing import Final

import msgspec

from fuda.protocol.parts import Pace


class Allowance(msgspec.Struct, frozen=True):
    """Seconds for a question; None: as long as it takes."""

    turn: float | None
    reaction: float | None


ALLOWANCES: Final[dict[Pace, Allowance]] = {
    "relaxed": Allowance(180, 20),
    "normal": Allowance(60, 12),
    "quick": Allowance(20, 8),
    "none": Allowance(None, None),
}


class Tempo(msgspec.Struct, frozen=True):
    """All other waits, in seconds; `speed` divides those for people and bots, for demonstrations and tests."""

    speed: float = 1.0
    gone: float = 60.0
    """After so long a bot plays for whoever is not connected."""
    silent: float = 60.0
    """After so long without an answer the others may ask for a bot, where there is no deadline."""
    given_back: float = 20.0
    """So much time whoever is asked has at least after a restart."""
    bytes_wait: float = 5.0
    """So long the start waits for the players' random bytes, at any speed: it waits for machines."""
    bot_least: float = 0.6
    bot_most: float = 1.4
    reaction_middle: float = 2.0
    """Half of all reactions of people without a choice, and of bots, come before this."""
    reaction_spread: float = 0.5
    reaction_least: float = 0.7
    reaction_most: float = 12.0
    """Where there is no deadline; otherwise they come before it."""

    def of(self, seconds: float) -> float:
        return seconds / self.speed

    def bot_delay(self, chance: random.Random) -> float:
        return self.of(chance.uniform(self.bot_least, self.bot_most))

    def reaction_delay(self, chance: random.Random, pace: Pace) -> float:
        """A person's time to let something pass: mostly short, sometimes as long as it may be."""
        drawn = chance.lognormvariate(math.log(self.reaction_middle), self.reaction_spread)
        most = ALLOWANCES[pace].reaction or self.reaction_most
        return self.of(min(most, max(self.reaction_least, drawn)))

    def allowance(self, pace: Pace, is_reaction: bool) -> float | None:
        seconds = ALLOWANCES[pace].reaction if is_reaction else ALLOWANCES[pace].turn
        return None if seconds is None else self.of(seconds)
