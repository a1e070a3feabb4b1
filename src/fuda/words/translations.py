"""Translations: a file for each game and language, with the same keys as the English words of the rulebook."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final, get_args

import yaml

from fuda.engine.core import OF_ALL_GAMES
from fuda.engine.rulebook import Rulebook
from fuda.protocol.books import Language
from fuda.words.english import Words, english, refusals

LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
FOLDER: Final = Path(__file__).parent
ALL_GAMES: Final = "all_games"


def words_of(rules: Rulebook[Any], language: Language) -> Words:
    """All words of a game in this language, those of every game among them."""
    own = english(rules) if language == "en" else translation(language, rules.id)
    common = refusals(OF_ALL_GAMES) if language == "en" else translation(language, ALL_GAMES)["refusals"]
    return {**own, "refusals": {**common, **own["refusals"]}}


@cache
def translation(language: Language, name: str) -> Words:
    words: Words = yaml.safe_load((FOLDER / language / f"{name}.yaml").read_text(encoding="utf-8"))
    return words
