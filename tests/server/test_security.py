"""Security: permissions, origins, tokens, and no secrets in logs or answers."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
import sqlite3
from http.cookies import SimpleCookie
from typing import Any

import httpx2
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from fuda.protocol import messages
from fuda.server import admission, commands, entries
from fuda.server.security import HEADERS
from tests.server.clients import Client, Taken, start
from tests.server.raw_socket import answer_to, upgrade
from tests.server.serving import Running, new_folder, served, serving

TWO = "shinigami_preschool"


async def turned_away(running: Running, table: str, headers: list[tuple[str, str]]) -> httpx2.Response:
    """The answer to a WebSocket that is not accepted."""
    address = f"ws://{running.host}/api/tables/{table}/socket"
    with pytest.raises(InvalidStatus) as refused:
        await connect(address, additional_headers=headers, proxy=None)
    response = refused.value.response
    return httpx2.Response(
        response.status_code, headers=[*response.headers.raw_items()], content=bytes(response.body or b"")
    )


async def closed(client: Client, code: int, why: str = "") -> None:
    await client.until(lambda: client.closed)
    assert client.closed == code
    if why:
        assert client.byes[-1]["code"] == why


async def no_entry(running: Running, table: str, cookie: str, **hello: Any) -> None:
    """Who comes with this is not let in."""
    client = running.stranger(table, cookie)
    await client.connect()
    await client.send("hello", **hello)
    await closed(client, 4003, "no entry")
    assert not any(json.loads(frame)["kind"] in ("welcome", "event") for frame in client.frames)


# Where it comes from ------------------------------------------------------------------------------

ORIGINS: list[Any] = [
    [],
    ["null"],
    ["http://evil.example"],
    ["https://{host}"],
    ["http://{host}.evil.example"],
    ["http://{host}:81"],
    ["http://127.0.0.1"],
    ["http://user@{host}"],
    ["{host}"],
    ["http://{host}", "http://evil.example"],
    ["http://evil.example", "http://{host}"],
]


@pytest.mark.parametrize("origins", ORIGINS, ids=str)
@served()
async def test_nothing_is_changed_and_no_socket_opened_from_another_origin(running: Running, origins: list[str]) -> None:
    taken = await running.open(TWO)
    headers = [("origin", origin.format(host=running.host)) for origin in origins]
    for path, body in (
        ("/api/tables", {"game": TWO, "name": "Eve"}),
        (f"/api/tables/{taken.table}/seats", {"name": "Eve", "invite": taken.invite}),
        (f"/api/tables/{taken.table}/claims", {"code": "x"}),
    ):
        response = await running.web.post(path, json=body, headers=headers)
        assert (response.status_code, response.json()["code"]) == (403, "wrong origin")
        assert "set-cookie" not in response.headers
    refused = await turned_away(running, taken.table, [*headers, ("cookie", taken.cookie)])
    if len(headers) < 2:
        assert (refused.status_code, refused.json()["code"]) == (403, "wrong origin")
    assert refused.status_code in (400, 403)
    assert (await running.table(taken.table)).version == 2


@served()
async def test_a_form_of_another_site_changes_nothing(running: Running) -> None:
    """A body of another type, as a form would send it, is not read."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        headers = {"origin": running.address, "content-type": kind}
        response = await running.web.post("/api/tables", content=b'{"game":"frantic","name":"Ann"}', headers=headers)
        assert (response.status_code, response.json()["code"]) == (400, "bad request")


@served(behind_proxy=True)
async def test_behind_a_proxy_the_origin_is_that_of_the_proxy(running: Running) -> None:
    forwarded = {"x-forwarded-host": "fuda.example", "x-forwarded-proto": "https"}
    body = {"game": TWO, "name": "Ann"}
    good = await running.web.post("/api/tables", json=body, headers={"origin": "https://fuda.example", **forwarded})
    assert good.status_code == 201
    assert "; secure" in good.headers["set-cookie"].lower()
    for origin in ("http://fuda.example", "https://evil.example", running.address):
        bad = await running.web.post("/api/tables", json=body, headers={"origin": origin, **forwarded})
        assert bad.status_code == 403


@served()
async def test_without_a_proxy_forwarded_headers_mean_nothing(running: Running) -> None:
    forwarded = {"x-forwarded-host": "evil.example", "x-forwarded-proto": "https", "origin": "https://evil.example"}
    response = await running.web.post("/api/tables", json={"game": TWO, "name": "Ann"}, headers=forwarded)
    assert response.status_code == 403


# Seats --------------------------------------------------------------------------------------------


@served()
async def test_a_stolen_invitation_gives_no_seat_that_is_taken_and_no_view(running: Running) -> None:
    ann, ben = await running.people(TWO, 2, pace="none")
    await start([ann, ben])
    table, invite = ann.table_id, ann.table["invite"]
    for wish in ({"seat": "A"}, {"seat": "B"}, {}):
        response = await running.post(f"/api/tables/{table}/seats", {"name": "Eve", "invite": invite, **wish})
        assert response.status_code == 409
    eve = await running.come(table, "", invite=invite)
    assert eve.you is None
    assert "ask" not in eve.news
    hands = eve.news["view"]["hands"]
    assert all(isinstance(hand, dict) and not hand["cards"] for hand in hands.values())
    await no_entry(running, table, f"fuda-{table}={invite}")
    assert (await running.get(f"/api/tables/{table}/record", f"fuda-{table}={invite}")).status_code == 403


@pytest.mark.parametrize("how", ["left", "removed", "moved"])
@served()
async def test_an_old_token_proves_nothing(running: Running, how: str) -> None:
    ann, ben = await running.people(TWO, 2)
    table = ann.table_id
    if how == "left":
        await ben.do("leave")
        await ben.until(lambda: ben.you is None)
    elif how == "removed":
        await ann.do("furnish", seat="B", to="thumb")
        await closed(ben, 4003, "removed")
    else:
        link = await ben.ask("device")
        Taken(await running.post(f"/api/tables/{table}/claims", {"code": link["code"]}))
        await closed(ben, 4003, "moved")
    await no_entry(running, table, ben.cookie)
    again = await running.come(table, ben.cookie, invite=ann.table["invite"])
    assert again.you is None
    assert await again.denied("say", text="It is me") == "not seated"
    if how != "moved":
        await ann.do("furnish", seat="B", to="thumb")
        await start([ann])
        assert (await running.get(f"/api/tables/{table}/record", ben.cookie)).status_code == 403


@served()
async def test_who_left_and_sits_down_again_has_another_token(running: Running) -> None:
    ann, ben = await running.people(TWO, 2)
    await ben.do("leave")
    response = await running.post(f"/api/tables/{ann.table_id}/seats", {"name": "Ben", "invite": ann.table["invite"]})
    assert Taken(response).cookie != ben.cookie
    assert (await running.come(ann.table_id, Taken(response).cookie)).you == "B"
    await no_entry(running, ann.table_id, ben.cookie)


@served()
async def test_nobody_acts_for_another_seat(running: Running) -> None:
    clients = await running.people(TWO, 3, pace="none")
    await start(clients)
    asked = next(client for client in clients if client.ask_now)
    other = next(client for client in clients if client is not asked)
    assert asked.ask_now is not None
    since, move = asked.ask_now["since"], asked.ask_now["moves"][0]
    assert await other.denied("play", since=since, move=move) == "not asked"
    await other.send_text(json.dumps({"kind": "play", "id": "x", "since": since, "move": move, "seat": asked.you}))
    await closed(other, 4000, "bad message")
    game = (await running.table(asked.table_id)).game
    assert game is not None
    assert game.played == []


@served()
async def test_the_token_of_one_table_opens_no_other(running: Running) -> None:
    one, other = await running.open(TWO), await running.open(TWO)
    for cookie in (
        one.cookie,
        f"fuda-{other.table}={one.token}",
        f"fuda-{other.table}={other.token[:-1]}",
        "fuda-=x",
        "; ;=",
    ):
        await no_entry(running, other.table, cookie)


@served()
async def test_a_link_to_another_device_works_once(running: Running) -> None:
    ann = await running.client(await running.open(TWO, pace="none"))
    table = ann.table_id
    old, link = await ann.ask("device"), await ann.ask("device")
    assert link["seconds"] == commands.CODE_SECONDS
    assert re.fullmatch(r"[0-9a-f]{32}", link["code"])
    for code in (old["code"], "x", link["code"][:-1], link["code"].upper()):
        assert (await running.post(f"/api/tables/{table}/claims", {"code": code})).status_code == 403
    phone = Taken(await running.post(f"/api/tables/{table}/claims", {"code": link["code"]}))
    assert (phone.seat, phone.cookie != ann.cookie) == ("A", True)
    again = await running.post(f"/api/tables/{table}/claims", {"code": link["code"]})
    assert (again.status_code, again.json()["code"]) == (403, "bad code")
    assert (await running.client(phone)).table["chairs"][0].get("host"), "it is still the host's seat"


@served()
async def test_a_claim_may_be_sent_again_and_the_first_device_cannot_take_the_seat_back(running: Running) -> None:
    host = await running.open(TWO, chairs=["me", "open"])
    wish = {"name": "Ben", "invite": host.invite, "id": "of-the-first-device"}
    path = f"/api/tables/{host.table}"
    ben = await running.client(Taken(await running.post(f"{path}/seats", wish)))
    link = await ben.ask("device", id="once")
    assert await ben.ask("device", id="once") == link, "the same message makes one code"
    claim = {"code": link["code"], "id": "of-the-second-device"}
    first = Taken(await running.post(f"{path}/claims", claim))
    second = Taken(await running.post(f"{path}/claims", claim))
    assert first.seat == second.seat == "B"
    assert (await running.client(second)).you == "B"
    await no_entry(running, host.table, first.cookie)
    assert (await running.post(f"{path}/claims", {"code": link["code"]})).status_code == 403
    assert (await running.post(f"{path}/seats", wish)).status_code == 409


@served()
async def test_a_link_to_another_device_expires_and_ends_with_the_seat(running: Running) -> None:
    ann, ben = await running.people(TWO, 2)
    link = await ann.ask("device")
    (made,) = [one.entry for one in await running.log(ann.table_id) if isinstance(one.entry, entries.CodeMade)]
    live = running.server.hall.tables[ann.table_id]
    with pytest.raises(Exception, match="has expired"):
        admission.claim(live.table, messages.Claim(link["code"]), "new token", made.until + 0.1)
    assert admission.claim(live.table, messages.Claim(link["code"]), "new token", made.until - 0.1).seat == "A"
    link = await ben.ask("device")
    await ben.do("leave")
    assert (await running.post(f"/api/tables/{ann.table_id}/claims", {"code": link["code"]})).status_code == 403


# What is shown ------------------------------------------------------------------------------------

PATHS = [
    "/",
    "/t/{}",
    "/d/{}",
    "/r/{}/1",
    "/api/games",
    "/api/games/kirifu/book?lang=xx",
    "/api/tables",
    "/api/tables/{}/record",
    "/api/tables/{}/records/1/film",
    "/healthz",
    "/metrics",
    "/nothing",
]


@pytest.mark.parametrize("path", PATHS)
@served()
async def test_every_answer_has_the_headers_that_keep_browsers_safe(running: Running, path: str) -> None:
    taken = await running.open(TWO, public=True)
    for method in ("GET", "POST", "OPTIONS"):
        response = await running.web.request(method, path.format(taken.table))
        for name, value in HEADERS.items():
            assert response.headers[name] == value, (method, name)
        assert "access-control-allow-origin" not in response.headers
        assert "server" not in response.headers
        is_page = method == "GET" and path in PATHS[:4]
        assert response.headers["cache-control"] in ("no-store", *["no-cache"] * is_page)
    policy = HEADERS["content-security-policy"]
    for directive in (
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
    ):
        assert directive in policy
    assert "unsafe" not in policy
    assert not re.search("<script(?! [^>]*src=)", (await running.get(path.format(taken.table))).text)


@served()
async def test_a_socket_that_is_turned_away_has_the_headers_too(running: Running) -> None:
    refused = await turned_away(running, "abcdefghj", [("origin", running.address)])
    assert refused.status_code == 404
    for name, value in HEADERS.items():
        assert refused.headers[name] == value


@served()
async def test_names_and_chat_are_data_and_never_markup(running: Running) -> None:
    markup = '<img src=x onerror="1">'
    ann = await running.client(await running.open(TWO, markup, public=True))
    listed = await running.get("/api/tables")
    assert listed.headers["content-type"] == "application/json"
    assert listed.json()["tables"][0]["host"] == markup
    await ann.do("say", text="</script><script>alert(1)</script>")
    await ann.until(lambda: ann.said)
    assert ann.said[-1]["text"] == "</script><script>alert(1)</script>"
    assert ann.table["chairs"][0]["name"] == markup


@served()
async def test_the_token_comes_in_a_cookie_that_scripts_and_other_sites_do_not_get(running: Running) -> None:
    taken = await running.open(TWO)
    (cookie,) = SimpleCookie(taken.response.headers["set-cookie"]).values()
    assert re.fullmatch(r"[0-9a-f]{32}", cookie.value), "128 bits"
    assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "lax", "")
    assert (cookie["domain"], cookie["path"]) == ("", f"/api/tables/{taken.table}")
    assert taken.token not in taken.response.text


# What is kept -------------------------------------------------------------------------------------


async def an_evening(running: Running) -> list[str]:
    """Something of everything, and the secrets that there were."""
    ann, ben = await running.people(TWO, 2, pace="none", rest=["thumb"])
    table = ann.table_id
    secrets = [ann.table["invite"], *(one.cookie.partition("=")[2] for one in (ann, ben))]
    link = await ben.ask("device")
    phone = Taken(await running.post(f"/api/tables/{table}/claims", {"code": link["code"]}))
    ben = await running.client(phone)
    secrets += [link["code"], phone.token]
    await running.post(f"/api/tables/{table}/seats", {"name": "Eve", "invite": ann.table["invite"]})
    await running.post(f"/api/tables/{table}/claims", {"code": link["code"]})
    await running.come(table, "", invite=ann.table["invite"])
    await running.get(f"/api/tables/{table}/record", ann.cookie)
    await start([ann, ben])
    for client in (ann, ben):
        await client.ask("play", since=0, move="nonsense")
        await client.send_text(json.dumps({"kind": "hello", "id": "x", "invite": ann.table["invite"], "more": 1}))
    (opened,) = [one.entry for one in await running.log(table) if isinstance(one.entry, entries.Opened)]
    return [*secrets, opened.secret]


def test_there_is_no_secret_in_a_log_line_nor_in_the_metrics() -> None:
    async def do() -> None:
        async with serving(level=logging.DEBUG, verbose=True, may_fail=True) as running:
            zoe = await running.open(TWO, "Zoe")
            secrets = [*await an_evening(running), zoe.token, zoe.invite]
            last = await running.client(zoe)
            # The database fails, and what it was about to write must not be logged either.
            with contextlib.closing(sqlite3.connect(running.server.settings.db)) as connection:
                connection.execute("DROP TABLE entries")
            assert (await running.post("/api/tables", {"game": TWO, "name": "Zoe"})).status_code >= 500
            await last.send("device")
            await closed(last, 1013)
            metrics = (await running.get("/metrics")).text
        assert running.lines.errors
        everything = "\n".join([*running.lines.lines, metrics])
        for secret in [*secrets, *[word for word in ("secret", "invite", "cookie") if word in everything]]:
            assert secret not in everything

    asyncio.run(do())


def test_only_hashes_of_tokens_are_on_the_disk() -> None:
    async def do() -> None:
        with new_folder() as folder:
            async with serving(folder) as running:
                invite, *proofs, _ = await an_evening(running)
            kept = b"".join(path.read_bytes() for path in folder.iterdir())
            assert invite.encode() in kept, "it is told to those who sit at the table"
            for proof in proofs:
                assert proof.encode() not in kept

    asyncio.run(do())


# Input that is not what it should be ----------------------------------------------------------------

NESTED = [b"[" * 4000, b'{"a":' * 1500, b'{"kind":"say","id":"x","text":' + b"[" * 4000, b'{"options":' + b"[" * 4000]


@pytest.mark.parametrize("text", NESTED, ids=["lists", "objects", "message", "body"])
@served()
async def test_json_that_is_nested_deeply_is_refused(running: Running, text: bytes) -> None:
    headers = {"origin": running.address, "content-type": "application/json"}
    for path in ("/api/tables", "/api/tables/abcdefghj/seats", "/api/tables/abcdefghj/claims"):
        response = await running.web.post(path, content=text, headers=headers)
        assert (response.status_code, response.json()["code"]) == (400, "bad request")
    (ann,) = await running.people(TWO, 1, rest=["open"])
    await ann.send_text(text.decode())
    await closed(ann, 4000, "bad message")


@served()
async def test_strange_queries_paths_cookies_and_headers_are_answered(running: Running) -> None:
    """Nothing but a denial, a page, or that there is none; an error would be logged and fail this test."""
    taken = await running.open(TWO)
    film = f"/api/tables/{taken.table}/records/1/film"
    paths = [
        *(f"{film}?from={number}" for number in ("9" * 5000, "-1", "1e9", "0x1", "%00", "%ED%A0%80", "NaN")),
        *(f"{film}?{query}" for query in ("seat=%FF", "seat=" + "A" * 5000, "=&&;=", "from=1&from=2", "%5B=1", "\\")),
        *(f"/api/games/{game}/book" for game in ("%00", "..%2F..", "%ED%A0%80", "x" * 5000)),
        *(f"/api/games/{TWO}/book?lang={language}" for language in ("%00", "../en", "x" * 5000, "%FF")),
        *(f"/api/tables/{table}/record" for table in ("%00", "%2e%2e", "a" * 5000, "%F0%9F%83%8F")),
        *(f"/api/tables/{taken.table}/records/{number}" for number in ("9" * 5000, "1_0", "%D9%A1", "-1")),
    ]
    for path in paths:
        request = f"GET {path} HTTP/1.1\r\nHost: {running.host}\r\n\r\n"
        assert await answer_to(running.host, request.encode()) in (200, 400, 403, 404), path
    cookies = [b"\xff", b"fuda-x", b"=;;=", b'"\\777\\', b"fuda-%s=\xed\xa0\x80" % taken.table.encode(), b"a=b;" * 3000]
    values = [b"\xff\xfe", b"[", b"]:1", b"::::", b"1.2.3.4:x", b",,,", b"x" * 9000, b'W/"', b"gzip;q=;q=x"]
    headers = [b"Cookie: " + value for value in cookies]
    for name in (b"X-Forwarded-For", b"Origin", b"If-None-Match", b"Accept-Encoding", b"Content-Type", b"Range"):
        headers += [name + b": " + value for value in values]
    for header in headers:
        for path in ("/api/games", f"/api/tables/{taken.table}/record", "/"):
            start = f"GET {path} HTTP/1.1\r\nHost: {running.host}\r\n".encode()
            assert await answer_to(running.host, start + header + b"\r\n\r\n") in (200, 400, 403, 404), header
        start = upgrade(running.host, f"/api/tables/{taken.table}/socket").removesuffix(b"\r\n")
        assert await answer_to(running.host, start + header + b"\r\n\r\n") in (101, 400, 403, 431), header
