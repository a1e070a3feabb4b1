"""The command `fuda verify`: checks that a recorded game was dealt fairly, and is the one that was seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

import fuda
from fuda.cli.online import seen_files
from fuda.cli.table import saved_games
from fuda.engine.records import check_version, checked, fair_in
from fuda.verification import Seen, judge

HINT: Final = (
    "`fuda join` saves what it saw, and this command finds it. "
    "A browser offers it on the page with the replay; then use --seen FILE."
)


@click.command(short_help="Check that a recorded game was dealt fairly.")
@click.argument("files", nargs=-1, required=True, metavar="RECORD...", type=click.Path(path_type=Path))
@click.option(
    "seen_paths",
    "--seen",
    multiple=True,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="What your client saw of the game. Found by itself if `fuda join` saved it on this machine.",
)
def verify(files: tuple[Path, ...], seen_paths: tuple[Path, ...]) -> None:
    """Check that all random outcomes in each RECORD follow from its table's secret and its players' bytes, and that it
    is the game that your client saw.

    \b
    Examples:
      fuda verify game.json
      fuda verify game.json --seen seen.json

    The exit status is 0 if the game is proven to be fair, 1 if something is wrong or not proven, and 2 if a file has
    nothing to check.
    """
    status = 0
    given: dict[Path, Seen] = {}
    for path in seen_paths:
        try:
            given[path] = seen_files.read(path)
        except fuda.Error as error:
            click.echo(f"{path}: {error}", err=True)
            status = 2
    for path in files:
        try:
            record = read_record(path)
        except fuda.Error as error:
            click.echo(f"{path}: {error}", err=True)
            status = 2
        else:
            status = max(status, check(path, record, given))
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


def check(path: Path, record: dict[str, Any], given: dict[Path, Seen]) -> int:
    """Prints what was found; returns the exit status."""
    table, number = record["fair"]["table"], record["fair"]["number"]
    of_this_game = {at: seen for at, seen in given.items() if (seen.table, seen.number) == (table, number)}
    compared = of_this_game or given or seen_files.find(table, number)
    status = 0
    said: list[str] = []
    for at, seen in compared.items() or [(None, None)]:
        verdict = judge(fuda.rulebook(record["game"]), record, seen)
        status = max(status, int(verdict.name != "proven"))
        said += verdict.sentences
        if at is not None and seen is not None:
            said.append(f"Compared with what {f'seat {seen.seat}' if seen.seat else 'a spectator'} saw: {at}")
        elif not verdict.wrong:
            said.append(HINT)
    for sentence in dict.fromkeys(said):
        click.echo(f"{path}: {sentence}")
    return status
