"""Finds tricks and scores in a game's history. All results are indices of notes."""

from __future__ import annotations

from typing import Final

from fuda.cli.table.game import Note

PLAY: Final = "play"
TRICK: Final = "trick"
SCORE: Final = "score"
RECENT_NOTES: Final = 12
"""In a game without tricks, somebody who did not see it is told this many notes."""


def current_trick_start(history: list[Note]) -> int:
    """Where the plays of the unfinished trick begin."""
    at = len(history)
    while at and history[at - 1].get("kind") == PLAY:
        at -= 1
    return at


def recent_start(history: list[Note]) -> int:
    """Where the last finished trick begins; without tricks, the latest notes."""
    last = find_last_trick(history)
    return last[0] if last else max(0, len(history) - RECENT_NOTES)


def find_last_trick(history: list[Note]) -> tuple[int, int] | None:
    """Start and end of the last finished trick, with its results."""
    for at in range(len(history) - 1, -1, -1):
        if history[at].get("kind") == TRICK:
            start = at
            while start and history[start - 1].get("kind") != PLAY:
                start -= 1
            return current_trick_start(history[:start]), trick_end(history, at)
    return None


def trick_end(history: list[Note], at: int) -> int:
    while at < len(history) and history[at].get("kind") not in (PLAY, SCORE):
        at += 1
    return at


def last_score_end(history: list[Note]) -> int:
    """The index after the last score; 0 without one."""
    return max((at + 1 for at, note in enumerate(history) if note.get("kind") == SCORE), default=0)
