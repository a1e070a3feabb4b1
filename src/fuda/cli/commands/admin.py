"""The command `fuda admin`: for the operator of a server."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from rich.cells import cell_len

import fuda

if TYPE_CHECKING:
    from fuda.server.store import Store

T = TypeVar("T")
SECONDS_PER_DAY: Final = 24 * 60 * 60
MAX_ATTEMPTS: Final = 50
REASON: Final = "closed by the operator"


@click.group(short_help="List, close and purge tables of a server.")
@click.option("--db", help="sqlite:///FILE or postgresql://…  [default: the one of `fuda serve`]")
@click.pass_context
def admin(context: click.Context, db: str | None) -> None:
    """Manage the tables of a server, whether it is running or not.

    \b
    Examples:
      fuda admin list
      fuda admin --db postgresql://fuda@db/fuda stats --json
      fuda admin purge --days 30
    """
    context.obj = db


# The commands -------------------------------------------------------------------------------------


@admin.command("list")
@click.option("--limit", type=click.IntRange(1), default=100, show_default=True, help="The maximum number.")
@click.option("--json", "as_json", is_flag=True, help="Print all details as JSON.")
@click.pass_obj
def list_tables(db: str | None, limit: int, as_json: bool) -> None:
    """List the tables, the latest changes first.

    \b
    Example:
      fuda admin list --limit 20
    """
    tables = run(db, lambda store: store.summaries())
    if as_json:
        print_json([as_data(table) for table in tables[:limit]])
        return
    rows = [
        [table.id, table.game, table.phase, f"{table.people} of {table.players}", table.host, format_time(table.changed)]
        for table in tables[:limit]
    ]
    print_columns(["table", "game", "phase", "people", "host", "changed"], rows)
    if len(tables) > limit:
        click.echo(f"… and {len(tables) - limit:,} more")


@admin.command("close")
@click.argument("table")
@click.pass_obj
def close_table(db: str | None, table: str) -> None:
    """Close a table for good; its record stays. A running server notices within seconds.

    \b
    Example:
      fuda admin close TABLE
    """
    run(db, lambda store: close(store, table))
    click.echo(f"Table {table} is closed.")


@admin.command()
@click.option("--days", type=click.FloatRange(0), required=True, help="Days without any change.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.pass_obj
def purge(db: str | None, days: float, yes: bool) -> None:
    """Delete tables without changes for some days, with their records.

    \b
    Example:
      fuda admin purge --days 30
    """
    question = f"Delete all tables without changes for {days:g} days?"
    if not yes and not click.confirm(question):
        click.echo("Nothing was deleted.")
        return
    deleted = run(db, lambda store: store.purge(time.time() - days * SECONDS_PER_DAY))
    click.echo(f"{deleted:,} {'table was' if deleted == 1 else 'tables were'} deleted.")


@admin.command()
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON.")
@click.pass_obj
def stats(db: str | None, as_json: bool) -> None:
    """Count the tables by game and phase, and the log entries.

    \b
    Example:
      fuda admin stats
    """
    counts, games = run(db, statistics)
    if as_json:
        print_json({**counts, "games": games})
        return
    phases = [phase for phase in counts if phase not in ("tables", "entries", "bytes")]
    rows = [
        [game, *(f"{by_phase[phase]:,}" for phase in phases), f"{sum(by_phase.values()):,}"]
        for game, by_phase in games.items()
    ]
    rows.append(["all", *(f"{counts[phase]:,}" for phase in phases), f"{counts['tables']:,}"])
    print_columns(["game", *phases, "all"], rows, numbers=True)
    click.echo(f"\n{counts['entries']:,} entries, {counts['bytes'] / 1_000_000:,.1f} MB")


# The database ----------------------------------------------------------------------------------


def run(db: str | None, work: Callable[[Store], Awaitable[T]]) -> T:
    """Runs this with the database, which must exist."""
    # Only these commands need it, and it is slow to import.
    import asyncio

    from sqlalchemy.exc import SQLAlchemyError

    from fuda.server.database import database_url, is_file
    from fuda.server.settings import default_database
    from fuda.server.store import Store

    address = db or default_database()
    url = database_url(address)
    if is_file(url) and not Path(str(url.database)).exists():
        raise fuda.Error(f"There is no database {url.database}. Use --db for another one.")

    async def with_store() -> T:
        store = await Store.opened(address)
        try:
            return await work(store)
        finally:
            await store.close()

    try:
        return asyncio.run(with_store())
    except SQLAlchemyError as error:
        raise fuda.Error(f"The database reports an error: {getattr(error, 'orig', None) or error}") from error


async def close(store: Store, table: str) -> None:
    """Closes the table by a log entry, so that running servers notice."""
    import msgspec

    from fuda.server.entries import WRITE, Closed

    for _ in range(MAX_ATTEMPTS):
        found = await store.summaries([table])
        if not found:
            raise fuda.Error(f"There is no table {table}.")
        if found[0].phase == "closed":
            raise fuda.Error(f"Table {table} is closed already.")
        heads = await store.heads([table])
        now = time.time()
        summary = msgspec.structs.replace(found[0], phase="closed", changed=now)
        if await store.append(table, heads[table] + 1, now, WRITE.encode(Closed(REASON)), summary):
            return
    raise fuda.Error(f"Table {table} is too busy. Try again.")


async def statistics(store: Store) -> tuple[dict[str, int], dict[str, dict[str, int]]]:
    return await store.counts(), await store.counts_by_game()


# Output ------------------------------------------------------------------------------------------


def as_data(table: Any) -> Any:
    import msgspec

    return msgspec.to_builtins(table)


def format_time(at: float) -> str:
    return f"{datetime.fromtimestamp(at).astimezone():%Y-%m-%d %H:%M}"


def print_json(data: Any) -> None:
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


def print_columns(head: list[str], rows: Sequence[Sequence[str]], *, numbers: bool = False) -> None:
    """Prints a table; numbers are aligned to the right, except in the first column."""
    lines = [head, *rows]
    widths = [max(cell_len(line[column]) for line in lines) for column in range(len(head))]
    for line in lines:
        gaps = [" " * (width - cell_len(cell)) for cell, width in zip(line, widths, strict=True)]
        cells = [
            gap + cell if numbers and column else cell + gap
            for column, (cell, gap) in enumerate(zip(line, gaps, strict=True))
        ]
        click.echo("  ".join(cells).rstrip())
