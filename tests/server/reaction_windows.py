"""Reactions at tables without a network, in virtual time, and what another seat observes of them."""

from __future__ import annotations

import asyncio
import math
import random
import re
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any, Final, cast

import msgspec
from starlette.websockets import WebSocket

from fuda.client import Link
from fuda.client.bots import play_on
from fuda.client.connection import Answer, Times
from fuda.client.errors import Denied
from fuda.client.table import TableClient
from fuda.protocol import messages
from fuda.protocol.parts import Seat, View
from fuda.server import entries, tokens
from fuda.server.bot_pool import BotPool
from fuda.server.bus import Bus
from fuda.server.entries import AnyEntry, Logged
from fuda.server.live import LiveTable
from fuda.server.metrics import Metrics
from fuda.server.settings import Limits, Settings
from fuda.server.sockets import CONNECTION, Credits, Socket
from fuda.server.store import Store
from fuda.server.table import Table
from tests.server.prepared_table import game_at

SERVER_SAYS: Final = msgspec.json.Decoder(messages.FromServer)
SETTINGS: Final = Settings()
METRICS: Final = Metrics()
OBSERVERS: Final[tuple[Seat | None, ...]] = ("A", None)
SECONDS: Final = re.compile(rb'"seconds":[0-9.]+')
"""Of what is told, only the time left differs from table to table."""


class Kind(msgspec.Struct, frozen=True):
    """A reaction that B is asked for, alone or with the others."""

    of_a: list[str]
    before: list[str]
    last: str
    """The move of A after which B is asked."""
    card: str
    """What B can react with."""
    asked: int


COUNTERATTACK: Final = Kind(["red skip", "blue 9"], ["red skip"], "B", "counterattack", 1)
LUCKY_BASTARD: Final = Kind(["red troublemaker", "blue 9"], [], "red troublemaker", "lucky bastard", 4)
KINDS: Final = (COUNTERATTACK, LUCKY_BASTARD)


class PreparedTable(Table):
    """A table at which A moves next."""

    def __init__(self, kind: Kind, card: str, bots: str) -> None:
        super().__init__("prepared")
        hands = {"A": kind.of_a, "B": ["red 1", "red 2", card], "C": ["blue 1", "blue 2"], "D": ["blue 3", "blue 4"]}
        self.dealt = game_at(hands, kind.before, ["russian roulette"])
        chairs = ["thumb" if seat in bots else "open" for seat in hands]
        self.enter(entries.Opened("frantic", {}, chairs, False, "normal", True, "ab" * 16, "cd" * 32))
        for seat in list(self.seats):
            if seat not in bots:
                self.enter(entries.Sat(seat, f"P{seat}", tokens.hashed(seat)))
        self.enter(entries.Starting())
        self.enter(entries.Started(self.dealt.rules.version, tuple(self.dealt.outcomes(0))))

    def new_game(self) -> Any:
        return self.dealt

    def enter(self, entry: AnyEntry) -> None:
        self.apply(Logged(self.length + 1, asyncio.get_running_loop().time(), entry))


class MemoryStore:
    """Whatever is written is stored at once."""

    def append(self, *_: object) -> asyncio.Future[bool]:
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        done.set_result(True)
        return done


class Bots:
    """Bots that take longer to choose if they have a choice, as real ones do."""

    def __init__(self, rng: random.Random, throws: bool) -> None:
        self.rng = rng
        self.throws = throws

    async def choose(self, kind: str, game: str, seed: int, view: View, moves: list[str]) -> str:
        await asyncio.sleep(thinking_time(self.rng, moves))
        return choice_of(moves, self.throws)


def thinking_time(rng: random.Random, moves: list[str]) -> float:
    return rng.uniform(0.05, 0.6) if len(moves) > 1 else rng.uniform(0.001, 0.01)


def choice_of(moves: list[str], throws: bool) -> str:
    return moves[0] if throws or "pass" not in moves else "pass"


class Observation:
    """What one seat, or a spectator, is sent from the move on that leads to the reaction, until the reaction is over."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.times: list[float] = []

    def add(self, frame: bytes, seconds: float) -> None:
        self.frames.append(frame)
        self.times.append(seconds)

    @property
    def masked(self) -> tuple[bytes, ...]:
        return tuple(SECONDS.sub(b"", frame) for frame in self.frames)


class Reaction:
    """One reaction at a table of its own. `throws`: B uses its card, if it can."""

    def __init__(self, kind: Kind, has_choice: bool, throws: bool, rng: random.Random, bots: str) -> None:
        self.kind = kind
        self.throws = throws
        self.rng = rng
        self.table = PreparedTable(kind, kind.card if has_choice else "green 9", bots)
        self.live = LiveTable(
            self.table,
            SETTINGS,
            cast("Store", MemoryStore()),
            Bus(),
            cast("BotPool", Bots(rng, throws)),
            METRICS,
            spend=lambda *_: None,
            unload=lambda _: None,
            finish=lambda _: None,
        )
        self.live.deadlines.random = rng
        self.live.autoplay.random = rng
        self.begun = 0.0
        self.seen = {viewer: Observation() for viewer in OBSERVERS}
        self.is_over = asyncio.Event()
        self.last_version = self.table.version + 1 + (1 if throws else kind.asked)
        self.sockets = {viewer: self.socket(viewer) for viewer in OBSERVERS}

    def socket(self, viewer: Seat | None, receive: Callable[[bytes], None] | None = None) -> Socket:
        def send(frame: bytes) -> bool:
            if receive is not None:
                receive(frame)
            else:
                self.observe(viewer, frame)
            return True

        connection = {"credits": Credits(1000, 1000), "send": send, "abort": lambda: None}
        websocket = cast("WebSocket", SimpleNamespace(scope={"extensions": {CONNECTION: connection}}))
        socket = Socket(websocket, tokens.hashed(viewer or ""), "", Limits(), METRICS)
        self.live.connect(socket)
        socket.is_welcome = True
        self.live.presence.update()
        return socket

    def observe(self, viewer: Seat | None, frame: bytes) -> None:
        message = SERVER_SAYS.decode(frame)
        if isinstance(message, messages.Done):
            return  # the answer to A's own move
        self.seen[viewer].add(frame, asyncio.get_running_loop().time() - self.begun)
        if isinstance(message, messages.Event) and message.version >= self.last_version and viewer is OBSERVERS[-1]:
            self.is_over.set()

    async def watch(self, subject: Callable[[Reaction], Awaitable[None]]) -> None:
        """Lets A move, and B do as it does, until all answers have been shown."""
        await asyncio.sleep(1)  # whoever has just connected has more time
        self.begun = asyncio.get_running_loop().time()
        running = asyncio.create_task(self.live.run())
        acting = asyncio.create_task(start(subject, self))
        since = self.table.questions.since["A"]
        await self.live.handle(self.sockets["A"], messages.Play("opens", since, self.kind.last))
        await self.is_over.wait()
        self.live.stop()
        for task in (running, acting):
            task.cancel()
        await asyncio.gather(running, acting, return_exceptions=True)
        for task in (running, acting):
            if not task.cancelled() and task.exception() is not None:
                raise cast("BaseException", task.exception())


async def start(subject: Callable[[Reaction], Awaitable[None]], reaction: Reaction) -> None:
    await subject(reaction)


# Who answers for B ------------------------------------------------------------------------------------


async def by_the_server(_: Reaction) -> None:
    """B is a bot of the server, and needs nobody."""


async def by_a_person(reaction: Reaction) -> None:
    """Often too early or too late, and sometimes not at all; differently if there is a choice."""
    table, rng = reaction.table, reaction.rng
    socket = reaction.socket("B", lambda _: None)
    while "B" not in table.questions.asked:
        await asyncio.sleep(0)
    since = table.questions.since["B"]
    asked = table.questions.game_for(cast("Any", table.game), "B")
    assert asked is not None
    seconds = time_of_person(rng, len(asked.moves()) > 1)
    if reaction.throws:
        seconds = rng.uniform(0.02, 2.9)
    if seconds is not None:
        await asyncio.sleep(seconds)
        move = choice_of(asked.moves(), reaction.throws)
        await reaction.live.handle(socket, messages.Play("answer", since, move))


def time_of_person(rng: random.Random, has_choice: bool) -> float | None:
    kind = rng.random()
    if has_choice:
        if kind < 0.1:
            return rng.uniform(0.01, 0.1)
        if kind < 0.7:
            return rng.lognormvariate(math.log(2.5), 0.6)
        return rng.uniform(3, 25) if kind < 0.85 else None
    return rng.uniform(0.01, 0.5) if kind < 0.5 else None


async def by_a_client(reaction: Reaction) -> None:
    """B is played by a bot of fuda.client."""
    client = TableClient(Link("http://example.org", "prepared", "ab" * 16), (), 1.0, Times())
    pipe = Pipe(reaction, client)
    client.connection = cast("Any", pipe)
    reaction.live.broadcast.welcome(pipe.socket)
    await play_on(client, lambda _, moves: choice_of(moves, reaction.throws), rematches=False)


class Pipe:
    """In place of a connection: passes messages between a client and its table at once."""

    ended = None

    def __init__(self, reaction: Reaction, client: TableClient) -> None:
        self.reaction = reaction
        self.client = client
        self.answers: dict[str, Answer | messages.Denied] = {}
        self.socket = reaction.socket("B", self.receive)

    def receive(self, frame: bytes) -> None:
        message = SERVER_SAYS.decode(frame)
        if isinstance(message, Answer | messages.Denied):
            self.answers[message.id] = message
        else:
            self.client.on_message(message)

    async def ask(self, message: messages.Message) -> Answer:
        await self.reaction.live.handle(self.socket, cast("messages.FromClient", message))
        answer = self.answers.pop(message.id)
        if isinstance(answer, messages.Denied):
            raise Denied(answer.code, answer.text, answer.rule, answer.facts)
        return answer
