"""A table as its log has made it. Nothing here waits, sends or stores."""

from __future__ import annotations

from collections import deque
from copy import copy as copy_of
from typing import Any, Final

import msgspec

import fuda
from fuda.bots.seating import DEFAULT_NAMES
from fuda.engine.fair import chain_after, chain_start, commitment_of, key_of
from fuda.engine.seats import SEATS
from fuda.game import Attempt
from fuda.protocol.parts import EVERY_SEAT, Line, Pace, Phase, Seat
from fuda.server import entries
from fuda.server.denials import Denial
from fuda.server.entries import AnyEntry, Logged
from fuda.server.old_games import OldGame
from fuda.server.questions import Questions

MOST_EVENTS: Final = 200
"""How many of the latest events can be sent again to clients that missed them."""
MOST_LATE: Final = 2
"""After this many questions in a row without an answer in time a bot plays for a person."""
MOST_LINES: Final = 50
"""How many lines of chat are shown to those who come."""
MOST_CHAT: Final = 200
"""If a log has more entries of chat, all but the latest MOST_LINES are deleted."""
MOST_MOVES_HANDLED: Final = 400
MOST_HANDLED: Final = 4000
"""How many of the latest moves, and of other messages, are recognised when they are sent again."""


class Handled(msgspec.Struct, frozen=True, gc=False):
    """A message of a client that was carried out."""

    version: int
    """What it led to."""
    digest: str
    """Empty in logs of older versions of Fuda."""


class SeatState:
    """Who sits at a seat: a person, a bot, or nobody."""

    def __init__(self, occupancy: str) -> None:
        self.occupancy = occupancy
        """open, closed, or the kind of bot; open also if a person sits there."""
        self.name = ""
        self.token = ""
        """The hash of the token that proves who sits there; empty if no person does."""
        self.request = ""
        """The hash of the id of the request with which the seat was taken."""
        self.is_played_for = False
        self.late = 0
        """How many questions in a row the person did not answer in time."""

    @property
    def is_person(self) -> bool:
        return bool(self.token)

    @property
    def is_idle(self) -> bool:
        """Whether a bot should play for the person, who does not answer in time."""
        return self.is_person and not self.is_played_for and self.late >= MOST_LATE

    @property
    def is_open(self) -> bool:
        return self.occupancy == "open" and not self.token

    @property
    def is_bot(self) -> bool:
        return not self.token and self.occupancy not in ("open", "closed")

    def sit(self, entry: entries.Sat) -> None:
        self.occupancy = "open"
        self.name = entry.name
        self.token = entry.token
        self.request = entry.request
        self.is_played_for = False
        self.late = 0

    def remove_person(self, occupancy: str) -> None:
        self.occupancy = occupancy
        self.name = self.token = self.request = ""
        self.is_played_for = False


class RecentEvent(msgspec.Struct, frozen=True, gc=False):
    """An event that can be sent again to clients that missed it."""

    version: int
    number: int
    """Which game at the table."""
    noted: int
    """How many notes the history of the game had."""
    entry: AnyEntry
    line: Line | None


class Table:
    def __init__(self, table: str) -> None:
        self.id = table
        self.length = 0
        """How many entries the log has."""
        self.version = 0
        """How many of them everyone has been told of: all but sealed answers."""
        self.phase: Phase = "open"
        self.game_id = ""
        self.options: dict[str, Any] = {}
        self.seats: dict[Seat, SeatState] = {}
        self.sitting: list[str] = []
        """The tokens of the people at the table, in the order in which they came; the first is the host."""
        self.left: dict[str, Seat] = {}
        """The tokens of those who left the current game, and the seat whose cards they have seen."""
        self.public = False
        self.pace: Pace = "normal"
        self.chat = True
        self.invite = ""
        self.number = 1
        self.secret = ""
        self.bytes: dict[Seat, str] = {}
        self.starting_since = 0.0
        self.rules = ""
        """The version of the rules under which the game was dealt."""
        self.key = b""
        """The key of the game, from which its luck comes."""
        self.chain = b""
        """The chain over the moves of the game."""
        self.game: fuda.Game | None = None
        self.old_game: OldGame | None = None
        """The game, if it follows a version of the rules that this server does not have; `game` is None then."""
        self.ended = ""
        """The version of the rules of the game before, if it was ended because the server has another."""
        self.questions = Questions()
        self.codes: dict[Seat, entries.CodeMade] = {}
        self.why_closed = ""
        self.opened = 0.0
        self.changed = 0.0
        self.last_record = 0
        """The number of the last game that has a record."""
        self.entry_count = 0
        """How many entries the log has, those of chat included."""
        self.chat_count = 0
        self.recent_events: deque[RecentEvent] = deque(maxlen=MOST_EVENTS)
        self.said: deque[Line] = deque(maxlen=MOST_LINES)
        self.handled: dict[str, Handled] = {}
        """The recent messages of clients, by their ids."""
        self.recent_ids: dict[bool, deque[str]] = {True: deque(), False: deque()}
        """The ids of handled messages, oldest first: moves (True), and everything else."""
        self.skip_games_before = 0
        """Games with a lower number are not replayed when a table is read from its log."""

    # Who sits where -----------------------------------------------------------------------------

    def seat_of(self, token: str) -> Seat | None:
        """The seat of this hashed token."""
        if token:
            for seat, state in self.seats.items():
                if state.token == token:
                    return seat
        return None

    @property
    def host(self) -> Seat | None:
        return self.seat_of(self.sitting[0]) if self.sitting else None

    @property
    def people(self) -> list[Seat]:
        return [seat for seat, state in self.seats.items() if state.is_person]

    @property
    def has_one_person(self) -> bool:
        """Whether one person plays with bots, so that there is nobody from whom their answers must be hidden."""
        return len(self.people) == 1

    def name_at(self, seat: Seat) -> str:
        """The name of the person or bot there; a bot is given one that nobody else has."""
        state = self.seats[seat]
        if state.is_person:
            return state.name
        name = DEFAULT_NAMES[SEATS.index(seat)]
        others = {other.name.casefold() for other in self.seats.values()}
        candidates = [name, f"{name} (bot)", *(f"{name} (bot {number})" for number in range(2, 10))]
        return next(candidate for candidate in candidates if candidate.casefold() not in others)

    def is_played_by_bot(self, seat: Seat) -> bool:
        state = self.seats[seat]
        return not state.is_person or state.is_played_for

    # Entries -------------------------------------------------------------------------------

    def apply(self, logged: Logged, attempt: Attempt | None = None) -> None:
        """Applies the next entry of the log; for a move, `attempt` is its result if it is already known."""
        deleted = logged.number - self.length - 1
        assert deleted >= 0, f"{self.id}: entry {logged.number} after {self.length}"
        if deleted:  # it was old chat; those who missed it need a welcome
            self.recent_events.clear()
        self.length = logged.number
        self.entry_count += 1
        self.changed = logged.at
        entry = logged.entry
        is_sealed = isinstance(entry, entries.Answered) and entry.sealed
        self.version += deleted + (not is_sealed)
        line = None
        match entry:
            case entries.Opened():
                self.opened = logged.at
                self.open(entry)
            case entries.Sat():
                self.seats[entry.seat].sit(entry)
                self.sitting.append(entry.token)
            case entries.Left():
                if self.phase == "playing":
                    self.left[self.seats[entry.seat].token] = entry.seat
                self.vacate(entry.seat, "open")
            case entries.ChairSet():
                self.vacate(entry.seat, entry.to)
                self.invite = entry.invite or self.invite
            case entries.Swapped():
                self.swap(entry.seat, entry.other)
            case entries.Configured():
                self.public, self.pace, self.chat = entry.public, entry.pace, entry.chat
            case entries.BytesGiven():
                self.bytes[entry.seat] = entry.bytes
            case entries.Starting():
                self.phase = "starting"
                self.starting_since = logged.at
            case entries.Started():
                self.start(entry)
            case entries.Played():
                self.play(entry, attempt)
            case entries.Answered():
                self.questions.hold(entry, self.version)
            case entries.PlayedFor():
                self.seats[entry.seat].is_played_for = True
            case entries.Returned():
                self.seats[entry.seat].is_played_for = False
                self.seats[entry.seat].late = 0
            case entries.Spoke():
                line = Line(entry.seat, self.name_at(entry.seat), entry.text, entry.reaction)
                self.said.append(line)
                self.chat_count += 1
            case entries.CodeMade():
                self.codes[entry.seat] = msgspec.structs.replace(entry, until=entry.until - logged.ahead)
            case entries.Claimed():
                self.change_token(entry)
            case entries.Reopened():
                self.reopen(entry)
            case entries.Closed():
                if self.phase in ("playing", "over"):
                    self.last_record = self.number
                self.phase = "closed"
                self.why_closed = entry.why
        if isinstance(entry, entries.Started | entries.Played):
            self.questions.at = logged.at
            self.questions.due = None if entry.due is None else entry.due - logged.ahead
        if not is_sealed:
            self.recent_events.append(RecentEvent(self.version, self.number, self.noted, entry, line))
        if entry.id:
            self.note_handled(entry)

    def note_handled(self, entry: AnyEntry) -> None:
        """Keeps the id of the message, so that it acts only once; a very old move is denied as too late anyway."""
        is_move = isinstance(entry, entries.Played | entries.Answered)
        ids = self.recent_ids[is_move]
        if entry.id not in self.handled:
            ids.append(entry.id)
        self.handled[entry.id] = Handled(self.version, entry.digest)
        if len(ids) > (MOST_MOVES_HANDLED if is_move else MOST_HANDLED):
            del self.handled[ids.popleft()]

    def open(self, entry: entries.Opened) -> None:
        self.game_id = entry.game
        self.options = entry.options
        self.public, self.pace, self.chat = entry.public, entry.pace, entry.chat
        self.invite = entry.invite
        self.secret = entry.secret
        self.seats = {seat: SeatState(chair) for seat, chair in zip(seats_of(len(entry.chairs)), entry.chairs, strict=True)}

    def vacate(self, seat: Seat, occupancy: str) -> None:
        state = self.seats[seat]
        if state.token in self.sitting:
            self.sitting.remove(state.token)
        state.remove_person(occupancy)
        if self.phase in ("open", "starting"):
            self.bytes.pop(seat, None)  # after the deal they belong to the record
        self.codes.pop(seat, None)

    def swap(self, seat: Seat, other: Seat) -> None:
        self.seats[seat], self.seats[other] = self.seats[other], self.seats[seat]
        for kept in (self.bytes, self.codes):
            swap_keys(kept, seat, other)

    def change_token(self, entry: entries.Claimed) -> None:
        state = self.seats[entry.seat]
        self.sitting = [entry.token if token == state.token else token for token in self.sitting]
        state.token = entry.token
        state.request = entry.request
        self.codes.pop(entry.seat, None)

    def check_not_closed(self) -> None:
        if self.phase == "closed":
            raise Denial("closed", f"This table is {self.why_closed}.")

    def reopen(self, entry: entries.Reopened) -> None:
        self.phase = "open"
        if not entry.ended:
            self.last_record = self.number
        self.number += 1
        self.secret = entry.secret
        self.bytes = {}
        self.left = {}
        self.game = self.old_game = None
        self.ended = entry.ended
        self.questions = Questions()

    def after(self, logged: Logged) -> Table:
        """A copy of this table after an entry that is not a move; without its game, unless the entry starts one."""
        copy = Table(self.id)
        copy.__dict__ |= self.__dict__ | {
            "seats": {seat: copy_of(state) for seat, state in self.seats.items()},
            "sitting": [*self.sitting],
            "bytes": {**self.bytes},
            "left": {**self.left},
            "codes": {**self.codes},
            "game": None,
            "recent_events": deque(),
            "said": deque(),
            "handled": {},
            "recent_ids": {True: deque(), False: deque()},
            # A deal can end a game, so it is carried out.
            "skip_games_before": self.number + (not isinstance(logged.entry, entries.Started)),
        }
        copy.apply(logged)
        return copy

    # The game -----------------------------------------------------------------------------------

    @property
    def noted(self) -> int:
        return 0 if self.game is None else self.game.note_count

    def new_game(self) -> fuda.Game:
        """The next game, dealt."""
        return fuda.new(self.game_id, len(self.seats_in_game()), self.new_key(), self.options)

    def new_key(self) -> bytes:
        moved = self.seats_in_game()
        given: dict[str, bytes] = {
            moved[seat]: bytes.fromhex(digits) for seat, digits in self.bytes.items() if seat in moved
        }
        return key_of(bytes.fromhex(self.secret), self.id, self.number, given)

    def seats_in_game(self) -> dict[Seat, Seat]:
        """The seat in the game of each seat that is not closed: those after a closed one move up."""
        seats = [seat for seat, state in self.seats.items() if state.occupancy != "closed"]
        return dict(zip(seats, seats_of(len(seats)), strict=True))

    def start(self, entry: entries.Started) -> None:
        """Starts the game, without the closed seats."""
        if self.number >= self.skip_games_before:
            if fuda.rulebook(self.game_id).can_replay(entry.rules):
                self.game = game = self.new_game()
                self.check_outcomes(game, entry.chance, 0)
                self.rules = entry.rules
                self.key = self.new_key()
                self.chain = chain_start(self.key, self.game_id, self.rules, game.state.players, game.options)
            else:
                self.old_game = OldGame(entry.rules, len(self.seats_in_game()), [*entry.chance], [])
        self.ended = ""
        moved = self.seats_in_game()
        self.seats = {moved[seat]: self.seats[seat] for seat in moved}
        self.bytes = {moved[seat]: digits for seat, digits in self.bytes.items() if seat in moved}
        self.codes = {moved[seat]: code for seat, code in self.codes.items() if seat in moved}
        self.phase = "playing"
        if self.game is not None:
            self.end_if_over(self.game)
            self.questions.ask(self.game, self.version, entry.due)

    def attempt(self, entry: entries.Played) -> Attempt:
        """Plays the move on a copy, so that its outcomes are known before it is logged."""
        assert self.game is not None
        return self.game.attempt(entry.move, entry.seat)

    def play(self, entry: entries.Played, attempt: Attempt | None) -> None:
        game = self.game
        if self.old_game is not None:
            self.old_game.play(entry)
        if game is None:
            return
        self.count_late(entry)
        if attempt is not None:
            game.adopt(attempt)
        else:
            before = game.outcome_count
            game.play(entry.move, entry.seat)
            self.check_outcomes(game, entry.chance, before)
        self.chain = chain_after(self.key, self.chain, entry.move)
        self.questions.advance(game, self.version, entry)
        self.end_if_over(game)

    def end_if_over(self, game: fuda.Game) -> None:
        if game.over:
            self.phase = "over"
            self.last_record = self.number

    def count_late(self, entry: entries.Played) -> None:
        state = self.seats[entry.seat]
        if not entry.quiet:
            state.late = state.late + 1 if entry.by == "clock" else 0

    def check_outcomes(self, game: fuda.Game, logged: tuple[Any, ...], before: int) -> None:
        if game.outcomes(before) != [*logged]:
            raise fuda.Error(f"Table {self.id}, entry {self.length}: the outcomes differ from the log.")

    @property
    def is_finished(self) -> bool:
        """Whether the game is over; also after the table was closed."""
        if self.old_game is not None:
            return self.phase == "over"
        return self.game is not None and self.game.over

    @property
    def is_revealed(self) -> bool:
        """Whether all of the game, and its secret, may be shown: it is over, or was dealt and then closed early."""
        is_dealt = self.game is not None or self.old_game is not None
        return self.is_finished or (is_dealt and self.phase == "closed")

    # Recent events ------------------------------------------------------------------------------

    def forget_chat(self, count: int) -> None:
        """So many entries of chat have been deleted from the log."""
        self.chat_count -= count
        self.entry_count -= count

    def events_since(self, version: int) -> list[RecentEvent] | None:
        """The events after this version; None if they are no longer known, or began in an earlier game."""
        recent = self.recent_events
        count = self.version - version
        # The event before them is needed, too: it tells how many notes there were.
        if count and (count >= len(recent) or recent[-count].number != self.number):
            return None
        return [recent[at] for at in range(-count, 0)]

    def noted_before(self, event: RecentEvent) -> int:
        """How many notes the history of the game had before this event."""
        recent = self.recent_events
        at = event.version - recent[0].version - 1
        return 0 if at < 0 or recent[at].number != event.number else recent[at].noted

    # Records ------------------------------------------------------------------------------------

    def record(self) -> dict[str, Any]:
        """The complete game, with what its outcomes were computed from."""
        fair = self.fair(with_secret=True)
        if self.old_game is not None:
            return self.old_game.record(self.game_id, self.options) | {"fair": fair}
        assert self.game is not None
        # The rules that were in force at the deal are in the chain.
        return self.game.record() | {
            "rules": self.rules,
            "fair": fair | {"chain": self.chain.hex(), "lots": self.game.lots()},
        }

    def fair(self, with_secret: bool) -> dict[str, Any]:
        secret = bytes.fromhex(self.secret)
        fair: dict[str, Any] = {
            "table": self.id,
            "number": self.number,
            "commitment": commitment_of(secret, self.id, self.number),
            "bytes": {**self.bytes},
        }
        return fair | {"secret": self.secret} if with_secret else fair


def seats_of(players: int) -> list[Seat]:
    return EVERY_SEAT[:players]


def swap_keys(kept: dict[Seat, Any], one: Seat, other: Seat) -> None:
    first, second = kept.pop(one, None), kept.pop(other, None)
    if second is not None:
        kept[one] = second
    if first is not None:
        kept[other] = first
