"""A recorded game of a version of the rules that this Fuda does not have."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

import fuda
from fuda.cli.table.game import Names, Note
from fuda.cli.terminal.layout import printable, wrap_sentence
from fuda.engine.errors import brief
from fuda.engine.roles import SCORE
from fuda.engine.rulebook import Options, Rulebook
from fuda.engine.seats import SEATS
from fuda.transcripts import frames_of


class Moment:
    """The game after a move, as its transcript shows it."""

    given = None

    def __init__(self, rules: Rulebook[Any], view: dict[str, Any], history: list[Note]) -> None:
        self.rules = rules
        self.shown = view | {"history": history}
        self.past: list[Note] = []

    @property
    def options(self) -> Options:
        options: Options = self.shown["options"]
        return options

    @property
    def over(self) -> bool:
        return self.shown["over"] is True

    @property
    def totals(self) -> dict[str, int]:
        field = self.rules.field_of_kind(SCORE)
        totals: dict[str, int] = {} if field is None else self.shown.get(field.name, {})
        return totals

    @property
    def winners(self) -> list[str] | None:
        winners: list[str] | None = self.shown["winners"]
        return winners

    def view(self, seat: str | None) -> dict[str, Any]:
        return self.shown.copy()

    def position(self) -> dict[str, Any]:
        return {}

    def moves(self) -> list[str]:
        return []


class TranscribedGame:
    """The game after any number of its moves, from the transcript of its record."""

    def __init__(self, rules: Rulebook[Any], record: dict[str, Any]) -> None:
        self.rules = rules
        self.record = record
        self.frames = frames_of(record["transcript"])
        if self.frames[0].view["players"] != record["players"] or len(self) != len(record["moves"]):
            raise fuda.Error("The transcript is damaged: it is of another game.")

    def __len__(self) -> int:
        return len(self.frames) - 1

    def after(self, count: int) -> Moment:
        history = [note for frame in self.frames[: count + 1] for note in frame.notes]
        return Moment(self.rules, self.frames[count].view, history)


def version_text(rules: Rulebook[Any], record: dict[str, Any]) -> str:
    return f"Played under version {record['rules']} of the rules of {rules.name}; today's version is {rules.version}."


def moves_page(rules: Rulebook[Any], record: dict[str, Any], names: Names, width: int) -> RenderableType:
    """All that a record without a transcript tells without its rules."""
    result = record.get("result")
    options = record.get("options")
    moves = [f"{number}. {move}" for number, move in enumerate(record["moves"], 1)]
    lines = [
        version_text(rules, record),
        "Its record was written without a transcript, so only its moves can be shown.",
        f"Players: {', '.join(names.values())}.",
        f"Options: {facts_text(options) or 'none'}.",
        f"Moves: {', '.join(moves) or 'none'}.",
        f"Result: {result_text(result, names)}.",
    ]
    return Group(*(part for line in lines for part in [*wrap_sentence(printable(line), width), Text()]))


def facts_text(facts: object) -> str:
    return ", ".join(f"{name} {value}" for name, value in facts.items()) if isinstance(facts, dict) else ""


def result_text(result: object, names: Names) -> str:
    if not isinstance(result, dict):
        return "not recorded"
    winners, totals = result.get("winners"), result.get("totals")
    if not isinstance(winners, list) or not isinstance(totals, dict):
        return "the game was not finished"
    won = ", ".join(names.get(str(seat), str(seat)) for seat in winners) or "nobody"
    return f"{won} won; totals: {facts_text({names.get(seat, seat): totals[seat] for seat in totals})}"


def check_old_record(record: dict[str, Any]) -> None:
    """Error unless the record, which no rules can check, can be shown."""
    players = record["players"]
    if not isinstance(players, int) or isinstance(players, bool) or not 1 <= players <= len(SEATS):
        raise fuda.Error(f"The record is damaged: players is {brief(players)}.")
    for number, move in enumerate(record["moves"], 1):
        if not isinstance(move, str):
            raise fuda.Error(f"The record is damaged: move {number} is {brief(move)}.")
