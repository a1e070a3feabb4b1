"""The moves that were made at a table, and whether the last one can be taken back."""

from __future__ import annotations

from collections import Counter
from typing import Any

import fuda
from fuda.cli.local.recorded_game import luck_of
from fuda.cli.table.frame import HAND
from fuda.engine.fields import Cards, OneCard, SeatCards


class Turn:
    """A move that was made: by whom, after how much luck, and where the story began that this player had been told."""

    def __init__(self, seat: str, luck: int, told: int) -> None:
        self.seat = seat
        self.luck = luck
        self.told = told
        self.forced = False
        """Whether it was made for its player, who had no choice."""
        self.seen: Counter[str] = Counter()
        """The cards that its player could see before."""


def cards_seen(game: fuda.Game, seat: str) -> Counter[str]:
    """All cards that a seat sees or knows, wherever they lie."""
    view = game.view(seat)
    cards = set(game.rules.cards)
    fields = [field.name for field in game.rules.fields if isinstance(field, Cards | OneCard | SeatCards)]
    return Counter(word for name in dict.fromkeys([*fields, HAND]) for word in words_of(view.get(name)) if word in cards)


def words_of(value: Any) -> list[str]:
    """All words in a part of a view."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [word for one in value for word in words_of(one)]
    return [value] if isinstance(value, str) else []


def last_choice(turns: list[Turn], seat: str) -> Turn | None:
    """This player's last move, if since then only moves were made for the same player; None if there is none."""
    for turn in reversed(turns):
        if turn.seat != seat:
            return None
        if not turn.forced:
            return turn
    return None


def why_not_undo(game: fuda.Game, turns: list[Turn], seat: str, names: dict[str, str]) -> str | None:
    """Why this person's last move cannot be taken back; None if it can."""
    if not any(turn.seat == seat and not turn.forced for turn in turns):
        return "You have made no move yet that could be taken back."
    turn = last_choice(turns, seat)
    if turn is None:
        last = [names[turn.seat] for turn in turns if turn.seat != seat][-1]
        return f"It is too late to take your move back: {last} has played since."
    if turn.luck != luck_of(game):
        return "It is too late to take your move back: new cards have been dealt since."
    if cards_seen(game, seat) - turn.seen:
        return "It is too late to take your move back: you have seen new cards since."
    return None
