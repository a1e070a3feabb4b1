"""What is asked now: one seat, or several at the same time, whose answers wait for their turn."""

from __future__ import annotations

import fuda
from fuda.game import PASS
from fuda.protocol.parts import EVERY_SEAT, Seat
from fuda.server.entries import Answered, Played


class Questions:
    """Who is asked now, since which version, and which answers wait for their turn."""

    def __init__(self) -> None:
        self.asked: list[Seat] = []
        """In the order in which their answers count."""
        self.since: dict[Seat, int] = {}
        """The version at which each of them was asked what it is asked now."""
        self.held: dict[Seat, list[Answered]] = {}
        """Answers that wait for their turn."""
        self.is_reaction = False
        self.is_together = False
        """Whether no answer counts before all have answered."""
        self.at = 0.0
        """When it was asked."""
        self.due: float | None = None
        """The deadline, after which the clock answers; a reaction ends then, however it was answered."""

    def ask(self, game: fuda.Game, version: int, due: float | None) -> None:
        """A new question, or the same one to those who have not answered yet."""
        self.asked = seats_in(game.asked())
        self.is_reaction = game.is_reaction
        self.is_together = game.is_together and not game.is_reaction and len(self.asked) > 1
        self.since = {seat: self.since.get(seat, version) for seat in self.asked}
        self.held = {seat: moves for seat, moves in self.held.items() if self.is_still_legal(game, seat)}
        self.due = due

    def advance(self, game: fuda.Game, version: int, played: Played) -> None:
        """Takes a move into account: held answers stay as long as the others are asked the same question."""
        held = self.held.get(played.seat, [])
        is_same = self.is_same_after(game, played)
        self.since.pop(played.seat, None)
        if held and held[0].move == played.move:
            held.pop(0)
        if not is_same:
            self.since, self.held = {}, {}
        self.ask(game, version, played.due)

    def is_same_after(self, game: fuda.Game, played: Played) -> bool:
        """Whether the others are asked the same question after this move, which led to this game."""
        is_changed = self.is_reaction and played.move != PASS
        return not is_changed and seats_in(game.asked()) in (self.left_after(played), self.asked)

    def is_still_open(self, game: fuda.Game, played: Played) -> bool:
        """Whether the reaction that this move answered is still open to others after it."""
        is_same = self.is_reaction and game.is_reaction and self.is_same_after(game, played)
        return is_same and seats_in(game.asked()) == self.left_after(played)

    def left_after(self, played: Played) -> list[Seat]:
        return [seat for seat in self.asked if seat != played.seat]

    def hold(self, answer: Answered, version: int) -> None:
        self.held.setdefault(answer.seat, []).append(answer)
        if not answer.sealed:
            self.since[answer.seat] = version

    def moves_held(self, seat: Seat) -> list[str]:
        """The answers of this seat that wait."""
        return [answer.move for answer in self.held.get(seat, [])]

    def game_for(self, game: fuda.Game, seat: Seat) -> fuda.Game | None:
        """The game as this seat is asked about it, after its held answers; None if it is not asked, or has answered."""
        if seat not in self.asked:
            return None
        if self.is_together or seat != self.asked[0]:
            return game.preview_for(seat, self.moves_held(seat))
        return None if self.held.get(seat) else game

    def is_still_legal(self, game: fuda.Game, seat: Seat) -> bool:
        """Whether the held answers of this seat are still legal."""
        if seat not in self.asked:
            return False
        try:
            game.preview_for(seat, self.moves_held(seat))
        except fuda.Refused:
            return False
        return True

    def next_held(self, game: fuda.Game | None) -> Answered | None:
        """The held answer whose turn it is now."""
        held = self.held.get(self.asked[0]) if self.asked else None
        if game is None or not held or (self.is_together and self.answered(game) < len(self.asked)):
            return None
        return held[0]

    def answered(self, game: fuda.Game) -> int:
        """How many of those who are asked have answered, as far as everyone may know."""
        if self.is_reaction or not self.held:
            return 0
        return sum(self.game_for(game, seat) is None for seat in self.asked)


def seats_in(letters: list[str]) -> list[Seat]:
    return [seat_named(letter) for letter in letters]


def seat_named(letter: str) -> Seat:
    return EVERY_SEAT["ABCDEFGH".index(letter)]
