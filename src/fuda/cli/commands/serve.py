"""The command `fuda serve`: tables online."""

from __future__ import annotations

import errno
import logging
import webbrowser
from ipaddress import ip_address
from typing import Final

import click

import fuda

FASTEST: Final = 1000.0
USUAL_PORT: Final = 8000


@click.command(short_help="Serve tables to browsers and terminals.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at; 0.0.0.0 for all.")
@click.option("--port", type=click.IntRange(0, 65535), help=f"{USUAL_PORT}, if left out; 0: any that is free.")
@click.option("--db", help="sqlite:///FILE or postgresql://…; a file in your data folder, if left out.")
@click.option("--bus", help="redis://…, where several processes share a PostgreSQL database.")
@click.option("--behind-proxy", is_flag=True, help="Believe the X-Forwarded headers of a proxy in front.")
@click.option("--workers", type=click.IntRange(1, 64), help="Processes in which bots think.")
@click.option("--speed", type=click.FloatRange(0.1, FASTEST), default=1.0, help="Divides all waits; for demonstrations.")
@click.option("--open", "is_opened", is_flag=True, help="Open a browser.")
@click.option("--verbose", is_flag=True, help="Log every request.")
def serve(
    host: str,
    port: int | None,
    db: str | None,
    bus: str | None,
    behind_proxy: bool,
    workers: int | None,
    speed: float,
    is_opened: bool,
    verbose: bool,
) -> None:
    """Serve tables at which friends meet by a link and bots fill the empty chairs.

    One process and a file are all it needs. Stop it with Ctrl-C: games go on where they were when it is started again.

    \b
    Examples:
      fuda serve --open
      fuda serve --host 0.0.0.0 --port 80
      fuda serve --db postgresql://fuda@db/fuda --bus redis://bus --behind-proxy
    """
    # Only this command needs them, and they take their time to be loaded.
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
    )
    wished = USUAL_PORT if port is None else port
    try:
        listener = bound_socket(host, wished)
    except OSError as error:
        if error.errno != errno.EADDRINUSE or port is not None or not is_opened:
            raise fuda.Error(f"Nothing can be served at {host}, port {wished}: {error.strerror}.") from error
        listener = bound_socket(host, 0)  # whoever just wants to play is shown where by the browser
    bound, number, *_ = listener.getsockname()
    shown = "127.0.0.1" if ip_address(bound).is_unspecified else host
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{number}"

    def started() -> None:
        click.echo(f"Fuda is at {address}")
        if is_opened:
            webbrowser.open(address)

    run(settings, listener, started, verbose)
