"""The contents of one drawing of the table."""

from __future__ import annotations

from typing import Any, Final

from fuda.cli.table.cards import CardLooks, card_looks
from fuda.cli.table.game import Names, Note, Paragraph
from fuda.cli.table.history import current_trick_start
from fuda.cli.table.wording import fill_template, note_paragraphs
from fuda.engine.fields import Field
from fuda.engine.roles import HAND, TRICK
from fuda.engine.rulebook import Options, Rulebook

MAX_TEXTS: Final = 4
"""If more moves than this have a text, none is shown."""


class Frame:
    """What is drawn at once: a view, the moves if its seat is asked, and messages."""

    def __init__(
        self, rules: Rulebook[Any], names: Names, labels: Names, view: dict[str, Any], looks: CardLooks | None = None
    ) -> None:
        self.rules = rules
        self.looks = looks or card_looks(rules)
        self.names = names
        self.labels = labels
        """What is printed after a name, such as the kind of a bot."""
        self.view = view
        self.moves: list[str] = []
        self.question = ""
        """The question, if it is too long for the input line."""
        self.status: list[str] = []
        """News of the table, not of the game: who is gone, how much time is left."""
        self.title = ""
        """The heading of the messages."""
        self.messages: list[Paragraph] = []
        self.short_messages: list[Paragraph] = []
        """The messages without what can be seen on the table."""

    def set_news(self, notes: list[Note]) -> None:
        self.messages = self.short_messages = note_paragraphs(self.rules, self.options, self.looks, notes, self.names)
        if self.rules.field_of_kind(TRICK) is not None:
            earlier = notes[: current_trick_start(self.rules, notes)]
            self.short_messages = note_paragraphs(self.rules, self.options, self.looks, earlier, self.names)

    def add_explanations(self, question: dict[str, Any]) -> None:
        """Adds what the question says about single cards, and the texts of moves that are not in hand."""
        parts = [part for fact in question.values() if isinstance(fact, list) for part in fact if isinstance(part, dict)]
        sentences = [fill_template(self.rules.questions, part["kind"], part, self.names) for part in parts]
        texts = {move: self.rules.text_of(move, self.options) for move in self.moves if move not in self.hand}
        if sum(map(bool, texts.values())) <= MAX_TEXTS:
            sentences += [f"{move}: {text}" for move, text in texts.items() if text]
        paragraphs = [self.looks.words(text) for text in sentences]
        self.messages = [*self.messages, *paragraphs]
        self.short_messages = [*self.short_messages, *paragraphs]

    def set_reply(self, sentences: list[str]) -> None:
        """Shows the reply to a command in place of the news."""
        self.title = "answer"
        self.messages = self.short_messages = [self.looks.words(sentence) for sentence in sentences]

    @property
    def options(self) -> Options:
        options: Options = self.view["options"]
        return options

    @property
    def fields(self) -> list[Field]:
        """The fields of the view that are shown."""
        return [field for field in self.rules.fields if field.name in self.view and field.in_views]

    @property
    def hand(self) -> list[str]:
        """The cards of the player who looks."""
        hand = self.hands.get(self.view["you"])
        return hand if isinstance(hand, list) else []

    @property
    def hands(self) -> dict[str, Any]:
        """What is seen of all hands, by seat."""
        return self.value_of_kind(HAND) or {}

    def value_of_kind(self, kind: str) -> Any:
        """The value of the field of this kind; None if the view has none."""
        field = self.rules.field_of_kind(kind)
        return None if field is None else self.view.get(field.name)

    def is_by_seat(self, value: Any) -> bool:
        """Whether this value of the view has entries by seat."""
        return isinstance(value, dict) and bool(value) and all(key in self.names for key in value)
