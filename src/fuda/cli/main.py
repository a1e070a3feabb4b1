"""The command `fuda`."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import Any, Final

import click

import fuda
from fuda.cli.commands.admin import admin
from fuda.cli.commands.bench import bench
from fuda.cli.commands.check import check
from fuda.cli.commands.games import games
from fuda.cli.commands.join import join
from fuda.cli.commands.play import play
from fuda.cli.commands.replay import replay
from fuda.cli.commands.rules import rules
from fuda.cli.commands.serve import serve
from fuda.cli.commands.soak import soak
from fuda.cli.commands.verify import verify

USAGE_ERROR: Final = 2
INTERRUPTED: Final = 130


class FudaCommand(click.Group):
    """Lists its commands in the order in which they were added, and prints every error as one sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.commands]

    def main(self, *args: Any, **extra: Any) -> Any:
        replace_unknown_characters()
        try:
            status = super().main(*args, **(extra | {"standalone_mode": False}))
        except (fuda.Error, click.ClickException) as error:
            print_error(error)
            sys.exit(USAGE_ERROR)
        except (click.Abort, KeyboardInterrupt, EOFError):
            click.echo(err=True)
            sys.exit(INTERRUPTED)
        except BrokenPipeError:
            # The reader has closed the pipe; nothing must be flushed at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        sys.exit(status if isinstance(status, int) else 0)


def print_error(error: Exception) -> None:
    sentence = error.format_message() if isinstance(error, click.ClickException) else str(error)
    with contextlib.suppress(OSError):
        click.echo(" ".join(sentence.split()), err=True)


def replace_unknown_characters() -> None:
    """Replaces characters that the terminal cannot show, and input that is not text, instead of failing."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


@click.group(cls=FudaCommand, invoke_without_command=True)
@click.version_option(fuda.__version__, message=f"Fuda %(version)s, {'compiled' if fuda.compiled else 'plain Python'} core")
@click.pass_context
def main(context: click.Context) -> None:
    """Modern card games, played by their rules.

    \b
    Example:
      fuda play
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (play, serve, join, games, rules, replay, verify, admin, check, bench, soak):
    main.add_command(command)
