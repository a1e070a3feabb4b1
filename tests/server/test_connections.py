"""Connections: several tabs, repeated messages, reconnecting, heartbeats, restarts."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path
from typing import Final

import msgspec
import pytest

import fuda
from tests.server.clients import PING, Client, start
from tests.server.serving import FAST, Running, new_folder, served, serving

TWO: Final = "shinigami_preschool"
"""A game for two that is soon over."""


def asked_of(clients: list[Client]) -> tuple[Client, Client]:
    """The one who is asked, and somebody who is not."""
    asked = next(client for client in clients if client.ask_now)
    return asked, next(client for client in clients if client is not asked)


@served()
async def test_several_tabs_of_one_seat_get_the_same_and_the_first_answer_counts(running: Running) -> None:
    clients = await running.people(TWO, 2, pace="none")
    await start(clients)
    asked, other = asked_of(clients)
    tab = await running.come(asked.table_id, asked.cookie)
    assert tab.view == asked.view
    assert tab.ask_now == asked.ask_now
    assert asked.ask_now is not None
    since, move = asked.ask_now["since"], asked.ask_now["moves"][0]
    assert (await tab.ask("play", since=since, move=move))["kind"] == "done"
    assert await asked.denied("play", since=since, move=move) in ("not asked", "too late")
    await other.until(lambda: other.ask_now)
    for client in (tab, asked):
        await client.settled()
    assert (tab.version, tab.view) == (asked.version, asked.view)
    await tab.close()
    await other.settled()
    assert asked.you in other.here, "one of two tabs is still open"
    await asked.close()
    await other.until(lambda: asked.you not in other.here)


@served()
async def test_a_message_that_is_sent_again_acts_once(running: Running) -> None:
    ann, ben = await running.people(TWO, 2)
    first = await ben.ask("say", text="Once", id="same")
    again = await ben.ask("say", text="Once", id="same")
    assert first == again
    await ben.come_back()
    assert await ben.ask("say", text="Once", id="same") == first
    await ann.ask("say", text="Mine", id="same")
    await ann.until(lambda: len(ann.said) == 2)
    assert [line["text"] for line in ann.said] == ["Once", "Mine"]
    tab = await running.come(ben.table_id, ben.cookie)
    assert await tab.ask("say", text="Once", id="same") == first
    configured = await ann.ask("configure", id="nothing", pace=None)
    assert configured["kind"] == "done"
    assert await ann.ask("configure", id="nothing") == configured, "null means the same as left out"


@served()
async def test_an_id_is_not_used_for_another_message(running: Running) -> None:
    ann, ben = await running.people(TWO, 2, pace="none")
    await ben.do("say", text="Once", id="same")
    assert await ben.denied("say", text="Something else", id="same") == "used id"
    assert await ben.denied("react", reaction="wow", id="same") == "used id"
    assert await ben.denied("leave", id="same") == "used id"
    assert await ben.denied("device", id="same") == "used id"
    tab = await running.come(ben.table_id, ben.cookie)
    assert await tab.denied("say", text="From another tab", id="same") == "used id"
    await start([ann, ben])
    asked = ann if ann.ask_now else ben
    assert asked.ask_now is not None
    since, (move, other, *_) = asked.ask_now["since"], asked.ask_now["moves"]
    done = await asked.ask("play", since=since, move=move, id="move")
    assert done["kind"] == "done"
    assert await asked.denied("play", since=since, move=other, id="move") == "used id"
    assert await asked.denied("play", since=since + 1, move=move, id="move") == "used id"
    assert await asked.ask("play", since=since, move=move, id="move") == done
    assert [line["text"] for line in ben.said] == ["Once"]
    assert ben.you == "B"


@served()
async def test_a_link_is_repeated_and_its_id_is_not_used_for_anything_else(running: Running) -> None:
    ann, ben = await running.people(TWO, 2)
    link = await ben.ask("device", id="link")
    assert await ben.ask("device", id="link") == link
    assert await ben.denied("say", text="hello", id="link") == "used id"
    running.server.hall.unload(running.server.hall.tables[ben.table_id])
    await ben.come_back()
    assert await ben.denied("say", text="hello", id="link") == "used id"
    again = await ben.ask("device", id="link")
    assert (again["kind"], again["code"] != link["code"]) == ("link", True), "only the hash of the first is stored"
    assert await ben.ask("device", id="link") == again
    for code, status in ((link["code"], 403), (again["code"], 201)):
        response = await running.post(f"/api/tables/{ann.table_id}/claims", {"code": code})
        assert response.status_code == status


def test_the_ids_of_messages_are_known_after_a_restart(tmp_path: Path) -> None:
    async def do() -> None:
        async with serving(tmp_path) as running:
            ann, _ = await running.people(TWO, 2)
            first = await ann.ask("say", text="Once", id="same")
        async with serving(tmp_path) as running:
            again = await running.come(ann.table_id, ann.cookie)
            assert await again.ask("say", text="Once", id="same") == first
            assert await again.denied("say", text="Twice", id="same") == "used id"

    asyncio.run(do())


@served()
async def test_an_entry_of_an_older_version_does_not_tell_which_message_it_was(running: Running) -> None:
    """It is answered as it was then."""
    ann, _ = await running.people(TWO, 2)
    first = await ann.ask("say", text="Once", id="same")
    table = running.server.hall.tables[ann.table_id].table
    for key, handled in table.handled.items():
        table.handled[key] = msgspec.structs.replace(handled, digest="")
    assert await ann.ask("say", text="Something else", id="same") == first


@served()
async def test_what_was_denied_is_judged_anew_when_it_is_sent_again(running: Running) -> None:
    ann, ben = await running.people(TWO, 2)
    assert await ben.denied("start", id="again") == "not host"
    await ann.do("leave")
    await ben.do("furnish", seat="A", to="thumb")
    assert (await ben.ask("start", id="again"))["kind"] == "done"


@served()
async def test_who_comes_back_gets_what_was_missed_or_a_fresh_view(running: Running) -> None:
    ann, ben, cleo = await running.people("schadenfreude", 3, pace="none")
    await start([ann, ben, cleo])
    watcher = await running.come(ann.table_id, "", invite=ann.table["invite"])
    for client in (watcher, cleo):
        await client.close()
    for _ in range(3):
        asked = next((client for client in (ann, ben) if client.ask_now), None)
        if asked is None:
            break
        await asked.play((asked.ask_now or {})["moves"][0])
        await asyncio.gather(ann.settled(), ben.settled())
    await ann.do("say", text="Where are you?")
    for client in (watcher, cleo):
        seen = len(client.frames)
        await client.come_back(invite=ann.table["invite"])
        kinds = [json.loads(frame)["kind"] for frame in client.frames[seen:]]
        assert "welcome" not in kinds
        assert kinds.count("event") == len(client.frames[seen:]) - kinds.count("here") - kinds.count("done")
        fresh = await running.come(client.table_id, client.cookie, invite=ann.table["invite"])
        assert (client.view, client.table, client.news.get("ask")) == (fresh.view, fresh.table, fresh.news.get("ask"))
        assert client.version == fresh.version
        assert [line["text"] for line in client.said] == ["Where are you?"]


@served()
async def test_who_comes_back_is_told_who_is_here_now(running: Running) -> None:
    """Also if that is the same as what the others have been told last."""
    ann, ben = await running.people(TWO, 2)
    tab = await running.come(ann.table_id, ann.cookie)
    await tab.close()
    await ben.close()
    watcher = await running.come(ann.table_id, "", invite=ann.table["invite"])
    await ann.until(lambda: (ann.here, ann.watching) == (["A"], 1))
    await tab.come_back()
    await tab.settled()
    assert (tab.here, tab.watching) == (["A"], 1)
    assert watcher.watching == 1


@served()
async def test_who_comes_back_to_another_seat_is_welcomed_there(running: Running) -> None:
    ann, ben = await running.people(TWO, 2)
    await ben.close()
    await ann.do("swap", seat="A", other="B")
    await ben.come_back()
    assert (ben.you, ben.version) == ("A", ann.version)
    await ben.close()
    await ann.do("furnish", seat="A", to="thumb")
    await ben.come_back(invite=ann.table["invite"])
    assert ben.you is None


@pytest.mark.parametrize("known", [{"version": 0}, {"number": 7}, {"noted": 999}, {"version": 9999}], ids=str)
@served()
async def test_whoever_has_seen_what_cannot_be_gets_a_fresh_view(running: Running, known: dict[str, int]) -> None:
    clients = await running.people(TWO, 2, pace="none")
    await start(clients)
    seen = len(clients[0].frames)
    await clients[0].come_back(**known)
    assert any(json.loads(frame)["kind"] == "welcome" for frame in clients[0].frames[seen:])


@served()
async def test_the_server_answers_a_ping(running: Running) -> None:
    ann = (await running.people(TWO, 1, rest=["open"]))[0]
    await ann.settled()
    assert ann.pongs == 1


@served(ping_seconds=0.5, silence_seconds=2.5)
async def test_silent_connections_are_asked_whether_they_are_there_and_ended_if_not(running: Running) -> None:
    ann, ben = await running.people(TWO, 2)
    ben.is_awake = False
    await ben.until(lambda: ben.closed)
    assert ben.closed == 4009
    assert PING in ben.frames
    await ann.until(lambda: ann.here == ["A"])
    assert ann.closed is None


@served(hello_seconds=0.5)
async def test_who_does_not_say_hello_is_not_waited_for(running: Running) -> None:
    taken = await running.open(TWO)
    client = running.stranger(taken.table, taken.cookie)
    client.is_awake = False
    await client.connect()
    await closed(client)
    assert client.closed == 4009


@served()
async def test_another_version_of_the_protocol_is_told_so(running: Running) -> None:
    taken = await running.open(TWO)
    client = running.stranger(taken.table, taken.cookie)
    await client.connect()
    await client.send("hello", protocol=99)
    await client.until(lambda: client.closed)
    assert (client.closed, client.byes[-1]["code"], client.byes[-1]["again"]) == (4001, "other protocol", False)


async def closed(client: Client) -> None:
    await client.until(lambda: client.closed)


def test_a_restart_is_announced_and_the_game_goes_on() -> None:
    async def do() -> None:
        with new_folder() as folder:
            async with serving(folder) as running:
                clients = await running.people(TWO, 2, pace="none")
                await start(clients)
                running.clients.clear()  # they stay to the end
            for client in clients:
                await closed(client)
                assert (client.closed, client.byes[-1]["code"], client.byes[-1]["again"]) == (1012, "restart", True)
            async with serving(folder, tempo=FAST) as running:
                again = [await running.come(client.table_id, client.cookie) for client in clients]
                for before, after in zip(clients, again, strict=True):
                    assert (before.view, before.ask_now, before.version) == (after.view, after.ask_now, after.version)
                await asyncio.gather(*(client.play_on(random.Random(1)) for client in again))
                fuda.verify((await running.get(f"/api/tables/{again[0].table_id}/record")).json())

    asyncio.run(do())
