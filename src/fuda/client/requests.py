"""HTTP requests: a table, a seat, a list of tables, a record."""

from __future__ import annotations

import asyncio
import http.client
import secrets
import urllib.error
import urllib.request
from email.message import Message as Headers
from http.cookies import CookieError, SimpleCookie
from typing import IO, Any, Final, TypeVar

import msgspec

from fuda.client.errors import Denied, Unreachable
from fuda.client.links import Link, link_from, origin_of, server_from
from fuda.client.tickets import Ticket
from fuda.protocol.messages import Claim, Failed, Join, Listed, Open, Request, Tables, Taken
from fuda.protocol.parts import Seat, cookie_name

T = TypeVar("T")

TIMEOUT: Final = 15.0
LARGEST: Final = 64_000_000
"""The most bytes of an answer."""


async def open_table(server: str, request: Open) -> Ticket:
    """Opens a table and takes the host's seat."""
    server = server_from(server)
    return await seat_from(server, "/api/tables", request)


async def take_seat(link: str | Link, name: str, seat: Seat | None = None) -> Ticket:
    """Takes a seat at a table: this one, or any open one."""
    to = link_from(link) if isinstance(link, str) else link
    request = Join(name, seat, to.secret or None, secrets.token_hex(16))
    return await seat_with_retry(to.server, f"/api/tables/{to.table}/seats", request)


async def claim(link: str | Link) -> Ticket:
    """Moves the player's own seat to this device, with a link from the other device; it can be used once."""
    to = link_from(link) if isinstance(link, str) else link
    return await seat_with_retry(to.server, f"/api/tables/{to.table}/claims", Claim(to.secret, secrets.token_hex(16)))


async def tables(server: str) -> list[Listed]:
    """The public tables."""
    return (await ask(server_from(server), "/api/tables", Tables)).tables


async def games(server: str) -> list[dict[str, Any]]:
    """The games that can be played there, as `fuda.games()` lists them."""
    return await ask(server_from(server), "/api/games", list[dict[str, Any]])


async def record(ticket: Ticket | Link, number: int | None = None) -> dict[str, Any]:
    """The record of this game, or of the latest: complete if it is over, otherwise what the seat may know."""
    path = f"/api/tables/{ticket.table}/" + ("record" if number is None else f"records/{number}")
    cookie = ticket.cookie if isinstance(ticket, Ticket) else None
    return await ask(ticket.server, path, dict[str, Any], cookie=cookie)


# Sending requests ----------------------------------------------------------------------------------


async def seat_from(server: str, path: str, request: Request) -> Ticket:
    """Requests a seat."""
    answer = await asyncio.to_thread(fetch, server, path, msgspec.json.encode(request), None)
    taken = decoded(answer.body, Taken, server)
    token = answer.cookies.get(cookie_name(taken.table))
    if not token:
        raise Unreachable(f"{server} gave seat {taken.seat}, but no token for it.")
    return Ticket(server, taken.table, taken.seat, token, taken.invite)


async def seat_with_retry(server: str, path: str, request: Join | Claim) -> Ticket:
    """Requests a seat, twice if no answer comes: it may have been taken although the answer was lost."""
    try:
        return await seat_from(server, path, request)
    except Unreachable:
        return await seat_from(server, path, request)


async def ask(server: str, path: str, kind: type[T], cookie: str | None = None) -> T:
    answer = await asyncio.to_thread(fetch, server, path, None, cookie)
    return decoded(answer.body, kind, server)


def decoded(body: bytes, kind: type[T], server: str) -> T:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Unreachable(f"The server at {server} is not a Fuda server, or has another version.") from error


class Answer:
    def __init__(self, body: bytes, headers: Headers) -> None:
        self.body = body
        self.cookies: dict[str, str] = {}
        for line in headers.get_all("Set-Cookie", []):
            try:
                self.cookies |= {name: cookie.value for name, cookie in SimpleCookie(line).items()}
            except CookieError:
                continue


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirects, as the token of a seat must not be sent elsewhere."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: http.client.HTTPMessage, newurl: str
    ) -> None:
        return None


def fetch(server: str, path: str, body: bytes | None, cookie: str | None) -> Answer:
    """Sends one request: a POST if it has a body, otherwise a GET."""
    headers = {"Accept": "application/json", "Origin": origin_of(server)}
    if body is not None:
        headers["Content-Type"] = "application/json"
    if cookie is not None:
        headers["Cookie"] = cookie
    http_request = urllib.request.Request(server + path, body, headers)  # noqa: S310 - `origin_of` refuses other schemes
    opener = urllib.request.build_opener(NoRedirect)
    try:
        with opener.open(http_request, timeout=TIMEOUT) as answer:
            return Answer(answer.read(LARGEST), answer.headers)
    except urllib.error.HTTPError as error:
        with error:
            raise failure(server, error.code, read_from(error)) from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Unreachable(f"{server} cannot be reached: {reason_of(error)}.") from error


def read_from(error: urllib.error.HTTPError) -> bytes:
    try:
        return error.read(LARGEST)
    except (OSError, http.client.HTTPException):
        return b""


def failure(server: str, status: int, body: bytes) -> Denied | Unreachable:
    """The error that the server gives, or that its answer cannot be read."""
    try:
        failed = msgspec.json.decode(body, type=Failed)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return Unreachable(f"{server} answers with status {status} and is probably not a Fuda server.")
    return Denied(failed.code, failed.text)


def reason_of(error: Exception) -> str:
    """The reason in a few words."""
    inner = error.reason if isinstance(error, urllib.error.URLError) else error
    words = inner.strerror if isinstance(inner, OSError) and inner.strerror else str(inner)
    return (words or type(inner).__name__).rstrip(".").lower()
