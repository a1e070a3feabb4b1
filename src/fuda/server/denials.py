"""Denials: why a request is not carried out, with a code for programs and a sentence for people."""

from __future__ import annotations

from typing import Any, Final

import fuda

CODES: Final = {
    "refused": "A rule of the game forbids the move; `rule` and `facts` say which and why.",
    "not asked": "This seat is not asked anything now.",
    "too late": "The question has already been answered, or the game has started or ended.",
    "too early": "The game has not started, or is not over yet.",
    "not seated": "Only players at the table may do that.",
    "not host": "Only the host may do that; while the host is gone, the person who has sat there longest.",
    "taken": "The seat is not open, or the name is taken.",
    "full": "No seat is open.",
    "empty": "A seat is still empty.",
    "present": "The player is connected and still has time to answer.",
    "just left": "The player has only just lost the connection; `seconds` in `facts` says how long to wait.",
    "bad name": "The name is not valid.",
    "bad text": "The chat message is not valid.",
    "bad table": "There is no such game, option or bot, or the number of players is wrong.",
    "bad code": "The link has been used, has expired, or is not valid.",
    "no entry": "The table is by invitation only, and the invitation is missing or wrong.",
    "no table": "There is no such table.",
    "closed": "The table has been closed.",
    "log full": "So much has happened at the table that it can only finish its game.",
    "damaged": "The table's log is damaged, or was written by another version of Fuda; the text says at which entry.",
    "silent": "The host has switched chat off.",
    "too many": "Too many messages, connections or tables from one address.",
    "used id": "The id of the message was used for another one; every message needs an id of its own.",
    "wrong number": "The random bytes are for another game.",
    "wrong origin": "The request comes from another site.",
    "bad request": "The request is not valid.",
    "no record": "There is no such record.",
    "other rules": "The game was played under a version of the rules that this server does not have.",
    "no book": "There is no such game, or no such language.",
    "busy": "It could not be carried out at the moment; it may be sent again.",
}


class Denial(Exception):
    """A request is not carried out; nothing has changed."""

    def __init__(self, code: str, text: str, rule: str = "", facts: dict[str, Any] | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.rule = rule
        self.facts = facts or {}


def refused(refusal: fuda.Refused) -> Denial:
    return Denial("refused", str(refusal), refusal.rule, refusal.facts)
