"""Opening a table, joining it, and moving a seat to another device."""

from __future__ import annotations

import fuda
from fuda import bots
from fuda.bots.seating import default_kind
from fuda.protocol import messages
from fuda.protocol.parts import EVERY_SEAT, LONGEST_NAME, visible
from fuda.server import entries, tokens
from fuda.server.denials import Denial
from fuda.server.entries import AnyEntry
from fuda.server.table import Table


def open_table(request: messages.Open, token: str) -> list[AnyEntry]:
    """The first entries of a new table, with its host."""
    chairs = chairs_from(request)
    name = checked_name(request.name)
    check_game(request.game, sum(chair != "closed" for chair in chairs), request.options)
    own = chairs.index("me")
    chairs[own] = "open"
    opened = entries.Opened(
        game=request.game,
        options=dict(request.options),
        chairs=chairs,
        public=request.public,
        pace=request.pace,
        chat=request.chat,
        invite=tokens.new_token(),
        secret=tokens.new_secret(),
    )
    made: list[AnyEntry] = [opened, entries.Sat(EVERY_SEAT[own], name, tokens.hashed(token))]
    if request.start:
        made.append(entries.Starting())
    return made


def chairs_from(request: messages.Open) -> list[str]:
    try:
        rules = fuda.rulebook(request.game)
    except fuda.Error as error:
        raise Denial("bad table", str(error)) from error
    if request.chairs is None:
        players = request.players or min(rules.most, max(rules.least, 4))
        rest = default_kind(request.game) if request.start else "open"
        chairs = ["me", *(rest for _ in range(max(0, min(players, len(EVERY_SEAT)) - 1)))]
    else:
        chairs = [*request.chairs]
        players = request.players or len(chairs)
    if len(chairs) != players or players > rules.most:
        raise Denial("bad table", f"{rules.name} needs {rules.least} to {rules.most} players, with one chair each.")
    if chairs.count("me") != 1:
        raise Denial("bad table", "Exactly one chair must be 'me'.")
    for chair in chairs:
        check_kind(request.game, chair)
    if request.start and "open" in chairs:
        raise Denial("empty", "A game that starts at once cannot have open chairs.")
    return chairs


def check_kind(game: str, chair: str) -> None:
    if chair not in ("me", "open", "closed", *bots.names(game)):
        raise Denial("bad table", f"There is no bot {chair!r}; there are {', '.join(bots.names(game))}.")


def check_game(game: str, players: int, options: dict[str, bool | int | str]) -> None:
    try:
        fuda.rulebook(game).checked_options(players, dict(options))
    except fuda.Error as error:
        raise Denial("bad table", str(error)) from error


def checked_name(name: str) -> str:
    shown = visible(name, LONGEST_NAME)
    if shown is None:
        raise Denial("bad name", f"A name needs 1 to {LONGEST_NAME} visible characters.")
    return shown


# Taking seats -------------------------------------------------------------------------------------


def check_invite(table: Table, invite: str | None) -> None:
    """Denies entry without the invitation, unless the table is public."""
    if not table.public and not (invite and tokens.same(invite, table.invite)):
        raise Denial("no entry", "This table is by invitation only: ask for its full link.")


def join(table: Table, request: messages.Join, token: str, old_token: str) -> entries.Sat | entries.Claimed:
    """Takes a seat; the same one again if the request is repeated because its answer was lost."""
    table.check_not_closed()
    check_invite(table, request.invite)
    again = repeated(table, request.id, token)
    if again is not None:
        return again
    name = checked_name(request.name)
    free = [seat for seat, state in table.seats.items() if state.is_open]
    former = table.left.get(old_token) if table.phase == "playing" else None
    wanted = request.seat or former
    if former is not None and wanted != former:
        raise Denial("taken", f"You have seen the cards of seat {former}, so you cannot take another seat in this game.")
    if wanted is not None and wanted not in free:
        raise Denial("taken", f"Seat {wanted} is not open.")
    if not free:
        raise Denial("full", "No seat is open at this table.")
    seat = wanted or free[0]
    names = {table.name_at(other).casefold() for other, state in table.seats.items() if other != seat and not state.is_open}
    if name.casefold() in names:
        raise Denial("taken", f"Somebody at this table is already called {name}.")
    return entries.Sat(seat, name, tokens.hashed(token), hashed_id(request.id))


def repeated(table: Table, request: str | None, token: str) -> entries.Claimed | None:
    """The seat that this request was given before, with a new token, as the answer did not arrive."""
    for seat, state in table.seats.items():
        if request and state.request == hashed_id(request):
            return entries.Claimed(seat, tokens.hashed(token), state.request)
    return None


def hashed_id(request: str | None) -> str:
    return tokens.hashed(request) if request else ""


def claim(table: Table, request: messages.Claim, token: str, now: float) -> entries.Claimed:
    """Moves the seat for which this code was made to another device."""
    again = repeated(table, request.id, token)
    if again is not None:
        return again
    for seat, made in table.codes.items():
        if tokens.same(made.code, tokens.hashed(request.code)) and now <= made.until:
            return entries.Claimed(seat, tokens.hashed(token), hashed_id(request.id))
    raise Denial("bad code", "This link has been used already or has expired: ask for a new one.")
