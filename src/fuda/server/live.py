"""A table that is loaded and served by this process."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Final, TypeVar

import msgspec

from fuda.protocol import messages
from fuda.protocol.parts import PROTOCOL, Seat
from fuda.server import admission, clock, commands, entries, tokens
from fuda.server.autoplay import Autoplay
from fuda.server.bot_pool import BotPool
from fuda.server.broadcast import Broadcast
from fuda.server.bus import Bus
from fuda.server.commands import Sender
from fuda.server.deadlines import Deadlines
from fuda.server.denials import Denial
from fuda.server.entries import AnyEntry
from fuda.server.log_reader import Damaged
from fuda.server.metrics import Metrics
from fuda.server.presence import Presence, ProcessNews
from fuda.server.settings import Settings
from fuda.server.sockets import NOT_ALLOWED, OTHER_PROTOCOL, TOO_MANY, TRY_LATER, Credits, Socket
from fuda.server.store import Store
from fuda.server.table import Handled, RecentEvent, Table
from fuda.server.table_log import TableLog

LOG: Final = logging.getLogger("fuda.server")
MOST_TRIES: Final = 8
"""How often an entry is tried again after another process wrote one first."""
UNLIMITED: Final = (messages.Hello, messages.Play, messages.Why, messages.Choose)
"""Messages that do not count towards a player's limit."""
ALWAYS_WRITTEN: Final = (messages.Play, messages.Leave, messages.Close)
"""Messages that are carried out even if the log is full, so that the game comes to its end."""
NOTES_PER_FRAME: Final = 20
"""How many events and notes that are sent for a hello cost as much as a frame."""
Sent = TypeVar("Sent", bound=messages.Message)


class LiveTable:
    """Passes messages to the parts of a table. Whatever changes it happens under its lock, one thing after the other."""

    def __init__(
        self,
        table: Table,
        settings: Settings,
        store: Store,
        bus: Bus,
        bots: BotPool,
        metrics: Metrics,
        spend: Callable[[str, str, float, float, int], None],
        unload: Callable[[LiveTable], None],
        finish: Callable[[Table], None],
    ) -> None:
        self.table = table
        self.settings = settings
        self.bus = bus
        self.metrics = metrics
        self.spend = spend
        """Takes credits of an address; Denial if it has not enough."""
        self.unload = unload
        """Called when the table fails and has to be loaded again."""
        self.lock = asyncio.Lock()
        self.presence = Presence(table, bus.process, settings.tempo.of(settings.tempo.grace))
        self.deadlines = Deadlines(table, self.presence, settings.tempo)
        self.broadcast = Broadcast(table, self.presence, self.deadlines)
        self.log = TableLog(
            table,
            store,
            self.deadlines,
            metrics,
            show_since=self.broadcast.show_since,
            publish=self.publish,
            fail=self.fail,
            finish=lambda: finish(table),
        )
        self.autoplay = Autoplay(table, self.presence, self.deadlines, bots, settings.tempo, self.lock, self.log.append)
        self.is_introduced = False
        """Whether the other processes know that this one has loaded the table."""
        self.credits: dict[str, Credits] = {}
        """What each player, by token, may still send other than moves and questions about them."""
        self.links: dict[Seat, messages.Link] = {}
        """The last link that each seat was given to move to another device."""
        self.presence.update()

    async def run(self) -> None:
        """Acts for bots and absent players until the table is stopped."""
        try:
            await self.autoplay.run()
        except Exception as error:
            LOG.exception("a table failed", extra={"table": self.table.id})
            self.fail(error)

    async def end_old_game(self) -> None:
        """Reopens the table if this server does not have the rules of its game, which can only be watched then."""
        async with self.lock:
            while (old := self.table.old_game) is not None and self.table.phase in ("playing", "over"):
                ended = "" if self.table.is_finished else old.rules
                await self.log.append(entries.Reopened(tokens.new_secret(), ended))

    def stop(self) -> None:
        self.log.close()
        self.autoplay.stop()

    def fail(self, error: BaseException) -> None:
        """Unloads the table and disconnects everybody; it is loaded again when they reconnect."""
        bye = messages.Bye("busy", "The table cannot be reached at the moment.", again=True)
        details: dict[str, object] = {"table": self.table.id, "error": repr(error)}
        if isinstance(error, Denial):
            bye = messages.Bye(error.code, error.text, again=False)
        if isinstance(error, Damaged):
            details = error.details
        LOG.error("a table's log cannot be written or read", extra=details)
        self.unload(self)
        for socket in self.presence.sockets:
            socket.end(TRY_LATER if bye.again else NOT_ALLOWED, bye)

    # Connections ------------------------------------------------------------------------------------

    def connect(self, socket: Socket) -> None:
        if self.log.is_closed:
            socket.end(TRY_LATER, messages.Bye("busy", "The table is being reloaded.", again=True))
        socket.seat = self.table.seat_of(socket.token)
        self.presence.sockets.add(socket)

    async def disconnect(self, socket: Socket) -> None:
        self.presence.sockets.discard(socket)
        await self.tell_presence()

    async def tell_presence(self) -> None:
        """Tells everyone, and the other processes, who is connected."""
        self.broadcast.show_presence()
        await self.publish()
        self.autoplay.notify()

    # Other processes --------------------------------------------------------------------------------

    async def publish(self) -> None:
        """Tells the other processes how far the log has come, and who is connected here."""
        presence = self.presence
        news = ProcessNews(
            self.bus.process,
            self.table.length,
            presence.connected_here,
            presence.spectators_here,
            not self.is_introduced,
        )
        self.is_introduced = True
        await self.bus.publish(self.table.id, msgspec.json.encode(news))

    async def on_news(self, news: ProcessNews) -> None:
        """Takes into account what another process says about this table."""
        async with self.lock:
            self.presence.note_other(news)
            if news.length > self.table.length:
                await self.log.catch_up()
            self.broadcast.show_presence()
            if news.is_new and self.presence.sockets:
                await self.publish()  # it does not know yet who is connected here
        self.autoplay.notify()

    async def catch_up(self) -> None:
        async with self.lock:
            await self.log.catch_up()
        self.autoplay.notify()

    # Messages ---------------------------------------------------------------------------------------

    async def handle(self, socket: Socket, message: messages.FromClient) -> None:
        """What each message leads to: an answer, or an entry of the log."""
        match message:
            case messages.Ping():
                socket.say(messages.Pong())
            case messages.Pong():
                pass
            case messages.Hello():
                await self.carry_out(socket, message, self.greet)
            case messages.Device():
                await self.carry_out(socket, message, self.make_link)
            case messages.Why():
                await self.answer(socket, message, commands.explain)
            case messages.Choose():
                await self.answer(socket, message, commands.choices)
            case messages.Play():
                await self.write(socket, message, commands.play)
            case messages.StandIn():
                await self.write(socket, message, commands.stand_in)
            case messages.GiveBytes():
                await self.write(socket, message, commands.give_bytes)
            case messages.Start():
                await self.write(socket, message, commands.start)
            case messages.Rematch():
                await self.write(socket, message, commands.rematch)
            case messages.Leave():
                await self.write(socket, message, commands.leave)
            case messages.SetChair():
                await self.write(socket, message, commands.set_chair)
            case messages.Swap():
                await self.write(socket, message, commands.swap)
            case messages.Configure():
                await self.write(socket, message, commands.configure)
            case messages.Say():
                await self.write(socket, message, commands.say)
            case messages.React():
                await self.write(socket, message, commands.react)
            case messages.Close():
                await self.write(socket, message, commands.close)

    async def carry_out(
        self, socket: Socket, message: Sent, act: Callable[[Socket, Sent], Coroutine[None, None, None]]
    ) -> None:
        """Acts on a message under the lock; a denial is the answer to it."""
        begun = time.perf_counter()
        async with self.lock:
            if socket.ending is not None:
                return
            try:
                if not isinstance(message, UNLIMITED) and not self.may_send(socket.token):
                    raise Denial("too many", "Too many requests: wait a little.")
                if not isinstance(message, messages.Hello):
                    await self.check_greeted(socket)
                await act(socket, message)
            except Denial as denial:
                self.metrics.denials.labels(denial.code).inc()
                socket.say(messages.Denied(message.id, denial.code, denial.text, denial.rule, denial.facts))
            self.autoplay.schedule()
        self.metrics.seconds.observe(time.perf_counter() - begun)

    def may_send(self, token: str) -> bool:
        limits = self.settings.limits
        return self.credits.setdefault(token, Credits(limits.talk, limits.talk_per_second)).take()

    async def check_greeted(self, socket: Socket) -> None:
        if not socket.is_welcome:
            raise Denial("no entry", "Say hello first.")
        if socket.seat is not None and self.table.seats[socket.seat].is_played_for:
            await self.log.append(entries.Returned(socket.seat))

    def sender(self, socket: Socket) -> Sender:
        return Sender(self.table, socket.seat, self.presence, self.settings.tempo, clock.now())

    async def answer(self, socket: Socket, message: Sent, command: Callable[[Sender, Sent], messages.FromServer]) -> None:
        """Answers a message that changes nothing."""

        async def say(socket: Socket, message: Sent) -> None:
            socket.say(command(self.sender(socket), message))

        await self.carry_out(socket, message, say)

    async def write(self, socket: Socket, message: Sent, command: Callable[[Sender, Sent], AnyEntry]) -> None:
        """Writes what the message leads to into the log, unless it is there already, and acknowledges it."""

        async def acknowledge(socket: Socket, message: Sent) -> None:
            socket.say(messages.Done(message.id, await self.write_once(socket, message, command)))

        await self.carry_out(socket, message, acknowledge)

    async def write_once(self, socket: Socket, message: Sent, command: Callable[[Sender, Sent], AnyEntry]) -> int:
        """The version that the message led to, now or when it was sent before."""
        for _ in range(MOST_TRIES):
            handled = self.handled(socket, message)
            if handled is not None:
                return handled.version
            if not isinstance(message, ALWAYS_WRITTEN):
                self.check_room()
            if await self.log.append(marked(command(self.sender(socket), message), socket, message)):
                return self.table.version
        raise too_busy()

    def handled(self, socket: Socket, message: messages.Message) -> Handled | None:
        """What the message led to when it was sent before; Denial if its id was used for another one."""
        handled = self.table.handled.get(key_of(socket, message))
        if handled is not None and handled.digest not in ("", digest_of(message)):
            raise Denial("used id", "The id of this message was used for another one: each message needs an id of its own.")
        return handled

    def check_room(self) -> None:
        if self.table.entry_count >= self.settings.limits.entries:
            raise Denial(
                "log full", "So much has happened at this table that it can only finish its game: open another one."
            )

    async def make_link(self, socket: Socket, message: messages.Device) -> None:
        """Makes a link that moves the seat to another device; the same one if the message is repeated."""
        if socket.seat is None:
            raise Denial("not seated", "You have no seat to move to another device.")
        self.handled(socket, message)
        self.check_room()
        link = self.links.get(socket.seat)
        if link is None or link.id != message.id:
            code = tokens.new_token()
            made = entries.CodeMade(socket.seat, tokens.hashed(code), clock.now() + commands.CODE_SECONDS)
            while not await self.log.append(marked(made, socket, message)):
                pass
            self.links[socket.seat] = link = messages.Link(message.id, code, commands.CODE_SECONDS)
        socket.say(link)

    # Hello ------------------------------------------------------------------------------------------

    async def greet(self, socket: Socket, hello: messages.Hello) -> None:
        """Tells a new connection all that it has missed."""
        if hello.protocol != PROTOCOL:
            text = f"This server uses protocol version {PROTOCOL}: reload, or install the same version of Fuda."
            socket.end(OTHER_PROTOCOL, messages.Bye("other protocol", text, again=False))
            return
        is_new = not socket.is_welcome
        is_unknown = socket.seat is None and socket.token != tokens.hashed("")
        if is_unknown or hello.version > self.table.version:
            await self.log.catch_up()  # another process has written what has not arrived here yet
        if is_new and socket.seat is None and not self.admit_spectator(socket, hello):
            return
        # Before it is welcome: what it has missed must be told in order.
        while socket.seat is not None and self.table.seats[socket.seat].is_played_for:
            await self.log.append(entries.Returned(socket.seat))
        missed = self.broadcast.missed_by(hello)
        if not self.charge_replay(socket, missed):
            return
        socket.is_welcome = True
        self.presence.update()
        self.broadcast.catch_up(socket, missed)
        socket.say(messages.Done(hello.id, self.table.version))
        if is_new:
            before = self.broadcast.last_presence
            await self.tell_presence()
            if before is not None and self.broadcast.last_presence == before:
                socket.say(before)  # the others have been told already

    def charge_replay(self, socket: Socket, missed: list[RecentEvent] | None) -> bool:
        """Charges the connection and its address for what it is sent; if they have not enough credits, it is ended."""
        limits = self.settings.limits
        told = self.table.noted
        if missed:
            told += len(missed) - self.table.noted_before(missed[0])
        try:
            if not socket.credits.take(min(told // NOTES_PER_FRAME, 2 * limits.hello)):
                raise Denial("too many", "Too many messages.")
            self.spend("replayed", socket.address, limits.replayed, limits.replayed_per_second, told)
        except Denial as denial:
            socket.end(TOO_MANY, messages.Bye(denial.code, denial.text, again=True))
            return False
        return True

    def admit_spectator(self, socket: Socket, hello: messages.Hello) -> bool:
        """Whether the connection may watch; if not, it is ended."""
        try:
            admission.check_invite(self.table, hello.invite)
            if self.presence.spectators >= socket.limits.watching:
                raise Denial("too many", "This table has too many spectators already.")
            if self.presence.spectators_of(socket.address) >= socket.limits.watching_together:
                raise Denial("too many", "Too many spectators of this table have your address.")
        except Denial as denial:
            socket.end(NOT_ALLOWED, messages.Bye(denial.code, denial.text, again=False))
            return False
        return True

    # Seats, over HTTP -------------------------------------------------------------------------------

    async def take_seat(self, request: messages.Join, old_token: str) -> tuple[Seat, str | None]:
        """A seat, and the token that proves it; no token if the old one, given by its hash, already does."""
        token = tokens.new_token()
        async with self.lock:
            await self.log.catch_up()
            own = self.table.seat_of(old_token)
            if own is not None:
                return own, None
            self.check_room()
            for _ in range(MOST_TRIES):
                entry = admission.join(self.table, request, token, old_token)
                if await self.log.append(entry):
                    self.autoplay.notify()
                    return entry.seat, token
        raise too_busy()

    async def claim(self, request: messages.Claim) -> tuple[Seat, str]:
        """A player's seat on another device, with a new token; the old one is no longer valid."""
        token = tokens.new_token()
        async with self.lock:
            await self.log.catch_up()
            self.check_room()
            for _ in range(MOST_TRIES):
                entry = admission.claim(self.table, request, token, clock.now())
                if await self.log.append(entry):
                    return entry.seat, token
        raise too_busy()


def marked(entry: AnyEntry, socket: Socket, message: messages.Message) -> AnyEntry:
    """The entry with the message that leads to it."""
    return msgspec.structs.replace(entry, id=key_of(socket, message), digest=digest_of(message))


def key_of(socket: Socket, message: messages.Message) -> str:
    return f"{socket.token[:12]}:{message.id}"


def digest_of(message: messages.Message) -> str:
    return hashlib.blake2b(msgspec.json.encode(message), digest_size=4).hexdigest()


def too_busy() -> Denial:
    return Denial("busy", "The table is very busy: try again.")
