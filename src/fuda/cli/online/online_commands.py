"""What can be typed at a table elsewhere: before the game, during it and after it."""

from __future__ import annotations

from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Final, TypeVar, get_args

from rich.console import Group
from rich.text import Text

import fuda
from fuda.bots.seating import default_kind
from fuda.cli.online.connection import Wire
from fuda.cli.online.game import OnlineGame, plain, refusal_of, seating_of
from fuda.cli.table import saved_games as saves
from fuda.cli.table.parser import ORDERS, Order, Orders
from fuda.cli.table.table_commands import Ordering
from fuda.cli.terminal.screen import Screen
from fuda.cli.terminal.signals import Leave
from fuda.client import Denied, Known
from fuda.engine.errors import brief
from fuda.protocol.parts import EVERY_SEAT, Line, Reaction, Seat

T = TypeVar("T")
REACTIONS: Final[tuple[Reaction, ...]] = get_args(Reaction)

TALK: Final[Orders] = {
    "say": ("say TEXT", "tell the others something"),
    "react": ("react WORD", f"one of: {', '.join(REACTIONS)}"),
    "chat": ("chat", "what has been said"),
    "device": ("device", "a link that moves your seat to another device"),
}
LEAVING: Final[Orders] = {
    "leave": ("leave", "give up your seat"),
    "quit": ("quit", "leave the terminal; the seat stays yours, and the command to come back is printed"),
    "help": ("help", "this list"),
}
BEFORE: Final[Orders] = {
    "start": ("start", "begin the game, as the host"),
    "bot": ("bot SEAT [KIND]", "seat a bot there, as the host"),
    "open": ("open SEAT", "open a chair, as the host; whoever sits there has to go"),
    "close": ("close SEAT", "play without this chair, as the host"),
    "swap": ("swap SEAT [SEAT]", "change places: two others as the host, yourself with an open chair"),
    "rules": ORDERS["rules"],
    **TALK,
    **LEAVING,
}
DURING: Final[Orders] = {
    **{word: ORDERS[word] for word in ("why", "rules", "last", "score")},
    "undo": ("undo", "there is no taking back at a table elsewhere"),
    "save": ("save [FILE]", "write the record to a file; while the game is played, as much of it as you may know"),
    "bot": ("bot SEAT", "have a bot play for somebody who is gone"),
    "rematch": ("rematch", "another game with the same people, when this one is over"),
    **TALK,
    **LEAVING,
}


class OnlineOrders(Ordering):
    """A table elsewhere, at which somebody types here."""

    game: OnlineGame

    def __init__(self, wire: Wire, screen: Screen) -> None:
        super().__init__(OnlineGame(wire.known), seating_of(wire.known), screen)
        self.wire = wire
        self.known: Known = wire.known
        """What this table is drawn from."""
        self.has_left = False
        """Whether the seat was given up."""
        self.is_leaving = False
        """Whether giving up the seat was asked for once; it must be asked for twice."""

    @property
    def alone(self) -> str | None:
        return self.known.you

    @property
    def is_before(self) -> bool:
        """Whether the game has not begun."""
        return self.known.table.phase in ("open", "starting")

    @property
    def orders(self) -> Orders:
        return BEFORE if self.is_before else DURING

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Has it done at the table, and waits for what comes of it."""
        return self.wire.do(work, self.say_slow)

    def say_slow(self) -> None:
        """Says that the server takes long to answer."""

    def why(self, move: str, seat: str) -> fuda.Refused | None:
        because = self.do(self.wire.client.why(move))
        return None if because is None else refusal_of(self.game.rules, because.rule, because.text, because.facts)

    # Obeying --------------------------------------------------------------------------------------

    def obey(self, order: Order, seat: str) -> bool:
        self.is_leaving = self.is_leaving and order.word == "leave"
        try:
            return self.carry_out(order, seat)
        except fuda.Error as error:
            self.reply(seat, plain(str(error)))
        return False

    def carry_out(self, order: Order, seat: str) -> bool:
        client = self.wire.client
        match order.word:
            case "undo":
                self.reply(seat, "There is no taking back at a table elsewhere: the others have seen it.")
            case "save":
                self.reply(seat, self.save_as(order.rest))
            case "say" if not order.rest:
                self.reply(seat, "Say what? Write it after the word.")
            case "say":
                self.do(client.say(order.rest))
            case "react":
                self.do(client.react(reaction_named(order.rest)))
            case "chat":
                said = [Text(said_in(line)) for line in self.known.said]
                self.leaf(seat, Group(*(said or [Text("Nobody has said anything.")])))
            case "device":
                self.show_link(seat, self.do(client.device_link()))
            case "leave":
                self.leave(seat)
            case "start":
                self.do(client.start())
            case "rematch":
                self.do(client.rematch())
            case "bot" | "open" | "close" | "swap":
                self.furnish(order)
            case _:
                return super().obey(order, seat)
        return False

    def furnish(self, order: Order) -> None:
        """Changes who or what sits where."""
        client = self.wire.client
        words = order.rest.split()
        first = self.seat_named(words[0] if words else "")
        match order.word:
            case "bot" if not self.is_before:
                self.do(client.stand_in(first))
            case "bot":
                self.do(client.furnish(first, words[1] if len(words) > 1 else default_kind(self.game.rules.id)))
            case "open":
                self.do(client.furnish(first, "open"))
            case "close":
                self.do(client.furnish(first, "closed"))
            case "swap":
                other = self.seat_named(words[1]) if len(words) > 1 else self.known.you
                if other is None:
                    raise fuda.Error("You have no seat to swap.")
                self.do(client.swap(other, first))

    def seat_named(self, word: str) -> Seat:
        """The seat of this letter, or of whoever's name begins so."""
        found = [seat for seat, name in self.names.items() if word and name.lower().startswith(word.lower())]
        letters = [seat for seat in EVERY_SEAT if seat in self.names and (seat == word.upper() or found == [seat])]
        if letters:
            return letters[0]
        asked = f"{brief(word)} is no seat" if word else "Which seat"
        raise fuda.Error(f"{asked}: name one of {', '.join(self.names)}.")

    def leave(self, seat: str) -> None:
        """Gives up the seat; asked for twice where a game would go on without its player."""
        if self.known.you is None:
            raise Leave
        if not self.is_before and not self.is_leaving:
            self.is_leaving = True
            self.reply(seat, "Type leave again to give up your seat for good; quit leaves, and keeps it for you.")
            return
        self.do(self.wire.client.leave())
        self.has_left = True
        raise Leave

    def show_link(self, seat: str, link: str) -> None:
        about = "Open this link on the other device, or give it to fuda join there, within ten minutes. It works once."
        self.leaf(seat, Group(Text(about), Text(), Text(link)))

    def save_as(self, name: str) -> str:
        """Writes what there is of the record where the person says."""
        path = saves.path_named(name) if name else saves.fresh_path(self.game.rules.id)
        record = self.do(self.wire.client.record())
        path = saves.write_somewhere([path, Path.cwd() / path.name], record, self.seating)
        return f"Saved in {path}" if self.game.over else f"What you know so far is saved in {path}"

    # Moves ----------------------------------------------------------------------------------------

    def play(self, move: str, seat: str) -> bool:
        """Makes the move, and says why if it could not be made; True if it was."""
        try:
            self.do(self.wire.client.play(move))
        except Denied as denied:
            if denied.rule:
                self.reply(seat, self.refused(refusal_of(self.game.rules, denied.rule, denied.text, denied.facts)))
            elif denied.code in ("too late", "not asked"):
                self.reply(seat, "That came too late: it has been answered for you already.")
            else:
                self.reply(seat, plain(denied.text))
        except fuda.Error as error:
            self.reply(seat, str(error))
        else:
            return True
        return False


def reaction_named(text: str) -> Reaction:
    found = [reaction for reaction in REACTIONS if text and reaction.startswith(text.lower())]
    if len(found) == 1 or text.lower() in found:
        return found[0]
    raise fuda.Error(f"React how? With one of: {', '.join(REACTIONS)}.")


def said_in(line: Line) -> str:
    """What somebody said, or how they reacted."""
    return f"{plain(line.name)}: {plain(line.text)}" if line.text else f"{plain(line.name)}: {line.reaction or ''}!"
