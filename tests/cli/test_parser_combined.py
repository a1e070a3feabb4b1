"""Several cards as one move: by numbers, by names, and why they are refused."""

from __future__ import annotations

import pytest

import fuda
from fuda.cli.table.parser import InputParser, Move, Unclear

HAND = ["spade 10", "heart 10", "diamond 3", "diamond 4", "diamond 5"]


def table() -> fuda.Game:
    position = {
        "hands": {"A": HAND, "B": ["club 2", "club 3", "club 4"], "C": ["club 5"]},
        "trump_card": "heart 2",
        "rest": "discards",
    }
    return fuda.new("kirifu", players=3, position=position)


def parser(game: fuda.Game) -> InputParser:
    return InputParser(game.rules, game.moves(), HAND, {"A": "Ann", "B": "Bob", "C": "Cleo"})


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("1 2", "spade 10 + heart 10"),
        ("2, 1", "heart 10 + spade 10"),
        ("1+2+3", "spade 10 + heart 10 + diamond 3"),
        ("diamond 3 + diamond 4 + diamond 5", "diamond 3 + diamond 4 + diamond 5"),
        ("sp 10, ♥ 10", "spade 10 + heart 10"),
        ("3", "diamond 3"),
        ("heart", "heart 10"),
    ],
)
def test_several_cards_are_chosen_at_once(typed: str, move: str) -> None:
    game = table()
    found = parser(game).parse(typed)
    assert isinstance(found, Move)
    assert found.move == move
    game.play(found.move)
    assert game.position()["table"] == move.split(" + ")


@pytest.mark.parametrize(("typed", "rule"), [("1 3", "K-7"), ("spade 10 + heart 10 + club 9", "A-5"), ("1 2 3 4", "K-7")])
def test_why_answers_for_several_cards(typed: str, rule: str) -> None:
    game = table()
    found = parser(game).parse_subject(typed)
    assert isinstance(found, Move)
    refusal = game.why(found.move)
    assert refusal is not None
    assert refusal.rule == rule


def test_a_card_among_several_that_is_unclear_is_named() -> None:
    found = parser(table()).parse("1 + diamond")
    assert isinstance(found, Unclear)
    assert "diamond 3" in found.message
    assert isinstance(parser(table()).parse("1 9"), Unclear)
