"""Choosing several cards: which words can be added to a move."""

from __future__ import annotations

import itertools
import time

import pytest

import fuda
from fuda.protocol import messages
from fuda.server import commands
from fuda.server.commands import Sender
from fuda.server.pace import Tempo
from fuda.server.presence import Presence
from fuda.server.settings import Limits
from fuda.server.table import Table
from tests.server.clients import Client, start
from tests.server.serving import Running, served

TENS = ["spade 10", "heart 10", "diamond 10", "club 10"]
HANDS = {"A": [*TENS, "spade 3", "spade 4", "spade 5"], "B": ["club 2", "club 3", "club 5", "club 7", "club 9"]}


def attacking(hands: dict[str, list[str]]) -> fuda.Game:
    return fuda.new("kirifu", 2, 1, position={"hands": hands, "turn": "A", "trump": "club", "rest": "discards"})


def expected(moves: list[str], chosen: list[str]) -> tuple[set[str], bool]:
    """What can still be added, found by trying: every part of every move, in any order."""
    sets = [frozenset(move.split(" + ")) for move in moves]
    fitting = [one for one in sets if set(chosen) <= one and len(set(chosen)) == len(chosen)]
    return {word for one in fitting for word in one - set(chosen)}, any(len(one) == len(chosen) for one in fitting)


async def attackers(running: Running, monkeypatch: pytest.MonkeyPatch, hands: dict[str, list[str]]) -> list[Client]:
    """A table at which A is about to attack."""
    monkeypatch.setattr(Table, "new_game", lambda _: attacking(hands))
    clients = await running.people("kirifu", 2, pace="none", options={"games": 1})
    await start(clients)
    return clients


async def choices(client: Client, words: list[str]) -> tuple[set[str], bool]:
    assert client.ask_now is not None
    answer = await client.ask("choose", since=client.ask_now["since"], words=words)
    assert answer["kind"] == "choices", answer
    assert len(answer["words"]) == len({*answer["words"]})
    return {*answer["words"]}, answer["enough"]


@served()
async def test_whatever_is_chosen_can_go_on_with_what_some_legal_move_has_besides(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = await attackers(running, monkeypatch, HANDS)
    moves = attacking(HANDS).moves()
    for count in range(4):
        for chosen in itertools.permutations(HANDS["A"][1:], count):
            assert await choices(ann, [*chosen]) == expected(moves, [*chosen])
    assert await choices(ann, TENS) == expected(moves, TENS)
    log = await running.log(ann.table_id)
    assert len(log) == ann.version == ben.version, "nothing has happened"
    assert (await ann.play(" + ".join(["spade 5", "spade 3", "spade 4"])))["kind"] == "done"


@pytest.mark.parametrize(
    "words",
    [
        ["spade 10", "spade 10"],
        ["spade 10", "spade 3", "spade 10"],
        ["club 2"],
        ["nonsense"],
        ["spade 1"],
        ["spade 10 + heart 10"],
        [" + "],
        ["spade 3", "heart 10", "spade 4"],
    ],
    ids=str,
)
@served()
async def test_what_leads_to_no_move_can_not_go_on(
    running: Running, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    ann, _ = await attackers(running, monkeypatch, HANDS)
    assert await choices(ann, words) == (set(), False)


@served()
async def test_only_the_seat_that_is_asked_is_told(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, ben = await attackers(running, monkeypatch, HANDS)
    watching = await running.come(ann.table_id, "", invite=ann.table["invite"])
    assert ann.ask_now is not None
    since = ann.ask_now["since"]
    assert await ben.denied("choose", since=since, words=[]) == "not asked"
    assert await watching.denied("choose", since=since, words=[]) == "not seated"
    assert await ann.denied("choose", since=since - 1, words=[]) == "too late"
    await ann.play("spade 3")
    assert await ann.denied("choose", since=since, words=[]) == "not asked"
    await ben.until(lambda: ben.ask_now)
    assert ben.ask_now is not None
    assert await choices(ben, []) == ({*ben.ask_now["moves"]}, False)
    assert await choices(ben, ["take"]) == (set(), True)


@served()
async def test_before_a_game_there_is_nothing_to_choose(running: Running) -> None:
    ann = await running.client(await running.open("kirifu"))
    assert await ann.denied("choose", since=0, words=[]) == "too early"


@served(limits=Limits(talk=3, talk_per_second=0.001, burst=10**6))
async def test_asking_is_no_talk(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, _ = await attackers(running, monkeypatch, HANDS)
    for _ in range(20):
        await choices(ann, ["spade 10"])


def test_a_word_may_be_chosen_as_often_as_a_move_has_it() -> None:
    assert commands.words_left("red 5 + red 5 + blue 5", ["red 5", "red 5"]) == ["blue 5"]
    assert commands.words_left("red 5 + red 5 + blue 5", ["red 5", "blue 5", "red 5"]) == []
    assert commands.words_left("red 5 + red 5 + blue 5", ["red 5"] * 3) is None
    assert commands.words_left("red 15", ["red 1"]) is None
    assert commands.words_left("pass", []) == ["pass"]


def test_ten_thousand_moves_are_looked_through_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    suits, ranks = ("spade", "heart", "diamond", "club"), ("2", "3", "4", "5", "6", "7")
    cards = [f"{suit} {rank}" for suit in suits for rank in ranks]
    rest = [f"{suit} {rank}" for suit in suits for rank in ("10", "11")]
    game = attacking({"A": cards, "B": rest})
    assert len(game.moves()) > 10_000
    monkeypatch.setattr(commands, "asked_game", lambda *_: game)
    wish = messages.Choose("x", 0, ["spade 7", "heart 7"])
    table = Table("any")
    sender = Sender(table, "A", Presence(table, "alone", 0.0), Tempo(), 0.0)
    taken = []
    for _ in range(5):
        begun = time.thread_time()
        told = commands.choices(sender, wish)
        taken.append(time.thread_time() - begun)
    assert told.enough
    assert {"diamond 7", "club 7", "spade 3"} <= {*told.words}
    assert min(taken) < (0.05 if fuda.compiled else 1.0)
