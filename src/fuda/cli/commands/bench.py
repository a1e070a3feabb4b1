"""`fuda bench`: how fast the games run on this machine."""

from __future__ import annotations

import json

import click
from rich.console import Console
from rich.table import Table as Sheet

import fuda
from fuda.games.catalogue import CATALOGUE
from fuda.lab.bench import Table, measure


@click.command()
@click.argument("games", metavar="[GAME]...", nargs=-1)
@click.option("--players", type=int, help="How many sit at the table; 4 if the game allows it.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True, max=3600),
    default=1.0,
    show_default=True,
    help="How long each figure is measured.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def bench(games: tuple[str, ...], players: int | None, seconds: float, as_json: bool) -> None:
    """Measure how fast the games run, with random moves.

    Playouts are whole games inside the core, stepped ones are driven move by move from Python.
    Without GAME, every game for that many players is measured.

    \b
    Example:
      fuda bench schadenfreude --players 5
      fuda bench --json
    """
    figures = {table.rules.id: measure(table, seconds) for table in tables_for(games, players)}
    if as_json:
        click.echo(json.dumps(figures, indent=2))
    else:
        show(figures)


def tables_for(games: tuple[str, ...], players: int | None) -> list[Table]:
    """The named games, each once; else all that so many can play."""
    if games:
        return [Table(fuda.rulebook(game), players) for game in dict.fromkeys(games)]
    fitting = [rules for rules in CATALOGUE if players is None or rules.least <= players <= rules.most]
    if not fitting:
        raise fuda.Error(f"There is no game for {players} players.")
    return [Table(rules, players) for rules in fitting]


def show(figures: dict[str, dict[str, int]]) -> None:
    core = "compiled" if fuda.compiled else "plain Python"
    sheet = Sheet(title=f"Fuda {fuda.__version__}, {core} core", caption="M: million decisions a second; ns: one clone")
    sheet.add_column("game")
    for heading in ("players", "playout", "stepped", "clone"):
        sheet.add_column(heading, justify="right")
    for game, figure in figures.items():
        sheet.add_row(
            fuda.rulebook(game).name,
            str(figure["players"]),
            f"{figure['playout'] / 1e6:.2f} M",
            f"{figure['stepped'] / 1e6:.2f} M",
            f"{1e9 / figure['clone']:.0f} ns",
        )
    Console().print(sheet)
