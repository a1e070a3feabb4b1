"""An online table: what the client knows of it, and how it is shown."""

from __future__ import annotations

from fuda.cli.online.game import OnlineGame, chair_labels, seating_from_chairs
from fuda.cli.table.table import Table
from fuda.client import Known, Link, Ticket


class OnlineTable:
    """The latest state of the table that has been processed here."""

    def __init__(self, target: Ticket | Link, known: Known, family: bool) -> None:
        self.target = target
        self.known = known
        self.table = Table(OnlineGame(known), seating_from_chairs(known), family)
        self.table.labels = chair_labels(known)

    def update(self, known: Known) -> None:
        self.known = known
        self.table.game = OnlineGame(known)
        self.table.seating = seating_from_chairs(known)
        self.table.labels = chair_labels(known)

    @property
    def has_game(self) -> bool:
        """Whether a game is being played or has just ended."""
        return self.known.table.phase not in ("open", "starting") and self.known.view is not None

    @property
    def is_before_game(self) -> bool:
        return self.known.table.phase in ("open", "starting")

    @property
    def is_host(self) -> bool:
        return self.known.you is not None and self.known.host == self.known.you

    @property
    def link(self) -> str:
        """The invitation, as far as this player may see it."""
        return str(Link(self.target.server, self.target.table, self.known.table.invite))

    @property
    def record_address(self) -> str:
        return f"{self.target.server}/r/{self.target.table}/{self.known.number}"
