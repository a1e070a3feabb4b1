"""The command `fuda check`: plays examples of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

import fuda
from fuda.cli.examples.check import Report, check_file
from fuda.cli.examples.load import files_in


@click.command(short_help="Check that examples of the rules hold.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
def check(files: tuple[Path, ...]) -> None:
    """Play the examples in each FILE, or in all *.yaml files of a folder, and report what does not hold.

    \b
    Example:
      fuda check tests/rules/schadenfreude/S-9.yaml

    \b
    A file has one or more documents such as this:
      game: shinigami_preschool
      players: 3
      about: P-3 the highest card of the led colour wins
      position:
        hands: {A: [red 5, red 1], B: [red 2, blue 1], C: [red 8, blue 2]}
        leader: A
      play:
        - A: red 5
        - B: blue 1
          refused: P-2
        - B: red 2
        - C: red 8
      expect:
        leader: C

    The exit status is 0 if all examples hold, 1 if one does not, and 2 if a file cannot be read.
    """
    reports: list[Report] = []
    errors: list[str] = []
    for path in files:
        with collect_error(errors):
            for file in files_in(path):
                with collect_error(errors):
                    reports.append(check_file(file))
    for sentence in errors:
        click.echo(sentence, err=True)
    for report in reports:
        for difference in report.differences:
            click.echo(difference)
    failed = sum(report.failed for report in reports)
    if failed or not errors:
        click.echo(summary(sum(report.examples for report in reports), failed, len(reports)))
    raise SystemExit(2 if errors else 1 if failed else 0)


@contextmanager
def collect_error(errors: list[str]) -> Iterator[None]:
    """Adds an error to the list, so that the other files are still checked."""
    try:
        yield
    except fuda.Error as error:
        errors.append(str(error))


def summary(examples: int, failed: int, files: int) -> str:
    total = f"{count_of(examples, 'example')} in {count_of(files, 'file')}"
    if failed:
        return f"{failed} of {total} {'does' if failed == 1 else 'do'} not hold."
    return f"{total} {'holds' if examples == 1 else 'hold'}."


def count_of(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
