"""What happened, told in sentences: from the notes in a view's history and the words in the rulebook."""

from __future__ import annotations

from typing import Any, Final, Protocol

from rich import box
from rich.console import Group as Lines
from rich.console import RenderableType
from rich.table import Table as Sheet
from rich.text import Text

from fuda.cli.cards import Looks, pack, shortened
from fuda.engine.rulebook import Rulebook
from fuda.engine.words import listed, sentence, template_of

Note = dict[str, Any]
Names = dict[str, str]

PLAY: Final = "play"
TRICK: Final = "trick"
SCORE: Final = "score"
TALLIES: Final = ("points", "totals")
"""What a score has for each seat."""
MOST_WIDE: Final = 5
"""The score of more players than this stands closer together."""
LATELY: Final = 12
"""So many notes are told of a game without tricks to those who did not see it."""
MOST_TOLD: Final = 3
"""Of more things that a field says only so many are told."""


class Shown(Protocol):
    """A game as a table shows it, whether it is played here or elsewhere."""

    @property
    def rules(self) -> Rulebook[Any]: ...

    @property
    def given(self) -> dict[str, Any] | None: ...

    @property
    def past(self) -> list[Note]: ...

    @property
    def over(self) -> bool: ...

    @property
    def totals(self) -> dict[str, int]: ...

    @property
    def winners(self) -> list[str] | None: ...

    def view(self, seat: str | None) -> dict[str, Any]: ...

    def moves(self) -> list[str]: ...


def named(value: Any, names: Names) -> Any:
    """A fact with the players' names where it has their seats."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [named(one, names) for one in value]
    if isinstance(value, dict):
        return {named(key, names): value[key] for key in value}
    return value


def said(words: dict[str, str], kind: str, facts: dict[str, Any], names: Names) -> str:
    """The facts in the words for this kind, with the players' names; nothing if there are no words for it."""
    return sentence(template_of(words, kind, facts) or "", {key: named(facts[key], names) for key in facts})


def worded(rules: Rulebook[Any], note: Note, names: Names) -> str:
    """The note in a sentence; nothing if the rulebook has no words for it."""
    facts = {"seats": "nobody", **note, "text": rules.text_of(str(note.get("card")))}
    try:
        return said(rules.notes, str(note.get("kind")), facts, names).strip()
    except (LookupError, ValueError):
        return ""  # a record's history may have been written by hand


def asked(rules: Rulebook[Any], question: dict[str, Any], names: Names) -> str:
    """The question in a sentence."""
    return said(rules.questions, str(question.get("kind")), question, names) or "Your move."


def captioned(rules: Rulebook[Any], field: str, view: dict[str, Any], names: Names) -> str:
    """What a field with a caption says, each thing once."""
    told = [said(rules.captions(), field, facts, names) for facts in rules.told_of(field, view)]
    words = [one for one in dict.fromkeys(told) if one]
    if len(words) > MOST_TOLD + 1:
        words[MOST_TOLD:] = [f"{len(words) - MOST_TOLD} more"]
    return "; ".join(words)


def paragraphs(rules: Rulebook[Any], looks: Looks, notes: list[Note], names: Names) -> list[list[Text]]:
    """The notes as words, a paragraph for each trick and for each score."""
    told: list[list[Text]] = []
    before = None
    for note in notes:
        kind = note.get("kind")
        if not told or kind == SCORE or (kind == PLAY and before != PLAY):
            told.append([])
        told[-1] += looks.sentence(worded(rules, note, names))
        before = kind
    return [words for words in told if words]


# Tricks ---------------------------------------------------------------------------------------


def start_of_trick(history: list[Note]) -> int:
    """Where the plays to the trick on the table begin."""
    at = len(history)
    while at and history[at - 1].get("kind") == PLAY:
        at -= 1
    return at


def lately(history: list[Note]) -> int:
    """From where on a bystander is told: from the last finished trick, or the latest notes where there are no tricks."""
    last = last_trick(history)
    return last[0] if last else max(0, len(history) - LATELY)


def last_trick(history: list[Note]) -> tuple[int, int] | None:
    """The notes of the last finished trick, from its first card to what it brought."""
    for at in range(len(history) - 1, -1, -1):
        if history[at].get("kind") == TRICK:
            start = at
            while start and history[start - 1].get("kind") != PLAY:
                start -= 1
            return start_of_trick(history[:start]), end_of_trick(history, at)
    return None


def end_of_trick(history: list[Note], at: int) -> int:
    while at < len(history) and history[at].get("kind") not in (PLAY, SCORE):
        at += 1
    return at


# The score sheet ------------------------------------------------------------------------------


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


def end_of_scores(history: list[Note]) -> int:
    """Where the last score has been told."""
    return max((at + 1 for at, note in enumerate(history) if note.get("kind") == SCORE), default=0)


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
