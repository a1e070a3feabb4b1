"""One's own hand, and the moves that can be made."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from fuda.cli.table.frame import Scene
from fuda.cli.table.parser import labels_of
from fuda.cli.terminal.layout import Group, fitted, flow

WIDEST_ALIKE: Final = 8
"""Cards no wider than this are all drawn equally wide."""


def fan(scene: Scene, width: int) -> list[Text]:
    """One's own hand; a card that can be played has the number of its move under it."""
    hand = scene.hand
    if not hand:
        return []
    faces = [scene.looks.brief(card) for card in hand]
    labels = labels_in(scene)
    widest = max(scene.looks.widest, *(face.cell_len for face in faces))
    widths = [widest] * len(hand)
    if widest > WIDEST_ALIKE or room_for(widths) > width:
        widths = [max(face.cell_len, len(labels.get(card, "")) + 1) for card, face in zip(hand, faces, strict=True)]
    if room_for(widths) > width:
        return flow(heaps(scene), width)
    top, middle, low = Text(), Text(), Text()
    for card, face, room in zip(hand, faces, widths, strict=True):
        off = is_off(scene, card)
        edge = "dim" if off else ""
        if off:
            face.stylize("not bold dim")
        top.append(f"╭{'─' * room}", edge)
        middle += Text("│", edge) + fitted(face, room)
        low += Text("│", edge) + fitted(Text(f" {labels.get(card, '')}", "bold"), room)
    return [top + "╮", middle + "│", low + "│"]


def room_for(widths: list[int]) -> int:
    return sum(widths) + len(widths) + 1


def is_off(scene: Scene, card: str) -> bool:
    """Whether something is asked and this card is no answer."""
    return bool(scene.moves) and card not in scene.moves


def heaps(scene: Scene) -> list[Group]:
    """A hand too large for a fan: each card once, with how many there are of it."""
    groups = []
    for card in dict.fromkeys(scene.hand):
        face = scene.looks.brief(card)
        if scene.hand.count(card) > 1:
            face.append(f" ×{scene.hand.count(card)}")
        if is_off(scene, card):
            face.stylize("not bold dim")
        groups.append(alone(face))
    return groups


def alone(text: Text) -> Group:
    group = Group(Text(), "")
    group.items = [text]
    return group


def labels_in(scene: Scene) -> dict[str, str]:
    return dict(zip(scene.moves, labels_of(scene.rules, scene.moves), strict=True))


def choices(scene: Scene, width: int) -> list[Text]:
    """The legal moves with what can be typed for them."""
    labels = labels_in(scene)
    digits = max((len(label) for label in labels.values()), default=0)
    texts = []
    for move, label in labels.items():
        name = scene.names.get(move)
        said = Text(f"{move} {name}") if name else Text(" ").join(scene.looks.sentence(move))
        texts.append(Text(f"{label:>{digits}} ", "bold") + said)
    return arranged(texts, width)


def arranged(texts: list[Text], width: int) -> list[Text]:
    """The moves in columns, or closer together where that saves a line."""
    if not texts:
        return []
    widest = max(text.cell_len for text in texts) + 2
    across = max(1, (width + 1) // widest)
    close = flow([alone(text) for text in texts], width - 1)
    if len(close) * across < len(texts):
        return [Text(" ") + line for line in close]
    lines = []
    for at in range(0, len(texts), across):
        lines.append(Text().join(Text(" ") + fitted(text, widest - 1) for text in texts[at : at + across]))
        lines[-1].rstrip()
    return lines


def steadying(scene: Scene, width: int) -> int:
    """How many lines are to stay free below, so that the hand stays where it is whether all or none of it can be played."""
    names = [Text(f"99 {scene.looks.name(card)}") for card in dict.fromkeys(scene.hand)]
    return max(0, len(arranged(names, width)) - len(choices(scene, width)))
