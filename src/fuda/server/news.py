"""The messages about a table for one viewer: only what that seat, or a spectator, may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from fuda.engine.rulebook import Rulebook
from fuda.game import words_in
from fuda.protocol import messages
from fuda.protocol.parts import Ask, Chair, Fair, GameNews, Note, Seat, TableState, Told, View
from fuda.server import entries
from fuda.server.entries import AnyEntry
from fuda.server.table import RecentEvent, Table

MOST_MOVES: Final = 300
"""If there are more legal moves than this, only their words are sent."""
OF_THE_GAME: Final = (entries.Started, entries.Played, entries.Answered)
OF_THE_TABLE: Final = (
    entries.Opened,
    entries.Sat,
    entries.Left,
    entries.ChairSet,
    entries.Swapped,
    entries.Configured,
    entries.BytesGiven,
    entries.Starting,
    entries.Started,
    entries.PlayedFor,
    entries.Returned,
    entries.Reopened,
    entries.Closed,
)

WHAT: Final[dict[type[AnyEntry], messages.What]] = {
    entries.Opened: "opened",
    entries.Sat: "sat",
    entries.Left: "left",
    entries.ChairSet: "furnished",
    entries.Swapped: "swapped",
    entries.Configured: "configured",
    entries.BytesGiven: "luck",
    entries.Starting: "starting",
    entries.Started: "started",
    entries.Played: "played",
    entries.Answered: "answered",
    entries.PlayedFor: "played for",
    entries.Returned: "returned",
    entries.Spoke: "said",
    entries.CodeMade: "device",
    entries.Claimed: "device",
    entries.Reopened: "reopened",
    entries.Closed: "closed",
}

# The table ----------------------------------------------------------------------------------------


def state_of(table: Table, viewer: Seat | None) -> TableState:
    return TableState(
        id=table.id,
        game=table.game_id,
        options=table.options,
        chairs=[chair_of(table, seat) for seat in table.seats],
        phase=table.phase,
        number=table.number,
        public=table.public,
        pace=table.pace,
        chat=table.chat,
        fair=fair_of(table),
        invite=table.invite if viewer is not None else "",
        why_closed=table.why_closed,
        ended=table.ended,
    )


def chair_of(table: Table, seat: Seat) -> Chair:
    state = table.seats[seat]
    if state.is_person:
        return Chair(seat, "person", state.name, played_for=state.is_played_for, host=seat == table.host)
    if state.is_bot:
        return Chair(seat, "bot", table.name_at(seat), state.occupancy)
    return Chair(seat, "closed" if state.occupancy == "closed" else "open", table.name_at(seat) if table.game else "")


def fair_of(table: Table) -> Fair:
    """The secret is shown only when the game is over, or was closed early."""
    fair = table.fair(with_secret=table.is_revealed)
    return Fair(table.number, fair["commitment"], fair["bytes"], fair.get("secret", ""))


# The game -----------------------------------------------------------------------------------------


def news_of(table: Table, viewer: Seat | None, first: int, seconds: float | None) -> GameNews:
    """The game as this viewer may know it, with the notes of its history from number `first` on."""
    game = table.game
    assert game is not None
    questions = table.questions
    view = game.view(viewer, first)
    notes = view.pop("history")
    return GameNews(
        number=table.number,
        first=first,
        notes=notes,
        turn=len(game.played),
        asked=questions.asked,
        answered=questions.answered(game),
        seconds=seconds,
        view=view,
        told=caption_facts(game.rules, view),
        ask=None if viewer is None else ask_of(table, viewer, view, seconds),
        chain=table.chain.hex(),
    )


def caption_facts(rules: Rulebook[Any], view: View) -> Told:
    """The facts for fields that have captions; most games have none."""
    captions = rules.captions()
    return (
        {field: told for field in captions if field in view and (told := rules.caption_facts(field, view))}
        if captions
        else {}
    )


def ask_of(table: Table, seat: Seat, view: dict[str, Any], seconds: float | None) -> Ask | None:
    """What the seat is asked; the question is in its view, unless others are asked before it."""
    game = table.game
    assert game is not None
    asked = table.questions.game_for(game, seat)
    if asked is None:
        return None
    moves = asked.moves()
    question = (view if asked is game else asked.view(seat, asked.note_count))["question"]
    is_many = len(moves) > MOST_MOVES
    return Ask(
        since=table.questions.since[seat],
        question=question,
        moves=[] if is_many else moves,
        words=words_in(moves) if is_many else [],
        seconds=seconds,
        reaction=asked.is_reaction,
    )


def redacted_record(table: Table, seat: Seat) -> dict[str, Any]:
    """What a seat may know of a game that is still being played."""
    game = table.game
    assert game is not None
    return {"redacted": seat, "moves": len(game.played), "view": game.view(seat), "fair": table.fair(with_secret=False)}


# Events -------------------------------------------------------------------------------------------


def welcome_of(table: Table, viewer: Seat | None, here: list[Seat], seconds: float | None) -> messages.Welcome:
    return messages.Welcome(
        version=table.version,
        table=state_of(table, viewer),
        here=here,
        you=viewer,
        game=news_of(table, viewer, 0, seconds) if table.game else None,
        said=[*table.said],
    )


def events_of(
    table: Table, events: list[RecentEvent], viewer: Seat | None, seconds: float | None, is_all: bool
) -> list[messages.Event]:
    """The latest events, as this viewer may know them."""
    firsts = [table.noted_before(event) for event in events]
    # Only once for all of them, as it takes time in proportion to the length of the history.
    notes = table.game.view(viewer, firsts[0])["history"] if table.game is not None and len(events) > 1 else []
    return [
        event_of(table, event, viewer, first, seconds, is_all, notes[first - firsts[0] : event.noted - firsts[0]])
        for event, first in zip(events, firsts, strict=True)
    ]


def event_of(
    table: Table,
    event: RecentEvent,
    viewer: Seat | None,
    first: int,
    seconds: float | None,
    is_all: bool,
    notes: Sequence[Note] = (),
) -> messages.Event:
    """What happened, as this viewer may know it; `is_all`: with the whole table, not only what the event changed.

    `notes` are those of the event, which begin with number `first`; they are not needed for the last event.
    """
    entry = event.entry
    is_last = event.version == table.version
    state, game = None, None
    if is_last and (is_all or isinstance(entry, OF_THE_TABLE) or table.is_finished):
        state = state_of(table, viewer)
    if table.game is not None and is_last and (is_all or isinstance(entry, OF_THE_GAME)):
        game = news_of(table, viewer, first, seconds)
    elif notes:
        game = GameNews(table.number, first, [*notes])
    return messages.Event(
        version=event.version,
        what=WHAT[type(entry)],
        seat=seat_in(entry),
        by=mover_of(entry),
        table=state,
        game=game,
        line=event.line,
    )


def seat_in(entry: AnyEntry) -> Seat | None:
    """The seat of the event, if everyone may know it: not who of several has answered."""
    match entry:
        case entries.Answered() | entries.CodeMade():
            return None
        case (
            entries.Sat()
            | entries.Left()
            | entries.ChairSet()
            | entries.Swapped()
            | entries.BytesGiven()
            | entries.Played()
            | entries.PlayedFor()
            | entries.Returned()
            | entries.Spoke()
            | entries.Claimed()
        ):
            return entry.seat
    return None


def mover_of(entry: AnyEntry) -> entries.Mover | None:
    if not isinstance(entry, entries.Played):
        return None
    return "person" if entry.quiet and entry.by == "clock" else entry.by
