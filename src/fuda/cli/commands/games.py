"""The command `fuda games`: lists the games."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as TextTable
from rich.text import Text

import fuda
from fuda.cli.terminal.screen import new_console
from fuda.engine.rulebook import Option


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def games(as_json: bool) -> None:
    """List the games, how many can play, and their options.

    \b
    Examples:
      fuda games
      fuda games --json
    """
    catalogue = fuda.games()
    if as_json:
        click.echo(json.dumps(catalogue, indent=2, ensure_ascii=False))
        return
    console = new_console()
    for game in catalogue:
        console.print(game_text(game))


def game_text(game: dict[str, Any]) -> RenderableType:
    least, most = game["players"]
    title = Text(game["id"], "bold") + Text(f"  {game['name']}, {least} to {most} players")
    options = TextTable(box=None, show_header=False, padding=(0, 1, 0, 2))
    for option in fuda.rulebook(game["id"]).options:
        options.add_row(Text(option.name, "bold"), f"{option.text} ({allowed_values(option)})")
    return Group(title, Padding(game["about"], (0, 0, 0, 2)), options)


def allowed_values(option: Option) -> str:
    values = " or ".join(option.values) if option.values else f"{option.low} to {option.high}"
    return values if option.default is None else f"{values}; default {option.default}"
