"""The end of an online game: its result, its record, and whether it was fair."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

import fuda
from fuda.cli.online.connection import Connection
from fuda.cli.online.online_table import OnlineTable
from fuda.cli.online.seen_files import SeenFiles
from fuda.cli.table.score import game_result
from fuda.client import Verdict


class GameEnd:
    """Checks a game that has ended once."""

    def __init__(self, connection: Connection, online: OnlineTable, files: SeenFiles) -> None:
        self.connection = connection
        self.online = online
        self.files = files
        self.fairness = ""
        """Whether the game was fair; empty if not checked yet."""

    def result(self, width: int) -> list[RenderableType]:
        table = self.online.table
        return [game_result(table.game, table.names, table.looks, width), Text(), *self.deal_lines()]

    def deal_lines(self) -> list[Text]:
        lines = [
            f"The record: {self.online.record_address}",
            self.check_deal(),
            f"What you saw, for fuda verify: {self.files.path(self.online.known.number)}",
        ]
        return [Text(line, "dim") for line in lines]

    def check_deal(self) -> str:
        if not self.fairness:
            client = self.connection.client
            try:
                self.fairness = summary(client.check(self.connection.run(client.record(self.online.known.number))))
            except fuda.Error as error:
                self.fairness = f"Not proven to be fair: the game could not be checked. {error}"
        return self.fairness


def summary(verdict: Verdict) -> str:
    """The verdict without the long numbers."""
    if verdict.wrong:
        return f"This game was not fair! {verdict.wrong}"
    if verdict.missing:
        return " ".join(f"Not proven to be fair: {sentence}" for sentence in verdict.missing)
    return " ".join(["Proven to be fair.", *verdict.checked[2:], *verdict.unknown])
