"""The command `fuda serve`: a server with tables."""

from __future__ import annotations

import errno
import logging
import webbrowser
from ipaddress import ip_address
from typing import Final

import click

import fuda

MAX_SPEED: Final = 1000.0
DEFAULT_PORT: Final = 8000


@click.command(short_help="Start a server for browsers and terminals.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 for all.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help=f"The port to listen on; 0 for any free one.  [default: {DEFAULT_PORT}]"
)
@click.option(
    "--db", envvar="FUDA_DB", help="sqlite:///FILE or postgresql://…  [default: $FUDA_DB, or a file in your data folder]"
)
@click.option(
    "--bus", envvar="FUDA_BUS", help="redis://…, if several processes share a PostgreSQL database.  [default: $FUDA_BUS]"
)
@click.option("--behind-proxy", is_flag=True, help="Trust the X-Forwarded headers of a proxy.")
@click.option(
    "--workers", type=click.IntRange(1, 64), help="The number of processes for bots.  [default: one less than the cores]"
)
@click.option(
    "--speed", type=click.FloatRange(0.1, MAX_SPEED), default=1.0, help="Divides all waiting times; for demonstrations."
)
@click.option(
    "--keep-days",
    type=click.FloatRange(0),
    default=90.0,
    show_default=True,
    help="Delete tables where nothing has happened for so many days; 0: never.",
)
@click.option(
    "--keep-empty-hours",
    type=click.FloatRange(0),
    default=24.0,
    show_default=True,
    help="Delete tables without a game to which nobody has been connected for so many hours; 0: never.",
)
@click.option("--open", "is_opened", is_flag=True, help="Open it in a browser.")
@click.option("--verbose", is_flag=True, help="Log every request.")
def serve(
    host: str,
    port: int | None,
    db: str | None,
    bus: str | None,
    behind_proxy: bool,
    workers: int | None,
    speed: float,
    keep_days: float,
    keep_empty_hours: float,
    is_opened: bool,
    verbose: bool,
) -> None:
    """Start a server with tables where friends meet by a link and bots fill the empty chairs.

    It needs only one process and one file. Ctrl-C stops it; games continue when it is started again.

    \b
    Examples:
      fuda serve --open
      fuda serve --host 0.0.0.0 --port 80
      fuda serve --db postgresql://fuda@db/fuda --bus redis://bus --behind-proxy
    """
    # Only this command needs them, and they are slow to import.
    from fuda.server.logs import log_as_json
    from fuda.server.pace import Tempo
    from fuda.server.running import bound_socket, run
    from fuda.server.settings import Limits, Settings, default_database, usual_workers

    log_as_json(logging.DEBUG if verbose else logging.INFO)
    settings = Settings(
        db=db or default_database(),
        bus=bus,
        behind_proxy=behind_proxy,
        workers=workers or usual_workers(),
        tempo=Tempo(speed=speed),
        limits=Limits().times(speed),
        keep_days=keep_days,
        keep_empty_hours=keep_empty_hours,
    )
    wanted = DEFAULT_PORT if port is None else port
    try:
        listener = bound_socket(host, wanted)
    except TypeError as error:  # Python cannot encode it
        raise fuda.Error(f"Cannot listen on {host}, port {wanted}: that is not a host name.") from error
    except OSError as error:
        if error.errno != errno.EADDRINUSE or port is not None or not is_opened:
            raise fuda.Error(f"Cannot listen on {host}, port {wanted}: {error.strerror}.") from error
        listener = bound_socket(host, 0)  # the browser shows where it is
    bound, number, *_ = listener.getsockname()
    shown = "127.0.0.1" if ip_address(bound).is_unspecified else host
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{number}"

    def on_start() -> None:
        click.echo(f"Fuda is at {address}")
        if is_opened:
            webbrowser.open(address)

    run(settings, listener, on_start, verbose)
