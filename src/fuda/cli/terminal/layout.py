"""Text in lines of a given width."""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text


class Group:
    """Cards that stand together in a pile: the swords, or the sevens."""

    def __init__(self, head: Text, gap: str) -> None:
        self.head = head
        self.gap = gap
        self.items: list[Text] = []


def flow(groups: list[Group], width: int) -> list[Text]:
    """The groups in lines of this width; a group that goes on in another line repeats its head there."""
    lines = [Text()]
    for group in groups:
        fresh = True
        for item in group.items:
            headed = group.head + group.gap + item if group.head else item
            piece = headed if fresh else Text(group.gap) + item
            between = "  " if fresh and lines[-1] else ""
            if lines[-1] and lines[-1].cell_len + len(between) + piece.cell_len > width:
                lines.append(headed)
            else:
                lines[-1] += Text(between) + piece
            fresh = False
    return lines


def pack(words: list[Text], width: int) -> list[Text]:
    """Words in lines of this width; a word longer than a line is broken."""
    lines = [Text()]
    for word in words:
        while word.cell_len > width:
            lines[-1:] = [*lines[-1:], word[:width]] if lines[-1] else [word[:width]]
            word = word[width:]
        if lines[-1] and lines[-1].cell_len + 1 + word.cell_len > width:
            lines.append(Text())
        elif lines[-1]:
            lines[-1].append(" ")
        lines[-1] += word
    return lines


def fitted(text: Text, width: int, right: bool = False) -> Text:
    """The text, exactly so wide."""
    out = text.copy()
    out.truncate(width, overflow="ellipsis")
    room = width - out.cell_len
    return Text(" " * room) + out if right else out + " " * room


def shortened(name: str, width: int) -> str:
    """A name in at most so many columns."""
    if cell_len(name) <= width:
        return name
    while name and cell_len(name) >= width:
        name = name[:-1]
    return f"{name}…"
