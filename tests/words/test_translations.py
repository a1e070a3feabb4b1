"""Every word has a translation, and none says anything that the English does not."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

import fuda
from fuda.engine.core import RULES_OF_ALL_GAMES
from fuda.engine.seats import SEATS
from fuda.engine.words import template_of
from fuda.protocol.books import Book, Language
from fuda.words import pages
from fuda.words.book import book_of
from fuda.words.english import english, refusals
from fuda.words.translations import ALL_GAMES, FOLDER, LANGUAGES, translation
from tests.rules.pages import CITED
from tests.rules.pages import FOLDER as RULES
from tests.tables import seeds

GAMES = [game["id"] for game in fuda.games()]
PAGES = [*GAMES, ALL_GAMES]
TRANSLATED = [
    (page, language)
    for language in LANGUAGES
    for page in PAGES
    if (FOLDER / language / f"{page}.yaml").exists() or (RULES / language / f"{page}.md").exists()
]
"""What has been translated, wholly or in part; the rest is shown in English."""
FACT = re.compile(r"\{(\w+)\}")


def leaves(words: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every text with the keys that lead to it."""
    if isinstance(words, dict):
        for key, value in words.items():
            yield from leaves(value, (*path, str(key)))
    elif isinstance(words, list):
        for at, value in enumerate(words):
            yield from leaves(value, (*path, str(at)))
    else:
        yield path, words


def source(game: str) -> dict[str, Any]:
    return {"refusals": refusals(RULES_OF_ALL_GAMES)} if game == ALL_GAMES else english(fuda.rulebook(game))


@pytest.mark.parametrize(("game", "language"), TRANSLATED)
def test_no_translated_text_is_missing_or_unused(game: str, language: Language) -> None:
    wanted, found = dict(leaves(source(game))), dict(leaves(translation(language, game)))
    assert sorted(wanted.keys() - found.keys()) == [], "missing"
    assert sorted(found.keys() - wanted.keys()) == [], "unused"
    for path, text in wanted.items():
        assert isinstance(found[path], str), path
        assert bool(found[path].strip()) == bool(text.strip()), path
        assert sorted(set(FACT.findall(found[path]))) == sorted(set(FACT.findall(text))), path


@pytest.mark.parametrize(("page", "language"), TRANSLATED)
def test_a_translated_page_has_the_same_parts(page: str, language: Language) -> None:
    assert (RULES / language / f"{page}.md").exists()
    wanted, found = pages.parts(page, "en"), pages.parts(page, language)
    assert [(part.kind, part.id) for part in found] == [(part.kind, part.id) for part in wanted]
    for here, there in zip(found, wanted, strict=True):
        assert [len(row) for row in here.rows] == [len(row) for row in there.rows], there
        assert len(here.items) == len(there.items), there
        assert set(CITED.findall(here.text)) == set(CITED.findall(there.text)), there.id
        assert here.kind != "rule" or (here.title and here.text), there.id


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_cards_of_one_game_have_different_names(game: str, language: Language) -> None:
    book = book_of(game, language)
    names = [card.name for card in book.cards]
    assert len(set(names)) == len(names)
    assert len({suit.name for suit in book.suits.values()}) == len(book.suits)


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from texts_in(one)
            if key in SEATS:
                yield key
    elif isinstance(value, list):
        for one in value:
            yield from texts_in(one)


@cache
def terms_of(game: str) -> set[str]:
    """What a client finds in the book of a game, and the seats."""
    book = all_terms(game)
    return {card.id for card in book.cards} | {*book.terms, *book.suits, *SEATS}


def is_in_book(game: str, text: str) -> bool:
    """Whether a client finds this text in the book, or it is a number."""
    terms = terms_of(game)
    return text in terms or text.removeprefix("the ") in terms or not re.search(r"[A-Za-z]", text)


@pytest.mark.parametrize("game", GAMES)
def test_every_text_of_a_game_is_in_the_book(game: str) -> None:
    """The facts that templates name, in the notes, questions, captions and refusals of whole games."""
    book = all_terms(game)
    rules = fuda.rulebook(game)
    for players in range(rules.least, rules.most + 1):
        for seed in seeds(6):
            played = fuda.new(game, players=players, seed=seed, options=options_for(game, seed))
            chooser = random.Random(seed)
            while not played.over:
                view = played.view(played.seat, played.note_count)
                told = [
                    (field, facts) for field in book.captions if field in view for facts in rules.caption_facts(field, view)
                ]
                for kind, facts in [*told, (str(view["question"]["kind"]), view["question"])]:
                    check_facts(book, kind, facts)
                for refusal in refusals_in(played, chooser):
                    check_facts(book, refusal.rule, refusal.facts | {"move": ""})
                played.play(chooser.choice(played.moves()))
            for note in played.view(None)["history"]:
                check_facts(book, note["kind"], note)


def all_terms(game: str) -> Book:
    """The English book, with the terms that are the same in English, too."""
    book = book_of(game, "en")
    words = english(fuda.rulebook(game))
    return replace(book, terms={**words["suits"], **words["cards"], **words["values"], **words["moves"]})


def options_for(game: str, seed: int) -> dict[str, Any]:
    """Every second game is played with what is off by default."""
    switches = [option for option in fuda.rulebook(game).options if option.default is False]
    return {option.name: True for option in switches} if seed % 2 else {}


def refusals_in(game: fuda.Game, chooser: random.Random) -> list[fuda.Refused]:
    found = []
    for move in chooser.sample(game.rules.moves, min(4, len(game.rules.moves))):
        refusal = game.why(move)
        if refusal is not None:
            found.append(refusal)
    return found


def check_facts(book: Book, kind: str, facts: dict[str, Any]) -> None:
    tellings = [template_of(words, kind, facts) for words in (book.notes, book.questions, book.captions, book.refusals)]
    for fact in {fact for telling in tellings for fact in FACT.findall(telling or "")} & facts.keys():
        for text in texts_in(facts[fact]):
            assert is_in_book(book.id, text), f"{kind}: {fact} has {text!r}"
