"""Checks that a deal was fair: that the server kept what it had committed to."""

from __future__ import annotations

import secrets
from typing import Any

import msgspec

import fuda
from fuda.protocol.parts import BYTES_EACH, Fair


class Promise(msgspec.Struct, frozen=True):
    """What the server had committed to before this client gave its random bytes for a game."""

    number: int
    commitment: str
    bytes: str
    is_kept: bool = False
    """Whether the server has accepted the bytes."""


def promise_for(fair: Fair) -> Promise:
    """New random bytes, with the commitment that the server shows."""
    return Promise(fair.number, fair.commitment, secrets.token_bytes(BYTES_EACH).hex())


def check(record: dict[str, Any], table: str, promise: Promise | None) -> str:
    """Says what was checked; Error if the deal was not fair."""
    fuda.verify(record)
    fair = record["fair"]
    if fair["table"] != table:
        raise fuda.Error(f"The record is of table {fair['table']}, not of {table}.")
    checked = "The cards were dealt as the secret and the players' random bytes decide"
    if promise is None or promise.number != fair["number"]:
        return f"{checked}. What was promised before the deal was not seen from here."
    if fair["commitment"] != promise.commitment:
        raise fuda.Error("The deal was not fair: its secret is not the one that was promised before the cards were dealt.")
    if promise.bytes in fair["bytes"].values():
        return f"{checked}; the secret is the one promised before the deal, and your own random bytes were used."
    if promise.is_kept:
        raise fuda.Error("The deal was not fair: your own random bytes were taken, but not used.")
    return f"{checked}, and the secret is the one promised before the deal. Your own bytes came too late to count."
