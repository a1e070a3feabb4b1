"""Records: a whole game as text. A record has the random outcomes, not the seed, so it does not depend on the generator."""

from __future__ import annotations

from typing import Any, Final

from fuda.engine.errors import Error, brief
from fuda.engine.fair import check_fair
from fuda.engine.rulebook import Rulebook

FORMAT: Final = 1
KEYS: Final = (
    "fuda",
    "game",
    "rules",
    "players",
    "options",
    "position",
    "history",
    "chance",
    "moves",
    "result",
    "fair",
    "transcript",
)
NEEDED: Final = ("fuda", "game", "rules", "players", "chance", "moves")


def checked(record: object) -> dict[str, Any]:
    """The record, if it has the shape of one."""
    if not isinstance(record, dict):
        raise Error(f"The record is damaged: expected its fields, got {brief(record)}.")
    number = record.get("fuda")
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise Error(f"This is not a record: its format number, 'fuda', is {brief(number)}.")
    if number > FORMAT:
        raise Error(f"The record has format {number}; this version of Fuda reads formats up to {FORMAT}.")
    for key in record:
        if key not in KEYS:
            raise Error(f"The record is damaged: it has an unknown field {brief(key)}.")
    for key in NEEDED:
        if key not in record:
            raise Error(f"The record is damaged: it has no field {key!r}.")
    for key in ("chance", "moves"):
        if not isinstance(record[key], list):
            raise Error(f"The record is damaged: {key} is not a list.")
    if "fair" in record:
        check_fair(record["fair"])
    return record


def fair_in(record: dict[str, Any]) -> dict[str, Any]:
    """What the record says about its fair deal; Error if there is nothing to check."""
    if "fair" not in record:
        raise Error("The record says nothing of a fair deal: it has no field 'fair'.")
    if "position" in record:
        raise Error("The game began with a given position; that was no deal which could be checked.")
    fair: dict[str, Any] = record["fair"]
    return fair


def check_version(rules: Rulebook[Any], version: object) -> None:
    if rules.can_replay(version):
        return
    if is_version(version):
        release = rules.released_in.get(str(version))
        raise Error(
            f"The record follows version {version} of the rules of {rules.name}; "
            f"this version of Fuda knows {rules.version}." + (f" Fuda {release} has version {version}." if release else "")
        )
    raise Error(f"The record is damaged: {brief(version)} is no version of the rules of {rules.name} that Fuda can replay.")


def is_version(version: object) -> bool:
    """Whether this can be a version of some rules."""
    return isinstance(version, str) and version.isdecimal() and len(version) < 9


def check_result(stated: object, reached: dict[str, Any]) -> None:
    """A record may leave its result out; a result that is stated must be the one that its moves lead to."""
    if stated is None:
        return
    if not isinstance(stated, dict):
        raise Error(f"The record is damaged: result is {brief(stated)}.")
    for key in stated:
        if key not in reached:
            raise Error(f"The record is damaged: result has an unknown field {brief(key)}.")
        if stated[key] != reached[key]:
            raise Error(
                f"The record is damaged: its result says {key} {brief(stated[key])}, "
                f"but its moves come to {brief(reached[key])}."
            )
