"""The score sheet and who won."""

from __future__ import annotations

from typing import Final

from rich import box
from rich.console import Group as Lines
from rich.console import RenderableType
from rich.table import Table as Sheet
from rich.text import Text

from fuda.cli.table.cards import Looks
from fuda.cli.table.game import Names, Note, Shown
from fuda.cli.table.tricks import SCORE, end_of_scores
from fuda.cli.table.wording import worded
from fuda.cli.terminal.layout import pack, shortened
from fuda.engine.words import listed

TALLIES: Final = ("points", "totals")
"""What a score has for each seat."""


MOST_WIDE: Final = 5
"""The score of more players than this stands closer together."""


def scores(history: list[Note], seats: list[str]) -> list[Note]:
    """The notes of the points of each round."""
    return [note for note in history if note.get("kind") == SCORE and all(is_tally(note.get(key), seats) for key in TALLIES)]


def is_tally(value: object, seats: list[str]) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(seat), int) for seat in seats)


def sheet_of(game: Shown, names: Names, latest: int | None = None) -> Sheet:
    """The points of all rounds, or of the latest, and the totals after each; first those that a position began with."""
    view = game.view(None)
    seats = [*names]
    rounds = scores(view["history"], seats)
    first = view.get("round", 1) - len(rounds) + (1 if view["over"] else 0)
    close = len(seats) > MOST_WIDE
    sheet = Sheet(box=box.SIMPLE_HEAD, padding=0 if close else (0, 1), show_edge=False, caption_justify="left")
    sheet.add_column("round", justify="right")
    for seat in seats:
        name = Text(shortened(names[seat], 8) if close else names[seat], "bold")
        sheet.add_column(name, justify="right", min_width=8 if close else 9, no_wrap=True)
    began_with = (game.given or {}).get("totals")
    if not rounds and not began_with:
        sheet.caption = "No round is over yet."
    if latest is not None and len(rounds) > latest:
        first += len(rounds) - latest
        rounds = rounds[-latest:]
    elif began_with and not scores(game.past, seats):
        sheet.add_row("before", *(Text(str(began_with.get(seat, 0)), "bold") for seat in seats))
    for number, note in enumerate(rounds, first):
        sheet.add_row(str(number), *(tally(note["points"][seat], note["totals"][seat], 4 if close else 5) for seat in seats))
    return sheet


def tally(points: int, total: int, width: int) -> Text:
    return Text(f"{points:+d}", "dim") + Text(f"{total:>{width}}", "bold")


def result_of(game: Shown, names: Names, looks: Looks, width: int) -> RenderableType:
    """The score sheet of the whole game, who has won and why."""
    words = verdict(game, names, looks) if game.over else []
    return Lines(sheet_of(game, names), Text(), *(line for one in words for line in pack(one, width)))


def verdict(game: Shown, names: Names, looks: Looks) -> list[list[Text]]:
    """Who has won and why: the totals, and what was noted after the last score."""
    history = game.view(None)["history"]
    end = end_of_scores(history) or len(history) - 1
    reasons = [worded(game.rules, note, names) for note in history[end:]]
    return [looks.sentence(winners_of(game, names)), looks.sentence(" ".join(reasons))]


def winners_of(game: Shown, names: Names) -> str:
    winners = game.winners or []
    if not winners:
        return "Nobody wins."
    totals = {game.totals[seat] for seat in winners}
    verb = "wins" if len(winners) == 1 else "share the win"
    if not any(game.totals.values()):
        return f"{listed([names[seat] for seat in winners])} {verb}."
    highest = ", the highest total" if totals == {max(game.totals.values())} else ""
    return f"{listed([names[seat] for seat in winners])} {verb} with {listed(sorted(totals))} points{highest}."
