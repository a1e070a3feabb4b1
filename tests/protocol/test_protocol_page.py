"""The examples in docs/protocol.md are valid, and its tables are complete."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from fuda.protocol import messages, replays
from fuda.protocol.parts import PROTOCOL, Ask
from fuda.protocol.schema import openapi
from fuda.server import app, denials, live, lobby, pace, protocols, settings, sockets
from tests.protocol.samples import DECODERS
from tests.protocol.test_schema import VALIDATORS

PAGE = Path(__file__).parent.parent.parent / "docs" / "protocol.md"
TEXT = PAGE.read_text()
SAID = re.findall(r"^([→←]) (.+)$", TEXT, re.MULTILINE)
SHOWN = re.findall(r"```json\n(.+?)\n```", TEXT, re.DOTALL)
REQUESTS = re.findall(r"--json '(.+?)' \\\n +http://127\.0\.0\.1:8000(\S+)", TEXT)
BODIES = {"tables": "Open", "seats": "Join", "claims": "Claim"}


def check(name: str, text: str) -> None:
    DECODERS[name].decode(text)
    VALIDATORS[name].validate(json.loads(text))


def test_every_line_of_the_conversation_can_be_said() -> None:
    assert len(SAID) > 15
    for arrow, text in SAID:
        check("FromClient" if arrow == "→" else "FromServer", text)


def test_the_conversation_goes_on_without_a_gap() -> None:
    """Notes follow each other after the first, the deal; what is answered was asked."""
    noted = 1
    open_ids = []
    for arrow, text in SAID:
        message = json.loads(text)
        if arrow == "→":
            open_ids += [message["id"]] if "id" in message else []
        elif "id" in message:
            assert message["id"] in open_ids
        if "game" in message and message["kind"] == "event":
            assert message["game"]["first"] == noted
            noted += len(message["game"]["notes"])
        if message["kind"] == "hello" and "noted" in message:
            assert message["noted"] == noted


@pytest.mark.parametrize("text", SHOWN)
def test_every_message_that_is_shown_can_be_said(text: str) -> None:
    kind = json.loads(text).get("kind")
    if kind is not None:
        check("FromClient", text)
    else:
        msgspec.json.decode(text, type=Ask if "since" in text else messages.Taken)


@pytest.mark.parametrize("text", re.findall(r'`({"kind".+?})`', TEXT))
def test_messages_in_the_running_text_have_their_kinds(text: str) -> None:
    check("FromClient", json.dumps({"id": "x"} | json.loads(text)))


@pytest.mark.parametrize(("body", "path"), REQUESTS, ids=[path for _, path in REQUESTS])
def test_every_request_that_is_shown_can_be_sent(body: str, path: str) -> None:
    check(BODIES[path.rsplit("/", 1)[-1]], body)


def test_every_request_is_listed() -> None:
    for path, methods in openapi()["paths"].items():
        for method in set(methods) - {"parameters"}:
            assert f"`{method.upper()} {path}`" in TEXT, path


def test_every_code_is_listed() -> None:
    listed = dict(re.findall(r"^\| `([a-z ]+)` \| ([A-Z].+) \|$", TEXT, re.MULTILINE))
    assert listed == denials.CODES


def test_every_way_to_be_cut_off_is_listed() -> None:
    codes = {value for value in vars(sockets).values() if isinstance(value, int) and value >= 1000}
    assert codes <= {int(code) for code in re.findall(r"^\| (\d{4}) \|", TEXT, re.MULTILINE)}


def test_every_kind_of_event_is_listed() -> None:
    table = TEXT.split("### Events")[1].split("`game` (`GameNews`)")[0]
    assert set(get_args(messages.What)) <= set(re.findall(r"`([a-z ]+)`", table))


def test_the_numbers_are_those_of_the_server() -> None:
    assert f"This is version {PROTOCOL}." in TEXT
    limits = settings.Limits()
    assert f"| {limits.burst} at once, then {limits.per_second:.0f} a second |" in TEXT
    assert f"| {limits.queue} messages | closed with 4008 |" in TEXT
    assert f"over HTTP too | {limits.write_seconds:.0f} s |" in TEXT
    assert f"a `Content-Length` | {settings.Settings().request_seconds:.0f} s |" in TEXT
    assert f"| fragments of a message | {protocols.MOST_FRAGMENTS} |" in TEXT
    assert f"| TCP connections of an address | {limits.tcp} |" in TEXT
    assert f"| {limits.strikes} times at once, then once a second | blocked for {limits.blocked_seconds:.0f} s" in TEXT
    assert f"a `hello` counts for {limits.hello}" in TEXT
    opened = f"{limits.connections} opened at once, then one a second"
    assert f"| connections of an address | {limits.sockets}; {opened} |" in TEXT
    assert f"| {limits.requests} at once, then one a second |" in TEXT
    assert f"| {limits.tables} at once, then one in two minutes |" in TEXT
    assert f"other than `hello`, `play`, `why` and `choose` | {limits.talk} at once, then one a second |" in TEXT
    assert f"| lists and books that an address asks for | {limits.reads} at once, then five a second |" in TEXT
    assert f"| records that an address asks for | {limits.records} at once, then one a second |" in TEXT
    assert f"| parts of replays that an address asks for | {limits.replays} at once, then two a second |" in TEXT
    files = "files of the browser client that an address asks for"
    assert f"| {files} | {limits.files} at once, then twenty a second |" in TEXT
    assert f"at most {replays.MOST_FRAMES}" in TEXT
    assert f"| spectators of a table | {limits.watching}, of them {limits.watching_together} of one address |" in TEXT
    assert (
        f"one more for every {live.NOTES_PER_FRAME} events and notes that are sent for it, up to {3 * limits.hello} |"
        in TEXT
    )
    assert f"| {limits.replayed:,} at once, then {limits.replayed_per_second:.0f} a second |" in TEXT
    stored = f"its length and {app.ENTRY_BYTES} bytes, the start of a game with {app.GAME_BYTES // 1000} kB"
    assert f"{stored} | {limits.disk // 10**6} MB at once, then {limits.disk_per_second / 1000:.0f} kB a second |" in TEXT
    assert f"| entries of a table's log, without old chat | {limits.entries:,};" in TEXT
    assert f"to which a player is connected, at most {lobby.MOST_LISTED} |" in TEXT
    assert f"| {settings.LARGEST_FRAME} bytes |" in TEXT
    usual = settings.Settings()
    assert f"| {usual.ping_seconds:.0f} s without a message | {usual.silence_seconds:.0f} s |" in TEXT
    for name, window in pace.WINDOWS.items():
        seconds = pace.TURN_SECONDS[name]
        turn = "no limit" if seconds is None else f"{seconds:.0f} s"
        assert f"| `{name}` | {turn} | {window.least:.0f} to {window.most:.0f} s |" in TEXT
    assert f"mostly about 2 s, at least {pace.BOTS_WINDOW.least} and at most {pace.BOTS_WINDOW.most} s" in TEXT
