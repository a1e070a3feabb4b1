"""Origins, addresses, cookies and headers."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fuda.protocol.parts import cookie_name
from fuda.server.denials import Denial

COOKIE_DAYS: Final = 30
CONTENT_SECURITY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "content-security-policy": CONTENT_SECURITY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
SECURE: Final = ("https", "wss")


class SafeHeaders:
    """Adds the headers that every answer has."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS | {"cache-control": headers.get("cache-control", "no-store")})
            await send(message)

        await self.app(scope, receive, send_safely)


def address_of(connection: HTTPConnection, behind_proxy: bool) -> str:
    """The address for limits; a proxy adds it last, after whatever the client claimed."""
    forwarded = ",".join(connection.headers.getlist("x-forwarded-for")) if behind_proxy else ""
    if forwarded:
        return network_of(forwarded.rpartition(",")[2].strip())
    return network_of(connection.client.host) if connection.client else ""


def network_of(address: str) -> str:
    """The address without its port; for IPv6 only the first 48 bits, as customers may choose all others."""
    try:
        read = ip_address(without_port(address).partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(read, IPv6Address):
        return str(read.ipv4_mapped or IPv6Address(int(read) >> 80 << 80))
    return str(read)


def without_port(address: str) -> str:
    """The address in `203.0.113.9:4711` or `[2001:db8::1]:4711`, as some proxies write it."""
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address


def is_secure(connection: HTTPConnection, behind_proxy: bool) -> bool:
    scheme = connection.headers.get("x-forwarded-proto", "") if behind_proxy else ""
    return (scheme or connection.scope["scheme"]) in SECURE


def check_origin(connection: HTTPConnection, behind_proxy: bool) -> None:
    """Only pages of this server may change something or open a socket; programs must send the same header."""
    host = connection.headers.get("host", "")
    if behind_proxy:
        host = connection.headers.get("x-forwarded-host", host)
    scheme = "https" if is_secure(connection, behind_proxy) else "http"
    origins = [origin.lower() for origin in connection.headers.getlist("origin")]
    if not host or origins != [f"{scheme}://{host.lower()}"]:
        raise Denial("wrong origin", "The Origin header must name this server.")


def token_in(connection: HTTPConnection, table: str) -> str:
    return connection.cookies.get(cookie_name(table), "")


def give_token(response: Response, table: str, token: str, secure: bool) -> None:
    """Sets the cookie for requests about this table only, so that a request does not carry those of a hundred tables."""
    response.set_cookie(
        cookie_name(table),
        token,
        max_age=COOKIE_DAYS * 86400,
        path=f"/api/tables/{table}",
        secure=secure,
        httponly=True,
        samesite="lax",
    )
