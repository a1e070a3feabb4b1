"""Random bytes for fair deals, and checking them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from websockets.asyncio.server import ServerConnection

import fuda
from fuda.client import Promise, connect, fairness
from fuda.engine.fair import commitment_of, key_of
from fuda.protocol import messages
from fuda.protocol.messages import FromClient
from tests.client.fake import QUICK, FakeServer, asynchronous, fake_server, until

SECRET = bytes(range(32))
OURS = "0123456789abcdef" * 2


def given(fake: FakeServer) -> list[messages.GiveBytes]:
    return [message for message in fake.heard if isinstance(message, messages.GiveBytes)]


@asynchronous
async def test_bytes_are_given_once_for_each_game() -> None:
    async with fake_server() as fake, connect(fake.ticket(), times=QUICK) as table:
        await until(lambda: table.promises.get(1, Promise(1, "", "")).is_kept)
        await table.configure(chat=False)
        await fake.cut()
        await table.say("hello")
        assert [message.number for message in given(fake)] == [1]
        assert table.promises[1].commitment == "c0ffee"
        assert table.promises[1].bytes == given(fake)[0].bytes == fake.bytes["A"]
        await table.rematch()
        await until(lambda: 2 in table.promises and table.promises[2].is_kept)
        assert [message.number for message in given(fake)] == [1, 2]
        assert len({message.bytes for message in given(fake)}) == 2


@asynchronous
async def test_whoever_watches_gives_nothing() -> None:
    async with fake_server() as fake, connect(fake.link, times=QUICK):
        await fake.happen("configured")
        assert not given(fake)


@asynchronous
async def test_bytes_that_come_too_late_are_no_trouble() -> None:
    async def deny(socket: ServerConnection, message: FromClient) -> bool:
        if isinstance(message, messages.GiveBytes):
            await fake.say(socket, messages.Denied(message.id, "too late", "The cards have been dealt."))
        return isinstance(message, messages.GiveBytes)

    async with fake_server() as fake:
        fake.before = deny
        async with connect(fake.ticket(), times=QUICK) as table:
            await until(lambda: bool(given(fake)))
            await table.configure(chat=False)
            assert not table.promises[1].is_kept
            assert len(given(fake)) == 1


@asynchronous
async def test_a_promise_that_was_kept_elsewhere_is_given_again_if_it_did_not_arrive() -> None:
    async with fake_server() as fake, connect(fake.ticket(), promises=[Promise(1, "c0ffee", OURS)], times=QUICK):
        await until(lambda: fake.bytes.get("A") == OURS)


@asynchronous
async def test_nothing_is_given_against_another_commitment() -> None:
    async with fake_server() as fake, connect(fake.ticket(), promises=[Promise(1, "0ther", OURS)], times=QUICK) as table:
        await table.configure(chat=False)
        assert not given(fake)


# Checking -----------------------------------------------------------------------------------------


def record_of(given: dict[str, str]) -> dict[str, Any]:
    """The record of a fair game at the table "table"."""
    bytes_given = {seat: bytes.fromhex(digits) for seat, digits in given.items()}
    game = fuda.new("shinigami_preschool", 2, key_of(SECRET, "table", 1, bytes_given))
    while not game.over:
        game.play(game.moves()[0])
    fair = {
        "table": "table",
        "number": 1,
        "commitment": commitment_of(SECRET, "table", 1),
        "secret": SECRET.hex(),
        "bytes": given,
    }
    return game.record() | {"fair": fair}


PROMISE = Promise(1, commitment_of(SECRET, "table", 1), OURS, is_kept=True)


def test_a_fair_deal_is_found_fair() -> None:
    record = record_of({"A": OURS, "B": "ff" * 16})
    assert "your own random bytes were used" in fairness.check(record, "table", PROMISE)


def test_without_a_promise_only_the_record_is_checked() -> None:
    record = record_of({"A": OURS})
    assert "was not seen from here" in fairness.check(record, "table", None)


def test_bytes_that_came_too_late_are_said_to_have() -> None:
    record = record_of({"B": "ff" * 16})
    assert "too late" in fairness.check(record, "table", msgspec.structs.replace(PROMISE, is_kept=False))


def test_bytes_that_were_taken_and_not_used_are_found_out() -> None:
    with pytest.raises(fuda.Error, match="taken, but not used"):
        fairness.check(record_of({"B": "ff" * 16}), "table", PROMISE)


def test_another_secret_than_promised_is_found_out() -> None:
    with pytest.raises(fuda.Error, match="not the one that was promised"):
        fairness.check(record_of({"A": OURS}), "table", msgspec.structs.replace(PROMISE, commitment="00" * 32))


def test_a_record_of_another_table_is_found_out() -> None:
    with pytest.raises(fuda.Error, match="of table table, not of other"):
        fairness.check(record_of({"A": OURS}), "other", PROMISE)


def test_another_deal_is_detected() -> None:
    record = record_of({"A": OURS})
    record["fair"]["bytes"] = {"A": "ff" * 16}
    with pytest.raises(fuda.Error):
        fairness.check(record, "table", None)
