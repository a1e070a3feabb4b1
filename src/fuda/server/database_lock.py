"""Keeps a second server from a database, unless both are connected by the same bus.

Two servers without a bus would not know who is connected to the other one, and play for them.
"""

from __future__ import annotations

import logging
import os
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

from sqlalchemy import URL, Connection, NullPool, create_engine, text

from fuda.engine.errors import Error
from fuda.server.database import check_driver, is_file, make_file, opening, postgres_arguments, shown
from fuda.server.migrations import LOCK

if sys.platform != "win32":
    import fcntl

LOG: Final = logging.getLogger("fuda.server")
PATIENCE: Final = 2.0
"""How long a lock is waited for: a server that was killed may still hold it for a moment."""
PAUSE: Final = 0.05
CHECK_SECONDS: Final = 2.0
"""How often a server looks whether PostgreSQL has lost its lock, as after a restart."""

SETTINGS: Final = "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3"
"""Lets PostgreSQL notice within half a minute that the machine of a server is gone, and release its lock."""
THIS_SESSION: Final = "SELECT pid, backend_start AS start FROM pg_stat_activity WHERE pid = pg_backend_pid()"
END_SESSION: Final = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = :pid AND backend_start = :start"
ALONE: Final = "SELECT pg_try_advisory_lock(:fuda, 0)"
TOGETHER: Final = "SELECT pg_try_advisory_lock_shared(:fuda, 0) AND pg_try_advisory_lock_shared(:fuda, :bus)"
OTHER_BUS: Final = (
    "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database "
    "WHERE datname = current_database() AND locktype = 'advisory' AND objsubid = 2 "
    "AND classid = :fuda AND objid NOT IN (0, :bus)"
)


class DatabaseLock:
    """Held alone without a bus, otherwise together with all who have the same bus."""

    def __init__(self, url: URL, bus: str) -> None:
        self.url = url
        self.bus = bus
        """The address of the bus; empty without one."""

    def take(self) -> bool:
        """Whether the lock is held now; others are given a moment to release it."""
        until = time.monotonic() + PATIENCE
        while not self.try_to_take():
            if time.monotonic() > until:
                return False
            time.sleep(PAUSE)
        return True

    def must_take(self) -> None:
        if not self.take():
            raise self.in_use()

    def in_use(self) -> Error:
        return Error(
            f"Another server uses the database {shown(self.url)}: stop it first, or start all servers with the same --bus."
        )

    def try_to_take(self) -> bool:
        raise NotImplementedError

    def watch(self, on_taken: Callable[[], object]) -> None:
        """Takes the lock again whenever it is lost; calls `on_taken`, from another thread, if somebody else has it then."""

    def release(self) -> None:
        raise NotImplementedError


class FileLock(DatabaseLock):
    """A lock on a file beside the database, which the system releases when the process ends; nothing on Windows.

    The file has the address of the bus.
    """

    def __init__(self, url: URL, bus: str) -> None:
        super().__init__(url, bus)
        self.path = Path(f"{Path(str(url.database)).resolve()}-lock")
        self.handle: int | None = None

    def try_to_take(self) -> bool:
        try:
            self.handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            is_held = self.is_alone(self.handle) or self.is_with_same_bus(self.handle)
            if is_held and self.is_there(self.handle):
                return True
        except OSError as error:
            raise Error(f"The database {self.url.database} cannot be locked: {error.strerror}.") from None
        self.release()
        return False

    def is_alone(self, handle: int) -> bool:
        if not locked(handle, is_shared=False):
            return False
        os.ftruncate(handle, 0)
        os.write(handle, self.bus.encode())
        return not self.bus or locked(handle, is_shared=True)

    def is_with_same_bus(self, handle: int) -> bool:
        return bool(self.bus) and locked(handle, is_shared=True) and os.pread(handle, 1000, 0) == self.bus.encode()

    def is_there(self, handle: int) -> bool:
        """Whether others would lock the same file: whoever held it before may have deleted it."""
        return self.path.exists() and self.path.stat().st_ino == os.fstat(handle).st_ino

    def release(self) -> None:
        if self.handle is not None:
            os.close(self.handle)
            self.handle = None


def locked(handle: int, *, is_shared: bool) -> bool:
    if sys.platform != "win32":
        try:
            fcntl.flock(handle, (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


class SessionLock(DatabaseLock):
    """An advisory lock of PostgreSQL, which is released when the session of its connection ends."""

    def __init__(self, url: URL, bus: str) -> None:
        super().__init__(url, bus)
        check_driver()
        self.engine = create_engine(
            url, poolclass=NullPool, isolation_level="AUTOCOMMIT", connect_args=postgres_arguments(url)
        )
        self.connection: Connection | None = None
        self.session: dict[str, Any] | None = None
        """The last session that held the lock."""
        self.keys = {"fuda": LOCK, "bus": zlib.crc32(bus.encode()) % (2**31 - 1) + 1}
        self.stopping = Event()
        self.watching: Thread | None = None

    def try_to_take(self) -> bool:
        with opening(self.url):
            connection = self.engine.connect()
            try:
                connection.execute(text(SETTINGS))
                if self.session is not None:
                    # If only the network was interrupted, PostgreSQL may not have noticed yet.
                    connection.execute(text(END_SESSION), self.session)
                if self.is_granted(connection):
                    self.session = {**connection.execute(text(THIS_SESSION)).mappings().one()}
                    self.connection = connection
                    return True
            finally:
                if self.connection is not connection:
                    connection.close()
        return False

    def is_granted(self, connection: Connection) -> bool:
        if not self.bus:
            return bool(connection.scalar(text(ALONE), self.keys))
        return bool(connection.scalar(text(TOGETHER), self.keys)) and not connection.scalar(text(OTHER_BUS), self.keys)

    def watch(self, on_taken: Callable[[], object]) -> None:
        # A daemon, so that a database that does not answer cannot keep the process from ending.
        self.watching = Thread(target=self.check_repeatedly, args=(on_taken,), name="fuda-lock", daemon=True)
        self.watching.start()

    def check_repeatedly(self, on_taken: Callable[[], object]) -> None:
        while not self.stopping.wait(CHECK_SECONDS):
            try:
                if not self.is_held() and not self.take():
                    on_taken()
                    return
            except Error as error:
                LOG.info("the lock on the database cannot be taken again yet", extra={"error": str(error)})

    def is_held(self) -> bool:
        if self.connection is None:
            return False
        try:
            self.connection.execute(text("SELECT 1"))
        except Exception:  # whatever the loss of a connection leads to
            self.connection.invalidate()
            self.connection.close()
            self.connection = None
        return self.connection is not None

    def release(self) -> None:
        self.stopping.set()
        if self.watching is not None:
            self.watching.join(1.0)
        if self.connection is not None and not (self.watching and self.watching.is_alive()):
            self.connection.close()
            self.connection = None
        self.engine.dispose()


def lock_of(url: URL, bus: str = "") -> DatabaseLock:
    if not is_file(url):
        return SessionLock(url, bus)
    make_file(url)
    return FileLock(url, bus)
