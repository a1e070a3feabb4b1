"""What each message of a client leads to: an answer, or an entry for the log. Denial if it is not allowed."""

from __future__ import annotations

import math
from typing import Final

import msgspec

import fuda
from fuda.game import SEPARATOR
from fuda.protocol import messages
from fuda.protocol.parts import LONGEST_SAID, Seat, visible
from fuda.server import entries, tokens
from fuda.server.admission import check_game, check_kind
from fuda.server.denials import Denial, refused
from fuda.server.entries import Mover
from fuda.server.pace import Tempo
from fuda.server.presence import Presence
from fuda.server.table import Table

CODE_SECONDS: Final = 600.0
"""How long a link to another device can be used."""


class Sender(msgspec.Struct, frozen=True):
    """Who sends a message, and the facts on which the answer depends."""

    table: Table
    seat: Seat | None
    """None for a spectator."""
    presence: Presence
    tempo: Tempo
    now: float

    def check_seated(self) -> Seat:
        """The sender's seat; Denial for a spectator, or if the table is closed."""
        if self.seat is None:
            raise Denial("not seated", "You are only watching: take a seat first.")
        self.table.check_not_closed()
        return self.seat

    def check_acting_host(self) -> None:
        """While the host is gone, the person who has sat at the table longest acts as host."""
        before = self.presence.hosts_before(self.check_seated())
        if any(seat in self.presence.connected for seat in before):
            raise Denial("not host", "Only the host may do that.")
        for seat in before:
            self.check_gone(seat)

    def check_gone(self, seat: Seat) -> None:
        """Denial if the person, who is not connected, may well come back soon."""
        seconds = math.ceil(self.presence.grace_left(seat))
        if seconds:
            name = self.table.name_at(seat)
            text = f"{name} has only just lost the connection: wait for {seconds} seconds."
            raise Denial("just left", text, facts={"seconds": seconds})

    def check_host(self) -> None:
        if self.seat != self.table.host:
            raise Denial("not host", "Only the host may do that.")

    def check_phase(self, phase: str, text: str, code: str = "too late") -> None:
        if self.table.phase != phase:
            raise Denial(code, text)


# Before and after a game --------------------------------------------------------------------------


def give_bytes(sender: Sender, message: messages.GiveBytes) -> entries.BytesGiven:
    table, seat = sender.table, sender.check_seated()
    if message.number != table.number:
        raise Denial("wrong number", f"The next game is number {table.number}.")
    if table.phase not in ("open", "starting"):
        raise Denial("too late", "The cards have been dealt.")
    if seat in table.bytes:
        raise Denial("too late", "Your random bytes for this game have been accepted and cannot be changed.")
    return entries.BytesGiven(seat, message.bytes)


def start(sender: Sender, _: messages.Start) -> entries.Starting:
    table = sender.table
    sender.check_seated()
    sender.check_phase("open", "The game has already started.")
    sender.check_acting_host()
    for empty in (seat for seat, state in table.seats.items() if state.is_open):
        raise Denial("empty", f"Seat {empty} is empty: put a bot there, or close it.")
    check_game(table.game_id, sum(state.occupancy != "closed" for state in table.seats.values()), table.options)
    return entries.Starting()


def rematch(sender: Sender, _: messages.Rematch) -> entries.Reopened:
    sender.check_seated()
    sender.check_phase("over", "The game is not over yet.", "too early")
    return entries.Reopened(tokens.new_secret())


def leave(sender: Sender, _: messages.Leave) -> entries.Left:
    return entries.Left(sender.check_seated())


def set_chair(sender: Sender, message: messages.SetChair) -> entries.ChairSet:
    table, seat = sender.table, sender.check_seated()
    sender.check_phase("open", "The game has started: chairs can no longer be changed.")
    sender.check_acting_host()
    if message.seat not in table.seats:
        raise Denial("bad request", f"There is no seat {message.seat} at this table.")
    if message.to == "me" or message.seat == seat:
        raise Denial("bad request", "You cannot change your own chair: swap seats, or leave.")
    check_kind(table.game_id, message.to)
    invite = ""
    if table.seats[message.seat].is_person:
        sender.check_host()  # only the host themselves may remove a person
        invite = tokens.new_token()  # the person who is removed knows the old one
    return entries.ChairSet(message.seat, message.to, invite)


def swap(sender: Sender, message: messages.Swap) -> entries.Swapped:
    """The host swaps any two; everybody else may move to an open chair."""
    table, seat = sender.table, sender.check_seated()
    sender.check_phase("open", "The game has started: seats can no longer be swapped.")
    if message.seat not in table.seats or message.other not in table.seats or message.seat == message.other:
        raise Denial("bad request", "Name two different seats of this table.")
    if sender.presence.hosts_before(seat):
        own, other = (message.seat, message.other) if message.seat == seat else (message.other, message.seat)
        if own != seat:
            sender.check_acting_host()
        if not table.seats[other].is_open:
            raise Denial("taken", f"Seat {other} is not open.")
    return entries.Swapped(message.seat, message.other, seat)


def configure(sender: Sender, message: messages.Configure) -> entries.Configured:
    table = sender.table
    sender.check_seated()
    sender.check_acting_host()
    return entries.Configured(
        table.public if message.public is None else message.public,
        message.pace or table.pace,
        table.chat if message.chat is None else message.chat,
    )


def close(sender: Sender, _: messages.Close) -> entries.Closed:
    sender.check_seated()
    sender.check_host()
    return entries.Closed("closed by the host")


# Chat ---------------------------------------------------------------------------------------------


def say(sender: Sender, message: messages.Say) -> entries.Spoke:
    seat = sender.check_seated()
    text = visible(message.text, LONGEST_SAID)
    if text is None:
        raise Denial("bad text", f"A chat message needs 1 to {LONGEST_SAID} visible characters.")
    check_chat(sender.table)
    return entries.Spoke(seat, text)


def react(sender: Sender, message: messages.React) -> entries.Spoke:
    seat = sender.check_seated()
    check_chat(sender.table)
    return entries.Spoke(seat, reaction=message.reaction)


def check_chat(table: Table) -> None:
    if not table.chat:
        raise Denial("silent", "The host has switched chat off.")


# Moves --------------------------------------------------------------------------------------------


def play(sender: Sender, message: messages.Play) -> entries.Played | entries.Answered:
    return move_by(sender.table, sender.seat, message.since, message.move, "person")


def move_by(table: Table, seat: Seat | None, since: int, move: str, by: Mover) -> entries.Played | entries.Answered:
    """The entry for a legal move of a person, bot or clock; an answer waits if others are asked at the same time."""
    asked = asked_game(table, seat, since)
    assert seat is not None
    refusal = asked.why(move, seat)
    if refusal is not None:
        raise refused(refusal)
    if asked.is_reaction:
        return entries.Answered(seat, move, by, quiet=True, sealed=True)
    kind = entries.Played if asked is table.game else entries.Answered
    return kind(seat, move, by, quiet=asked.is_together)


def asked_game(table: Table, seat: Seat | None, since: int) -> fuda.Game:
    """The game as this seat is asked about it; Denial unless the seat is asked the question `since`."""
    if seat is None:
        raise Denial("not seated", "You are only watching.")
    if table.phase == "over":
        raise Denial("too late", "The game is over.")
    if table.game is None or table.phase != "playing":
        raise Denial("too early", "No game is being played.")
    asked = table.questions.game_for(table.game, seat)
    if asked is None:
        raise Denial("not asked", "It is not your turn to answer.")
    if since != table.questions.since[seat]:
        raise Denial("too late", "That question has already been answered.")
    return asked


def stand_in(sender: Sender, message: messages.StandIn) -> entries.PlayedFor:
    """Has a bot play for a person who is not connected, or has not answered for long."""
    table = sender.table
    if sender.seat is None:
        raise Denial("not seated", "Only players may ask for that.")
    sender.check_phase("playing", "No game is being played.", "too early")
    state = table.seats.get(message.seat)
    if state is None or not state.is_person or message.seat == sender.seat:
        raise Denial("bad request", "Name somebody else who sits at this table.")
    if message.seat not in sender.presence.connected:
        sender.check_gone(message.seat)
    else:
        waited = sender.now - table.questions.at if message.seat in table.questions.asked else 0.0
        if waited < sender.tempo.of(sender.tempo.silent):
            raise Denial("present", f"{state.name} is connected and still has time to answer.")
    return entries.PlayedFor(message.seat, "asked")


# Questions about moves ----------------------------------------------------------------------------


def explain(sender: Sender, message: messages.Why) -> messages.Because:
    """Why a move is not allowed now."""
    seat, game = sender.seat, sender.table.game
    if seat is None or game is None:
        raise Denial("not seated" if seat is None else "too early", "There is nothing to explain.")
    asked = sender.table.questions.game_for(game, seat) or game
    refusal = asked.why(message.move, seat)
    if refusal is None:
        return messages.Because(message.id, message.move)
    return messages.Because(message.id, message.move, refusal.rule, str(refusal), refused(refusal).facts)


def choices(sender: Sender, message: messages.Choose) -> messages.Choices:
    """Which words can be added to the chosen ones on the way to a legal move."""
    asked = asked_game(sender.table, sender.seat, message.since)
    words: set[str] = set()
    is_enough = False
    for move in asked.moves():
        left = words_left(move, message.words)
        if left:
            words.update(left)
        elif left is not None:
            is_enough = True
    return messages.Choices(message.id, [word for word in asked.rules.moves if word in words], is_enough)


def words_left(move: str, chosen: list[str]) -> list[str] | None:
    """The words of the move without the chosen ones; None if it does not have them all."""
    for word in chosen:
        if word not in move:  # fast: there may be ten thousand moves
            return None
    left = move.split(SEPARATOR)
    for word in chosen:
        if word not in left:
            return None
        left.remove(word)
    return left
