"""One browser, and one server per tempo, for all tests of a worker: starting them takes longer than most tests."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import Callable, Coroutine
from typing import Any, Final

from playwright.async_api import Browser

from fuda.server.pace import Tempo
from tests.server.serving import FAST, Running, serving
from tests.web.browsers import browsers_at, launched

SLOW: Final = Tempo(speed=0.01, bytes_wait=5.0)
"""Bots do not move during a test."""

Test = Callable[..., Coroutine[Any, Any, None]]


class BrowserSession:
    """Runs tests in one event loop, in which the browser and the servers stay open; between tests it is stopped."""

    def __init__(self) -> None:
        self.runner = asyncio.Runner()
        self.stack = contextlib.AsyncExitStack()
        self.browser: Browser | None = None
        self.servers: dict[str, Running] = {}

    def run(self, test: Test, tempo: Tempo, given: dict[str, Any]) -> None:
        self.runner.run(self.with_browsers(test, tempo, given))

    async def with_browsers(self, test: Test, tempo: Tempo, given: dict[str, Any]) -> None:
        if self.browser is None:
            self.browser = await self.stack.enter_async_context(launched())
        server = await self.server(tempo)
        server.lines.errors = []  # other tests of this worker may have logged errors since the last one
        async with browsers_at(self.browser, server) as browsers:
            wanted = inspect.signature(test).parameters
            await test(
                **{name: one for name, one in {"server": server, "browsers": browsers}.items() if name in wanted}, **given
            )
        assert not server.lines.errors, "\n".join(server.lines.errors)

    async def server(self, tempo: Tempo) -> Running:
        key = repr(tempo)
        if key not in self.servers:
            self.servers[key] = await self.stack.enter_async_context(serving(tempo=tempo, may_fail=True))
        return self.servers[key]

    def close(self) -> None:
        self.runner.run(self.stack.aclose())
        self.runner.close()


def in_browser(tempo: Tempo = FAST) -> Callable[[Test], Callable[..., None]]:
    """Runs a test with the shared browser and the shared server of this tempo: its arguments `browsers` and `server`."""

    def decorate(test: Test) -> Callable[..., None]:
        def run(browser_session: BrowserSession, **given: Any) -> None:
            browser_session.run(test, tempo, given)

        shown = inspect.signature(test)
        own = [one for name, one in shown.parameters.items() if name not in ("server", "browsers")]
        session = inspect.Parameter("browser_session", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        run.__dict__["__signature__"] = shown.replace(parameters=[session, *own])
        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        return run

    return decorate
