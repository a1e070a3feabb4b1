"""The command `fuda admin`: for the operator of a server."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from rich.cells import cell_len

import fuda

if TYPE_CHECKING:
    from sqlalchemy import URL

    from fuda.server.store import Store

T = TypeVar("T")
SECONDS_PER_DAY: Final = 24 * 60 * 60
MAX_ATTEMPTS: Final = 50
REASON: Final = "closed by the operator"


@click.group(short_help="List, close, purge, back up and restore tables of a server.")
@click.option(
    "--db", envvar="FUDA_DB", help="sqlite:///FILE or postgresql://…  [default: $FUDA_DB, or the one of `fuda serve`]"
)
@click.pass_context
def admin(context: click.Context, db: str | None) -> None:
    """Manage the tables of a server, whether it is running or not.

    \b
    Examples:
      fuda admin list
      fuda admin --db postgresql://fuda@db/fuda stats --json
      fuda admin purge --days 30
      fuda admin backup tables.fuda
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


@admin.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_obj
def backup(db: str | None, file: Path) -> None:
    """Write all tables, records and secrets to one file. Servers may be running; an older backup is replaced.

    \b
    Example:
      fuda admin backup tables.fuda
    """
    from fuda.server.backups import back_up

    url = existing_database(db)
    with database_errors():
        counts = back_up(url, file)
    click.echo(f"{file} has {rows_in_words(counts)}.")


@admin.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Delete all that is in the database first.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.pass_obj
def restore(db: str | None, file: Path, replace: bool, yes: bool) -> None:
    """Fill an empty database, of either kind, from a backup. No server may be running on it.

    \b
    Examples:
      fuda admin restore tables.fuda
      fuda admin --db postgresql://fuda@db/fuda restore tables.fuda
    """
    from fuda.server.backups import Backup
    from fuda.server.backups import restore as restore_from
    from fuda.server.database import shown

    url = database_for(db)
    found = Backup(file)
    if replace and not yes and not click.confirm(f"Delete all that is in {shown(url)}?"):
        click.echo("Nothing was changed.")
        return
    with database_errors():
        counts = restore_from(url, found, replace=replace)
    click.echo(f"{shown(url)} has {rows_in_words(counts)} now, as of {format_time(found.header.made)}.")


# The database ----------------------------------------------------------------------------------


def database_for(db: str | None) -> URL:
    from fuda.server.database import database_url
    from fuda.server.settings import default_database

    return database_url(db or default_database())


def existing_database(db: str | None) -> URL:
    from fuda.server.database import is_file

    url = database_for(db)
    if is_file(url) and not Path(str(url.database)).exists():
        raise fuda.Error(f"There is no database {url.database}. Use --db for another one.")
    return url


@contextlib.contextmanager
def database_errors() -> Iterator[None]:
    """Makes an error of the database one sentence."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except SQLAlchemyError as error:
        raise fuda.Error(f"The database reports an error: {getattr(error, 'orig', None) or error}") from error


def run(db: str | None, work: Callable[[Store], Awaitable[T]]) -> T:
    """Runs this with the database, which must exist."""
    # Only these commands need it, and it is slow to import.
    import asyncio

    from fuda.server.settings import default_database
    from fuda.server.store import Store

    existing_database(db)

    async def with_store() -> T:
        store = await Store.opened(db or default_database())
        try:
            return await work(store)
        finally:
            await store.close()

    with database_errors():
        return asyncio.run(with_store())


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


def rows_in_words(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())


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
