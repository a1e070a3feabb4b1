"""A client of a table that keeps every frame that it receives."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import secrets
from collections.abc import Awaitable, Callable
from http.cookies import SimpleCookie
from typing import Any, Final

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from fuda.protocol.parts import Seat

PATIENCE: Final = 30.0
"""How long anything may take."""
LATE: Final = ("too late", "too early", "not asked")
"""Denials of an answer that comes too late."""
PING: Final = '{"kind":"ping"}'
ANSWERS: Final = ("done", "denied", "because", "choices", "link")


class Taken:
    """The answer to a request for a seat."""

    def __init__(self, response: httpx2.Response) -> None:
        self.response = response
        assert response.status_code == 201, response.text
        answer = response.json()
        self.table: str = answer["table"]
        self.seat: Seat = answer["seat"]
        self.invite: str = answer["invite"]
        self.token = SimpleCookie(response.headers["set-cookie"])[f"fuda-{self.table}"].value

    @property
    def cookie(self) -> str:
        return f"fuda-{self.table}={self.token}"


class Client:
    """One connection, which checks that all it receives is consistent."""

    def __init__(self, host: str, table: str, cookie: str) -> None:
        self.host = host
        self.table_id = table
        self.cookie = cookie
        self.frames: list[str] = []
        """Everything that it received."""
        self.sent: dict[str, str] = {}
        self.answers: dict[str, dict[str, Any]] = {}
        self.byes: list[dict[str, Any]] = []
        self.name = secrets.token_hex(4)
        """Begins the ids of its messages."""
        self.number = 0
        self.socket: ClientConnection | None = None
        self.reader: asyncio.Task[None] | None = None
        self.closed: int | None = None
        """The code with which the connection was closed."""
        self.wrong: AssertionError | None = None
        """An inconsistency that it found."""
        self.changed = asyncio.Event()
        self.is_awake = True
        """Whether it answers pings."""
        self.pongs = 0
        self.you: Seat | None = None
        self.version = 0
        self.table: dict[str, Any] = {}
        self.here: list[Seat] = []
        self.watching = 0
        self.acting_host: Seat | None = None
        self.gone: list[Seat] = []
        self.history: list[dict[str, Any]] = []
        self.news: dict[str, Any] = {}
        """The latest news of the game, without its notes."""
        self.said: list[dict[str, Any]] = []

    # The connection -------------------------------------------------------------------------------

    async def connect(self) -> None:
        self.closed = None
        self.socket = await connect(
            f"ws://{self.host}/api/tables/{self.table_id}/socket",
            origin=Origin(f"http://{self.host}"),
            additional_headers={"cookie": self.cookie} if self.cookie else {},
            open_timeout=PATIENCE,
            ping_interval=None,
            compression=None,
            max_size=2**26,
            proxy=None,
        )
        self.reader = asyncio.create_task(self.read(self.socket))

    async def read(self, socket: ClientConnection) -> None:
        try:
            async for frame in socket:
                assert isinstance(frame, str)
                self.frames.append(frame)
                self.hear(json.loads(frame))
                if frame == PING and self.is_awake:
                    await socket.send('{"kind":"pong"}')
                self.wake()
        except ConnectionClosed:
            pass
        except AssertionError as error:
            self.wrong = error
        self.closed = socket.close_code or 0
        self.wake()

    def wake(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()

    async def close(self) -> None:
        """Disconnects, like a tab that is closed."""
        if self.socket is not None and self.reader is not None:
            await self.socket.close()
            await self.reader

    async def come_back(self, **hello: Any) -> dict[str, Any]:
        """Connects again, with what it has seen so far."""
        await self.close()
        await self.connect()
        known = {"number": self.table["number"], "version": self.version, "noted": len(self.history)} if self.table else {}
        return await self.ask("hello", **(known | hello))

    # Talking --------------------------------------------------------------------------------------

    def new_id(self) -> str:
        self.number += 1
        return f"{self.name}-{self.number}"

    async def send(self, kind: str, **fields: Any) -> str:
        """Sends a message without waiting; returns its id."""
        number = fields.pop("id", None) or self.new_id()
        self.sent[number] = json.dumps({"kind": kind, "id": number, **fields})
        await self.send_text(self.sent[number])
        return number

    async def send_text(self, frame: str | bytes) -> None:
        assert self.socket is not None
        await self.socket.send(frame)

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Sends a message and waits for the answer."""
        return await self.answer(await self.send(kind, **fields))

    async def answer(self, number: str) -> dict[str, Any]:
        await self.until(lambda: number in self.answers or self.closed is not None)
        assert number in self.answers, f"closed with {self.closed}: {self.byes}"
        return self.answers.pop(number)

    async def do(self, kind: str, **fields: Any) -> None:
        """Sends a message and waits until it is done."""
        answer = await self.ask(kind, **fields)
        assert answer["kind"] in ("done", "link"), answer

    async def denied(self, kind: str, **fields: Any) -> str:
        """Sends a message that must be denied; returns the code."""
        answer = await self.ask(kind, **fields)
        assert answer["kind"] == "denied", answer
        return str(answer["code"])

    async def until(self, is_so: Callable[[], object]) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                while self.wrong is None and not is_so():
                    await self.changed.wait()
        except TimeoutError:
            raise AssertionError(f"It is never so: {self.closed} {self.you} {self.version} {self.frames[-3:]}") from None
        if self.wrong is not None:
            raise self.wrong

    async def settled(self) -> None:
        """Waits until everything has arrived that was sent before now."""
        seen = self.pongs
        with contextlib.suppress(ConnectionClosed):  # the server may have just closed it
            await self.send_text(PING)
        await self.until(lambda: self.pongs > seen or self.closed is not None)

    # What it knows --------------------------------------------------------------------------------

    def hear(self, message: dict[str, Any]) -> None:
        match message["kind"]:
            case "welcome":
                self.you = message.get("you")
                self.version = message["version"]
                self.table = message["table"]
                self.here = message["here"]
                self.said = message.get("said", [])
                self.history, self.news = [], {}
                self.hear_game(message.get("game"))
            case "event":
                self.hear_event(message)
            case "here":
                self.here, self.watching = message["seats"], message.get("watching", 0)
                self.acting_host, self.gone = message.get("host"), message.get("gone", [])
            case "sealed":
                assert self.ask_now is None or self.ask_now["since"] == message["since"], "the answer to what it was asked"
                self.news.pop("ask", None)
            case "pong":
                self.pongs += 1
            case "bye":
                self.byes.append(message)
            case kind if kind in ANSWERS:
                self.answers[message["id"]] = message

    def hear_event(self, event: dict[str, Any]) -> None:
        assert event["version"] == self.version + 1, f"version {event['version']} after {self.version}"
        self.version = event["version"]
        if event.get("table"):
            self.table = event["table"]
        if event["what"] == "reopened":
            self.history, self.news = [], {}
        if event.get("line"):
            self.said.append(event["line"])
        self.hear_game(event.get("game"))

    def hear_game(self, game: dict[str, Any] | None) -> None:
        if game is not None:
            assert game["first"] == len(self.history), f"note {game['first']} after {len(self.history)}"
            self.history += game["notes"]
            self.news = {name: value for name, value in game.items() if name != "notes"}

    @property
    def phase(self) -> str:
        return str(self.table.get("phase", ""))

    @property
    def is_playing(self) -> bool:
        return self.phase in ("starting", "playing")

    @property
    def ask_now(self) -> dict[str, Any] | None:
        """What this seat is asked now."""
        return self.news.get("ask")

    @property
    def view(self) -> dict[str, Any]:
        """The view of its seat, assembled from all messages."""
        view: dict[str, Any] = self.news["view"]
        return view | {"history": self.history}

    # Playing --------------------------------------------------------------------------------------

    async def give_bytes(self) -> None:
        await self.do("luck", number=self.table["number"], bytes=os.urandom(16).hex())

    async def play(self, move: str) -> dict[str, Any]:
        asked = self.ask_now
        assert asked is not None
        return await self.ask("play", since=asked["since"], move=move)

    async def play_on(self, rng: random.Random, before_move: Callable[[], Awaitable[None]] | None = None) -> None:
        """Plays at random until the game or the connection ends."""
        answered = -1

        def is_asked() -> bool:
            return self.ask_now is not None and self.ask_now["since"] != answered

        while self.is_playing and self.closed is None:
            await self.until(lambda: self.closed is not None or not self.is_playing or is_asked())
            asked = self.ask_now
            if asked is None or not is_asked():
                continue
            answered = asked["since"]
            if before_move is not None:
                await before_move()
            answer = await self.ask("play", since=answered, move=rng.choice(asked["moves"] or asked["words"]))
            assert answer["kind"] == "done" or answer["code"] in LATE, answer

    async def dealt(self) -> None:
        await self.until(lambda: self.phase in ("playing", "over"))


async def start(clients: list[Client], with_luck: bool = True) -> None:
    """The host starts, and all wait until the cards are dealt."""
    for client in clients:
        await client.settled()
    if with_luck:
        for client in clients:
            await client.give_bytes()
    await clients[0].do("start")
    for client in clients:
        await client.dealt()
