"""Fuda's server under load, beside others, in one run: `make load`, or `python bench/load.py [--smoke]`.

The yardstick is a bare Starlette server that does as little as possible for the same traffic: it keeps each move in SQLite
and tells four sockets. The peer is boardgame.io's server, which needs node and npm; without them it is left out. Players and
servers share the machine, on every side alike.
"""

from __future__ import annotations

import asyncio
import resource
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

import click
import load_memory
import load_pages
import load_servers
from load_memory import Memory
from load_pages import Pages
from load_rounds import BARE, BOARDGAME, BOARDGAME_FILES, FUDA, Extent, Side, Turns
from rich.console import Console
from rich.table import Table

import fuda

FILES = 20_000
"""So many sockets and files a process may have open."""
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
"""Bots do not let a page wait."""
KILO = 1000
MEGA = 1_000_000


@dataclass
class Line:
    """A figure of Fuda's beside another one, and what is demanded of it."""

    what: str
    ours: float
    unit: str
    against: str = ""
    theirs: float | None = None
    at_most: float | None = None
    """So many times theirs, where less is better."""
    at_least: float | None = None

    @property
    def ratio(self) -> float | None:
        return self.ours / self.theirs if self.theirs else None

    @property
    def demand(self) -> str:
        if self.at_most is not None:
            return f"≤ {self.at_most:g}"
        return "" if self.at_least is None else f"≥ {self.at_least:g}"

    @property
    def is_met(self) -> bool | None:
        """None where nothing is demanded."""
        if not self.demand or self.ratio is None:
            return None
        return self.ratio <= self.at_most if self.at_most is not None else self.ratio >= (self.at_least or 0.0)


# Comparing ------------------------------------------------------------------------------------


def lines_of_turns(extent: Extent, sides: dict[str, Side]) -> Iterator[Line]:
    ours, bare = sides[FUDA], sides[BARE]
    steady = f"{extent.tables} tables, a move a second each"
    for share, what, at_most in ((0.5, "half of the moves", None), (0.99, "99 of 100 moves", 1.5)):
        yield Line(f"{steady}: {what}", ours.steady.percentile(share), "ms", BARE, bare.steady.percentile(share), at_most)
    yield Line(f"{steady}: share of a core", median(ours.busy) * 100, "%", BARE, median(bare.busy) * 100)
    fast = f"{extent.tables} tables, as fast as it goes"
    yield Line(f"{fast}: deliveries", median(ours.deliveries), "/s", BARE, median(bare.deliveries), at_least=0.6)
    yield Line(f"{fast}: memory", ours.resident / MEGA, "MB", BARE, bare.resident / MEGA)
    # Nothing is demanded beside its files, which few use and which keep it busy.
    for name, demanded in ((BOARDGAME, 1.0), (BOARDGAME_FILES, None)):
        if name in sides:
            theirs = sides[name]
            yield Line(f"{fast}: moves", median(ours.moves), "/s", name, median(theirs.moves), at_least=demanded)
            yield Line(f"{fast}: memory", ours.resident / MEGA, "MB", name, theirs.resident / MEGA, at_most=demanded)


def lines_of_memory(extent: Extent, memory: Memory) -> Iterator[Line]:
    many = f"{extent.many} tables"
    steady = f"{many}, a move every {extent.every:g} s each"
    yield Line(f"{steady}: half of the moves", memory.steady.percentile(0.5), "ms")
    yield Line(f"{steady}: 99 of 100 moves", memory.steady.percentile(0.99), "ms", "limit", 250, at_most=1.0)
    yield Line(f"{many}: a live table with its sockets", memory.live / KILO, "kB", "limit", 200, at_most=1.0)
    yield Line(f"{many}: a live table without sockets", memory.live_alone / KILO, "kB", "limit", 200, at_most=1.0)
    yield Line(f"{many}: a sleeping table", memory.sleeping / KILO, "kB", "limit", 20, at_most=1.0)
    yield Line(f"{many}: a table on the disk", memory.on_disk / KILO, "kB")


def lines_of_pages(pages: Pages) -> Iterator[Line]:
    """What is demanded of the page in a browser."""
    limit = load_pages.SCRIPTS / KILO
    yield Line("the page: scripts at first load", pages.home / KILO, "kB", "limit", limit, at_most=1.0)
    yield Line("a table: scripts at first load", pages.table / KILO, "kB", "limit", limit, at_most=1.0)
    yield Line("a table: to be played at, on fast 3G", pages.interactive, "ms", "limit", load_pages.INTERACTIVE, at_most=1.0)
    yield Line("a table: longest task of a burst of 60", pages.longest, "ms", "limit", load_pages.LONGEST, at_most=1.0)


# Showing --------------------------------------------------------------------------------------


def show(compared: list[Line]) -> None:
    sheet = Table(title="Fuda's server under load")
    for heading in ("what", "against"):
        sheet.add_column(heading)
    for heading in ("Fuda", "that", "ratio", "demanded"):
        sheet.add_column(heading, justify="right")
    sheet.add_column("")
    for line in compared:
        sheet.add_row(
            line.what,
            line.against,
            amount(line.ours, line.unit),
            "" if line.theirs is None else amount(line.theirs, line.unit),
            "" if line.ratio is None else f"{line.ratio:.2f}",
            line.demand,
            {None: "", True: "[green]met[/]", False: "[bold red]NOT MET[/]"}[line.is_met],
        )
    Console(width=None if sys.stdout.isatty() else 140).print(sheet)


def amount(value: float, unit: str) -> str:
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.1f} {unit}"


def conclusion(compared: list[Line]) -> str:
    missed = [f"{line.what} ({line.against})" for line in compared if line.is_met is False]
    return f"Not met: {'; '.join(missed)}." if missed else "All that was demanded is met."


def tell(text: str) -> None:
    click.echo(text, err=True)


@click.command()
@click.option("--smoke", is_flag=True, help="Run for a few seconds, to see that it works; nothing is demanded.")
@click.option("--turns", type=click.IntRange(1), default=Extent.turns, show_default=True, help="How many each has.")
@click.option("--peers/--no-peers", default=True, help="Whether to measure boardgame.io too.")
@click.option("--memory/--no-memory", default=True, help="Whether to measure memory, with 1,000 tables.")
@click.option("--pages/--no-pages", default=True, help="Whether to measure the page in a browser.")
def main(smoke: bool, turns: int, peers: bool, memory: bool, pages: bool) -> None:
    """Measure Fuda's server beside a bare one and boardgame.io's; the status is 1 if a demand is not met."""
    extent = SMOKE if smoke else Extent(turns=turns)
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))
    if not fuda.compiled:
        tell("The installed package is not compiled, so its figures are those of plain Python.")
    why_not = load_servers.install_boardgame() if peers else "not asked for"
    if why_not is not None:
        tell(f"boardgame.io is left out: {why_not}.")
    with tempfile.TemporaryDirectory() as folder:
        playing = Turns(extent, Path(folder), tell).play([BOARDGAME, BOARDGAME_FILES] if why_not is None else [])
        compared = [*lines_of_turns(extent, asyncio.run(playing))]
        if memory:
            tell(f"{extent.many} tables …")
            compared += lines_of_memory(extent, load_memory.measure(extent, Path(folder) / "many"))
        if pages and load_pages.chromium() is None:
            tell("The page is left out: there is no Chromium.")
        elif pages:
            tell("The page in a browser …")
            (Path(folder) / "page").mkdir()
            with load_servers.fuda(Path(folder) / "page", speed=PAGE_SPEED) as server:
                compared += lines_of_pages(load_pages.measure(server.address, 1 if smoke else 3))
    if smoke:
        compared = [replace(line, at_most=None, at_least=None) for line in compared]
    show(compared)
    click.echo(conclusion(compared))
    sys.exit(any(line.is_met is False for line in compared))


if __name__ == "__main__":
    main()
