"""The summary of a table for lists of tables."""

from __future__ import annotations

import msgspec

from fuda.game import Attempt
from fuda.server import entries
from fuda.server.entries import Logged
from fuda.server.store import Summary
from fuda.server.table import Table

WITHOUT_EFFECT = (
    entries.Swapped,
    entries.BytesGiven,
    entries.Answered,
    entries.Spoke,
    entries.CodeMade,
    entries.Claimed,
    entries.PlayedFor,
    entries.Returned,
)


def summary_of(table: Table) -> Summary:
    host = table.host
    return Summary(
        id=table.id,
        game=table.game_id,
        phase=table.phase,
        host="" if host is None else table.seats[host].name,
        public=table.public,
        people=len(table.people),
        open=sum(state.is_open for state in table.seats.values()),
        players=sum(state.occupancy != "closed" for state in table.seats.values()),
        pace=table.pace,
        opened=table.opened,
        changed=table.changed,
        last_record=table.last_record,
    )


def summary_after(table: Table, logged: Logged, attempt: Attempt | None) -> Summary | None:
    """The summary after this entry, for a move with its attempt; None if it does not change."""
    entry = logged.entry
    if isinstance(entry, WITHOUT_EFFECT):
        return None
    if attempt is None:
        return summary_of(table.after(logged))
    if not attempt.after.over:
        return None
    return msgspec.structs.replace(summary_of(table), phase="over", changed=logged.at, last_record=table.number)
