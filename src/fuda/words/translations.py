"""Translations: a file for each game and language, with the same keys as the English words of the rulebook."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final, get_args

import yaml

from fuda.engine.core import RULES_OF_ALL_GAMES
from fuda.engine.rulebook import Rulebook
from fuda.protocol.books import Language
from fuda.words.english import Words, english, refusals

LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
FOLDER: Final = Path(__file__).parent
ALL_GAMES: Final = "all_games"


def words_of(rules: Rulebook[Any], language: Language) -> Words:
    """All words of a game in this language, those of every game among them; in English what is not translated."""
    own = translation(language, rules.id) or english(rules)
    common = translation(language, ALL_GAMES) or {"refusals": refusals(RULES_OF_ALL_GAMES)}
    return {**own, "refusals": {**common["refusals"], **own["refusals"]}}


@cache
def translation(language: Language, name: str) -> Words | None:
    """None if there is no such file, as in English."""
    file = FOLDER / language / f"{name}.yaml"
    if not file.exists():
        return None
    words: Words = yaml.safe_load(file.read_text(encoding="utf-8"))
    return words
