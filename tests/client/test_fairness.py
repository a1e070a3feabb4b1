"""Random bytes for fair deals, what a client keeps of a game, what it notices at once, and checking records."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from websockets.asyncio.server import ServerConnection

import fuda
from fuda.client import Doubt, Seen, TableClient, Verdict, connect, fairness
from fuda.protocol import messages
from fuda.protocol.messages import FromClient
from fuda.verification import NOTHING_SHOWN, shown_after
from tests.client.fake import QUICK, FakeServer, asynchronous, fake_server, until
from tests.fair_games import GIVEN, FairGame

OURS = "0123456789abcdef" * 2


def given(fake: FakeServer) -> list[messages.GiveBytes]:
    return [message for message in fake.heard if isinstance(message, messages.GiveBytes)]


def before_the_deal(commitment: str = "c0ffee") -> Seen:
    """What was kept from an earlier visit, before the deal."""
    return Seen("table", 1, "A", commitment, OURS)


# Bytes --------------------------------------------------------------------------------------------


@asynchronous
async def test_bytes_are_given_once_for_each_game() -> None:
    async with fake_server() as fake, connect(fake.ticket(), times=QUICK) as table:
        await until(lambda: table.seen[1].accepted)
        await table.configure(chat=False)
        await fake.cut()
        await table.say("hello")
        assert [message.number for message in given(fake)] == [1]
        assert table.seen[1].commitment == "c0ffee"
        assert table.seen[1].bytes == given(fake)[0].bytes == fake.bytes["A"]
        await table.rematch()
        await until(lambda: 2 in table.seen and table.seen[2].accepted)
        assert [message.number for message in given(fake)] == [1, 2]
        assert len({message.bytes for message in given(fake)}) == 2
        assert not table.doubts


@asynchronous
async def test_whoever_watches_gives_nothing() -> None:
    async with fake_server() as fake, connect(fake.link, times=QUICK) as table:
        await fake.happen("configured")
        assert not given(fake)
        assert table.seen[1] == Seen("table", 1, None, "c0ffee")


@asynchronous
async def test_a_client_whose_bytes_were_refused_reports_it_immediately() -> None:
    async def deny(socket: ServerConnection, message: FromClient) -> bool:
        if isinstance(message, messages.GiveBytes):
            await fake.say(socket, messages.Denied(message.id, "too late", "The cards have been dealt."))
        return isinstance(message, messages.GiveBytes)

    async with fake_server() as fake:
        fake.before = deny
        async with connect(fake.ticket(), times=QUICK) as table:
            doubt = await next_doubt(table)
            assert doubt == Doubt(
                1, "Game 1 cannot be proven to be fair: the server refused your random bytes. The cards have been dealt."
            )
            assert table.doubts == [doubt]
            assert not table.seen[1].accepted
            await deal(fake)
            await table.configure(chat=False)
            assert table.doubts == [doubt], "it is said once"
            assert len(given(fake)) == 1


@asynchronous
async def test_bytes_that_were_drawn_on_an_earlier_visit_are_given_again_if_they_did_not_arrive() -> None:
    async with fake_server() as fake, connect(fake.ticket(), seen=[before_the_deal()], times=QUICK):
        await until(lambda: fake.bytes.get("A") == OURS)


@asynchronous
async def test_bytes_that_the_server_shows_are_accepted_even_if_the_answer_was_lost() -> None:
    async with fake_server() as fake:
        fake.bytes["A"] = OURS
        async with connect(fake.ticket(), seen=[before_the_deal()], times=QUICK) as table:
            assert table.seen[1].accepted
            assert not given(fake)


@asynchronous
async def test_nothing_is_given_against_another_commitment() -> None:
    async with fake_server() as fake, connect(fake.ticket(), seen=[before_the_deal("0ther")], times=QUICK) as table:
        assert "has changed its commitment" in (await next_doubt(table)).text
        await table.configure(chat=False)
        assert not given(fake)
        assert table.seen[1].commitment == "0ther", "the one that was shown first"


# What is noticed at once --------------------------------------------------------------------------------


async def next_doubt(table: TableClient) -> Doubt:
    async for change in table:
        if isinstance(change, Doubt):
            return change
    raise AssertionError("the connection has ended")


async def deal(fake: FakeServer) -> None:
    fake.game = fuda.new("schadenfreude", 3, 7)
    fake.phase = "playing"
    await fake.happen("started", noted=0)


@asynchronous
async def test_a_deal_without_our_bytes_is_reported_as_soon_as_it_is_dealt() -> None:
    async with fake_server() as fake, connect(fake.ticket(), times=QUICK) as table:
        await until(lambda: table.seen[1].accepted)
        fake.bytes["A"] = "ff" * 16
        await deal(fake)
        assert (await next_doubt(table)).text.endswith("it was dealt without random bytes of yours.")


@asynchronous
async def test_a_spectator_is_told_of_a_deal_without_bytes() -> None:
    async with fake_server() as fake, connect(fake.link, times=QUICK) as table:
        await deal(fake)
        assert (await next_doubt(table)).text.endswith("it was dealt without random bytes of any player.")


@asynchronous
async def test_a_deal_with_our_bytes_gives_no_reason_to_doubt() -> None:
    async with fake_server() as fake, connect(fake.ticket(), times=QUICK) as table:
        await until(lambda: table.seen[1].accepted)
        await deal(fake)
        await fake.make_move()
        await table.configure(chat=False)
        assert table.seen[1].moves == 1
        assert table.doubts == []


@asynchronous
async def test_a_server_that_sends_no_chain_is_reported() -> None:
    def without_chain(frame: str) -> list[str]:
        message = json.loads(frame)
        if message.get("game"):
            message["game"].pop("chain", None)
        return [json.dumps(message)]

    async with fake_server() as fake, connect(fake.link, times=QUICK) as table:
        fake.sends.append(without_chain)
        fake.bytes["A"] = OURS
        await deal(fake)
        assert "sends no chain over the moves" in (await next_doubt(table)).text
        assert table.seen[1].chain == ""


# What is kept ---------------------------------------------------------------------------------------


@asynchronous
async def test_a_client_keeps_the_chain_and_the_digest_of_what_it_was_shown() -> None:
    async with fake_server() as fake, connect(fake.ticket(), times=QUICK) as table:
        await until(lambda: table.seen[1].accepted)
        await deal(fake)
        for moves in range(1, 9):
            await fake.make_move()
            if moves == 4:
                await fake.cut()
            await table.configure(chat=False)
            assert fake.game is not None
            history = fake.game.view("A")["history"]
            assert table.seen[1] == Seen(
                *("table", 1, "A", "c0ffee", fake.bytes["A"], True, moves, fake.chain()),
                *(len(history), shown_after(NOTHING_SHOWN, history)),
            )
        fake.phase = "closed"
        await fake.happen("closed")
        await until(lambda: table.seen[1].closed)
        assert table.doubts == []


@pytest.mark.parametrize("other", ["moves", "notes", "fewer moves"])
@asynchronous
async def test_what_was_seen_first_stays_if_the_server_tells_something_else_later(other: str) -> None:
    """It is the evidence: whatever the server records, one of the two differs."""
    async with fake_server() as fake:
        async with connect(fake.ticket(), times=QUICK) as table:
            await until(lambda: table.seen[1].accepted)
            await deal(fake)
            for _ in range(6):
                await fake.make_move()
            await table.configure(chat=False)
            first = table.seen[1]
        assert fake.game is not None
        moves = fake.game.played[:]
        fake.game = fuda.new("schadenfreude", 3, 7)
        if other != "fewer moves":
            fake.game = fuda.new("schadenfreude", 3, 8 if other == "notes" else 7)
            while len(fake.game.played) < 6:
                fake.game.play(fake.game.moves()[-1])
        if other == "notes":
            fake.game.played = moves
        async with connect(fake.ticket(), seen=[first], times=QUICK) as table:
            assert (await next_doubt(table)).text.endswith("the server tells something else about its moves than before.")
            while len(fake.game.played) < 8:
                fake.game.play(fake.game.moves()[-1])
            await fake.make_move()
            await table.configure(chat=False)
            assert table.seen[1] == first


# Checking -----------------------------------------------------------------------------------------


def checked(played: FairGame, *seen: Seen, table: str = "oak") -> Verdict:
    return fairness.check(json.loads(json.dumps(played.record())), table, {one.number: one for one in seen})


def test_a_fair_deal_that_was_seen_from_here_is_proven() -> None:
    played = FairGame().play()
    verdict = checked(played, played.seen())
    assert verdict.name == "proven"
    assert "Your own bytes were used." in verdict.checked


def test_without_what_was_seen_only_the_record_is_checked() -> None:
    verdict = checked(FairGame().play())
    assert verdict.name == "proven"
    assert verdict.unknown


def test_bytes_that_came_too_late_leave_the_deal_unproven() -> None:
    played = FairGame(given={"C": GIVEN["C"]}).play()
    verdict = checked(played, msgspec.structs.replace(played.seen(), bytes=OURS))
    assert verdict.name == "not proven"
    assert "Not proven: your own bytes were not used: the server refused them, or they came too late." in str(verdict)


def test_bytes_that_were_accepted_and_not_used_are_wrong() -> None:
    played = FairGame(given={"C": GIVEN["C"]}).play()
    verdict = checked(played, msgspec.structs.replace(played.seen(), bytes=OURS, accepted=True))
    assert verdict.name == "wrong"
    assert str(verdict) == "Your own bytes were accepted by the server, but not used for the deal."


def test_another_secret_than_the_server_committed_to_is_wrong() -> None:
    played = FairGame().play()
    assert checked(played, msgspec.structs.replace(played.seen(), commitment="00" * 32)).name == "wrong"


def test_a_record_of_another_table_is_wrong() -> None:
    assert checked(FairGame().play(), table="elm").wrong == "The record is of table oak, not of elm."


def test_a_record_of_a_running_game_cannot_be_checked() -> None:
    redacted: dict[str, Any] = {"redacted": "A", "moves": 3, "view": {}, "fair": {}}
    with pytest.raises(fuda.Error, match="This is not a record"):
        fairness.check(redacted, "oak", {})
