"""Names that a translation keeps."""

from __future__ import annotations

import re

import fuda
from fuda.protocol.books import Block
from fuda.words import pages
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
