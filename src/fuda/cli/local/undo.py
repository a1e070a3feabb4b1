"""Taking back moves at a local table."""

from __future__ import annotations

from collections import Counter
from typing import Any

import fuda


class PlayedMove:
    """Who made a move, and what that player knew before."""

    def __init__(self, game: fuda.Game, seat: str, news_start: int) -> None:
        self.seat = seat
        self.outcomes = count_outcomes(game)
        self.news_start = news_start
        """Where the player's news began."""
        self.is_forced = False
        """Whether it was made automatically, because the player had no choice."""
        self.visible_cards: Counter[str] = Counter()


class UndoHistory:
    """All moves of a game, as far as undo needs to know them."""

    def __init__(self) -> None:
        self.moves: list[PlayedMove] = []

    def last_choice(self, seat: str) -> PlayedMove | None:
        """The player's last move, if only forced moves of the same player came after it."""
        for move in reversed(self.moves):
            if move.seat != seat:
                return None
            if not move.is_forced:
                return move
        return None

    def find_obstacle(self, game: fuda.Game, seat: str, names: dict[str, str]) -> str | None:
        """Why the player's last move cannot be taken back; None if it can."""
        if not any(move.seat == seat and not move.is_forced for move in self.moves):
            return "You have not made a move yet."
        move = self.last_choice(seat)
        if move is None:
            last = [names[move.seat] for move in self.moves if move.seat != seat][-1]
            return f"It is too late to undo your move: {last} has played since."
        if move.outcomes != count_outcomes(game):
            return "It is too late to undo your move: new cards have been dealt since."
        if visible_cards(game, seat) - move.visible_cards:
            return "It is too late to undo your move: you have seen new cards since."
        return None

    def undo(self, game: fuda.Game, seat: str) -> tuple[fuda.Game, PlayedMove]:
        """The game before the player's last choice, and that move."""
        move = self.last_choice(seat)
        assert move is not None
        first = self.moves.index(move)
        record = game.record()
        record["moves"] = record["moves"][: first - len(self.moves)]
        del record["result"]
        del self.moves[first:]
        return fuda.replay(record), move


def count_outcomes(game: fuda.Game) -> int:
    """The number of random outcomes so far."""
    return len(game.state.chance.outcomes or [])


def visible_cards(game: fuda.Game, seat: str) -> Counter[str]:
    """All cards that a seat can see."""
    view = game.view(seat)
    cards = set(game.rules.cards)
    fields = [field.name for field in game.rules.fields if len(field.cards(game.state))]
    return Counter(word for name in fields for word in strings_in(view.get(name)) if word in cards)


def strings_in(value: Any) -> list[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for one in value for text in strings_in(one)]
    return [value] if isinstance(value, str) else []
