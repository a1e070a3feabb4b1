"""HTTP requests: games, books, tables, records, health, metrics."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from typing import Any, get_args

import msgspec
import pytest

import fuda
from fuda import bots
from fuda.bots.seating import default_kind, kinds_of
from fuda.protocol import messages
from fuda.protocol.books import Book, Language
from fuda.server.denials import CODES
from fuda.words.book import book_of
from tests.server.clients import Client, start
from tests.server.serving import Running, served

TWO = "shinigami_preschool"
METRICS = [
    "fuda_tables",
    "fuda_sockets",
    "fuda_tables_opened_total",
    "fuda_moves_total",
    "fuda_messages_total",
    "fuda_denials_total",
    "fuda_frames_total",
    "fuda_conflicts_total",
    "fuda_message_seconds_bucket",
    "fuda_commit_seconds_bucket",
    "fuda_bot_seconds_bucket",
]


async def finished(running: Running, number: int = 1) -> list[Client]:
    """A table at which so many games have been played."""
    clients = await running.people(TWO, 2, pace="none", public=True)
    for played in range(number):
        if played:
            await clients[0].do("rematch")
        await start(clients)
        await asyncio.gather(*(client.play_on(random.Random(played)) for client in clients))
    return clients


async def failure(running: Running, path: str, cookie: str = "") -> tuple[int, str]:
    response = await running.get(path, cookie)
    failed = msgspec.json.decode(response.content, type=messages.Failed)
    assert failed.code in CODES
    assert failed.text
    return response.status_code, failed.code


@served()
async def test_the_games_are_listed_with_their_players_options_and_bots(running: Running) -> None:
    games = (await running.get("/api/games")).json()
    assert games == [game | {"bots": kinds_of(game["id"])} for game in fuda.games()]
    for game in games:
        assert sorted(game["bots"]) == sorted(bots.names(game["id"]))
        assert game["bots"][0] == default_kind(game["id"])


@served()
async def test_a_finished_game_has_an_address_for_its_record(running: Running) -> None:
    ann, _ = await finished(running, 2)
    records = [(await running.get(f"/api/tables/{ann.table_id}/records/{number}")).json() for number in (1, 2)]
    for number, record in enumerate(records, 1):
        assert record["fair"]["number"] == number
        fuda.verify(record)
    assert (await running.get(f"/api/tables/{ann.table_id}/record")).json() == records[1]
    await ann.do("rematch")
    assert (await running.get(f"/api/tables/{ann.table_id}/records/2")).json() == records[1]
    assert await failure(running, f"/api/tables/{ann.table_id}/records/3") == (404, "no record")
    assert await failure(running, f"/api/tables/{ann.table_id}/record") == (404, "no record")


@pytest.mark.parametrize("number", ["0", "2", "99", "9" * 30, "9" * 5000])
@pytest.mark.parametrize("path", ["/api/tables/{}/records/{}", "/api/tables/{}/records/{}/film"])
@served()
async def test_there_is_no_record_of_a_game_that_was_not_played(running: Running, path: str, number: str) -> None:
    taken = await running.open(TWO)
    response = await running.get(path.format(taken.table, number))
    assert response.status_code == 404


@served()
async def test_there_is_no_record_0_of_a_table_with_several_games(running: Running) -> None:
    ann, _ = await finished(running)
    await ann.do("rematch")
    assert await failure(running, f"/api/tables/{ann.table_id}/records/0") == (404, "no record")


@served()
async def test_during_the_game_a_seat_fetches_its_own_redacted_record_and_nobody_else_any(running: Running) -> None:
    ann, ben = await running.people(TWO, 2, pace="none")
    path = f"/api/tables/{ann.table_id}"
    assert await failure(running, f"{path}/record", ann.cookie) == (404, "no record")
    await start([ann, ben])
    for client in (ann, ben):
        record = (await running.get(f"{path}/record", client.cookie)).json()
        assert record["redacted"] == client.you
        assert record["view"] == client.view
        assert set(record) == {"redacted", "moves", "view", "fair"}
        assert "secret" not in record["fair"]
    for cookie in ("", f"fuda-{ann.table_id}=wrong", ann.cookie.replace(ann.table_id, "other")):
        assert await failure(running, f"{path}/record", cookie) == (403, "not seated")
    assert await failure(running, f"{path}/records/1", ann.cookie) == (404, "no record")
    assert await failure(running, f"{path}/records/1/film", ann.cookie) == (404, "no record")


@pytest.mark.parametrize("table", ["abcdefghj", "x", "ABCDEFGHJ", "a" * 100, "%00", "..%2f..", "%ff%fe", "a'b"])
@served()
async def test_there_is_no_such_table(running: Running, table: str) -> None:
    for path in ("record", "records/1", "records/1/film"):
        path = f"/api/tables/{table}/{path}"
        assert (await running.get(path)).status_code == 404
    for part, body in (("seats", {"name": "Ben"}), ("claims", {"code": "x"})):
        assert (await running.post(f"/api/tables/{table}/{part}", body)).status_code == 404
    assert not running.server.hall.tables


@pytest.mark.parametrize("game", [game["id"] for game in fuda.games()])
@served()
async def test_every_game_has_a_book_in_every_language(running: Running, game: str) -> None:
    for language in get_args(Language):
        response = await running.get(f"/api/games/{game}/book?lang={language}")
        assert response.headers["content-type"] == "application/json"
        assert msgspec.json.decode(response.content, type=Book) == book_of(game, language)
        assert response.headers["content-encoding"] == "gzip"
        assert response.headers["cache-control"] == "no-cache"
        again = await running.web.get(response.url, headers={"if-none-match": response.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
    assert msgspec.json.decode((await running.get(f"/api/games/{game}/book")).content, type=Book).language == "en"


@pytest.mark.parametrize(
    "path", ["poker/book", "kirifu/book?lang=xx", "kirifu/book?lang=", "%00/book", "x" * 5000 + "/book"]
)
@served()
async def test_there_is_no_such_book(running: Running, path: str) -> None:
    assert await failure(running, f"/api/games/{path}") == (404, "no book")
    assert not running.server.books.made


BAD_BODIES: list[Any] = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"\xff\xfe",
    b'{"game": "frantic"}',
    b'{"game": "frantic", "name": 7}',
    b'{"game": "frantic", "name": "Ann", "admin": true}',
    b'{"game": "frantic", "name": "Ann", "pace": "slow"}',
    b'{"game": "frantic", "name": "\\ud800"}',
    b'{"game": "frantic", "name": "Ann", "options": {"a": [1]}}',
    b"[" * 4000,
]


@pytest.mark.parametrize("body", BAD_BODIES, ids=lambda body: repr(body[:40]))
@served()
async def test_a_body_that_cannot_be_read_is_answered_with_what_is_wrong(running: Running, body: bytes) -> None:
    headers = {"origin": running.address, "content-type": "application/json"}
    response = await running.web.post("/api/tables", content=body, headers=headers)
    assert response.status_code == 400
    assert response.json()["code"] == "bad request"


@pytest.mark.parametrize(("method", "path"), [("PUT", "/api/tables"), ("DELETE", "/api/tables"), ("POST", "/healthz")])
@served()
async def test_only_what_there_is_can_be_asked(running: Running, method: str, path: str) -> None:
    assert (await running.web.request(method, path, headers={"origin": running.address})).status_code == 405
    assert (await running.get("/api/nothing")).status_code == 404


@served()
async def test_while_the_database_fails_one_is_told_to_try_again(running: Running) -> None:
    taken = await running.open(TWO)
    with sqlite3.connect(running.server.settings.db) as database:
        for one, other in (("entries", "elsewhere"), ("elsewhere", "entries")):
            database.execute(f"ALTER TABLE {one} RENAME TO {other}")
            opened = await running.post("/api/tables", {"game": TWO, "name": "Ann"})
            seated = await running.post(f"/api/tables/{taken.table}/seats", {"name": "Ben", "invite": taken.invite})
            record = await running.get(f"/api/tables/{taken.table}/record")
            expected = [503, 503, 503] if other == "elsewhere" else [201, 201, 404]
            assert [answer.status_code for answer in (opened, seated, record)] == expected
    assert len(running.lines.errors) == 3
    running.lines.errors.clear()


@served(may_fail=True)
async def test_a_failure_of_ours_has_the_headers_too(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(seen: float, limit: int) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(running.server.hall.store, "listed", fail)
    response = await running.get("/api/tables")
    assert response.status_code == 500
    assert "frame-ancestors 'none'" in response.headers["content-security-policy"]


@served()
async def test_the_metrics_count_tables_sockets_moves_refusals_and_times(running: Running) -> None:
    before = (await running.get("/metrics")).text
    for name in METRICS:
        assert name.removesuffix("_bucket").removesuffix("_total") in before
    ann, _ = await finished(running)
    assert await ann.denied("start") == "too late"
    response = await running.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = dict(line.rsplit(" ", 1) for line in response.text.splitlines() if not line.startswith("#"))
    assert lines["fuda_tables"] == "1.0"
    assert lines["fuda_sockets"] == "2.0"
    assert lines["fuda_tables_opened_total"] == "1.0"
    record = (await running.get(f"/api/tables/{ann.table_id}/record")).json()
    assert float(lines[f'fuda_moves_total{{by="person",game="{TWO}"}}']) == len(record["moves"])
    assert float(lines['fuda_denials_total{code="too late"}']) >= 1
    assert float(lines["fuda_commit_seconds_count"]) > len(record["moves"])
    for name in METRICS:
        assert any(line.startswith(name) for line in [*lines, before])


@served()
async def test_bots_think_in_processes_of_their_own_and_their_time_is_counted(running: Running) -> None:
    (ann,) = await running.people(TWO, 1, rest=["thumb"], pace="none")
    await start([ann])
    await ann.play_on(random.Random(1))
    lines = (await running.get("/metrics")).text
    counted = next(line for line in lines.splitlines() if line.startswith("fuda_bot_seconds_count"))
    assert float(counted.rsplit(" ", 1)[1]) > 5
    assert running.server.hall.bots.workers.pool is not None


@served()
async def test_every_denial_has_a_code_that_is_documented(running: Running) -> None:
    taken = await running.open(TWO)
    for path, body in (
        ("/api/tables", {"game": "poker", "name": "Ann"}),
        ("/api/tables", {"game": TWO, "name": "\u200b"}),
        (f"/api/tables/{taken.table}/seats", {"name": "Ben"}),
        (f"/api/tables/{taken.table}/claims", {"code": "none"}),
    ):
        response = await running.post(path, body)
        failed = msgspec.json.decode(response.content, type=messages.Failed)
        assert response.status_code >= 400
        assert failed.code in CODES
