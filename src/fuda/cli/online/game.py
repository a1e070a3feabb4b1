"""A game at a server's table, as far as this client knows it."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

import fuda
from fuda.cli.table.game import Names, Note
from fuda.cli.table.seating import MAX_NAME_LENGTH, Seating
from fuda.cli.terminal.layout import printable, shorten
from fuda.client import Known
from fuda.client.known import moves_in
from fuda.engine.core import RULES_OF_ALL_GAMES
from fuda.engine.roles import SCORE
from fuda.engine.rulebook import Options, Rulebook
from fuda.protocol.parts import Chair

EMPTY_NAMES: Final = {"open": "(open)", "closed": "(closed)"}
PLAYED_BY_BOT: Final = "bot"
GONE: Final = "gone"


class OnlineGame:
    """The game at one moment."""

    given: dict[str, Any] | None = None
    past: list[Note] = []

    def __init__(self, known: Known) -> None:
        self.known = known
        self.rules: Rulebook[Any] = fuda.rulebook(known.table.game)
        version = self.rules.version if known.view is None else known.view["rules"]
        if version != self.rules.version:
            raise fuda.Error(
                f"The server plays by version {version} of the rules, but this program has version {self.rules.version}."
            )

    @property
    def options(self) -> Options:
        return self.known.table.options

    def view(self, seat: str | None) -> dict[str, Any]:
        """The player's own view: no other is known."""
        return self.known.own_view

    def moves(self) -> list[str]:
        return self.legal_moves

    @cached_property
    def legal_moves(self) -> list[str]:
        return moves_in(self.known)

    @property
    def over(self) -> bool:
        return self.known.view is not None and self.known.view["over"] is True

    @property
    def totals(self) -> dict[str, int]:
        field = self.rules.field_of_kind(SCORE)
        totals: dict[str, int] = {} if field is None else self.known.own_view[field.name]
        return totals

    @property
    def winners(self) -> list[str] | None:
        winners: list[str] | None = self.known.own_view["winners"]
        return winners


def seating_from_chairs(known: Known) -> Seating:
    """The seating with names that are short enough for the table, and all different."""
    names: dict[str, str] = {}
    for chair in known.table.chairs:
        name = shorten(printable(chair.name) or EMPTY_NAMES.get(chair.kind, "?"), MAX_NAME_LENGTH)
        names[chair.seat] = name if name not in names.values() else f"{shorten(name, MAX_NAME_LENGTH - 2)} {chair.seat}"
    bot_kinds = {str(chair.seat): chair.bot for chair in known.table.chairs if chair.kind == "bot"}
    return Seating(known.table.game, names, bot_kinds)


def chair_labels(known: Known) -> Names:
    labels = {str(chair.seat): chair_label(known, chair) for chair in known.table.chairs}
    return {seat: label for seat, label in labels.items() if label}


def chair_label(known: Known, chair: Chair) -> str:
    """The kind of a bot, or that a bot plays for somebody, or that somebody is gone."""
    if chair.kind == "bot":
        return chair.bot
    if chair.played_for:
        return PLAYED_BY_BOT
    return GONE if chair.kind == "person" and chair.seat not in known.here else ""


def rebuild_refusal(rules: Rulebook[Any], rule: str, text: str, facts: dict[str, Any]) -> fuda.Refused:
    """A refusal from the server with its template, so that it can be worded with the players' names."""
    for one in [*rules.rules, *RULES_OF_ALL_GAMES]:
        try:
            refusal = fuda.Refused(rule, one.text, one.because_of(facts), facts)
            if one.id == rule and str(refusal) == text:
                return refusal
        except (LookupError, ValueError):
            continue  # another sentence of this rule, with other facts
    return fuda.Refused(rule, printable(text).replace("{", "{{").replace("}", "}}"), "", facts)
