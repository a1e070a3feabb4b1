"""Finds tricks and scores in a game's history. All results are indices of notes."""

from __future__ import annotations

from typing import Any, Final

from fuda.cli.table.game import Note
from fuda.engine.roles import PLAYED, SCORED, TRICK_ENDED
from fuda.engine.rulebook import Rulebook

RECENT_NOTES: Final = 12
"""In a game without tricks, somebody who did not see it is told this many notes."""


def role_of(rules: Rulebook[Any], note: Note) -> str:
    """The role of a note; "" if it has none."""
    return rules.note_roles.get(str(note.get("kind")), "")


def current_trick_start(rules: Rulebook[Any], history: list[Note]) -> int:
    """Where the plays of the unfinished trick begin."""
    at = len(history)
    while at and role_of(rules, history[at - 1]) == PLAYED:
        at -= 1
    return at


def recent_start(rules: Rulebook[Any], history: list[Note]) -> int:
    """Where the last finished trick begins; without tricks, the latest notes."""
    last = find_last_trick(rules, history)
    return last[0] if last else max(0, len(history) - RECENT_NOTES)


def find_last_trick(rules: Rulebook[Any], history: list[Note]) -> tuple[int, int] | None:
    """Start and end of the last finished trick, with its results."""
    for at in range(len(history) - 1, -1, -1):
        if role_of(rules, history[at]) == TRICK_ENDED:
            start = at
            while start and role_of(rules, history[start - 1]) != PLAYED:
                start -= 1
            return current_trick_start(rules, history[:start]), trick_end(rules, history, at)
    return None


def trick_end(rules: Rulebook[Any], history: list[Note], at: int) -> int:
    while at < len(history) and role_of(rules, history[at]) not in (PLAYED, SCORED):
        at += 1
    return at


def last_score_end(rules: Rulebook[Any], history: list[Note]) -> int:
    """The index after the last score; 0 without one."""
    return max((at + 1 for at, note in enumerate(history) if role_of(rules, note) == SCORED), default=0)
