"""The command `fuda verify`: was this game dealt fairly?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import fuda
from fuda.cli.table import saved_games as saves
from fuda.engine.records import check_version, checked, fair_in


@click.command(short_help="Check that nobody had a hand in the luck of a recorded game.")
@click.argument("files", nargs=-1, required=True, metavar="RECORD...", type=click.Path(path_type=Path))
def verify(files: tuple[Path, ...]) -> None:
    """Check that all luck in each RECORD came from the secret of its table and the bytes of its players.

    \b
    Example:
      fuda verify game.json

    What it cannot know it prints, for you to compare: the commitment, with the one that the table showed before the
    deal, and the bytes of your seat, with those that your own client drew.

    It exits with 0 if all is as it should be, with 1 if something is not, and with 2 if a file has nothing to check.
    """
    status = 0
    for path in files:
        try:
            record = record_in(path)
        except fuda.Error as error:
            click.echo(f"{path}: {error}", err=True)
            status = 2
            continue
        try:
            fuda.verify(record)
        except fuda.Error as error:
            click.echo(f"{path}: {error}")
            status = max(status, 1)
        else:
            for sentence in findings(record):
                click.echo(f"{path}: {sentence}")
    raise SystemExit(status)


def record_in(path: Path) -> dict[str, Any]:
    """The record in this file; Error if its luck cannot be checked at all."""
    record = checked(saves.read(path).record)
    rules = fuda.rulebook(record["game"])
    check_version(rules.name, rules.version, record["rules"])
    fair_in(record)
    return record


def findings(record: dict[str, Any]) -> list[str]:
    """What was found to be true of a record."""
    fair = record["fair"]
    given = [f"{seat} gave {fair['bytes'][seat]}" for seat in sorted(fair["bytes"])]
    drawn = len(record["chance"])
    luck = "The one shuffle or lot is" if drawn == 1 else f"All {drawn} shuffles and lots are"
    return [
        f"The secret matches its commitment, {fair['commitment']}, for game {fair['number']} of table {fair['table']}.",
        f"Bytes of the players: {', '.join(given) or 'none'}.",
        f"{luck} as the secret and the bytes decide.",
        "The record comes to its result." if "result" in record else "The record states no result.",
    ]
