"""Sets up a local game: asks for everything that the command line leaves open."""

from __future__ import annotations

from typing import Any, Final

from rich.text import Text

import fuda
from fuda import bots
from fuda.bots.seating import default_kind
from fuda.cli.arguments import find_game
from fuda.cli.table.seating import Seating, assign_seats, first_seats, parse_bots, parse_people
from fuda.cli.terminal.layout import wrap_words
from fuda.cli.terminal.screen import Screen
from fuda.engine.rulebook import Rulebook

DEFAULT_PLAYERS: Final = 4


class SetupArguments:
    """What the command line says; None where it says nothing."""

    def __init__(self, game: str | None, players: int | None, people: str | None, bots: str | None) -> None:
        self.game = game
        self.players = players
        self.people = people
        self.bots = bots


def set_up(screen: Screen, arguments: SetupArguments) -> Seating:
    """The game and its seating, from the arguments or from answers."""
    game = ask_game(screen) if arguments.game is None else find_game(arguments.game)
    rules = fuda.rulebook(game)
    if arguments.players is None:
        players = ask_players(screen, rules)
    else:
        players = arguments.players
        rules.checked_options(players, None)
    people = ask_people(screen, players) if arguments.people is None else parse_people(arguments.people, players)
    if arguments.bots is None and arguments.people is None:
        bot_kinds = ask_bots(screen, game, players, people)
    else:
        bot_kinds = parse_bots(arguments.bots or "", game, players, people)
    return assign_seats(game, players, people, bot_kinds)


def ask_game(screen: Screen) -> str:
    lines = [Text("Which game?", "bold")]
    for number, game in enumerate(fuda.games(), 1):
        least, most = game["players"]
        about = [Text(word) for word in game["about"].split()]
        lines.append(Text(f" {number} ") + Text(game["name"], "bold") + Text(f"  {least} to {most} players", "dim"))
        lines += [Text("   ") + line for line in wrap_words(about, screen.width - 3)]
    screen.print_lines(lines)
    return screen.ask_until("A number or a name", "1", find_game)


def ask_players(screen: Screen, rules: Rulebook[Any]) -> int:
    default = max(rules.least, min(rules.most, DEFAULT_PLAYERS))
    question = f"How many players, {rules.least} to {rules.most}?"
    return screen.ask_until(question, str(default), lambda text: parse_players(text, rules))


def parse_players(text: str, rules: Rulebook[Any]) -> int:
    if not text.isdecimal():
        raise fuda.Error(f"How many players? Type a number from {rules.least} to {rules.most}.")
    players = int(text[:6])
    rules.checked_options(players, None)
    return players


def ask_people(screen: Screen, players: int) -> dict[str, str]:
    seats = first_seats(players)
    question = f"Who plays at this terminal? Names, or seats from {seats[0]} to {seats[-1]}, with commas. Bots get the rest."
    screen.print_lines([Text(question)])
    return screen.ask_until("For example Ann, Bob", "A", lambda text: parse_people(text, players))


def ask_bots(screen: Screen, game: str, players: int, people: dict[str, str]) -> dict[str, str]:
    if len(people) == players:
        return {}
    question = f"Which bots, {' or '.join(bots.names(game))}?"
    return screen.ask_until(question, default_kind(game), lambda text: parse_bots(text, game, players, people))
