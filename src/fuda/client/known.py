"""What a client knows of its table; each message of the server gives a new version of it."""

from __future__ import annotations

import time
from typing import Any, Final

import msgspec

import fuda
from fuda.protocol.messages import Event, Here, Sealed, Welcome
from fuda.protocol.parts import Ask, GameNews, Line, Note, Seat, TableState, View

MOST_SAID: Final = 200
"""How many chat messages are kept."""


class Gap(Exception):
    """A message was missed."""


class Known(msgspec.Struct, frozen=True):
    """All that is known at one moment. It never changes, nor do the views in it."""

    version: int
    """The number of the last event at the table."""
    table: TableState
    you: Seat | None
    """The player's own seat; None for a spectator."""
    here: list[Seat]
    """Who is connected."""
    watching: int = 0
    acting_host: Seat | None = None
    """Who acts as host, as the server last told; None if it has not told yet."""
    said: list[Line] = []
    number: int = 0
    """The number of the game that the view shows; 0 if there has been none."""
    view: View | None = None
    """All that the player's own seat may know of that game, with its whole history."""
    turn: int = 0
    """How many moves have been made."""
    asked: list[Seat] = []
    """Who is asked now; several if they are asked at the same time."""
    answered: int = 0
    """How many of those have answered already."""
    ask: Ask | None = None
    """What the player's own seat is asked."""
    until: float | None = None
    """The deadline, by `time.monotonic()`; None if there is none."""

    @property
    def noted(self) -> int:
        return 0 if self.view is None else len(self.view["history"])

    @property
    def host(self) -> Seat | None:
        """Who may start the game and change chairs: the host, unless disconnected for a while."""
        return self.acting_host or next((chair.seat for chair in self.table.chairs if chair.host), None)

    @property
    def seconds(self) -> float | None:
        """The time left to answer."""
        return None if self.until is None else max(0.0, self.until - time.monotonic())

    @property
    def own_view(self) -> View:
        """The view with the question to the player's own seat, also if others are asked before it."""
        assert self.view is not None, "there is no game"
        return self.view if self.ask is None else {**self.view, "seat": self.you, "question": self.ask.question}


def from_welcome(welcome: Welcome) -> Known:
    known = Known(
        version=welcome.version,
        table=welcome.table,
        you=welcome.you,
        here=welcome.here,
        said=welcome.said[-MOST_SAID:],
    )
    return known if welcome.game is None else with_news(known, welcome.game)


def after_event(known: Known, event: Event) -> Known:
    """What is known after the next event; the same object if the event is old; Gap if one was missed."""
    if event.version <= known.version:
        return known
    if event.version != known.version + 1:
        raise Gap(f"After version {known.version} comes {event.version}.")
    changes: dict[str, Any] = {"version": event.version}
    if event.table is not None:
        changes["table"] = event.table
        if event.table.phase in ("open", "starting", "closed"):
            changes |= {"asked": [], "answered": 0, "ask": None, "until": None}
    if event.line is not None:
        changes["said"] = [*known.said, event.line][-MOST_SAID:]
    changed = msgspec.structs.replace(known, **changes)
    return changed if event.game is None else with_news(changed, event.game)


def with_news(known: Known, news: GameNews) -> Known:
    """With what is new in the game. News without a view are followed by news with one."""
    history: list[Note] = known.view["history"] if known.view is not None and known.number == news.number else []
    if news.first > len(history):
        raise Gap(f"After {len(history)} notes come those from {news.first} on.")
    history = [*history[: news.first], *news.notes]
    if news.view is None:
        return msgspec.structs.replace(known, number=news.number, view={**(known.view or {}), "history": history})
    return msgspec.structs.replace(
        known,
        number=news.number,
        view={**news.view, "history": history},
        turn=news.turn,
        asked=news.asked,
        answered=news.answered,
        ask=news.ask,
        until=None if news.seconds is None else time.monotonic() + news.seconds,
    )


def with_presence(known: Known, here: Here) -> Known:
    return msgspec.structs.replace(known, here=here.seats, watching=here.watching, acting_host=here.host)


def after_answer(known: Known, sealed: Sealed) -> Known:
    """Without the question, if the answer to it was accepted."""
    is_asked = known.ask is not None and known.ask.since == sealed.since
    return msgspec.structs.replace(known, ask=None) if is_asked else known


def moves_in(known: Known) -> list[str]:
    """The legal moves of the player's own seat; none if it is not asked."""
    if known.ask is None:
        return []
    # If they are too many to be sent, they follow from the view.
    return known.ask.moves or fuda.redeal(known.own_view, 0).moves()
