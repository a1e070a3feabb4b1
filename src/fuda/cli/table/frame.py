"""What is to be drawn of a table."""

from __future__ import annotations

from typing import Any, Final

from rich.text import Text

from fuda.cli.table.cards import Looks, looks_of
from fuda.cli.table.game import Names, Note
from fuda.cli.table.tricks import TRICK, start_of_trick
from fuda.cli.table.wording import paragraphs, said
from fuda.engine.fields import Field
from fuda.engine.rulebook import Rulebook

HAND: Final = "hands"
"""The field that every game has; one's own is held as a fan."""
MOST_TEXTS: Final = 4
"""The texts of more moves than this are not all told."""


class Scene:
    """What is to be drawn: a view, the moves if its seat is asked, and what there is to tell."""

    def __init__(
        self, rules: Rulebook[Any], names: Names, kinds: Names, view: dict[str, Any], looks: Looks | None = None
    ) -> None:
        self.rules = rules
        self.looks = looks or looks_of(rules)
        self.names = names
        self.kinds = kinds
        """What stands beside a name: the kind of a bot, by seat."""
        self.view = view
        self.moves: list[str] = []
        self.asked = ""
        """What is asked, where it is too long to stand beside what is typed."""
        self.status: list[str] = []
        """What there is to know of the table besides the game: who is gone, how much time is left."""
        self.title = ""
        """What the told words are: "since your last turn"."""
        self.told: list[list[Text]] = []
        self.told_less: list[list[Text]] = []
        """The same without what lies on the table and can be seen there."""

    def tell(self, notes: list[Note]) -> None:
        self.told = self.told_less = paragraphs(self.rules, self.looks, notes, self.names)
        if TRICK in self.view:
            self.told_less = paragraphs(self.rules, self.looks, notes[: start_of_trick(notes)], self.names)

    def explain(self, question: dict[str, Any]) -> None:
        """Has told, after what happened, what the question says of single cards, and what moves say that are not in hand."""
        parts = [part for fact in question.values() if isinstance(fact, list) for part in fact if isinstance(part, dict)]
        sentences = [said(self.rules.questions, part["kind"], part, self.names) for part in parts]
        texts = {move: self.rules.text_of(move) for move in self.moves if move not in self.hand}
        if sum(map(bool, texts.values())) <= MOST_TEXTS:
            sentences += [f"{move}: {text}" for move, text in texts.items() if text]
        words = [self.looks.sentence(text) for text in sentences]
        self.told = [*self.told, *words]
        self.told_less = [*self.told_less, *words]

    def answer(self, texts: list[str]) -> None:
        """Has this told instead of what happened."""
        self.told = self.told_less = [self.looks.sentence(text) for text in texts]

    @property
    def fields(self) -> list[Field]:
        """The fields that there is something to see of."""
        return [field for field in self.rules.fields if field.name in self.view and field.in_views]

    @property
    def hand(self) -> list[str]:
        """The cards that are held as a fan."""
        hand = self.view.get(HAND, {}).get(self.view["you"])
        return hand if isinstance(hand, list) else []

    def is_by_seat(self, value: Any) -> bool:
        """Whether this part of the view has an entry for each seat."""
        return isinstance(value, dict) and bool(value) and all(key in self.names for key in value)
