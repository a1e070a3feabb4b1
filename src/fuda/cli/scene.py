"""What is to be drawn of a table."""

from __future__ import annotations

from typing import Any, Final

from rich.text import Text

from fuda.cli.cards import looks_of
from fuda.cli.story import Names, Note, paragraphs, start_of_trick
from fuda.engine.rulebook import Rulebook
from fuda.engine.words import sentence

HAND: Final = "hands"
"""The field that every game has; one's own is held as a fan."""


class Scene:
    """What is to be drawn: a view, the moves if its seat is asked, and what there is to tell."""

    def __init__(self, rules: Rulebook[Any], names: Names, kinds: Names, view: dict[str, Any]) -> None:
        self.rules = rules
        self.looks = looks_of(rules)
        self.names = names
        self.kinds = kinds
        """The bots, by seat."""
        self.view = view
        self.moves: list[str] = []
        self.title = ""
        """What the told words are: "since your last turn"."""
        self.told: list[list[Text]] = []
        self.told_less: list[list[Text]] = []
        """The same without what lies on the table and can be seen there."""

    def tell(self, notes: list[Note]) -> None:
        self.told = paragraphs(self.rules, self.looks, notes, self.names)
        self.told_less = paragraphs(self.rules, self.looks, notes[: start_of_trick(notes)], self.names)

    def explain(self, question: dict[str, Any]) -> None:
        """Has told, after what happened, what the question says of single cards, and what is printed on one's own."""
        parts = [part for fact in question.values() if isinstance(fact, list) for part in fact if isinstance(part, dict)]
        said = [sentence(self.rules.questions[part["kind"]], part) for part in parts]
        said += [f"{move}: {self.rules.texts[move]}" for move in self.moves if move in self.rules.texts]
        words = [self.looks.sentence(text) for text in said]
        self.told = [*self.told, *words]
        self.told_less = [*self.told_less, *words]

    def answer(self, texts: list[str]) -> None:
        """Has this told instead of what happened."""
        self.told = self.told_less = [self.looks.sentence(text) for text in texts]

    @property
    def hand(self) -> list[str]:
        """The cards that are held as a fan."""
        hand = self.view.get(HAND, {}).get(self.view["you"])
        return hand if isinstance(hand, list) else []

    def is_by_seat(self, value: Any) -> bool:
        """Whether this part of the view has an entry for each seat."""
        return isinstance(value, dict) and bool(value) and all(key in self.names for key in value)
