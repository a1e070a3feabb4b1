"""What happened, told in sentences: from the notes in a view's history and the words in the rulebook."""

from __future__ import annotations

from typing import Any, Final

from rich.text import Text

from fuda.cli.table.cards import Looks
from fuda.cli.table.game import Names, Note
from fuda.cli.table.tricks import PLAY, SCORE
from fuda.engine.rulebook import Rulebook
from fuda.engine.words import sentence, template_of

MOST_TOLD: Final = 3
"""Of more things that a field says only so many are told."""


def named(value: Any, names: Names) -> Any:
    """A fact with the players' names where it has their seats."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [named(one, names) for one in value]
    if isinstance(value, dict):
        return {named(key, names): value[key] for key in value}
    return value


def said(words: dict[str, str], kind: str, facts: dict[str, Any], names: Names) -> str:
    """The facts in the words for this kind, with the players' names; nothing if there are no words for it."""
    return sentence(template_of(words, kind, facts) or "", {key: named(facts[key], names) for key in facts})


def worded(rules: Rulebook[Any], note: Note, names: Names) -> str:
    """The note in a sentence; nothing if the rulebook has no words for it."""
    facts = {"seats": "nobody", **note, "text": rules.text_of(str(note.get("card")))}
    try:
        return said(rules.notes, str(note.get("kind")), facts, names).strip()
    except (LookupError, ValueError):
        return ""  # a record's history may have been written by hand


def asked(rules: Rulebook[Any], question: dict[str, Any], names: Names) -> str:
    """The question in a sentence."""
    return said(rules.questions, str(question.get("kind")), question, names) or "Your move."


def captioned(rules: Rulebook[Any], field: str, view: dict[str, Any], names: Names) -> str:
    """What a field with a caption says, each thing once."""
    told = [said(rules.captions(), field, facts, names) for facts in rules.told_of(field, view)]
    words = [one for one in dict.fromkeys(told) if one]
    if len(words) > MOST_TOLD + 1:
        words[MOST_TOLD:] = [f"{len(words) - MOST_TOLD} more"]
    return "; ".join(words)


def paragraphs(rules: Rulebook[Any], looks: Looks, notes: list[Note], names: Names) -> list[list[Text]]:
    """The notes as words, a paragraph for each trick and for each score."""
    told: list[list[Text]] = []
    before = None
    for note in notes:
        kind = note.get("kind")
        if not told or kind == SCORE or (kind == PLAY and before != PLAY):
            told.append([])
        told[-1] += looks.sentence(worded(rules, note, names))
        before = kind
    return [words for words in told if words]


# Tricks ---------------------------------------------------------------------------------------


# The score sheet ------------------------------------------------------------------------------
