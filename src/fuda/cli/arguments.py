"""Parses arguments that several commands have."""

from __future__ import annotations

from typing import Any, Final

import fuda
from fuda.engine.errors import brief

YES_OR_NO: Final = {"true": True, "yes": True, "false": False, "no": False}


def find_game(text: str) -> str:
    """The id of the game with this id, name, beginning of a name, or number in the catalogue."""
    games = [str(game["id"]) for game in fuda.games()]
    if text.isdecimal() and 1 <= int(text[:6]) <= len(games):
        return games[int(text[:6]) - 1]
    wanted = text.strip().lower().replace(" ", "_").replace("-", "_")
    if wanted in games:
        return wanted
    found = [game for game in games if wanted and game.startswith(wanted)]
    if len(found) > 1:
        raise fuda.Error(f"{brief(text)} can be {' or '.join(found)}.")
    if not found:
        raise fuda.Error(f"There is no game {brief(text)}; the games are {', '.join(games)}.")
    return found[0]


def parse_options(pairs: tuple[str, ...]) -> dict[str, Any]:
    """Options such as `target=30`; whether the game has them is checked later."""
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = (part.strip() for part in pair.partition("="))
        if not equals or not name or not value:
            raise fuda.Error(f"Option {brief(pair)}: expected a name and a value, such as target=30.")
        digits = value.removeprefix("-")
        if value.lower() in YES_OR_NO:
            options[name] = YES_OR_NO[value.lower()]
        else:
            options[name] = int(value) if digits.isdecimal() and len(digits) < 10 else value
    return options
