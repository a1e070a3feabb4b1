"""The table before the game: who sits where, and how others come to it."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from fuda.cli.online.game import plain
from fuda.cli.terminal.layout import pack
from fuda.client import Known
from fuda.engine.rulebook import Rulebook
from fuda.protocol.parts import Chair


def lobby(known: Known, rules: Rulebook[Any], link: str, width: int) -> list[Text]:
    """The chairs, the invitation, and what can be done."""
    options = " · ".join(f"{name} {value}" for name, value in known.table.options.items())
    title = Text(f" {rules.name} ", "bold reverse") + Text(f"  {options}" if options else "")
    lines = [title, Text()]
    lines += [chair_line(known, chair) for chair in known.table.chairs]
    lines += [Text(), *paragraph(reach(known), width)]
    if known.table.invite:
        lines += [Text("  ") + line for line in pack([Text(link, "bold")], width - 3)]
    return [*lines, Text(), *paragraph(advice(known), width)]


def paragraph(text: str, width: int) -> list[Text]:
    return [Text(" ") + line for line in pack([Text(word) for word in text.split()], width - 2)]


def chair_line(known: Known, chair: Chair) -> Text:
    line = Text(f"  {chair.seat} ", "dim")
    match chair.kind:
        case "open":
            return line + Text("open", "italic")
        case "closed":
            return line + Text("closed", "dim")
        case "bot":
            return line + Text(plain(chair.name) or "a bot") + Text(f" ({chair.bot} bot)", "dim")
    marks = ["you"] if chair.seat == known.you else []
    marks += ["host"] if chair.host else []
    marks += [] if chair.seat in known.here else ["gone"]
    return line + Text(plain(chair.name), "bold") + Text(f" ({', '.join(marks)})" if marks else "", "dim")


def reach(known: Known) -> str:
    """How others come to this table."""
    public = "The table is public." if known.table.public else "The table is by invitation."
    pace = "without a clock" if known.table.pace == "none" else f"at the pace {known.table.pace}"
    asked = " Others join with this link:" if known.table.invite else ""
    return f"{public} It is played {pace}.{asked}"


def advice(known: Known) -> str:
    """What there is to do now."""
    if known.table.phase == "starting":
        return "The game begins in a moment."
    host = next((chair for chair in known.table.chairs if chair.host), None)
    if known.you is None:
        return "You watch. The game begins when the host says so."
    if host is None or host.seat != known.you:
        who = "the host" if host is None else plain(host.name)
        return f"The game begins when {who} says so. Type help for what you can do meanwhile."
    free = [chair.seat for chair in known.table.chairs if chair.kind == "open"]
    if free:
        return f"Open chairs: {', '.join(free)}. Wait for others, or type bot {free[0]} or close {free[0]}; then start."
    return "Everybody is here: type start to begin, or help for what else you can do."
