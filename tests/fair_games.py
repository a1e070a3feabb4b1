"""Games as an honest server deals and records them, and what its clients see of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import fuda
from fuda.engine.fair import chain_after, chain_start, commitment_of, key_of
from fuda.verification import NOTHING_SHOWN, Seat, Seen, shown_after

SECRET: Final = bytes(range(100, 132))
GIVEN: Final = {"A": b"a" * 16, "C": b"c" * 16}
Choose = Callable[[list[str]], str]


def first(moves: list[str]) -> str:
    return moves[0]


def last(moves: list[str]) -> str:
    return moves[-1]


class FairGame:
    """A game at an online table, with the chain over its moves."""

    def __init__(
        self,
        game: str = "frantic",
        players: int = 3,
        *,
        secret: bytes = SECRET,
        given: dict[str, bytes] | None = None,
        table: str = "oak",
        number: int = 3,
        rules: str = "",
    ) -> None:
        self.secret = secret
        self.given = GIVEN if given is None else given
        self.table = table
        self.number = number
        self.key = key_of(secret, table, number, self.given)
        self.game = fuda.new(game, players, self.key)
        self.rules = rules or self.game.rules.version
        self.chains = [chain_start(self.key, game, self.rules, players, self.game.options)]

    def play(self, choose: Choose = first, most: int = 10**6) -> FairGame:
        """Plays on to the end, or this many moves."""
        for _ in range(most):
            if self.game.over:
                break
            move = choose(self.game.moves())
            self.game.play(move)
            self.chains.append(chain_after(self.key, self.chains[-1], move))
        return self

    @property
    def moves(self) -> int:
        return len(self.chains) - 1

    @property
    def commitment(self) -> str:
        return commitment_of(self.secret, self.table, self.number)

    def record(self) -> dict[str, Any]:
        """The record, as a server gives it."""
        fair = {
            "table": self.table,
            "number": self.number,
            "commitment": self.commitment,
            "secret": self.secret.hex(),
            "bytes": {seat: given.hex() for seat, given in self.given.items()},
            "chain": self.chains[-1].hex(),
            "lots": self.game.lots(),
        }
        return self.game.record() | {"rules": self.rules, "fair": fair}

    def seen(self, seat: Seat | None = "A", *, accepted: bool = True, closed: bool = False) -> Seen:
        """What the client at this seat has seen so far."""
        history = self.game.view(seat)["history"]
        return Seen(
            table=self.table,
            number=self.number,
            seat=seat,
            commitment=self.commitment,
            bytes="" if seat is None else self.given.get(seat, b"").hex(),
            accepted=accepted and seat in self.given,
            moves=self.moves,
            chain=self.chains[-1].hex(),
            notes=len(history),
            shown=shown_after(NOTHING_SHOWN, history),
            closed=closed,
        )
