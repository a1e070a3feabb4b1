"""The tables of `make load`: players at Fuda's, who play whole games, and sockets at a bare server."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
from collections.abc import Callable
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import msgspec

from bench.load.clients import SEATS, Client, Failures, Players, Table
from bench.load.errors import LoadError

GAME = "schadenfreude"
DEAL_TIMEOUT = 60.0
"""Seconds that a table may take until the cards are dealt."""
SEED = 7
Seats = list[tuple[str, str]]
"""For each seat of a table: the table's id, and the cookie that proves who sits there."""


class Ask(msgspec.Struct):
    since: int
    moves: list[str]


class News(msgspec.Struct):
    ask: Ask | None = None


class State(msgspec.Struct):
    phase: str
    number: int


class Message(msgspec.Struct):
    """What the players read of a frame."""

    kind: str
    what: str = ""
    table: State | None = None
    game: News | None = None


READ = msgspec.json.Decoder(Message)


class FudaTable(Table):
    """Four players at a table of Fuda's, who play one game after the other."""

    def __init__(self, players: Players, address: str, seats: Seats, choice: random.Random) -> None:
        super().__init__(players)
        self.address = address
        self.seats = seats
        self.choice = choice
        self.asked: tuple[int, Ask]
        self.contributed = [0] * SEATS
        """The number of the last game to which each has sent random bytes."""
        self.sent = 0
        self.id_prefix = secrets.token_hex(4)
        """Makes the ids of all messages new, also after a reconnection."""
        self.frames = [b""] * SEATS
        """What each has received for the last move."""
        self.dealt = asyncio.Event()

    async def connect(self) -> None:
        for seat, (table, cookie) in enumerate(self.seats):
            client = Client(self.address, f"/api/tables/{table}/socket", self.receiver(seat), cookie)
            await client.connect()
            self.clients.append(client)
            self.send(seat, {"kind": "hello"})
        await asyncio.wait_for(self.dealt.wait(), DEAL_TIMEOUT)

    def receiver(self, seat: int) -> Callable[[bytes], None]:
        return lambda text: self.receive(seat, text)

    def receive(self, seat: int, text: bytes) -> None:
        message = READ.decode(text)
        if message.kind == "ping":
            self.clients[seat].send(b'{"kind":"pong"}')
        elif message.kind in ("denied", "bye"):
            raise LoadError(f"The server denies what a player asks for: {text.decode()}")
        if message.table is not None:
            self.is_over = message.table.phase == "over"
            self.send_bytes(seat, message.table)
        if message.game is not None and message.game.ask is not None:
            self.asked = seat, message.game.ask
        if message.what in ("played", "started") or (message.kind == "welcome" and message.game is not None):
            self.frames[seat] = text
            self.arrived(text)

    def send_bytes(self, seat: int, state: State) -> None:
        """Sends this seat's random bytes for the deal; the first seat also starts the game."""
        if state.phase in ("open", "starting") and self.contributed[seat] < state.number:
            self.contributed[seat] = state.number
            self.send(seat, {"kind": "luck", "number": state.number, "bytes": secrets.token_hex(16)})
            if seat == 0:
                self.send(seat, {"kind": "start"})

    def continue_playing(self, now: float) -> None:
        self.dealt.set()
        super().continue_playing(now)

    def make_move(self) -> None:
        seat, ask = self.asked
        self.send(seat, {"kind": "play", "since": ask.since, "move": self.choice.choice(ask.moves)})

    def start_next_game(self) -> None:
        self.send(0, {"kind": "rematch"})

    def send(self, seat: int, message: dict[str, Any]) -> None:
        self.sent += 1
        self.clients[seat].send(msgspec.json.encode(message | {"id": f"{self.id_prefix}-{self.sent}"}))


class BareTable(Table):
    """Four sockets at a server that sends the message of one to all four."""

    MESSAGE = b'{"kind":"play","since":123,"move":"helmet 7","id":"0123abcd-123"}'

    def __init__(self, players: Players, address: str, number: int) -> None:
        super().__init__(players)
        self.address = address
        self.number = number
        self.turn = 0

    async def connect(self) -> None:
        for _ in range(SEATS):
            client = Client(self.address, f"/tables/{self.number}", self.receive)
            await client.connect()
            self.clients.append(client)
        self.waiting = 0

    def make_move(self) -> None:
        self.turn = (self.turn + 1) % SEATS
        self.clients[self.turn].send(self.MESSAGE)

    def receive(self, text: bytes) -> None:
        READ.decode(text)
        self.arrived(text)


async def play_at_fuda(address: str, seats: list[Seats], failures: Failures) -> Players:
    players = Players(failures)
    choice = random.Random(SEED)
    await players.connect(FudaTable(players, address, taken, choice) for taken in seats)
    return players


async def play_at_bare(address: str, tables: int, failures: Failures) -> Players:
    players = Players(failures)
    await players.connect(BareTable(players, address, number) for number in range(tables))
    return players


def take_seats(address: str, tables: int, pace: str = "normal") -> list[Seats]:
    """Opens tables and takes all seats there."""
    connection = HTTPConnection(urlsplit(address).netloc, timeout=DEAL_TIMEOUT)
    headers = {"content-type": "application/json", "origin": address}

    def post(path: str, body: dict[str, Any]) -> tuple[dict[str, Any], str]:
        connection.request("POST", path, json.dumps(body), headers)
        response = connection.getresponse()
        text = response.read()
        if response.status != 201:
            raise LoadError(f"The server opens no table: {text.decode()}")
        return json.loads(text), (response.headers["set-cookie"] or "").partition(";")[0]

    def take_all() -> Seats:
        opened, cookie = post("/api/tables", {"game": GAME, "name": "North", "players": SEATS, "pace": pace})
        seats = [(opened["table"], cookie)]
        for name in ("East", "South", "West"):
            _, cookie = post(f"/api/tables/{opened['table']}/seats", {"name": name, "invite": opened["invite"]})
            seats.append((opened["table"], cookie))
        return seats

    taken = [take_all() for _ in range(tables)]
    connection.close()
    return taken
