"""A game at the table: people are asked, bots answer, and everybody is told what happened."""

from __future__ import annotations

import contextlib
from collections import Counter
from pathlib import Path
from typing import Final

from rich.text import Text

import fuda
from fuda import bots
from fuda.cli.local.recorded_game import Steps, luck_of
from fuda.cli.local.undo import Turn, cards_seen, last_choice, why_not_undo
from fuda.cli.table import saved_games as saves
from fuda.cli.table.parser import Answer, Move, Order, order_in
from fuda.cli.table.seating import Seating
from fuda.cli.table.table_commands import Ordering
from fuda.cli.terminal.screen import Screen
from fuda.cli.terminal.signals import Leave
from fuda.game import words_in

FORCED: Final = "pass"
"""The move that is made for people who can do nothing else."""


class Session(Ordering):
    game: fuda.Game

    def __init__(self, game: fuda.Game, seating: Seating, screen: Screen, path: Path) -> None:
        super().__init__(game, seating, screen)
        self.path = path
        self.pace = 0.0
        self.turns: list[Turn] = []
        self.recited = 0
        """How many notes bystanders have been told."""
        self.watched = 0
        """How many notes had been written when the table was last shown while bots play."""
        self.at_screen: str | None = None
        """The person who looks at the screen."""
        self.before = game.view(None)
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
            turn = Turn(str(game.seat), luck_of(game), since)
            turn.seen = cards_seen(game, turn.seat) if count >= len(steps) - 2 else Counter()
            self.turns.append(turn)
        self.told = dict.fromkeys(self.names, since)

    # The course of the game ---------------------------------------------------------------------------

    def run(self) -> None:
        while not self.game.over:
            if self.seating.people:
                self.show_new_score()
            seat = str(self.game.seat)
            if seat in self.bots:
                self.let_bot_play(seat)
            else:
                self.let_person_play(seat)

    def play(self, move: str, forced: bool = False) -> None:
        """Makes a legal move, and remembers it so that it can be taken back."""
        seat = str(self.game.seat)
        self.before = self.game.view(None)
        turn = Turn(seat, luck_of(self.game), self.told.get(seat, 0))
        turn.forced = forced
        advance_in_window = last_choice(self.turns, seat) is not None
        turn.seen = Counter() if seat in self.bots or forced else cards_seen(self.game, seat)
        self.game.play(move)
        self.turns.append(turn)
        self.tell_from(seat, self.before, forced or advance_in_window)

    def let_bot_play(self, seat: str) -> None:
        new = len(self.history()) - self.watched
        if self.screen.live and self.pace and (new or not self.turns):
            # Whoever lets something pass is not waited for: nobody has seen anything.
            self.watch_table()
            self.screen.pause(self.pace * (2 if new > 1 and self.turns else 1))
            self.watched += new
        with self.screen.watch.waiting():
            move = self.bots[seat].choose(self.game.view(seat), self.game.moves())
        self.play(move)
        if not self.screen.live and not self.seating.people:
            self.tell_bystander()

    def tell_bystander(self) -> None:
        """Where nobody plays and nothing can be drawn, what happens is told as it happens."""
        self.screen.say(self.lines(self.story(None, self.recited)))
        self.recited = len(self.history())

    def watch_table(self) -> None:
        """While bots play, one person sees the own hand; several see what any bystander would."""
        self.draw(self.scene(self.alone, [], "what happens"))

    @property
    def alone(self) -> str | None:
        return self.seating.people[0] if len(self.seating.people) == 1 else None

    def is_forced(self, seat: str) -> bool:
        """Whether this person can do nothing, and nobody will notice that it was not even asked (A-2)."""
        unnoticed = len(self.seating.people) == 1 or self.at_screen == seat
        return unnoticed and self.game.moves() == [FORCED]

    def let_person_play(self, seat: str) -> None:
        if self.is_forced(seat):
            self.play(FORCED, forced=True)
            return
        if not self.hand_over(seat):
            return
        self.draw(self.asking(seat))
        while True:
            answer = self.answer(seat)
            if isinstance(answer, Move):
                refusal = self.why(answer.move, seat)
                if refusal is None:
                    self.play(answer.move)
                    self.keep()
                    return
                self.reply(seat, self.refused(refusal))
            elif isinstance(answer, Order):
                if self.obey(answer, seat):
                    return
            else:
                self.reply(seat, answer.sentence)

    def answer(self, seat: str) -> Answer:
        """What the person answers to the question; the only move there is needs no more than Enter."""
        moves = self.game.moves()
        meaning = self.meaning(seat)
        known = [self.looks.mild(word) for word in words_in(moves)]
        text = ""
        while not text:
            text = self.ask(self.prompt(seat), [*known, *self.orders]).strip()
            if not text and len(moves) == 1:
                return Move(moves[0])
            if not text:
                self.draw(self.asking(seat))
        return meaning.answer(text)

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
                    self.take_back(before)
                    return False
            elif order is not None and order.word == "save":
                note = self.save_as(order.rest)
            elif order is not None and order.word == "quit":
                raise Leave
            else:
                note = f"First {self.names[seat]} takes the screen, with Enter."

    # What is shown ------------------------------------------------------------------------------------

    def reply(self, seat: str, *texts: str) -> None:
        scene = self.asking(seat)
        scene.title = "answer"
        scene.answer([*texts])
        if self.screen.live:
            self.draw(scene)
        else:
            self.screen.say(self.lines(scene.told))

    def show_again(self, seat: str) -> None:
        if self.screen.live:
            self.draw(self.asking(seat))

    def last_words(self) -> list[Text]:
        """What happened at the very end, before the score, unless it has been told."""
        return [] if self.recited else self.end_of_story(self.at_screen)

    # Commands -----------------------------------------------------------------------------------------

    def obey(self, order: Order, seat: str) -> bool:
        match order.word:
            case "undo":
                return self.undo(seat)
            case "save":
                self.reply(seat, self.save_as(order.rest))
                return False
        return super().obey(order, seat)

    def why(self, move: str, seat: str) -> fuda.Refused | None:
        return self.game.why(move, seat)

    # Taking back --------------------------------------------------------------------------------------

    def why_not_undo(self, seat: str) -> str | None:
        return why_not_undo(self.game, self.turns, seat, self.names)

    def undo(self, seat: str) -> bool:
        problem = self.why_not_undo(seat)
        if problem is not None:
            self.reply(seat, problem)
            return False
        self.take_back(seat)
        return True

    def take_back(self, seat: str) -> None:
        """The game again without this person's last move, and those that were made for the same person since."""
        turn = last_choice(self.turns, seat)
        assert turn is not None
        first = self.turns.index(turn)
        record = self.game.record()
        record["moves"] = record["moves"][: first - len(self.turns)]
        del record["result"]
        self.game = fuda.replay(record)
        del self.turns[first:]
        self.told[seat] = turn.told
        self.scored = self.watched = len(self.history())
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
