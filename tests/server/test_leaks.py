"""Nothing leaks: all frames of whole games are audited."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

import fuda
from fuda.protocol import messages
from fuda.protocol.parts import Ask, Fair, GameNews, Seat, TableState
from fuda.server import commands, entries, news
from fuda.server.broadcast import Broadcast
from fuda.server.denials import Denial
from fuda.server.pace import Tempo
from fuda.server.table import Table
from tests.server.auditing import Audit
from tests.server.clients import Client, start
from tests.server.prepared_table import game_at
from tests.server.serving import Running, serving

ONE_ROUND = {"scored": False}
GAMES: list[Any] = [
    pytest.param("schadenfreude", 4, 0, {}, id="schadenfreude"),
    pytest.param("cursed_tricks", 3, 0, {"rounds": 2}, id="cursed_tricks"),
    pytest.param("shinigami_preschool", 3, 0, {}, id="shinigami_preschool"),
    pytest.param("kirifu", 3, 0, {}, id="kirifu"),
    pytest.param("kirifu", 4, 0, {"characters": True}, id="kirifu-characters"),
    pytest.param("frantic", 2, 0, ONE_ROUND, id="frantic-2"),
    pytest.param("frantic", 4, 0, ONE_ROUND, id="frantic-4"),
    pytest.param("frantic", 6, 0, ONE_ROUND, id="frantic-6"),
    pytest.param("schadenfreude", 1, 3, {}, id="schadenfreude-bots"),
    pytest.param("cursed_tricks", 1, 2, {"rounds": 2}, id="cursed_tricks-bots"),
    pytest.param("shinigami_preschool", 2, 1, {}, id="shinigami_preschool-bots"),
    pytest.param("kirifu", 2, 1, {}, id="kirifu-bots"),
    pytest.param("frantic", 1, 1, ONE_ROUND, id="frantic-2-bots"),
    pytest.param("frantic", 2, 2, ONE_ROUND, id="frantic-4-bots"),
    pytest.param("frantic", 3, 3, ONE_ROUND, id="frantic-6-bots"),
]
NOSY = 0.15
"""How often somebody tries something before a move."""


class Party:
    """People at a table who play at random, try what they may not, come and go; and those who watch them."""

    def __init__(self, running: Running, people: list[Client], rng: random.Random) -> None:
        self.running = running
        self.people = people
        self.rng = rng
        self.connected = {client: asyncio.Lock() for client in people}
        """Held by whoever counts on that connection, or makes it anew."""
        self.watching: list[Client] = []
        self.table = people[0].table_id
        self.invite = people[0].table["invite"]
        self.tabs: list[Client] = []
        self.records: list[tuple[dict[str, Any], Seat, int, int]] = []
        rules = fuda.rulebook(people[0].table["game"])
        self.vocabulary = [*rules.moves, *rules.cards, "nonsense"]

    @property
    def clients(self) -> list[Client]:
        return [*self.people, *self.watching, *self.tabs]

    async def watch(self) -> None:
        self.watching.append(await self.running.come(self.table, "", invite=self.invite))

    async def pry(self, client: Client) -> None:
        """Something that a curious player might try, now and then."""
        if self.rng.random() > NOSY:
            return
        word = self.rng.choice(self.vocabulary)
        since = client.ask_now["since"] if client.ask_now else client.version
        match self.rng.randrange(9):
            case 0:
                await client.ask("why", move=word)
            case 1:
                other = self.rng.choice(self.people)
                async with self.connected[other]:
                    await other.ask("play", since=since, move=word)
                    await other.ask("why", move=word)
            case 2 | 3 as way:
                async with self.connected[client]:
                    await client.come_back(**({} if way == 2 else {"version": 0}))
            case 4:
                self.tabs.append(await self.running.come(self.table, client.cookie))
            case 5:
                await self.watch()
            case 6:
                await self.fetch(client)
            case 7:
                await client.ask("say", text="Whose turn is it?")
                await client.ask("device")
            case 8:
                other = self.rng.choice(self.people)
                async with self.connected[other]:
                    await other.ask("choose", since=since, words=[])
                    await other.ask("choose", since=since, words=[word])

    async def fetch(self, client: Client) -> None:
        """The record, as the seat, as somebody else, and by its future address."""
        path = f"/api/tables/{self.table}"
        first, number = client.version, client.table["number"]
        own = await self.running.get(f"{path}/record", client.cookie)
        await client.settled()
        if own.status_code == 200 and "redacted" in own.json() and client.you is not None:
            self.records.append((own.json(), client.you, first, client.version))
        addresses = (f"{path}/record", f"{path}/records/{number}", f"{path}/records/{number}/film?seat=open")
        statuses = [(await self.running.get(address)).status_code for address in addresses]
        await client.settled()
        if client.phase == "playing" and client.table["number"] == number:
            assert statuses == [403, 404, 404]

    async def play(self, least: int) -> None:
        """Whole games, one after the other, until there have been so many events."""
        await self.watch()
        while True:
            await start(self.people)
            await asyncio.gather(*(self.play_for(client) for client in self.people))
            for client in self.clients:
                await over(client)
            if self.people[0].version >= least:
                break
            await self.people[-1].do("rematch")

    async def play_for(self, client: Client) -> None:
        await client.play_on(random.Random(self.rng.random()), lambda: self.pry(client))

    async def audit(self) -> tuple[Audit, list[str]]:
        tokens = [client.cookie.partition("=")[2] for client in self.people]
        audit = Audit(self.table, await self.running.log(self.table), tokens)
        found = [one for client in self.clients for one in audit.findings(client)]
        for record in self.records:
            found += audit.of_record(*record)
        return audit, found


async def over(client: Client) -> None:
    await client.until(lambda: client.phase == "over")


def played(
    game: str, people: int, bots: int, options: dict[str, Any], least: int = 80, speed: float = 500.0, pace: str = "none"
) -> tuple[Audit, list[str]]:
    """A whole game or more, and what the audit has found."""

    async def do() -> tuple[Audit, list[str]]:
        async with serving(tempo=Tempo(speed=speed)) as running:
            seats = await running.people(game, people, options=options, rest=["thumb"] * bots, pace=pace)
            party = Party(running, seats, random.Random(least))
            await party.play(least)
            return await party.audit()

    return asyncio.run(do())


@pytest.mark.parametrize(("game", "people", "bots", "options"), GAMES)
def test_nobody_is_sent_what_their_seat_may_not_know(game: str, people: int, bots: int, options: dict[str, Any]) -> None:
    audit, found = played(game, people, bots, options)
    assert not found, "\n".join(found[:10])
    assert audit.frames > 100
    assert audit.questions > 10
    if game == "frantic" and people > 2:
        assert audit.windows > 5


def test_nothing_leaks_where_the_clock_and_bots_answer_for_people(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frantic with people who often do not answer: their deadlines pass, and bots play for them."""

    async def doze(party: Party, client: Client) -> None:
        if party.rng.random() < 0.5:
            await asyncio.sleep(0.15)

    monkeypatch.setattr(Party, "pry", doze)
    audit, found = played("frantic", 3, 0, ONE_ROUND, least=150, speed=200.0, pace="quick")
    assert not found, "\n".join(found[:10])
    made_by = {moment.entry.by for moment in audit.moments if isinstance(moment.entry, entries.Played)}
    assert made_by == {"person", "bot", "clock"}


# The audit itself ---------------------------------------------------------------------------------


Patch = Callable[[pytest.MonkeyPatch], None]
news_of, state_of, fair_of, ask_of = news.news_of, news.state_of, news.fair_of, news.ask_of
move_by = commands.move_by


def next_seat(table: Table, seat: Seat | None) -> Seat:
    seats = [*table.seats]
    return seats[(seats.index(seat) + 1) % len(seats)] if seat else seats[0]


def with_anothers_view(table: Table, viewer: Seat | None, first: int, now: float) -> GameNews:
    told = news_of(table, viewer, first, now)
    others = news_of(table, next_seat(table, viewer), first, now)
    return msgspec.structs.replace(told, view=others.view)


def with_anothers_notes(table: Table, viewer: Seat | None, first: int, now: float) -> GameNews:
    told = news_of(table, viewer, first, now)
    return msgspec.structs.replace(told, notes=news_of(table, next_seat(table, viewer), first, now).notes)


def with_the_position(table: Table, viewer: Seat | None, first: int, now: float) -> GameNews:
    told = news_of(table, viewer, first, now)
    assert table.game is not None
    return msgspec.structs.replace(told, view={**(told.view or {}), "position": table.game.position()})


def with_one_card_more(table: Table, viewer: Seat | None, first: int, now: float) -> GameNews:
    """The card on top of the deck, in a note: another card of its kind may well be known."""
    told = news_of(table, viewer, first, now)
    assert table.game is not None
    top = {"card": [*table.game.position()["deck"], "no card"][0]}
    return msgspec.structs.replace(told, notes=[note | top for note in told.notes])


def with_the_clock(_: object) -> str:
    return "clock"


def with_the_seat(entry: entries.AnyEntry) -> Seat | None:
    seat: Seat | None = getattr(entry, "seat", None)
    return seat


def with_anothers_question(table: Table, seat: Seat, view: dict[str, Any], now: float) -> Ask | None:
    assert table.game is not None
    other = next_seat(table, seat)
    return ask_of(table, seat, view, now) or ask_of(table, other, table.game.view(other), now)


def with_the_secret(table: Table) -> Fair:
    return msgspec.structs.replace(fair_of(table), secret=table.secret)


def with_the_invitation(table: Table, viewer: Seat | None) -> TableState:
    return msgspec.structs.replace(state_of(table, viewer), invite=table.invite)


def with_the_token(table: Table, viewer: Seat | None) -> TableState:
    token = table.seats["A"].token
    return msgspec.structs.replace(state_of(table, viewer), options={**table.options, "host": token})


def with_a_hint(refusal: fuda.Refused) -> Denial:
    return Denial("refused", "Somebody holds the red 9, the blue 9, the heart 9 or the green 9.", refusal.rule)


def without_a_seal(*given: Any) -> entries.AnyEntry:
    entry = move_by(*given)
    return msgspec.structs.replace(entry, sealed=False) if isinstance(entry, entries.Answered) else entry


def to_everyone(broadcast: Broadcast, seat: Seat) -> None:
    for socket in broadcast.presence.sockets:
        socket.say(messages.Sealed(broadcast.table.questions.since[seat]))


LEAKS: list[Any] = [
    pytest.param("news.news_of", with_anothers_view, "a view that it cannot have", id="view"),
    pytest.param("news.news_of", with_anothers_notes, "notes that it cannot have", id="notes"),
    pytest.param("news.news_of", with_the_position, "a view that it cannot have", id="position"),
    pytest.param("news.news_of", with_one_card_more, "notes that it cannot have", id="card"),
    pytest.param("news.ask_of", with_anothers_question, "a question that is not its own", id="question"),
    pytest.param("news.fair_of", with_the_secret, "a secret in", id="secret"),
    pytest.param("news.state_of", with_the_invitation, "a secret in", id="invitation"),
    pytest.param("news.state_of", with_the_token, "a secret in", id="token"),
    pytest.param("commands.refused", with_a_hint, "names", id="refusal"),
    pytest.param("news.mover_of", with_the_clock, "the clock has answered", id="clock"),
    pytest.param("news.seat_in", with_the_seat, "who has answered", id="answered"),
    pytest.param("commands.move_by", without_a_seal, "somebody has answered a reaction", id="reaction"),
    pytest.param("broadcast.Broadcast.show_sealed", to_everyone, "an answer that is not its own", id="sealed"),
]


def russian_roulette() -> fuda.Game:
    hands = {"A": ["red troublemaker", "red 2", "green 7"], "B": ["blue 4", "green 1"], "C": ["blue 1", "blue 2"]}
    return game_at(hands, ["red troublemaker", "pass", "pass", "pass"], ["russian roulette"], ONE_ROUND)


@pytest.mark.parametrize(("where", "leak", "finding"), LEAKS)
def test_the_audit_finds_what_leaks(
    where: str, leak: Callable[..., Any], finding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def try_nonsense(party: Party, client: Client) -> None:
        await client.ask("why", move="nonsense")
        await client.ask("play", since=(client.ask_now or {"since": 0})["since"], move="nonsense")

    monkeypatch.setattr(f"fuda.server.{where}", leak)
    monkeypatch.setattr(Party, "pry", try_nonsense)
    if finding == "who has answered":  # only where all choose at once, which is rare
        monkeypatch.setattr(Table, "new_game", lambda _: russian_roulette())
    found: list[str] = []
    for _ in range(6):  # in a short game there may be no moment at which it would leak
        found = played("frantic", 3, 0, ONE_ROUND, least=60)[1]
        if any(finding in one for one in found):
            return
    raise AssertionError(found[:10])
