"""A table that is awake: who is connected, one writer, and everything that is told."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

import msgspec

from fuda.protocol import messages
from fuda.protocol.parts import PROTOCOL, Seat
from fuda.server import commands, entries, news, tokens
from fuda.server.denials import Denial
from fuda.server.entries import WRITE, AnyEntry, Logged
from fuda.server.minding import Elsewhere, Minding
from fuda.server.sockets import ENCODER, NOT_ALLOWED, OTHER_PROTOCOL, TRY_LATER, Credits, Socket
from fuda.server.store import outcome
from fuda.server.summaries import summary_after
from fuda.server.table import Mark, Table

if TYPE_CHECKING:
    from fuda.server.hall import Hall

MOST_TRIES: Final = 8
"""So often an entry is tried again that another process was ahead of."""


SEATING: Final = (
    entries.Sat,
    entries.Left,
    entries.Furnished,
    entries.Swapped,
    entries.Started,
    entries.Claimed,
)
"""After these others sit at the table, or elsewhere."""


class Live(Minding):
    """Everything that touches the table happens under its lock, one thing after the other."""

    def __init__(self, hall: Hall, table: Table) -> None:
        super().__init__(hall.settings.tempo, hall.thinkers, table)
        self.hall = hall
        self.lock = asyncio.Lock()
        self.sockets: set[Socket] = set()
        self.is_introduced = False
        """Whether the other processes have been told of this one."""
        self.talk: dict[str, Credits] = {}
        self.links: dict[Seat, messages.Link] = {}
        """The last link that each seat was given to move to another device."""
        self.told_here: messages.Here | None = None
        """Who is connected, as everyone was last told."""

    # Coming and going -----------------------------------------------------------------------------

    def join(self, socket: Socket) -> None:
        if self.is_resting:
            socket.end(TRY_LATER, messages.Bye("busy", "The table has just gone to sleep.", again=True))
        socket.seat = self.table.seat_of(socket.token)
        self.sockets.add(socket)

    async def part(self, socket: Socket) -> None:
        self.sockets.discard(socket)
        await self.tell_here()

    @property
    def seats_here(self) -> list[Seat]:
        """Who is connected to this process."""
        seats = {socket.seat for socket in self.sockets if socket.is_welcome}
        return [seat for seat in self.table.places if seat in seats]

    async def tell_here(self) -> None:
        """Tells everyone, and the other processes, who is connected."""
        self.show_here()
        await self.hall.tell_others(self)
        self.stir()

    def show_here(self) -> None:
        """Tells everyone who is connected, if that has changed."""
        self.note_presence(self.seats_here)
        here = messages.Here(self.here, self.watching)
        if here != self.told_here:
            self.told_here = here
            frame = ENCODER.encode(here)
            for socket in self.sockets:
                if socket.is_welcome:
                    socket.send(frame)

    @property
    def watching_here(self) -> int:
        return sum(socket.is_welcome and socket.seat is None for socket in self.sockets)

    @property
    def watching(self) -> int:
        return self.watching_here + sum(other.watching for other in self.others)

    async def heard(self, process: str, version: int, elsewhere: Elsewhere, is_new: bool) -> None:
        """What another process says about this table: how far its log has come, and who is connected there."""
        async with self.lock:
            self.elsewhere[process] = elsewhere
            if version > self.table.version:
                await self.catch_up()
            self.show_here()
            if is_new and self.sockets:
                await self.hall.tell_others(self)  # it does not know yet who is connected here
        self.stir()

    # Messages -------------------------------------------------------------------------------------

    async def handle(self, socket: Socket, message: messages.FromClient) -> None:
        if isinstance(message, messages.Ping):
            socket.say(messages.Pong())
            return
        if isinstance(message, messages.Pong):
            return
        is_talk = not isinstance(message, messages.Hello | messages.Play | Asking)
        begun = time.perf_counter()
        async with self.lock:
            if socket.ending is not None:
                return  # it has been told to come again, and may have been sent away
            try:
                if is_talk and not self.may_talk(socket.token):
                    raise Denial("too many", "You ask for too much: wait a little.")
                await self.carry_out(socket, message)
            except Denial as denial:
                self.hall.metrics.denials.labels(denial.code).inc()
                socket.say(messages.Denied(message.id, denial.code, denial.text, denial.rule, denial.facts))
            self.look_ahead()
        self.hall.metrics.seconds.observe(time.perf_counter() - begun)

    def may_talk(self, token: str) -> bool:
        """Whether whoever has this seat may have something else than a move written down."""
        limits = self.hall.settings.limits
        return self.talk.setdefault(token, Credits(limits.talk, limits.talk_per_second)).take()

    async def carry_out(self, socket: Socket, message: messages.Hello | Asking | messages.Device | Acting) -> None:
        if isinstance(message, messages.Hello):
            await self.greet(socket, message)
            return
        if not socket.is_welcome:
            raise Denial("no entry", "Say hello first.")
        if socket.seat is not None and self.table.places[socket.seat].is_played_for:
            await self.commit(entries.Returned(socket.seat))
        if isinstance(message, messages.Why):
            socket.say(commands.explain(self.table, socket.seat, message))
        elif isinstance(message, messages.Choose):
            socket.say(commands.choices(self.table, socket.seat, message))
        elif isinstance(message, messages.Device):
            await self.make_code(socket, message)
        else:
            version = await self.act_once(socket, message)
            socket.say(messages.Done(message.id, version))

    async def act_once(self, socket: Socket, message: Acting) -> int:
        """Logs what the message leads to, unless that is in the log already; the version that it led to."""
        key = f"{socket.token[:12]}:{message.id}"
        for _ in range(MOST_TRIES):
            if key in self.table.seen:
                return self.table.seen[key]
            entry = self.entry_for(socket.seat, message)
            if await self.commit(msgspec.structs.replace(entry, id=key)):
                return self.table.version
        raise Denial("busy", "The table is very busy: try again.")

    def entry_for(self, seat: Seat | None, message: Acting) -> AnyEntry:
        match message:
            case messages.Play():
                if seat is None:
                    raise Denial("not seated", "You only watch.")
                return commands.make_move(self.table, seat, message.since, message.move, "person")
            case messages.StandIn():
                return commands.stand_in(self.table, seat, message, self.silent_for(message.seat), self.tempo)
            case _:
                return commands.entry_for(self.table, seat, message, self.here)

    async def make_code(self, socket: Socket, message: messages.Device) -> None:
        if socket.seat is None:
            raise Denial("not seated", "You have no seat that could be moved.")
        known = self.links.get(socket.seat)
        if known is None or known.id != message.id:
            code = tokens.new_token()
            until = time.time() + commands.CODE_LASTS
            while not await self.commit(entries.CodeMade(socket.seat, tokens.hashed(code), until)):
                pass
            self.links[socket.seat] = known = messages.Link(message.id, code, commands.CODE_LASTS)
        socket.say(known)

    async def greet(self, socket: Socket, hello: messages.Hello) -> None:
        if hello.protocol != PROTOCOL:
            text = f"This server speaks version {PROTOCOL} of the protocol: reload, or install the same version of Fuda."
            socket.end(OTHER_PROTOCOL, messages.Bye("other protocol", text, again=False))
            return
        is_new = not socket.is_welcome
        is_unknown = socket.seat is None and socket.token != tokens.hashed("")
        if is_unknown or hello.version > self.table.version:
            await self.catch_up()  # another process knows what we have not heard of yet
        if is_new and socket.seat is None:
            try:
                commands.check_entry(self.table, hello.invite)
                if self.watching >= socket.limits.watching:
                    raise Denial("too many", "So many are watching already that nobody else can.")
            except Denial as denial:
                socket.end(NOT_ALLOWED, messages.Bye(denial.code, denial.text, again=False))
                return
        # Before it is welcome: what it has missed must be told in order.
        while socket.seat is not None and self.table.places[socket.seat].is_played_for:
            await self.commit(entries.Returned(socket.seat))
        missed = self.missed(hello)
        socket.is_welcome = True
        self.note_presence(self.seats_here)
        if missed:
            for frame in self.frames_of(missed, socket.seat, is_all=True):
                socket.send(frame)
            socket.say(messages.Here(self.here, self.watching))
        else:
            # Also who has missed nothing: the deadline may be another one after a restart.
            self.welcome(socket)
        socket.say(messages.Done(hello.id, self.table.version))
        if is_new:
            before = self.told_here
            await self.tell_here()
            if before is not None and self.told_here == before:
                socket.say(before)  # the others know

    def missed(self, hello: messages.Hello) -> list[Mark] | None:
        """The events since the version that the client has seen; None if it needs a fresh view."""
        marks = self.table.marks
        if hello.number != self.table.number or hello.version == 0 or not marks:
            return None
        known = hello.version - marks[0].version
        if not 0 <= known < len(marks) or marks[known].noted != hello.noted or marks[known].number != hello.number:
            return None
        missed = [*marks][known + 1 :]
        # Only a welcome says which seat is its own now.
        return None if any(isinstance(mark.entry, SEATING) for mark in missed) else missed

    # Seats ----------------------------------------------------------------------------------------

    async def take_seat(self, wish: messages.Join, came_with: str) -> tuple[Seat, str | None]:
        """A seat, and the token that proves it; none if the one that was come with does."""
        token = tokens.new_token()
        async with self.lock:
            await self.catch_up()
            own = self.table.seat_of(came_with)
            if own is not None:
                return own, None
            for _ in range(MOST_TRIES):
                entry = commands.sit(self.table, wish, token, came_with)
                if await self.commit(entry):
                    self.stir()
                    return entry.seat, token
        raise Denial("busy", "The table is very busy: try again.")

    async def claim(self, wish: messages.Claim) -> tuple[Seat, str]:
        """One's own seat on another device, with a new token; the old one proves nothing any more."""
        token = tokens.new_token()
        async with self.lock:
            await self.catch_up()
            for _ in range(MOST_TRIES):
                entry = commands.claim(self.table, wish, token, time.time())
                if await self.commit(entry):
                    return entry.seat, token
        raise Denial("busy", "The table is very busy: try again.")

    # The log --------------------------------------------------------------------------------------

    async def commit(self, entry: AnyEntry) -> bool:
        """Writes the entry, then applies and shows it; False, having caught up, if another process was ahead."""
        self.must_be_awake()
        table = self.table
        attempt = None
        if isinstance(entry, entries.Played):
            attempt = table.attempt(entry)
            due = self.due_of(attempt.after)
            entry = msgspec.structs.replace(entry, chance=tuple(attempt.outcomes), due=due)
        logged = Logged(table.version + 1, time.time(), entry)
        begun = time.perf_counter()
        try:
            summary = summary_after(table, logged, attempt)
            writing = self.hall.store.append(table.id, logged.number, logged.at, WRITE.encode(entry), summary)
            done, cancelled = await outcome(writing)
            self.hall.metrics.commit_seconds.observe(time.perf_counter() - begun)
            if done:
                table.apply(logged, attempt)
                self.show([table.marks[-1]])
        except Exception as error:
            self.break_off(error)
            raise Denial("busy", "The table cannot be reached just now: try again.") from error
        if done:
            if isinstance(entry, entries.Played):
                self.hall.metrics.moves_of(self.table.game_id, entry.by).inc()
            await self.hall.tell_others(self)
        else:
            self.hall.metrics.conflicts.inc()
            await self.catch_up()
        if cancelled is not None:
            raise cancelled
        return done

    async def catch_up(self) -> None:
        """Takes over what other processes wrote."""
        self.must_be_awake()
        before = self.table.version
        try:
            for row in await self.hall.store.entries(self.table.id, before):
                self.table.apply(Logged(row.number, row.at, entries.READ.decode(row.data)))
        except Exception as error:
            self.break_off(error)
            raise Denial("busy", "The table cannot be reached just now: try again.") from error
        marks = [mark for mark in self.table.marks if mark.version > before]
        if marks and marks[0].version == before + 1 and marks[0].number == self.table.number:
            self.show(marks)
        elif marks:
            for socket in self.sockets:
                self.welcome_anew(socket, marks)
            self.show_here()

    def must_be_awake(self) -> None:
        if self.is_resting:
            raise Denial("busy", "The table has just gone to sleep: try again.")

    def break_off(self, error: BaseException) -> None:
        """The log cannot be written or read: everybody has to come again, to a table that is read anew."""
        self.hall.logger.error("the log cannot be written", extra={"table": self.table.id, "error": repr(error)})
        self.hall.forget(self)
        for socket in self.sockets:
            socket.end(TRY_LATER, messages.Bye("busy", "The table cannot be reached just now.", again=True))

    # Telling --------------------------------------------------------------------------------------

    def show(self, marks: list[Mark]) -> None:
        """Tells everyone what happened, each what their seat may know."""
        frames: dict[Seat | None, list[bytes]] = {}
        for socket in self.sockets:
            seat = self.table.seat_of(socket.token)
            if not socket.is_welcome:
                socket.seat = seat
            elif seat != socket.seat:
                self.welcome_anew(socket, marks)
            else:
                if seat not in frames:
                    frames[seat] = self.frames_of(marks, seat, is_all=len(marks) > 1)
                for frame in frames[seat]:
                    socket.send(frame)
        if any(isinstance(mark.entry, SEATING) for mark in marks):
            self.show_here()

    def welcome_anew(self, socket: Socket, marks: list[Mark]) -> None:
        """Tells a socket its new place; who was sent away, or sits at another device now, has none."""
        before, socket.seat = socket.seat, self.table.seat_of(socket.token)
        taken = [mark.entry for mark in marks if isinstance(mark.entry, entries.Furnished | entries.Claimed)]
        if before is not None and socket.seat is None and taken:
            is_moved = isinstance(taken[-1], entries.Claimed)
            text = "You play on another device now." if is_moved else "The host has given your seat away."
            socket.end(NOT_ALLOWED, messages.Bye("moved" if is_moved else "removed", text, again=False))
        else:
            self.welcome(socket)

    def welcome(self, socket: Socket) -> None:
        if socket.is_welcome:
            socket.say(news.welcome_of(self.table, socket.seat, self.here, time.time()))

    def frames_of(self, marks: list[Mark], viewer: Seat | None, is_all: bool) -> list[bytes]:
        now = time.time()
        frames = []
        for mark in marks:
            event = news.event_of(self.table, mark, viewer, self.noted_before(mark), now, is_all)
            frames.append(ENCODER.encode(event))
        return frames

    def noted_before(self, mark: Mark) -> int:
        """How far the history had come before this event."""
        marks = self.table.marks
        at = mark.version - marks[0].version - 1
        if at < 0 or marks[at].number != mark.number:
            return 0
        return marks[at].noted


Asking = messages.Why | messages.Choose
"""Messages about moves, which lead to nothing but an answer."""
Acting = (
    messages.Luck
    | messages.Play
    | messages.Start
    | messages.Rematch
    | messages.Leave
    | messages.Furnish
    | messages.Swap
    | messages.Configure
    | messages.StandIn
    | messages.Say
    | messages.React
    | messages.Close
)
"""Messages that lead to an entry of the log."""
