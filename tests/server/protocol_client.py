"""A client written from docs/protocol.md: it reconnects, repeats messages, and checks all that it receives."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import random
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from fuda.protocol import messages
from fuda.protocol.parts import Ask, GameNews, Note, Seat, TableState, View

DECODER: Final = msgspec.json.Decoder(messages.FromServer)
ENCODER: Final = msgspec.json.Encoder()

PING_AFTER: Final = 1.0
GIVE_UP_AFTER: Final = 3.0
"""A connection counts as lost after this long without a message."""
REMEMBERED: Final = 400
"""A move that is repeated after more entries than this may be denied; it still acts once."""
LOST: Final = (OSError, WebSocketException, TimeoutError, EOFError)
LATER: Final = ("busy", "too many")
"""Denials after which the same message may be sent again."""


class Ticket(NamedTuple):
    """Access to a table."""

    table: str
    invite: str
    token: str = ""
    seat: Seat | None = None
    address: str = ""
    """The loopback address from which the client connects; any if empty."""

    @property
    def cookie(self) -> str:
        return f"fuda-{self.table}={self.token}"

    def key(self, message: str) -> str:
        """The id of a message in the log."""
        return f"{hashlib.sha256(self.token.encode()).hexdigest()[:12]}:{message}"


class Acknowledged(NamedTuple):
    message: messages.FromClient
    version: int


class Habits(msgspec.Struct):
    """How a client behaves, as probabilities and seconds."""

    thinks: float = 0.0
    """The longest delay before an answer."""
    twice: float = 0.0
    """The probability to send a message twice."""
    late: float = 0.0
    """The probability to repeat an old message."""
    talks: float = 0.0


class Known:
    """What follows from welcomes and events; anything inconsistent is an error."""

    def __init__(self) -> None:
        self.version = 0
        self.number = 0
        self.history: list[Note] = []
        self.view: View = {}
        self.ask: Ask | None = None
        self.table: TableState | None = None
        self.you: Seat | None = None
        self.finals: dict[int, View] = {}
        """The last view of every game that is over, with its whole history."""
        self.commitments: dict[int, str] = {}
        self.chains: dict[tuple[int, int], str] = {}
        """The chain over the moves, by game and number of moves."""

    def take_welcome(self, welcome: messages.Welcome) -> None:
        assert welcome.version >= self.version, f"welcomed at {welcome.version} after {self.version}"
        self.version = welcome.version
        self.you = welcome.you
        self.ask = None
        if welcome.game is not None:
            known = self.history if welcome.game.number == self.number else []
            told = welcome.game.notes
            assert welcome.game.first == 0, "a welcome has the whole history"
            assert welcome.game.view is not None, "a welcome has the view"
            assert told[: len(known)] == known, "the history is not what was told before"
            self.take_news(welcome.game)
        self.take_table(welcome.table)

    def take_event(self, event: messages.Event) -> None:
        assert event.version == self.version + 1, f"version {event.version} after {self.version}"
        self.version = event.version
        if event.what == "reopened":
            self.ask = None
        if event.game is not None:
            self.take_news(event.game)
        if event.table is not None:
            self.take_table(event.table)

    def take_sealed(self, sealed: messages.Sealed) -> None:
        assert self.ask is None or self.ask.since == sealed.since, f"sealed {sealed.since}, asked {self.ask}"
        self.ask = None

    def take_news(self, news: GameNews) -> None:
        if news.number != self.number:
            assert news.first == 0, f"game {news.number} begins with note {news.first}"
            self.number = news.number
            self.history = []
        if news.first:
            assert news.first == len(self.history), f"note {news.first} after {len(self.history)}"
        self.history = self.history[: news.first] + news.notes
        if news.view is not None:
            self.view = {**news.view, "history": self.history}
            self.ask = news.ask
            known = self.chains.setdefault((news.number, news.turn), news.chain)
            assert news.chain == known, "the chain over the same moves was changed"

    def take_table(self, table: TableState) -> None:
        self.table = table
        promised = self.commitments.setdefault(table.number, table.fair.commitment)
        assert table.fair.commitment == promised, "the commitment was changed"
        is_revealed = table.phase == "over" or (table.phase == "closed" and self.number == table.number)
        assert bool(table.fair.secret) == is_revealed, "the secret is told when the game is over, or was closed early"
        if table.phase == "over" and self.number == table.number:
            self.finals[table.number] = self.view


class Tab:
    """One tab of a player or spectator, until it is stopped."""

    def __init__(self, name: str, ticket: Ticket, doors: Sequence[str], habits: Habits, rng: random.Random) -> None:
        self.name = name
        self.ticket = ticket
        self.doors = doors
        self.habits = habits
        self.rng = rng
        self.known = Known()
        self.waiting: dict[str, messages.FromClient] = {}
        """Messages without an answer yet, in the order in which they were first sent."""
        self.acknowledged: dict[str, Acknowledged] = {}
        self.denied: dict[str, messages.Denied] = {}
        self.listed: set[str] = set()
        """Answers that were among the legal moves."""
        self.counted = 0
        self.connections = 0
        self.connection: ClientConnection | None = None
        self.is_greeted = False
        self.answering = -1
        """The question to which an answer has been sent."""
        self.answers_at: float | None = None
        self.gave = 0
        self.gives_bytes = True
        self.answers = True
        """Whether it answers questions by itself."""
        self.said: list[object] = []
        """The latest messages, for errors."""
        self.played_at: dict[str, float] = {}
        """When each answer was sent that has not been acknowledged over the same connection."""
        self.delays: list[float] = []
        """How long the acknowledgements of answers took."""

    def __repr__(self) -> str:
        known = self.known
        phase = known.table.phase if known.table else "-"
        return (
            f"{self.name}: version {known.version}, game {known.number} {phase}, {len(known.history)} notes, "
            f"ask {known.ask.since if known.ask else None}, waiting {[*self.waiting.values()]}, "
            f"{'connected' if self.is_greeted else 'away'}, {self.connections} connections\n    "
            + "\n    ".join(str(what)[:160] for what in self.said[-12:])
        )

    # The connection ---------------------------------------------------------------------------------

    async def run(self) -> None:
        """Reconnects again and again, each time to a random server."""
        while True:
            with contextlib.suppress(*LOST):
                await self.visit(self.rng.choice(self.doors))
            await asyncio.sleep(self.rng.uniform(0.02, 0.2))

    async def visit(self, door: str) -> None:
        address = f"{door.replace('http', 'ws', 1)}/api/tables/{self.ticket.table}/socket"
        connection = await connect(
            address,
            origin=Origin(door),
            additional_headers={"cookie": self.ticket.cookie} if self.ticket.token else None,
            open_timeout=GIVE_UP_AFTER,
            ping_interval=None,
            close_timeout=0.1,
            compression=None,
            max_size=None,
            proxy=None,
            local_addr=(self.ticket.address, 0) if self.ticket.address else None,
        )
        self.connections += 1
        self.note(f"connected to {door}")
        try:
            await self.talk(connection)
        finally:
            connection.transport.abort()
            self.connection = None
            self.is_greeted = False
            self.played_at.clear()
            self.note("connection over")

    async def talk(self, connection: ClientConnection) -> None:
        known = self.known
        hello = messages.Hello(self.new_id(), number=known.number, version=known.version, noted=len(known.history))
        if not self.ticket.token:
            hello = msgspec.structs.replace(hello, invite=self.ticket.invite)
        await self.put(connection, hello)
        for message in [*self.waiting.values()]:
            await self.put(connection, message)
        self.connection = connection
        heard = pinged = now = asyncio.get_running_loop().time()
        while True:
            wake = min(heard + GIVE_UP_AFTER, max(heard, pinged) + PING_AFTER, self.answers_at or float("inf"))
            text: str | bytes | None = None
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, wake - now)):
                    text = await connection.recv()
            now = asyncio.get_running_loop().time()
            if text is not None:
                heard = now
                self.take(DECODER.decode(text), hello.id)
            elif now >= heard + GIVE_UP_AFTER:
                return
            elif now >= max(heard, pinged) + PING_AFTER:
                pinged = now
                await connection.send(ENCODER.encode(messages.Ping()).decode())
            await self.act(connection, now)

    async def put(self, connection: ClientConnection, message: messages.FromClient) -> None:
        frame = ENCODER.encode(message).decode()
        self.note(f"> {frame}")
        await connection.send(frame)
        # A second hello asks for everything once more, and gets it.
        if not isinstance(message, messages.Hello) and self.rng.random() < self.habits.twice:
            await connection.send(frame)

    def note(self, what: object) -> None:
        self.said.append(what)
        del self.said[:-12]

    # What it is told --------------------------------------------------------------------------------

    def take(self, message: messages.FromServer, hello: str) -> None:
        self.note(message)
        match message:
            case messages.Welcome():
                self.known.take_welcome(message)
                assert message.you == self.ticket.seat, f"{self.name} is welcomed as {message.you}"
            case messages.Event():
                self.known.take_event(message)
            case messages.Sealed():
                self.known.take_sealed(message)
            case messages.Done() if message.id == hello:
                assert message.version == self.known.version, f"told up to {self.known.version}, not {message.version}"
                self.is_greeted = True
            case messages.Done():
                self.take_done(message)
            case messages.Denied():
                self.take_denied(message)
            case messages.Bye():
                assert message.again, f"{self.name} is sent away: {message}"
            case _:
                pass

    def take_done(self, done: messages.Done) -> None:
        message = self.waiting.pop(done.id, None)
        if done.id in self.played_at:
            self.delays.append(asyncio.get_running_loop().time() - self.played_at.pop(done.id))
        if message is not None:
            self.acknowledged[done.id] = Acknowledged(message, done.version)
        elif done.id in self.acknowledged:
            # Sent twice or late: it acted once, at the same place.
            assert done.version == self.acknowledged[done.id].version, (
                f"{self.name}: {done} after {self.acknowledged[done.id]}"
            )
        else:
            raise AssertionError(f"{self.name}: {done} after {self.denied.get(done.id)}")

    def take_denied(self, denied: messages.Denied) -> None:
        if denied.id in self.acknowledged:
            behind = self.known.version - self.acknowledged[denied.id].version
            is_old = behind > REMEMBERED and isinstance(self.acknowledged[denied.id].message, messages.Play)
            assert is_old, f"{self.name}: {denied} of what was done, {self.acknowledged[denied.id]}"
            return
        assert denied.code not in LATER or denied.id in self.waiting, f"{self.name}: {denied}"
        if denied.code in LATER:
            return
        message = self.waiting.pop(denied.id, None)
        if message is None:
            assert denied.id in self.denied, f"{self.name}: {denied} of what was never sent"
            return
        self.denied[denied.id] = denied
        if denied.code == "refused":
            assert denied.rule, f"{self.name}: refused without a rule: {denied}"
            assert denied.id not in self.listed, f"{self.name}: {denied} of a move that was listed"
            self.answering = -1

    # What it does -----------------------------------------------------------------------------------

    def new_id(self) -> str:
        self.counted += 1
        return f"{self.name}-{self.counted}"

    async def submit(self, message: messages.FromClient) -> None:
        """Sends a message until it is answered."""
        self.waiting[getattr(message, "id", "")] = message
        if self.connection is not None:
            with contextlib.suppress(*LOST):
                await self.put(self.connection, message)

    async def act(self, connection: ClientConnection, now: float) -> None:
        known = self.known
        if not self.is_greeted or known.table is None or self.ticket.seat is None:
            return
        if self.gives_bytes and known.table.phase in ("open", "starting") and self.gave != known.table.number:
            self.gave = known.table.number
            await self.submit(messages.GiveBytes(self.new_id(), self.gave, self.rng.randbytes(16).hex()))
        if not self.answers or known.ask is None or known.ask.since == self.answering or known.table.phase != "playing":
            self.answers_at = None
        elif self.answers_at is None:
            self.answers_at = now + self.rng.uniform(0.0, self.habits.thinks)
        if self.answers_at is not None and now >= self.answers_at:
            assert known.ask is not None
            self.answers_at = None
            self.answering = known.ask.since
            play = messages.Play(self.new_id(), known.ask.since, self.move_for(known.ask))
            if known.ask.moves:
                self.listed.add(play.id)
            self.played_at[play.id] = asyncio.get_running_loop().time()
            await self.submit(play)
            await self.meddle(connection)

    def move_for(self, ask: Ask) -> str:
        if ask.moves:
            return self.rng.choice(ask.moves)
        return " + ".join(self.rng.sample(ask.words, min(len(ask.words), self.rng.choice((1, 1, 1, 2)))))

    async def meddle(self, connection: ClientConnection) -> None:
        if self.acknowledged and self.rng.random() < self.habits.late:
            old = self.rng.choice([*self.acknowledged.values()])
            await self.put(connection, old.message)
        if self.rng.random() < self.habits.talks:
            await self.submit(messages.Say(self.new_id(), f"{self.name} said this at {self.known.version}"))
