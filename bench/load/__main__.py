"""Fuda's server under load, beside others, in one run: `make load`, or `python -m bench.load [--smoke]`.

The others are a bare Starlette server, which does as little as possible for the same traffic (it stores each move in SQLite
and sends frames to four sockets), and boardgame.io's server, which needs node and npm and is left out without them. Players
and servers share the machine, for every server alike.
"""

from __future__ import annotations

import asyncio
import resource
import signal
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from http.client import HTTPException
from pathlib import Path
from types import FrameType

import click

import fuda
from bench.load import memory, page, servers
from bench.load.errors import LoadError
from bench.load.report import Line, conclusion, lines_of_memory, lines_of_pages, lines_of_turns, show
from bench.load.turns import BOARDGAME, BOARDGAME_FILES, Extent, Turns

FILES = 20_000
"""How many sockets and files a process may have open."""
SMOKE = Extent(
    turns=1,
    tables=3,
    warming=0.2,
    steady_seconds=1.0,
    fast_seconds=0.5,
    many=4,
    every=0.5,
    many_seconds=1.0,
    moves_each=5,
    batch=2,
)
PAGE_SPEED = 500.0
"""So fast that a page never waits for bots."""


def show_progress(text: str) -> None:
    click.echo(text, err=True)


def interrupt(_number: int, _frame: FrameType | None) -> None:
    """Ends the run at once; asyncio's own handler of Ctrl-C would wait for the next `await`."""
    raise KeyboardInterrupt


def measure(extent: Extent, folder: Path, peers: bool, with_memory: bool, pages: int) -> Iterator[Line]:
    """All figures; `pages` is how often the page is measured."""
    reason = servers.install_boardgame() if peers else "not asked for"
    if reason is not None:
        show_progress(f"boardgame.io is left out: {reason}.")
    playing = Turns(extent, folder, show_progress).play([BOARDGAME, BOARDGAME_FILES] if reason is None else [])
    yield from lines_of_turns(extent, asyncio.run(playing))
    if with_memory:
        show_progress(f"{extent.many} tables …")
        yield from lines_of_memory(extent, memory.measure(extent, folder / "many"))
    if pages and page.chromium() is None:
        show_progress("The page is left out: there is no Chromium.")
    elif pages:
        show_progress("The page in a browser …")
        (folder / "page").mkdir()
        with servers.fuda(folder / "page", speed=PAGE_SPEED) as server:
            yield from lines_of_pages(page.measure(server.address, pages))


@click.command()
@click.option("--smoke", is_flag=True, help="Run for a few seconds, to see that it works; nothing is demanded.")
@click.option("--turns", type=click.IntRange(1), default=Extent.turns, show_default=True, help="How many each server has.")
@click.option("--peers/--no-peers", default=True, help="Whether to measure boardgame.io too.")
@click.option("--memory/--no-memory", "with_memory", default=True, help="Whether to measure memory, with 1,000 tables.")
@click.option("--pages/--no-pages", "with_pages", default=True, help="Whether to measure the page in a browser.")
def main(smoke: bool, turns: int, peers: bool, with_memory: bool, with_pages: bool) -> None:
    """Measure Fuda's server beside a bare one and boardgame.io's; the status is 1 if a demand is not met."""
    extent = SMOKE if smoke else Extent(turns=turns)
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    if not fuda.compiled:
        show_progress("The installed package is not compiled, so its figures are those of plain Python.")
    with tempfile.TemporaryDirectory() as folder:
        try:
            compared = [*measure(extent, Path(folder), peers, with_memory, (1 if smoke else 3) * with_pages)]
        except (LoadError, OSError, HTTPException) as error:
            sys.exit(f"Nothing was measured. {error}")
    if smoke:
        compared = [replace(line, at_most=None, at_least=None) for line in compared]
    show(compared)
    click.echo(conclusion(compared))
    sys.exit(any(line.is_met is False for line in compared))


if __name__ == "__main__":
    main()
