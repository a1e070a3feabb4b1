"""Text in lines of a given width."""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text


class CardGroup:
    """Cards that are printed together, such as the swords or the sevens."""

    def __init__(self, head: Text, gap: str, items: list[Text] | None = None) -> None:
        self.head = head
        self.gap = gap
        self.items = items or []


def wrap_groups(groups: list[CardGroup], width: int) -> list[Text]:
    """The groups in lines of this width; a group that continues in another line repeats its head there."""
    lines = [Text()]
    for group in groups:
        is_first = True
        for item in group.items:
            headed = group.head + group.gap + item if group.head else item
            piece = headed if is_first else Text(group.gap) + item
            between = "  " if is_first and lines[-1] else ""
            if lines[-1] and lines[-1].cell_len + len(between) + piece.cell_len > width:
                lines.append(headed)
            else:
                lines[-1] += Text(between) + piece
            is_first = False
    return lines


def wrap_words(words: list[Text], width: int) -> list[Text]:
    """Words in lines of this width; a word longer than a line is broken."""
    lines = [Text()]
    used = 0
    for word in words:
        while word.cell_len > width:
            lines[-1:] = [*lines[-1:], word[:width]] if lines[-1] else [word[:width]]
            word = word[width:]
            used = lines[-1].cell_len
        word_width = word.cell_len
        if used and used + 1 + word_width > width:
            lines.append(Text())
            used = 0
        elif used:
            lines[-1].append(" ")
            used += 1
        lines[-1].append_text(word)
        used += word_width
    return lines


def wrap_sentence(sentence: str, width: int) -> list[Text]:
    """A sentence in lines that are indented by one column."""
    return [Text(" ") + line for line in wrap_words([Text(word) for word in sentence.split()], width - 2)]


def fit(text: Text, width: int, right: bool = False) -> Text:
    """The text, padded or cut to this width."""
    out = text.copy()
    out.truncate(width, overflow="ellipsis")
    padding = " " * (width - out.cell_len)
    return Text(padding) + out if right else out + padding


def shorten(name: str, width: int) -> str:
    """A name of at most this width."""
    if cell_len(name) <= width:
        return name
    while name and cell_len(name) >= width:
        name = name[:-1]
    return f"{name}…"


def printable(text: str) -> str:
    """The text of somebody else without control characters."""
    return "".join(character if character.isprintable() else " " for character in text).strip()
