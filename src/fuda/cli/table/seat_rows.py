"""Draws a row for each seat: name, numbers, face-down cards, open cards."""

from __future__ import annotations

from typing import Any, Final

from rich.text import Text

from fuda.cli.table.cards import CARD_BACK, MAX_BACKS, card_backs, rank_of
from fuda.cli.table.frame import Frame
from fuda.cli.table.wording import with_names
from fuda.cli.terminal.layout import CardGroup, fit, wrap_groups
from fuda.engine.fields import Field, Voids, size_of
from fuda.engine.roles import COUNT, HAND, MEMORY
from fuda.engine.rulebook import Rulebook
from fuda.engine.words import spoken

GAP: Final = 2
MIN_PILE_WIDTH: Final = 26
"""Face-down cards are shown as a number if open cards would have less than this."""
MAX_NAME_WIDTH: Final = 16
MAX_VOIDS_WIDTH: Final = 11
MAX_OWN_WIDTH: Final = 16
"""For cards, other than the hand, that only their owner sees."""
MIN_SEEN_WIDTH: Final = 12
"""A narrower column of seen cards is left out."""


class Column:
    """One field with a cell for every seat; a cell has one line or more."""

    def __init__(self, title: str, width: int) -> None:
        self.title = title
        self.width = width
        self.right = False
        self.cells: list[list[Text]] = []


def seat_rows(frame: Frame, width: int, open_cards: bool) -> list[Text]:
    """The table of all seats; without open cards, only how many of each suit."""
    by_seat = [field for field in frame.fields if has_column(field, frame)]
    piles = [field for field in by_seat if has_open_cards(field, frame)]
    narrow = [name_column(frame), *(narrow_column(field, frame) for field in by_seat if field not in piles)]
    rest = width - sum(column.width + GAP for column in narrow)
    room = len(piles) * (MIN_PILE_WIDTH + GAP)
    if rest < room:
        for column in narrow:
            shorten_backs(column)
        rest = width - sum(column.width + GAP for column in narrow)
    columns = [*narrow, *pile_columns(frame, piles, rest, open_cards)]
    for column in seen_columns(frame):
        if rest < column.width and not piles:
            for other in narrow:
                shorten_backs(other)
        column.width = min(column.width, width - sum(other.width + GAP for other in columns))
        if column.width >= MIN_SEEN_WIDTH:
            columns.append(column)
    lines = [join_cells(columns, [Text(column.title, "dim") for column in columns])]
    for at in range(len(frame.names)):
        height = max(len(column.cells[at]) for column in columns)
        for line in range(height):
            cells = [column.cells[at][line] if line < len(column.cells[at]) else Text() for column in columns]
            lines.append(join_cells(columns, cells))
    return lines


def join_cells(columns: list[Column], cells: list[Text]) -> Text:
    line = Text()
    for column, cell in zip(columns, cells, strict=True):
        line += fit(cell, column.width, column.right) + " " * GAP
    line.rstrip()
    return line


def name_column(frame: Frame) -> Column:
    cells = []
    for seat, name in frame.names.items():
        is_next = seat == frame.view["seat"]
        is_own = seat == frame.view["you"]
        text = Text("▸ " if is_next else "  ", "bold yellow") + Text(f"{seat} ", "dim")
        text += Text(name, "bold" if is_next or is_own else "")
        suffix = "(you)" if is_own else frame.labels.get(seat, "")
        if suffix and text.cell_len + 1 + len(suffix) <= MAX_NAME_WIDTH:
            text += Text(f" {suffix}", "dim")
        cells.append([text])
    column = Column("", max(cell[0].cell_len for cell in cells))
    column.cells = cells
    return column


def has_column(field: Field, frame: Frame) -> bool:
    """Whether a field has a column; numbers other than the score only if one is not zero."""
    shown = frame.view[field.name]
    if not frame.is_by_seat(shown) or field.name in frame.rules.captions():
        return False
    return field.kind != COUNT or any(shown.values())


def seen_columns(frame: Frame) -> list[Column]:
    """Cards seen in other hands, if no field of the game shows them."""
    if any(field.kind == MEMORY for field in frame.fields):
        return []
    column = Column("seen", MIN_SEEN_WIDTH)
    for seat in frame.names:
        hand = frame.hands.get(seat)
        cards = hand.get("cards", []) if isinstance(hand, dict) else []
        text = Text("  ").join(line for line in wrap_groups(frame.looks.by_suit(cards), 999) if line)
        column.cells.append([text])
        column.width = max(column.width, text.cell_len)
    return [column] if any(cell[0] for cell in column.cells) else []


def has_open_cards(field: Field, frame: Frame) -> bool:
    """Whether every seat has open cards there."""
    shown = frame.view[field.name]
    return not isinstance(field, Voids) and all(isinstance(shown[seat], list) for seat in frame.names)


def narrow_column(field: Field, frame: Frame) -> Column:
    """A column with a number, face-down cards or a few words for every seat."""
    shown = frame.view[field.name]
    column = Column(field.name, len(field.name))
    column.right = all(isinstance(value, int) for value in shown.values())
    for seat in frame.names:
        value = shown.get(seat)
        if isinstance(field, Voids) and isinstance(value, list):
            column.cells.append(wrap_groups(missing_suits(frame, value), MAX_VOIDS_WIDTH))
        elif isinstance(value, list) and field.kind != HAND:
            column.cells.append(wrap_groups(frame.looks.by_suit(value), MAX_OWN_WIDTH))
        elif isinstance(value, list) or (isinstance(value, dict) and "size" in value):
            column.cells.append([card_backs(size_of(value))])
        else:
            column.cells.append([Text(spoken(with_names(value, frame.names)), "bold" if column.right else "")])
    column.width = max([column.width, *(line.cell_len for cell in column.cells for line in cell)])
    if any(cell[0].plain.startswith(CARD_BACK) for cell in column.cells):
        column.width = max(column.width, MAX_BACKS + 3)  # constant while the hands get smaller
    return column


def shorten_backs(column: Column) -> None:
    """Shows face-down cards as a number."""
    for cell in column.cells:
        for at, line in enumerate(cell):
            if line.plain.startswith(CARD_BACK):
                cell[at] = card_backs(int(line.plain.rpartition(" ")[2]), 0)
    column.width = max([len(column.title), *(line.cell_len for cell in column.cells for line in cell)])


def missing_suits(frame: Frame, groups: list[str]) -> list[CardGroup]:
    """The suits and numbers that a seat is known not to hold."""
    suits, numbers = CardGroup(Text(), ""), CardGroup(Text(), " ")
    for name in groups:
        look = frame.looks.looks.get(name)
        if look is None:
            numbers.items.append(Text(name))
        else:
            suits.items.append(Text(look.symbol, frame.looks.style(name)))
    return [group for group in (suits, numbers) if group.items]


def pile_columns(frame: Frame, fields: list[Field], room: int, open_cards: bool) -> list[Column]:
    """Columns of open cards; narrow ones get the width they need, the others share the rest."""
    by_rank = can_follow_numbers(frame.rules)
    piles: list[tuple[Field, list[list[CardGroup]]]] = []
    for field in fields:
        hands = [frame.view[field.name].get(seat, []) for seat in frame.names]
        arrange = frame.looks.by_rank if by_rank else frame.looks.by_suit
        piles.append((field, [(arrange if open_cards else frame.looks.suit_counts)(cards) for cards in hands]))
    wanted = {
        field.name: max([len(field.name), *(wrap_groups(cell, 999)[0].cell_len for cell in cells)]) for field, cells in piles
    }
    widths: dict[str, int] = {}
    for left, name in zip(range(len(wanted), 0, -1), sorted(wanted, key=lambda name: wanted[name]), strict=True):
        widths[name] = min(wanted[name], max(8, room // left - GAP))
        room -= widths[name] + GAP
    columns = []
    for field, cells in piles:
        column = Column(field.name, widths[field.name])
        column.cells = [wrap_groups(cell, column.width) for cell in cells]
        columns.append(column)
    return columns


def can_follow_numbers(rules: Rulebook[Any]) -> bool:
    """Whether numbers can be followed; if so, open cards are grouped by number."""
    ranks = {rank_of(card) for card in rules.cards}
    return any(group in ranks for field in rules.fields if isinstance(field, Voids) for group, _ in field.groups)
