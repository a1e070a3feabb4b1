"""Why something that was asked for is not done. Each has a code for programs and a sentence for people."""

from __future__ import annotations

from typing import Any, Final

import fuda

CODES: Final = {
    "refused": "A rule of the game forbids the move; `rule` and `facts` say which and why.",
    "not asked": "This seat is not asked anything now.",
    "too late": "The question has been answered already, or the game has begun or ended.",
    "too early": "The game has not begun, or is not over yet.",
    "not seated": "Only those who sit at the table may do that.",
    "not host": "Only the host may do that; while the host is away, whoever has sat there longest.",
    "taken": "The seat is not open, or the name is somebody else's.",
    "full": "No seat is open.",
    "empty": "A chair is still empty.",
    "present": "Whom it is about is there and has not been asked for long.",
    "bad name": "The name cannot be used.",
    "bad text": "What is to be said cannot be used.",
    "bad table": "There is no such game, option or bot, or the game is not for so many.",
    "bad code": "The link has been used, is too old, or never was one.",
    "no entry": "The table is by invitation, and the invitation is wrong.",
    "no table": "There is no such table.",
    "closed": "The table has been closed.",
    "silent": "The host has switched chat off.",
    "too many": "Too many messages, sockets or tables from one place.",
    "wrong number": "The bytes are for another game.",
    "wrong origin": "The request comes from another site.",
    "bad request": "The request cannot be understood.",
    "no record": "There is no such record.",
    "no book": "There is no such game, or it has no words in this language.",
    "busy": "It could not be carried out just now; it may be sent again.",
}


class Denial(Exception):
    """What was asked for is not done; nothing has changed."""

    def __init__(self, code: str, text: str, rule: str = "", facts: dict[str, Any] | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.rule = rule
        self.facts = facts or {}


def refused(refusal: fuda.Refused) -> Denial:
    return Denial("refused", str(refusal), refusal.rule, refusal.facts)
