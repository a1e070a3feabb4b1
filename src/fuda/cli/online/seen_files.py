"""What was seen of games at online tables, saved on this machine, so that their records can be checked later."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import msgspec

import fuda
from fuda.client import Link, Seen, Ticket
from fuda.folders import data_folder, replace_file
from fuda.verification import seen_from


def folder() -> Path:
    return data_folder() / "seen"


def server_slug(server: str) -> str:
    """A server's address as part of the name of a file."""
    return re.sub(r"\W+", "-", server.partition("://")[2])


class SeenFiles:
    """One file for each game, for the seat of a ticket, or for a spectator."""

    def __init__(self, target: Ticket | Link) -> None:
        self.table = target.table
        self.start = f"{server_slug(target.server)}-{target.table}"
        self.end = target.seat if isinstance(target, Ticket) else "watching"
        self.saved: dict[int, Seen] = {}

    def path(self, number: int) -> Path:
        return folder() / f"{self.start}-{number}-{self.end}.json"

    def load(self) -> list[Seen]:
        """What was seen on earlier visits."""
        found = [read_or_none(path) for path in folder().glob(f"{self.start}-*-{self.end}.json")]
        self.saved = {seen.number: seen for seen in found if seen is not None and seen.table == self.table}
        return [*self.saved.values()]

    def save(self, games: dict[int, Seen]) -> None:
        for number, seen in [*games.items()]:  # the client may add another meanwhile
            if self.saved.get(number) != seen:
                self.saved[number] = seen
                with contextlib.suppress(OSError):  # then only this session can check the game
                    path = self.path(number)
                    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                    replace_file(path, msgspec.json.encode(seen))


def read(path: Path) -> Seen:
    try:
        return seen_from(path.read_bytes())
    except OSError as error:
        raise fuda.Error(f"It cannot be read: {error.strerror or error}.") from error


def read_or_none(path: Path) -> Seen | None:
    try:
        return read(path)
    except fuda.Error:
        return None


def find(table: str, number: int) -> dict[Path, Seen]:
    """What was seen on this machine of this game, by file."""
    found = {path: read_or_none(path) for path in sorted(folder().glob("*.json"))}
    return {path: seen for path, seen in found.items() if seen is not None and (seen.table, seen.number) == (table, number)}
