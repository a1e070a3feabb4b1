"""A game at the table: people are asked, bots answer, and everybody is told what happened."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.table import Table as Sheet
from rich.text import Text

import fuda
from fuda import bots
from fuda.cli import pages, saves
from fuda.cli.cards import looks_of, pack
from fuda.cli.leaving import Leave
from fuda.cli.prompt import ORDERS, Answer, Meaning, Move, Order, order_in
from fuda.cli.scene import Scene
from fuda.cli.screen import Screen
from fuda.cli.seating import Seating
from fuda.cli.seats import seats
from fuda.cli.steps import Steps, luck_of
from fuda.cli.story import SCORE, Note, end_of_scores, last_trick, paragraphs, sheet_of, start_of_trick
from fuda.cli.table import boxes_of, picture
from fuda.engine.words import sentence
from fuda.game import SEPARATOR, words_in

ROUNDS_SHOWN: Final = 4
"""So many rounds are on the page between two rounds; `score` shows them all."""


class Turn:
    """A move that was made: by whom, after how much luck, and where the story began that this player had been told."""

    def __init__(self, seat: str, luck: int, told: int) -> None:
        self.seat = seat
        self.luck = luck
        self.told = told


class Session:
    def __init__(self, game: fuda.Game, seating: Seating, screen: Screen, path: Path, pace: float) -> None:
        self.game = game
        self.names = seating.names
        self.seating = seating
        self.screen = screen
        self.path = path
        self.pace = pace
        self.looks = looks_of(game.rules)
        self.turns: list[Turn] = []
        self.told: dict[str, int] = {}
        """From which note on each person is told what happened."""
        self.scored = 0
        """How many notes had been written when the score was last shown."""
        self.recited = 0
        """How many notes bystanders have been told."""
        self.at_screen: str | None = None
        """The person who looks at the screen."""
        self.before: dict[str, Any] = game.view(None)
        """What everybody saw before the last move."""
        self.bots: dict[str, bots.Bot] = {}

    def seat_bots(self, seed: int) -> None:
        for at, (seat, kind) in enumerate(self.seating.bots.items()):
            self.bots[seat] = bots.bot(kind, self.game.rules.id, seed + at)

    def resume(self, steps: Steps) -> None:
        """Goes on with a recorded game: who made its moves, and what there is to tell."""
        history = self.history()
        self.scored = len(history)
        since = self.told_since(None, history)
        for count in range(len(steps)):
            game = steps.after(count)
            self.turns.append(Turn(str(game.seat), luck_of(game), since))
        self.told = dict.fromkeys(self.names, since)

    def history(self) -> list[Note]:
        """What everyone at the table may know of what happened."""
        notes: list[Note] = self.game.view(None)["history"]
        return notes

    # The course of the game ---------------------------------------------------------------------------

    def run(self) -> None:
        while not self.game.over:
            self.show_new_score()
            seat = str(self.game.seat)
            if seat in self.bots:
                self.let_bot_play(seat)
            else:
                self.let_person_play(seat)

    def play(self, move: str) -> None:
        """Makes a legal move, and remembers it so that it can be taken back."""
        seat = str(self.game.seat)
        self.before = self.game.view(None)
        turn = Turn(seat, luck_of(self.game), self.told.get(seat, 0))
        self.game.play(move)
        self.turns.append(turn)
        self.told[seat] = start_of_trick(self.before["history"])

    def let_bot_play(self, seat: str) -> None:
        if self.screen.live and self.pace:
            self.watch_table()
            finished = bool(self.turns) and start_of_trick(self.history()) == len(self.history())
            self.screen.pause(self.pace * (2 if finished else 1))
        with self.screen.watch.waiting():
            move = self.bots[seat].choose(self.game.view(seat), self.game.moves())
        self.play(move)
        if not self.screen.live and not self.seating.people:
            self.tell_bystander()

    def tell_bystander(self) -> None:
        """Where nobody plays and nothing can be drawn, what happens is told as it happens."""
        history = self.history()
        self.screen.say(self.lines(paragraphs(self.game.rules, self.looks, history[self.recited :], self.names)))
        self.recited = len(history)

    def watch_table(self) -> None:
        """While bots play, one person sees the own hand; several see what any bystander would."""
        people = self.seating.people
        viewer = people[0] if len(people) == 1 else None
        self.draw(self.scene(viewer, [], "what happens"))

    def let_person_play(self, seat: str) -> None:
        if not self.hand_over(seat):
            return
        self.draw(self.asking(seat))
        while True:
            answer = self.answer(seat)
            if isinstance(answer, Move):
                refusal = self.game.why(answer.move, seat)
                if refusal is None:
                    self.play(answer.move)
                    self.keep()
                    return
                self.reply(seat, f"{refusal} ({refusal.rule})")
            elif isinstance(answer, Order):
                if self.obey(answer, seat):
                    return
            else:
                self.reply(seat, answer.sentence)

    def answer(self, seat: str) -> Answer:
        """What the person answers to the question; the only move there is needs no more than Enter."""
        game = self.game
        moves = game.moves()
        meaning = Meaning(game.rules, moves, self.scene(seat, [], "").hand, self.names)
        question = {fact: self.names.get(str(value), value) for fact, value in (game.question or {}).items()}
        words = sentence(game.rules.questions.get(str(question.get("kind")), "Your move."), question)
        enter = " (or just Enter)" if len(moves) == 1 else ""
        if any(SEPARATOR in move for move in moves):
            words += " (1 3 4: several)"
        text = ""
        while not text:
            text = self.ask(f"{self.names[seat]}: {words}{enter} > ", [*words_in(moves), *ORDERS]).strip()
            if not text and len(moves) == 1:
                return Move(moves[0])
            if not text:
                self.draw(self.asking(seat))
        return meaning.answer(text)

    def ask(self, prompt: str, known: list[str]) -> str:
        try:
            return self.screen.ask(prompt, known)
        except EOFError:
            raise Leave from None

    # The curtain --------------------------------------------------------------------------------------

    def hand_over(self, seat: str) -> bool:
        """Where several people share the screen it is passed on behind a curtain; False if a move was taken back."""
        before = self.at_screen
        if before == seat or len(self.seating.people) == 1:
            self.at_screen = seat
            return True
        note = ""
        while True:
            lines = [Text(), Text(f"  Pass the screen to {self.names[seat]}.", "bold"), Text()]
            lines.append(Text(f"  {self.names[seat]}: press Enter when nobody else is looking."))
            if before is not None and self.why_not_undo(before) is None:
                lines.append(Text(f"  {self.names[before]}: undo takes your last move back.", "dim"))
            self.screen.hide()
            self.screen.draw([*lines, *([Text(), Text(f"  {note}")] if note else [])])
            text = self.ask("  > ", ["undo", "save", "quit"])
            order = order_in(text)
            if not text.strip():
                self.at_screen = seat
                return True
            if order is not None and order.word == "undo" and before is not None:
                note = self.why_not_undo(before) or ""
                if not note:
                    self.take_back()
                    return False
            elif order is not None and order.word == "save":
                note = self.save_as(order.rest)
            elif order is not None and order.word == "quit":
                raise Leave
            else:
                note = f"First {self.names[seat]} takes the screen, with Enter."

    # What is shown ------------------------------------------------------------------------------------

    def draw(self, scene: Scene) -> None:
        self.screen.draw(picture(scene, self.screen.width, self.screen.height))

    def scene(self, viewer: str | None, moves: list[str], title: str) -> Scene:
        view = self.game.view(viewer)
        scene = Scene(self.game.rules, self.names, self.seating.bots, view)
        scene.moves = moves
        scene.title = title
        scene.tell(view["history"][self.told_since(viewer, view["history"]) :])
        return scene

    def told_since(self, viewer: str | None, history: list[Note]) -> int:
        """Where the story begins for this viewer; a bystander is told of the last trick."""
        if viewer is not None:
            return self.told.get(viewer, 0)
        last = last_trick(history)
        return last[0] if last else 0

    def asking(self, seat: str) -> Scene:
        title = "since your last turn" if seat in self.told else "so far"
        scene = self.scene(seat, words_in(self.game.moves()), title)
        scene.explain(self.game.question or {})
        return scene

    def reply(self, seat: str, *texts: str) -> None:
        """An answer to what was typed: below the table in place of the story, or as the next lines."""
        scene = self.asking(seat)
        scene.title = "answer"
        scene.answer([*texts])
        if self.screen.live:
            self.draw(scene)
        else:
            self.screen.say(self.lines(scene.told))

    def leaf(self, seat: str, shown: RenderableType) -> None:
        """Something to be read on its own; then the table again."""
        try:
            self.screen.leaf(shown)
        except EOFError:
            raise Leave from None
        if self.screen.live:
            self.draw(self.asking(seat))

    def show_new_score(self) -> None:
        """At the end of a round everybody looks at the score, before new cards are looked at."""
        history = self.history()
        new = [at for at in range(self.scored, len(history)) if history[at].get("kind") == SCORE]
        self.scored = len(history)
        if not new or not self.screen.live or not self.seating.people:
            return
        last = last_trick(history[: new[-1]])
        told = paragraphs(self.game.rules, self.looks, history[last[0] if last else 0 : new[-1]], self.names)
        page = [
            Text("The round is over.", "bold"),
            Text(),
            Text("Before its last card:", "dim"),
            *self.seats_in(self.before),
            Text(),
            *self.lines(told),
            Text(),
        ]
        try:
            self.screen.leaf(Group(*page, sheet_of(self.game, self.names, ROUNDS_SHOWN)), "Enter to play on > ")
        except EOFError:
            raise Leave from None
        for seat in self.told:
            self.told[seat] = new[-1] + 1

    def last_words(self) -> list[Text]:
        """What happened at the very end, before the score, unless it has been told."""
        history = self.history()
        if self.recited:
            return []
        notes = history[self.told_since(self.at_screen, history) : end_of_scores(history) - 1]
        told = paragraphs(self.game.rules, self.looks, notes, self.names)
        return [*self.lines(told), Text(), *self.seats_in(self.game.view(None))]

    def seats_in(self, view: dict[str, Any]) -> list[Text]:
        return seats(Scene(self.game.rules, self.names, self.seating.bots, view), self.screen.width, True)

    def lines(self, told: list[list[Text]]) -> list[Text]:
        return [line for words in told for line in pack(words, self.screen.width - 1)]

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
            case "undo":
                return self.undo(seat)
            case "score":
                self.leaf(seat, sheet_of(self.game, self.names))
            case "save":
                self.reply(seat, self.save_as(order.rest))
            case "quit":
                raise Leave
            case "help":
                self.leaf(seat, help_sheet(self.game.rules.cards[0]))
        return False

    def explain(self, seat: str, text: str) -> None:
        meaning = Meaning(self.game.rules, self.game.moves(), self.scene(seat, [], "").hand, self.names)
        asked = meaning.asked_about(text)
        if not isinstance(asked, Move):
            self.reply(seat, asked.sentence)
            return
        refusal = self.game.why(asked.move, seat)
        if refusal is None:
            printed = [self.game.rules.texts[asked.move]] if asked.move in self.game.rules.texts else []
            self.reply(seat, f"Nothing forbids {asked.move}: it is among your moves.", *printed)
        else:
            self.reply(seat, f"{refusal} ({refusal.rule})", f"rules {refusal.rule} shows the whole paragraph.")

    def show_rules(self, seat: str, text: str) -> None:
        try:
            page = pages.paragraph(text) if text else pages.text(self.game.rules.id)
        except fuda.Error as error:
            self.reply(seat, str(error))
        else:
            self.leaf(seat, pages.rendered(page))

    def show_last_trick(self, seat: str) -> None:
        history = self.history()
        found = last_trick(history)
        if found is None:
            self.reply(seat, "No trick has been finished yet.")
            return
        notes = history[slice(*found)]
        words = paragraphs(self.game.rules, self.looks, notes, self.names)
        boxes = boxes_of(self.scene(seat, [], ""), notes, self.screen.width)
        self.leaf(seat, Group(*boxes, Text(), *self.lines(words)))

    # Taking back --------------------------------------------------------------------------------------

    def why_not_undo(self, seat: str) -> str | None:
        """Why this person's last move cannot be taken back; None if it can."""
        if not any(turn.seat == seat for turn in self.turns):
            return "You have made no move yet that could be taken back."
        last = self.turns[-1]
        if last.seat != seat:
            return f"It is too late to take your move back: {self.names[last.seat]} has played since."
        if last.luck != luck_of(self.game):
            return "It is too late to take your move back: new cards have been dealt since."
        return None

    def undo(self, seat: str) -> bool:
        problem = self.why_not_undo(seat)
        if problem is not None:
            self.reply(seat, problem)
            return False
        self.take_back()
        return True

    def take_back(self) -> None:
        """The game again without its last move."""
        record = self.game.record()
        del record["moves"][-1]
        del record["result"]
        self.game = fuda.replay(record)
        turn = self.turns.pop()
        self.told[turn.seat] = turn.told
        self.scored = len(self.history())
        self.keep()

    # Saving -------------------------------------------------------------------------------------------

    def keep(self) -> None:
        """Saves after every decision of a person, so that not even a power cut loses the game."""
        with contextlib.suppress(OSError):  # on leaving, other places are tried, and it is said if none will do
            saves.write(self.path, self.game.record(), self.seating)

    def save_as(self, name: str) -> str:
        """Saves where the person says, and there from now on."""
        try:
            path = saves.path_named(name) if name else self.path
            self.path = saves.write_somewhere([path], self.game.record(), self.seating)
        except fuda.Error as error:
            return str(error)
        return f"Saved in {path}"


def help_sheet(card: str) -> RenderableType:
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
    for form, text in ORDERS.values():
        sheet.add_row(Text(form, "bold"), text)
    return sheet
