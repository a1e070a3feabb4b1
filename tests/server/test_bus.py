"""The bus: messages between processes, also after Redis was down."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

import fuda
from fuda.server import bus as buses
from fuda.server.bus import Bus, RedisBus, bus_from
from tests.server.services import Redis, free_port


class Process:
    """A process at the bus, and what it has heard."""

    def __init__(self, url: str | None) -> None:
        self.bus = bus_from(url)
        self.heard: list[tuple[str, bytes]] = []
        self.missed = 0

    def miss(self) -> None:
        self.missed += 1

    async def start(self) -> None:
        await self.bus.start(lambda table, message: self.heard.append((table, message)), self.miss)


@asynccontextmanager
async def at_the_bus(url: str, count: int = 2) -> AsyncIterator[list[Process]]:
    processes = [Process(url) for _ in range(count)]
    try:
        for process in processes:
            await process.start()
        yield processes
    finally:
        for process in processes:
            await process.bus.close()


async def until(true: Callable[[], bool], seconds: float = 10.0) -> None:
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.01)


def test_a_process_alone_has_nobody_to_tell() -> None:
    async def run() -> None:
        alone = Process(None)
        assert type(alone.bus) is Bus
        await alone.start()
        await alone.bus.subscribe("t")
        await alone.bus.publish("t", b"7")
        await alone.bus.unsubscribe("t")
        await alone.bus.close()
        assert alone.heard == []

    asyncio.run(run())


def test_the_others_hear_what_is_said_of_the_tables_they_watch(redis_url: str) -> None:
    async def run() -> None:
        async with at_the_bus(redis_url, 3) as (one, two, three):
            assert len({one.bus.process, two.bus.process, three.bus.process}) == 3
            await asyncio.gather(one.bus.subscribe("t"), two.bus.subscribe("t"), three.bus.subscribe("u"))
            for number in range(300):
                await one.bus.publish("t", b"%d with spaces \x00" % number)
            await one.bus.publish("u", b"")
            await until(lambda: len(two.heard) == 300 and len(three.heard) == 1)
            assert two.heard == [("t", b"%d with spaces \x00" % number) for number in range(300)], "in order"
            assert three.heard == [("u", b"")]
            assert one.heard == [], "nobody hears himself"
            assert (one.missed, two.missed, three.missed) == (0, 0, 0)

    asyncio.run(run())


def test_nothing_is_missed_once_a_table_is_watched(redis_url: str) -> None:
    async def run() -> None:
        async with at_the_bus(redis_url) as (one, two):
            for number in range(50):
                await two.bus.subscribe(f"t{number}")
                await one.bus.publish(f"t{number}", b"now")
            await until(lambda: len(two.heard) == 50)

    asyncio.run(run())


def test_who_watches_no_longer_hears_no_more(redis_url: str) -> None:
    async def run() -> None:
        async with at_the_bus(redis_url) as (one, two):
            await two.bus.subscribe("t")
            await two.bus.subscribe("u")
            await two.bus.unsubscribe("t")
            await two.bus.unsubscribe("never watched")
            await one.bus.publish("t", b"1")
            await one.bus.publish("u", b"2")
            await until(lambda: bool(two.heard))
            assert two.heard == [("u", b"2")]
            await two.bus.subscribe("t")
            await one.bus.publish("t", b"3")
            await until(lambda: len(two.heard) == 2)

    asyncio.run(run())


def test_redis_may_be_restarted(redis: Redis) -> None:
    async def run() -> None:
        async with at_the_bus(redis.url()) as (one, two):
            await two.bus.subscribe("before")
            await asyncio.to_thread(redis.stop)
            began = asyncio.get_running_loop().time()
            await one.bus.publish("before", b"kept")
            await two.bus.subscribe("while away")
            assert asyncio.get_running_loop().time() - began < buses.TIMEOUT, "nobody waits for a Redis that is away"
            await asyncio.to_thread(redis.start)
            await until(lambda: two.missed == 1)
            await one.bus.publish("before", b"1")
            await one.bus.publish("while away", b"2")
            await until(lambda: {("before", b"1"), ("while away", b"2")} <= set(two.heard))

    asyncio.run(run())


def test_a_bus_does_not_start_without_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    """It could not know who is connected to other processes, and bots would play for them."""
    monkeypatch.setattr(buses, "TIMEOUT", 0.2)

    async def run() -> None:
        port = free_port()
        alone = Process(f"redis://fuda:secret@127.0.0.1:{port}")
        with pytest.raises(fuda.Error, match=rf"The bus at 127\.0\.0\.1:{port} cannot be reached: .*refused") as wrong:
            await alone.start()
        assert "secret" not in str(wrong.value)
        await alone.bus.close()

    asyncio.run(run())


def test_a_bus_that_takes_its_end_for_a_time_out_is_ended_all_the_same() -> None:
    async def overheard() -> None:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(3600)
        await asyncio.sleep(3600)

    async def run() -> None:
        bus = RedisBus("redis://127.0.0.1:1")
        bus.tasks = [asyncio.create_task(overheard())]
        await asyncio.sleep(0)
        await asyncio.wait_for(bus.close(), 10.0)
        assert bus.tasks == []

    asyncio.run(run())


def test_a_redis_that_never_answers_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """As behind a network that delivers nothing any more, and does not say so."""
    monkeypatch.setattr(buses, "TIMEOUT", 0.2)
    monkeypatch.setattr(buses, "HEARTBEAT_SECONDS", 0.1)
    calls = 0

    async def mute(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal calls
        calls += 1
        with contextlib.suppress(OSError):
            while await reader.read(1000):
                pass
        writer.close()

    async def run() -> None:
        server = await asyncio.start_server(mute, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        one = Process(f"redis://127.0.0.1:{port}")
        with pytest.raises(fuda.Error, match="cannot be reached"):
            await one.start()
        await one.bus.publish("t", b"1")
        await until(lambda: calls >= 4)
        await one.bus.close()
        server.close()
        await server.wait_closed()

    asyncio.run(run())


def test_a_redis_that_falls_silent_is_given_up(monkeypatch: pytest.MonkeyPatch, redis: Redis) -> None:
    monkeypatch.setattr(buses, "TIMEOUT", 0.2)
    monkeypatch.setattr(buses, "HEARTBEAT_SECONDS", 0.1)

    async def run() -> None:
        assert redis.process
        async with at_the_bus(redis.url()) as (one, two):
            await two.bus.subscribe("t")
            redis.process.send_signal(signal.SIGSTOP)
            try:
                await one.bus.publish("t", b"1")
                assert isinstance(two.bus, RedisBus)
                bus = two.bus
                await until(lambda: bus.lost)
            finally:
                redis.process.send_signal(signal.SIGCONT)
            await until(lambda: two.missed > 0)
            await one.bus.publish("t", b"2")
            await until(lambda: ("t", b"2") in two.heard)

    asyncio.run(run())


def test_telling_never_waits_and_drops_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buses, "MOST_WAITING", 10)
    monkeypatch.setattr(buses, "TIMEOUT", 0.2)

    async def run() -> None:
        bus = RedisBus(f"redis://127.0.0.1:{free_port()}")
        for number in range(1000):
            await bus.publish("t", b"%d" % number)
        assert bus.outgoing.qsize() == 10
        await bus.close()

    asyncio.run(run())


def test_a_listener_that_fails_does_not_end_the_listening(redis_url: str) -> None:
    async def run() -> None:
        heard: list[bytes] = []

        def stumble(table: str, message: bytes) -> None:
            heard.append(message)
            raise ValueError("what is that?")

        async with at_the_bus(redis_url, 1) as (one,):
            two = bus_from(redis_url)
            await two.start(stumble)
            await two.subscribe("t")
            await one.bus.publish("t", b"1")
            await one.bus.publish("t", b"2")
            await until(lambda: heard == [b"1", b"2"])
            await two.close()

    asyncio.run(run())


def test_valkey_is_as_good(redis_url: str) -> None:
    async def run() -> None:
        async with at_the_bus(redis_url.replace("redis://", "valkey://")) as (one, two):
            await two.bus.subscribe("t")
            await one.bus.publish("t", b"1")
            await until(lambda: bool(two.heard))

    asyncio.run(run())


@pytest.mark.parametrize(
    "url", ["", "localhost", "http://localhost", "redis://localhost:many", "redis://localhost?db=x", "redis://localhost?x=1"]
)
def test_what_is_no_bus_is_said_in_a_sentence(url: str) -> None:
    with pytest.raises(fuda.Error, match=r"The bus address is not valid; expected redis://"):
        bus_from(url)


def test_without_its_package_the_bus_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis.asyncio", None)
    with pytest.raises(fuda.Error, match=r"fuda\[cluster\]"):
        bus_from("redis://localhost")
