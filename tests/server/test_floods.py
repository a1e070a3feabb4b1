"""Floods of frames: whoever sends them is cut off, and nobody else waits."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any, Final, cast

import pytest

from fuda.server.protocols import MOST_FRAGMENTS
from fuda.server.settings import Limits
from tests.server.clients import PING
from tests.server.flooding import FLOODS, flood
from tests.server.processes import ServerProcess
from tests.server.raw_socket import BINARY, CONTINUATION, PONG, TEXT, RawSocket, frame_of
from tests.server.raw_socket import PING as PING_FRAME
from tests.server.serving import Lines, Running, served
from tests.server.test_security import closed

TWO: Final = "shinigami_preschool"
SECONDS: Final = float(os.environ.get("FUDA_FLOOD_SECONDS", "3"))
"""How long a flood lasts."""
PROMPTLY: Final = 0.5
"""How much processor time the server may use until it answers somebody else."""
GROWTH: Final = 24 * 2**20
"""By how much the memory of a server may grow."""
FEW: Final = Limits(burst=20, per_second=0.01, hello=10)


@pytest.mark.parametrize("kind", FLOODS)
def test_nobody_waits_for_a_flood_of_frames_and_it_takes_no_memory(kind: str, tmp_path: Path) -> None:
    async def do() -> None:
        async with ServerProcess(tmp_path, "--db", f"sqlite:///{tmp_path / 'fuda.db'}", "--workers", "1") as server:
            honest = Running(cast(Any, None), server.port, Lines())
            ann, ben = await honest.people(TWO, 2)
            own = await honest.open(TWO, "Eve")
            await ann.do("say", text="Hello")
            before = server.resident()
            path = f"/api/tables/{own.table}/socket"
            attack = asyncio.create_task(flood(honest.host, path, own.cookie, FLOODS[kind], SECONDS, "127.0.0.2"))
            waits: list[float] = []
            while not attack.done():
                begun = server.cpu_seconds()
                await ann.do("say", text="Still here")
                waits.append(server.cpu_seconds() - begun)
                await asyncio.sleep(0.2)
            assert await attack > 0, "it was cut off"
            print(f"{len(waits)} answers, each after at most {max(waits):.2f} s of processor time")
            assert max(waits) < PROMPTLY
            assert server.resident() - before < GROWTH
            await ben.settled()
            assert ben.version == ann.version
            for client in (ann, ben):
                await client.close()
            await honest.web.aclose()
            assert await server.stop() == 0
            assert [line for line in server.complaints() if "is blocked for a while" not in line] == []

    asyncio.run(do())


@pytest.mark.parametrize("kind", [PONG, PING_FRAME, BINARY], ids=["pong", "ping", "empty message"])
@served(limits=FEW)
async def test_every_frame_costs_a_credit(running: Running, kind: int) -> None:
    ann, ben = await running.people(TWO, 2)
    raw = await RawSocket.opened(ann.host, f"/api/tables/{ann.table_id}/socket", ann.cookie)
    raw.send(frame_of(b"{}", kind) * 25)
    said = []
    while (frame := await raw.receive()) is not None:
        said.append(frame)
    assert b"too many" in said[-1] or b"bad message" in said[-1]
    assert (await ben.ask("say", text="Still here"))["kind"] == "done"
    await raw.close()


@served(limits=FEW)
async def test_a_message_of_one_frame_costs_one_credit(running: Running) -> None:
    (ann,) = await running.people(TWO, 1, rest=["open"])  # has said hello, for 10
    for _ in range(10):
        await ann.settled()
    await ann.send_text(PING)
    await closed(ann, 4029, "too many")
    assert ann.pongs == 10


@served(limits=FEW)
async def test_a_message_counts_once_for_each_of_its_fragments(running: Running) -> None:
    (ann,) = await running.people(TWO, 1, rest=["open"])
    assert ann.socket is not None
    for _ in range(2):
        await ann.socket.send([PING[:3], PING[3:5], PING[5:6], PING[6:]])  # and an empty one at the end
    await ann.until(lambda: ann.pongs == 2)
    await ann.send_text(PING)
    await closed(ann, 4029, "too many")


@pytest.mark.parametrize("count", [MOST_FRAGMENTS, MOST_FRAGMENTS + 1])
@served(limits=Limits())
async def test_a_message_has_so_many_fragments(running: Running, count: int) -> None:
    (ann,) = await running.people(TWO, 1, rest=["open"])
    raw = await RawSocket.opened(ann.host, f"/api/tables/{ann.table_id}/socket", ann.cookie)
    parts = [PING.encode(), *[b""] * (count - 1)]
    for number, part in enumerate(parts):
        raw.send(frame_of(part, CONTINUATION if number else TEXT, is_last=number == count - 1))
    said = await raw.receive()
    assert said is not None
    if count > MOST_FRAGMENTS:
        assert b"fragments" in said
        assert await raw.receive() is None
    else:
        assert said == b'{"kind":"pong"}'
    await raw.close()


@served(limits=Limits(burst=30))
async def test_what_a_client_sent_before_it_was_too_much_is_answered(running: Running) -> None:
    (ann,) = await running.people(TWO, 1, rest=["open"])
    raw = await RawSocket.opened(ann.host, f"/api/tables/{ann.table_id}/socket", ann.cookie)
    raw.send(frame_of(PING.encode()) * 100)
    answers = []
    while (frame := await raw.receive()) is not None:
        answers.append(frame)
    assert answers[:30] == [b'{"kind":"pong"}'] * 30
    assert b'"too many"' in answers[-1]
    await raw.close()
