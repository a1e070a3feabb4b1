"""Draws the cards of a trick as boxes."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from fuda.cli.table import history
from fuda.cli.table.field_names import LEADER, TRICK
from fuda.cli.table.frame import Frame
from fuda.cli.table.game import Note
from fuda.cli.terminal.layout import fit, shorten

MAX_BOX_WIDTH: Final = 15


def has_trick(frame: Frame) -> bool:
    return TRICK in frame.view and frame.view.get(LEADER) in frame.names


def trick_lines(frame: Frame, width: int) -> tuple[list[Text], str]:
    """The unfinished trick from its leader on, or the last one until somebody leads; with a title."""
    if not has_trick(frame):
        return [], ""
    view = frame.view
    around = seats_from(frame, view[LEADER])
    if not view[TRICK]:
        finished = history.find_last_trick(view["history"])
        if finished and history.last_score_end(view["history"]) <= finished[0]:
            return finished_trick(frame, view["history"][slice(*finished)], width), "the last trick"
    cards: list[str | None] = [*view[TRICK], *[None] * (len(around) - len(view[TRICK]))]
    boxes = []
    for seat, card in zip(around, cards, strict=True):
        is_next = card is None and seat == view["seat"]
        label = "led" if card and seat == around[0] else ""
        boxes.append(card_box(frame, seat, card, label, is_next, box_width(frame, width)))
    return side_by_side(boxes), "the trick"


def seats_from(frame: Frame, leader: str) -> list[str]:
    around = [*frame.names]
    at = around.index(leader)
    return around[at:] + around[:at]


def finished_trick(frame: Frame, notes: list[Note], width: int) -> list[Text]:
    """A finished trick, with the winning card marked."""
    plays = [(note.get("seat"), note.get("card")) for note in notes if note.get("kind") == history.PLAY]
    winner = [note.get("card") for note in notes if note.get("kind") == history.TRICK]
    boxes = []
    for at, (seat, card) in enumerate(plays):
        if isinstance(card, str) and seat in frame.names:
            label = "won" if card in winner else "led" if at == 0 else ""
            boxes.append(card_box(frame, str(seat), card, label, card in winner, box_width(frame, width)))
    return side_by_side(boxes)


def box_width(frame: Frame, width: int) -> int:
    return min(MAX_BOX_WIDTH, width // len(frame.names) - 1)


def card_box(frame: Frame, seat: str, card: str | None, label: str, bright: bool, width: int) -> list[Text]:
    """A card with its player's name above it: ╭ Ben ─────╮"""
    inner = width - 2
    border = "bold" if bright else "dim"
    name = f" {shorten(frame.names[seat], inner - 2)} "
    top = Text("╭", border) + Text(name, "bold" if bright else "") + Text("─" * (inner - Text(name).cell_len) + "╮", border)
    face = Text("…" if bright else "") if card is None else frame.looks.full_name(card)
    if face.cell_len > inner:
        face = frame.looks.short_name(card or "")
    left = (inner - face.cell_len) // 2
    middle = Text("│", border) + " " * left + fit(face, inner - left) + Text("│", border)
    foot = f" {label} " if label else ""
    bottom = Text(f"╰{'─' * (inner - len(foot) - 1)}", border) + Text(foot, border) + Text("─╯", border)
    return [top, middle, bottom]


def side_by_side(boxes: list[list[Text]]) -> list[Text]:
    return [Text(" ").join(parts) for parts in zip(*boxes, strict=True)]
