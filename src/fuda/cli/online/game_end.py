"""The end of an online game: its result, its record, and whether the deal was fair."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

import fuda
from fuda.cli.online.connection import Connection
from fuda.cli.online.online_table import OnlineTable
from fuda.cli.table.score import game_result


class GameEnd:
    """Checks the deal of a finished game once."""

    def __init__(self, connection: Connection, online: OnlineTable) -> None:
        self.connection = connection
        self.online = online
        self.fairness = ""
        """Whether the cards were dealt as promised; empty if not checked yet."""

    def result(self, width: int) -> list[RenderableType]:
        table = self.online.table
        lines = [Text(f"The record: {self.online.record_address}", "dim"), Text(self.check_deal(), "dim")]
        return [game_result(table.game, table.names, table.looks, width), Text(), *lines]

    def check_deal(self) -> str:
        if not self.fairness:
            client = self.connection.client
            try:
                self.fairness = client.check(self.connection.run(client.record(self.online.known.number)))
            except fuda.Error as error:
                self.fairness = f"Could not check whether the deal was fair: {error}"
        return self.fairness
