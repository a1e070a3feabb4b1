"""Keeps what this client saw of each game, notices at once what keeps a game from being proven, and checks records."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Any, Final

import msgspec

import fuda
from fuda.client.known import Known
from fuda.engine.records import checked
from fuda.protocol.parts import BYTES_EACH, GameNews
from fuda.verification import NOTHING_SHOWN, Seen, Verdict, judge, shown_after

MOST_GAMES: Final = 20
"""Of how many games at a table a client keeps what it saw."""


class Doubt(msgspec.Struct, frozen=True):
    """Why a game cannot be proven to be fair, as soon as it is known."""

    number: int
    text: str


class Witness:
    """What this client saw of the games at its table."""

    def __init__(self, table: str, seen: Iterable[Seen]) -> None:
        self.table = table
        self.seen = {one.number: one for one in seen}
        self.doubts: list[Doubt] = []
        self.lowest = 0
        """The first note that was sent, or sent again, since the last view."""

    def see(self, known: Known, news: GameNews | None) -> list[Doubt]:
        """Takes in what is known after a message, with the news of the game in it; returns new doubts."""
        before = len(self.doubts)
        fair = known.table.fair
        seen = self.seen.get(fair.number)
        if seen is None:
            seen = Seen(self.table, fair.number, known.you, fair.commitment)
        if seen.commitment != fair.commitment:
            self.doubt(seen.number, "the server has changed its commitment, so it may have chosen another secret.")
        if seen.bytes and known.you is not None and fair.bytes.get(known.you) == seen.bytes:
            seen = msgspec.structs.replace(seen, accepted=True)
        if known.table.phase in ("open", "starting"):
            seen = msgspec.structs.replace(seen, seat=known.you)
        if news is not None and news.number == fair.number:
            seen = self.after_news(seen, known, news)
        if known.table.phase == "closed" and not seen.closed:
            seen = msgspec.structs.replace(seen, closed=True)
        self.seen[fair.number] = seen
        if known.table.phase == "playing" and not self.doubts_about(fair.number):
            self.check_bytes(seen, known)
        while len(self.seen) > MOST_GAMES:
            del self.seen[min(self.seen)]
        return self.doubts[before:]

    def after_news(self, seen: Seen, known: Known, news: GameNews) -> Seen:
        """What was seen after news of the game; what was seen first stays if the server tells something else later."""
        self.lowest = min(self.lowest, news.first)
        if news.view is None or known.view is None:
            return seen
        lowest, self.lowest = self.lowest, known.noted
        if not news.chain:
            self.doubt(seen.number, "the server sends no chain over the moves, so it could replace them.")
            return seen
        history = known.view["history"]
        is_first = not seen.chain
        is_same_seat = seen.seat == known.you
        has_other_moves = news.turn < seen.moves or (news.turn == seen.moves and news.chain != seen.chain)
        # The notes that were sent again must be those that were sent before.
        is_again = is_same_seat and lowest < seen.notes
        has_other_notes = is_again and shown_after(NOTHING_SHOWN, history[: seen.notes]) != seen.shown
        if not is_first and (has_other_moves or has_other_notes):
            self.doubt(seen.number, "the server tells something else about its moves than before.")
            self.lowest = 0  # the next news are compared with all that was seen
            return seen
        notes, shown = (seen.notes, seen.shown) if is_same_seat and not is_first else (0, NOTHING_SHOWN)
        return msgspec.structs.replace(
            seen,
            seat=known.you,
            moves=news.turn,
            chain=news.chain,
            notes=len(history),
            shown=shown_after(shown, history[notes:]),
        )

    def check_bytes(self, seen: Seen, known: Known) -> None:
        given = known.table.fair.bytes
        if known.you is None:
            if not given:
                self.doubt(seen.number, "it was dealt without random bytes of any player.")
        elif not seen.bytes or given.get(known.you) != seen.bytes:
            self.doubt(seen.number, "it was dealt without random bytes of yours.")

    # Our own bytes ----------------------------------------------------------------------------------

    def draw(self, number: int) -> str:
        """Our random bytes for this deal, drawn once."""
        seen = self.seen[number]
        if not seen.bytes:
            seen = self.seen[number] = msgspec.structs.replace(seen, bytes=secrets.token_bytes(BYTES_EACH).hex())
        return seen.bytes

    def accept(self, number: int) -> None:
        """The server has acknowledged our bytes."""
        if number in self.seen:
            self.seen[number] = msgspec.structs.replace(self.seen[number], accepted=True)

    def refuse(self, number: int, text: str) -> list[Doubt]:
        """The server has refused our bytes; returns the new doubt."""
        before = len(self.doubts)
        self.doubt(number, f"the server refused your random bytes. {text}")
        return self.doubts[before:]

    # Doubts -----------------------------------------------------------------------------------------

    def doubts_about(self, number: int) -> list[Doubt]:
        return [doubt for doubt in self.doubts if doubt.number == number]

    def doubt(self, number: int, why: str) -> None:
        doubt = Doubt(number, f"Game {number} cannot be proven to be fair: {why}")
        if doubt not in self.doubts:
            self.doubts.append(doubt)


def check(record: dict[str, Any], table: str, seen: dict[int, Seen]) -> Verdict:
    """What can be said about a complete record; Error only if it cannot be checked."""
    whole = checked(record)
    fair = whole.get("fair", {})
    verdict = judge(fuda.rulebook(whole["game"]), whole, seen.get(fair.get("number")))
    if not verdict.wrong and fair["table"] != table:
        verdict.wrong = f"The record is of table {fair['table']}, not of {table}."
    return verdict
