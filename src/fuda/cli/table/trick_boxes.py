"""Draws the cards of a trick as boxes."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from fuda.cli.table.frame import Frame
from fuda.cli.table.game import Note
from fuda.cli.table.history import find_last_trick, last_score_end, role_of
from fuda.cli.terminal.layout import fit, shorten
from fuda.engine.roles import LEADER, PLAYED, TRICK, TRICK_ENDED

MAX_BOX_WIDTH: Final = 15


def has_trick(frame: Frame) -> bool:
    return frame.value_of_kind(TRICK) is not None and frame.value_of_kind(LEADER) in frame.names


def trick_lines(frame: Frame, width: int) -> tuple[list[Text], str]:
    """The unfinished trick from its leader on, or the last one until somebody leads; with a title."""
    if not has_trick(frame):
        return [], ""
    trick = frame.value_of_kind(TRICK)
    around = seats_from(frame, frame.value_of_kind(LEADER))
    if not trick:
        history = frame.view["history"]
        finished = find_last_trick(frame.rules, history)
        if finished and last_score_end(frame.rules, history) <= finished[0]:
            return finished_trick(frame, history[slice(*finished)], width), "the last trick"
    cards: list[str | None] = [*trick, *[None] * (len(around) - len(trick))]
    boxes = []
    for seat, card in zip(around, cards, strict=True):
        is_next = card is None and seat == frame.view["seat"]
        label = "led" if card and seat == around[0] else ""
        boxes.append(card_box(frame, seat, card, label, is_next, box_width(frame, width)))
    return side_by_side(boxes), "the trick"


def seats_from(frame: Frame, leader: str) -> list[str]:
    around = [*frame.names]
    at = around.index(leader)
    return around[at:] + around[:at]


def finished_trick(frame: Frame, notes: list[Note], width: int) -> list[Text]:
    """A finished trick, with the winning card marked."""
    plays = [(note.get("seat"), note.get("card")) for note in notes if role_of(frame.rules, note) == PLAYED]
    winner = [note.get("card") for note in notes if role_of(frame.rules, note) == TRICK_ENDED]
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
