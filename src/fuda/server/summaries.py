"""What the list of tables says of each."""

from __future__ import annotations

import msgspec

from fuda.game import Attempt
from fuda.server import entries
from fuda.server.entries import Logged
from fuda.server.store import Summary
from fuda.server.table import Table

LISTED_AS_BEFORE = (
    entries.Swapped,
    entries.Gave,
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
        host="" if host is None else table.places[host].name,
        public=table.public,
        people=len(table.people),
        open=sum(place.is_open for place in table.places.values()),
        players=sum(place.wish != "closed" for place in table.places.values()),
        pace=table.pace,
        opened=table.opened,
        changed=table.changed,
    )


def summary_after(table: Table, logged: Logged, attempt: Attempt | None) -> Summary | None:
    """What the list will say after this entry, for a move with its attempt; None if nothing changes there."""
    entry = logged.entry
    if isinstance(entry, LISTED_AS_BEFORE):
        return None
    if attempt is None:
        return summary_of(table.after(logged))
    if not attempt.after.over:
        return None
    return msgspec.structs.replace(summary_of(table), phase="over", changed=logged.at)
