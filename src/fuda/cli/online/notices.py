"""Short notices of what happened at an online table besides the moves."""

from __future__ import annotations

from typing import Final

from fuda.cli.terminal.layout import printable
from fuda.client import Change, Connected, Doubt
from fuda.protocol.messages import Event
from fuda.protocol.parts import Line

MAX_NOTICES: Final = 3


class Notices:
    """The latest notices, and why there is no connection."""

    def __init__(self, announces_reconnection: bool) -> None:
        self.announces_reconnection = announces_reconnection
        """Whether a new connection is worth a notice: only where the old problem stays on the screen."""
        self.sentences: list[str] = []
        self.connection_problem = ""
        self.doubts = 0
        """How many reasons to doubt that the games are fair have been added."""

    def add(self, change: Change, you: str | None) -> None:
        if isinstance(change, Connected):
            if change.is_open and self.connection_problem and self.announces_reconnection:
                self.sentences.append("Connected again.")
            self.connection_problem = "" if change.is_open else f"{change.trouble} Trying again…"
        elif isinstance(change, Event):
            if change.what == "played" and change.seat == you and change.by == "clock":
                self.sentences.append("Your time was up, so a move was made for you.")
            elif change.what == "played for" and change.seat == you:
                self.sentences.append("A bot plays for you until you type something.")
            elif change.line is not None and change.line.seat != you:
                self.sentences.append(chat_text(change.line))
        self.sentences = self.sentences[-MAX_NOTICES:]

    def add_doubts(self, doubts: list[Doubt]) -> None:
        """Adds those that have not been added yet; the list only grows."""
        self.sentences += [printable(doubt.text) for doubt in doubts[self.doubts :]]
        self.doubts = len(doubts)

    def clear(self) -> None:
        self.sentences = []


def chat_text(line: Line) -> str:
    """A chat message or a reaction, with its author."""
    text = printable(line.text) if line.text else f"{line.reaction or ''}!"
    return f"{printable(line.name)}: {text}"
