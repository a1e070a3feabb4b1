"""Nobody can tell from what they are sent, or when, whether somebody had a choice in a reaction."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import msgspec
import pytest

from fuda.protocol.parts import Seat
from fuda.server import clock, commands
from fuda.server.autoplay import Autoplay
from fuda.server.deadlines import Deadlines
from fuda.server.entries import Answered
from tests.server.reaction_windows import KINDS, OBSERVERS, Reaction, by_a_client, by_a_person, by_the_server, thinking_time
from tests.server.virtual_time import VirtualLoop

REACTIONS: Final = 10_000
"""Half of them with a choice."""
LEAST_CHANCE: Final = 0.01
SEEDS: Final = (1, 2)
"""Fixed: among so many comparisons one would fail by chance now and then."""
THROWN: Final = 0.2
"""How often whoever has a choice uses it; then only what comes before that shows must be the same."""

Subject = Callable[[Reaction], Awaitable[None]]
WAYS: list[Any] = [
    pytest.param(by_the_server, "BD", id="a bot of the server"),
    pytest.param(by_a_client, "D", id="a bot of fuda.client"),
    pytest.param(by_a_person, "D", id="a person"),
]


# Statistics ---------------------------------------------------------------------------------------


def chance_of_the_same(one: Sequence[float], other: Sequence[float]) -> float:
    """The Kolmogorov–Smirnov test: how likely two samples of one distribution differ at least as much."""
    places = sorted([(value, 0) for value in one] + [(value, 1) for value in other])
    counts, most = [0, 0], 0.0
    for at, (value, sample) in enumerate(places):
        counts[sample] += 1
        if at + 1 == len(places) or places[at + 1][0] != value:
            most = max(most, abs(counts[0] / len(one) - counts[1] / len(other)))
    size = math.sqrt(len(one) * len(other) / (len(one) + len(other)))
    scaled = (size + 0.12 + 0.11 / size) * most
    if scaled < 0.2:
        return 1.0
    terms = [math.exp(-2 * (k * scaled) ** 2) for k in range(1, 101)]
    return min(1.0, 2 * (sum(terms[::2]) - sum(terms[1::2])))


def chance_of_the_same_tail(one: Sequence[float], other: Sequence[float], is_low: bool) -> float:
    """How likely the lowest, or highest, percent of both falls at least as unevenly on two samples of one distribution."""
    both = sorted([*one, *other], reverse=not is_low)
    edge = both[len(both) // 100]
    count, expected = (sum(value <= edge if is_low else value >= edge for value in sample) for sample in (one, other))
    share = (count + expected) / len(both)
    if share == 1:
        return 1.0
    spread = math.sqrt(share * (1 - share) * (1 / len(one) + 1 / len(other)))
    return math.erfc(abs(count / len(one) - expected / len(other)) / spread / math.sqrt(2))


def test_the_statistics_tell_samples_apart_and_only_those_that_differ() -> None:
    rng = random.Random(1)
    same = [[rng.lognormvariate(0, 0.5) for _ in range(5000)] for _ in range(2)]
    assert chance_of_the_same(*same) > LEAST_CHANCE
    later = [value + 0.05 for value in same[1]]
    assert chance_of_the_same(same[0], later) < LEAST_CHANCE
    early = [0.01 if rng.random() < 0.01 else value for value in same[1]]
    assert chance_of_the_same(same[0], early) > LEAST_CHANCE, "it does not see tails"
    assert chance_of_the_same_tail(same[0], early, is_low=True) < LEAST_CHANCE
    for is_low in (True, False):
        assert chance_of_the_same_tail(same[0], same[1], is_low) > LEAST_CHANCE
    known = chance_of_the_same([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
    assert known == pytest.approx(0.11, abs=0.01)


# Reactions ----------------------------------------------------------------------------------------


async def observed(subject: Subject, bots: str, has_choice: bool, count: int) -> list[Reaction]:
    rng = random.Random(SEEDS[has_choice])
    reactions = []
    for number in range(count):
        throws = has_choice and rng.random() < THROWN
        reaction = Reaction(KINDS[number % len(KINDS)], has_choice, throws, rng, bots)
        await reaction.watch(subject)
        reactions.append(reaction)
    return reactions


def differences(subject: Subject, bots: str, count: int) -> list[str]:
    """What tells reactions with a choice from those without."""

    async def do() -> list[list[Reaction]]:
        return [await observed(subject, bots, has_choice, count // 2) for has_choice in (False, True)]

    with asyncio.Runner(loop_factory=VirtualLoop) as runner, pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "now", runner.get_loop().time)
        patch.setattr(asyncio, "to_thread", in_virtual_time)
        without, with_choice = runner.run(do())
    found = []
    for viewer in OBSERVERS:
        for kind in KINDS:
            first, second = ([one for one in group if one.kind is kind] for group in (without, with_choice))
            assert len({one.seen[viewer].times[1] for one in first}) > len(first) / 2, "they take different times"
            found += [f"{kind.card}, seen by {viewer}: {one}" for one in told_apart(first, second, viewer)]
    return found


async def in_virtual_time(choose: Callable[..., str], view: dict[str, Any], moves: list[str]) -> str:
    """In place of a thread."""
    await asyncio.sleep(thinking_time(random.Random(len(moves)), moves))
    return choose(view, moves)


def told_apart(without: list[Reaction], with_choice: list[Reaction], viewer: Seat | None) -> list[str]:
    passed = [one for one in with_choice if not one.throws]
    found = []
    before = {one.seen[viewer].masked for one in without}
    if before != {one.seen[viewer].masked for one in passed}:
        found.append("the frames")
    if {one.seen[viewer].masked[0] for one in with_choice if one.throws} != {frames[0] for frames in before}:
        found.append("the first frame")
    if any(len(one.seen[viewer].times) != 1 + one.kind.asked for one in [*without, *passed]):
        return [*found, "the number of events"]
    sizes, other_sizes = ([float(sum(map(len, one.seen[viewer].frames))) for one in group] for group in (without, passed))
    samples = [("bytes", sizes, other_sizes)]
    for event in range(1 + without[0].kind.asked):
        comparable = passed if event > 1 else with_choice
        times, other_times = ([one.seen[viewer].times[event] for one in group] for group in (without, comparable))
        samples.append((f"the time of event {event}", times, other_times))
    for what, one, other in samples:
        chances = {
            "overall": chance_of_the_same(one, other),
            "lowest percent": chance_of_the_same_tail(one, other, is_low=True),
            "highest percent": chance_of_the_same_tail(one, other, is_low=False),
        }
        found += [f"{what}, {where}: p = {chance:.5f}" for where, chance in chances.items() if chance <= LEAST_CHANCE]
    return found


@pytest.mark.parametrize(("subject", "bots"), WAYS)
def test_nobody_can_tell_from_a_reaction_whether_there_was_a_choice(subject: Subject, bots: str) -> None:
    assert differences(subject, bots, REACTIONS) == []


# The comparison itself ----------------------------------------------------------------------------

move_by, of_reaction, end_of_reaction = commands.move_by, Deadlines.of_reaction, Autoplay.end_of_reaction


def without_a_seal(*given: Any) -> Any:
    """The event `answered`, and a version of its own, tell of every answer."""
    entry = move_by(*given)
    return msgspec.structs.replace(entry, sealed=False) if isinstance(entry, Answered) else entry


def once_all_have_answered(player: Autoplay) -> float:
    questions, end = player.table.questions, end_of_reaction(player)
    return min(end, player.table.changed) if all(questions.held.get(seat) for seat in questions.asked) else end


def longer_for_a_choice(deadlines: Deadlines, game: Any) -> float | None:
    seconds = of_reaction(deadlines, game)
    return seconds if seconds is None or game.moves() == ["pass"] else seconds * 1.2


LEAKS: list[Any] = [
    pytest.param("commands.move_by", without_a_seal, "the number of events", id="answers are shown"),
    pytest.param("autoplay.Autoplay.end_of_reaction", once_all_have_answered, "the time of event 1", id="ends early"),
    pytest.param("deadlines.Deadlines.of_reaction", longer_for_a_choice, "the time of event 1", id="ends later"),
]


@pytest.mark.parametrize(("where", "leak", "finding"), LEAKS)
def test_the_comparison_finds_what_used_to_tell(
    where: str, leak: Callable[..., Any], finding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"fuda.server.{where}", leak)
    found = differences(by_a_person, "D", 2000)
    assert any(finding in one for one in found), found
