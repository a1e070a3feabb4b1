"""The bare server of `make load`: `bare_server.py FILE FRAMES` stores each message and sends frames to its table.

Nothing but Starlette under uvicorn as Fuda uses it, and one commit for each message to SQLite, as durable as Fuda's. The
four sockets of a table receive the frames of a move at a table of Fuda's, read from a file.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiosqlite
import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from fuda.server.running import bound_socket, event_loop


class Bare:
    def __init__(self, file: str, frames: list[str]) -> None:
        self.file = file
        self.frames = frames
        self.database: aiosqlite.Connection
        self.tables: defaultdict[int, list[WebSocket]] = defaultdict(list)

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        # Without an isolation level each insertion is a transaction, committed when it returns.
        async with aiosqlite.connect(self.file, isolation_level=None) as self.database:
            await self.database.execute("PRAGMA journal_mode = WAL")
            await self.database.execute("PRAGMA synchronous = FULL")
            await self.database.execute("CREATE TABLE moves (number INTEGER PRIMARY KEY, table_id INTEGER, data TEXT)")
            yield

    async def socket(self, websocket: WebSocket) -> None:
        await websocket.accept()
        number = websocket.path_params["table"]
        table = self.tables[number]
        table.append(websocket)
        try:
            while True:
                text = await websocket.receive_text()
                await self.database.execute("INSERT INTO moves (table_id, data) VALUES (?, ?)", (number, text))
                for other, frame in zip(table, self.frames, strict=False):
                    await other.send_text(frame)
        except WebSocketDisconnect:
            table.remove(websocket)


async def run(bare: Bare) -> None:
    listener = bound_socket("127.0.0.1", 0)
    app = Starlette(routes=[WebSocketRoute("/tables/{table:int}", bare.socket)], lifespan=bare.lifespan)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="on",
        ws="websockets-sansio",
        ws_ping_interval=None,
        ws_per_message_deflate=False,
    )
    listener.listen()
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    with listener:
        await uvicorn.Server(config).serve([listener])


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=event_loop) as runner:
        runner.run(run(Bare(sys.argv[1], json.loads(Path(sys.argv[2]).read_text()))))
