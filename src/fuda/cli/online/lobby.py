"""The lobby: a table before its game, with its chairs and how others join."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from fuda.cli.terminal.layout import printable, wrap_sentence, wrap_words
from fuda.client import Known
from fuda.engine.rulebook import Rulebook
from fuda.protocol.parts import Chair


def lobby_lines(known: Known, rules: Rulebook[Any], link: str, width: int) -> list[Text]:
    options = " · ".join(f"{name} {value}" for name, value in known.table.options.items())
    title = Text(f" {rules.name} ", "bold reverse") + Text(f"  {options}" if options else "")
    lines = [title, Text()]
    if known.table.ended:
        lines += [*wrap_sentence(ended_text(known, rules), width), Text()]
    lines += [chair_line(known, chair) for chair in known.table.chairs]
    lines += [Text(), *wrap_sentence(access_text(known), width)]
    if known.table.invite:
        lines += [Text("  ") + line for line in wrap_words([Text(link, "bold")], width - 3)]
    return [*lines, Text(), *wrap_sentence(next_step_text(known), width)]


def ended_text(known: Known, rules: Rulebook[Any]) -> str:
    return (
        f"The last game was ended: it was played under version {printable(known.table.ended)} of the rules of {rules.name}, "
        "and the server has another version now. You can start a new game."
    )


def chair_line(known: Known, chair: Chair) -> Text:
    line = Text(f"  {chair.seat} ", "dim")
    match chair.kind:
        case "open":
            return line + Text("open", "italic")
        case "closed":
            return line + Text("closed", "dim")
        case "bot":
            return line + Text(printable(chair.name) or "a bot") + Text(f" ({chair.bot} bot)", "dim")
    labels = ["you"] if chair.seat == known.you else []
    labels += ["host"] if chair.host else []
    labels += [] if chair.seat in known.here else ["gone"]
    return line + Text(printable(chair.name), "bold") + Text(f" ({', '.join(labels)})" if labels else "", "dim")


def access_text(known: Known) -> str:
    """Who can join, at which pace, and how."""
    access = "This table is public." if known.table.public else "This table is by invitation only."
    pace = "There is no clock." if known.table.pace == "none" else f"Pace: {known.table.pace}."
    link = " Others can join with this link:" if known.table.invite else ""
    return f"{access} {pace}{link}"


def next_step_text(known: Known) -> str:
    """What the player can do now."""
    if known.table.phase == "starting":
        return "The game starts in a moment."
    host = next((chair for chair in known.table.chairs if chair.seat == known.host), None)
    if known.you is None:
        return "You are watching. The host starts the game."
    if host is None or host.seat != known.you:
        name = "The host" if host is None else printable(host.name)
        return f"{name} starts the game. Type help for what you can do meanwhile."
    free = [chair.seat for chair in known.table.chairs if chair.kind == "open"]
    if free:
        return f"Open chairs: {', '.join(free)}. Wait for others, or type bot {free[0]} or close {free[0]}, then start."
    return "Everybody is here. Type start to begin, or help for the other commands."
