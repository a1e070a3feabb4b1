"""Fair deals: random outcomes that nobody can foresee, and that everybody can check afterwards."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.chance import Chance
from fuda.engine.errors import Error, brief
from fuda.engine.random import Random
from fuda.engine.seats import SEATS

LEAST_KEY: Final = 16
SECRET: Final = 32
GIVEN: Final = 16
"""How many bytes a table's secret has, and what each player gives to a deal."""
COMMITMENT: Final = 32
LONGEST_NAME: Final = 100
MOST_GAMES: Final = 999_999_999
HEX: Final = "0123456789abcdef"
FIELDS: Final = ("table", "number", "commitment", "secret", "bytes")
LATER_FIELDS: Final = ("chain", "lots")
"""Records of older versions do not have them."""
CHAIN: Final = 32
TWO_TO_32: Final[i64] = 0x100000000
REDEAL_PREFIX: Final = b"fuda imagined 1\n"
"""With the key it makes the seed of the random numbers for redeals."""


class Stream:
    """The random numbers of one outcome: its block i is SHA-256 of the key, the outcome's number and i."""

    def __init__(self, key: bytes, outcome: i64) -> None:
        self.start = key + four_bytes(outcome)
        self.blocks: i64 = 0
        self.numbers = vec[i64]()
        self.used: i64 = 0

    def next_32_bits(self) -> i64:
        if self.used == len(self.numbers):
            self.numbers = numbers_in(hashlib.sha256(self.start + four_bytes(self.blocks)).digest())
            self.blocks += 1
            self.used = 0
        self.used += 1
        return self.numbers[self.used - 1]

    def below(self, n: i64) -> i64:
        """0 … n - 1, each equally likely: random numbers from the last multiple of n on are skipped."""
        end = TWO_TO_32 - TWO_TO_32 % n
        while True:
            number = self.next_32_bits()
            if number < end:
                return number % n


def four_bytes(number: i64) -> bytes:
    return int(number).to_bytes(4, "big")


def numbers_in(block: bytes) -> vec[i64]:
    """A block as 32-bit numbers."""
    out = vec[i64](capacity=8)
    for at in range(0, len(block), 4):
        out = append(out, int.from_bytes(block[at : at + 4], "big"))
    return out


class Fair(Chance):
    """Each outcome follows from the key and its number alone: the earlier outcomes do not help to foresee the next.

    A game that is replayed with its key therefore continues with the same outcomes.
    """

    def __init__(self, key: bytes) -> None:
        numbers = numbers_in(hashlib.sha256(REDEAL_PREFIX + key).digest())
        super().__init__(Random(numbers[0], numbers[1], numbers[2], numbers[3]))
        self.key = key

    def clone(self) -> Fair:
        c = Fair(self.key)
        c.random = self.random.clone()
        c.count = self.count
        return c

    def mix(self, cards: vec[i64]) -> None:
        """Shuffles them from sorted order, since a record does not tell how they lay before."""
        for at, card in enumerate(sorted(cards)):
            cards[at] = card
        stream = Stream(self.key, self.count)
        last: i64 = len(cards) - 1
        while last > 0:
            other = stream.below(last + 1)
            card = cards[last]
            cards[last] = cards[other]
            cards[other] = card
            last -= 1

    def draw(self, n: i64) -> i64:
        return Stream(self.key, self.count).below(n)


# The commitment of a table ----------------------------------------------------------------------


def commitment_of(secret: bytes, table: str, number: int) -> str:
    """What a table publishes before the deal of this game: it does not reveal the secret, but fixes it."""
    return hashlib.sha256(b"fuda commitment 1\n" + checked_secret(secret) + f"{table}/{number}".encode()).hexdigest()


def key_of(secret: bytes, table: str, number: int, given: dict[str, bytes]) -> bytes:
    """The key of a fair game: neither the table nor the players could choose it alone."""
    whole = b"fuda deal 1\n" + checked_secret(secret) + f"{table}/{number}\n".encode()
    for seat in sorted(given):
        if seat not in SEATS:
            raise Error(f"Bytes for the deal: {brief(seat)} is not a seat.")
        if len(given[seat]) != GIVEN:
            raise Error(f"Bytes for the deal: expected {GIVEN} of {seat}, got {len(given[seat])}.")
        whole += seat.encode() + given[seat]
    return hashlib.sha256(whole).digest()


def checked_secret(secret: bytes) -> bytes:
    if len(secret) != SECRET:
        raise Error(f"The secret: expected {SECRET} bytes, got {len(secret)}.")
    return secret


# The chain over the moves -------------------------------------------------------------------------


def canonical(value: object) -> bytes:
    """JSON in the one form that is hashed: no spaces, keys in order, letters as they are."""
    import json  # only here: who imports Fuda for simulations does not wait for it

    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return text.encode("utf-8", "surrogatepass")


def chain_start(key: bytes, game: str, rules: str, players: int, options: dict[str, Any]) -> bytes:
    """The chain of a game before its first move; without the key it tells nothing."""
    return hmac.digest(key, b"fuda chain 1\n" + canonical([game, rules, players, options]), "sha256")


def chain_after(key: bytes, chain: bytes, move: str) -> bytes:
    """The chain after one more move."""
    return hmac.digest(key, chain + move.encode(), "sha256")


# In a record --------------------------------------------------------------------------------------


def check_fair(value: object) -> None:
    """Raises Error unless a record's `fair` field has the right shape."""
    if not isinstance(value, dict) or not set(FIELDS) <= set(value) <= {*FIELDS, *LATER_FIELDS}:
        raise damage("", f"expected {', '.join(FIELDS)}, and perhaps {', '.join(LATER_FIELDS)}, got {brief(value)}.")
    table = value["table"]
    if not isinstance(table, str) or not table.isprintable() or not 0 < len(table) <= LONGEST_NAME:
        raise damage(", table", f"expected its name, got {brief(table)}.")
    number = value["number"]
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= MOST_GAMES:
        raise damage(", number", f"expected a whole number, got {brief(number)}.")
    check_hex(value["commitment"], COMMITMENT, ", commitment")
    check_hex(value["secret"], SECRET, ", secret")
    given = value["bytes"]
    if not isinstance(given, dict):
        raise damage(", bytes", f"expected the bytes of each seat, got {brief(given)}.")
    for seat in given:
        if seat not in SEATS:
            raise damage(", bytes", f"{brief(seat)} is not a seat.")
        check_hex(given[seat], GIVEN, f", bytes of {seat}")
    if "chain" in value:
        check_hex(value["chain"], CHAIN, ", chain")
    if "lots" in value:
        check_lots(value["lots"])


def check_lots(value: object) -> None:
    if not isinstance(value, list) or not all(
        isinstance(lot, list) and all(isinstance(one, str) for one in lot) for lot in value
    ):
        raise damage(", lots", f"expected the candidates of each lot, got {brief(value)}.")


def check_hex(value: object, size: int, where: str) -> None:
    if not isinstance(value, str) or len(value) != 2 * size or not all(letter in HEX for letter in value):
        raise damage(where, f"expected {size} bytes as hexadecimal digits, got {brief(value)}.")


def damage(where: str, what: str) -> Error:
    return Error(f"The record is damaged: fair{where}: {what}")


def key_in(fair: dict[str, Any]) -> bytes:
    """The key that a record's deal was made with; Error if the secret is not the one that was committed to."""
    secret = bytes.fromhex(fair["secret"])
    if commitment_of(secret, fair["table"], fair["number"]) != fair["commitment"]:
        raise Error("The secret does not match its commitment: it is not the one that was settled before the deal.")
    return key_of(
        secret, fair["table"], fair["number"], {seat: bytes.fromhex(fair["bytes"][seat]) for seat in fair["bytes"]}
    )
