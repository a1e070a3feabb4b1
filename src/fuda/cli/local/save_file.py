"""The file in which a local game is saved."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

import fuda
from fuda.cli.table import saved_games
from fuda.cli.table.seating import Seating
from fuda.transcripts import transcript_of


class SaveFile:
    """Saves a game to one path, which the player can change."""

    def __init__(self, path: Path, seating: Seating) -> None:
        self.path = path
        self.seating = seating

    def autosave(self, game: fuda.Game) -> None:
        """Saves after every decision of a person, so that not even a power cut loses the game."""
        with contextlib.suppress(OSError):  # at the end other folders are tried
            saved_games.write(self.path, game.record(), self.seating)

    def save_as(self, game: fuda.Game, name: str) -> str:
        """Saves under this name from now on; returns what to tell the player."""
        try:
            path = saved_games.path_from(name) if name else self.path
            self.path = saved_games.write_to_first([path], game.record(), self.seating)
        except fuda.Error as error:
            return str(error)
        return f"Saved in {path}"

    def save_at_end(self, game: fuda.Game) -> Path:
        """Saves the game, when it is over with its transcript; in another folder if this one is not writable."""
        paths = [self.path, Path.cwd() / self.path.name, Path(tempfile.gettempdir()) / self.path.name]
        record = game.record()
        if game.over:
            record["transcript"] = transcript_of(record)
        return saved_games.write_to_first(paths, record, self.seating)
