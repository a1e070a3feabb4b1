"""The frame audit: compares all that a client received with what its seat could know at that moment."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

import fuda
from fuda.protocol import messages
from fuda.protocol.parts import Ask, GameNews, Seat
from fuda.server import entries
from fuda.server.entries import Logged
from fuda.server.table import Table
from tests.server.clients import Client

SERVER_SAYS: Final = msgspec.json.Decoder(messages.FromServer)
ENCODER: Final = msgspec.json.Encoder()
MOST_MOVES: Final = 300
REDEALT_EVERY: Final = 8
"""How often it is also checked that the legal moves follow from what the seat knows."""


class Moment:
    """The table after one of its entries."""

    def __init__(self, table: Table, logged: Logged, before: Moment | None) -> None:
        entry = logged.entry
        self.entry = entry
        self.table = table.id
        self.phase = table.phase
        self.number = table.number
        self.seats: dict[str, Seat] = {state.token: seat for seat, state in table.seats.items() if state.token}
        self.game: fuda.Game | None = None
        if table.game is not None:
            is_news = isinstance(entry, entries.Started | entries.Played)
            self.game = table.game.clone() if is_news or before is None else before.game
        self.asked = self.game.asked() if self.game else []
        self.waiting = {seat: table.questions.moves_held(seat) for seat in table.questions.held}
        self.since = {**table.questions.since}
        self.sealed: set[Seat] = set()
        """Who has answered a reaction since then, of which nobody else is told."""
        self.is_reaction_told = isinstance(entry, entries.Answered) and table.questions.is_reaction
        self.is_from_window = before is not None and before.game is not None and before.game.is_together
        """Whether it answers a question that several could be asked at the same time."""
        self.is_early = (
            isinstance(entry, entries.Played)
            and before is not None
            and before.is_choice
            and before.answered < len(before.asked)
        )
        """Whether somebody's choice is shown before all have chosen."""

    @property
    def is_choice(self) -> bool:
        """Whether several choose all together."""
        return self.game is not None and self.game.is_together and not self.game.is_reaction and len(self.asked) > 1

    def asks(self, seat: Seat) -> fuda.Game | None:
        """The game as this seat is asked about it; None if it is not asked."""
        if self.game is None or seat not in self.asked:
            return None
        waiting = self.waiting.get(seat, [])
        if seat == self.asked[0] and not self.is_choice:
            return None if waiting else self.game
        return self.game.preview_for(seat, waiting)

    @property
    def answered(self) -> int:
        is_shown = self.game is not None and not self.game.is_reaction
        return sum(self.asks(seat) is None for seat in self.waiting) if is_shown else 0


class Audit:
    """The history of a table, with which the frames of a client are compared."""

    def __init__(self, table: str, logged: list[Logged], tokens: list[str]) -> None:
        folded = Table(table)
        self.sealed = 0
        """How many answers nobody else was told of."""
        self.moments: list[Moment] = []
        self.secrets: dict[int, str] = {}
        self.invite = ""
        self.hashes = {*tokens, *map(hashed, tokens)}
        """Tokens and their hashes, which must never be sent."""
        for one in logged:
            folded.apply(one)
            if isinstance(one.entry, entries.Answered) and one.entry.sealed:
                self.moments[-1].sealed.add(one.entry.seat)
                self.sealed += 1
                continue
            self.moments.append(Moment(folded, one, self.moments[-1] if self.moments else None))
            self.secrets[folded.number] = folded.secret
            self.invite = folded.invite
            self.hashes |= {value for name in ("token", "code") if (value := getattr(one.entry, name, ""))}
        rules = fuda.rulebook(folded.game_id)
        names = sorted(rules.cards, key=len, reverse=True)
        self.card = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w-])")
        self.known: dict[Seat | None, list[set[str]]] = {}
        self.questions = 0
        self.windows = 0
        """How many frames were sent while several were asked at the same time."""
        self.frames = 0

    def at(self, version: int) -> Moment:
        return self.moments[version - 1]

    def named(self, text: str) -> set[str]:
        return set(self.card.findall(text))

    def known_at(self, version: int, viewer: Seat | None) -> set[str]:
        """The names of all cards that this viewer's own views have shown until then, history and questions included."""
        known = self.known.setdefault(viewer, [])
        while len(known) < version:
            moment = self.at(len(known) + 1)
            before = self.at(len(known)) if known else None
            names = {*known[-1]} if known else set()
            game = moment.game
            if game is not None and (before is None or before.game is not game):
                since = before.game.note_count if before and before.game else 0
                names |= self.named(json.dumps(game.view(viewer, since)))
            asked = moment.asks(viewer) if viewer else None
            if asked is not None:
                names |= self.named(json.dumps([asked.view(viewer, asked.note_count)["question"], asked.moves()]))
            known.append(names)
        return known[version - 1]

    # Frames ---------------------------------------------------------------------------------------

    def findings(self, client: Client) -> list[str]:
        """Everything that this client should not have received."""
        token = client.cookie.partition("=")[2]
        found: list[str] = []
        version = 0
        for frame in client.frames:
            message = SERVER_SAYS.decode(frame)
            if isinstance(message, messages.Welcome | messages.Event):
                version = message.version
            viewer = self.at(version).seats.get(hashed(token)) if version else None
            self.frames += 1
            if ENCODER.encode(message).decode() != frame:
                found.append(f"a field that the protocol does not have: {frame[:200]}")
            of_frame = [*self.told(message, version, viewer), *self.words(frame, message, version, viewer, client)]
            found += [f"version {version}, to {viewer or 'a spectator'}: {one}" for one in of_frame]
        return found

    def told(self, message: messages.FromServer, version: int, viewer: Seat | None) -> Iterator[str]:
        """Errors in what a message says about the table and the game."""
        if isinstance(message, messages.Sealed):
            moment = self.at(version)
            if viewer is None or viewer not in {*moment.sealed, *moment.waiting} or message.since != moment.since[viewer]:
                yield f"an answer that is not its own: {message.since}"
        if not isinstance(message, messages.Welcome | messages.Event):
            return
        moment = self.at(version)
        if isinstance(message, messages.Welcome) and message.you != viewer:
            yield f"it is said to be {message.you}"
        if isinstance(message, messages.Event):
            if message.by == "clock" and moment.is_from_window:
                yield "the clock has answered, so there was a choice"
            if moment.is_early:
                yield "a choice is shown before all have chosen"
            if moment.is_reaction_told:
                yield "somebody has answered a reaction"
            if isinstance(moment.entry, entries.Answered) and (message.seat or message.by):
                yield f"who has answered: {message.seat}"
        if message.game is not None:
            yield from self.told_of_game(message.game, moment, viewer)

    def told_of_game(self, told: GameNews, moment: Moment, viewer: Seat | None) -> Iterator[str]:
        game = moment.game
        assert game is not None
        seen = game.view(viewer, told.first)
        history = seen.pop("history")
        if told.notes != history[: len(told.notes)]:
            yield f"notes that it cannot have: {told.notes}"
        if told.view is None:
            if told.ask or told.asked or told.answered:
                yield "what is asked, without a view"
            return
        if told.view != seen:
            differing = {name: told.view.get(name) for name in told.view if told.view.get(name) != seen.get(name)}
            yield f"a view that it cannot have: {differing}"
        facts = {name: game.rules.caption_facts(name, seen) for name in game.rules.captions() if name in seen}
        if told.told != {name: each for name, each in facts.items() if each}:
            yield f"something told that it cannot know: {told.told}"
        if (told.asked, told.answered, told.turn) != (moment.asked, moment.answered, len(game.played)):
            yield f"who is asked: {told.asked}, {told.answered} have answered, turn {told.turn}"
        self.windows += len(told.asked) > 1
        yield from self.told_to_answer(told.ask, moment, viewer)

    def told_to_answer(self, ask: Ask | None, moment: Moment, viewer: Seat | None) -> Iterator[str]:
        asked = moment.asks(viewer) if viewer else None
        if ask is None and viewer in moment.sealed:
            return
        if asked is None or viewer is None or ask is None:
            if ask is not None or asked is not None:
                yield f"a question that is {'not its own' if ask else 'missing'}: {ask}"
            return
        moves = asked.moves()
        question = asked.view(viewer, asked.note_count)["question"]
        if (ask.question, ask.since) != (question, moment.since[viewer]):
            yield f"another question than {question}: {ask.question}"
        words = {word for move in moves for word in move.split(" + ")}
        if (ask.moves or moves) != moves or {*ask.words} not in (set(), words) or bool(ask.moves) == bool(ask.words):
            yield f"other moves than {moves[:20]}: {ask.moves[:20]} {ask.words[:20]}"
        self.questions += 1
        if self.questions % REDEALT_EVERY == 0:
            assert moment.game is not None
            imagined = fuda.redeal(moment.game.view(viewer), self.questions).preview_for(
                viewer, moment.waiting.get(viewer, [])
            )
            if imagined is None or imagined.moves() != moves:
                yield f"moves that do not follow from what it knows: {moves[:20]}"

    # Bytes ----------------------------------------------------------------------------------------

    def words(
        self, frame: str, message: messages.FromServer, version: int, viewer: Seat | None, client: Client
    ) -> Iterator[str]:
        """Cards and secrets anywhere in the frame that this client may not know."""
        known = self.known_at(version, viewer) if version else set()
        own = client.sent.get(getattr(message, "id", ""), "")
        unknown = self.named(frame) - known - self.named(own)
        if unknown:
            yield f"names {sorted(unknown)} in {frame[:300]}"
        yield from (f"a secret in {frame[:300]}" for secret in self.forbidden(version, viewer) if secret in frame)

    def forbidden(self, version: int, viewer: Seat | None) -> Iterator[str]:
        """Secrets that must not be in a frame to this viewer."""
        yield from self.hashes
        if viewer is None:
            yield self.invite
        over = {moment.number for moment in self.moments[:version] if moment.phase == "over"}
        yield from (secret for number, secret in self.secrets.items() if number not in over)

    # Records --------------------------------------------------------------------------------------

    def of_record(self, record: dict[str, Any], seat: Seat, first: int, last: int) -> list[str]:
        """Errors in a record that was fetched between these versions."""
        views = [game.view(seat) for moment in self.moments[first - 1 : last] if (game := moment.game)]
        found = [] if record["view"] in views else ["the record has another view than the seat's"]
        others = {name: value for name, value in record.items() if name != "view"}
        if set(others) != {"redacted", "moves", "fair"} or set(record["fair"]) != {"table", "number", "commitment", "bytes"}:
            found.append(f"the record has fields that it must not have: {others}")
        text = json.dumps(record)
        return found + [f"the record has a secret: {text}" for secret in self.forbidden(last, seat) if secret in text]


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
