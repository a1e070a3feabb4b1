"""A game that is played elsewhere, as whoever sits or watches there knows it."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

import fuda
from fuda.cli.table.game import Note
from fuda.cli.table.seating import LONGEST_NAME, Seating
from fuda.cli.terminal.layout import shortened
from fuda.client import Known
from fuda.client.known import moves_in
from fuda.engine.core import OF_ALL_GAMES
from fuda.engine.rulebook import Rulebook
from fuda.protocol.parts import Chair

EMPTY: Final = {"open": "(open)", "closed": "(closed)"}
PLAYED_FOR: Final = "bot"
GONE: Final = "gone"


class OnlineGame:
    """What is known of the game at one moment."""

    given: dict[str, Any] | None = None
    past: list[Note] = []

    def __init__(self, known: Known) -> None:
        self.known = known
        self.rules: Rulebook[Any] = fuda.rulebook(known.table.game)
        theirs = self.rules.version if known.view is None else known.view["rules"]
        if theirs != self.rules.version:
            raise fuda.Error(f"The server plays by version {theirs} of the rules, and here is {self.rules.version}.")

    def view(self, seat: str | None) -> dict[str, Any]:
        """Nobody else's view is known than one's own."""
        return self.known.own_view

    def moves(self) -> list[str]:
        return self.legal

    @cached_property
    def legal(self) -> list[str]:
        return moves_in(self.known)

    @property
    def over(self) -> bool:
        return self.known.view is not None and self.known.view["over"] is True

    @property
    def totals(self) -> dict[str, int]:
        totals: dict[str, int] = self.known.own_view["totals"]
        return totals

    @property
    def winners(self) -> list[str] | None:
        winners: list[str] | None = self.known.own_view["winners"]
        return winners


def seating_of(known: Known) -> Seating:
    """Who sits where, by names that fit the table, each different."""
    names: dict[str, str] = {}
    for chair in known.table.chairs:
        name = shortened(plain(chair.name) or EMPTY.get(chair.kind, "?"), LONGEST_NAME)
        names[chair.seat] = name if name not in names.values() else f"{shortened(name, LONGEST_NAME - 2)} {chair.seat}"
    return Seating(known.table.game, names, {chair.seat: chair.bot for chair in known.table.chairs if chair.kind == "bot"})


def plain(text: str) -> str:
    """What somebody elsewhere has written, without signs of control."""
    return "".join(sign if sign.isprintable() else " " for sign in text).strip()


def standing_of(known: Known, chair: Chair) -> str:
    """What stands beside a name: the kind of a bot, that a bot plays for somebody, or that somebody is gone."""
    if chair.kind == "bot":
        return chair.bot
    if chair.played_for:
        return PLAYED_FOR
    return GONE if chair.kind == "person" and chair.seat not in known.here else ""


def refusal_of(rules: Rulebook[Any], rule: str, text: str, facts: dict[str, Any]) -> fuda.Refused:
    """A refusal that came from elsewhere, so that it can be worded anew with the players' names."""
    for one in [*rules.rules, *OF_ALL_GAMES]:
        try:
            refusal = fuda.Refused(rule, one.text, one.because_of(facts), facts)
            if one.id == rule and str(refusal) == text:
                return refusal
        except (LookupError, ValueError):
            continue  # another sentence of this rule, with other facts
    return fuda.Refused(rule, plain(text).replace("{", "{{").replace("}", "}}"), "", facts)
