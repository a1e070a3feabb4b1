"""Questions to several at the same time: nobody learns who had a choice, and answers count in the order of seats."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
from typing import Any

import pytest

from fuda.protocol.parts import Pace, Seat
from fuda.server import clock, commands, entries, news
from fuda.server.autoplay import NEVER
from fuda.server.bot_pool import BotPool
from fuda.server.denials import Denial
from fuda.server.sockets import ENCODER
from fuda.server.table import Table
from tests.server.prepared_table import NOW, Prepared, autoplay_of, game_at

PLAIN = ["blue 1", "blue 2"]


@pytest.fixture(autouse=True)
def frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time stands still, and bots let things be."""

    async def thought(*_: object) -> str:
        return "pass"

    monkeypatch.setattr(clock, "now", lambda: NOW)
    monkeypatch.setattr(BotPool, "choose", thought)


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


def end_reaction(table: Prepared, shown: int = 8) -> None:
    """The reaction ends, and the answers count, until so many have been shown."""

    async def end() -> None:
        player = autoplay_of(table)
        player.plan_answers(NOW)
        while any(plan.move is None for plan in player.plans.values()):
            await asyncio.sleep(0)
        assert await player.answer_if_due(table.questions.due or NOW)
        end = table.version + shown - 1
        while table.version < end and table.questions.is_reaction and table.questions.due == NOW:
            assert await player.answer_if_due(NOW)
        player.cancel_plans()

    asyncio.run(end())


# Who had a choice ---------------------------------------------------------------------------------


@every_window
@pytest.mark.parametrize("held", HELD[1:])
@pytest.mark.parametrize("holder_answers", [True, False])
@pytest.mark.parametrize("other_answers", [True, False])
def test_all_others_are_sent_the_same_bytes_whether_the_card_is_held_or_not(
    of_a: list[str], moves: list[str], reaction: str, held: str, holder_answers: bool, other_answers: bool
) -> None:
    """Whoever has a choice, or none, passes, or does nothing until the end. Scores, which may follow, differ."""
    plain = at_window(of_a, moves, HELD[0], reaction)
    holding = at_window(of_a, moves, held, reaction)
    assert plain.game is not None
    assert holding.game is not None
    assert plain.game.moves() == ["pass"] != holding.game.moves()
    for table, answers in ((plain, other_answers), (holding, holder_answers)):
        if answers:
            table.answer("B", "pass")
        end_reaction(table, shown=1)
    for viewer in (None, "A", "C"):
        assert plain.frames[viewer] == holding.frames[viewer]
    assert (plain.version, plain.noted) == (holding.version, holding.noted)


@every_window
@pytest.mark.parametrize("seat", ["B", "C"])
def test_nobody_else_is_told_of_an_answer_before_the_reaction_ends(
    of_a: list[str], moves: list[str], reaction: str, seat: Seat
) -> None:
    hands = {"A": of_a, "B": ["red 1"], "C": ["blue 1"], "D": PLAIN}
    hands[seat] = [*hands[seat], reaction, "green 9"]
    table = Prepared(game_at(hands, []))
    for move in moves:
        table.answer("A", move)
    if seat not in table.questions.asked:
        return
    before = {viewer: [*frames] for viewer, frames in table.frames.items()}
    version, length, since = table.version, table.length, table.questions.since[seat]
    welcomes = {viewer: welcome(table, viewer) for viewer in (None, "A", "B", "C", "D")}
    table.answer(seat, reaction)
    assert (table.version, table.length) == (version, length + 1), "it is in the log"
    for viewer, frames in table.frames.items():
        if viewer == seat:
            assert frames == [*before[viewer], f'{{"kind":"sealed","since":{since}}}'.encode()]
            assert b'"ask"' not in welcome(table, seat)
        else:
            assert frames == before[viewer]
            assert welcome(table, viewer) == welcomes[viewer], "nor whoever connects now"


def welcome(table: Prepared, viewer: Seat | None) -> bytes:
    return ENCODER.encode(news.welcome_of(table, viewer, [], table.seconds_left))


# When a reaction ends -----------------------------------------------------------------------------


def length_of(table: Prepared) -> float:
    """How long the reaction takes."""
    assert table.questions.due is not None
    return table.questions.due - NOW


@every_window
def test_the_end_of_a_reaction_depends_neither_on_hands_nor_on_answers(
    of_a: list[str], moves: list[str], reaction: str
) -> None:
    """With the same random numbers it is the same."""
    for bots in ("", "B"):
        lengths, ends = set(), set()
        for held in HELD:
            for answer in ("", "pass", reaction if held == "the reaction" else "pass"):
                table = at_window(of_a, moves, held, reaction, bots)
                lengths.add(length_of(table))
                if answer and not bots:
                    table.answer("B", answer)
                ends.add(end_planned(table))
        assert len(lengths) == 1
        assert ends == {table.questions.due}


def end_planned(table: Prepared) -> float:
    """When autoplay ends the reaction, once bots have chosen."""

    async def plan() -> float:
        player = autoplay_of(table)
        player.plan_answers(NOW)
        while any(plan.move is None for plan in player.plans.values()):
            await asyncio.sleep(0)
        return player.end_of_reaction()

    return asyncio.run(plan())


@pytest.mark.parametrize(
    ("pace", "least", "most"), [("quick", 3, 6), ("normal", 4, 10), ("relaxed", 8, 20), ("none", 8, 20)]
)
def test_a_reaction_takes_long_enough_for_people_to_decide_by_the_pace(pace: Pace, least: float, most: float) -> None:
    lengths = sorted(length_of(Prepared(game_at(TRYING, ["red 3"]), pace=pace, seed=seed)) for seed in range(200))
    assert least <= lengths[0] < lengths[100] < lengths[-1] <= most
    assert 0.9 < lengths[100] / (least * most) ** 0.5 < 1.1
    assert len(set(lengths)) > 150


def test_a_reaction_of_bots_takes_about_two_seconds() -> None:
    game = game_at(TRYING, ["red 3"])
    lengths = sorted(length_of(Prepared(game, bots="BCD", seed=seed)) for seed in range(200))
    assert 0.69 < lengths[0] < 1 < lengths[100] < 3 < lengths[-1] < 5.71


@pytest.mark.parametrize("held", HELD)
def test_whoever_is_away_is_waited_for_as_long_as_anybody_else(held: str) -> None:
    table = at_window(["red 3"], ["red 3"], held, "nice try")
    assert autoplay_of(table, absent="B").end_of_reaction() == table.questions.due


ALONE = {"A": ["red 3"], "B": ["nice try", "green 2"], "C": ["mimicry", "blue 1"], "D": PLAIN}


@pytest.mark.parametrize(("pace", "most"), [("quick", 6), ("none", None)])
def test_with_bots_only_the_reaction_ends_when_the_only_person_has_answered(pace: Pace, most: float | None) -> None:
    table = Prepared(game_at(ALONE, ["red 3"]), bots="ACD", pace=pace)
    assert table.questions.due == (None if most is None else NOW + most)
    assert end_planned(table) == (NEVER if most is None else NOW + most)
    table.answer("B", "pass")
    assert end_planned(table) == NOW
    end_reaction(table)
    assert table.game is not None
    assert table.game.played == ["red 3", "pass", "pass", "pass"], "of all who were asked"


@pytest.mark.parametrize("pace", ["quick", "none"])
def test_the_only_person_at_a_table_needs_not_pass_without_a_choice(pace: Pace) -> None:
    hands = ALONE | {"B": ["green 1", "green 2"]}
    assert 0.69 < length_of(Prepared(game_at(hands, ["red 3"]), bots="ACD", pace=pace)) < 5.71


def test_a_bot_that_has_not_chosen_in_time_gets_one_second_more(monkeypatch: pytest.MonkeyPatch) -> None:
    async def think(*_: object) -> str:
        await asyncio.sleep(3600)
        return "mimicry"

    monkeypatch.setattr(BotPool, "choose", think)
    table = Prepared(game_at(TRYING, ["red 3"]), bots="D")
    due = NOW + length_of(table)

    async def wait() -> None:
        player = autoplay_of(table)
        assert not await player.answer_if_due(due + 0.99)
        while table.game is not None and table.game.is_reaction:
            assert await player.answer_if_due(due + 1)
        player.cancel_plans()

    asyncio.run(wait())
    played = [one.entry for one in table.logged if isinstance(one.entry, entries.Played)]
    assert [(one.seat, one.move, one.by) for one in played[-3:]] == [
        ("B", "pass", "clock"),
        ("C", "pass", "clock"),
        ("D", "pass", "bot"),
    ]
    assert all(one.quiet for one in played[-3:])
    assert [table.seats[seat].late for seat in ("B", "C")] == [0, 0], "nobody was late"


# Other questions ----------------------------------------------------------------------------------


def times_planned(table: Prepared, seed: int = 4) -> dict[str, float]:
    """How long until each of those who are asked is answered for."""

    async def plan() -> dict[str, float]:
        player = autoplay_of(table)
        player.random = random.Random(seed)
        player.plan_answers(NOW)
        plans: dict[str, float] = {seat: plan.at - NOW for seat, plan in player.plans.items()}
        player.cancel_plans()
        return plans

    return asyncio.run(plan())


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
        table.answer(seat, moves[seat])
    end_reaction(table)
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
    end_reaction(table)
    assert table.game is not None
    assert table.game.played == ["red 3", "pass", "pass", "pass"]


def test_a_waiting_answer_is_dropped_when_somebody_before_changes_things_and_the_seat_is_asked_anew() -> None:
    hands = {"A": ["red troublemaker", "red 2"], "B": ["lucky bastard", "blue 2"], "C": ["blue 4"], "D": PLAIN}
    table = Prepared(game_at(hands, ["red troublemaker"]))
    assert table.questions.asked == ["B", "C", "D", "A"]
    before = table.questions.since["C"]
    table.answer("C", "pass")
    table.answer("B", "lucky bastard")
    end_reaction(table)
    assert (table.questions.asked, table.questions.held) == (["B"], {})
    table.answer("B", "pass")
    assert table.questions.asked == ["C", "D", "A"]
    assert table.questions.since["C"] > before
    assert length_of(table) > 0, "it is another reaction, which ends later"
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


def test_a_table_made_anew_from_its_log_has_the_same_answers_waiting() -> None:
    table = Prepared(game_at(TRYING, ["red 3"]))
    table.answer("D", "mimicry")
    table.answer("C", "nice try")
    again = table.again()
    assert {seat: again.questions.moves_held(seat) for seat in again.questions.held} == {"C": ["nice try"], "D": ["mimicry"]}
    assert again.questions.since == table.questions.since
    for viewer in (None, "A", "B", "C", "D"):
        assert news.news_of(again, viewer, 0, NOW) == news.news_of(table, viewer, 0, NOW)
    assert (again.version, again.length) == (table.version, table.length)
    end_reaction(again)
    assert again.game is not None
    assert again.game.played == ["red 3", "pass", "nice try"]


def test_the_version_is_the_same_whether_earlier_games_are_replayed_or_not() -> None:
    """When a table is read from its log, only the last game is."""
    table = Prepared(game_at(TRYING, ["red 3"]))
    table.answer("C", "pass")
    end_reaction(table)
    table.enter(entries.Reopened("ef" * 32))
    again = Table(table.id)
    again.skip_games_before = 2
    for one in table.logged:
        again.apply(one)
    assert (again.version, again.length) == (table.version, table.length) == (len(table.logged) - 1, len(table.logged))


def test_an_answer_in_the_log_of_an_older_server_keeps_its_version() -> None:
    table = Prepared(game_at(TRYING, ["red 3"]))
    since = table.version
    table.enter(entries.Answered("C", "nice try", "person", quiet=True))
    assert table.version == table.length == since + 1
    end_reaction(table)
    assert table.game is not None
    assert table.game.played == ["red 3", "pass", "nice try"]
