"""A transcript shows a game exactly as it was shown, without its rules."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

import fuda
from fuda.game import begin, chance_from
from fuda.transcripts import LONGEST_TEXT, MOST_LEVELS, frames_of, open_view, transcript_of
from tests.tables import Table, random_game, reduced_tables


def record_of(table: Table) -> dict[str, Any]:
    *_, game = random_game(table, 7)
    return game.record()


@reduced_tables
def test_its_frames_are_the_views_with_open_hands_after_each_move(table: Table) -> None:
    record = record_of(table)
    transcript = json.loads(json.dumps(transcript_of(record)))
    assert (transcript["fuda"], transcript["game"], transcript["rules"]) == (
        fuda.__version__,
        record["game"],
        record["rules"],
    )
    rules = fuda.rulebook(record["game"])
    game = begin(rules, record["players"], record["options"], chance_from(0, rules.cards, record["chance"]))
    frames = frames_of(transcript)
    assert len(frames) == len(record["moves"]) + 1
    noted = 0
    for frame, move in zip(frames, ["", *record["moves"]], strict=True):
        assert frame.move == move
        assert frame.seat == (game.seat if move else None)
        if move:
            game.play(move)
        assert frame.view | {"history": frame.notes} == open_view(game, noted)
        noted = game.note_count
    assert frames[-1].view["winners"] == record["result"]["winners"]


def test_it_begins_with_a_given_position() -> None:
    game = fuda.new("schadenfreude", 3, 1)
    game.play(game.moves()[0])
    later = fuda.new("schadenfreude", 3, 1, position=game.position())
    later.play(later.moves()[0])
    (first, last) = frames_of(transcript_of(later.record()))
    assert first.view["trick"] == game.view(None)["trick"]
    assert last.move == later.played[0]


def test_a_record_may_have_one_and_is_replayed_without_it() -> None:
    record = record_of(Table("schadenfreude", 3, {"target": 10}))
    for transcript in (transcript_of(record), "nonsense"):
        assert fuda.replay(record | {"transcript": transcript}).record() == record


def nested(levels: int) -> list[Any]:
    return [nested(levels - 1)] if levels else []


DAMAGES: list[Any] = [
    pytest.param([], None, id="no fields"),
    pytest.param(["view"], 7, id="no view"),
    pytest.param(["view", "players"], 9, id="too many players"),
    pytest.param(["view", "players"], True, id="no number of players"),
    pytest.param(["view", "options"], [], id="no options"),
    pytest.param(["view", "options", "target"], {}, id="an option that is none"),
    pytest.param(["view", "over"], "no", id="no end"),
    pytest.param(["view", "winners"], ["Z"], id="a winner without a seat"),
    pytest.param(["view", "hands", "A"], ["\x1b[2J"], id="a control character"),
    pytest.param(["view", "hands", "A"], ["x" * (LONGEST_TEXT + 1)], id="a long text"),
    pytest.param(["view", "hands", "A"], nested(MOST_LEVELS), id="too deep"),
    pytest.param(["view", "hands", "A"], 1.5, id="a fraction"),
    pytest.param(["view", "hands"], {}, id="no hands"),
    pytest.param(["notes"], [{}], id="a note without a kind"),
    pytest.param(["moves"], {}, id="no list of moves"),
    pytest.param(["moves", 0], [], id="no move"),
    pytest.param(["moves", 0, "seat"], "Z", id="a move of nobody"),
    pytest.param(["moves", 0, "seat"], "H", id="a move of somebody who does not play"),
    pytest.param(["moves", 0, "more"], 1, id="an unknown field"),
    pytest.param(["moves", 0, "seats"], {"D": {"hands": []}}, id="a hand of nobody"),
    pytest.param(["moves", 0, "seats"], {"A": {"leader": "B"}}, id="a field that is the same for all"),
    pytest.param(["moves", 0, "view", "players"], 4, id="another number of players"),
    pytest.param(["more"], 1, id="another field"),
]


@pytest.mark.parametrize(("path", "value"), DAMAGES)
def test_a_damaged_one_is_refused(path: list[Any], value: object) -> None:
    transcript: Any = copy.deepcopy(transcript_of(record_of(Table("schadenfreude", 3, {"target": 10}))))
    part = transcript
    for key in path[:-1]:
        part = part[key]
    if path:
        part[path[-1]] = value
    else:
        transcript = value
    with pytest.raises(fuda.Error, match=r"^The transcript"):
        frames_of(transcript)
