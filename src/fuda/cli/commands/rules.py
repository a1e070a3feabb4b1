"""The command `fuda rules`: the rules of a game, or one rule."""

from __future__ import annotations

import click
from rich.console import Console
from rich.text import Text

from fuda.cli.arguments import find_game
from fuda.cli.terminal.screen import MAX_WIDTH, markdown, new_console
from fuda.words import pages


@click.command(short_help="Show the rules of a game, or one rule.")
@click.argument("what", required=False, metavar="[GAME|ID]")
def rules(what: str | None) -> None:
    """Show the rules of a GAME, or the rule with this ID; without either, list the pages.

    \b
    Examples:
      fuda rules schadenfreude
      fuda rules S-9
    """
    console = new_console()
    if what is None:
        for name in pages.names():
            console.print(Text(name, "bold") + Text(f"  {pages.title(name)}"), soft_wrap=True)
    else:
        print_markdown(console, pages.paragraph(what) if pages.is_rule(what) else pages.text(find_page(what)))


def find_page(name: str) -> str:
    return name if name in pages.names() else find_game(name)


def print_markdown(console: Console, text: str) -> None:
    console.print(markdown(text), width=min(MAX_WIDTH, console.width))
