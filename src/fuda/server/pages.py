"""The few pages that need no browser client: plain HTML, everything in it escaped."""

from __future__ import annotations

from html import escape
from typing import Any

from starlette.responses import HTMLResponse, Response

import fuda
from fuda.server.store import Summary


def page(title: str, *parts: str) -> Response:
    body = "\n".join(parts)
    return HTMLResponse(
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width"></head><body>\n'
        f"<h1>{escape(title)}</h1>\n{body}\n</body></html>\n"
    )


def front(tables: list[Summary]) -> Response:
    games = "".join(f"<li>{escape(game['name'])}: {escape(game['about'])}</li>" for game in fuda.games())
    rows = "".join(
        f'<li><a href="/t/{escape(one.id)}">{escape(fuda.rulebook(one.game).name)}</a>, '
        f"host {escape(one.host)}, {one.people} of {one.players} people, {escape(one.phase)}</li>"
        for one in tables
    )
    return page(
        "Fuda",
        f"<p>Modern card games, played by their rules.</p><ul>{games}</ul>",
        f"<h2>Public tables</h2><ul>{rows}</ul>" if rows else "<p>No public table is open.</p>",
        "<p>Sit down from a terminal with <code>fuda join</code> and a table's link.</p>",
    )


def table(table: str) -> Response:
    return page(
        "A table at Fuda",
        f"<p>Table {escape(table)}. Copy this page's whole link and sit down with <code>fuda join</code>.</p>",
    )


def record(table: str, number: int, record: dict[str, Any]) -> Response:
    result = record["result"]
    totals = "".join(f"<li>{escape(seat)}: {total}</li>" for seat, total in result["totals"].items())
    address = f"/api/tables/{escape(table)}/records/{number}"
    return page(
        f"{fuda.rulebook(record['game']).name}: a finished game",
        f"<p>{result['moves']} moves; won by {escape(', '.join(result['winners']) or 'nobody')}.</p><ul>{totals}</ul>",
        f'<p><a href="{address}">The complete record</a>, to be replayed with <code>fuda replay</code> '
        "and checked with <code>fuda verify</code>.</p>",
    )
