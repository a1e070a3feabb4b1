"""How one value is written as text: the same for an attribute of a state and for an argument of a step."""

from __future__ import annotations

from typing import Any

from mypy_extensions import i64

from fuda.engine.errors import brief
from fuda.engine.seats import NOBODY, SEATS, seats_in
from fuda.engine.setup import Setup


class Codec:
    def to_text(self, value: Any) -> Any:
        """The value as JSON."""
        return value

    def from_text(self, text: object, where: str, setup: Setup) -> Any:
        """The value for this JSON; Error, with `where` in its message, if there is none."""
        raise NotImplementedError


class NumberCodec(Codec):
    def __init__(self, low: int, high: int) -> None:
        self.low = low
        self.high = high

    def from_text(self, text: object, where: str, setup: Setup) -> Any:
        return setup.number(text, where, self.low, self.high)


class FlagCodec(Codec):
    def from_text(self, text: object, where: str, setup: Setup) -> Any:
        if not isinstance(text, bool):
            raise setup.wrong(where, f"expected true or false, got {brief(text)}.")
        return text


class SeatCodec(Codec):
    """A player; null stands for nobody if it is optional."""

    def __init__(self, optional: bool = False) -> None:
        self.optional = optional

    def to_text(self, value: Any) -> Any:
        return None if value == NOBODY else SEATS[value]

    def from_text(self, text: object, where: str, setup: Setup) -> Any:
        return NOBODY if text is None and self.optional else setup.seat(text, where)


class SeatSetCodec(Codec):
    """Players, as bits."""

    def to_text(self, value: Any) -> Any:
        return seats_in(value)

    def from_text(self, text: object, where: str, setup: Setup) -> Any:
        return setup.seat_set(text, where)


class NameCodec(Codec):
    """One of some names, each standing for a number; null stands for -1 if it is optional."""

    def __init__(self, names: list[str], first: int = 0, optional: bool = False) -> None:
        self.names = names
        self.first = first
        """What the first name stands for; the others follow."""
        self.optional = optional

    def to_text(self, value: Any) -> Any:
        at = value - self.first
        return self.names[at] if 0 <= at < len(self.names) else None

    def from_text(self, text: object, where: str, setup: Setup) -> Any:
        if text is None and self.optional:
            return -1
        if isinstance(text, str) and text in self.names:
            return self.first + self.names.index(text)
        raise setup.wrong(where, f"expected one of {', '.join(self.names)}, got {brief(text)}.")


class SharesCodec(Codec):
    """A small number for each player, four bits each; players with 0 are left out."""

    def to_text(self, value: Any) -> Any:
        return {SEATS[player]: share(value, player) for player in range(len(SEATS)) if share(value, player)}

    def from_text(self, text: object, where: str, setup: Setup) -> Any:
        shares: i64 = 0
        for seat, number in setup.seats(text, where).items():
            shares = with_share(shares, SEATS.index(seat), setup.number(number, where, 0, 15))
        return shares


def share(shares: i64, player: i64) -> i64:
    return (shares >> (4 * player)) & 15


def with_share(shares: i64, player: i64, more: i64) -> i64:
    return shares + (more << (4 * player))
