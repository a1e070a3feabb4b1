"""The web application: HTTP requests, WebSockets and pages."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, Final, TypeVar, get_args

import msgspec
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

import fuda
from fuda.bots.seating import kinds_of
from fuda.protocol import messages
from fuda.protocol.replays import ReplayQuery
from fuda.server import news, tokens
from fuda.server.books import Books
from fuda.server.bus import address_of as address_of_bus
from fuda.server.bus import bus_from
from fuda.server.connections import Connections
from fuda.server.database import database_url
from fuda.server.database_lock import lock_of
from fuda.server.denials import Denial
from fuda.server.hall import Hall
from fuda.server.health import Health
from fuda.server.live import LiveTable
from fuda.server.metrics import Metrics
from fuda.server.replays import Replays
from fuda.server.security import HEADERS, SafeHeaders, address_of, check_origin, give_token, is_secure, token_in
from fuda.server.settings import LARGEST_BODY, LARGEST_FRAME, Settings
from fuda.server.sockets import BYE, PROTOCOL_VIOLATED, TOO_MANY, Socket
from fuda.server.static import FOLDER, MEDIA_TYPES, NO_STORE, File, client_in
from fuda.server.store import Store
from fuda.server.table import Table

T = TypeVar("T")
LOG: Final = logging.getLogger("fuda.server")
DECODER: Final = msgspec.json.Decoder(messages.FromClient)
TABLE_ID: Final = re.compile(r"[a-z0-9]{4,20}")
SOCKET: Final = re.compile(rf"/api/tables/(?P<table>{TABLE_ID.pattern})/socket")
LABELS: Final = {kind: kind.__struct_config__.tag.title().replace(" ", "") for kind in get_args(messages.FromClient)}
"""The names of messages in metrics."""
ENTRY_BYTES: Final = 200
"""What an entry of a log takes in the database, besides the message that led to it."""
GAME_BYTES: Final = 50_000
"""What a game takes that the server plays for bots, with its transcript."""
WRITES_NOTHING: Final = (messages.Ping, messages.Pong, messages.Why, messages.Choose)
UNREADABLE: Final = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""What the decoder raises for what is not a message; RecursionError if it is nested too deeply."""
GAME_NUMBER: Final = re.compile(r"[1-9][0-9]{0,8}")
STATUS: Final = {
    "no table": 404,
    "no record": 404,
    "no book": 404,
    "no entry": 403,
    "wrong origin": 403,
    "bad code": 403,
    "not seated": 403,
    "too many": 429,
    "busy": 503,
    "taken": 409,
    "full": 409,
    "closed": 410,
    "log full": 409,
    "damaged": 410,
    "other rules": 409,
}
"""The HTTP status of a denial; 400 for all others."""

CLIENT_PAGES: Final = ("/", "/t/{table}", "/d/{table}", "/r/{table}/{number}")
"""The pages; the client decides by the address what to show."""
Endpoint = Callable[[Request], Awaitable[Response]]


def json_response(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def denied(denial: Denial) -> Response:
    return json_response(messages.Failed(denial.code, denial.text), STATUS.get(denial.code, 400))


class Server:
    """The ASGI application; one for each process."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.connections = Connections(settings, self.metrics)
        self.hall: Hall
        self.health: Health
        self.replays: Replays
        self.books = Books()
        self.failure: fuda.Error | None = None
        """Why the server had to stop."""
        self.stop: Callable[[], None] = lambda: None
        """Set by whoever runs the server."""
        self.client = client_in(Path(settings.client) if settings.client else FOLDER)
        routes = [
            Route("/api/games", self.answer(self.games)),
            Route("/api/games/{game}/book", self.answer(self.book)),
            Route("/api/tables", self.answer(self.list_tables), methods=["GET"]),
            Route("/api/tables", self.answer(self.open_table), methods=["POST"]),
            Route("/api/tables/{table}/seats", self.answer(self.take_seat), methods=["POST"]),
            Route("/api/tables/{table}/claims", self.answer(self.claim), methods=["POST"]),
            Route("/api/tables/{table}/record", self.answer(self.record)),
            Route("/api/tables/{table}/records/{number}", self.answer(self.finished_record)),
            Route("/api/tables/{table}/records/{number}/film", self.answer(self.replay)),
            Route("/healthz", self.answer(self.show_health)),
            Route("/metrics", self.answer(self.show_metrics)),
            *(Route(path, self.answer(self.client_page)) for path in CLIENT_PAGES),
            *(Route(path, self.answer(self.client_file)) for path in self.client.files),
        ]
        self.web = SafeHeaders(Starlette(routes=routes))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sockets bypass Starlette, which would keep its objects in memory as long as they are open."""
        if scope["type"] == "websocket":
            await self.socket(WebSocket(scope, receive, send))
        elif scope["type"] == "http" and (denied := self.denied_at_once(HTTPConnection(scope))) is not None:
            await denied(scope, receive, send)
        else:
            await self.web(scope, receive, send)

    @contextlib.asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Holds the database and the bus while requests are answered; Error if one of them cannot be used."""
        bus = bus_from(self.settings.bus)
        lock = lock_of(database_url(self.settings.db), address_of_bus(self.settings.bus))
        loop = asyncio.get_running_loop()
        try:
            await asyncio.to_thread(lock.must_take)
            store = await Store.opened(self.settings.db)
            self.hall = Hall(self.settings, store, bus, self.metrics)
            self.health = Health(store)
            self.replays = Replays(self.hall)
            try:
                await self.hall.start()
                lock.watch(lambda: loop.call_soon_threadsafe(self.fail, lock.in_use()))
                yield
            finally:
                await self.hall.close()
        finally:
            await asyncio.to_thread(lock.release)

    def fail(self, error: fuda.Error) -> None:
        """Stops serving: going on would do harm."""
        LOG.error("the server stops", extra={"error": str(error)})
        self.failure = error
        self.stop()

    # Limits -----------------------------------------------------------------------------------------

    def denied_at_once(self, connection: HTTPConnection) -> Response | None:
        """The answer to a request of an address that has sent too many, whatever it asks for; None for all others."""
        address = self.address(connection)
        try:
            self.check_blocked(address)
            self.charge(connection, address)
        except Denial as denial:
            return self.deny(denial, address)
        return None

    def check_blocked(self, address: str) -> None:
        if self.connections.is_blocked(address):
            raise Denial("too many", "Your address is blocked for a while, as it keeps asking for too much.")

    def charge(self, connection: HTTPConnection, address: str) -> None:
        limits = self.settings.limits
        if connection.scope["method"] not in ("GET", "HEAD"):
            self.hall.spend("requests", address, limits.requests, 1.0)
        elif connection.scope["path"].startswith("/api/"):
            self.hall.spend("reads", address, limits.reads, 5.0)
        else:
            self.hall.spend("files", address, limits.files, 20.0)

    def deny(self, denial: Denial, address: str) -> Response:
        """The answer to a request that is denied; who keeps exceeding limits is blocked."""
        self.metrics.denials.labels(denial.code).inc()
        response = denied(denial)
        response.headers.update(HEADERS | {"cache-control": NO_STORE})
        if self.connections.is_blocked(address):
            response.headers["connection"] = "close"
        elif denial.code == "too many":
            self.connections.strike(address)
        return response

    # Requests ---------------------------------------------------------------------------------------

    def answer(self, endpoint: Endpoint) -> Endpoint:
        """The endpoint with checks; denials become answers."""

        async def answered(request: Request) -> Response:
            try:
                if request.method not in ("GET", "HEAD"):
                    check_origin(request, self.settings.behind_proxy)
                with self.hall.reachable():
                    return await endpoint(request)
            except Denial as denial:
                return self.deny(denial, self.address(request))

        return answered

    def address(self, connection: HTTPConnection) -> str:
        return address_of(connection, self.settings.behind_proxy)

    async def body(self, request: Request, kind: type[T]) -> T:
        if "json" not in request.headers.get("content-type", ""):
            raise Denial("bad request", "The body must be JSON.")
        if int(request.headers.get("content-length", LARGEST_BODY + 1)) > LARGEST_BODY:
            raise Denial("bad request", f"The request needs a Content-Length of at most {LARGEST_BODY} bytes.")
        text = b""
        try:
            async for part in request.stream():
                text += part
            decoded = msgspec.json.decode(text, type=kind)
        except (ClientDisconnect, *UNREADABLE) as error:
            raise Denial("bad request", str(error)) from error
        self.hall.spend_disk(self.address(request), len(text) + ENTRY_BYTES)
        return decoded

    def taken(self, request: Request, result: messages.Taken, token: str | None) -> Response:
        """The seat, with a cookie for its token if that is new."""
        if token is None:
            return json_response(result)
        response = json_response(result, 201)
        give_token(response, result.table, token, is_secure(request, self.settings.behind_proxy))
        return response

    async def open_table(self, request: Request) -> Response:
        body = await self.body(request, messages.Open)
        self.hall.spend("tables", self.address(request), self.settings.limits.tables, 1 / 120)
        if body.start:
            self.hall.spend_disk(self.address(request), GAME_BYTES)
        table, seat, token = await self.hall.open(body)
        return self.taken(request, messages.Taken(table.id, seat, table.invite), token)

    async def take_seat(self, request: Request) -> Response:
        body = await self.body(request, messages.Join)
        live = await self.hall.get(table_in(request))
        seat, token = await live.take_seat(body, tokens.hashed(token_in(request, live.table.id)))
        return self.taken(request, messages.Taken(live.table.id, seat, live.table.invite), token)

    async def claim(self, request: Request) -> Response:
        body = await self.body(request, messages.Claim)
        live = await self.hall.get(table_in(request))
        seat, token = await live.claim(body)
        return self.taken(request, messages.Taken(live.table.id, seat, live.table.invite), token)

    async def games(self, request: Request) -> Response:
        return json_response([game | {"bots": kinds_of(game["id"])} for game in fuda.games()])

    async def book(self, request: Request) -> Response:
        query = query_of(request, messages.BookQuery)
        return (await self.books.book(request.path_params["game"], query.lang)).answer(request)

    async def list_tables(self, request: Request) -> Response:
        found = await self.hall.lobby.listed()
        listed = [
            messages.Listed(one.id, one.game, one.phase, one.host, one.people, one.open, one.players, one.pace)
            for one in found
        ]
        return json_response(messages.Tables(listed))

    # Records ----------------------------------------------------------------------------------------

    async def record(self, request: Request) -> Response:
        """The complete record of a game that has ended; during a game, what the player's seat knows."""
        self.spend_record(request)
        live = await self.hall.get(table_in(request))
        table = live.table
        seat = table.seat_of(tokens.hashed(token_in(request, table.id)))
        if table.is_revealed:
            async with self.hall.replay_slots:
                return await self.complete_record(request, table)
        if table.game is None:
            raise Denial("no record", "No game has been dealt yet.")
        if seat is None:
            raise Denial("not seated", "The record will be available when the game is over.")
        return json_response(news.redacted_record(table, seat))

    def spend_record(self, request: Request) -> None:
        self.hall.spend("records", self.address(request), self.settings.limits.records, 1.0)

    async def finished_record(self, request: Request) -> Response:
        self.spend_record(request)
        table, number = table_in(request), number_in(request)
        await self.hall.check_record(table, number)
        async with self.hall.replay_slots:
            return await self.complete_record(request, await self.hall.read_finished(table, number))

    async def complete_record(self, request: Request, table: Table) -> Response:
        """The record of a finished game, with its transcript if there is one."""
        record = table.record()
        transcript = await self.hall.transcripts.get(table.id, table.number, table.game)
        if transcript is not None:
            record["transcript"] = transcript
        return (await asyncio.to_thread(File, msgspec.json.encode(record), MEDIA_TYPES[".json"], NO_STORE)).answer(request)

    async def replay(self, request: Request) -> Response:
        self.hall.spend("replays", self.address(request), self.settings.limits.replays, 2.0)
        query = query_of(request, ReplayQuery)
        return (await self.replays.get(table_in(request), number_in(request), query)).answer(request)

    # The browser client, health and metrics -------------------------------------------------------

    async def client_page(self, request: Request) -> Response:
        return self.client.page(request)

    async def client_file(self, request: Request) -> Response:
        return self.client.files[request.scope["path"]].answer(request)

    async def show_health(self, request: Request) -> Response:
        if await self.health.is_good():
            return json_response({"status": "ok"})
        return json_response({"status": "the database cannot be read or written"}, 503)

    async def show_metrics(self, request: Request) -> Response:
        return Response(self.metrics.text(), media_type="text/plain; version=0.0.4")

    # Sockets ----------------------------------------------------------------------------------------

    async def socket(self, websocket: WebSocket) -> None:
        address = self.address(HTTPConnection(websocket.scope))
        self.hall.sockets_of[address] += 1
        self.metrics.sockets.inc()
        try:
            await self.serve_socket(websocket, address)
        finally:
            self.metrics.sockets.dec()
            self.hall.sockets_of[address] -= 1
            if not self.hall.sockets_of[address]:
                del self.hall.sockets_of[address]

    async def serve_socket(self, websocket: WebSocket, address: str) -> None:
        limits = self.settings.limits
        try:
            table, token = self.admitted(HTTPConnection(websocket.scope), address)
            with self.hall.reachable():
                live = await self.hall.get(table)
        except Denial as denial:
            await websocket.send_denial_response(self.deny(denial, address))
            return
        await websocket.accept()
        websocket.scope["headers"] = []  # saves memory: there are thousands of connections for hours
        socket = Socket(websocket, tokens.hashed(token), address, limits, self.metrics)
        live.connect(socket)
        try:
            await self.listen(socket, live)
        finally:
            if socket.ending == TOO_MANY:
                self.connections.strike(address)
            await live.disconnect(socket)
            await socket.finish()

    def admitted(self, connection: HTTPConnection, address: str) -> tuple[str, str]:
        """The table of the connection, and the token of its seat; Denial if it may not be opened."""
        self.check_blocked(address)
        found = SOCKET.fullmatch(connection.scope["path"])
        if found is None:
            raise Denial("no table", "There is no such table.")
        limits = self.settings.limits
        check_origin(connection, self.settings.behind_proxy)
        self.hall.spend("connections", address, limits.connections, 1.0)
        if self.hall.sockets_of[address] > limits.sockets:
            raise Denial("too many", "Too many connections from your address.")
        return found["table"], token_in(connection, found["table"])

    async def listen(self, socket: Socket, live: LiveTable) -> None:
        """Receives messages until the connection ends."""
        while socket.ending is None:
            try:
                received = await socket.websocket.receive()
            except (WebSocketDisconnect, RuntimeError):
                received = {"type": "websocket.disconnect"}
            if received["type"] == "websocket.disconnect":
                socket.lost()
                return
            if BYE in received:
                socket.end(*received[BYE])
                return
            socket.received_at = time.monotonic()
            text = received.get("text") or received.get("bytes") or ""
            if len(text.encode() if isinstance(text, str) else text) > LARGEST_FRAME:
                socket.end(PROTOCOL_VIOLATED, messages.Bye("too large", "The message is too large.", again=True))
            else:
                await self.receive(socket, live, text)

    def may_send(self, socket: Socket, cost: int) -> bool:
        """Whether the socket has credits left; if not, it is closed."""
        if socket.credits.take(cost):
            return True
        socket.end(TOO_MANY, messages.Bye("too many", "Too many messages.", again=True))
        return False

    async def receive(self, socket: Socket, live: LiveTable, text: str | bytes) -> None:
        try:
            message = DECODER.decode(text)
        except UNREADABLE as error:
            socket.end(PROTOCOL_VIOLATED, messages.Bye("bad message", str(error)[:300], again=True))
            return
        self.metrics.messages_of(LABELS[type(message)]).inc()
        if isinstance(message, messages.Hello):
            if not self.may_send(socket, self.settings.limits.hello - 1):
                return
            await self.hall.wait_for_turn()
        elif not isinstance(message, WRITES_NOTHING):
            size = len(text) + (GAME_BYTES if isinstance(message, messages.Start) else ENTRY_BYTES)
            try:
                self.hall.spend_disk(socket.address, size)
            except Denial as denial:
                self.metrics.denials.labels(denial.code).inc()
                socket.say(messages.Denied(message.id, denial.code, denial.text))
                return
        await live.handle(socket, message)


def query_of(request: Request, kind: type[T]) -> T:
    try:
        return msgspec.convert(dict(request.query_params), kind, strict=False)
    except msgspec.ValidationError as error:
        raise Denial("bad request", str(error)) from error


def table_in(request: Request) -> str:
    table = str(request.path_params["table"])
    if not TABLE_ID.fullmatch(table):
        raise Denial("no table", "There is no such table.")
    return table


def number_in(request: Request) -> int:
    number = str(request.path_params["number"])
    if not GAME_NUMBER.fullmatch(number):
        raise Denial("no record", "There is no such finished game at this table.")
    return int(number)
