"""The comparison that `make load` prints: each figure of Fuda's beside another one, and what is demanded of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from rich.console import Console
from rich.table import Table

from bench.load import page
from bench.load.memory import Memory
from bench.load.page import Pages
from bench.load.turns import BARE, BOARDGAME, BOARDGAME_FILES, FUDA, Extent, Side

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
    """The ratio to theirs, where less is better."""
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
    fast = f"{extent.tables} tables, as fast as possible"
    yield Line(f"{fast}: deliveries", median(ours.deliveries), "/s", BARE, median(bare.deliveries), at_least=0.6)
    yield Line(f"{fast}: memory", ours.resident / MEGA, "MB", BARE, bare.resident / MEGA)
    # Nothing is demanded beside the server with files, which few use and which slow it down.
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
    limit = page.SCRIPTS / KILO
    yield Line("the page: scripts at first load", pages.home / KILO, "kB", "limit", limit, at_most=1.0)
    yield Line("a table: scripts at first load", pages.table / KILO, "kB", "limit", limit, at_most=1.0)
    yield Line("a table: until one can play, on fast 3G", pages.interactive, "ms", "limit", page.INTERACTIVE, at_most=1.0)
    yield Line("a table: longest task of a burst of 60", pages.longest, "ms", "limit", page.LONGEST, at_most=1.0)


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
