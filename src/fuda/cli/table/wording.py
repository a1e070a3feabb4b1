"""Notes, questions and captions as sentences, from the templates of the rulebook."""

from __future__ import annotations

from typing import Any, Final

import fuda
from fuda.cli.table.cards import CardLooks
from fuda.cli.table.game import Names, Note, Paragraph
from fuda.cli.table.history import role_of
from fuda.engine.roles import PLAYED, SCORED
from fuda.engine.rulebook import Options, Rulebook
from fuda.engine.words import sentence, template_of

MAX_CAPTIONS: Final = 3
"""If a field says more than this, the rest is counted."""


def with_names(value: Any, names: Names) -> Any:
    """A fact with the players' names in place of their seats."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [with_names(one, names) for one in value]
    if isinstance(value, dict):
        return {with_names(key, names): value[key] for key in value}
    return value


def fill_template(templates: dict[str, str], kind: str, facts: dict[str, Any], names: Names) -> str:
    """The sentence for facts of this kind; empty if there is no template."""
    return sentence(template_of(templates, kind, facts) or "", {key: with_names(facts[key], names) for key in facts})


def note_text(rules: Rulebook[Any], options: Options, note: Note, names: Names) -> str:
    facts = {"seats": "nobody", **note, "text": rules.text_of(str(note.get("card")), options)}
    try:
        return fill_template(rules.notes, str(note.get("kind")), facts, names).strip()
    except (LookupError, ValueError):
        return ""  # a record's history may have been written by hand


def question_text(rules: Rulebook[Any], question: dict[str, Any], names: Names) -> str:
    return fill_template(rules.questions, str(question.get("kind")), question, names) or "Your move."


def caption_text(rules: Rulebook[Any], field: str, view: dict[str, Any], names: Names) -> str:
    """What a field with a caption says, each thing once."""
    texts = [fill_template(rules.captions(), field, facts, names) for facts in rules.caption_facts(field, view)]
    captions = [text for text in dict.fromkeys(texts) if text]
    if len(captions) > MAX_CAPTIONS + 1:
        captions[MAX_CAPTIONS:] = [f"{len(captions) - MAX_CAPTIONS} more"]
    return "; ".join(captions)


def refusal_text(refusal: fuda.Refused, names: Names) -> str:
    """Why a move is not allowed, with the players' names and the rule."""
    template = f"{refusal.text} {refusal.because}".strip()
    return f"{sentence(template, {key: with_names(value, names) for key, value in refusal.facts.items()})} ({refusal.rule})"


def note_paragraphs(
    rules: Rulebook[Any], options: Options, looks: CardLooks, notes: list[Note], names: Names
) -> list[Paragraph]:
    """The notes as words, a paragraph for each trick and each score."""
    paragraphs: list[Paragraph] = []
    previous = ""
    for note in notes:
        role = role_of(rules, note)
        if not paragraphs or role == SCORED or (role == PLAYED and previous != PLAYED):
            paragraphs.append([])
        paragraphs[-1] += looks.words(note_text(rules, options, note, names))
        previous = role
    return [paragraph for paragraph in paragraphs if paragraph]
