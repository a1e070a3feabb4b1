"""Where tricks and scores stand in a game's history."""

from __future__ import annotations

from typing import Final

from fuda.cli.table.game import Note

PLAY: Final = "play"


TRICK: Final = "trick"


SCORE: Final = "score"


LATELY: Final = 12
"""So many notes are told of a game without tricks to those who did not see it."""


def start_of_trick(history: list[Note]) -> int:
    """Where the plays to the trick on the table begin."""
    at = len(history)
    while at and history[at - 1].get("kind") == PLAY:
        at -= 1
    return at


def lately(history: list[Note]) -> int:
    """From where on a bystander is told: from the last finished trick, or the latest notes where there are no tricks."""
    last = last_trick(history)
    return last[0] if last else max(0, len(history) - LATELY)


def last_trick(history: list[Note]) -> tuple[int, int] | None:
    """The notes of the last finished trick, from its first card to what it brought."""
    for at in range(len(history) - 1, -1, -1):
        if history[at].get("kind") == TRICK:
            start = at
            while start and history[start - 1].get("kind") != PLAY:
                start -= 1
            return start_of_trick(history[:start]), end_of_trick(history, at)
    return None


def end_of_trick(history: list[Note], at: int) -> int:
    while at < len(history) and history[at].get("kind") not in (PLAY, SCORE):
        at += 1
    return at


def end_of_scores(history: list[Note]) -> int:
    """Where the last score has been told."""
    return max((at + 1 for at, note in enumerate(history) if note.get("kind") == SCORE), default=0)
