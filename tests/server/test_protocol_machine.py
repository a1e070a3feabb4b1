"""The protocol as a state machine: clients join, play, leave and reconnect, and always agree."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import Coroutine
from typing import Any, ClassVar, Final

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

import fuda
from fuda.server import news, tokens
from fuda.server.bot_pool import BotPool
from fuda.server.denials import CODES
from fuda.server.pace import Tempo
from fuda.server.table import MOST_MOVES_HANDLED, Table
from tests.server.clients import Client, Taken
from tests.server.serving import Running, serving

NAMES: Final = ["Ann", "Ben", "Cleo", "Dora"]
GAMES: Final[dict[str, dict[str, Any]]] = {
    "shinigami_preschool": {"rounds": 1},
    "kirifu": {"games": 1},
    "frantic": {"scored": False},
}
"""With options that make them short."""
PATIENCE: Final = 5.0
# Nobody is played for only because a test takes long; whoever can only pass is passed for at once.
TEMPO: Final = Tempo(speed=500, gone=10**6, bytes_wait=0.04)
EXAMPLES: Final = 40 if fuda.compiled else 12

people = st.sampled_from(NAMES)
seats = st.sampled_from("ABCD")


class Tables(RuleBasedStateMachine):
    """One table, two to four people with any number of tabs each, and whoever watches."""

    runner: ClassVar[asyncio.Runner]
    running: ClassVar[Running]

    def __init__(self) -> None:
        super().__init__()
        self.table = ""
        self.cookies: dict[str, str] = {}
        """What proves the seat of each person; of those who have lost it, too."""
        self.tabs: list[Client] = []
        self.sent: list[tuple[Client, str, dict[str, Any]]] = []
        """What was said and done, to be sent again."""

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        self.runner.run(work)

    # Coming and going -----------------------------------------------------------------------------

    @initialize(
        game=st.sampled_from([*GAMES]), count=st.integers(2, 4), rest=st.sampled_from([[], ["thumb"], ["closed"], ["open"]])
    )
    def open(self, game: str, count: int, rest: list[str]) -> None:
        async def do() -> None:
            chairs = ["me", *["open"] * (count - 1), *rest][:4]
            taken = await self.running.open(game, NAMES[0], chairs=chairs, pace="none", options=GAMES[game])
            self.table = taken.table
            for name in NAMES[:count]:
                self.cookies[name] = taken.cookie if name == NAMES[0] else (await self.running.sit(taken, name)).cookie
                await self.come(self.cookies[name])

        self.run(do())

    async def invite(self) -> str:
        """The invitation, which is a new one whenever somebody had to go."""
        return (await self.running.table(self.table)).invite

    async def come(self, cookie: str) -> Client:
        client = self.running.stranger(self.table, cookie)
        await client.connect()
        await client.ask("hello", invite=await self.invite())
        self.tabs.append(client)
        return client

    @rule(name=people, seat=seats | st.none())
    def sit(self, name: str, seat: str | None) -> None:
        async def do() -> None:
            wish = {"name": name, "invite": await self.invite(), **({"seat": seat} if seat else {})}
            response = await self.running.post(f"/api/tables/{self.table}/seats", wish)
            if response.status_code == 201:
                self.cookies[name] = Taken(response).cookie
                await self.come(self.cookies[name])
            else:
                assert response.json()["code"] in CODES

        self.run(do())

    @rule(name=people)
    def open_a_tab(self, name: str) -> None:
        if len(self.tabs) < 8:
            self.run(self.come_quietly(self.cookies.get(name, "")))

    async def come_quietly(self, cookie: str) -> None:
        await self.come(cookie)

    @rule(at=st.integers(0, 7), how=st.sampled_from(["known", "nothing", "wrong"]))
    def lose_the_connection_and_come_back(self, at: int, how: str) -> None:
        async def do() -> None:
            client = self.tab(at)
            assert client.socket is not None
            if how == "known":
                await client.close()
            else:
                client.socket.transport.abort()
                await client.until(lambda: client.closed is not None)
            known = {"known": {}, "nothing": {"version": 0}, "wrong": {"version": client.version + 5}}[how]
            await client.come_back(invite=await self.invite(), **known)

        self.run(do())

    @rule(at=st.integers(0, 7), meanwhile=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 99)), min_size=1, max_size=4))
    def miss_something(self, at: int, meanwhile: list[tuple[int, int]]) -> None:
        """What happens while somebody is away is told when they are back."""

        async def do() -> None:
            client = self.tab(at)
            if len(self.tabs) > 1:
                self.tabs.remove(client)
                await client.close()
                for other, what in meanwhile:
                    await self.do_something(other, what)
                await client.come_back(invite=await self.invite())
                self.tabs.append(client)

        self.run(do())

    @rule(at=st.integers(0, 7), how=st.sampled_from(["swap", "furnish", "go", "leave"]), seat=seats)
    def find_things_changed(self, at: int, how: str, seat: str) -> None:
        """While somebody is away the others change places, give the seat away, leave, or are gone themselves."""

        async def do() -> None:
            away = self.tab(at)
            others = [tab for tab in self.tabs if tab is not away]
            if not others:
                return
            self.tabs.remove(away)
            await away.close()
            host = next((tab for tab in others if chair_of(tab).get("host")), others[0])
            if how == "go" and len(others) > 1:
                self.tabs.remove(host)
                await host.close()
            elif how == "leave":
                await self.say(others[-1], "leave")
            elif how == "swap":
                await self.say(host, "swap", seat=away.you or "A", other=seat)
            elif how == "furnish":
                await self.say(host, "furnish", seat=away.you or "A", to="open")
            await away.come_back(invite=await self.invite())
            self.tabs.append(away)

        self.run(do())

    @rule(at=st.integers(0, 7))
    def close_a_tab(self, at: int) -> None:
        client = self.tab(at)
        if len(self.tabs) > 1:
            self.tabs.remove(client)
            self.run(client.close())

    @rule(name=people)
    def move_to_another_device(self, name: str) -> None:
        async def do() -> None:
            client = next((tab for tab in self.tabs if tab.cookie == self.cookies.get(name)), None)
            answer = await client.ask("device") if client else {"kind": "denied"}
            if answer["kind"] == "link":
                response = await self.running.post(f"/api/tables/{self.table}/claims", {"code": answer["code"]})
                self.cookies[name] = Taken(response).cookie
                await self.come(self.cookies[name])

        self.run(do())

    # Doing something ------------------------------------------------------------------------------

    def tab(self, at: int) -> Client:
        return self.tabs[at % len(self.tabs)]

    async def say(self, client: Client, kind: str, **fields: Any) -> None:
        """Says it; whatever the answer is, it is one that the protocol knows."""
        number = client.new_id()
        answer = await client.ask(kind, id=number, **fields)
        if answer["kind"] == "denied":
            assert answer["code"] in CODES
        elif answer["kind"] == "done":
            self.sent.append((client, kind, {"id": number, **fields}))

    async def do_something(self, at: int, what: int) -> None:
        client = self.tab(at)
        ask = client.ask_now
        if client.phase == "over" and what % 4 == 0:
            await self.say(client, "rematch")
        elif ask is not None and what >= 20:
            moves = ask["moves"] or ask["words"]
            await self.say(client, "play", since=ask["since"], move=moves[what % len(moves)])
        elif what % 3 == 0:
            await self.say(client, "say", text=f"Well, {what}")
        elif what % 3 == 1:
            await self.say(client, "react", reaction="haha")
        else:
            await self.say(client, "why", move="pass")

    @rule(at=st.integers(0, 7), what=st.integers(0, 99))
    def play(self, at: int, what: int) -> None:
        self.run(self.do_something(at, what))

    @rule(at=st.integers(0, 7))
    def play_a_few(self, at: int) -> None:
        self.run(self.play_moves(at, 5))

    @rule(at=st.integers(0, 7), moves=st.sampled_from([20, 200]))
    def play_many(self, at: int, moves: int) -> None:
        self.run(self.play_moves(at, moves))

    async def play_moves(self, at: int, moves: int) -> None:
        """So many moves, by whoever is asked; bots have a moment for theirs."""
        idle = 0
        while moves and idle < 10 and any(tab.phase in ("starting", "playing") for tab in self.tabs):
            client = next((tab for tab in self.tabs if tab.ask_now and tab.closed is None), None)
            if client is None:
                idle += 1
                await asyncio.sleep(0.005)
            else:
                idle, moves = 0, moves - 1
                await self.do_something(self.tabs.index(client), 20 + moves + at)
            await asyncio.gather(*(tab.settled() for tab in self.tabs))

    @rule(at=st.integers(0, 7), since=st.integers(0, 50), move=st.sampled_from(["pass", "red 7", "A", "nonsense"]))
    def play_wrongly(self, at: int, since: int, move: str) -> None:
        self.run(self.say(self.tab(at), "play", since=since, move=move))

    @rule(is_ready=st.booleans(), name=people)
    def start(self, is_ready: bool, name: str) -> None:
        self.run(self.begin(is_ready, name))

    async def begin(self, is_ready: bool, name: str) -> None:
        """Gives luck, seats bots on empty chairs if all shall be ready, and starts."""
        for tab in self.tabs:
            if tab.you is not None and tab.phase == "open":
                await self.say(tab, "luck", number=tab.table["number"], bytes=os.urandom(16).hex())
        for tab in self.tabs:
            if tab.cookie == self.cookies.get(name) or is_ready:
                for chair in tab.table["chairs"]:
                    if is_ready and chair["kind"] == "open":
                        await self.say(tab, "furnish", seat=chair["seat"], to="thumb")
                await self.say(tab, "start")

    @rule(at=st.integers(0, 7), again=st.booleans())
    def play_a_whole_game(self, at: int, again: bool) -> None:
        async def do() -> None:
            await self.begin(True, "")
            for tab in self.tabs:
                await tab.settled()
            await self.play_moves(at, 500)
            if again:
                await self.say(self.tab(at), "rematch")

        self.run(do())

    @rule(at=st.integers(0, 7), seat=seats, to=st.sampled_from(["open", "closed", "thumb", "me"]))
    def furnish(self, at: int, seat: str, to: str) -> None:
        self.run(self.say(self.tab(at), "furnish", seat=seat, to=to))

    @rule(at=st.integers(0, 7), seat=seats, other=seats)
    def swap(self, at: int, seat: str, other: str) -> None:
        self.run(self.say(self.tab(at), "swap", seat=seat, other=other))

    @rule(at=st.integers(0, 7), public=st.booleans(), pace=st.sampled_from(["none", "relaxed"]))
    def configure(self, at: int, public: bool, pace: str) -> None:
        self.run(self.say(self.tab(at), "configure", public=public, pace=pace))

    @rule(at=st.integers(0, 7))
    def leave(self, at: int) -> None:
        self.run(self.say(self.tab(at), "leave"))

    @rule(at=st.integers(0, 7))
    def rematch(self, at: int) -> None:
        self.run(self.say(self.tab(at), "rematch"))

    @rule(at=st.integers(0, 7), seat=seats)
    def stand_in(self, at: int, seat: str) -> None:
        self.run(self.say(self.tab(at), "stand in", seat=seat))

    @rule(at=st.integers(0, 7))
    def close(self, at: int) -> None:
        if len(self.sent) > 25:
            self.run(self.say(self.tab(at), "close"))

    @rule(at=st.integers(0, 99))
    def send_again(self, at: int) -> None:
        """Whatever was done is not done a second time, over this connection or another one of the same person."""

        async def do() -> None:
            if not self.sent:
                return
            latest = self.sent[-MOST_MOVES_HANDLED:]  # the server does not recognise older moves
            client, kind, fields = latest[at % len(latest)]
            others = [tab for tab in self.tabs if tab.cookie == client.cookie and tab.closed is None]
            if others:
                before = len(await self.running.log(self.table))
                answer = await others[at % len(others)].ask(kind, **fields)
                assert answer["kind"] == "done", (answer, kind, fields)
                after = [one.entry for one in await self.running.log(self.table)][before:]
                assert not any(entry.id.endswith(f":{fields['id']}") for entry in after)

        self.run(do())

    # What must be so ------------------------------------------------------------------------------

    @invariant()
    def all_agree(self) -> None:
        if self.table:
            self.run(self.agree())

    async def agree(self) -> None:
        """Everyone knows what follows from the log for their seat, and nothing else."""
        wrong = "nobody has looked yet"
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while wrong:
                    # Those who were sent away, or play on another device now, are gone.
                    self.tabs = [tab for tab in self.tabs if tab.closed is None or tab.closed != 4003]
                    await asyncio.gather(*(tab.settled() for tab in self.tabs))
                    if not self.tabs:
                        await self.come(self.cookies[NAMES[0]])
                    logged = await self.running.log(self.table)
                    rebuilt = Table(self.table)
                    for one in logged:
                        rebuilt.apply(one)
                    assert [one.number for one in logged] == [*range(1, len(logged) + 1)]
                    wrong = next(filter(None, (self.difference(tab, rebuilt) for tab in self.tabs)), "")
        assert not wrong

    def difference(self, tab: Client, table: Table) -> str:
        """What this client knows otherwise than the table does."""
        seat = table.seat_of(tokens.hashed(tab.cookie.partition("=")[2]))
        if (tab.you, tab.version) != (seat, table.version):
            return f"{tab.you} is at version {tab.version}; but it is {seat}, and {table.version}"
        if tab.table != told(news.state_of(table, seat)):
            return f"{seat} knows {tab.table}; but it is {told(news.state_of(table, seat))}"
        if tab.here != [one for one in table.seats if any(other.you == one for other in self.tabs)]:
            return f"{seat} believes that {tab.here} are here; those are {[other.you for other in self.tabs]}"
        if tab.watching != sum(other.you is None for other in self.tabs):
            return f"{seat} believes that {tab.watching} are watching"
        if table.game is None:
            return f"{seat} has news of a game: {tab.news}" if tab.news else ""
        if tab.view != table.game.view(seat):
            return f"{seat} sees {tab.view}; but it is {table.game.view(seat)}"
        known = {name: value for name, value in tab.news.items() if name not in ("view", "first", "seconds")}
        true = told(news.news_of(table, seat, table.noted, 0.0))
        true = {name: value for name, value in true.items() if name not in ("view", "first", "seconds", "notes")}
        for asked in (known.get("ask"), true.get("ask")):
            (asked or {}).pop("seconds", None)
        return "" if known == true else f"{seat} has been told {known}; but it is {true}"

    def teardown(self) -> None:
        async def do() -> None:
            for client in self.running.clients:
                await client.close()
            self.running.clients.clear()

        self.run(do())


def chair_of(tab: Client) -> dict[str, Any]:
    """The chair on which this person sits, if on any."""
    return next((chair for chair in tab.table["chairs"] if chair["seat"] == tab.you), {})


def told(part: msgspec.Struct) -> dict[str, Any]:
    out: dict[str, Any] = json.loads(msgspec.json.encode(part))
    return out


def test_all_clients_agree_with_each_other_and_with_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    async def choose(_: BotPool, kind: str, game: str, seed: int, view: dict[str, Any], moves: list[str]) -> str:
        return moves[seed % len(moves)]

    monkeypatch.setattr(BotPool, "choose", choose)
    checked = settings(
        max_examples=EXAMPLES, stateful_step_count=30, suppress_health_check=[*HealthCheck], database=None, derandomize=True
    )
    with asyncio.Runner() as runner:
        server = serving(tempo=TEMPO)
        Tables.runner, Tables.running = runner, runner.run(server.__aenter__())
        try:
            run_state_machine_as_test(Tables, settings=checked)
        finally:
            runner.run(server.__aexit__(None, None, None))
