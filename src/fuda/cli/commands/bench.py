"""The command `fuda bench`: how fast the games run on this machine."""

from __future__ import annotations

import json

import click
from rich.console import Console
from rich.table import Table as TextTable

import fuda
from fuda.games.catalogue import CATALOGUE
from fuda.lab.bench import Table, measure


@click.command()
@click.argument("games", metavar="[GAME]...", nargs=-1)
@click.option("--players", type=int, help="How many play.  [default: 4 if possible]")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True, max=3600),
    default=1.0,
    show_default=True,
    help="How long each measurement takes.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def bench(games: tuple[str, ...], players: int | None, seconds: float, as_json: bool) -> None:
    """Measure how fast the games run, with random moves.

    A playout is a whole game inside the core; stepped games are driven move by move from Python.
    Without GAME, all games for that many players are measured.

    \b
    Examples:
      fuda bench schadenfreude --players 5
      fuda bench --json
    """
    figures = {table.rules.id: measure(table, seconds) for table in tables_for(games, players)}
    if as_json:
        click.echo(json.dumps(figures, indent=2))
    else:
        show(figures)


def tables_for(games: tuple[str, ...], players: int | None) -> list[Table]:
    """The named games, each once; without names, all games for this many players."""
    if games:
        return [Table(fuda.rulebook(game), players) for game in dict.fromkeys(games)]
    fitting = [rules for rules in CATALOGUE if players is None or rules.least <= players <= rules.most]
    if not fitting:
        raise fuda.Error(f"There is no game for {players} players.")
    return [Table(rules, players) for rules in fitting]


def show(figures: dict[str, dict[str, int]]) -> None:
    core = "compiled" if fuda.compiled else "plain Python"
    table = TextTable(title=f"Fuda {fuda.__version__}, {core} core", caption="M: million decisions a second; ns: one clone")
    table.add_column("game")
    for heading in ("players", "playout", "stepped", "clone"):
        table.add_column(heading, justify="right")
    for game, figure in figures.items():
        table.add_row(
            fuda.rulebook(game).name,
            str(figure["players"]),
            f"{figure['playout'] / 1e6:.2f} M",
            f"{figure['stepped'] / 1e6:.2f} M",
            f"{1e9 / figure['clone']:.0f} ns",
        )
    Console().print(table)
