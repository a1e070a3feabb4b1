"""Before a game begins: which game, how many players, who they are. Asks for whatever was not said."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from rich.text import Text

import fuda
from fuda import bots
from fuda.bots.seating import default_kind
from fuda.cli.arguments import game_named
from fuda.cli.table.seating import Seating, kinds_from, people_from, seat_all, seats_of
from fuda.cli.terminal.layout import pack
from fuda.cli.terminal.screen import Screen
from fuda.engine.rulebook import Rulebook

T = TypeVar("T")
USUAL_PLAYERS: Final = 4


class Wishes:
    """What was said on the command line; None where nothing was."""

    def __init__(self, game: str | None, players: int | None, people: str | None, bots: str | None) -> None:
        self.game = game
        self.players = players
        self.people = people
        self.bots = bots


# Each question in turn ----------------------------------------------------------------------------


def ask_game(screen: Screen) -> str:
    lines = [Text("Which game?", "bold")]
    for number, game in enumerate(fuda.games(), 1):
        least, most = game["players"]
        lines.append(Text(f" {number} ") + Text(game["name"], "bold") + Text(f"  {least} to {most} players", "dim"))
        lines += [Text("   ") + line for line in pack([Text(word) for word in game["about"].split()], screen.width - 3)]
    screen.say(lines)
    return screen.ask_until("A number or a name", "1", game_named)


def players_from(word: str, rules: Rulebook[Any]) -> int:
    if not word.isdecimal():
        raise fuda.Error(f"How many players? A number from {rules.least} to {rules.most}.")
    players = int(word[:6])
    rules.settle_options(players, None)
    return players


def ask_players(screen: Screen, rules: Rulebook[Any]) -> int:
    usual = max(rules.least, min(rules.most, USUAL_PLAYERS))
    question = f"How many players, {rules.least} to {rules.most}?"
    return screen.ask_until(question, str(usual), lambda word: players_from(word, rules))


def ask_people(screen: Screen, players: int) -> dict[str, str]:
    seats = seats_of(players)
    screen.say(
        [Text(f"Who are the people? Names, or seats from {seats[0]} to {seats[-1]}, with commas; the rest are bots.")]
    )
    return screen.ask_until("For example Ann, Bob", "A", lambda word: people_from(word, players))


def ask_kinds(screen: Screen, game: str, players: int, people: dict[str, str]) -> dict[str, str]:
    if len(people) == players:
        return {}
    question = f"Which bots, {' or '.join(bots.names(game))}?"
    return screen.ask_until(question, default_kind(game), lambda word: kinds_from(word, game, players, people))


def new_table(screen: Screen, wishes: Wishes) -> Seating:
    """Who will play what, as wished or as answered."""
    game = ask_game(screen) if wishes.game is None else game_named(wishes.game)
    rules = fuda.rulebook(game)
    if wishes.players is None:
        players = ask_players(screen, rules)
    else:
        players = wishes.players
        rules.settle_options(players, None)
    people = ask_people(screen, players) if wishes.people is None else people_from(wishes.people, players)
    if wishes.bots is None and wishes.people is None:
        kinds = ask_kinds(screen, game, players, people)
    else:
        kinds = kinds_from(wishes.bots or "", game, players, people)
    return seat_all(game, players, people, kinds)
