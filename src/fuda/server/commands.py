"""What may be done at a table: a message becomes an entry of the log, or is denied."""

from __future__ import annotations

from typing import Final

import fuda
from fuda import bots
from fuda.bots.seating import default_kind
from fuda.game import SEPARATOR
from fuda.protocol import messages
from fuda.protocol.parts import EVERY_SEAT, LONGEST_NAME, LONGEST_SAID, Seat, visible
from fuda.server import entries, tokens
from fuda.server.denials import Denial, refused
from fuda.server.entries import AnyEntry, Mover
from fuda.server.pace import Tempo
from fuda.server.table import Table

CODE_LASTS: Final = 600.0
"""So many seconds a link to another device can be used."""


def new_entries(wish: messages.Open, token: str) -> list[AnyEntry]:
    """A new table with its host."""
    chairs = chairs_from(wish)
    name = checked_name(wish.name)
    check_game(wish.game, sum(chair != "closed" for chair in chairs), wish.options)
    own = chairs.index("me")
    chairs[own] = "open"
    opened = entries.Opened(
        game=wish.game,
        options=dict(wish.options),
        chairs=chairs,
        public=wish.public,
        pace=wish.pace,
        chat=wish.chat,
        invite=tokens.new_token(),
        secret=tokens.new_secret(),
    )
    made: list[AnyEntry] = [opened, entries.Sat(EVERY_SEAT[own], name, tokens.hashed(token))]
    if wish.start:
        made.append(entries.Starting())
    return made


def chairs_from(wish: messages.Open) -> list[str]:
    try:
        rules = fuda.rulebook(wish.game)
    except fuda.Error as error:
        raise Denial("bad table", str(error)) from error
    if wish.chairs is None:
        players = wish.players or min(rules.most, max(rules.least, 4))
        rest = default_kind(wish.game) if wish.start else "open"
        chairs = ["me", *(rest for _ in range(max(0, min(players, len(EVERY_SEAT)) - 1)))]
    else:
        chairs = [*wish.chairs]
        players = wish.players or len(chairs)
    if len(chairs) != players or players > rules.most:
        raise Denial("bad table", f"{rules.name} is for {rules.least} to {rules.most}; every one of them needs a chair.")
    if chairs.count("me") != 1:
        raise Denial("bad table", "One chair is yours: say which with 'me'.")
    for chair in chairs:
        check_kind(wish.game, chair)
    if wish.start and "open" in chairs:
        raise Denial("empty", "A game that begins at once has no open chairs.")
    return chairs


def check_kind(game: str, chair: str) -> None:
    if chair not in ("me", "open", "closed", *bots.names(game)):
        raise Denial("bad table", f"There is no bot {chair!r}; there are {', '.join(bots.names(game))}.")


def check_game(game: str, players: int, options: dict[str, bool | int | str]) -> None:
    try:
        fuda.rulebook(game).settle_options(players, dict(options))
    except fuda.Error as error:
        raise Denial("bad table", str(error)) from error


def checked_name(name: str) -> str:
    shown = visible(name, LONGEST_NAME)
    if shown is None:
        raise Denial("bad name", f"A name has 1 to {LONGEST_NAME} characters that can be seen.")
    return shown


# Taking seats -------------------------------------------------------------------------------------


def check_entry(table: Table, invite: str | None) -> None:
    """Whoever comes from outside needs the invitation, unless the table is public."""
    if not table.public and not (invite and tokens.same(invite, table.invite)):
        raise Denial("no entry", "This table is by invitation: ask for its whole link.")


def sit(table: Table, wish: messages.Join, token: str, came_with: str) -> entries.Sat | entries.Claimed:
    """A seat; the same one to whoever asks once more, because the answer was lost."""
    check_not_closed(table)
    check_entry(table, wish.invite)
    again = claimed_again(table, wish.id, token)
    if again is not None:
        return again
    name = checked_name(wish.name)
    free = [seat for seat, place in table.places.items() if place.is_open]
    known = table.left.get(came_with) if table.phase == "playing" else None
    wished = wish.seat or known
    if known is not None and wished != known:
        raise Denial("taken", f"You have seen the cards of seat {known}, and can have no other in this game.")
    if wished is not None and wished not in free:
        raise Denial("taken", f"Seat {wished} is not open.")
    if not free:
        raise Denial("full", "No seat is open at this table.")
    seat = wished or free[0]
    names = {table.name_at(other).casefold() for other, place in table.places.items() if other != seat and not place.is_open}
    if name.casefold() in names:
        raise Denial("taken", f"Somebody at this table is called {name} already.")
    return entries.Sat(seat, name, tokens.hashed(token), hashed_id(wish.id))


def claimed_again(table: Table, request: str | None, token: str) -> entries.Claimed | None:
    """The seat that this very request was given before; whoever sends it again has not got the answer."""
    for seat, place in table.places.items():
        if request and place.request == hashed_id(request):
            return entries.Claimed(seat, tokens.hashed(token), place.request)
    return None


def hashed_id(request: str | None) -> str:
    return tokens.hashed(request) if request else ""


def claim(table: Table, wish: messages.Claim, token: str, now: float) -> entries.Claimed:
    """The seat of whoever asked for this code, on another device."""
    again = claimed_again(table, wish.id, token)
    if again is not None:
        return again
    for seat, made in table.codes.items():
        if tokens.same(made.code, tokens.hashed(wish.code)) and now <= made.until:
            return entries.Claimed(seat, tokens.hashed(token), hashed_id(wish.id))
    raise Denial("bad code", "This link has been used already, or is too old: ask for another one.")


# Messages -----------------------------------------------------------------------------------------


def entry_for(table: Table, seat: Seat | None, message: messages.FromClient, here: list[Seat]) -> AnyEntry:
    """What is to be logged for this message of a seat, except for moves; Denial if it may not be done.

    While the host is not there, whoever has sat there longest of those who are `here` stands in.
    """
    if seat is None:
        raise Denial("not seated", "You only watch: take a seat first.")
    check_not_closed(table)
    match message:
        case messages.Luck():
            return give(table, seat, message)
        case messages.Start():
            return start(table, seat, here)
        case messages.Rematch():
            check_phase(table, "over", "The game is not over yet.", "too early")
            return entries.Reopened(tokens.new_secret())
        case messages.Leave():
            return entries.Left(seat)
        case messages.Furnish():
            return furnish(table, seat, message, here)
        case messages.Swap():
            return swap(table, seat, message, here)
        case messages.Configure():
            check_host(table, seat, here)
            return entries.Configured(
                table.public if message.public is None else message.public,
                message.pace or table.pace,
                table.chat if message.chat is None else message.chat,
            )
        case messages.Say():
            text = visible(message.text, LONGEST_SAID)
            if text is None:
                raise Denial("bad text", f"Say 1 to {LONGEST_SAID} characters that can be seen.")
            return spoke(table, entries.Spoke(seat, text))
        case messages.React():
            return spoke(table, entries.Spoke(seat, reaction=message.reaction))
        case messages.Close():
            check_host(table, seat, [])  # nobody stands in for that
            return entries.Closed("closed by the host")
    raise Denial("bad request", "That cannot be done here.")


def check_not_closed(table: Table) -> None:
    if table.phase == "closed":
        raise Denial("closed", f"This table is {table.why_closed}.")


def check_phase(table: Table, phase: str, otherwise: str, code: str = "too late") -> None:
    if table.phase != phase:
        raise Denial(code, otherwise)


def check_host(table: Table, seat: Seat, here: list[Seat]) -> None:
    if acting_host(table, here) != seat:
        raise Denial("not host", "Only the host may do that.")


def acting_host(table: Table, here: list[Seat]) -> Seat | None:
    present = [seat for token in table.sitting if (seat := table.seat_of(token)) in here]
    return present[0] if present else table.host


def give(table: Table, seat: Seat, message: messages.Luck) -> entries.Gave:
    if message.number != table.number:
        raise Denial("wrong number", f"The next game is number {table.number}.")
    if table.phase not in ("open", "starting"):
        raise Denial("too late", "The cards have been dealt.")
    if seat in table.bytes:
        raise Denial("too late", "This seat has given its bytes: what was promised to be used stays.")
    return entries.Gave(seat, message.bytes)


def start(table: Table, seat: Seat, here: list[Seat]) -> entries.Starting:
    check_phase(table, "open", "The game has begun already.")
    check_host(table, seat, here)
    for empty in (seat for seat, place in table.places.items() if place.is_open):
        raise Denial("empty", f"Seat {empty} is empty: seat a bot there, or close it.")
    check_game(table.game_id, sum(place.wish != "closed" for place in table.places.values()), table.options)
    return entries.Starting()


def furnish(table: Table, seat: Seat, message: messages.Furnish, here: list[Seat]) -> entries.Furnished:
    check_phase(table, "open", "The game has begun: the chairs stay as they are.")
    check_host(table, seat, here)
    if message.seat not in table.places:
        raise Denial("bad request", f"There is no seat {message.seat} at this table.")
    if message.to == "me" or message.seat == seat:
        raise Denial("bad request", "Your own chair is yours; swap it, or leave it.")
    check_kind(table.game_id, message.to)
    invite = ""
    if table.places[message.seat].is_person:
        check_host(table, seat, [])  # whoever stands in sends nobody away
        invite = tokens.new_token()  # whoever has to go knows the old one
    return entries.Furnished(message.seat, message.to, invite)


def swap(table: Table, seat: Seat, message: messages.Swap, here: list[Seat]) -> entries.Swapped:
    """The host swaps any two; everybody else may move to an open chair."""
    check_phase(table, "open", "The game has begun: everybody keeps their seat.")
    if message.seat not in table.places or message.other not in table.places or message.seat == message.other:
        raise Denial("bad request", "Name two different seats of this table.")
    if seat != acting_host(table, here):
        own, other = (message.seat, message.other) if message.seat == seat else (message.other, message.seat)
        if own != seat:
            raise Denial("not host", "Only the host may move others.")
        if not table.places[other].is_open:
            raise Denial("taken", f"Seat {other} is not open.")
    return entries.Swapped(message.seat, message.other, seat)


def spoke(table: Table, entry: entries.Spoke) -> entries.Spoke:
    if not table.chat:
        raise Denial("silent", "The host has switched chat off.")
    return entry


def stand_in(table: Table, seat: Seat | None, message: messages.StandIn, silent_for: float | None, tempo: Tempo) -> AnyEntry:
    """A bot for somebody who is not connected (`silent_for` is None) or has not answered for so many seconds."""
    if seat is None:
        raise Denial("not seated", "Only those who play may ask for that.")
    check_phase(table, "playing", "No game is being played.", "too early")
    place = table.places.get(message.seat)
    if place is None or not place.is_person or message.seat == seat:
        raise Denial("bad request", "Name somebody else who sits at this table.")
    if silent_for is not None and silent_for < tempo.of(tempo.silent):
        raise Denial("present", f"{place.name} is here and has not been asked for long.")
    return entries.PlayedFor(message.seat, "asked")


# Moves --------------------------------------------------------------------------------------------


def asked_game(table: Table, seat: Seat | None, since: int) -> fuda.Game:
    """The game as this seat is asked about it; Denial unless it is asked just that."""
    if seat is None:
        raise Denial("not seated", "You only watch.")
    if table.phase == "over":
        raise Denial("too late", "The game is over.")
    if table.game is None or table.phase != "playing":
        raise Denial("too early", "No game is being played.")
    asked = table.questions.asks(table.game, seat)
    if asked is None:
        raise Denial("not asked", "You are not asked anything now.")
    if since != table.questions.since[seat]:
        raise Denial("too late", "That question has been answered already.")
    return asked


def make_move(table: Table, seat: Seat, since: int, move: str, by: Mover) -> entries.Played | entries.Answered:
    """The entry for a legal move; where others are asked first, it waits for its turn."""
    asked = asked_game(table, seat, since)
    refusal = asked.why(move, seat)
    if refusal is not None:
        raise refused(refusal)
    quiet = asked.is_reaction or asked.is_together
    kind = entries.Played if asked is table.game else entries.Answered
    return kind(seat, move, by, quiet)


# What is asked about moves ------------------------------------------------------------------------


def explain(table: Table, seat: Seat | None, message: messages.Why) -> messages.Because:
    """Why a move is not allowed now."""
    game = table.game
    if seat is None or game is None:
        raise Denial("not seated" if seat is None else "too early", "There is nothing to explain.")
    asked = table.questions.asks(game, seat) or game
    refusal = asked.why(message.move, seat)
    if refusal is None:
        return messages.Because(message.id, message.move)
    return messages.Because(message.id, message.move, refusal.rule, str(refusal), refused(refusal).facts)


def choices(table: Table, seat: Seat | None, message: messages.Choose) -> messages.Choices:
    """With which words the chosen ones lead to a legal move; a word counts as often as it was chosen."""
    asked = asked_game(table, seat, message.since)
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
    """What the move has besides the chosen words; None if it has not all of them."""
    for word in chosen:
        if word not in move:  # there may be ten thousand moves, and few need be taken apart
            return None
    left = move.split(SEPARATOR)
    for word in chosen:
        if word not in left:
            return None
        left.remove(word)
    return left
