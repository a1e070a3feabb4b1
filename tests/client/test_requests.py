"""HTTP requests, to servers that work or fail."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

import fuda
from fuda.client import Denied, Open, Ticket, Unreachable, claim, games, open_table, record, tables, take_seat
from fuda.client.requests import fetch
from fuda.protocol.parts import Seat

TAKEN = {"table": "abc", "seat": "B", "invite": "xyz"}
COOKIE = "fuda-abc=t0ken; HttpOnly; Path=/; SameSite=lax"


class Desk(HTTPServer):
    """Answers every request in the same way, or first in another, and remembers them."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Clerk)
        self.answers: list[tuple[int, dict[str, str], bytes]] = []
        self.asked: list[tuple[str, str, dict[str, str], Any]] = []

    def answer(self, body: Any, status: int = 200, **headers: str) -> None:
        self.answers.clear()
        self.then_answer(body, status, **headers)

    def then_answer(self, body: Any, status: int, **headers: str) -> None:
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.answers.append((status, {name.replace("_", "-"): value for name, value in headers.items()}, text))

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Clerk(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        desk = self.server
        assert isinstance(desk, Desk)
        length = int(self.headers.get("Content-Length", 0))
        body = json.loads(self.rfile.read(length)) if length else None
        desk.asked.append((self.command, self.path, dict(self.headers.items()), body))
        status, headers, text = desk.answers.pop(0) if len(desk.answers) > 1 else desk.answers[0]
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *arguments: Any) -> None:
        pass


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    thread = threading.Thread(target=desk.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield desk
    desk.shutdown()
    thread.join()
    desk.server_close()


def test_a_table_is_opened(desk: Desk) -> None:
    desk.answer(TAKEN, 201, Set_Cookie=COOKIE)
    ticket = asyncio.run(open_table(f"{desk.address}/", Open("kirifu", "Ann", players=3)))
    assert ticket == Ticket(desk.address, "abc", "B", "t0ken", "xyz")
    ((method, path, headers, body),) = desk.asked
    assert (method, path) == ("POST", "/api/tables")
    assert headers["Origin"] == desk.address
    assert headers["Content-Type"] == "application/json"
    assert body == {"game": "kirifu", "name": "Ann", "players": 3}


@pytest.mark.parametrize(("seat", "said"), [(None, {}), ("C", {"seat": "C"})])
def test_a_seat_is_taken_with_the_invitation(desk: Desk, seat: Seat | None, said: dict[str, str]) -> None:
    desk.answer(TAKEN, 201, Set_Cookie=COOKIE)
    ticket = asyncio.run(take_seat(f"{desk.address}/t/abc#xyz", "Ben", seat))
    assert ticket.seat == "B"
    ((method, path, _, body),) = desk.asked
    assert (method, path) == ("POST", "/api/tables/abc/seats")
    assert len(body.pop("id")) == 32, "128 random bits, so that the request can be sent again"
    assert body == {"name": "Ben", "invite": "xyz"} | said


def test_a_seat_is_asked_for_once_more_if_the_answer_is_lost(desk: Desk) -> None:
    desk.answer({}, 502)
    desk.then_answer(TAKEN, 201, Set_Cookie=COOKIE)
    assert asyncio.run(take_seat(f"{desk.address}/t/abc#xyz", "Ben")).seat == "B"
    first, second = (body for _, _, _, body in desk.asked)
    assert first == second, "the same id, so that it is the same seat"


def test_a_seat_is_claimed_with_its_code(desk: Desk) -> None:
    desk.answer(TAKEN, 201, Set_Cookie=COOKIE)
    ticket = asyncio.run(claim(f"{desk.address}/d/abc#c0de"))
    assert ticket == Ticket(desk.address, "abc", "B", "t0ken", "xyz")
    ((method, path, _, body),) = desk.asked
    assert len(body.pop("id")) == 32
    assert (method, path, body) == ("POST", "/api/tables/abc/claims", {"code": "c0de"})


def test_tables_and_games_are_listed(desk: Desk) -> None:
    one = {
        "id": "abc",
        "game": "kirifu",
        "phase": "open",
        "host": "Ann",
        "people": 1,
        "open": 2,
        "players": 3,
        "pace": "quick",
    }
    desk.answer({"tables": [one]})
    (listed,) = asyncio.run(tables(desk.address))
    assert (listed.id, listed.host, listed.open) == ("abc", "Ann", 2)
    desk.answer([{"id": "kirifu"}])
    assert asyncio.run(games(desk.address)) == [{"id": "kirifu"}]


@pytest.mark.parametrize(("number", "path"), [(None, "/api/tables/abc/record"), (3, "/api/tables/abc/records/3")])
def test_a_record_is_fetched_with_the_ticket(desk: Desk, number: int | None, path: str) -> None:
    desk.answer({"fuda": 1})
    ticket = Ticket(desk.address, "abc", "B", "t0ken")
    assert asyncio.run(record(ticket, number)) == {"fuda": 1}
    assert desk.asked[0][1] == path
    assert desk.asked[0][2]["Cookie"] == "fuda-abc=t0ken"


def test_a_denial_is_a_sentence_with_a_code(desk: Desk) -> None:
    desk.answer({"code": "full", "text": "No seat is open at this table."}, 409)
    with pytest.raises(Denied, match="No seat is open at this table") as denied:
        asyncio.run(take_seat(f"{desk.address}/t/abc#xyz", "Ben"))
    assert denied.value.code == "full"


@pytest.mark.parametrize("body", [b"", b"<html>", b"[1,2]", b"\xff\xfe", b"{}"])
@pytest.mark.parametrize("status", [200, 404, 502])
def test_what_is_no_server_of_ours_is_said_to_be_none(desk: Desk, status: int, body: bytes) -> None:
    desk.answer(body, status)
    with pytest.raises(Unreachable, match=r"not a Fuda server"):
        asyncio.run(take_seat(f"{desk.address}/t/abc#xyz", "Ben"))


def test_a_seat_without_proof_is_none(desk: Desk) -> None:
    desk.answer(TAKEN, 201)
    with pytest.raises(Unreachable, match="no token"):
        asyncio.run(take_seat(f"{desk.address}/t/abc#xyz", "Ben"))


def test_nobody_is_followed_elsewhere(desk: Desk) -> None:
    desk.answer(b"", 302, Location=f"{desk.address}/elsewhere")
    with pytest.raises(Unreachable, match="status 302"):
        asyncio.run(record(Ticket(desk.address, "abc", "B", "t0ken")))
    assert len(desk.asked) == 1


def test_nothing_is_asked_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "api").mkdir()
    (tmp_path / "api/games").write_text("[]")
    with pytest.raises(fuda.Error, match="is not an address"):
        asyncio.run(games(tmp_path.as_uri()))
    with pytest.raises(fuda.Error, match="is not an address"):
        fetch(tmp_path.as_uri(), "/api/games", None, None)


def test_a_server_that_is_not_there_is_said_to_be_so(desk: Desk) -> None:
    desk.server_close()
    with pytest.raises(Unreachable, match=r"cannot be reached: .*\.$"):
        asyncio.run(tables(desk.address))
