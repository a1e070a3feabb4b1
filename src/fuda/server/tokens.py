"""Random tokens and secrets; tokens are stored only as hashes."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

TABLE_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that cannot be confused."""


def new_table() -> str:
    return "".join(secrets.choice(TABLE_LETTERS) for _ in range(9))


def new_token() -> str:
    """Proves who sits at a seat, or may take one: 128 random bits."""
    return secrets.token_hex(16)


def new_secret() -> str:
    """The secret from which, with the players' bytes, a game's shuffles are computed."""
    return secrets.token_hex(32)


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def same(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode(), other.encode())
