"""Checks after a game, whatever happened to servers and connections."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate
from typing import Any

import msgspec

import fuda
from fuda.engine.fair import key_in
from fuda.protocol import messages
from fuda.server import entries
from fuda.server.entries import READ, AnyEntry
from fuda.server.hall import table_from
from fuda.server.store import Row
from fuda.transcripts import frames_of
from fuda.verification import chains_of
from tests.server.protocol_client import Acknowledged, Tab


def check_log(rows: list[Row], tabs: list[Tab]) -> None:
    """Every acknowledged message is in the log once, except old chat, and none that was denied."""
    deleted = {*range(1, rows[-1].number)} - {row.number for row in rows}
    assert len(deleted) == rows[-1].pruned, "the log has a gap"
    log = {row.number: READ.decode(row.data) for row in rows}
    repeated = [key for key, count in Counter(entry.id for entry in log.values() if entry.id).items() if count > 1]
    assert not repeated, f"acted twice: {repeated}"
    places = {entry.id: number for number, entry in log.items() if entry.id}
    shown = list(accumulate(not (isinstance(entry, entries.Answered) and entry.sealed) for entry in log.values()))
    for tab in tabs:
        for name, done in tab.acknowledged.items():
            place = places.get(tab.ticket.key(name))
            if place is None and isinstance(done.message, messages.Say) and deleted & {*range(1, done.version + 1)}:
                continue
            assert place is not None, f"{tab.name}: {done} was acknowledged, and is lost"
            assert shown[place - 1] <= done.version, f"{tab.name}: {done} was acknowledged before it was so, at {place}"
            assert is_of(done, log[place], tab), f"{tab.name}: {done} became {log[place]}"
        for name, denied in tab.denied.items():
            assert tab.ticket.key(name) not in places, f"{tab.name}: {denied}, and yet it is in the log"


def is_of(done: Acknowledged, entry: AnyEntry, tab: Tab) -> bool:
    """Whether this entry is the effect of the message."""
    match done.message, entry:
        case messages.Play(move=move), entries.Played() | entries.Answered():
            return (entry.seat, entry.move, entry.by) == (tab.ticket.seat, move, "person")
        case messages.Say(text=text), entries.Spoke():
            return (entry.seat, entry.text) == (tab.ticket.seat, text)
        case messages.GiveBytes(bytes=given), entries.BytesGiven():
            return (entry.seat, entry.bytes) == (tab.ticket.seat, given)
        case messages.Start(), entries.Starting():
            return True
        case messages.Rematch(), entries.Reopened():
            return True
        case messages.StandIn(seat=seat), entries.PlayedFor():
            return entry.seat == seat
    return False


def check_record(table: str, number: int, rows: list[Row], record: dict[str, Any]) -> fuda.Game:
    """The record matches the log, replays and verifies; returns the replayed game."""
    read = table_from(table, rows, number)
    frames = frames_of(record["transcript"])
    assert len(frames) == len(record["moves"]) + 1, "the transcript has other moves than the record"
    assert frames[-1].view["winners"] == record["result"]["winners"], "the transcript ends otherwise"
    without_transcript = {key: value for key, value in record.items() if key != "transcript"}
    assert plain(read.record()) == without_transcript, "the record is not what the log says"
    moves = moves_in(game_in(rows, number))
    assert moves == record["moves"], "the record has other moves than the log, or in another order"
    game = fuda.replay(record)
    assert game.over, "the record ends before the game"
    fuda.verify(record)
    return game


def check_moves(number: int, rows: list[Row], tabs: list[Tab]) -> int:
    """Acknowledged moves are in the record in the same order; returns their number."""
    played = [(row.number, READ.decode(row.data)) for row in game_in(rows, number)]
    places = {place: turn for turn, (place, entry) in enumerate(played) if isinstance(entry, entries.Played)}
    logged = {entry.id: place for place, entry in played if entry.id}
    turns = []
    for tab in tabs:
        for name, done in tab.acknowledged.items():
            place = logged.get(tab.ticket.key(name))
            if isinstance(done.message, messages.Play) and place in places:
                turns.append((done.version, places[place]))
    in_order = [turn for _, turn in sorted(turns)]
    assert in_order == sorted(set(in_order)), "moves stand in the record in another order than they were acknowledged"
    return len(in_order)


def check_views(number: int, game: fuda.Game, tabs: list[Tab]) -> None:
    """The view that every client has assembled is the true one."""
    for tab in tabs:
        told, true = tab.known.finals[number], plain(game.view(tab.ticket.seat))
        assert told == true, f"{tab.name} sees another end: {difference(told, true)}"


def check_chains(number: int, record: dict[str, Any], tabs: list[Tab]) -> None:
    """Every chain that a client was sent is that of the recorded moves."""
    key = key_in(record["fair"])
    chains = [value.hex() for value in chains_of(key, record["rules"], fuda.replay(record))]
    for tab in tabs:
        for (game, turn), chain in tab.known.chains.items():
            assert game != number or chain == chains[turn], f"{tab.name} was sent another chain after {turn} moves"


def check_bytes(number: int, rows: list[Row], tabs: list[Tab], record: dict[str, Any]) -> None:
    """The acknowledged bytes were used, and the secret matches the commitment."""
    for tab in tabs:
        assert tab.known.commitments[number] == record["fair"]["commitment"], "another secret than promised"
        for done in tab.acknowledged.values():
            if isinstance(done.message, messages.GiveBytes) and done.message.number == number:
                assert record["fair"]["bytes"].get(tab.ticket.seat) == done.message.bytes, f"{tab.name}: bytes lost"


def game_in(rows: list[Row], number: int) -> list[Row]:
    """The part of the log that belongs to the game of this number."""
    ends = [at for at, row in enumerate(rows) if isinstance(READ.decode(row.data), entries.Reopened)]
    edges = [0, *ends, len(rows)]
    return rows[edges[number - 1] : edges[number]]


def moves_in(rows: list[Row]) -> list[str]:
    logged = [READ.decode(row.data) for row in rows]
    return [entry.move for entry in logged if isinstance(entry, entries.Played)]


def difference(told: dict[str, Any], true: dict[str, Any]) -> str:
    keys = [key for key in {**told, **true} if told.get(key) != true.get(key)]
    return "; ".join(f"{key}: {str(told.get(key))[-300:]} instead of {str(true.get(key))[-300:]}" for key in keys)


def plain(value: Any) -> Any:
    """The value after a round trip through JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))
