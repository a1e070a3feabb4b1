"""The commands at an online table: before the game, during it and after it."""

from __future__ import annotations

from pathlib import Path
from typing import Final, get_args

from rich.console import Group
from rich.text import Text

import fuda
from fuda.bots.seating import default_kind
from fuda.cli.online.connection import Connection
from fuda.cli.online.game import rebuild_refusal
from fuda.cli.online.notices import chat_text
from fuda.cli.online.online_table import OnlineTable
from fuda.cli.table import saved_games
from fuda.cli.table.display import TableDisplay
from fuda.cli.table.parser import COMMANDS, Command, CommandTexts
from fuda.cli.table.table_commands import TableCommands
from fuda.cli.table.wording import refusal_text
from fuda.cli.terminal.layout import printable
from fuda.cli.terminal.signals import Quit
from fuda.client import Denied
from fuda.engine.errors import brief
from fuda.protocol.parts import EVERY_SEAT, Reaction, Seat

REACTIONS: Final[tuple[Reaction, ...]] = get_args(Reaction)

ALWAYS: Final[CommandTexts] = {
    "say": ("say TEXT", "send a chat message"),
    "react": ("react WORD", f"one of: {', '.join(REACTIONS)}"),
    "chat": ("chat", "the chat messages so far"),
    "device": ("device", "a link that moves your seat to another device"),
    "leave": ("leave", "give up your seat"),
    "quit": ("quit", "quit; the seat stays yours, and the command to come back is printed"),
    "help": ("help", "this list"),
}
BEFORE_GAME: Final[CommandTexts] = {
    "start": ("start", "start the game (host)"),
    "bot": ("bot SEAT [KIND]", "put a bot there (host)"),
    "open": ("open SEAT", "open a chair; whoever sits there has to go (host)"),
    "close": ("close SEAT", "play without this chair (host)"),
    "swap": ("swap SEAT [SEAT]", "swap two seats (host), or move to an open chair"),
    "rules": COMMANDS["rules"],
    **ALWAYS,
}
DURING_GAME: Final[CommandTexts] = {
    **{name: COMMANDS[name] for name in ("why", "rules", "last", "score")},
    "undo": ("undo", "not possible at an online table"),
    "save": ("save [FILE]", "save the record; during the game only what you may know"),
    "bot": ("bot SEAT", "let a bot play for somebody who is gone"),
    "rematch": ("rematch", "another game with the same people, after this one"),
    **ALWAYS,
}


class OnlineCommands:
    """Runs commands at the server's table; those of every table are in TableCommands."""

    def __init__(self, connection: Connection, online: OnlineTable, display: TableDisplay) -> None:
        self.connection = connection
        self.client = connection.client
        self.online = online
        self.table = online.table
        self.display = display
        self.common = TableCommands(display, self.find_refusal)
        self.common.handlers |= {
            "undo": self.refuse_undo,
            "save": self.save,
            "say": self.say,
            "react": self.react,
            "chat": self.show_chat,
            "device": self.show_device_link,
            "leave": self.leave,
            "start": self.start,
            "rematch": self.rematch,
            "bot": self.add_bot,
            "open": self.open_chair,
            "close": self.close_chair,
            "swap": self.swap,
        }
        self.has_left = False
        """Whether the seat was given up."""
        self.is_leaving = False
        """Whether `leave` was typed once; during a game it must be typed twice."""

    @property
    def texts(self) -> CommandTexts:
        """The commands that are available now."""
        return BEFORE_GAME if self.online.is_before_game else DURING_GAME

    def run_command(self, command: Command) -> None:
        self.is_leaving = self.is_leaving and command.name == "leave"
        self.common.texts = self.texts
        try:
            self.common.run_command(command, self.online.known.you)
        except fuda.Error as error:
            self.display.reply(printable(str(error)))

    # The game -----------------------------------------------------------------------------------------

    def find_refusal(self, move: str, seat: str | None) -> fuda.Refused | None:
        because = self.connection.run(self.client.why(move))
        if because is None:
            return None
        return rebuild_refusal(self.table.game.rules, because.rule, because.text, because.facts)

    def play(self, move: str) -> bool:
        """Makes a move, or replies why it cannot be made."""
        try:
            self.connection.run(self.client.play(move))
        except Denied as denied:
            if denied.rule:
                refusal = rebuild_refusal(self.table.game.rules, denied.rule, denied.text, denied.facts)
                self.display.reply(refusal_text(refusal, self.table.names))
            elif denied.code in ("too late", "not asked"):
                self.display.reply("That was too late: a move has been made for you.")
            else:
                self.display.reply(printable(denied.text))
        except fuda.Error as error:
            self.display.reply(str(error))
        else:
            return True
        return False

    def start(self, argument: str, seat: str | None) -> None:
        self.connection.run(self.client.start())

    def rematch(self, argument: str, seat: str | None) -> None:
        self.connection.run(self.client.rematch())

    def refuse_undo(self, argument: str, seat: str | None) -> None:
        self.display.reply("There is no undo at an online table: the others have seen your move.")

    def save(self, argument: str, seat: str | None) -> None:
        """Saves the record; during the game only what the player may know."""
        path = saved_games.path_from(argument) if argument else saved_games.new_path(self.table.game.rules.id)
        record = self.connection.run(self.client.record())
        path = saved_games.write_to_first([path, Path.cwd() / path.name], record, self.table.seating)
        is_complete = self.table.game.over
        self.display.reply(f"Saved in {path}" if is_complete else f"What you know so far is saved in {path}")

    # Chat ---------------------------------------------------------------------------------------------

    def say(self, argument: str, seat: str | None) -> None:
        if argument:
            self.connection.run(self.client.say(argument))
        else:
            self.display.reply("Say what? Type the message after say.")

    def react(self, argument: str, seat: str | None) -> None:
        self.connection.run(self.client.react(parse_reaction(argument)))

    def show_chat(self, argument: str, seat: str | None) -> None:
        lines = [Text(chat_text(line)) for line in self.online.known.said]
        self.display.show_page(Group(*(lines or [Text("There are no messages yet.")])))

    # Chairs -------------------------------------------------------------------------------------------

    def add_bot(self, argument: str, seat: str | None) -> None:
        """Puts a bot on a chair; during the game, lets it play for somebody who is gone."""
        chair, kind = self.parse_seats(argument)
        if self.online.is_before_game:
            self.connection.run(self.client.furnish(chair, kind or default_kind(self.table.game.rules.id)))
        else:
            self.connection.run(self.client.stand_in(chair))

    def open_chair(self, argument: str, seat: str | None) -> None:
        self.connection.run(self.client.furnish(self.parse_seats(argument)[0], "open"))

    def close_chair(self, argument: str, seat: str | None) -> None:
        self.connection.run(self.client.furnish(self.parse_seats(argument)[0], "closed"))

    def swap(self, argument: str, seat: str | None) -> None:
        first, second = self.parse_seats(argument)
        other = self.find_seat(second) if second else self.online.known.you
        if other is None:
            raise fuda.Error("You have no seat to swap.")
        self.connection.run(self.client.swap(other, first))

    def parse_seats(self, argument: str) -> tuple[Seat, str]:
        """The first seat, and the word after it."""
        words = argument.split()
        return self.find_seat(words[0] if words else ""), words[1] if len(words) > 1 else ""

    def find_seat(self, text: str) -> Seat:
        """The seat with this letter, or of the only player whose name begins so."""
        names = self.table.names
        found = [seat for seat, name in names.items() if text and name.lower().startswith(text.lower())]
        letters = [seat for seat in EVERY_SEAT if seat in names and (seat == text.upper() or found == [seat])]
        if letters:
            return letters[0]
        problem = f"{brief(text)} is not a seat" if text else "Which seat"
        raise fuda.Error(f"{problem}: name one of {', '.join(names)}.")

    # The player's own seat -----------------------------------------------------------------------------------

    def show_device_link(self, argument: str, seat: str | None) -> None:
        link = self.connection.run(self.client.device_link())
        about = "Within ten minutes, open this link on the other device, or pass it to fuda join there. It works once."
        self.display.show_page(Group(Text(about), Text(), Text(link)))

    def leave(self, argument: str, seat: str | None) -> None:
        """Gives up the seat; during a game after a second `leave`."""
        if self.online.known.you is None:
            raise Quit
        if not self.online.is_before_game and not self.is_leaving:
            self.is_leaving = True
            self.display.reply("Type leave again to give up your seat for good, or quit to keep it.")
            return
        self.connection.run(self.client.leave())
        self.has_left = True
        raise Quit


def parse_reaction(text: str) -> Reaction:
    found = [reaction for reaction in REACTIONS if text and reaction.startswith(text.lower())]
    if len(found) == 1 or text.lower() in found:
        return found[0]
    raise fuda.Error(f"React how? Type react and one of: {', '.join(REACTIONS)}.")
