"""Reads the rows of a table's log, which may be damaged, and whose times may come from another clock."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

import fuda
from fuda import bots
from fuda.server import clock, commands, entries
from fuda.server.admission import check_game
from fuda.server.denials import Denial
from fuda.server.entries import READ, AnyEntry, Logged
from fuda.server.store import Row
from fuda.server.table import Table

LONGEST_REASON: Final = 300


class Damaged(Denial):
    """An entry of a log cannot be read, or cannot follow the entries before it."""

    def __init__(self, table: str, number: int, error: Exception) -> None:
        super().__init__(
            "damaged",
            f"Entry {number} of this table's log is damaged, or was written by another version of Fuda: "
            "the table cannot be continued.",
        )
        self.details = {
            "table": table,
            "entry": number,
            "error": f"{type(error).__name__}: {error}"[:LONGEST_REASON],
        }
        """For the server's log."""


class Behind(Exception):
    """Entries that this process has not read have been deleted: the table has to be loaded again."""


def read_log(table: str, rows: list[Row], after: int = 0, learnt_at: float | None = None) -> list[Logged]:
    """The entries of these rows, which follow the entry of number `after`; Damaged if one cannot be read.

    What another process has just written counts from `learnt_at`, when we learnt of it. Other entries are in the past.
    """
    now = clock.now()
    check_complete(table, rows, after)
    logged = []
    for row in rows:
        try:
            if not isinstance(row.at, int | float) or not math.isfinite(row.at):
                raise fuda.Error("The time is not a number.")
            at = min(row.at, now) if learnt_at is None else learnt_at
            logged.append(Logged(row.number, at, READ.decode(row.data), row.at - at))
        except Exception as error:  # whatever a damaged row leads to
            raise Damaged(table, row.number, error) from error
    return logged


def check_complete(table: str, rows: list[Row], after: int) -> None:
    """Only as many entries may be missing as were deleted on purpose, which is known for a whole log."""
    if not rows or rows[-1].number == after + len(rows):
        return
    if after and rows[-1].pruned:
        raise Behind
    if after + len(rows) + rows[-1].pruned != rows[-1].number:
        first = next(number for number, row in enumerate(rows, after + 1) if row.number != number)
        raise Damaged(table, first, fuda.Error("The entry is missing."))


def apply_log(table: Table, logged: Iterable[Logged]) -> None:
    """Applies the entries; Damaged if one is not possible at this table."""
    for one in logged:
        try:
            check_entry(table, one.entry)
            table.apply(one)
        except Exception as error:  # whatever a damaged row leads to
            raise Damaged(table.id, one.number, error) from error


def check_entry(table: Table, entry: AnyEntry) -> None:
    """Raises if this entry cannot come next; the rules of the game judge moves when they are applied."""
    if isinstance(entry, entries.Opened) != (table.length == 0):
        raise fuda.Error("A log begins with its only opening.")
    for name in ("seat", "other"):
        seat = getattr(entry, name, None)
        if seat is not None and seat not in table.seats:
            raise fuda.Error(f"There is no seat {seat}.")
    match entry:
        case entries.Opened():
            fuda.rulebook(entry.game)
        case entries.Sat() if table.seats[entry.seat].is_person:
            raise fuda.Error("Somebody sits there.")
        case entries.Left() | entries.Claimed() | entries.PlayedFor() if not table.seats[entry.seat].is_person:
            raise fuda.Error("Nobody sits there.")
        case entries.BytesGiven() | entries.Started() if table.phase not in ("open", "starting"):
            raise fuda.Error("The cards have been dealt.")
        case entries.Starting() if table.phase != "open":
            raise fuda.Error("The game has started.")
        case entries.Reopened() if table.phase not in ("playing", "over"):
            raise fuda.Error("No game has been played.")
        case entries.Played() | entries.Answered() if table.phase != "playing":
            raise fuda.Error("No game is being played.")
        case entries.Answered() if table.game is not None:
            since = table.questions.since.get(entry.seat, -1)
            if not isinstance(commands.move_by(table, entry.seat, since, entry.move, entry.by), entries.Answered):
                raise fuda.Error("Nobody is asked before this seat.")


def check_can_continue(table: Table) -> None:
    """Raises Damaged if the game of this table cannot be dealt, or has a bot that does not exist."""
    try:
        if table.phase == "starting":
            check_game(table.game_id, len(table.seats_in_game()), table.options)
        if table.phase in ("open", "starting", "playing"):
            for state in table.seats.values():
                if state.is_bot and state.occupancy not in bots.names(table.game_id):
                    raise fuda.Error(f"There is no bot {state.occupancy!r}.")
    except Exception as error:
        raise Damaged(table.id, table.length, error) from error
