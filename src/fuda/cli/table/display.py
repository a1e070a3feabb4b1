"""What is shown and told to those at a table."""

from __future__ import annotations

from typing import Any, Final

from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Table as Sheet
from rich.text import Text

import fuda
from fuda.cli.table.cards import Looks, looks_of
from fuda.cli.table.frame import Scene
from fuda.cli.table.game import Names, Note, Shown
from fuda.cli.table.parser import ORDERS, Meaning, Orders
from fuda.cli.table.render import picture
from fuda.cli.table.seat_rows import seats
from fuda.cli.table.seating import Seating
from fuda.cli.table.tricks import TRICK, lately, start_of_trick
from fuda.cli.table.wording import asked, named, paragraphs
from fuda.cli.terminal.layout import pack
from fuda.cli.terminal.screen import Screen
from fuda.engine.words import sentence
from fuda.game import SEPARATOR, words_in

TYPED: Final = 16
"""So many columns are to be left beside a question for what is typed."""


class Telling:
    """A game, who sits at it, and how far each of them has been told."""

    def __init__(self, game: Shown, seating: Seating, screen: Screen) -> None:
        self.game = game
        self.seating = seating
        self.screen = screen
        self.family = False
        """Whether cards have names that children may read."""
        self.told: dict[str, int] = {}
        """From which note on each person is told what happened."""

    @property
    def orders(self) -> Orders:
        """What can be typed besides moves."""
        return ORDERS

    @property
    def names(self) -> Names:
        return self.seating.names

    @property
    def kinds(self) -> Names:
        """What stands beside the names."""
        return self.seating.bots

    @property
    def looks(self) -> Looks:
        return looks_of(self.game.rules, self.family)

    def history(self) -> list[Note]:
        """What everyone at the table may know of what happened."""
        notes: list[Note] = self.game.view(None)["history"]
        return notes

    # The table ----------------------------------------------------------------------------------------

    def draw(self, scene: Scene) -> None:
        self.screen.draw(picture(scene, self.screen.width, self.screen.height))

    def scene(self, viewer: str | None, moves: list[str], title: str) -> Scene:
        view = self.game.view(viewer)
        scene = Scene(self.game.rules, self.names, self.kinds, view, self.looks)
        scene.moves = moves
        scene.title = title
        scene.tell(view["history"][self.told_since(viewer, view["history"]) :])
        return scene

    def told_since(self, viewer: str | None, history: list[Note]) -> int:
        """Where the story begins for this viewer."""
        return lately(history) if viewer is None else self.told.get(viewer, 0)

    def tell_from(self, seat: str, before: dict[str, Any], advance_in_window: bool) -> None:
        """Has the story begin for this person, who has moved, with what happened after this view; not if a turn goes on."""
        if TRICK in before:
            self.told[seat] = start_of_trick(before["history"])
        elif not advance_in_window:
            self.told[seat] = len(before["history"])

    def asking(self, seat: str) -> Scene:
        title = "since your last turn" if seat in self.told else "so far"
        scene = self.scene(seat, words_in(self.game.moves()), title)
        scene.explain(scene.view["question"])
        question = self.question(seat)
        scene.asked = "" if question in self.prompt(seat) else question
        return scene

    def story(self, viewer: str | None, since: int, until: int | None = None) -> list[list[Text]]:
        """What happened from one note to another, as this person, or a bystander, may know it."""
        notes = self.game.view(viewer)["history"][since:until]
        return paragraphs(self.game.rules, self.looks, notes, self.names)

    def seats_in(self, view: dict[str, Any]) -> list[Text]:
        return seats(Scene(self.game.rules, self.names, self.kinds, view, self.looks), self.screen.width, True)

    def lines(self, told: list[list[Text]]) -> list[Text]:
        return [line for words in told for line in pack(words, self.screen.width - 1)]

    # The question -------------------------------------------------------------------------------------

    def meaning(self, seat: str) -> Meaning:
        return Meaning(self.game.rules, self.game.moves(), self.scene(seat, [], "").hand, self.names, self.orders)

    def question(self, seat: str) -> str:
        """What is asked, as only this person may hear it, in words."""
        moves = self.game.moves()
        words = asked(self.game.rules, self.game.view(seat)["question"], self.names)
        if any(SEPARATOR in move for move in moves):
            words += " (1 3 4: several)"
        return self.looks.mild(words) + (" (or just Enter)" if len(moves) == 1 else "")

    def prompt(self, seat: str) -> str:
        """The question where it is to be answered; if that is too narrow, it stands above."""
        prompt = f"{self.names[seat]}: {self.question(seat)} > "
        return prompt if cell_len(prompt) + TYPED <= self.screen.width else f"{self.names[seat]}: your choice > "

    def refused(self, refusal: fuda.Refused) -> str:
        """Why a move is not allowed, with the players' names."""
        words = f"{refusal.text} {refusal.because}".strip()
        facts = {fact: named(value, self.names) for fact, value in refusal.facts.items()}
        return f"{sentence(words, facts)} ({refusal.rule})"


def help_sheet(card: str, orders: Orders) -> RenderableType:
    """What can be typed; with this card as an example."""
    suit, _, rank = card.partition(" ")
    sheet = Sheet(box=None, show_header=False, padding=(0, 2))
    sheet.add_row(Text("a number", "bold"), "the move of that number")
    sheet.add_row(
        Text("a card", "bold"),
        f"its name or a clear beginning: {card}, {suit[:3]} {rank}, {suit[:1]}{rank}; symbols will do, too",
    )
    sheet.add_row(Text("Enter", "bold"), "the only move, if there is only one; otherwise draws the table again")
    sheet.add_row(Text("Tab", "bold"), "completes what you have begun to type")
    for form, text in orders.values():
        sheet.add_row(Text(form, "bold"), text)
    return sheet
