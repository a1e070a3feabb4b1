"""TCP connections: how many there may be, and which addresses are blocked for a while."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import math
import time
from collections import Counter
from typing import Any, Final

from fuda.server.metrics import Metrics
from fuda.server.security import network_of
from fuda.server.settings import Settings
from fuda.server.sockets import TOO_SLOW, Credits

LOG: Final = logging.getLogger("fuda.server")
BACKLOG: Final = 2048
"""The most connections that wait to be accepted; they may all be accepted at once."""
OWN_FILES: Final = 64
"""How many files are kept free for the database and other processes."""
LEAST_WRITTEN: Final = 2048
"""How many bytes a client must accept within `write_seconds`, while more wait."""
LOG_SECONDS: Final = 5.0
"""How often running out of connections is logged, at most."""
FORGET_SECONDS: Final = 5.0
"""How often addresses are dropped that have not exceeded a limit lately."""
OUT_OF_FILES: Final = (errno.EMFILE, errno.ENFILE)


class Connections:
    """All TCP connections of this process."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self.settings = settings
        self.metrics = metrics
        self.most: float = math.inf
        """The most connections in all."""
        self.backlog = BACKLOG
        self.total = 0
        self.of: Counter[str] = Counter()
        """How many connections each address has."""
        self.waiting: dict[Connection, None] = {}
        """Those without a complete request, the oldest first."""
        self.strikes: dict[str, Credits] = {}
        """How often each address may still exceed a limit before it is blocked."""
        self.blocked: dict[str, float] = {}
        """Until when an address is blocked."""
        self.logged_at = -math.inf
        self.forgot_at = -math.inf

    def limit_to(self, files: float) -> None:
        """Keeps files free, also while all connections of the backlog are accepted, before any of them is closed."""
        if files != math.inf:
            self.backlog = int(min(BACKLOG, files // 4))
            self.most = max(self.backlog, files - self.backlog - OWN_FILES)

    def add(self, connection: Connection) -> bool:
        """Counts a new connection; False if it must be closed."""
        address = connection.address
        if not self.settings.behind_proxy:
            if self.is_blocked(address):
                return self.refuse("blocked")
            if self.of[address] >= self.settings.limits.tcp:
                self.strike(address)
                return self.refuse("address")
        if self.total >= self.most:
            self.log_full()
            if not self.make_room():
                return self.refuse("full")
        self.total += 1
        self.of[address] += 1
        self.metrics.connections.set(self.total)
        return True

    def refuse(self, why: str) -> bool:
        self.metrics.connections_closed.labels(why).inc()
        return False

    def make_room(self) -> bool:
        """Closes the connection that has waited longest for a request, so that silent clients lock nobody out."""
        oldest = next(iter(self.waiting), None)
        if oldest is not None:
            oldest.close("full")
        return oldest is not None

    def remove(self, connection: Connection) -> None:
        self.waiting.pop(connection, None)
        self.total -= 1
        self.of[connection.address] -= 1
        if not self.of[connection.address]:
            del self.of[connection.address]
        self.metrics.connections.set(self.total)

    # Running out of files ---------------------------------------------------------------------------

    def log_full(self) -> None:
        now = time.monotonic()
        if now - self.logged_at > LOG_SECONDS:
            self.logged_at = now
            LOG.warning(
                "out of connections: those that wait for a request are closed; allow more open files",
                extra={"connections": self.total, "most": self.most},
            )

    def on_loop_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Logs errors of the event loop; asyncio reports thousands if it cannot accept, and tries again later."""
        error = context.get("exception")
        if isinstance(error, OSError) and error.errno in OUT_OF_FILES:
            self.log_full()
            self.make_room()
        else:
            loop.default_exception_handler(context)

    # Addresses that keep exceeding limits -----------------------------------------------------------

    def strike(self, address: str) -> None:
        """Notes that the address has exceeded a limit; blocks it if that happens again and again."""
        limits = self.settings.limits
        now = time.monotonic()
        self.forget(now)
        strikes = self.strikes.setdefault(address, Credits(limits.strikes, 1.0))
        if not strikes.take() and not self.is_blocked(address):
            self.blocked[address] = now + limits.blocked_seconds
            self.metrics.blocked.inc()
            LOG.warning(
                "an address is blocked for a while, because it keeps exceeding limits",
                extra={"address": address, "seconds": limits.blocked_seconds},
            )

    def is_blocked(self, address: str) -> bool:
        return address in self.blocked and time.monotonic() < self.blocked[address]

    def forget(self, now: float) -> None:
        """Drops what is no longer needed."""
        if now - self.forgot_at < FORGET_SECONDS:
            return
        self.forgot_at = now
        self.strikes = {one: credit for one, credit in self.strikes.items() if not credit.is_full}
        self.blocked = {one: until for one, until in self.blocked.items() if now < until}


class Connection:
    """One TCP connection; it stays the same when it becomes a WebSocket."""

    def __init__(self, connections: Connections, transport: asyncio.Transport) -> None:
        self.connections = connections
        self.transport = transport
        peer = transport.get_extra_info("peername")
        self.address = network_of(peer[0]) if peer else ""
        self.is_counted = connections.add(self)
        """Whether it is open and one of the connections."""
        self.unsent = 0
        """How much was waiting to be sent when that was last checked."""
        self.timer: asyncio.TimerHandle | None = None
        """Checks whether the client accepts what is sent."""

    def close(self, why: str) -> None:
        """Closes it at once, whatever still waits to be sent."""
        if self.is_counted:
            self.connections.metrics.connections_closed.labels(why).inc()
            self.lost()
        self.transport.abort()

    def lost(self) -> None:
        self.stop_watching()
        if self.is_counted:
            self.is_counted = False
            self.connections.remove(self)

    def strike(self) -> None:
        """Notes an error of the client; behind a proxy it is not known whose."""
        if not self.connections.settings.behind_proxy:
            self.connections.strike(self.address)

    # Requests ---------------------------------------------------------------------------------------

    def wait(self) -> None:
        """It waits for a request, and may be closed to make room for others."""
        if self.is_counted:
            self.connections.waiting[self] = None

    def stop_waiting(self) -> None:
        self.connections.waiting.pop(self, None)

    # Clients that do not read -----------------------------------------------------------------------

    def watch_writing(self) -> None:
        """Closes the connection if the client accepts too little, as long as more waits to be sent."""
        self.unsent = self.transport.get_write_buffer_size()
        seconds = self.connections.settings.limits.write_seconds
        self.timer = asyncio.get_running_loop().call_later(seconds, self.check_writing)

    def check_writing(self) -> None:
        if self.unsent - self.transport.get_write_buffer_size() >= LEAST_WRITTEN:
            self.watch_writing()
        else:
            self.connections.metrics.cut.labels(str(TOO_SLOW)).inc()
            self.close("slow")

    def stop_watching(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


def files_allowed() -> float:
    """How many files this process may open; its own limit is raised as far as the system allows."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return math.inf
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # macOS allows less than it says
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return math.inf if allowed == resource.RLIM_INFINITY else allowed
