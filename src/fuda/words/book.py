"""Makes the book of a game."""

from __future__ import annotations

from functools import cache
from typing import Any, cast

import fuda
from fuda.engine.rulebook import Rulebook
from fuda.protocol.books import Book, Card, FieldKind, FieldText, Language, NoteRole, OptionText, Suit
from fuda.words import pages
from fuda.words.english import Words, suit_and_rank
from fuda.words.translations import ALL_GAMES, LANGUAGES, words_of


@cache
def book_of(game: str, language: str) -> Book:
    """The game in this language; Error if there is no such game or language."""
    rules = fuda.rulebook(game)
    known = [one for one in LANGUAGES if one == language]
    if not known:
        raise fuda.Error(f"There are no words in {language!r}; there are {', '.join(LANGUAGES)}.")
    words = words_of(rules, known[0])
    return Book(
        id=rules.id,
        language=known[0],
        name=words["name"],
        version=rules.version,
        about=words["about"],
        minutes=rules.minutes,
        players=(rules.least, rules.most),
        options=options(rules, words),
        suits={suit: Suit(words["suits"][suit], look.symbol, look.colour) for suit, look in rules.looks.items()},
        cards=[card(rules, words, name) for name in dict.fromkeys(rules.cards)],
        terms=terms(words),
        questions=words["questions"],
        notes=words["notes"],
        note_roles=cast(dict[str, NoteRole], rules.note_roles),
        captions=words["captions"],
        refusals=words["refusals"],
        fields=fields(rules, words),
        guide=words["guide"],
        page=page(rules, known[0]),
    )


def card(rules: Rulebook[Any], words: Words, name: str) -> Card:
    suit, rank = suit_and_rank(rules, name)
    shown = words["cards"].get(rank, rank)
    return Card(
        id=name,
        name=words["card"].format(suit=words["suits"][suit], rank=shown) if suit else shown,
        suit=suit,
        rank=shown,
        text=words["texts"].get(name) or words["texts"].get(rank, ""),
        variants=variants(words, rank),
        mild=words["family"].get(name, ""),
    )


def variants(words: Words, rank: str) -> dict[str, str]:
    """The texts of a card with an option, by the option and its value."""
    named = [key.partition(", ") for key in words["texts"]]
    return {option: words["texts"][f"{name}, {option}"] for name, _, option in named if name == rank and option}


def terms(words: Words) -> dict[str, str]:
    """Every word but the cards, without those that are the same in this language."""
    all_terms = {**words["suits"], **words["cards"], **words["values"], **words["moves"]}
    return {term: said for term, said in all_terms.items() if term != said}


def options(rules: Rulebook[Any], words: Words) -> list[OptionText]:
    return [
        OptionText(
            option.name,
            words["options"][option.name]["label"],
            words["options"][option.name]["text"],
            option.default,
            option.low,
            option.high,
            {value: words["values"][value] for value in option.values or []},
        )
        for option in rules.options
    ]


def fields(rules: Rulebook[Any], words: Words) -> list[FieldText]:
    return [
        FieldText(field.name, words["fields"][field.name], cast(FieldKind, field.kind), rules.limit_of(field.kind))
        for field in rules.fields
        if field.in_views
    ]


def page(rules: Rulebook[Any], language: Language) -> list[Any]:
    """The rules of the game, if they are written, then those of all games."""
    own = pages.parts(rules.id, language) if rules.id in pages.names() else []
    return own + pages.parts(ALL_GAMES, language)
