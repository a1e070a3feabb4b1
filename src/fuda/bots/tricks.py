"""What bots read from a view of a trick-taking game."""

from __future__ import annotations

from typing import Any

from fuda.bots.bot import seat_after


def player_at(view: dict[str, Any], index: int) -> str:
    """Who played, or will play, the card with this index in the trick."""
    return seat_after(view, view["leader"], index)


def still_to_play(view: dict[str, Any]) -> list[str]:
    """Who plays to this trick after me."""
    return [player_at(view, index) for index in range(len(view["trick"]) + 1, view["players"])]


def chance_to_hold(view: dict[str, Any], seat: str, wanted: int, unseen: int) -> float:
    """How likely another seat holds one of the `wanted` cards among those unseen."""
    size: int = view["hands"][seat]["size"]
    return 1.0 - (1.0 - wanted / unseen) ** size if wanted else 0.0


def chance_to_follow(view: dict[str, Any], seat: str, suit: str, of_suit: int, unseen: int) -> float:
    """How likely a seat holds one of the `of_suit` cards of a suit among those unseen; 0 if it has failed to follow."""
    return 0.0 if suit in view["voids"][seat] else chance_to_hold(view, seat, of_suit, unseen)
