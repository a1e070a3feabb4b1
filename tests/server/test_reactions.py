"""Questions to several at the same time: nobody learns who had a choice, and answers count in the order of seats."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
from collections.abc import Iterable
from typing import Any

import pytest

from fuda.protocol.parts import Seat
from fuda.server import autoplay, commands, entries, news
from fuda.server.bot_pool import BotPool
from fuda.server.denials import Denial
from fuda.server.entries import Mover
from fuda.server.pace import Tempo
from fuda.server.sockets import ENCODER
from fuda.server.table import Table
from tests.server.clients import Client, start
from tests.server.prepared_table import NOW, Hands, Prepared, autoplay_of, game_at
from tests.server.serving import Running, new_folder, serving

PLAIN = ["blue 1", "blue 2"]


WINDOWS: list[Any] = [
    pytest.param(["red skip", "blue 9"], ["red skip", "B"], "counterattack", id="counterattack"),
    pytest.param(["red 3"], ["red 3"], "nice try", id="nice_try"),
    pytest.param(["red troublemaker", "blue 9"], ["red troublemaker"], "lucky bastard", id="lucky_bastard"),
]
every_window = pytest.mark.parametrize(("of_a", "moves", "reaction"), WINDOWS)
HELD = ["green 9", "the reaction", "mimicry"]


def at_window(of_a: list[str], moves: list[str], of_b: str, reaction: str, bots: str = "") -> Prepared:
    """The table when B is asked, holding this card."""
    card = reaction if of_b == "the reaction" else of_b
    hands = {"A": of_a, "B": ["red 1", "red 2", card], "C": PLAIN}
    table = Prepared(game_at(hands, []), bots)
    for move in moves:
        table.answer("A", move, "bot" if "A" in bots else "person")
    assert table.questions.asked[0] == "B"
    return table


# Who had a choice ---------------------------------------------------------------------------------


@every_window
@pytest.mark.parametrize("held", HELD[1:])
@pytest.mark.parametrize("by", ["person", "clock"])
def test_all_others_are_sent_the_same_bytes_whether_the_card_is_held_or_not(
    of_a: list[str], moves: list[str], reaction: str, held: str, by: Mover
) -> None:
    """Those without a choice are passed for in their own name; whoever has one passes, or lets the time run out."""
    plain = at_window(of_a, moves, HELD[0], reaction)
    holding = at_window(of_a, moves, held, reaction)
    assert plain.game is not None
    assert holding.game is not None
    assert plain.game.moves() == ["pass"] != holding.game.moves()
    plain.answer("B", "pass", "person")
    holding.answer("B", "pass", by)
    for viewer in (None, "A", "C"):
        assert plain.frames[viewer] == holding.frames[viewer]
    own = [len(plain.frames["B"]), len(holding.frames["B"])]
    assert own == [len(plain.frames[None])] * 2


@every_window
def test_what_the_others_are_told_of_an_early_answer_does_not_depend_on_it(
    of_a: list[str], moves: list[str], reaction: str
) -> None:
    """Where C is asked at the same time as B, it may answer first, and nobody learns who it was, or what."""
    told = []
    for card, answer in (("green 9", "pass"), (reaction, "pass"), (reaction, reaction)):
        hands = {"A": of_a, "B": ["red 1", "red 2"], "C": ["blue 1", card]}
        table = Prepared(game_at(hands, []))
        for move in moves:
            table.answer("A", move)
        if "C" not in table.questions.asked:
            return
        table.answer("C", answer)
        assert table.questions.asked[0] == "B"
        told.append({viewer: table.frames[viewer] for viewer in (None, "A", "B")})
        last = table.frames[None][-1]
        assert b'"what":"answered"' in last
        assert b'"answered":1' in last
        assert b'"seat"' not in last.partition(b'"game"')[0]
    assert told[0] == told[1] == told[2]


def times_planned(table: Prepared, seed: int = 4, away: str = "") -> dict[str, float]:
    """How long until each of those who are asked is answered for."""

    async def plan() -> dict[str, float]:
        player = autoplay_of(table, away)
        player.random = random.Random(seed)
        player.plan_answers(NOW)
        plans: dict[str, float] = {seat: plan.at - NOW for seat, plan in player.plans.items()}
        player.cancel_plans()
        return plans

    return asyncio.run(plan())


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time stands still."""

    class Clock:
        time = staticmethod(lambda: NOW)
        perf_counter = staticmethod(lambda: NOW)

    async def thought(*_: object) -> str:
        return "pass"

    monkeypatch.setattr(autoplay, "time", Clock)
    monkeypatch.setattr(BotPool, "choose", thought)


@every_window
@pytest.mark.usefixtures("frozen")
def test_people_without_a_choice_and_bots_with_and_without_one_take_the_same_time(
    of_a: list[str], moves: list[str], reaction: str
) -> None:
    forced = times_planned(at_window(of_a, moves, HELD[0], reaction))["B"]
    assert 0.69 < forced <= 12
    for held in HELD:
        assert times_planned(at_window(of_a, moves, held, reaction, bots="B"))["B"] == forced
    assert times_planned(at_window(of_a, moves, HELD[1], reaction))["B"] == float("inf"), "a person decides alone"


@pytest.mark.usefixtures("frozen")
def test_a_bot_takes_as_long_for_an_event_whatever_it_can_choose() -> None:
    """Of Gambling Man a bot that holds no numeral of the colour can only pass."""
    times = []
    for card in ("blue 3", "red 3"):
        hands = {"A": ["red troublemaker", "red 2"], "B": [card, "blue 4"], "C": PLAIN}
        table = Prepared(game_at(hands, ["red troublemaker", "pass", "pass", "pass"], ["gambling man"]), bots="B")
        assert table.game is not None
        assert ("pass" in table.game.moves()) == (card == "blue 3")
        times.append(times_planned(table)["B"])
    assert times[0] == times[1]


@pytest.mark.usefixtures("frozen")
def test_delays_are_like_those_of_people() -> None:
    """Mostly a second or two, seldom long, never at once, and never after the deadline."""
    table = at_window(["red 3"], ["red 3"], "green 9", "nice try")
    times = sorted(times_planned(table, seed)["B"] for seed in range(200))
    assert 0.69 < times[0] < 1 < times[100] < 3 < times[-1] <= 12
    assert len(set(times)) > 150


def test_a_bot_sees_the_whole_view_of_its_seat_history_included(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where those asked before it have not answered yet."""
    seen: list[dict[str, Any]] = []

    async def choose(_: object, kind: str, game: str, seed: int, view: dict[str, Any], moves: list[str]) -> str:
        seen.append(view)
        return moves[0]

    monkeypatch.setattr(BotPool, "choose", choose)
    table = Prepared(game_at(TRYING, ["red 3"]), bots="D")
    game = table.game
    assert game is not None

    async def plan() -> None:
        player = autoplay_of(table)
        player.plan_answers(NOW)
        while not seen:
            await asyncio.sleep(0)
        player.cancel_plans()

    asyncio.run(plan())
    preview = game.preview_for("D")
    assert preview is not None
    assert seen == [preview.view("D")]
    assert seen[0]["history"] == game.view("D")["history"] != []


# The order of the answers -------------------------------------------------------------------------

TRYING = {"A": ["red 3"], "B": ["green 1", "green 2"], "C": ["nice try", "blue 1"], "D": ["mimicry", "blue 2"]}


def carried_on(table: Prepared) -> None:
    """Whatever waits and may be played is played."""

    async def carry_on() -> None:
        player = autoplay_of(table)
        while table.questions.next_held(table.game):
            await player.do_next()
        player.cancel_plans()

    asyncio.run(carry_on())


@pytest.mark.parametrize("order", list(itertools.permutations("BCD")), ids="".join)
def test_answers_count_in_the_order_of_the_seats_whoever_was_faster(order: tuple[Seat, ...]) -> None:
    """C and D both try to keep A from ending the round: it is C's card that counts, and D keeps its own."""
    table = Prepared(game_at(TRYING, ["red 3"]))
    moves = {"B": "pass", "C": "nice try", "D": "mimicry"}
    assert table.questions.asked == ["B", "C", "D"]
    for seat in order:
        if seat in table.questions.asked and table.game is not None and table.game.played[-1:] != ["nice try"]:
            table.answer(seat, moves[seat])
            carried_on(table)
    assert table.game is not None
    assert table.game.played == ["red 3", "pass", "nice try"]
    assert table.game.position()["hands"]["D"] == ["blue 2", "mimicry"]
    assert table.questions.held == {}, "what waited is dropped when the window ends otherwise"
    assert table.questions.since == {"C": table.version}


def test_an_answer_is_final() -> None:
    table = Prepared(game_at(TRYING, ["red 3"]))
    since = table.questions.since["C"]
    table.answer("C", "pass")
    with pytest.raises(Denial) as denial:
        commands.move_by(table, "C", since, "nice try", "person")
    assert denial.value.code == "not asked"
    carried_on(table)
    table.answer("B", "pass")
    carried_on(table)
    assert table.questions.asked == ["D"]


def test_a_waiting_answer_is_dropped_when_somebody_before_changes_things_and_the_seat_is_asked_anew() -> None:
    hands = {"A": ["red troublemaker", "red 2"], "B": ["lucky bastard", "blue 2"], "C": ["blue 4"], "D": PLAIN}
    table = Prepared(game_at(hands, ["red troublemaker"]))
    assert table.questions.asked == ["B", "C", "D", "A"]
    before = table.questions.since["C"]
    table.answer("C", "pass")
    table.answer("B", "lucky bastard")
    assert (table.questions.asked, table.questions.held) == (["B"], {})
    table.answer("B", "pass")
    assert table.questions.asked == ["C", "D", "A"]
    assert table.questions.since["C"] > before
    with pytest.raises(Denial) as denial:
        commands.move_by(table, "C", before, "pass", "person")
    assert denial.value.code == "too late"


AT_ONCE = ["merry christmas", "russian roulette", "surprise party"]
CHOOSING = {"A": ["red troublemaker", "red 2", "green 7"], "B": ["blue 4", "green 1"], "C": PLAIN}


def choosing(event: str) -> Prepared:
    table = Prepared(game_at(CHOOSING, ["red troublemaker", "pass", "pass", "pass"], [event]))
    assert table.questions.asked == ["B", "C", "A"]
    return table


@pytest.mark.parametrize("event", AT_ONCE)
@pytest.mark.parametrize("seat", ["B", "C"])
def test_events_at_once_show_only_how_many_have_chosen(event: str, seat: Seat) -> None:
    """One of them chooses, one way or another: what the others are told is the same until all have chosen."""
    one, other = CHOOSING[seat]
    giving = ["A", "B" if seat == "C" else "C"]
    ways = {
        "merry christmas": [giving, giving[::-1]],
        "russian roulette": [[one], [other]],
        "surprise party": [[one, "A"], [other, "A"]],
    }
    told = []
    for moves in ways[event]:
        table = choosing(event)
        for answered, move in enumerate(moves, 1):
            table.answer(seat, move)
            last = ENCODER.encode(news.news_of(table, None, table.noted, NOW))
            assert (b'"answered":1' in last) == (answered == len(moves))
            assert table.questions.asked == ["B", "C", "A"]
            assert table.questions.next_held(table.game) is None
        told.append({viewer: table.frames[viewer] for viewer in (None, *"ABC") if viewer != seat})
        for frame in table.frames[None][-len(moves) :]:
            assert not any(word.encode() in frame for word in (one, other))
            assert "seat" not in json.loads(frame)
    assert told[0] == told[1]


def test_what_was_chosen_at_once_counts_in_the_order_of_the_seats_when_all_have_chosen() -> None:
    table = choosing("russian roulette")
    for seat, card in (("A", "red 2"), ("C", "blue 1"), ("B", "green 1")):
        table.answer(table.questions.asked["BCA".index(seat)], card)
    carried_on(table)
    assert table.game is not None
    assert table.game.played[-3:] == ["green 1", "blue 1", "red 2"]


@every_window
@pytest.mark.usefixtures("frozen")
@pytest.mark.parametrize("held", HELD)
def test_whoever_is_away_is_waited_for_choice_or_not(of_a: list[str], moves: list[str], reaction: str, held: str) -> None:
    table = at_window(of_a, moves, held, reaction)
    assert times_planned(table, away="B")["B"] == float("inf")


def test_a_table_made_anew_from_its_log_has_the_same_answers_waiting() -> None:
    table = Prepared(game_at(TRYING, ["red 3"]))
    table.answer("D", "mimicry")
    table.answer("C", "nice try")
    again = table.again()
    assert {seat: again.questions.moves_held(seat) for seat in again.questions.held} == {"C": ["nice try"], "D": ["mimicry"]}
    assert again.questions.since == table.questions.since
    for viewer in (None, "A", "B", "C", "D"):
        assert news.news_of(again, viewer, 0, NOW) == news.news_of(table, viewer, 0, NOW)
    again.answer("B", "pass")
    carried_on(again)
    assert again.game is not None
    assert again.game.played == ["red 3", "pass", "nice try"]


# At a real table ----------------------------------------------------------------------------------


def prepare(monkeypatch: pytest.MonkeyPatch, hands: Hands, moves: Iterable[str] = (), events: Iterable[str] = ()) -> None:
    """Every table deals these cards."""
    monkeypatch.setattr(Table, "new_game", lambda _: game_at(hands, moves, events))


async def seated(running: Running, people: int, pace: str = "none") -> list[Client]:
    clients = await running.people("frantic", people, pace=pace)
    await start(clients)
    return clients


def test_a_held_answer_survives_a_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(monkeypatch, TRYING | {"B": ["mimicry", "green 2"], "D": PLAIN})
    slow = Tempo(speed=500, reaction_least=5000, reaction_middle=5000, reaction_most=5000)  # nobody is passed for meanwhile

    async def do() -> None:
        with new_folder() as folder:
            async with serving(folder, tempo=slow) as running:
                ann, ben, cleo, dora = await seated(running, 4)
                assert (await ann.play("red 3"))["kind"] == "done"
                await cleo.until(lambda: cleo.ask_now)
                assert (await cleo.play("nice try"))["kind"] == "done"
                await dora.until(lambda: dora.news["answered"] == 1)
                cookies = [one.cookie for one in (ann, ben, cleo, dora)]
                table = ann.table_id
            async with serving(folder, tempo=slow) as running:
                clients = [await running.come(table, cookie) for cookie in cookies]
                for client in clients:
                    assert client.news["answered"] == 1
                _, ben, cleo, _ = clients
                assert cleo.ask_now is None
                assert (await ben.play("pass"))["kind"] == "done"
                await cleo.until(lambda: cleo.ask_now)
                rebuilt = await running.table(table)
                assert rebuilt.game is not None
                assert rebuilt.game.played == ["red 3", "pass", "nice try"]

    asyncio.run(do())


def test_who_can_only_pass_is_passed_for_and_who_has_a_choice_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(monkeypatch, TRYING)

    async def do() -> None:
        async with serving() as running:
            ann, ben, cleo, dora = await seated(running, 4)
            await ann.play("red 3")
            await cleo.until(lambda: cleo.news["asked"] == ["C", "D"])
            for client in (ben, dora):
                await client.settled()
            assert ben.ask_now is None
            assert (await cleo.ask("why", move="nice try")).get("rule", "") == ""
            assert (await dora.play("pass"))["kind"] == "done"
            assert dora.ask_now is None
            assert (await cleo.play("pass"))["kind"] == "done"
            await cleo.until(lambda: cleo.news["asked"] == ["A"])  # first what Dora chose is played too
            moves = [one.entry for one in await running.log(ann.table_id) if isinstance(one.entry, entries.Played)]
            assert [(move.seat, move.move, move.by) for move in moves[1:4]] == [
                ("B", "pass", "person"),
                ("C", "pass", "person"),
                ("D", "pass", "person"),
            ]

    asyncio.run(do())


async def alone_asked(client: Client) -> None:
    await client.until(lambda: len(client.news["asked"]) == 1)


def test_where_the_time_runs_out_it_is_let_be_and_nobody_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(monkeypatch, TRYING)

    async def do() -> None:
        async with serving(tempo=Tempo(speed=200)) as running:
            clients = await seated(running, 4, pace="quick")
            await clients[0].play("red 3")
            for client in clients:
                await alone_asked(client)
                assert not any('"clock"' in frame for frame in client.frames)
            logged = await running.log(clients[0].table_id)
            made_by = {one.entry.by for one in logged if isinstance(one.entry, entries.Played) and one.entry.move == "pass"}
            assert "clock" in made_by

    asyncio.run(do())
