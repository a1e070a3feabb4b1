"""The seats around the table: a row for each, with its numbers, its backs of cards and its piles."""

from __future__ import annotations

from typing import Any, Final

from rich.text import Text

from fuda.cli.table.cards import BACK, MOST_BACKS, backs, rank_of
from fuda.cli.table.frame import HAND, Scene
from fuda.cli.table.wording import named
from fuda.cli.terminal.layout import Group, fitted, flow
from fuda.engine.fields import Field, Known, Numbers, Voids, size_of
from fuda.engine.rulebook import Rulebook
from fuda.engine.words import spoken

GAP: Final = 2
LEAST_FOR_PILES: Final = 26
"""A column of piles narrower than this is not worth a row of card backs beside it."""
WIDEST_NAME: Final = 16
WIDEST_VOIDS: Final = 11
WIDEST_OWN: Final = 16
"""For cards that only their owner sees, besides the hand, which is held as a fan."""
TOTALS: Final = "totals"
LEAST_FOR_SEEN: Final = 12
"""A column of seen cards narrower than this is not worth having."""


class Column:
    """One fact about every seat: in one line each, or as cards that may need several."""

    def __init__(self, title: str, width: int) -> None:
        self.title = title
        self.width = width
        self.right = False
        self.cells: list[list[Text]] = []


def seats(scene: Scene, width: int, full: bool) -> list[Text]:
    """A row for each seat: who it is, its numbers, its cards; if not in full, only how many of each suit."""
    by_seat = [field for field in scene.fields if has_column(field, scene)]
    piles = [field for field in by_seat if is_pile(field, scene)]
    narrow = [who(scene), *(one_line(field, scene) for field in by_seat if field not in piles)]
    rest = width - sum(column.width + GAP for column in narrow)
    room = len(piles) * (LEAST_FOR_PILES + GAP)
    if rest < room:
        for column in narrow:
            shorten_backs(column)
        rest = width - sum(column.width + GAP for column in narrow)
    columns = [*narrow, *pile_columns(scene, piles, rest, full)]
    for column in seen(scene):
        if rest < column.width and not piles:
            for other in narrow:
                shorten_backs(other)
        column.width = min(column.width, width - sum(other.width + GAP for other in columns))
        if column.width >= LEAST_FOR_SEEN:
            columns.append(column)
    lines = [row(columns, [Text(column.title, "dim") for column in columns])]
    for at in range(len(scene.names)):
        deepest = max(len(column.cells[at]) for column in columns)
        for deep in range(deepest):
            cells = [column.cells[at][deep] if deep < len(column.cells[at]) else Text() for column in columns]
            lines.append(row(columns, cells))
    return lines


def row(columns: list[Column], cells: list[Text]) -> Text:
    line = Text()
    for column, cell in zip(columns, cells, strict=True):
        line += fitted(cell, column.width, column.right) + " " * GAP
    line.rstrip()
    return line


def who(scene: Scene) -> Column:
    cells = []
    for seat, name in scene.names.items():
        asked = seat == scene.view["seat"]
        mine = seat == scene.view["you"]
        text = Text("▸ " if asked else "  ", "bold yellow") + Text(f"{seat} ", "dim")
        text += Text(name, "bold" if asked or mine else "")
        suffix = "(you)" if mine else scene.kinds.get(seat, "")
        if suffix and text.cell_len + 1 + len(suffix) <= WIDEST_NAME:
            text += Text(f" {suffix}", "dim")
        cells.append([text])
    column = Column("", max(cell[0].cell_len for cell in cells))
    column.cells = cells
    return column


def has_column(field: Field, scene: Scene) -> bool:
    """Whether this is a fact about every seat that stands beside its name; numbers only if one is not nought."""
    shown = scene.view[field.name]
    if not scene.is_by_seat(shown) or field.name in scene.rules.captions():
        return False
    return not isinstance(field, Numbers) or field.name == TOTALS or any(shown.values())


def seen(scene: Scene) -> list[Column]:
    """The cards that one has seen in the others' hands, where no field of the game tells them."""
    if any(isinstance(field, Known) for field in scene.fields):
        return []
    column = Column("seen", LEAST_FOR_SEEN)
    for seat in scene.names:
        hand = scene.view[HAND].get(seat)
        cards = hand.get("cards", []) if isinstance(hand, dict) else []
        text = Text("  ").join(line for line in flow(scene.looks.by_suit(cards), 999) if line)
        column.cells.append([text])
        column.width = max(column.width, text.cell_len)
    return [column] if any(cell[0] for cell in column.cells) else []


def is_pile(field: Field, scene: Scene) -> bool:
    """Whether the cards of every seat lie open there."""
    shown = scene.view[field.name]
    return not isinstance(field, Voids) and all(isinstance(shown[seat], list) for seat in scene.names)


def one_line(field: Field, scene: Scene) -> Column:
    """A column with a number, the backs of cards, or some words for every seat."""
    shown = scene.view[field.name]
    column = Column(field.name, len(field.name))
    column.right = all(isinstance(value, int) for value in shown.values())
    for seat in scene.names:
        value = shown.get(seat)
        if isinstance(field, Voids) and isinstance(value, list):
            column.cells.append(flow(lacking(scene, value), WIDEST_VOIDS))
        elif isinstance(value, list) and field.name != HAND:
            column.cells.append(flow(scene.looks.by_suit(value), WIDEST_OWN))
        elif isinstance(value, list) or (isinstance(value, dict) and "size" in value):
            column.cells.append([backs(size_of(value))])
        else:
            column.cells.append([Text(spoken(named(value, scene.names)), "bold" if column.right else "")])
    column.width = max([column.width, *(line.cell_len for cell in column.cells for line in cell)])
    if any(cell[0].plain.startswith(BACK) for cell in column.cells):
        column.width = max(column.width, MOST_BACKS + 3)  # steady while the hands become smaller
    return column


def shorten_backs(column: Column) -> None:
    """Backs of cards become a number where a row of them leaves no room."""
    for cell in column.cells:
        for at, line in enumerate(cell):
            if line.plain.startswith(BACK):
                cell[at] = backs(int(line.plain.rpartition(" ")[2]), 0)
    column.width = max([len(column.title), *(line.cell_len for cell in column.cells for line in cell)])


def lacking(scene: Scene, groups: list[str]) -> list[Group]:
    """The suits and numbers that a seat has shown not to hold."""
    suits, numbers = Group(Text(), ""), Group(Text(), " ")
    for name in groups:
        look = scene.looks.looks.get(name)
        if look is None:
            numbers.items.append(Text(name))
        else:
            suits.items.append(Text(look.symbol, scene.looks.style(name)))
    return [group for group in (suits, numbers) if group.items]


def pile_columns(scene: Scene, fields: list[Field], room: int, full: bool) -> list[Column]:
    """Columns of open cards; the room is shared so that the narrower ones get all that they need."""
    by_rank = follows_numbers(scene.rules)
    piles: list[tuple[Field, list[list[Group]]]] = []
    for field in fields:
        hands = [scene.view[field.name].get(seat, []) for seat in scene.names]
        arrange = scene.looks.by_rank if by_rank else scene.looks.by_suit
        piles.append((field, [(arrange if full else scene.looks.counts)(cards) for cards in hands]))
    wanted = {field.name: max([len(field.name), *(flow(cell, 999)[0].cell_len for cell in cells)]) for field, cells in piles}
    widths: dict[str, int] = {}
    for left, name in zip(range(len(wanted), 0, -1), sorted(wanted, key=lambda name: wanted[name]), strict=True):
        widths[name] = min(wanted[name], max(8, room // left - GAP))
        room -= widths[name] + GAP
    columns = []
    for field, cells in piles:
        column = Column(field.name, widths[field.name])
        column.cells = [flow(cell, column.width) for cell in cells]
        columns.append(column)
    return columns


def follows_numbers(rules: Rulebook[Any]) -> bool:
    """Where numbers can be followed they matter more than suits, and cards are stacked by them."""
    ranks = {rank_of(card) for card in rules.cards}
    return any(group in ranks for field in rules.fields if isinstance(field, Voids) for group, _ in field.groups)
