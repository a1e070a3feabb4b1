"""Whatever is thrown at the public face: a clear Error, and no game is changed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fuda
from tests.contract.test_moves import everything
from tests.tables import ALL, Table, moments, reduced_tables

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
some_table = st.sampled_from(ALL)


def refused_or_fine(call: Any) -> None:
    """Runs it; an Error must be one that a person can read."""
    try:
        call()
    except fuda.Error as error:
        assert len(str(error)) > 10
        assert "Traceback" not in str(error)


def likely_position(table: Table) -> st.SearchStrategy[Any]:
    """Something like a position, with real names of fields, seats and cards in it."""
    rules = fuda.rulebook(table.game)
    word = st.sampled_from([*rules.cards[:6], "A", "B", "Z", "hands"]) | st.text(max_size=5)
    value = st.one_of(
        st.lists(word, max_size=6),
        st.dictionaries(st.sampled_from(["A", "B", "C", "Q"]), st.lists(word, max_size=4) | st.integers(), max_size=4),
        st.integers(-5, 1000),
        word,
        anything,
    )
    names = st.sampled_from([field.name for field in rules.fields] + ["rest", "nonsense"])
    return st.dictionaries(names, value, max_size=5)


@settings(max_examples=400)
@given(some_table.flatmap(lambda table: st.tuples(st.just(table), likely_position(table) | anything)))
def test_any_position(case: tuple[Table, Any]) -> None:
    table, position = case
    refused_or_fine(lambda: table.new(1, position))


@settings(max_examples=300)
@given(anything)
def test_any_record(record: Any) -> None:
    refused_or_fine(lambda: fuda.replay(record))


@settings(max_examples=300)
@given(anything, st.integers())
def test_any_view(view: Any, seed: int) -> None:
    refused_or_fine(lambda: fuda.redeal(view, seed))


@settings(max_examples=300)
@given(some_table, st.data())
def test_a_damaged_record(table: Table, data: st.DataObject) -> None:
    """One part of a true record is replaced, dropped or doubled: it is refused, or is a true record still."""
    game = table.new(3)
    for _ in range(14):
        game.play(game.moves()[0])
    record = damaged(game.record(), data)
    refused_or_fine(lambda: fuda.replay(record))


@settings(max_examples=300)
@given(some_table, st.data())
def test_a_damaged_view(table: Table, data: st.DataObject) -> None:
    game = table.new(4)
    for _ in range(14):
        game.play(game.moves()[0])
    view = damaged(game.view("A"), data)
    refused_or_fine(lambda: fuda.redeal(view, 1))


def damaged(whole: Any, data: st.DataObject) -> Any:
    place = whole
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return whole
        key = data.draw(st.sampled_from(keys))
        if isinstance(place[key], (dict, list)) and data.draw(st.booleans()):
            place = place[key]
            continue
        if data.draw(st.booleans()):
            del place[key]
        else:
            place[key] = data.draw(anything)
        return whole


@settings(max_examples=200)
@given(some_table, anything, anything)
def test_any_move_and_any_seat(table: Table, move: Any, seat: Any) -> None:
    game = table.new(1)
    before = everything(game)
    if move not in game.moves():
        with pytest.raises(fuda.Error):
            game.play(move)
        with pytest.raises(fuda.Error):
            game.play(move, seat=seat if seat is not None else "Z")
    if seat is not None:
        with pytest.raises(fuda.Error):
            game.view(seat if seat not in table.seats else "Z")
    assert everything(game) == before


@pytest.mark.parametrize("game", [game["id"] for game in fuda.games()])
def test_a_move_of_very_many_words_is_not_looked_up(game: str) -> None:
    g = fuda.new(game, players=4, seed=1)
    long = " + ".join([g.rules.moves[0]] * 100_000)
    assert g.words_of(long) == []
    refusal = g.why(long)
    assert refusal is not None
    assert refusal.rule == "A-6"
    assert len(str(refusal)) < 200


@settings(max_examples=200)
@given(anything, anything, anything, anything)
def test_any_arguments_of_new(game: Any, players: Any, seed: Any, options: Any) -> None:
    refused_or_fine(lambda: fuda.new(game, players=players, seed=seed, options=options))
    refused_or_fine(lambda: fuda.new("schadenfreude", players=players, seed=seed, options=options))


@reduced_tables
def test_a_truncated_record_says_so(table: Table) -> None:
    for game in moments(table, 5, 0.05):
        record = game.record()
        text = json.dumps(record)
        for part in ("moves", "chance"):
            if record[part]:
                short = json.loads(text)
                short[part].pop()
                with pytest.raises(fuda.Error, match="record is damaged"):
                    fuda.replay(short)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"game": "chess"}, "no game 'chess'; there are schadenfreude"),
        ({"players": 2}, "Schadenfreude is for 3 to 5 players, not 2"),
        ({"players": True}, "not True"),
        ({"options": {"goal": 3}}, "no option 'goal'; its options: target"),
        ({"options": {"target": 501}}, "Option target: expected a whole number from 1 to 500, got 501"),
        ({"options": {"target": "high"}}, "Option target: expected a whole number from 1 to 500, got 'high'"),
        ({"game": "cursed_tricks", "options": {"deck": "tarot"}}, "expected one of original, standard, got 'tarot'"),
        ({"seed": 1.5}, "seed"),
        ({"position": {"hand": {}}}, "Schadenfreude has no field 'hand'; its fields: round"),
        ({"position": {"hands": {"Q": []}}}, "The position, hands: 'Q' is not a seat; there are A, B, C, D"),
        ({"position": {"hands": {"A": ["sword 0"]}}}, "The position, hands of A: 'sword 0' is not a card of this game"),
        (
            {"position": {"hands": {"A": ["sword 1"]}, "trick": ["sword 1"]}},
            "the sword 1 is already in trick",
        ),
        ({"players": 3, "position": {"trick": ["sword 9"]}}, "sword 9 is not in the deck of this game with 3 players"),
        ({"position": {"hands": {"A": ["sword 1", "sword 2"], "B": ["flag 1"]}}}, "should hold 2 like the others, not 1"),
        ({"position": {"hands": {}}}, "nobody has a decision left"),
        ({"position": {"hands": {seat: [] for seat in "ABCD"}}}, "nobody has a decision left"),
        ({"position": {"round": 0}}, "The position, round: expected a whole number from 1 to"),
        ({"position": {"leader": "E"}}, "The position, leader: 'E' is not a seat"),
        ({"position": {"totals": {"A": "ten"}}}, "The position, totals of A: expected a whole number"),
        ({"position": {"rest": "hands"}}, "The position, rest: expected one of trick, discards, leftover, got 'hands'"),
        ({"position": {"trick": ["sword 1", "sword 2", "sword 3", "sword 4"]}}, "nobody has a decision left"),
        ({"position": {"trick": [f"sword {n}" for n in (1, 2, 3, 4, 5)]}}, "5 cards are too many for 4 players"),
        ({"game": "cursed_tricks", "position": {"round": 5}}, "The position, round: there are only 4 rounds"),
        (
            {"game": "cursed_tricks", "position": {"curses": {"A": ["red 1"], "B": ["red 2"]}}},
            "there is never more than one red curse",
        ),
        (
            {"game": "cursed_tricks", "options": {"deck": "standard"}, "position": {"trick": ["red 14"]}},
            "red 14 is not in the deck",
        ),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], says: str) -> None:
    usual: dict[str, Any] = {"game": "schadenfreude", "players": 4, "seed": 1}
    with pytest.raises(fuda.Error) as error:
        fuda.new(**(usual | arguments))
    assert says in str(error.value)


def test_a_hand_larger_than_dealt_is_named() -> None:
    hands = {
        seat: [f"{suit} {rank}" for rank in (-3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8)]
        for seat, suit in zip("ABCD", ("sword", "flag", "shield", "helmet"), strict=True)
    }
    with pytest.raises(fuda.Error, match="11 cards are more than the 10 that are dealt"):
        fuda.new("schadenfreude", players=5, position={"hands": hands | {"E": []}})


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"fuda": 2}, "format 2; this version of Fuda reads formats up to 1"),
        ({"fuda": None}, "not a record"),
        ({"rules": "7"}, "version 7 of the rules of Schadenfreude; this version of Fuda knows 2"),
        ({"rules": 1}, "no version of the rules"),
        ({"rules": "12345678"}, "version 12345678 of the rules of Schadenfreude; this version of Fuda knows 2"),
        ({"rules": "123456789"}, "'123456789' is no version of the rules"),
        ({"result": [1]}, "The record is damaged: result is [1]."),
        ({"extra": 1}, "unknown field 'extra'"),
        ({"moves": ["sword 99"]}, "move 1, 'sword 99'"),
        ({"moves": "sword 1"}, "moves is not a list"),
        ({"chance": ["Q"]}, "chance, outcome 1: 'Q' is not one of A, B, C, D"),
        ({"chance": ["A", ["sword 1"]]}, "chance, outcome 2: expected a list of 50 cards"),
        ({"result": {"over": True}}, "its result says over True, but its moves come to False"),
        ({"history": [{"kind": "play"}]}, "has a history, but no position"),
        ({"game": "chess"}, "no game 'chess'"),
    ],
)
def test_wrong_records_are_named(change: dict[str, Any], says: str) -> None:
    record = fuda.new("schadenfreude", players=4, seed=1).record() | change
    with pytest.raises(fuda.Error) as error:
        fuda.replay(record)
    assert says in str(error.value)
