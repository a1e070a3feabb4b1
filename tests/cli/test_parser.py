"""What a player types is understood, or the reply says why not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuda
from fuda.cli.table.parser import COMMANDS, Command, Input, InputParser, Move, Unclear

RULES = fuda.rulebook("schadenfreude")
MOVES = ["shield -3", "shield 7", "wild 10"]
HAND = ["sword 1", "sword 7", "flag 2", *MOVES]
NAMES = {"A": "Ann", "B": "Bob"}


def answer(text: str) -> Input:
    return InputParser(RULES, MOVES, HAND, NAMES).parse(text)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("1", "shield -3"),
        (" 3 ", "wild 10"),
        ("shield 7", "shield 7"),
        ("SHIELD 7", "shield 7"),
        ("shield  7", "shield 7"),
        ("sh 7", "shield 7"),
        ("sh7", "shield 7"),
        ("s 7", "shield 7"),
        ("w", "wild 10"),
        ("⛨ 7", "shield 7"),
        ("⛨7", "shield 7"),
        ("⛨ shield 7", "shield 7"),
        ("★", "wild 10"),
        ("shield −3", "shield -3"),
        ("sh-3", "shield -3"),
        ("f", "flag 2"),
        ("sword 7", "sword 7"),
        ("sw 1", "sword 1"),
        ("helmet 9", "helmet 9"),
    ],
)
def test_a_number_a_name_or_a_unique_beginning_is_a_move(text: str, move: str) -> None:
    found = answer(text)
    assert isinstance(found, Move)
    assert found.move == move


@pytest.mark.parametrize(
    ("text", "between"),
    [
        ("shield", "shield -3 or shield 7"),
        ("sw", "sword 1 or sword 7"),
        ("he", "any of 12 cards, such as helmet -3 or helmet -2"),
    ],
)
def test_ambiguous_input_lists_the_alternatives(text: str, between: str) -> None:
    found = answer(text)
    assert isinstance(found, Unclear)
    assert between in found.message


def test_a_number_is_never_the_beginning_of_another() -> None:
    parser = InputParser(fuda.rulebook("cursed_tricks"), ["red 10", "red 11"], ["red 10", "red 11"], NAMES)
    found = parser.parse("red 1")
    assert isinstance(found, Move)
    assert found.move == "red 1", "which the player does not hold, and is told so"


@pytest.mark.parametrize("text", ["0", "4", "999999999999", "9" * 5000, "-1", "xyz", "sword 99", "🂡", "/", "'"])
def test_meaningless_input_gets_a_message(text: str) -> None:
    found = answer(text)
    assert isinstance(found, Unclear)
    assert found.message.endswith(".")


@pytest.mark.parametrize(
    ("text", "word", "rest"),
    [
        ("why sword 7", "why", "sword 7"),
        ("WHY  sword 7", "why", "sword 7"),
        ("?", "help", ""),
        ("q", "quit", ""),
        ("und", "undo", ""),
        ("sco", "score", ""),
        ("save My Game.json", "save", "My Game.json"),
        ("rules S-20", "rules", "S-20"),
    ],
)
def test_commands(text: str, word: str, rest: str) -> None:
    found = answer(text)
    assert isinstance(found, Command)
    assert (found.name, found.argument) == (word, rest)


def test_a_move_that_is_called_like_a_command_is_the_move() -> None:
    found = InputParser(RULES, ["undo", "pass"], [], NAMES).parse("undo")
    assert isinstance(found, Move)


def test_a_seat_can_be_called_by_its_players_name() -> None:
    found = InputParser(RULES, ["A", "B"], [], NAMES).parse("bob")
    assert isinstance(found, Move)
    assert found.move == "B"


def test_why_prefers_a_card_in_hand() -> None:
    asked = InputParser(RULES, MOVES, HAND, NAMES).parse_subject("f")
    assert isinstance(asked, Move)
    assert asked.move == "flag 2"
    assert isinstance(InputParser(RULES, MOVES, HAND, NAMES).parse_subject(""), Unclear)


@given(st.text() | st.sampled_from([*COMMANDS, *RULES.cards]).flatmap(lambda word: st.text().map(lambda more: word + more)))
def test_anything_can_be_typed(text: str) -> None:
    assert isinstance(answer(text), Move | Command | Unclear)
    assert isinstance(InputParser(RULES, MOVES, HAND, NAMES).parse_subject(text), Move | Unclear)
