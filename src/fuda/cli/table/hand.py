"""Draws the player's own hand and the legal moves."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from fuda.cli.table.frame import Frame
from fuda.cli.table.parser import labels_for
from fuda.cli.terminal.layout import CardGroup, fit, wrap_groups

MAX_EQUAL_WIDTH: Final = 8
"""Up to this width all cards are drawn equally wide."""


def hand_lines(frame: Frame, width: int) -> list[Text]:
    """The hand; under each playable card is the number of its move."""
    hand = frame.hand
    if not hand:
        return []
    faces = [frame.looks.short_name(card) for card in hand]
    labels = move_labels(frame)
    widest = max(frame.looks.max_short_width, *(face.cell_len for face in faces))
    widths = [widest] * len(hand)
    if widest > MAX_EQUAL_WIDTH or total_width(widths) > width:
        widths = [max(face.cell_len, len(labels.get(card, "")) + 1) for card, face in zip(hand, faces, strict=True)]
    if total_width(widths) > width:
        return wrap_groups(counted_cards(frame), width)
    top, middle, low = Text(), Text(), Text()
    for card, face, room in zip(hand, faces, widths, strict=True):
        is_dim = is_unplayable(frame, card)
        edge = "dim" if is_dim else ""
        if is_dim:
            face.stylize("not bold dim")
        top.append(f"╭{'─' * room}", edge)
        middle += Text("│", edge) + fit(face, room)
        low += Text("│", edge) + fit(Text(f" {labels.get(card, '')}", "bold"), room)
    return [top + "╮", middle + "│", low + "│"]


def total_width(widths: list[int]) -> int:
    return sum(widths) + len(widths) + 1


def is_unplayable(frame: Frame, card: str) -> bool:
    """Whether it is the player's turn and this card is not a legal move."""
    return bool(frame.moves) and card not in frame.moves


def counted_cards(frame: Frame) -> list[CardGroup]:
    """A hand too large for boxes: each card once, with its number."""
    groups = []
    for card in dict.fromkeys(frame.hand):
        face = frame.looks.short_name(card)
        if frame.hand.count(card) > 1:
            face.append(f" ×{frame.hand.count(card)}")
        if is_unplayable(frame, card):
            face.stylize("not bold dim")
        groups.append(CardGroup(Text(), "", [face]))
    return groups


def move_labels(frame: Frame) -> dict[str, str]:
    return dict(zip(frame.moves, labels_for(frame.rules, frame.moves), strict=True))


def move_lines(frame: Frame, width: int) -> list[Text]:
    """The legal moves, each with what can be typed for it."""
    labels = move_labels(frame)
    digits = max((len(label) for label in labels.values()), default=0)
    texts = []
    for move, label in labels.items():
        name = frame.names.get(move)
        text = Text(f"{move} {name}") if name else Text(" ").join(frame.looks.words(move))
        texts.append(Text(f"{label:>{digits}} ", "bold") + text)
    return in_columns(texts, width)


def in_columns(texts: list[Text], width: int) -> list[Text]:
    """The texts in columns, or closer together if that saves a line."""
    if not texts:
        return []
    widest = max(text.cell_len for text in texts) + 2
    across = max(1, (width + 1) // widest)
    close = wrap_groups([CardGroup(Text(), "", [text]) for text in texts], width - 1)
    if len(close) * across < len(texts):
        return [Text(" ") + line for line in close]
    lines = []
    for at in range(0, len(texts), across):
        lines.append(Text().join(Text(" ") + fit(text, widest - 1) for text in texts[at : at + across]))
        lines[-1].rstrip()
    return lines


def reserved_lines(frame: Frame, width: int) -> int:
    """Empty lines that keep the hand in its place, however many of its cards can be played."""
    names = [Text(f"99 {frame.looks.full_name(card)}") for card in dict.fromkeys(frame.hand)]
    return max(0, len(in_columns(names, width)) - len(move_lines(frame, width)))
