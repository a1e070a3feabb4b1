"""Makes sentences from notes and refusals, which are data, so that they can be written in any language."""

from __future__ import annotations

from typing import Any


def listed(things: list[Any]) -> str:
    """["a", "b", "c"] reads "a, b and c"."""
    words = [str(thing) for thing in things]
    if len(words) < 2:
        return words[0] if words else "nothing"
    return f"{', '.join(words[:-1])} and {words[-1]}"


def spoken(value: object) -> str:
    if isinstance(value, list):
        return listed(value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {value[key]}" for key in value)
    return str(value)


def template_of(words: dict[str, str], kind: str, facts: dict[str, Any]) -> str | None:
    """The most specific template for a kind and its facts; None if there is none.

    "draw, cards" is for a draw whose cards are known, "draw, number 1" for a draw of one card.
    """
    key = kind
    for fact, value in facts.items():
        if value is None or value == 0 or value == []:
            continue
        for longer in (f"{key}, {fact} {value}", f"{key}, {fact}"):
            if longer in words:
                key = longer
                break
    return words.get(key)


def sentence(template: str, facts: dict[str, Any]) -> str:
    """The template with its {facts} filled in; facts that it does not name are left out."""
    return template.format_map({key: spoken(value) for key, value in facts.items()})
