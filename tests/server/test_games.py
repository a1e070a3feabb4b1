"""Playing at a table: moves, refusals, deadlines, bots, spectators, chat, rematches."""

from __future__ import annotations

import asyncio
import gc
import random
import time
import weakref
from unittest.mock import patch

import pytest

import fuda
from fuda.protocol.parts import Pace
from fuda.server import entries
from fuda.server.pace import TURN_SECONDS, Tempo
from fuda.server.table import Table
from tests.server.clients import PATIENCE, Client, Taken, start
from tests.server.serving import Running, new_folder, served, serving

TWO = "shinigami_preschool"
"""A game for two that is soon over."""
REACTIONS = ["hello", "thanks", "well played", "good luck", "oops", "wow", "haha", "hurry up"]


def names(client: Client) -> list[str]:
    return [chair.get("name", "") for chair in client.table["chairs"]]


def asked_of(clients: list[Client]) -> tuple[Client, Client]:
    """The one who is asked, and somebody who is not."""
    asked = next(client for client in clients if client.ask_now)
    return asked, next(client for client in clients if client is not asked)


# Playing ------------------------------------------------------------------------------------------


@served()
async def test_a_refusal_carries_the_rule_and_the_facts(running: Running) -> None:
    clients = await running.people("schadenfreude", 3, pace="none")
    await start(clients)
    asked = next(client for client in clients if client.ask_now)
    other = next(client for client in clients if not client.ask_now)
    assert asked.ask_now is not None
    answer = await asked.ask("play", since=asked.ask_now["since"], move="dragon 7")
    assert (answer["code"], answer["rule"], answer["facts"]) == ("refused", "A-6", {"move": "dragon 7"})
    assert answer["text"]
    because = await other.ask("why", move="sword 7")
    assert (because["kind"], because["rule"]) == ("because", "A-4")
    legal = await asked.ask("why", move=asked.ask_now["moves"][0])
    assert "rule" not in legal
    since = asked.ask_now["since"]
    assert await other.denied("play", since=since, move="sword 7") == "not asked"
    move = asked.ask_now["moves"][0]
    assert (await asked.ask("play", since=since, move=move))["kind"] == "done"
    assert await asked.denied("play", since=since, move=move) in ("not asked", "too late")


@served()
async def test_a_game_is_played_to_its_end_and_again_with_the_same_people(running: Running) -> None:
    ann, ben = await running.people(TWO, 2, pace="none")
    assert await ann.denied("rematch") == "too early"
    for number in (1, 2):
        shown = ann.table["fair"]["commitment"]
        await start([ann, ben])
        await asyncio.gather(ann.play_on(random.Random(1)), ben.play_on(random.Random(2)))
        record = (await running.get(f"/api/tables/{ann.table_id}/record")).json()
        assert record["result"]["over"]
        assert fuda.replay(record).view("A") == ann.view
        fuda.verify(record)
        assert record["fair"]["secret"] == ann.table["fair"]["secret"]
        assert record["fair"]["commitment"] == shown, "as it was before the deal"
        assert (await running.get(f"/api/tables/{ann.table_id}/records/{number}")).json() == record
        if number == 1:
            await ben.do("rematch")
            await ann.until(lambda: ann.phase == "open")
            assert (ann.table["number"], names(ann)) == (2, ["P1", "P2"])
            assert ann.table["fair"]["commitment"] != shown
            assert "secret" not in ann.table["fair"]
            assert await ben.denied("rematch") == "too early"


# Time ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pace", ["relaxed", "normal", "quick", "none"])
@served(tempo=Tempo(bytes_wait=0.1))
async def test_every_question_has_a_deadline_by_the_pace(running: Running, pace: Pace) -> None:
    clients = await running.people(TWO, 2, pace=pace)
    await start(clients)
    asked, other = asked_of(clients)
    assert asked.ask_now is not None
    allowed = TURN_SECONDS[pace]
    for seconds in (asked.ask_now.get("seconds"), asked.news.get("seconds"), other.news.get("seconds")):
        assert seconds == (None if allowed is None else pytest.approx(allowed, abs=1))


@served(tempo=Tempo(speed=100))
async def test_whoever_does_not_answer_is_answered_for_and_after_the_second_time_played_for(running: Running) -> None:
    clients = await running.people(TWO, 2, pace="quick")
    await start(clients)
    sleepy, other = asked_of(clients)
    playing = asyncio.create_task(other.play_on(random.Random(1)))
    seat = sleepy.you
    await other.until(lambda: any(chair.get("played_for") for chair in other.table["chairs"]))
    moves = [one.entry for one in await running.log(other.table_id) if isinstance(one.entry, entries.Played)]
    assert [move.by for move in moves if move.seat == seat][:2] == ["clock", "clock"]
    (chair,) = [chair for chair in other.table["chairs"] if chair.get("played_for")]
    assert (chair["seat"], chair["kind"], chair["name"]) == (seat, "person", names(other)[chairs_before(other, seat)])
    assert (await sleepy.ask("why", move="pass"))["kind"] == "because", "any message takes the seat back"
    await other.until(lambda: other.phase == "over" or not any(chair.get("played_for") for chair in other.table["chairs"]))
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)


def chairs_before(client: Client, seat: str | None) -> int:
    return [chair["seat"] for chair in client.table["chairs"]].index(seat)


@served(tempo=Tempo(speed=100, gone=30))
async def test_whoever_is_gone_for_long_is_played_for_and_has_the_seat_back_on_return(running: Running) -> None:
    clients = await running.people(TWO, 2, pace="none")
    await start(clients)
    gone, other = asked_of(clients)
    left_at = time.monotonic()
    await gone.close()
    await other.until(lambda: gone.you not in other.here)
    await other.until(lambda: other.ask_now is not None)
    assert time.monotonic() - left_at > 0.25
    logged = [one.entry for one in await running.log(other.table_id)]
    assert any(isinstance(entry, entries.PlayedFor) and entry.seat == gone.you and entry.why == "gone" for entry in logged)
    assert any(isinstance(entry, entries.Played) and entry.seat == gone.you and entry.by == "bot" for entry in logged)
    await gone.come_back()
    await other.until(lambda: gone.you in other.here)
    assert not any(chair.get("played_for") for chair in gone.table["chairs"])
    assert gone.version == other.version


@served(tempo=Tempo(speed=100, gone=6000, silent=20))
async def test_the_others_need_not_wait_for_somebody_who_is_gone(running: Running) -> None:
    clients = await running.people(TWO, 3, pace="none")
    await start(clients)
    gone, other = asked_of(clients)
    assert await other.denied("stand in", seat=gone.you) == "present"
    assert await other.denied("stand in", seat=other.you) == "bad request"
    assert await other.denied("stand in", seat="H") == "bad request"
    watcher = await running.come(other.table_id, "", invite=other.table["invite"])
    assert await watcher.denied("stand in", seat=gone.you) == "not seated"
    await gone.close()
    await other.until(lambda: gone.you in other.gone)
    await other.do("stand in", seat=gone.you)
    await other.until(lambda: other.news["asked"] != [gone.you])


@served(tempo=Tempo(speed=100, grace=200, gone=6000))
async def test_somebody_who_has_just_lost_the_connection_is_given_some_seconds(running: Running) -> None:
    assert Tempo().grace == 10, "at the usual speed"
    clients = await running.people(TWO, 2, pace="none")
    await start(clients)
    gone, other = asked_of(clients)
    left_at = time.monotonic()
    await gone.close()
    await other.until(lambda: gone.you not in other.here)
    denied = await other.ask("stand in", seat=gone.you)
    name = other.table["chairs"]["AB".index(gone.you or "")]["name"]
    seconds = denied["facts"]["seconds"]
    assert (denied["code"], seconds in (1, 2)) == ("just left", True)
    assert denied["text"] == f"{name} has only just lost the connection: wait for {seconds} seconds."
    await other.until(lambda: other.gone == [gone.you])
    assert time.monotonic() - left_at > 2
    await other.do("stand in", seat=gone.you)
    await gone.come_back()
    await other.until(lambda: other.gone == [])


@served(tempo=Tempo(speed=100, grace=200, gone=6000))
async def test_the_seconds_begin_again_whenever_the_connection_is_lost(running: Running) -> None:
    clients = await running.people(TWO, 2, pace="none")
    await start(clients)
    gone, other = asked_of(clients)
    for _ in range(4):  # together longer than the grace
        await gone.close()
        await other.until(lambda: gone.you not in other.here)
        await asyncio.sleep(0.7)
        assert await other.denied("stand in", seat=gone.you) == "just left"
        await gone.come_back()
        await other.until(lambda: gone.you in other.here)
        assert other.gone == []


@served(tempo=Tempo(speed=100, silent=20))
async def test_where_there_is_no_deadline_the_others_may_ask_for_a_bot_after_a_while(running: Running) -> None:
    clients = await running.people(TWO, 2, pace="none")
    await start(clients)
    silent, other = asked_of(clients)
    async with asyncio.timeout(PATIENCE):
        while (await other.ask("stand in", seat=silent.you))["kind"] != "done":
            await asyncio.sleep(0.02)
    await other.until(lambda: other.ask_now is not None)


@served(idle_seconds=0.2)
async def test_a_table_with_no_person_sleeps_and_is_woken(running: Running) -> None:
    ann = (await running.people(TWO, 1, rest=["thumb"], pace="none"))[0]
    await start([ann])
    watcher = await running.come(ann.table_id, "", invite=ann.table["invite"])
    await ann.close()
    await watcher.until(lambda: watcher.here == [])
    autoplay = running.server.hall.tables[ann.table_id].autoplay
    await watcher.until(lambda: autoplay.next_time() == float("inf"))
    await watcher.settled()
    version = watcher.version
    await watcher.close()
    async with asyncio.timeout(PATIENCE):
        while ann.table_id in running.server.hall.tables:  # it is not even kept in memory
            await asyncio.sleep(0.1)
    await ann.come_back()
    assert ann.version >= version
    await ann.play_on(random.Random(3))
    assert ann.phase == "over"


@served(idle_seconds=0.2)
async def test_a_sleeping_table_is_freed_without_the_garbage_collector(running: Running) -> None:
    ann = (await running.people(TWO, 1, rest=["thumb"], pace="none"))[0]
    await start([ann])
    gc.collect()
    gc.disable()
    try:
        table = weakref.ref(running.server.hall.tables[ann.table_id].table)
        await ann.close()
        async with asyncio.timeout(PATIENCE):
            while table() is not None:
                await asyncio.sleep(0.05)
    finally:
        gc.enable()


@served()
async def test_a_game_that_the_deal_has_ended_is_over_and_can_be_replayed(running: Running) -> None:
    def ended_by_the_deal(table: Table) -> fuda.Game:
        return fuda.new("frantic", players=2, seed=22, options=table.options)

    with patch.object(Table, "new_game", ended_by_the_deal):
        clients = await running.people("frantic", 2, pace="none", options={"addon": False, "scored": False})
        await start(clients)
        for client in clients:
            assert (client.phase, client.view["winners"], client.ask_now) == ("over", ["A", "B"], None)
        path = f"/api/tables/{clients[0].table_id}/records/1"
        assert (await running.get(path)).json()["result"]["over"]
        assert len((await running.get(f"{path}/film?seat=open")).json()["frames"]) == 1
        await clients[0].do("rematch")
        await clients[1].until(lambda: clients[1].phase == "open")


def test_deadlines_are_stored_and_time_is_given_back_after_a_restart() -> None:
    async def do() -> None:
        with new_folder() as folder:
            async with serving(folder, tempo=Tempo(bytes_wait=0.1)) as running:
                clients = await running.people(TWO, 2, pace="quick")
                await start(clients)
                logged = await running.log(clients[0].table_id)
                (started,) = [one for one in logged if isinstance(one.entry, entries.Started)]
                assert isinstance(started.entry, entries.Started)
                assert started.entry.due == pytest.approx(started.at + 20, abs=1)
            async with serving(folder, tempo=Tempo(given_back=40)) as running:
                again = await running.come(clients[0].table_id, clients[0].cookie)
                assert again.news["seconds"] == pytest.approx(40, abs=1)

    asyncio.run(do())


# Leaving in the middle ----------------------------------------------------------------------------


@served()
async def test_a_bot_plays_on_for_whoever_leaves_until_somebody_else_takes_the_chair(running: Running) -> None:
    ann, ben = await running.people(TWO, 2, pace="none")
    await start([ann, ben])
    await ben.do("leave")
    await ben.until(lambda: ben.you is None)
    assert "ask" not in ben.news
    await ann.settled()
    chair = ann.table["chairs"][1]
    assert (chair["kind"], chair["name"]) == ("open", "Ben")
    await ann.until(lambda: ann.ask_now)
    invite = ann.table["invite"]
    taken = Taken(await running.post(f"/api/tables/{ann.table_id}/seats", {"name": "Cleo", "invite": invite}))
    cleo = await running.client(taken)
    assert cleo.you == "B"
    assert cleo.news["view"]["you"] == "B"
    await asyncio.gather(ann.play_on(random.Random(1)), cleo.play_on(random.Random(2)))
    record = (await running.get(f"/api/tables/{ann.table_id}/records/1")).json()
    fuda.verify(record)
    assert fuda.replay(record).view("B") == cleo.view


@served()
async def test_who_has_left_in_the_middle_may_have_the_same_chair_again_and_no_other(running: Running) -> None:
    ann, ben, cleo = await running.people(TWO, 3, pace="none")
    await start([ann, ben, cleo])
    await ben.do("leave")
    await cleo.do("leave")
    path = f"/api/tables/{ann.table_id}/seats"
    wish = {"name": "Ben", "invite": ann.table["invite"]}
    refused = await running.post(path, wish | {"seat": "C"}, cookie=ben.cookie)
    assert (refused.status_code, refused.json()["code"]) == (409, "taken")
    assert Taken(await running.post(path, wish, cookie=ben.cookie)).seat == "B"
    refused = await running.post(path, wish | {"name": "Ben again"}, cookie=ben.cookie)
    assert refused.status_code == 409, "somebody has taken it, and the other hand stays unseen"


@served()
async def test_the_record_can_be_checked_also_when_somebody_left_after_the_end(running: Running) -> None:
    ann, ben = await running.people(TWO, 2, pace="none")
    await start([ann, ben])
    await asyncio.gather(ann.play_on(random.Random(1)), ben.play_on(random.Random(2)))
    before = (await running.get(f"/api/tables/{ann.table_id}/records/1")).json()
    await ben.do("leave")
    await ann.do("close")
    after = await running.get(f"/api/tables/{ann.table_id}/records/1")
    assert after.status_code == 200, "a finished game keeps its address"
    assert after.json() == before
    fuda.verify(after.json())


# Watching and talking -----------------------------------------------------------------------------


@served()
async def test_spectators_see_what_all_may_know_and_do_nothing(running: Running) -> None:
    clients = await running.people("schadenfreude", 3, pace="none")
    await start(clients)
    watcher = await running.come(clients[0].table_id, "", invite=clients[0].table["invite"])
    await clients[0].until(lambda: clients[0].watching == 1)
    assert watcher.you is None
    assert "you" not in watcher.news["view"] or watcher.news["view"]["you"] is None
    assert "invite" not in watcher.table
    await watcher.settled()
    version = watcher.version
    for kind, fields in (
        ("play", {"since": 0, "move": "sword 7"}),
        ("say", {"text": "Hi"}),
        ("react", {"reaction": "wow"}),
        ("start", {}),
        ("leave", {}),
        ("close", {}),
        ("rematch", {}),
        ("device", {}),
        ("why", {"move": "sword 7"}),
        ("configure", {"chat": False}),
        ("luck", {"number": 1, "bytes": "00" * 16}),
        ("swap", {"seat": "A", "other": "B"}),
        ("furnish", {"seat": "A", "to": "open"}),
    ):
        assert await watcher.denied(kind, **fields) == "not seated"
    assert watcher.version == version
    asked, _ = asked_of(clients)
    await asked.play((asked.ask_now or {})["moves"][0])
    await watcher.until(lambda: watcher.version > version)


@served()
async def test_a_short_chat_and_eight_reactions_which_the_host_can_switch_off(running: Running) -> None:
    ann, ben = await running.people(TWO, 2)
    await ben.do("say", text="  Hello <b>all</b>\u202e ")
    await ann.until(lambda: ann.said)
    assert ann.said == [{"seat": "B", "name": "P2", "text": "Hello <b>all</b>"}]
    for reaction in REACTIONS:
        await ann.do("react", reaction=reaction)
    await ben.until(lambda: len(ben.said) == 9)
    assert [line.get("reaction") for line in ben.said[1:]] == REACTIONS
    assert await ann.denied("say", text="\u200b") == "bad text"
    assert await ann.denied("say", text="x" * 201) == "bad text"
    watcher = await running.come(ann.table_id, "", invite=ann.table["invite"])
    assert len(watcher.said) == 9
    await ann.do("configure", chat=False)
    for kind, fields in (("say", {"text": "Psst"}), ("react", {"reaction": "wow"})):
        assert await ben.denied(kind, **fields) == "silent"


@served()
async def test_the_host_closes_the_table_for_good(running: Running) -> None:
    ann, ben = await running.people(TWO, 2, public=True)
    assert await ben.denied("close") == "not host"
    await ann.do("close")
    await ben.until(lambda: ben.phase == "closed")
    assert ben.table["why_closed"]
    for client in (ann, ben):
        for kind, fields in (("start", {}), ("leave", {}), ("say", {"text": "Oh"}), ("close", {})):
            assert await client.denied(kind, **fields) == "closed"
    joining = await running.post(f"/api/tables/{ann.table_id}/seats", {"name": "Cleo", "invite": ann.table["invite"]})
    assert (joining.status_code, joining.json()["code"]) == (410, "closed")
    assert (await running.get("/api/tables")).json()["tables"] == []
