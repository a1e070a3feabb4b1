"""Reading the arguments of commands."""

from __future__ import annotations

from typing import Any

import fuda
from fuda.engine.errors import brief


def game_named(word: str) -> str:
    """The game of this id, name, number in the catalogue, or clear beginning of a name."""
    games = [game["id"] for game in fuda.games()]
    if word.isdecimal() and 1 <= int(word[:6]) <= len(games):
        return str(games[int(word[:6]) - 1])
    wanted = word.strip().lower().replace(" ", "_").replace("-", "_")
    found = [game for game in games if game.startswith(wanted)]
    if wanted in games or len(found) == 1:
        return wanted if wanted in games else str(found[0])
    if found and wanted:
        raise fuda.Error(f"{brief(word)} can be {' or '.join(found)}.")
    raise fuda.Error(f"There is no game {brief(word)}; there are {', '.join(games)}.")


def options_from(pairs: tuple[str, ...]) -> dict[str, Any]:
    """`target=30` as an option and its value; the game says whether it has such an option."""
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = (part.strip() for part in pair.partition("="))
        if not equals or not name or not value:
            raise fuda.Error(f"Option {brief(pair)}: expected a name and a value, such as target=30.")
        digits = value.removeprefix("-")
        yes_or_no = {"true": True, "yes": True, "false": False, "no": False}.get(value.lower())
        number = int(value) if digits.isdecimal() and len(digits) < 10 else value
        options[name] = number if yes_or_no is None else yes_or_no
    return options
