"""Names that a translation keeps, and words that it uses in one sense alone."""

from __future__ import annotations

import re

import pytest

import fuda
from fuda.protocol.books import Block
from fuda.words import pages
from fuda.words.book import book_of
from fuda.words.english import english
from fuda.words.translations import translation

NAMED = re.compile(r"\*\*(.+?)\*\*[ *]* ?[（(]`(.+?)`[)）]")
"""A name in the list of cards and events, with its English id: **Thief** * (`thief`)"""


def german_names() -> dict[str, str]:
    """Frantic's cards and events by their ids, without soft hyphens."""
    words = translation("de", "frantic")
    assert words is not None
    return {card: name.replace("\u00ad", "") for card, name in words["cards"].items()}


def text_of(block: Block) -> str:
    return " ".join([block.title, block.text, *block.items, *(cell for row in block.rows for cell in row)])


def test_german_keeps_the_english_names_of_frantic() -> None:
    names = german_names()
    assert {card: name.lower() for card, name in names.items()} == english(fuda.rulebook("frantic"))["cards"]
    assert all(name[0].isupper() or name[0].isdecimal() for name in names.values())


def test_the_german_page_of_frantic_has_the_names_of_the_cards() -> None:
    names = german_names()
    found = {card: name for block in pages.parts("frantic", "de") for name, card in NAMED.findall(text_of(block))}
    assert found == names


@pytest.mark.parametrize("game", [game["id"] for game in fuda.games()])
def test_a_japanese_tie_is_one_of_points(game: str) -> None:
    """同点 means an equal score; equal numbers of cards are 同じ数字."""
    tied = [text for block in book_of(game, "ja").page if "同点" in (text := text_of(block))]
    assert [text for text in tied if "点" not in text.replace("同点", "")] == []
