"""The score of each round, and who won."""

from __future__ import annotations

from typing import Any, Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as TextTable
from rich.text import Text

from fuda.cli.table.cards import CardLooks
from fuda.cli.table.game import Names, Note, Paragraph, TableGame
from fuda.cli.table.history import last_score_end, role_of
from fuda.cli.table.wording import note_text
from fuda.cli.terminal.layout import shorten, wrap_words
from fuda.engine.roles import ROUND, SCORE, SCORED
from fuda.engine.rulebook import Rulebook
from fuda.engine.words import listed

POINTS: Final = "points"
TOTALS: Final = "totals"
"""What a score note says of each seat."""
MAX_WIDE_COLUMNS: Final = 5
"""With more players than this the columns are narrow."""


def round_scores(rules: Rulebook[Any], history: list[Note], seats: list[str]) -> list[Note]:
    """The score notes that have points and totals for all seats."""
    return [
        note
        for note in history
        if role_of(rules, note) == SCORED and all(has_all_seats(note.get(key), seats) for key in (POINTS, TOTALS))
    ]


def has_all_seats(value: object, seats: list[str]) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(seat), int) for seat in seats)


def score_table(game: TableGame, names: Names, latest: int | None = None) -> TextTable:
    """Points and totals of all rounds, or of the latest; the first row has the totals of a given position."""
    view = game.view(None)
    seats = [*names]
    rounds = round_scores(game.rules, view["history"], seats)
    round_field = game.rules.field_of_kind(ROUND)
    current = 1 if round_field is None else view[round_field.name]
    first = current - len(rounds) + (1 if view["over"] else 0)
    is_narrow = len(seats) > MAX_WIDE_COLUMNS
    table = TextTable(box=box.SIMPLE_HEAD, padding=0 if is_narrow else (0, 1), show_edge=False, caption_justify="left")
    table.add_column("round", justify="right")
    for seat in seats:
        name = Text(shorten(names[seat], 8) if is_narrow else names[seat], "bold")
        table.add_column(name, justify="right", min_width=8 if is_narrow else 9, no_wrap=True)
    score_field = game.rules.field_of_kind(SCORE)
    given_totals = None if score_field is None else (game.given or {}).get(score_field.name)
    if not rounds and not given_totals:
        table.caption = "No round is over yet."
    if latest is not None and len(rounds) > latest:
        first += len(rounds) - latest
        rounds = rounds[-latest:]
    elif given_totals and not round_scores(game.rules, game.past, seats):
        table.add_row("before", *(Text(str(given_totals.get(seat, 0)), "bold") for seat in seats))
    width = 4 if is_narrow else 5
    for number, note in enumerate(rounds, first):
        table.add_row(str(number), *(score_cell(note[POINTS][seat], note[TOTALS][seat], width) for seat in seats))
    return table


def score_cell(points: int, total: int, width: int) -> Text:
    return Text(f"{points:+d}", "dim") + Text(f"{total:>{width}}", "bold")


def game_result(game: TableGame, names: Names, looks: CardLooks, width: int) -> RenderableType:
    """The score of the whole game, who won and why."""
    paragraphs = winner_paragraphs(game, names, looks) if game.over else []
    return Group(score_table(game, names), Text(), *(line for one in paragraphs for line in wrap_words(one, width)))


def winner_paragraphs(game: TableGame, names: Names, looks: CardLooks) -> list[Paragraph]:
    """Who won, and what was noted after the last score."""
    history = game.view(None)["history"]
    end = last_score_end(game.rules, history) or len(history) - 1
    reasons = [note_text(game.rules, game.options, note, names) for note in history[end:]]
    return [looks.words(winners_text(game, names)), looks.words(" ".join(reasons))]


def winners_text(game: TableGame, names: Names) -> str:
    winners = game.winners or []
    if not winners:
        return "Nobody wins."
    totals = {game.totals[seat] for seat in winners}
    verb = "wins" if len(winners) == 1 else "share the win"
    if not any(game.totals.values()):
        return f"{listed([names[seat] for seat in winners])} {verb}."
    highest = ", the highest total" if totals == {max(game.totals.values())} else ""
    return f"{listed([names[seat] for seat in winners])} {verb} with {listed(sorted(totals))} points{highest}."
