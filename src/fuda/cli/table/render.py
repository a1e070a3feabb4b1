"""Draws a frame in lines of text, for any game."""

from __future__ import annotations

from typing import Any, Final

from rich.text import Text

from fuda.cli.table.cards import card_backs
from fuda.cli.table.frame import Frame
from fuda.cli.table.game import Paragraph
from fuda.cli.table.hand import hand_lines, move_lines, reserved_lines
from fuda.cli.table.seat_rows import seat_rows
from fuda.cli.table.trick_boxes import has_trick, trick_lines
from fuda.cli.table.wording import caption_text, with_names
from fuda.cli.terminal.layout import CardGroup, wrap_groups, wrap_words
from fuda.engine.fields import Field, size_of
from fuda.engine.roles import LEADER, PILE, TRICK
from fuda.engine.words import spoken

HINT: Final = "help lists the commands"
MAX_PILE_CARDS: Final = 3
"""Only this many cards of a pile are shown."""


class Detail:
    """How much is drawn; less on a small screen."""

    def __init__(self, titles: bool, all_messages: bool, open_cards: bool, status_lines: int = 2) -> None:
        self.titles = titles
        self.all_messages = all_messages
        """Whether messages include what can be seen on the table."""
        self.open_cards = open_cards
        """Whether open cards are shown, and not only how many of each suit."""
        self.status_lines = status_lines


DETAILS: Final = [
    Detail(titles=True, all_messages=True, open_cards=True),
    Detail(titles=False, all_messages=True, open_cards=True),
    Detail(titles=False, all_messages=False, open_cards=True),
    Detail(titles=False, all_messages=False, open_cards=False, status_lines=1),
]
ROOMY_HEIGHT: Final = 30
"""From this height on there are empty lines; a larger screen is not filled."""


def render_table(frame: Frame, width: int, height: int | None) -> list[Text]:
    """The frame in as much detail as fits, with the hand at the bottom."""
    messages = wrap_messages(frame.messages, width)
    for detail in DETAILS:
        if not detail.all_messages and frame.short_messages is not frame.messages:
            messages = wrap_messages(frame.short_messages, width)
        before, after = around_messages(frame, width, detail, height is None or height >= ROOMY_HEIGHT)
        if detail.titles and messages:
            before += heading(frame.title, width)
        if height is None:
            return [*before, *messages, *after]
        room = height - len(before) - len(after)
        if len(messages) <= room:
            spare = min(height, ROOMY_HEIGHT) - len(before) - len(after) - len(messages)
            return [*before, *messages, *[Text()] * (spare - reserved_lines(frame, width)), *after]
    return [*before, *last_lines(messages, max(0 if frame.status else 1, room)), *after]


def wrap_messages(paragraphs: list[Paragraph], width: int) -> list[Text]:
    return [Text(" ") + line for paragraph in paragraphs for line in wrap_words(paragraph, width - 2)]


def last_lines(lines: list[Text], room: int) -> list[Text]:
    """The last lines that fit."""
    if len(lines) <= room or not room:
        return lines[:room]
    kept = lines[len(lines) - room :]
    return [Text("…", "dim") + kept[0][1:], *kept[1:]]


def around_messages(frame: Frame, width: int, detail: Detail, roomy: bool) -> tuple[list[Text], list[Text]]:
    """What is drawn before and after the messages."""
    space = [Text()] if roomy else []
    cards, title = trick_lines(frame, width)
    if detail.titles and cards:
        cards = [*heading(title, width), *cards]
    before = [
        header(frame, width),
        *status_lines(frame, width)[: detail.status_lines],
        *space,
        *seat_rows(frame, width, detail.open_cards),
        *shared_fields(frame, width, detail),
        *space,
        *cards,
        *space,
    ]
    question = wrap_words(frame.looks.words(frame.question), width) if frame.question else []
    return before, [*space, *hand_lines(frame, width), *move_lines(frame, width), *question]


def heading(title: str, width: int) -> list[Text]:
    line = f"── {title} "
    return [Text(f"{line}{'─' * (width - len(line))}", "dim")]


# The game as a whole ----------------------------------------------------------------------------


def header(frame: Frame, width: int) -> Text:
    """The name of the game, its single numbers and its options."""
    options = {name: value for name, value in frame.view["options"].items() if value is not None}
    parts = []
    for field in frame.fields:
        value = frame.view[field.name]
        if isinstance(value, int):
            most = options.pop(frame.rules.limit_of(field.kind), None)
            parts.append(f"{field.name} {value}" + (f" of {most}" if most is not None else ""))
    parts += [part for name, value in options.items() if (part := option_text(frame, name, value))]
    line = Text(f" {frame.rules.name} ", "bold reverse") + Text(f"  {' · '.join(parts)}")
    line.truncate(width, overflow="ellipsis")
    if frame.moves and line.cell_len + len(HINT) + 2 <= width:
        line += Text(HINT.rjust(width - line.cell_len - 1), "dim")
    return line


def status_lines(frame: Frame, width: int) -> list[Text]:
    words = [Text(word, "yellow") for word in " · ".join(frame.status).split()]
    return [Text(" ") + line for line in wrap_words(words, width - 2)] if words else []


def option_text(frame: Frame, name: str, value: Any) -> str:
    """An option in words; empty for a yes or no that is the default, and for zero."""
    if isinstance(value, bool):
        usual = any(option.name == name and option.default is value for option in frame.rules.options)
        return "" if usual else name if value else f"no {name}"
    return "" if value == 0 else f"{name} {value}"


def shared_fields(frame: Frame, width: int, detail: Detail) -> list[Text]:
    """The fields that belong to no single seat."""
    small: list[Text] = []
    large: list[Text] = []
    captions = frame.rules.captions()
    for field in frame.fields:
        value = frame.view[field.name]
        name = Text(f" {field.name} ", "dim")
        room = width - name.cell_len - 1
        if field.name in captions:
            words = caption_text(frame.rules, field.name, frame.view, frame.names)
            lines = wrap_words(frame.looks.words_with_suits(words), room) if words else []
        elif isinstance(value, int) or not value or frame.is_by_seat(value) or field.kind in drawn_separately(frame):
            continue
        else:
            lines = shared_field(frame, field, value, room, detail)
        if len(lines) == 1:
            small.append(name + lines[0])
        else:
            large += [(Text(" " * name.cell_len) if at else name) + line for at, line in enumerate(lines)]
    return large + (wrap_words(small, width) if small else [])


def shared_field(frame: Frame, field: Field, value: Any, width: int, detail: Detail) -> list[Text]:
    """Open cards, face-down cards, or words."""
    if isinstance(value, list) and field.kind == PILE:
        return [pile_top(frame, value)]
    if isinstance(value, list) and all(card in frame.rules.cards for card in value):
        return wrap_groups(ordered_cards(frame, value) if field.ordered else shown_cards(frame, value, detail), width)
    if isinstance(value, dict) and "size" in value:
        return [card_backs(size_of(value))] if size_of(value) else []
    if isinstance(value, dict):
        value = {key: value[key] for key in value if value[key] is not None}
    return wrap_words(frame.looks.words_with_suits(spoken(with_names(value, frame.names))), width)


def pile_top(frame: Frame, pile: list[str]) -> Text:
    """The top cards of a pile, and how many there are."""
    top = Text("  ").join(frame.looks.short_name(card) for card in pile[:MAX_PILE_CARDS])
    return top + Text(f"  … {len(pile)}", "dim") if len(pile) > MAX_PILE_CARDS else top


def drawn_separately(frame: Frame) -> tuple[str, ...]:
    """The kinds of fields that are drawn as boxes."""
    return (TRICK, LEADER) if has_trick(frame) else ()


def ordered_cards(frame: Frame, cards: list[str]) -> list[CardGroup]:
    return [CardGroup(Text(), "", [frame.looks.short_name(card)]) for card in cards]


def shown_cards(frame: Frame, cards: list[str], detail: Detail) -> list[CardGroup]:
    return frame.looks.by_suit(cards) if detail.open_cards else frame.looks.suit_counts(cards)
