"""Fuzzing: any input is answered or closes the connection, and the games of others go on."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fuda
from fuda.server.denials import CODES
from fuda.server.pace import Tempo
from tests.server.clients import PATIENCE, Client, start
from tests.server.fuzzing import Fuzz
from tests.server.raw_socket import RawSocket, answer_to, frame_of
from tests.server.serving import Running, serving

TOTAL: Final = 100_000 if fuda.compiled else 10_000
"""So many frames and requests are sent in all tests together."""
REQUESTS: Final = TOTAL // 40
IMAGINED: Final = TOTAL // 20
BATCH: Final = 120
SHORT: Final[dict[str, dict[str, Any]]] = {
    "frantic": {"scored": False},
    "kirifu": {"games": 1},
    "schadenfreude": {"target": 10},
}
SPOILT: Final = 0.03
REPLAYED: Final = 0.1
PING: Final = frame_of(b'{"kind":"ping"}')
ANSWERS: Final = (b'{"kind":"done"', b'{"kind":"denied"', b'{"kind":"because"', b'{"kind":"choices"', b'{"kind":"link"')


class Attacker:
    """Somebody who sits at a table, or watches, and sends what should never come."""

    def __init__(self, running: Running, client: Client, cookie: str, fuzz: Fuzz) -> None:
        self.running = running
        self.path = f"/api/tables/{client.table_id}/socket"
        self.cookie = cookie
        self.hello = json.dumps({"kind": "hello", "id": "hello", "invite": client.table["invite"]}).encode()
        self.fuzz = fuzz
        self.sent = 0
        self.answered = 0
        self.closed = 0

    async def attack(self, frames: int) -> None:
        while self.sent < frames:
            socket = await RawSocket.opened(self.running.host, self.path, self.cookie)
            if self.fuzz.rng.random() < 0.9:
                socket.send(frame_of(self.hello))
            while await self.send_some(socket) and self.sent < frames:
                pass
            self.closed += 1
            await socket.close()

    async def send_some(self, socket: RawSocket) -> bool:
        """Sends some frames, and waits until all are answered; False if the connection was closed instead."""
        fuzz = self.fuzz
        asked = 0
        for _ in range(fuzz.rng.randrange(1, BATCH)):
            self.sent += 1
            chance = fuzz.rng.random()
            if chance < SPOILT:
                socket.send(PING)
                if not await self.heard(socket, asked):
                    return False
                socket.send(fuzz.spoilt_frame() + PING)
                return await self.heard(socket, 0)
            if chance < SPOILT + REPLAYED:
                frame = fuzz.rng.choice(fuzz.recorded)
                asked += '"id"' in frame
            else:
                message = fuzz.message()
                frame = json.dumps(message)
                asked += "id" in message
            socket.send(frame_of(frame.encode()))
        socket.send(PING)
        return await self.heard(socket, asked)

    async def heard(self, socket: RawSocket, asked: int) -> bool:
        """Whether the connection is still there after everything that comes before the pong, one answer for each."""
        answers = 0
        while True:
            message = await socket.receive()
            if message is None:
                return False
            if message.startswith(ANSWERS):
                answers += 1
                if message.startswith(ANSWERS[1]):
                    assert json.loads(message)["code"] in CODES
            # Other pongs than the last one answer pings that were sent among the rest.
            if message == b'{"kind":"pong"}' and answers >= asked:
                self.answered += answers
                return True


async def recorded_from(running: Running) -> list[str]:
    """What was sent in real games: a vocabulary for replays."""
    frames: list[str] = []
    for game in ("frantic", "kirifu"):
        clients = await running.people(game, 2, pace="none", options=SHORT[game])
        await start(clients)
        await asyncio.gather(*(client.play_on(random.Random(1)) for client in clients))
        frames += [frame for client in clients for frame in client.sent.values()]
    return frames


async def harmless(client: Client) -> None:
    """Plays on, whatever the others do, until the game is over."""
    await client.play_on(random.Random(5), lambda: asyncio.sleep(0.02))
    assert client.closed is None, f"{client.closed}: {client.byes}"


async def reopened(client: Client) -> None:
    await client.until(lambda: client.phase != "over")


async def harmless_games(people: list[Client], is_enough: asyncio.Event) -> None:
    """Two play game after game, whoever else sits at their table."""
    host = people[0]
    while True:
        await asyncio.gather(*(harmless(client) for client in people))
        if is_enough.is_set():
            return
        await host.ask("rematch")
        for client in people:
            await reopened(client)
            await client.ask("luck", number=client.table["number"], bytes="ab" * 16)
        while not await started(host):
            pass
        for client in people:
            await client.dealt()


async def started(host: Client) -> bool:
    """Whether the game begins; it does not if somebody leaves just when all chairs were taken."""
    for chair in host.table["chairs"]:
        if chair["kind"] == "open":
            await host.ask("furnish", seat=chair["seat"], to="thumb")
    return host.phase != "open" or (await host.ask("start"))["kind"] == "done"


@pytest.fixture(scope="module")
def vocabulary() -> list[str]:
    rules = [fuda.rulebook(game) for game in ("frantic", "kirifu", "schadenfreude")]
    return [*{word for book in rules for word in book.moves}, *"ABCDEFGH", "pass", "nonsense"]


@pytest.mark.parametrize(("played", "opened"), [(["frantic"], ["shinigami_preschool"]), (["kirifu", "schadenfreude"], [])])
def test_random_mutated_and_replayed_frames_do_no_harm(vocabulary: list[str], played: list[str], opened: list[str]) -> None:
    """Attackers sit at tables with two others, or watch them, or have tables of their own."""

    async def do() -> None:
        # Those who do not answer are played for, so that games go on in spite of attackers.
        tempo = Tempo(speed=400, bytes_wait=0.25)
        async with serving(tempo=tempo, ping_seconds=0.5, silence_seconds=5.0, hello_seconds=3.0) as running:
            recorded = await recorded_from(running)
            games = [await running.people(game, 3, pace="quick", options=SHORT[game]) for game in played]
            for people in games:
                await start(people)
            own = [await running.client(await running.open(game)) for game in opened]
            seats = [(host, host.cookie) for host in own]
            seats += [(people[2], cookie) for people in games for cookie in (people[2].cookie, "")]
            attackers = [
                Attacker(running, client, cookie, Fuzz(number, vocabulary, recorded))
                for number, (client, cookie) in enumerate(seats)
            ]
            share = (TOTAL - REQUESTS - IMAGINED) // 2 // len(attackers)
            is_enough = asyncio.Event()
            playing = [asyncio.create_task(harmless_games(people[:2], is_enough)) for people in games]
            await asyncio.gather(*(attacker.attack(share) for attacker in attackers))
            is_enough.set()
            await asyncio.wait_for(asyncio.gather(*playing), 2 * PATIENCE)
            for attacker in attackers:
                assert attacker.sent >= share
                assert attacker.answered > share // 3, "of those with an id"
                assert attacker.closed > share // 100, "some end the connection"
            for people in games:
                await records_are_good(running, people[0])

    asyncio.run(do())


async def records_are_good(running: Running, client: Client) -> None:
    """Those of all games that were played at this table."""
    path = f"/api/tables/{client.table_id}/record"
    for number in range(1, client.table["number"]):
        fuda.verify((await running.get(f"{path}s/{number}")).json())
    if client.phase == "over":  # else somebody wanted another game
        assert fuda.replay((await running.get(path)).json()).view(client.you) == client.view


def test_random_and_mutated_requests_do_no_harm(vocabulary: list[str]) -> None:
    async def do() -> None:
        async with serving() as running:
            people = await running.people("kirifu", 2, pace="none", public=True)
            await start(people)
            fuzz = Fuzz(7, vocabulary, [])
            tables = [people[0].table_id, (await running.open("frantic", public=True)).table]
            playing = [asyncio.create_task(harmless(client)) for client in people]
            answers: dict[int, int] = {}
            for _ in range(REQUESTS // 10):
                requests = [answer_to(running.host, *fuzz.request(tables, running.host)) for _ in range(10)]
                for status in await asyncio.gather(*requests):
                    answers[status] = answers.get(status, 0) + 1
            assert not [status for status in answers if status >= 500], answers
            assert {200, 201, 400, 403, 404} <= set(answers), answers
            await asyncio.gather(*playing)
            fuda.verify((await running.get(f"/api/tables/{people[0].table_id}/record")).json())

    asyncio.run(do())


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["A", "B", "open", "hello", "1"]),
    lambda values: st.lists(values, max_size=4) | st.dictionaries(st.text(), values, max_size=4),
    max_leaves=12,
)
NAMES = [
    "kind",
    "id",
    "seat",
    "to",
    "other",
    "since",
    "move",
    "text",
    "version",
    "number",
    "noted",
    "invite",
    "bytes",
    "reaction",
]
KINDS = [
    "hello",
    "luck",
    "play",
    "why",
    "start",
    "furnish",
    "swap",
    "configure",
    "stand in",
    "say",
    "react",
    "device",
    "ping",
]
MESSAGES = st.fixed_dictionaries(
    {"kind": st.sampled_from(KINDS) | VALUES, "id": st.sampled_from(["a", "b", ""]) | VALUES},
    optional=dict.fromkeys(NAMES[2:], VALUES),
)
FRAMES = st.lists((MESSAGES | VALUES).map(json.dumps).map(str.encode) | st.binary(max_size=40), min_size=1, max_size=20)


def test_whatever_hypothesis_thinks_of_is_answered_or_ends_the_connection() -> None:
    with asyncio.Runner() as runner:
        server = serving()
        running = runner.run(server.__aenter__())
        taken = runner.run(running.open("frantic"))
        sent = 0

        async def send(frames: list[bytes]) -> None:
            """Each on a connection of its own, as most of them end it."""
            for data in frames:
                socket = await RawSocket.opened(running.host, f"/api/tables/{taken.table}/socket", taken.cookie)
                socket.send(frame_of(b'{"kind":"hello","id":"hello"}') + frame_of(data) + PING)
                while True:
                    message = await socket.receive()
                    if message is None or message == b'{"kind":"pong"}':
                        break
                await socket.close()

        @settings(max_examples=max(20, IMAGINED // 25), database=None)
        @given(FRAMES)
        def imagine(frames: list[bytes]) -> None:
            nonlocal sent
            sent += len(frames)
            runner.run(send(frames))

        try:
            imagine()
            assert sent > IMAGINED // 10
        finally:
            runner.run(server.__aexit__(None, None, None))


def test_fuzz_is_of_every_kind(vocabulary: list[str]) -> None:
    """What is tried must not be all of one kind."""
    fuzz = Fuzz(1, vocabulary, [])
    kinds: dict[Any, int] = {}
    for _ in range(3000):
        kind = fuzz.message(0.1)["kind"]
        kinds[kind] = kinds.get(kind, 0) + 1
    assert len(kinds) == 17
    assert len({fuzz.spoilt() for _ in range(300)}) > 200
