"""The command `fuda`."""

from __future__ import annotations

import click

import fuda


@click.group()
@click.version_option(fuda.__version__, message=f"Fuda %(version)s, {'compiled' if fuda.compiled else 'plain Python'} core")
def main() -> None:
    """Modern card games, played by their rules."""
