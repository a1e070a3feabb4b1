"""Who sits at the tables of `make load`: people at Fuda's, who play whole games, and sockets at a bare server."""

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
from load_clients import SEATS, Client, Crowd, Mishaps, Table

GAME = "schadenfreude"
PATIENCE = 60.0
"""So many seconds a table may take until the cards are dealt."""
SEED = 7
Seats = list[tuple[str, str]]
"""For each seat of a table the table's id and the cookie that proves who sits there."""


class Ask(msgspec.Struct):
    since: int
    moves: list[str]


class News(msgspec.Struct):
    ask: Ask | None = None


class State(msgspec.Struct):
    phase: str
    number: int


class Said(msgspec.Struct):
    """What the players read of a frame."""

    kind: str
    what: str = ""
    table: State | None = None
    game: News | None = None


READ = msgspec.json.Decoder(Said)


class FudaTable(Table):
    """Four people at a table of Fuda's, who play one game after the other."""

    def __init__(self, crowd: Crowd, address: str, seats: Seats, chance: random.Random) -> None:
        super().__init__(crowd)
        self.address = address
        self.seats = seats
        self.chance = chance
        self.asked: tuple[int, Ask]
        self.given = [0] * SEATS
        """The number of the last game to whose luck each has added."""
        self.said = 0
        self.visit = secrets.token_hex(4)
        """Begins the ids of all messages, which are new even for those who come again."""
        self.frames = [b""] * SEATS
        """What each has heard of the last move."""
        self.dealt = asyncio.Event()

    async def sit_down(self) -> None:
        for seat, (table, cookie) in enumerate(self.seats):
            client = Client(self.address, f"/api/tables/{table}/socket", self.hearer(seat), cookie)
            await client.connect()
            self.clients.append(client)
            self.say(seat, {"kind": "hello"})
        await asyncio.wait_for(self.dealt.wait(), PATIENCE)

    def hearer(self, seat: int) -> Callable[[bytes], None]:
        return lambda text: self.hear(seat, text)

    def hear(self, seat: int, text: bytes) -> None:
        said = READ.decode(text)
        if said.kind == "ping":
            self.clients[seat].say(b'{"kind":"pong"}')
        elif said.kind in ("denied", "bye"):
            raise RuntimeError(f"The server does not do what a player asks for: {text.decode()}")
        if said.table is not None:
            self.is_over = said.table.phase == "over"
            self.add_luck(seat, said.table)
        if said.game is not None and said.game.ask is not None:
            self.asked = seat, said.game.ask
        if said.what in ("played", "started") or (said.kind == "welcome" and said.game is not None):
            self.frames[seat] = text
            self.arrived(text)

    def add_luck(self, seat: int, state: State) -> None:
        if state.phase in ("open", "starting") and self.given[seat] < state.number:
            self.given[seat] = state.number
            self.say(seat, {"kind": "luck", "number": state.number, "bytes": secrets.token_hex(16)})
            if seat == 0:
                self.say(seat, {"kind": "start"})

    def go_on(self, now: float) -> None:
        self.dealt.set()
        super().go_on(now)

    def make_move(self) -> None:
        seat, ask = self.asked
        self.say(seat, {"kind": "play", "since": ask.since, "move": self.chance.choice(ask.moves)})

    def begin_again(self) -> None:
        self.say(0, {"kind": "rematch"})

    def say(self, seat: int, message: dict[str, Any]) -> None:
        self.said += 1
        self.clients[seat].say(msgspec.json.encode(message | {"id": f"{self.visit}-{self.said}"}))


class BareTable(Table):
    """Four sockets at a server that tells all four what one of them says."""

    MESSAGE = b'{"kind":"play","since":123,"move":"helmet 7","id":"0123abcd-123"}'

    def __init__(self, crowd: Crowd, address: str, number: int) -> None:
        super().__init__(crowd)
        self.address = address
        self.number = number
        self.turn = 0

    async def sit_down(self) -> None:
        for _ in range(SEATS):
            client = Client(self.address, f"/tables/{self.number}", self.hear)
            await client.connect()
            self.clients.append(client)
        self.waiting = 0

    def make_move(self) -> None:
        self.turn = (self.turn + 1) % SEATS
        self.clients[self.turn].say(self.MESSAGE)

    def hear(self, text: bytes) -> None:
        READ.decode(text)
        self.arrived(text)


async def at_fuda(address: str, seats: list[Seats], mishaps: Mishaps) -> Crowd:
    crowd = Crowd(mishaps)
    chance = random.Random(SEED)
    await crowd.sit_down(FudaTable(crowd, address, taken, chance) for taken in seats)
    return crowd


async def at_bare(address: str, tables: int, mishaps: Mishaps) -> Crowd:
    crowd = Crowd(mishaps)
    await crowd.sit_down(BareTable(crowd, address, number) for number in range(tables))
    return crowd


def take_seats(address: str, tables: int, pace: str = "normal") -> list[Seats]:
    """Opens tables and takes all seats there."""
    connection = HTTPConnection(urlsplit(address).netloc)
    headers = {"content-type": "application/json", "origin": address}

    def post(path: str, body: dict[str, Any]) -> tuple[dict[str, Any], str]:
        connection.request("POST", path, json.dumps(body), headers)
        response = connection.getresponse()
        text = response.read()
        if response.status != 201:
            raise RuntimeError(f"The server opens no table: {text.decode()}")
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
