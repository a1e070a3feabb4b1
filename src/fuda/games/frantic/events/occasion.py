"""An event that happens: who owns it and who takes part; and the steps of events."""

from __future__ import annotations

from typing import ClassVar

from librt.vecs import append, vec
from mypy_extensions import i64, mypyc_attr

from fuda.engine.cards import BIT
from fuda.engine.core import Rule, Step
from fuda.engine.gather import Ask, Gather
from fuda.games.frantic.deck import FIRST_SEAT
from fuda.games.frantic.refusals import FIT_THE_CARD, LEFT_OUT, rule_against_target
from fuda.games.frantic.state import Frantic


@mypyc_attr(acyclic=True)
class Occasion:
    """An event that happens: who owns it, and who is protected from it."""

    def __init__(self, owner: i64, protected: i64) -> None:
        self.owner: i64 = owner
        self.protected: i64 = protected

    def takes_part(self, player: i64) -> bool:
        return not self.protected & BIT[player]

    def order(self, s: Frantic) -> vec[i64]:
        """F-4: from the owner's right neighbour round to the owner."""
        out = vec[i64](capacity=8)
        far: i64 = 1
        while far <= s.players:
            player = s.after(self.owner, far)
            if self.takes_part(player):
                out = append(out, player)
            far += 1
        return out

    def rule_against_target(self, s: Frantic, player: i64, move: i64) -> Rule:
        rule = rule_against_target(s, player, move, FIT_THE_CARD)
        return LEFT_OUT if rule is FIT_THE_CARD and not self.takes_part(move - FIRST_SEAT) else rule


class EventStep(Step):
    """A step of an event that runs by itself."""

    arguments: ClassVar[tuple[str, ...]] = ("owner", "protected")

    def __init__(self, owner: i64, protected: i64 = 0) -> None:
        super().__init__()
        self.owner: i64 = owner
        self.protected: i64 = protected
        """Who is left out of the event, as bits."""

    def occasion(self) -> Occasion:
        return Occasion(self.owner, self.protected)


class EventGather(Gather):
    """Choices that an event collects from the players."""

    arguments: ClassVar[tuple[str, ...]] = ("owner", "protected")

    def __init__(self, owner: i64, protected: i64) -> None:
        super().__init__()
        self.owner: i64 = owner
        self.protected: i64 = protected

    def occasion(self) -> Occasion:
        return Occasion(self.owner, self.protected)


class EventQuestion(Step):
    """Something that an event asks of a player."""

    arguments: ClassVar[tuple[str, ...]] = ("player", "protected")

    def __init__(self, player: i64, protected: i64) -> None:
        super().__init__(player)
        self.protected: i64 = protected

    def occasion(self) -> Occasion:
        return Occasion(self.player, self.protected)

    def is_possible(self, s: Frantic, before: Step | None) -> bool:
        return len(self.moves(s)) > 0

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        return self.occasion().rule_against_target(s, self.player, move)


class TargetAsk(Ask):
    """Asks for another player who takes part in the event."""

    arguments: ClassVar[tuple[str, ...]] = ("player", "protected")

    def __init__(self, player: i64, protected: i64) -> None:
        super().__init__(player)
        self.protected: i64 = protected

    def occasion(self) -> Occasion:
        return Occasion(self.player, self.protected)

    def is_together(self) -> bool:
        return True

    def moves(self, s: Frantic) -> vec[i64]:
        return others(s, self.player, self.protected)

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        return self.occasion().rule_against_target(s, self.player, move)


def others(s: Frantic, player: i64, protected: i64) -> vec[i64]:
    """All but this player and those who are protected, as moves."""
    out = vec[i64](capacity=8)
    other: i64 = 0
    while other < s.players:
        if other != player and not protected & BIT[other]:
            out = append(out, FIRST_SEAT + other)
        other += 1
    return out


def extremes(s: Frantic, players: vec[i64], most: bool) -> vec[i64]:
    """Those of the players who hold the most cards, or the fewest."""
    best: i64 = 0 if most else len(s.whole())
    for player in players:
        size = s.hand_size(player)
        if size > best if most else size < best:
            best = size
    out = vec[i64](capacity=8)
    for player in players:
        if s.hand_size(player) == best:
            out = append(out, player)
    return out
