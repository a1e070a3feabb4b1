"""What can be typed at a table besides moves, wherever the game is played."""

from __future__ import annotations

from typing import Any, Final

from rich.console import Group, RenderableType
from rich.text import Text

import fuda
from fuda.cli.table.display import Telling, help_sheet
from fuda.cli.table.game import Shown
from fuda.cli.table.parser import Move, Order
from fuda.cli.table.score import sheet_of
from fuda.cli.table.seating import Seating
from fuda.cli.table.trick_boxes import boxes_of
from fuda.cli.table.tricks import SCORE, TRICK, end_of_scores, last_trick
from fuda.cli.terminal.screen import Screen, rendered
from fuda.cli.terminal.signals import Leave
from fuda.words import pages

MOST_RECALLED: Final = 40
"""So many notes are told of what happened of late."""
ROUNDS_SHOWN: Final = 4
"""So many rounds are on the page between two rounds; `score` shows them all."""


class Ordering(Telling):
    """A table at which somebody types."""

    def __init__(self, game: Shown, seating: Seating, screen: Screen) -> None:
        super().__init__(game, seating, screen)
        self.scored = 0
        """How many notes had been written when the score was last shown."""
        self.before: dict[str, Any] = {}
        """What was seen before the last move."""

    # What depends on where the game is played -------------------------------------------------------

    @property
    def alone(self) -> str | None:
        """The only person at this screen; None if there are several, or none."""
        raise NotImplementedError

    def why(self, move: str, seat: str) -> fuda.Refused | None:
        """Why this move may not be made now; None if it may."""
        raise NotImplementedError

    def reply(self, seat: str, *texts: str) -> None:
        """An answer to what was typed: below the table in place of the story, or as the next lines."""
        raise NotImplementedError

    def show_again(self, seat: str) -> None:
        """Draws the table after something else was there."""

    # Commands -----------------------------------------------------------------------------------------

    def obey(self, order: Order, seat: str) -> bool:
        """Does what was ordered; True if it changed whose turn it is."""
        match order.word:
            case "why":
                self.explain(seat, order.rest)
            case "rules":
                self.show_rules(seat, order.rest)
            case "last":
                self.show_last_trick(seat)
            case "score":
                self.leaf(seat, sheet_of(self.game, self.names))
            case "quit":
                raise Leave
            case "help":
                self.leaf(seat, help_sheet(self.game.rules.cards[0], self.orders))
        return False

    def explain(self, seat: str, text: str) -> None:
        meant = self.meaning(seat).asked_about(text)
        if not isinstance(meant, Move):
            self.reply(seat, meant.sentence)
            return
        refusal = self.why(meant.move, seat)
        text = self.game.rules.text_of(meant.move)
        printed = [f"{meant.move}: {text}"] if text else []
        if refusal is None:
            self.reply(seat, f"Nothing forbids {meant.move}: it is among your moves.", *printed)
        else:
            self.reply(seat, self.refused(refusal), f"rules {refusal.rule} shows the whole paragraph.", *printed)

    def show_rules(self, seat: str, text: str) -> None:
        try:
            page = pages.paragraph(text) if text else pages.text(self.game.rules.id)
        except fuda.Error as error:
            self.reply(seat, str(error))
        else:
            self.leaf(seat, rendered(self.looks.mild(page)))

    def show_last_trick(self, seat: str) -> None:
        scene = self.scene(seat, [], "")
        history = scene.view["history"]
        found = last_trick(history)
        if found is not None:
            boxes = boxes_of(scene, history[slice(*found)], self.screen.width)
            self.leaf(seat, Group(*boxes, Text(), *self.lines(self.story(None, *found))))
        elif TRICK in scene.view:
            self.reply(seat, "No trick has been finished yet.")
        else:
            self.leaf(seat, Group(*self.lines(self.story(seat, max(0, len(history) - MOST_RECALLED)))))

    # Pages of their own -------------------------------------------------------------------------------

    def ask(self, prompt: str, known: list[str], typed: str = "") -> str:
        try:
            return self.screen.ask(prompt, known, typed)
        except EOFError:
            raise Leave from None

    def leaf(self, seat: str, shown: RenderableType) -> None:
        """Something to be read on its own; then the table again."""
        self.read(shown, "Enter to go back > ")
        self.show_again(seat)

    def read(self, shown: RenderableType, prompt: str) -> None:
        try:
            self.screen.leaf(shown, prompt)
        except EOFError:
            raise Leave from None

    def show_new_score(self) -> None:
        """At the end of a round everybody looks at the score, before new cards are looked at."""
        history = self.history()
        new = [at for at in range(self.scored, len(history)) if history[at].get("kind") == SCORE]
        self.scored = len(history)
        if not new or not self.screen.live or not self.before:
            return
        last = last_trick(history[: new[-1]])
        if last is not None:
            told = self.story(None, last[0], new[-1])
        elif self.alone is not None:
            told = self.story(self.alone, self.told.get(self.alone, 0), new[-1])
        else:
            told = self.story(None, len(self.before["history"]), new[-1])
        page = [
            Text("The round is over.", "bold"),
            Text(),
            Text("Before its last card:", "dim"),
            *self.seats_in(self.before),
            Text(),
            *self.lines(told),
            Text(),
        ]
        self.read(Group(*page, sheet_of(self.game, self.names, ROUNDS_SHOWN)), "Enter to play on > ")
        for seat in self.told:
            self.told[seat] = new[-1] + 1

    def end_of_story(self, viewer: str | None) -> list[Text]:
        """What this person has not been told yet, up to the last score, and how everybody sits there in the end."""
        history = self.history()
        told = self.story(viewer, self.told_since(viewer, history), end_of_scores(history) - 1)
        return [*self.lines(told), Text(), *self.seats_in(self.game.view(None))]
