"""The table as a seat sees it, in lines of text. It is drawn from a view and the rulebook, and knows no game."""

from __future__ import annotations

from typing import Any, Final

from rich.text import Text

from fuda.cli.table.cards import backs
from fuda.cli.table.frame import Scene
from fuda.cli.table.hand import choices, fan, steadying
from fuda.cli.table.seat_rows import seats
from fuda.cli.table.trick_boxes import (
    LED,
    has_trick,
    trick,
)
from fuda.cli.table.tricks import TRICK
from fuda.cli.table.wording import captioned, named
from fuda.cli.terminal.layout import Group, flow, pack
from fuda.engine.fields import Field, Pile, size_of
from fuda.engine.words import spoken

HINT: Final = "help lists the commands"
TOP: Final = 3
"""So many cards of a pile are shown."""


class Detail:
    """How much is drawn; less where the screen is small."""

    def __init__(self, titles: bool, told: bool, piles: bool, status: int = 2) -> None:
        self.titles = titles
        self.told = told
        """Whether also that is told which can be seen on the table."""
        self.piles = piles
        """Whether piles show their cards, and not only how many of each suit."""
        self.status = status
        """In how many lines it is said what there is to know besides the game."""


DETAILS: Final = [
    Detail(titles=True, told=True, piles=True),
    Detail(titles=False, told=True, piles=True),
    Detail(titles=False, told=False, piles=True),
    Detail(titles=False, told=False, piles=False, status=1),
]
ROOMY: Final = 30
"""From this height on there is room for empty lines; the table is not stretched beyond it."""


def picture(scene: Scene, width: int, height: int | None) -> list[Text]:
    """The scene in lines of this width; in as much detail as this height allows, the hand at the bottom."""
    for detail in DETAILS:
        words_told = scene.told if detail.told else scene.told_less
        told = [Text(" ") + line for words in words_told for line in pack(words, width - 2)]
        before, after = surroundings(scene, width, detail, height is None or height >= ROOMY)
        if detail.titles and told:
            before += heading(scene.title, width)
        if height is None:
            return [*before, *told, *after]
        room = height - len(before) - len(after)
        if len(told) <= room:
            spare = min(height, ROOMY) - len(before) - len(after) - len(told)
            return [*before, *told, *[Text()] * (spare - steadying(scene, width)), *after]
    return [*before, *newest(told, max(0 if scene.status else 1, room)), *after]


def newest(lines: list[Text], room: int) -> list[Text]:
    """The last lines, as many as there is room for."""
    if len(lines) <= room or not room:
        return lines[:room]
    kept = lines[len(lines) - room :]
    return [Text("…", "dim") + kept[0][1:], *kept[1:]]


def surroundings(scene: Scene, width: int, detail: Detail, roomy: bool) -> tuple[list[Text], list[Text]]:
    """What stands before and after the told words."""
    space = [Text()] if roomy else []
    cards, title = trick(scene, width)
    if detail.titles and cards:
        cards = [*heading(title, width), *cards]
    before = [
        header(scene, width),
        *status(scene, width)[: detail.status],
        *space,
        *seats(scene, width, detail.piles),
        *facts(scene, width, detail),
        *space,
        *cards,
        *space,
    ]
    asked = pack(scene.looks.sentence(scene.asked), width) if scene.asked else []
    return before, [*space, *fan(scene, width), *choices(scene, width), *asked]


def heading(title: str, width: int) -> list[Text]:
    line = f"── {title} "
    return [Text(f"{line}{'─' * (width - len(line))}", "dim")]


# The game as a whole ----------------------------------------------------------------------------


def header(scene: Scene, width: int) -> Text:
    """The name of the game, its numbers and its options."""
    options = {name: value for name, value in scene.view["options"].items() if value is not None}
    parts = []
    for field in scene.fields:
        value = scene.view[field.name]
        if isinstance(value, int):
            most = options.pop(f"{field.name}s", None)
            parts.append(f"{field.name} {value}" + (f" of {most}" if most is not None else ""))
    parts += [part for name, value in options.items() if (part := option_said(scene, name, value))]
    line = Text(f" {scene.rules.name} ", "bold reverse") + Text(f"  {' · '.join(parts)}")
    line.truncate(width, overflow="ellipsis")
    if scene.moves and line.cell_len + len(HINT) + 2 <= width:
        line += Text(HINT.rjust(width - line.cell_len - 1), "dim")
    return line


def status(scene: Scene, width: int) -> list[Text]:
    """What there is to know of the table besides the game."""
    words = [Text(word, "yellow") for word in " · ".join(scene.status).split()]
    return [Text(" ") + line for line in pack(words, width - 2)] if words else []


def option_said(scene: Scene, name: str, value: Any) -> str:
    """An option in words; nothing of a yes or no that is as usual, or of a number that is nought."""
    if isinstance(value, bool):
        usual = any(option.name == name and option.default is value for option in scene.rules.options)
        return "" if usual else name if value else f"no {name}"
    return "" if value == 0 else f"{name} {value}"


def facts(scene: Scene, width: int, detail: Detail) -> list[Text]:
    """What lies in the middle of the table, and whatever else belongs to nobody alone."""
    small: list[Text] = []
    large: list[Text] = []
    captions = scene.rules.captions()
    for field in scene.fields:
        value = scene.view[field.name]
        name = Text(f" {field.name} ", "dim")
        room = width - name.cell_len - 1
        if field.name in captions:
            words = captioned(scene.rules, field.name, scene.view, scene.names)
            lines = pack(scene.looks.caption(words), room) if words else []
        elif isinstance(value, int) or not value or scene.is_by_seat(value) or field.name in drawn_elsewhere(scene):
            continue
        else:
            lines = fact(scene, field, value, room, detail)
        if len(lines) == 1:
            small.append(name + lines[0])
        else:
            large += [(Text(" " * name.cell_len) if at else name) + line for at, line in enumerate(lines)]
    return large + (pack(small, width) if small else [])


def fact(scene: Scene, field: Field, value: Any, width: int, detail: Detail) -> list[Text]:
    """Open cards, the backs of cards, or words."""
    if isinstance(value, list) and isinstance(field, Pile):
        return [top_of(scene, value)]
    if isinstance(value, list) and all(card in scene.rules.cards for card in value):
        return flow(in_order(scene, value) if field.ordered else shown_cards(scene, value, detail), width)
    if isinstance(value, dict) and "size" in value:
        return [backs(size_of(value))] if size_of(value) else []
    if isinstance(value, dict):
        value = {key: value[key] for key in value if value[key] is not None}
    return pack(scene.looks.caption(spoken(named(value, scene.names))), width)


def top_of(scene: Scene, pile: list[str]) -> Text:
    """The top cards of a pile, and how many there are."""
    top = Text("  ").join(scene.looks.brief(card) for card in pile[:TOP])
    return top + Text(f"  … {len(pile)}", "dim") if len(pile) > TOP else top


def drawn_elsewhere(scene: Scene) -> tuple[str, ...]:
    return (TRICK, LED) if has_trick(scene) else ()


def in_order(scene: Scene, cards: list[str]) -> list[Group]:
    groups = []
    for card in cards:
        group = Group(Text(), "")
        group.items = [scene.looks.brief(card)]
        groups.append(group)
    return groups


def shown_cards(scene: Scene, cards: list[str], detail: Detail) -> list[Group]:
    return scene.looks.by_suit(cards) if detail.piles else scene.looks.counts(cards)


# The trick --------------------------------------------------------------------------------------
