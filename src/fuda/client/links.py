"""Links to tables, http://example.org/t/TABLE#INVITATION, and to a player's seat, http://example.org/d/TABLE#CODE."""

from __future__ import annotations

import re
from typing import Final, Literal
from urllib.parse import urlsplit

import msgspec

import fuda
from fuda.engine.errors import brief

PATH: Final = re.compile(r"(?P<prefix>(?:/[\w.~-]+)*?)/(?P<kind>[td])/(?P<table>[A-Za-z0-9_-]{1,64})/?")
SECRET: Final = re.compile(r"[A-Za-z0-9_-]{0,64}")
SCHEMES: Final = {"http": "ws", "https": "wss"}


class Link(msgspec.Struct, frozen=True):
    """The address of a table, with the invitation or code for it."""

    server: str
    table: str
    secret: str = ""
    """The invitation, or the code; empty for a public table."""
    kind: Literal["t", "d"] = "t"
    """t leads to the table, d moves the player's own seat to this device."""

    def __repr__(self) -> str:
        return f"<Link to {self.kind}/{self.table} at {self.server}>"

    def __str__(self) -> str:
        return f"{self.server}/{self.kind}/{self.table}" + (f"#{self.secret}" if self.secret else "")


def link_from(text: str) -> Link:
    """The link in a text; Error if it is not valid."""
    server, path, secret = parts_of(text)
    found = PATH.fullmatch(path)
    if found is None or SECRET.fullmatch(secret) is None:
        raise fuda.Error(f"{shown(text)} is not a link to a table, such as http://example.org/t/TABLE#INVITATION.")
    return Link(server + found["prefix"], found["table"], secret, "d" if found["kind"] == "d" else "t")


def server_from(text: str) -> str:
    """The address of a server, without a slash at its end; Error if it is not valid."""
    server, path, _ = parts_of(text)
    return server + path.rstrip("/")


def parts_of(text: str) -> tuple[str, str, str]:
    """The origin, the path and the fragment."""
    try:
        url = urlsplit(text.strip())
        port = url.port
    except ValueError:
        url, port = urlsplit(""), None
    if url.scheme not in SCHEMES or not url.hostname or url.username is not None:
        raise fuda.Error(f"{shown(text)} is not an address: it must begin with http:// or https:// and a host name.")
    host = f"[{url.hostname}]" if ":" in url.hostname else url.hostname
    default = {"http": 80, "https": 443}[url.scheme]
    host_and_port = host if port is None or port == default else f"{host}:{port}"
    return f"{url.scheme}://{host_and_port}", url.path, url.fragment


def shown(text: str) -> str:
    """The text without the secret after the #."""
    return brief(text.partition("#")[0])


def origin_of(server: str) -> str:
    """The Origin header of a browser."""
    return parts_of(server)[0]


def socket_address(server: str, table: str) -> str:
    scheme, _, rest = server.partition("://")
    return f"{SCHEMES[scheme]}://{rest}/api/tables/{table}/socket"
