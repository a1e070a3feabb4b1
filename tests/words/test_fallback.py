"""A game whose words or rules are not translated, or not even written, has a book all the same."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

import fuda
from fuda.protocol.books import Language
from fuda.words import pages, translations
from fuda.words.book import book_of
from fuda.words.translations import ALL_GAMES

GAME = "schadenfreude"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the rules pages and translations, from which a test can remove files."""
    shutil.copytree(pages.folder(), tmp_path / "pages")
    shutil.copytree(translations.FOLDER, tmp_path / "words")
    monkeypatch.setattr(pages, "HERE", tmp_path)
    monkeypatch.setattr(translations, "FOLDER", tmp_path / "words")
    monkeypatch.setattr(translations, "translation", translations.translation.__wrapped__)
    return tmp_path


@pytest.mark.parametrize("language", ["de", "ja"])
def test_a_game_without_translation_has_its_english_words(folder: Path, language: Language) -> None:
    translated = book_of.__wrapped__(GAME, language)
    (folder / "words" / language / f"{GAME}.yaml").unlink()
    book, english = book_of.__wrapped__(GAME, language), book_of.__wrapped__(GAME, "en")
    assert book.language == language
    assert book.page == translated.page
    assert replace(book, language="en", page=english.page, refusals=english.refusals) == english
    common = translations.translation(language, ALL_GAMES)
    assert common is not None
    assert book.refusals == english.refusals | common["refusals"]


@pytest.mark.parametrize("language", ["de", "ja"])
def test_a_game_without_translated_rules_has_the_english_page(folder: Path, language: Language) -> None:
    (folder / "pages" / language / f"{GAME}.md").unlink()
    book = book_of.__wrapped__(GAME, language)
    assert book.page == pages.parts(GAME, "en") + pages.parts(ALL_GAMES, language)
    assert book.name == translations.words_of(fuda.rulebook(GAME), language)["name"]


@pytest.mark.parametrize("language", translations.LANGUAGES)
def test_a_game_without_rules_page_has_the_page_of_all_games(folder: Path, language: Language) -> None:
    for page in (folder / "pages").rglob(f"{GAME}.md"):
        page.unlink()
    assert book_of.__wrapped__(GAME, language).page == pages.parts(ALL_GAMES, language)
