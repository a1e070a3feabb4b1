"""A damaged row of the database concerns its own table and nothing else, and whoever comes to that table is told."""

from __future__ import annotations

import contextlib
import json
import random
import sqlite3
import time
from collections.abc import Callable
from typing import Any, Final

import msgspec
import pytest
from websockets.exceptions import InvalidStatus

from fuda.protocol.parts import Pace
from fuda.server import clock, entries, tokens
from fuda.server.entries import WRITE, AnyEntry, Logged
from fuda.server.hall import table_from
from fuda.server.log_reader import Damaged
from fuda.server.store import Row
from fuda.server.summaries import summary_of
from fuda.server.table import Table
from tests.server.clients import Client, start
from tests.server.serving import Running, served

GAME: Final = "shinigami_preschool"
TOKEN: Final = "ab" * 16
DAMAGED: Final = "damagedtable"


class NotText(bytes):
    """What stands in the database as a text that is not UTF-8."""


NOT_TEXT: Final = b'{"kind":"spoke","seat":"A","text":"\xff\xfe"}'
DEEP: Final = '{"kind":"spoke","seat":"A","text":' + "[" * 100_000


class Rows:
    """The log of a table, to be damaged: each row is a number, a time and JSON."""

    def __init__(self, table: Table, logged: list[Logged]) -> None:
        self.table = table
        self.rows: list[list[Any]] = [[one.number, one.at, WRITE.encode(one.entry).decode()] for one in logged]

    def place(self, kind: type[AnyEntry], nth: int = 0) -> int:
        """The number of the n-th entry of this kind; from the end, if negative."""
        tag = kind.__struct_config__.tag
        return int([row[0] for row in self.rows if json.loads(row[2])["kind"] == tag][nth])

    def edit(self, number: int, **fields: Any) -> int:
        row = self.rows[number - 1]
        row[2] = json.dumps(json.loads(row[2]) | fields)
        return number

    def replace(self, number: int, data: object) -> int:
        self.rows[number - 1][2] = data
        return number

    def add(self, entry: AnyEntry) -> int:
        self.rows.append([len(self.rows) + 1, time.time(), WRITE.encode(entry).decode()])
        return len(self.rows)


class Play:
    """Makes the log of a table by the rules."""

    def __init__(self, pace: Pace = "none") -> None:
        self.table = Table(DAMAGED)
        self.logged: list[Logged] = []
        self.random = random.Random(1)
        self.enter(entries.Opened(GAME, {"rounds": 1}, ["open", "open"], True, pace, True, "12" * 16, "34" * 32))
        self.enter(entries.Sat("A", "Ann", tokens.hashed(TOKEN)))
        self.enter(entries.Sat("B", "Ben", tokens.hashed("cd" * 16)))

    def enter(self, entry: AnyEntry) -> None:
        self.logged.append(Logged(len(self.logged) + 1, time.time() - 1000 + len(self.logged), entry))
        self.table.apply(self.logged[-1])

    def start(self) -> None:
        self.enter(entries.BytesGiven("A", "56" * 16))
        self.enter(entries.Starting())
        game = self.table.new_game()
        self.enter(entries.Started(game.rules.version, tuple(game.outcomes())))

    def play(self, moves: int = 1000) -> None:
        game = self.table.game
        assert game is not None
        for _ in range(moves):
            if game.over:
                return
            seat = next(seat for seat in self.table.seats if seat == game.seat)
            entry = entries.Played(seat, self.random.choice(game.moves()), "person")
            outcomes = tuple(self.table.attempt(entry).outcomes)
            self.enter(msgspec.structs.replace(entry, chance=outcomes))


def two_games() -> Rows:
    """A finished game, and one in the middle."""
    play = Play()
    play.start()
    play.play()
    play.enter(entries.Reopened("78" * 32))
    play.start()
    play.play(5)
    return Rows(play.table, play.logged)


def placeholder(value: object) -> str:
    return "CAST(? AS TEXT)" if isinstance(value, NotText) else "?"


async def store(running: Running, rows: Rows) -> None:
    """Writes the log past the server, with whatever types its values have."""
    await running.server.hall.store.create(summary_of(rows.table), [(0.0, b"{}")])
    await running.server.hall.store.mark_seen([DAMAGED], clock.now())
    change(running, "DELETE FROM entries WHERE table_id = ?", DAMAGED)
    insert(running, rows.rows)


def change(running: Running, statement: str, *values: object) -> None:
    """Changes the database past the server."""
    with contextlib.closing(sqlite3.connect(running.server.settings.db)) as connection, connection:
        connection.execute(statement, values)


def insert(running: Running, rows: list[list[Any]]) -> None:
    for number, at, data in rows:
        statement = f"INSERT INTO entries (table_id, number, at, data) VALUES (?, ?, ?, {placeholder(data)})"  # noqa: S608 - only "?" or a cast
        change(running, statement, DAMAGED, number, at, data)


Answer = tuple[int, dict[str, Any]]
"""The status of an answer over HTTP, and what it says."""


async def answers_at(running: Running) -> dict[str, Answer]:
    """What everybody is told who comes to the table."""
    base = f"/api/tables/{DAMAGED}"
    cookie = f"fuda-{DAMAGED}={TOKEN}"
    responses = {
        "record": await running.get(f"{base}/record", cookie),
        "join": await running.post(f"{base}/seats", {"name": "Cleo", "invite": "12" * 16}),
        "claim": await running.post(f"{base}/claims", {"code": "9" * 32}),
        "finished record": await running.get(f"{base}/records/1"),
        "replay": await running.get(f"{base}/records/1/film"),
    }
    answers = {name: (response.status_code, response.json()) for name, response in responses.items()}
    return answers | {"socket": await socket_answer(running, cookie)}


async def socket_answer(running: Running, cookie: str) -> Answer:
    client = running.stranger(DAMAGED, cookie)
    try:
        await client.connect()
    except InvalidStatus as error:
        return error.response.status_code, json.loads(error.response.body)
    await client.ask("hello")
    await client.close()
    return 101, {}


async def others_play_on(ann: Client, ben: Client) -> None:
    """Moves are made at another table."""
    for _ in range(2):
        await ann.settled()
        await ben.settled()
        asked = ann if ann.ask_now else ben
        assert asked.ask_now is not None
        assert (await asked.play(asked.ask_now["moves"][0]))["kind"] == "done"


def reported(running: Running) -> list[tuple[str, Any]]:
    """The damaged entries that the server's log names."""
    lines = [json.loads(line) for line in running.lines.errors]
    assert [line for line in lines if "Traceback" in line.get("error", "")] == []
    return [(line.get("table"), line.get("entry")) for line in lines]


# Rows that make the whole log unusable ----------------------------------------------------------------

Damage = Callable[[Rows], int]
"""Damages the log; returns the number of the entry that is told to be damaged."""


def shift(rows: Rows, number: int) -> int:
    del rows.rows[number - 1]
    return number


def at(rows: Rows, value: object) -> int:
    rows.rows[4][1] = value
    return 5


def number(rows: Rows, value: object) -> int:
    rows.rows[-1][0] = value
    return len(rows.rows)


def edit(kind: type[AnyEntry], nth: int = 0, **fields: Any) -> Damage:
    return lambda rows: rows.edit(rows.place(kind, nth), **fields)


def copy(kind: type[AnyEntry], over: type[AnyEntry], nth: int = -1) -> Damage:
    """One entry stands where another was."""

    def damage(rows: Rows) -> int:
        return rows.replace(rows.place(over, nth), rows.rows[rows.place(kind) - 1][2])

    return damage


def illegal_move(rows: Rows) -> int:
    place = rows.place(entries.Played, -1)
    return rows.edit(place, move=json.loads(rows.rows[rows.place(entries.Played, -2) - 1][2])["move"])


def move_of_another(rows: Rows) -> int:
    place = rows.place(entries.Played, -1)
    seat = json.loads(rows.rows[place - 1][2])["seat"]
    return rows.edit(place, seat="B" if seat == "A" else "A")


UNREADABLE: Final[dict[str, Damage]] = {
    "not JSON": lambda rows: rows.replace(7, "{"),
    "empty": lambda rows: rows.replace(7, ""),
    "another kind of value": lambda rows: rows.replace(7, "[1, 2]"),
    "not UTF-8, as text": lambda rows: rows.replace(7, NotText(NOT_TEXT)),
    "not UTF-8, as bytes": lambda rows: rows.replace(7, NOT_TEXT),
    "a number": lambda rows: rows.replace(7, 7),
    "nested too deeply": lambda rows: rows.replace(7, DEEP),
    "half a surrogate": lambda rows: rows.replace(7, '{"kind":"spoke","seat":"A","text":"\\ud800"}'),
    "an unknown kind": lambda rows: rows.edit(7, kind="danced"),
    "a kind that is not text": lambda rows: rows.edit(7, kind=7),
    "no kind": lambda rows: rows.replace(7, '{"seat":"A"}'),
    "a missing field": lambda rows: rows.replace(2, '{"kind":"sat","seat":"A","name":"Ann"}'),
    "a wrong type": edit(entries.Played, move=7),
    "a seat that does not exist": edit(entries.Played, seat="Z"),
    "a wrong pace": edit(entries.Opened, pace="slow"),
    "a secret that is not hexadecimal": edit(entries.Opened, secret="xyz"),  # noqa: S106 - no password, damaged data
    "an odd secret": edit(entries.Opened, secret="abc"),  # noqa: S106 - as above
    "bytes that are not hexadecimal": edit(entries.BytesGiven, bytes="xyz"),
    "a deadline that is not a time": edit(entries.Played, -1, due="soon"),
    "a missing row": lambda rows: shift(rows, 7),
    "a missing first row": lambda rows: shift(rows, 1),
    "a number that is not one": lambda rows: number(rows, "last"),
    "a number that is too high": lambda rows: number(rows, 10**6),
    "a time that is not one": lambda rows: at(rows, "soon"),
    "an infinite time": lambda rows: at(rows, float("inf")),
    "a time of bytes": lambda rows: at(rows, b"\x00"),
}
"""Nothing of such a table can be read."""

IMPOSSIBLE: Final[dict[str, Damage]] = {
    "an illegal move": illegal_move,
    "a move of another seat": move_of_another,
    "a move that is none": edit(entries.Played, -1, move="dance"),
    "other outcomes of chance": edit(entries.Started, -1, chance=[1, 2, 3]),
    "more outcomes of chance": edit(entries.Played, -1, chance=[[1, 2]]),
    "outcomes that are none": edit(entries.Started, -1, chance=[{"a": None}]),
    "a second opening": copy(entries.Opened, entries.Played),
    "another person at a taken seat": copy(entries.Sat, entries.Played),
    "a second start": copy(entries.Started, entries.Played),
    "a start while one is playing": copy(entries.Starting, entries.Played),
    "bytes after the deal": copy(entries.BytesGiven, entries.Played),
    "a move before the start": copy(entries.Played, entries.Starting),
    "a rematch before the start": copy(entries.Reopened, entries.BytesGiven),
    "an answer that waits for nobody": lambda rows: rows.add(entries.Answered("A", "pass", "person")),
    "somebody leaves who is not there": lambda rows: (rows.add(entries.Left("A")), rows.add(entries.Left("A")))[1],
    "a bot for a bot": lambda rows: (rows.add(entries.Left("A")), rows.add(entries.PlayedFor("A", "gone")))[1],
    "a seat that this table does not have": lambda rows: rows.add(entries.Returned("H")),
    "a swap with a seat that is not there": lambda rows: rows.add(entries.Swapped("A", "H", "A")),
    "an unknown bot": lambda rows: (rows.add(entries.Left("B")), rows.add(entries.ChairSet("B", "genius")))[1],
    "an unknown occupant": lambda rows: (rows.add(entries.Left("B")), rows.add(entries.ChairSet("B", "")))[1],
}
"""The last game cannot be continued; the first one is still there."""

FROM_THE_START: Final[dict[str, Damage]] = {
    "an unknown game": edit(entries.Opened, game="hanafuda"),
    "no game": edit(entries.Opened, game=""),
    "too many chairs": edit(entries.Opened, chairs=["open"] * 20),
    "no chairs": lambda rows: rows.edit(1, chairs=[]) + 1,
    "unknown options": lambda rows: rows.edit(1, options={"colour": "red"}) * 0 + rows.place(entries.Started, -1),
    "options of a wrong type": lambda rows: rows.edit(1, options={"rounds": [1]}) * 0 + rows.place(entries.Started, -1),
}
"""Both games are affected; which entry is told depends on the game."""


@pytest.mark.parametrize("how", [*UNREADABLE, *IMPOSSIBLE])
@served(may_fail=True)
async def test_whoever_comes_to_a_damaged_table_is_told_and_nobody_else_notices(running: Running, how: str) -> None:
    ann, ben = await running.people(GAME, 2, pace="none", public=True)
    await start([ann, ben])
    rows = two_games()
    entry = (UNREADABLE | IMPOSSIBLE)[how](rows)
    await store(running, rows)
    answers = await answers_at(running)
    for name, (status, told) in answers.items():
        if how in IMPOSSIBLE and name in ("finished record", "replay"):
            assert status == 200, f"{name}: the first game is not affected: {told}"
        else:
            assert (status, told.get("code")) == (410, "damaged"), f"{name}: {told}"
            assert told["text"].startswith(f"Entry {entry} of this table's log is damaged"), name
    assert {*reported(running)} == {(DAMAGED, entry)}
    listed = await running.get("/api/tables")
    assert {one["id"] for one in listed.json()["tables"]} == {ann.table_id, DAMAGED}
    await others_play_on(ann, ben)


@pytest.mark.parametrize("how", FROM_THE_START)
@served(may_fail=True)
async def test_a_table_that_was_opened_wrongly_is_damaged_as_a_whole(running: Running, how: str) -> None:
    rows = two_games()
    entry = FROM_THE_START[how](rows)
    await store(running, rows)
    for name, (status, told) in (await answers_at(running)).items():
        assert (status, told.get("code")) == (410, "damaged"), f"{name}: {told}"
        if name == "record":
            assert told["text"].startswith(f"Entry {entry} of"), told
    assert {table for table, _ in reported(running)} == {DAMAGED}


@served(may_fail=True)
async def test_damage_in_an_earlier_game_does_not_keep_a_table_from_playing_on(running: Running) -> None:
    rows = two_games()
    entry = rows.edit(rows.place(entries.Played), move="dance")
    await store(running, rows)
    answers = await answers_at(running)
    assert {name: status for name, (status, _) in answers.items() if status == 410} == {
        "finished record": 410,
        "replay": 410,
    }
    assert answers["replay"][1]["text"].startswith(f"Entry {entry} of")
    assert answers["socket"][0] == 101
    assert answers["record"][0] == 200


@pytest.mark.parametrize("value", [-1e300, 7, 1.0, 1e18])
@served()
async def test_a_time_that_is_only_wrong_stops_nobody(running: Running, value: float) -> None:
    play = Play("quick")
    play.start()
    play.play(5)
    rows = Rows(play.table, play.logged)
    for row in rows.rows[4:]:
        row[1] = value
    rows.edit(rows.place(entries.Played, -1), due=value)
    await store(running, rows)
    ann = await running.come(DAMAGED, f"fuda-{DAMAGED}={TOKEN}")
    before = ann.version
    await ann.until(lambda: ann.version > before)  # Ann plays, or the clock does for her or for Ben


# While somebody is there ----------------------------------------------------------------------------


@served(may_fail=True, poll_seconds=0.2)
async def test_those_at_a_table_that_is_damaged_meanwhile_are_told_and_sent_away(running: Running) -> None:
    rows = two_games()
    await store(running, rows)
    ann = await running.come(DAMAGED, f"fuda-{DAMAGED}={TOKEN}")
    insert(running, [[len(rows.rows) + 1, time.time(), "{"]])
    await ann.until(lambda: ann.closed)
    assert (ann.closed, ann.byes[-1]["code"], ann.byes[-1].get("again", False)) == (4003, "damaged", False)
    assert ann.byes[-1]["text"].startswith(f"Entry {len(rows.rows) + 1} of this table's log is damaged")
    assert (await answers_at(running))["socket"][0] == 410
    assert {*reported(running)} == {(DAMAGED, len(rows.rows) + 1)}


@served(may_fail=True, poll_seconds=100.0)
async def test_whoever_writes_where_a_damaged_row_is_is_told(running: Running) -> None:
    rows = two_games()
    await store(running, rows)
    ann = await running.come(DAMAGED, f"fuda-{DAMAGED}={TOKEN}")
    insert(running, [[len(rows.rows) + 1, time.time(), '{"kind":"spoke","seat":"H"}']])
    await ann.send("say", text="hello")
    await ann.until(lambda: ann.closed)
    assert (ann.closed, ann.byes[-1]["code"]) == (4003, "damaged")
    assert {*reported(running)} == {(DAMAGED, len(rows.rows) + 1)}


# Rows of tables ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("phase", "dancing"),
        ("pace", "slow"),
        ("people", "many"),
        ("players", 2.5),
        ("open", b"\xff"),
        ("opened", "once"),
        ("changed", b"\x00"),
        ("host", b"\xff\xfe"),
        ("host", NotText(b"\xff\xfe")),
        ("game", b"\xff"),
        ("public", "perhaps"),
        ("pruned", "some"),
        ("seen", "lately"),
        ("last_record", "the third"),
    ],
)
@served()
async def test_a_damaged_row_of_a_table_does_not_keep_others_from_being_listed(
    running: Running, column: str, value: object
) -> None:
    ann, _ = await running.people(GAME, 2, pace="none", public=True)
    await store(running, two_games())
    change(running, f"UPDATE tables SET {column} = {placeholder(value)} WHERE id = ?", value, DAMAGED)  # noqa: S608 - columns named above
    listed = await running.get("/api/tables")
    assert listed.status_code == 200
    assert ann.table_id in {one["id"] for one in listed.json()["tables"]}
    summaries = await running.server.hall.store.summaries()
    assert ann.table_id in {one.id for one in summaries}
    if DAMAGED not in {one.id for one in summaries}:
        lines = [json.loads(line) for line in running.lines.lines]
        assert repr(DAMAGED) in [line.get("table") for line in lines if line["level"] == "warning"]
    await running.come(DAMAGED, f"fuda-{DAMAGED}={TOKEN}")  # its log is what counts


@served()
async def test_an_id_of_a_table_that_is_not_text_does_no_harm(running: Running) -> None:
    ann, _ = await running.people(GAME, 2, pace="none", public=True)
    await store(running, two_games())
    change(running, "UPDATE tables SET id = ? WHERE id = ?", b"\xff\xfe", DAMAGED)
    assert [one["id"] for one in (await running.get("/api/tables")).json()["tables"]] == [ann.table_id]


@served(may_fail=True)
async def test_a_log_whose_table_is_gone_is_no_table(running: Running) -> None:
    await store(running, two_games())
    ann = await running.come(DAMAGED, f"fuda-{DAMAGED}={TOKEN}")
    change(running, "DELETE FROM tables WHERE id = ?", DAMAGED)  # without foreign keys, as another program may
    await ann.send("say", text="hello")
    await ann.until(lambda: ann.closed)
    assert (ann.closed, ann.byes[-1]["code"], ann.byes[-1].get("again", False)) == (4003, "no table", False)
    for name, (status, told) in (await answers_at(running)).items():
        assert (status, told.get("code")) == (404, "no table"), f"{name}: {told}"


# Transcripts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"nonsense", "text", 7, b"x\x9c\x03\x00\x00\x00\x00\x01"])
@served()
async def test_a_damaged_transcript_is_made_again(running: Running, data: object) -> None:
    await store(running, two_games())
    change(running, "INSERT INTO transcripts (table_id, number, data) VALUES (?, 1, ?)", DAMAGED, data)
    record = await running.get(f"/api/tables/{DAMAGED}/records/1")
    assert record.status_code == 200
    assert record.json()["transcript"]["moves"]
    assert (await running.get(f"/api/tables/{DAMAGED}/records/1/film")).status_code == 200
    warned = [json.loads(line) for line in running.lines.lines if "a transcript is damaged" in line]
    assert warned[0]["table"] == DAMAGED


@served()
async def test_a_damaged_transcript_of_a_game_with_other_rules_leaves_its_moves(running: Running) -> None:
    rows = two_games()
    rows.edit(rows.place(entries.Started), rules="99")
    await store(running, rows)
    change(running, "INSERT INTO transcripts (table_id, number, data) VALUES (?, 1, ?)", DAMAGED, b"nonsense")
    assert (await running.get(f"/api/tables/{DAMAGED}/records/1")).status_code == 200
    film = await running.get(f"/api/tables/{DAMAGED}/records/1/film?seat=open")
    assert (film.status_code, film.json()["bare"]) == (200, True)


@pytest.mark.parametrize("rules", ["", "99", "\x00", "x" * 1000])
@served()
async def test_a_game_of_unknown_rules_ends_and_its_table_goes_on(running: Running, rules: str) -> None:
    rows = two_games()
    rows.edit(rows.place(entries.Started, -1), rules=rules)
    await store(running, rows)
    ann = await running.come(DAMAGED, f"fuda-{DAMAGED}={TOKEN}")
    assert ann.phase == "open"
    assert ann.table["number"] == 3


# Reading never raises anything else -------------------------------------------------------------------


def test_no_row_that_is_damaged_at_random_leads_to_another_error() -> None:
    """Values are replaced, moved and removed at random; a table is read, or is damaged."""
    rng = random.Random(1)
    values = [None, True, 7, -1, 1e300, "", "A", "Z", "pass", "\ud800", [], {}, ["A"], {"a": 1}]
    read = damaged = 0
    template = two_games().rows
    for _ in range(3000):
        rows = [[*row] for row in template]
        for _ in range(rng.randint(1, 3)):
            row = rng.choice(rows)
            fields = json.loads(row[2])
            match rng.randrange(4):
                case 0 if fields:
                    fields[rng.choice([*fields])] = rng.choice(values)
                case 1 if fields:
                    fields.pop(rng.choice([*fields]))
                case 2:
                    fields = json.loads(rng.choice(rows)[2])
                case _:
                    fields["kind"] = json.loads(rng.choice(rows)[2]).get("kind")
            row[2] = json.dumps(fields)
        try:
            table_from(DAMAGED, [Row(row[0], row[1], row[2].encode()) for row in rows], rng.choice([None, 1, 2]))
            read += 1
        except Damaged:
            damaged += 1
    assert read > 100
    assert damaged > 1000
