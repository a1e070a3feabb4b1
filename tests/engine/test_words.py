"""Data becomes sentences."""

from __future__ import annotations

from typing import Any

import pytest

from fuda.engine.errors import Refused, brief
from fuda.engine.words import sentence, template_of


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([], "nothing"),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", 2, "c"], "a, 2 and c"),
        ({"A": 3, "B": -1}, "A 3, B -1"),
        ({}, ""),
        (7, "7"),
        ("red 7", "red 7"),
    ],
)
def test_a_fact_in_a_sentence(value: Any, text: str) -> None:
    assert sentence("<{fact}>", {"fact": value, "other": 1}) == f"<{text}>"


TEMPLATES = {
    "draw": "draws",
    "draw, cards": "draws these",
    "draw, number 1": "draws one",
    "draw, number": "draws some",
    "draw, number, cards": "draws some, these",
}


@pytest.mark.parametrize(
    ("facts", "template"),
    [
        ({}, "draws"),
        ({"seat": "A"}, "draws"),
        ({"cards": ["x"]}, "draws these"),
        ({"cards": []}, "draws"),
        ({"cards": None}, "draws"),
        ({"number": 0}, "draws"),
        ({"number": 1}, "draws one"),
        ({"number": 2}, "draws some"),
        ({"number": 2, "cards": ["x"]}, "draws some, these"),
        ({"number": 0, "cards": ["x"]}, "draws these"),
        ({"number": 1, "cards": ["x"]}, "draws one"),
        ({"seat": "A", "number": 1}, "draws one"),
    ],
)
def test_the_template_that_names_most_of_the_facts(facts: dict[str, Any], template: str) -> None:
    assert template_of(TEMPLATES, "draw", facts) == template


def test_there_may_be_no_template() -> None:
    assert template_of(TEMPLATES, "play", {"cards": ["x"]}) is None


def test_a_refusal_is_the_rule_and_then_the_facts() -> None:
    refused = Refused("S-20", "Follow the suit.", "{suit} was led.", {"suit": "Sword"})
    assert str(refused) == "Follow the suit. Sword was led."
    assert str(Refused("S-20", "Follow the suit.", "", {})) == "Follow the suit."
    assert (refused.rule, refused.text, refused.because) == ("S-20", "Follow the suit.", "{suit} was led.")
    assert refused.facts == {"suit": "Sword"}


def test_a_value_in_a_message_is_cut_after_60_characters() -> None:
    assert brief("x" * 58) == repr("x" * 58)
    assert brief("x" * 59) == "'" + "x" * 56 + "…"
    assert brief(10**5000) == "a int that is too large"
