"""Groups of clients that open a table, play and watch, and check the result."""

from __future__ import annotations

import asyncio
import http.client
import random
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import msgspec

from fuda.protocol import messages
from fuda.protocol.parts import EVERY_SEAT, Pace
from fuda.server.entries import READ
from fuda.server.store import Row, Store
from tests.server import final_checks
from tests.server.protocol_client import Habits, Tab, Ticket

T = TypeVar("T")
SOON: Final = 5.0
BUSY: Final = 503
NAMES: Final = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")


class Unanswered(Exception):
    """The server could not be reached, did not answer, or was too busy."""


class Answer(msgspec.Struct, frozen=True):
    status: int
    body: bytes
    cookie: str

    def read(self, kind: type[T]) -> T:
        assert self.status in (200, 201), f"{self.status} {self.body!r}"
        return msgspec.json.decode(self.body, type=kind)

    def ticket(self, address: str) -> Ticket:
        """The ticket for the seat that was taken from this address."""
        taken = self.read(messages.Taken)
        return Ticket(taken.table, taken.invite, self.cookie.partition(";")[0].partition("=")[2], taken.seat, address)


async def ask(door: str, path: str, body: messages.Request | None = None, address: str = "") -> Answer:
    return await asyncio.to_thread(ask_and_wait, door, path, body, address)


def ask_and_wait(door: str, path: str, body: messages.Request | None, address: str) -> Answer:
    source = (address, 0) if address else None
    connection = http.client.HTTPConnection(urlsplit(door).netloc, timeout=SOON, source_address=source)
    try:
        if body is None:
            connection.request("GET", path)
        else:
            headers = {"content-type": "application/json", "origin": door, "x-forwarded-for": address}
            connection.request("POST", path, msgspec.json.encode(body), headers)
        response = connection.getresponse()
        if response.status == BUSY:
            raise Unanswered(response.read().decode())
        return Answer(response.status, response.read(), response.getheader("set-cookie") or "")
    except (OSError, http.client.HTTPException) as error:
        raise Unanswered(repr(error)) from error
    finally:
        connection.close()


class Party(msgspec.Struct, frozen=True):
    """The people, bots and spectators at a table, and their game."""

    game: str
    people: int
    bots: int = 0
    pace: Pace = "normal"
    options: dict[str, bool | int | str] = {}
    spectators: int = 1
    second_tabs: int = 0
    """How many people have two tabs, and play in both."""


class Group:
    """A table and all clients at it; `async with` connects and disconnects them."""

    def __init__(
        self, party: Party, doors: Sequence[str], tickets: list[Ticket], habits: Habits, rng: random.Random
    ) -> None:
        self.party = party
        self.doors = doors
        self.tabs: list[Tab] = []
        for ticket in tickets:
            self.add(f"{ticket.seat}", ticket, habits, rng)
        for ticket in tickets[: party.second_tabs]:
            self.add(f"{ticket.seat}2", ticket, habits, rng).gives_bytes = False
        for place in range(party.spectators):
            watching = Ticket(tickets[0].table, tickets[0].invite, address=tickets[0].address)
            self.add(f"watching{place + 1}", watching, habits, rng)
        self.tasks: dict[Tab, asyncio.Task[None]] = {}
        self.longest = 0.0
        """The longest time in which nothing happened."""

    def add(self, name: str, ticket: Ticket, habits: Habits, rng: random.Random) -> Tab:
        tab = Tab(name, ticket, self.doors, habits, random.Random(rng.getrandbits(60)))
        self.tabs.append(tab)
        return tab

    @property
    def table(self) -> str:
        return self.host.ticket.table

    @property
    def host(self) -> Tab:
        return self.tabs[0]

    @property
    def version(self) -> int:
        """The highest version that any client has seen."""
        return max(tab.known.version for tab in self.tabs)

    async def __aenter__(self) -> Group:
        for tab in self.tabs:
            self.come(tab)
        return self

    async def __aexit__(self, *_: object) -> None:
        for tab in [*self.tasks]:
            await self.leave(tab)

    def come(self, tab: Tab) -> None:
        self.tasks[tab] = asyncio.create_task(tab.run())

    async def leave(self, tab: Tab) -> None:
        """Disconnects a client, which does not reconnect by itself."""
        task = self.tasks.pop(tab)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    @property
    def is_playing(self) -> bool:
        table = self.host.known.table
        return table is not None and table.phase == "playing"

    def is_complete(self) -> bool:
        """Whether all clients are connected."""
        return all(tab.is_greeted for tab in self.tabs)

    async def until(self, is_so: Callable[[], bool], bound: float, clock: Callable[[], float], what: str) -> None:
        """Waits until this is so; fails if a client finds an error, or nothing happens for `bound` seconds."""
        version, since = self.version, clock()
        while not is_so():
            for task in self.tasks.values():
                if task.done():
                    task.result()
            self.longest = max(self.longest, clock() - since)
            if self.version > version:
                version, since = self.version, clock()
            elif clock() - since > bound:
                raise AssertionError(f"nothing has happened for {bound} s while waiting: {what}")
            await asyncio.sleep(0.02)

    async def play_through(self, number: int, bound: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Plays the next game until everybody has seen its end."""
        start = messages.Start(self.host.new_id()) if number == 1 else messages.Rematch(self.host.new_id())
        await self.until(self.is_complete, bound, clock, "everybody comes")
        await self.host.submit(start)
        if number > 1:
            await self.until(lambda: start.id in self.host.acknowledged, bound, clock, "the table is open again")
            await self.host.submit(messages.Start(self.host.new_id()))
        await self.until(lambda: all(number in tab.known.finals for tab in self.tabs), bound, clock, f"game {number} ends")
        # Answers to what was sent twice or late are still under way.
        await self.until(lambda: not any(tab.waiting for tab in self.tabs), bound, clock, "every message is answered")

    async def check(self, number: int, store: Store) -> int:
        """Checks a finished game; returns the number of acknowledged moves."""
        rows = await store.entries(self.table)
        record = await self.record(number)
        final_checks.check_log(rows, self.tabs)
        game = final_checks.check_record(self.table, number, rows, record)
        final_checks.check_views(number, game, self.tabs)
        final_checks.check_bytes(number, rows, self.tabs, record)
        final_checks.check_chains(number, record, self.tabs)
        return final_checks.check_moves(number, rows, self.tabs)

    async def record(self, number: int) -> dict[str, Any]:
        while True:
            try:
                answer = await ask(self.doors[number % len(self.doors)], f"/api/tables/{self.table}/records/{number}")
            except Unanswered:
                await asyncio.sleep(0.1)
            else:
                return answer.read(dict[str, Any])

    def describe(self, rows: list[Row]) -> str:
        """Details for an error message."""
        log = "\n".join(f"  {row.number} {READ.decode(row.data)}" for row in rows[-15:])
        people = "\n".join(f"  {tab!r}" for tab in self.tabs)
        return f"table {self.table}, {self.party}\n{people}\nthe end of the log:\n{log}"


async def open_group(party: Party, doors: Sequence[str], habits: Habits, rng: random.Random) -> Group:
    """Opens a table and takes all seats; tries another table if an answer is lost."""
    while True:
        try:
            tickets = await seated(party, doors, rng)
        except Unanswered:
            await asyncio.sleep(rng.uniform(0.05, 0.3))
        else:
            return Group(party, doors, tickets, habits, rng)


async def seated(party: Party, doors: Sequence[str], rng: random.Random) -> list[Ticket]:
    chairs = ["me", *["open"] * (party.people - 1), *["thumb"] * party.bots]
    wish = messages.Open(party.game, NAMES[0], chairs, options=party.options, pace=party.pace)
    # No server takes so many tables from one address.
    address = f"127.{rng.randrange(100, 200)}.{rng.randrange(256)}.{rng.randrange(1, 255)}"
    opened = (await ask(rng.choice(doors), "/api/tables", wish, address)).ticket(address)
    tickets = [opened]
    for name, seat in zip(NAMES[1 : party.people], EVERY_SEAT[1 : party.people], strict=True):
        join = messages.Join(name, seat, opened.invite)
        taken = await ask(rng.choice(doors), f"/api/tables/{opened.table}/seats", join, address)
        tickets.append(taken.ticket(address))
    return tickets
