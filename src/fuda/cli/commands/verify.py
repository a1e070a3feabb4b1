"""The command `fuda verify`: checks that a recorded game was dealt fairly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import fuda
from fuda.cli.table import saved_games
from fuda.engine.records import check_version, checked, fair_in


@click.command(short_help="Check that a recorded game was dealt fairly.")
@click.argument("files", nargs=-1, required=True, metavar="RECORD...", type=click.Path(path_type=Path))
def verify(files: tuple[Path, ...]) -> None:
    """Check that all random outcomes in each RECORD follow from its table's secret and its players' bytes.

    \b
    Example:
      fuda verify game.json

    It prints what you have to compare yourself: the commitment, with the one that the table showed before the
    deal, and the bytes of your seat, with those that your own client drew.

    The exit status is 0 if everything is correct, 1 if something is not, and 2 if a file has nothing to check.
    """
    status = 0
    for path in files:
        try:
            record = read_record(path)
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


def read_record(path: Path) -> dict[str, Any]:
    """The record in this file; Error if there is nothing to check."""
    record = checked(saved_games.read(path).record)
    rules = fuda.rulebook(record["game"])
    try:
        check_version(rules, record["rules"])
    except fuda.Error as error:
        raise fuda.Error(f"{error} It can be checked only with the rules under which it was played.") from error
    fair_in(record)
    return record


def findings(record: dict[str, Any]) -> list[str]:
    """What was checked, in sentences."""
    fair = record["fair"]
    given = [f"{seat} gave {fair['bytes'][seat]}" for seat in sorted(fair["bytes"])]
    drawn = len(record["chance"])
    outcomes = "The only shuffle or draw is" if drawn == 1 else f"All {drawn} shuffles and draws are"
    return [
        f"The secret matches its commitment, {fair['commitment']}, for game {fair['number']} of table {fair['table']}.",
        f"Bytes of the players: {', '.join(given) or 'none'}.",
        f"{outcomes} what the secret and the bytes give.",
        "The moves lead to the recorded result." if "result" in record else "The record has no result.",
    ]
