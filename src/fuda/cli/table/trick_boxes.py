"""The cards of a trick, drawn as boxes."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from fuda.cli.table.frame import Scene
from fuda.cli.table.game import Note
from fuda.cli.table.tricks import PLAY, TRICK, end_of_scores, last_trick
from fuda.cli.terminal.layout import fitted, shortened

CARD_WIDTH: Final = 15


LED: Final = "leader"


def has_trick(scene: Scene) -> bool:
    return TRICK in scene.view and scene.view.get(LED) in scene.names


def trick(scene: Scene, width: int) -> tuple[list[Text], str]:
    """The trick on the table from its leader on, or the last one while nobody has led yet."""
    if not has_trick(scene):
        return [], ""
    view = scene.view
    around = order_from(scene, view[LED])
    if not view[TRICK]:
        finished = last_trick(view["history"])
        if finished and end_of_scores(view["history"]) <= finished[0]:
            return boxes_of(scene, view["history"][slice(*finished)], width), "the last trick"
    cards: list[str | None] = [*view[TRICK], *[None] * (len(around) - len(view[TRICK]))]
    boxes = []
    for seat, card in zip(around, cards, strict=True):
        waiting = card is None and seat == view["seat"]
        boxes.append(
            card_box(scene, seat, card, "led" if card and seat == around[0] else "", waiting, box_width(scene, width))
        )
    return side_by_side(boxes), "the trick"


def order_from(scene: Scene, leader: str) -> list[str]:
    around = [*scene.names]
    at = around.index(leader)
    return around[at:] + around[:at]


def boxes_of(scene: Scene, notes: list[Note], width: int) -> list[Text]:
    """A finished trick, with the card that won it."""
    plays = [(note.get("seat"), note.get("card")) for note in notes if note.get("kind") == PLAY]
    winner = [note.get("card") for note in notes if note.get("kind") == TRICK]
    boxes = []
    for at, (seat, card) in enumerate(plays):
        if isinstance(card, str) and seat in scene.names:
            label = "won" if card in winner else "led" if at == 0 else ""
            boxes.append(card_box(scene, str(seat), card, label, card in winner, box_width(scene, width)))
    return side_by_side(boxes)


def box_width(scene: Scene, width: int) -> int:
    return min(CARD_WIDTH, width // len(scene.names) - 1)


def card_box(scene: Scene, seat: str, card: str | None, label: str, bright: bool, width: int) -> list[Text]:
    """A card with its player's name above it: ╭ Ben ─────╮"""
    inner = width - 2
    border = "bold" if bright else "dim"
    name = f" {shortened(scene.names[seat], inner - 2)} "
    top = Text("╭", border) + Text(name, "bold" if bright else "") + Text("─" * (inner - Text(name).cell_len) + "╮", border)
    face = Text("…" if bright else "") if card is None else scene.looks.name(card)
    if face.cell_len > inner:
        face = scene.looks.brief(card or "")
    left = (inner - face.cell_len) // 2
    middle = Text("│", border) + " " * left + fitted(face, inner - left) + Text("│", border)
    foot = f" {label} " if label else ""
    bottom = Text(f"╰{'─' * (inner - len(foot) - 1)}", border) + Text(foot, border) + Text("─╯", border)
    return [top, middle, bottom]


def side_by_side(boxes: list[list[Text]]) -> list[Text]:
    return [Text(" ").join(parts) for parts in zip(*boxes, strict=True)]
