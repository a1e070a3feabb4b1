"""The command `fuda soak`: many random games, and how often everything happened."""

from __future__ import annotations

import click

import fuda
from fuda.games.catalogue import CATALOGUE
from fuda.lab.soak import Soak
from fuda.lab.soak import soak as play_random_games


@click.command(short_help="Play many random games and count what happens.")
@click.argument("games", metavar="[GAME]...", nargs=-1)
@click.option(
    "--decisions",
    type=click.IntRange(1, 1_000_000_000),
    default=1_000_000,
    show_default=True,
    help="How many decisions each game gets.",
)
@click.option(
    "--seed", type=click.IntRange(0, 1_000_000_000), default=1, show_default=True, help="Another seed gives other games."
)
def soak(games: tuple[str, ...], decisions: int, seed: int) -> None:
    """Play random games with every number of players and all options, and count what happens.

    Without GAME, all games are played. Rare things are also tried in games from prepared positions.
    The exit status is 1 if something that can happen never did.

    \b
    Example:
      fuda soak kirifu --decisions 100000
    """
    chosen = [fuda.rulebook(game) for game in dict.fromkeys(games)] if games else CATALOGUE
    missing = False
    for rules in chosen:
        report = play_random_games(rules, decisions, seed)
        show(report)
        if report.missing():
            missing = True
            click.echo(f"In {rules.name} this never happened: {', '.join(report.missing())}.", err=True)
    raise SystemExit(1 if missing else 0)


def show(report: Soak) -> None:
    """Prints how often each thing happened, and how often of these in prepared games."""
    click.echo(f"{report.rules.name}: {report.decisions:,} decisions in {report.games:,} games")
    for what, names in report.names().items():
        click.echo(f"\n{what}")
        for name in names:
            times = f"{report.seen[what, name]:,}"
            prepared = report.in_prepared[what, name]
            of_these = f"  ({prepared:,} in prepared games)" if prepared else ""
            click.echo(f"{times:>12}  {name}{of_these}")
    click.echo()
