"""Names and chat: invisible characters are removed."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuda.protocol.parts import LONGEST_NAME, LONGEST_SAID, MOST_MARKS, visible

EVERYTHING = st.text(st.characters(exclude_categories=()))
"""Surrogates, too, which no decoder lets through."""


@pytest.mark.parametrize(
    "name",
    [
        *("Anna", "Zoë", "Łukasz", "Jean-Luc", "O'Neill", "X Æ A-12", "Nguyễn Văn Ân", "A", "7", "?", "<b>Anna</b>"),
        *("Ольга", "札", "花子", "김민준", "नमस्ते", "สมชาย", "שָׁלוֹם", "محمد", "😀", "👍🏽", "🇨🇭"),
    ],
)
def test_what_can_be_seen_stays_as_it_is(name: str) -> None:
    assert visible(name, LONGEST_NAME) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("  Anna  ", "Anna"),
        ("Anna \t\r\n  Maria", "Anna Maria"),
        ("Anna\u00a0Maria", "Anna Maria"),
        ("花子\u3000さん", "花子 さん"),
        ("Anna\u2028Maria", "Anna Maria"),
        ("Anna\x1fMaria", "Anna Maria"),
    ],
)
def test_any_white_space_is_one_space(text: str, shown: str) -> None:
    assert visible(text, LONGEST_NAME) == shown


@pytest.mark.parametrize(
    "sign",
    {
        "null": "\x00",
        "bell": "\x07",
        "escape": "\x1b",
        "delete": "\x7f",
        "soft hyphen": "\u00ad",
        "from right to left": "\u200f",
        "override": "\u202e",
        "embedding": "\u202a",
        "isolate": "\u2066",
        "Arabic letter mark": "\u061c",
        "zero-width space": "\u200b",
        "zero-width joiner": "\u200d",
        "word joiner": "\u2060",
        "byte order mark": "\ufeff",
        "Hangul filler": "\u3164",
        "Braille blank": "\u2800",
        "Mongolian variation": "\u180b",
        "variation": "\ufe00",
        "variation of a kanji": "\U000e0100",
        "tag": "\U000e0041",
        "private": "\ue000",
        "no character": "\uffff",
        "surrogate": "\ud800",
        "object": "\ufffc",
    }.items(),
    ids=lambda sign: sign[0],
)
def test_what_cannot_be_seen_is_left_out(sign: tuple[str, str]) -> None:
    _, one = sign
    assert visible(f"An{one}na", LONGEST_NAME) == "Anna"
    assert visible(one + "Anna" + one, LONGEST_NAME) == "Anna"
    assert visible(one * 3, LONGEST_NAME) is None


def test_two_names_that_look_the_same_are_the_same() -> None:
    assert visible("Zoe\u0308", LONGEST_NAME) == visible("Zo\u00eb", LONGEST_NAME)
    assert visible("Zoe\u200b\u0308", LONGEST_NAME) == visible("Zo\u00eb", LONGEST_NAME)


def test_a_family_of_emoji_becomes_its_members() -> None:
    assert visible("👨\u200d👩\u200d👧", LONGEST_NAME) == "👨👩👧"
    assert visible("❤\ufe0f", LONGEST_NAME) == "❤"


def test_an_emoji_too_new_for_this_python_is_seen() -> None:
    assert visible("\U0001faff", LONGEST_NAME) == "\U0001faff"


def test_a_mark_needs_something_to_stand_on() -> None:
    assert visible("\u0301", LONGEST_NAME) is None
    assert visible(" \u0301\u0302 ", LONGEST_NAME) is None
    assert visible("\u0301Anna", LONGEST_NAME) == "Anna"
    assert visible("Anna \u0301Maria", LONGEST_NAME) == "Anna Maria"
    assert visible("1\ufe0f\u20e3", LONGEST_NAME) == "1\u20e3"


def test_marks_do_not_reach_into_other_lines() -> None:
    assert visible("x" + "\u0301" * 50 + "y", LONGEST_NAME) == "x" + "\u0301" * MOST_MARKS + "y"


@pytest.mark.parametrize("longest", [LONGEST_NAME, LONGEST_SAID])
def test_a_text_has_one_to_so_many_characters(longest: int) -> None:
    assert visible("", longest) is None
    assert visible("   ", longest) is None
    assert visible("札", longest) == "札"
    assert visible("札" * longest, longest) == "札" * longest
    assert visible("札" * (longest + 1), longest) is None
    assert visible("😀" * longest, longest) == "😀" * longest
    assert visible(" " * 70 + "A" * longest + "\u200b" * 70, longest) == "A" * longest
    assert visible("e\u0301" * longest, longest) == "é" * longest


@given(EVERYTHING)
def test_what_is_shown_is_shown_again_as_it_is(text: str) -> None:
    shown = visible(text, LONGEST_NAME)
    assert shown is None or visible(shown, LONGEST_NAME) == shown


@given(EVERYTHING)
def test_nothing_that_steers_or_hides_is_left(text: str) -> None:
    shown = visible(text, LONGEST_NAME) or "A"
    assert 1 <= len(shown) <= LONGEST_NAME
    assert shown.isprintable() or any("\U0001f000" <= one <= "\U0001faff" for one in shown)
    assert shown == shown.strip()
    assert unicodedata.category(shown[0])[0] != "M"
