"""Links and tickets."""

from __future__ import annotations

import pytest

import fuda
from fuda.client import Link, Ticket, link_from, ticket_from
from fuda.client.links import origin_of, server_from, socket_address

TICKET = Ticket("https://example.org", "k3jd82hqp", "B", "secret-token", "invitation")


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("http://127.0.0.1:8000/t/abc#xyz", Link("http://127.0.0.1:8000", "abc", "xyz")),
        ("https://example.org/t/abc", Link("https://example.org", "abc")),
        ("https://example.org:443/t/abc/", Link("https://example.org", "abc")),
        ("http://example.org:80/d/abc#c0de", Link("http://example.org", "abc", "c0de", "d")),
        ("https://example.org/games/t/abc#x", Link("https://example.org/games", "abc", "x")),
        (" http://[::1]:8000/t/abc ", Link("http://[::1]:8000", "abc")),
    ],
)
def test_a_link_is_read_and_written(text: str, link: Link) -> None:
    assert link_from(text) == link
    assert link_from(str(link)) == link


@pytest.mark.parametrize(
    "text",
    [
        "",
        "abc",
        "ftp://example.org/t/abc",
        "http:///t/abc",
        "http://example.org",
        "http://example.org/x/abc",
        "http://example.org/t/",
        "http://example.org/t/a b",
        "http://example.org/t/abc#x/y",
        "http://example.org:99999/t/abc",
        "http://me:password@example.org/t/abc",
        "http://[/t/abc",
    ],
)
def test_what_is_no_link_is_said_to_be_none(text: str) -> None:
    with pytest.raises(fuda.Error, match=r"is not an? (link|address).*\.$"):
        link_from(text)


def test_an_error_does_not_show_the_invitation() -> None:
    with pytest.raises(fuda.Error) as error:
        link_from("http://example.org/wrong#invitation")
    assert "invitation" not in str(error.value).replace("#INVITATION", "")


def test_addresses_follow_from_the_server() -> None:
    assert server_from("https://example.org/games/") == "https://example.org/games"
    assert origin_of("https://example.org/games") == "https://example.org"
    assert socket_address("https://example.org/games", "abc") == "wss://example.org/games/api/tables/abc/socket"
    assert socket_address("http://127.0.0.1:8000", "abc") == "ws://127.0.0.1:8000/api/tables/abc/socket"


def test_a_ticket_can_be_kept() -> None:
    assert ticket_from(TICKET.as_json()) == TICKET
    assert TICKET.link == "https://example.org/t/k3jd82hqp#invitation"


def test_neither_tickets_nor_links_show_their_secrets() -> None:
    assert "secret-token" not in f"{TICKET!r} {TICKET}"
    assert "invitation" not in repr(link_from(TICKET.link))


@pytest.mark.parametrize("text", ["", "{}", "[]", "{", '{"server":"x","table":"y","seat":"Z","token":"t"}', b"\xff"])
def test_a_damaged_ticket_is_said_to_be_damaged(text: str | bytes) -> None:
    with pytest.raises(fuda.Error, match="damaged"):
        ticket_from(text)
