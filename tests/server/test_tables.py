"""Tables: opening, listing, joining, chairs, starting, leaving."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any

import pytest

import fuda
from fuda.server.pace import Tempo
from tests.server.clients import Client, Taken, start
from tests.server.serving import Running, served

TWO = "shinigami_preschool"
"""A game for two that is soon over."""


async def refused(running: Running, **wishes: Any) -> tuple[int, str]:
    """The status and the code with which a table is denied."""
    response = await running.post("/api/tables", {"game": "schadenfreude", "name": "Ann", **wishes})
    return response.status_code, response.json()["code"]


async def not_seated(running: Running, at: Taken, **wishes: Any) -> tuple[int, str]:
    response = await running.post(f"/api/tables/{at.table}/seats", {"name": "Ben", "invite": at.invite, **wishes})
    return response.status_code, response.json()["code"]


def kinds(client: Client) -> list[str]:
    return [chair.get("bot") or chair["kind"] for chair in client.table["chairs"]]


def names(client: Client) -> list[str]:
    return [chair.get("name", "") for chair in client.table["chairs"]]


# Opening ------------------------------------------------------------------------------------------


@served()
async def test_a_table_is_opened_with_a_game_options_chairs_and_a_pace(running: Running) -> None:
    taken = await running.open(
        "schadenfreude", chairs=["open", "me", "thumb", "closed"], options={"target": 20}, pace="quick", chat=False
    )
    assert taken.seat == "B"
    ann = await running.client(taken)
    assert kinds(ann) == ["open", "person", "thumb", "closed"]
    assert ann.table["options"] == {"target": 20}
    assert (ann.table["pace"], ann.table["chat"], ann.table["public"]) == ("quick", False, False)
    assert (ann.table["phase"], ann.table["number"], ann.you) == ("open", 1, "B")
    assert [chair["seat"] for chair in ann.table["chairs"] if chair.get("host")] == ["B"]


@served()
async def test_without_more_words_the_other_chairs_are_open(running: Running) -> None:
    assert kinds(await running.client(await running.open("frantic"))) == ["person", "open", "open", "open"]
    assert kinds(await running.client(await running.open("cursed_tricks", players=3))) == ["person", "open", "open"]


@pytest.mark.parametrize(
    "wishes",
    [
        {"game": "poker"},
        {"players": 2},
        {"players": 6},
        {"players": -1},
        {"players": 10**20},
        {"chairs": []},
        {"chairs": ["me", "me", "open"]},
        {"chairs": ["open", "open", "open"]},
        {"chairs": ["me", "open", "genius"]},
        {"chairs": ["me", "closed", "closed"]},
        {"chairs": ["me", *["open"] * 7]},
        {"chairs": ["me", "open", "open"], "players": 4},
        {"options": {"target": -1}},
        {"options": {"target": 10**30}},
        {"options": {"speed": 3}},
        {"options": {"target": "many"}},
    ],
    ids=str,
)
@served()
async def test_a_table_that_cannot_be_is_not_opened(running: Running, wishes: dict[str, Any]) -> None:
    assert await refused(running, **wishes) == (400, "bad table")


@served()
async def test_public_tables_are_listed_with_who_is_there_and_how_many_chairs_are_open(running: Running) -> None:
    await running.client(await running.open("frantic", "Hidden"))
    shown = await running.open("kirifu", "Ann", public=True, pace="relaxed", chairs=["me", "open", "thumb", "closed"])
    ann = await running.client(shown)
    assert (await running.get("/api/tables")).json()["tables"] == [
        {
            "id": shown.table,
            "game": "kirifu",
            "phase": "open",
            "host": "Ann",
            "people": 1,
            "open": 1,
            "players": 3,
            "pace": "relaxed",
        }
    ]
    ben = await running.client(Taken(await running.post(f"/api/tables/{shown.table}/seats", {"name": "Ben"})))
    (listed,) = (await running.get("/api/tables")).json()["tables"]
    assert (listed["people"], listed["open"]) == (2, 0)
    await start([ann, ben])
    (listed,) = (await running.get("/api/tables")).json()["tables"]
    assert listed["phase"] == "playing"
    await ann.do("configure", public=False)
    assert (await running.get("/api/tables")).json()["tables"] == []


# Sitting down -------------------------------------------------------------------------------------


@served()
async def test_friends_take_seats_by_the_invitation(running: Running) -> None:
    ann = await running.open("frantic", chairs=["open", "me", "open", "thumb"])
    host = await running.client(ann)
    ben = await running.sit(ann, "Ben")
    assert ben.seat == "A"
    assert ben.invite == ann.invite
    cleo = await running.sit(ann, "Cleo", seat="C")
    assert cleo.seat == "C"
    await host.until(lambda: names(host) == ["Ben", "Ann", "Cleo", "Dora"])
    assert await not_seated(running, ann, name="Emil") == (409, "full")


@served()
async def test_a_seat_that_is_taken_or_closed_or_a_bots_is_not_given(running: Running) -> None:
    ann = await running.open("frantic", chairs=["me", "open", "closed", "thumb"])
    for seat in "ACD":
        assert await not_seated(running, ann, seat=seat) == (409, "taken")
    assert await not_seated(running, ann, seat="E") == (409, "taken")
    assert await not_seated(running, ann, seat="Z") == (400, "bad request")


@served()
async def test_a_table_that_is_not_public_needs_its_invitation(running: Running) -> None:
    ann = await running.open("frantic")
    for invite in (None, "", "wrong", ann.invite[:-1], ann.invite.upper() + "0"):
        status, code = await not_seated(running, ann, invite=invite)
        assert (status, code) == ((403, "no entry") if invite != "" else (400, "bad request"))


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("A", "A"),
        ("x" * 24, "x" * 24),
        ("  Zoë \t\n van  der\u00a0Berg ", "Zoë van der Berg"),
        ("Mu\u0308ller", "M\u00fcller"),
        ("\u202egnp.exe\u200b", "gnp.exe"),
        ("<b>Bob</b>", "<b>Bob</b>"),
        ("札幌の猫", "札幌の猫"),
        ("🂡🃏", "🂡🃏"),
    ],
)
@served()
async def test_a_name_is_what_can_be_seen_of_it(running: Running, name: str, shown: str) -> None:
    ann = await running.client(await running.open("frantic", name))
    assert names(ann)[0] == shown


@pytest.mark.parametrize("name", [" ", "\u200b\u2060", "x" * 25, "\u3164", "\u0301", "x" * 97, ""])
@served()
async def test_a_name_has_1_to_24_characters_that_can_be_seen(running: Running, name: str) -> None:
    code = "bad request" if len(name) > 96 or not name else "bad name"
    assert await refused(running, name=name) == (400, code)
    ann = await running.open("frantic")
    assert await not_seated(running, ann, name=name) == (400, code)


@served()
async def test_a_name_is_nobody_elses_at_the_table(running: Running) -> None:
    ann = await running.open("frantic", "Ann", chairs=["me", "open", "open", "thumb"])
    host = await running.client(ann)
    for name in ("Ann", "ann", " ANN\u200b", "Dora", "dora"):
        assert await not_seated(running, ann, name=name) == (409, "taken")
    await running.sit(ann, "Ben", seat="C")
    await host.do("furnish", seat="B", to="thumb")
    assert names(host) == ["Ann", "Ben (bot)", "Ben", "Dora"]


@served()
async def test_a_seat_is_left_and_somebody_else_takes_it(running: Running) -> None:
    ann, ben = await running.people("frantic", 2, rest=["open"])
    assert (await ben.ask("leave"))["kind"] == "done"
    await ben.until(lambda: ben.you is None)
    assert "invite" not in ben.table
    await ann.settled()
    assert kinds(ann) == ["person", "open", "open"]
    taken = Taken(
        await running.post(f"/api/tables/{ann.table_id}/seats", {"name": "P2", "invite": ann.table["invite"], "seat": "B"})
    )
    assert taken.seat == "B"


@served()
async def test_a_request_for_a_seat_may_be_sent_again(running: Running) -> None:
    host = await running.open(TWO, chairs=["me", "open", "open"])
    first = await running.sit(host, "Ben", id="a-long-random-number")
    ben = await running.client(first)
    again = await running.sit(host, "Ben", id="a-long-random-number")
    assert again.seat == first.seat
    assert again.token != first.token
    await ben.until(lambda: ben.closed)
    assert (await running.client(again)).you == first.seat
    other = await running.sit(host, "Cleo", id="another-random-number")
    assert other.seat != first.seat
    twice = await running.post(f"/api/tables/{host.table}/seats", {"name": "X", "invite": host.invite}, cookie=other.cookie)
    assert (twice.status_code, twice.json()["seat"]) == (200, other.seat), "who sits there needs no second seat"
    assert "set-cookie" not in twice.headers


@served()
async def test_when_the_host_leaves_the_one_who_came_next_is_host(running: Running) -> None:
    ann, ben, cleo = await running.people("frantic", 3)
    assert await cleo.denied("furnish", seat="B", to="thumb") == "not host"
    await ann.do("leave")
    await ben.until(lambda: ben.table["chairs"][1].get("host"))
    await ben.do("furnish", seat="A", to="thumb")
    await ben.do("leave")
    await cleo.until(lambda: cleo.table["chairs"][2].get("host"))


# Before the start ---------------------------------------------------------------------------------


@served()
async def test_the_host_swaps_anybody_and_others_move_to_open_chairs(running: Running) -> None:
    ann, ben, cleo = await running.people("frantic", 3, rest=["open", "thumb"])
    await ann.do("swap", seat="A", other="C")
    await cleo.until(lambda: cleo.you == "A")
    assert (ann.you, names(ann)[:3]) == ("C", ["P3", "P2", "P1"])
    await ann.do("swap", seat="A", other="E")
    await cleo.until(lambda: cleo.you == "E")
    await ben.do("swap", seat="D", other="B")
    await ben.until(lambda: ben.you == "D")
    assert await ben.denied("swap", seat="D", other="C") == "taken"
    assert await ben.denied("swap", seat="A", other="C") == "not host"
    assert await ben.denied("swap", seat="D", other="D") == "bad request"
    assert await ben.denied("swap", seat="D", other="H") == "bad request"
    await ann.settled()
    assert kinds(ann) == ["thumb", "open", "person", "person", "person"]


@served()
async def test_the_host_furnishes_the_chairs_and_whoever_sat_there_has_to_go(running: Running) -> None:
    ann, ben = await running.people("frantic", 2, rest=["open", "open"])
    await ann.do("furnish", seat="C", to="random")
    await ann.do("furnish", seat="D", to="closed")
    await ann.do("furnish", seat="B", to="open")
    await ben.until(lambda: ben.closed)
    assert (ben.closed, ben.byes[-1]["code"], ben.byes[-1]["again"]) == (4003, "removed", False)
    assert kinds(ann) == ["person", "open", "random", "closed"]
    old, new = ben.table["invite"], ann.table["invite"]
    for invite, status in ((old, 403), (new, 201)):
        again = await running.post(f"/api/tables/{ann.table_id}/seats", {"name": "P2", "invite": invite})
        assert again.status_code == status, "whoever had to go knows the old invitation"
    await ann.do("furnish", seat="C", to="open")
    assert ann.table["invite"] == new, "a bot knows none"
    for seat, to in (("A", "thumb"), ("B", "me"), ("H", "open")):
        assert await ann.denied("furnish", seat=seat, to=to) == "bad request"
    assert await ann.denied("furnish", seat="B", to="genius") == "bad table"


@served()
async def test_whoever_stands_in_for_the_host_sends_nobody_away(running: Running) -> None:
    ann, ben, cleo = await running.people("frantic", 3, rest=["open"])
    await ann.close()
    await ben.until(lambda: ben.acting_host == "B")
    await ben.do("furnish", seat="D", to="thumb")
    for seat in ("A", "C"):
        assert await ben.denied("furnish", seat=seat, to="open") == "not host"
    await ann.come_back()
    await ann.do("furnish", seat="C", to="open")
    await cleo.until(lambda: cleo.closed)


@served(tempo=Tempo(speed=100, grace=200))
async def test_nobody_stands_in_for_a_host_who_has_just_lost_the_connection(running: Running) -> None:
    ann, ben, cleo = await running.people("frantic", 3, rest=["open"])
    await ben.settled()
    assert ben.acting_host == "A"
    left_at = time.monotonic()
    await ann.close()
    await ben.until(lambda: ben.here == ["B", "C"])
    denied = await ben.ask("furnish", seat="D", to="thumb")
    seconds = denied["facts"]["seconds"]
    assert (denied["code"], seconds in (1, 2)) == ("just left", True)
    assert denied["text"] == f"P1 has only just lost the connection: wait for {seconds} seconds."
    assert await ben.denied("configure", pace="none") == "just left"
    assert await ben.denied("swap", seat="A", other="C") == "just left"
    assert await cleo.denied("furnish", seat="D", to="thumb") == "not host", "Ben comes before Cleo"
    await ben.do("swap", seat="B", other="D")
    await ben.until(lambda: ben.you == "D")
    await ben.until(lambda: ben.acting_host == "D")
    assert time.monotonic() - left_at > 2
    assert cleo.acting_host == "D"
    await ben.do("furnish", seat="B", to="thumb")
    assert await cleo.denied("furnish", seat="B", to="closed") == "not host"
    await ann.come_back()
    await ben.until(lambda: ben.acting_host == "A")
    assert await ben.denied("furnish", seat="B", to="closed") == "not host"


@served(tempo=Tempo(speed=100, grace=100))
async def test_whoever_has_sat_there_longest_and_is_not_gone_acts_as_host(running: Running) -> None:
    ann, ben, cleo = await running.people("frantic", 3, rest=["open"])
    await ann.close()
    await cleo.until(lambda: cleo.acting_host == "B")
    await ben.close()
    await cleo.until(lambda: cleo.here == ["C"])
    assert await cleo.denied("configure", pace="none") == "just left"
    await cleo.until(lambda: cleo.acting_host == "C")
    await cleo.do("configure", pace="none")


@served()
async def test_the_host_changes_pace_and_chat_and_whether_it_is_public(running: Running) -> None:
    ann, ben = await running.people(TWO, 2)
    await ann.do("configure", pace="relaxed")
    await ann.do("configure", public=True, chat=False)
    await ben.until(lambda: not ben.table["chat"])
    assert (ben.table["pace"], ben.table["public"]) == ("relaxed", True)
    assert await ben.denied("configure", pace="none") == "not host"


@served()
async def test_the_game_starts_when_no_chair_is_empty_and_only_the_host_starts_it(running: Running) -> None:
    ann, ben = await running.people("frantic", 2, rest=["open"])
    assert await ann.denied("start") == "empty"
    assert await ben.denied("start") == "not host"
    await ann.do("furnish", seat="C", to="closed")
    await start([ann, ben])
    assert await ann.denied("start") == "too late"
    for kind, fields in (("swap", {"seat": "A", "other": "B"}), ("furnish", {"seat": "B", "to": "thumb"})):
        assert await ann.denied(kind, **fields) == "too late"


@served()
async def test_too_few_at_the_table_cannot_start(running: Running) -> None:
    ann = await running.client(await running.open("schadenfreude", chairs=["me", "thumb", "thumb", "thumb"]))
    await ann.do("furnish", seat="B", to="closed")
    await ann.do("furnish", seat="C", to="closed")
    assert await ann.denied("start") == "bad table"


@served()
async def test_closed_chairs_are_carried_away_and_the_others_move_up(running: Running) -> None:
    first = await running.open("kirifu", "Ann", chairs=["closed", "me", "closed", "open", "thumb"], pace="none")
    second = await running.sit(first, "Ben")
    ann, ben = await running.client(first), await running.client(second)
    assert (ann.you, ben.you) == ("B", "D")
    await start([ann, ben])
    assert (ann.you, ben.you) == ("A", "B")
    assert names(ann) == ["Ann", "Ben", "Cleo"]
    assert [*ann.news["view"]["hands"]] == ["A", "B", "C"]
    bytes_given = ann.table["fair"]["bytes"]
    assert [*bytes_given] == ["A", "B"]
    await asyncio.gather(*(one.play_on(random.Random(1)) for one in (ann, ben)))
    fuda.verify((await running.get(f"/api/tables/{first.table}/record")).json())


@served()
async def test_one_person_with_bots_starts_with_one_request(running: Running) -> None:
    taken = await running.open(TWO, start=True)
    ann = await running.client(taken)
    await ann.give_bytes()
    await ann.until(lambda: ann.phase == "playing")
    assert kinds(ann) == ["person", "thumb", "thumb", "thumb"]
    assert await refused(running, chairs=["me", "open", "thumb"], start=True) == (400, "empty")


@served()
async def test_the_bytes_that_a_seat_has_given_stay(running: Running) -> None:
    """Otherwise one of two tabs would find that its bytes were taken, but not used."""
    ann, _ = await running.people(TWO, 2)
    await ann.give_bytes()
    given = ann.table["fair"]["bytes"]
    tab = await running.come(ann.table_id, ann.cookie)
    assert await tab.denied("luck", number=1, bytes="00" * 16) == "too late"
    assert ann.table["fair"]["bytes"] == given


@served(tempo=Tempo(bytes_wait=0.3))
async def test_the_start_waits_for_the_bytes_of_a_host_who_is_slow_to_connect(running: Running) -> None:
    taken = await running.open(TWO, start=True)
    await asyncio.sleep(0.5)
    ann = await running.client(taken)
    await ann.give_bytes()
    await ann.until(lambda: ann.phase == "playing")
    assert [*ann.table["fair"]["bytes"]] == ["A"]


@served(tempo=Tempo(bytes_wait=0.05))
async def test_the_start_does_not_wait_for_ever_for_random_bytes(running: Running) -> None:
    ann, ben = await running.people(TWO, 2)
    await ann.give_bytes()
    await ann.do("start")
    await ann.until(lambda: ann.phase == "playing")
    assert [*ann.table["fair"]["bytes"]] == ["A"]
    assert await ben.denied("luck", number=1, bytes="00" * 16) == "too late"
    assert await ben.denied("luck", number=2, bytes="00" * 16) == "wrong number"
