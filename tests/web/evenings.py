"""One server and one browser for several tests, since both take longer to start than most scenes take."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any

from tests.server.serving import Running, serving
from tests.web.browsing import Visitors, visitors

Scene = Callable[[Running, Visitors], Coroutine[Any, Any, None]]


class Evening:
    """People come and go; between two scenes time stands still."""

    def __init__(self) -> None:
        self.runner = asyncio.Runner()
        self.stack = contextlib.AsyncExitStack()
        self.running = self.runner.run(self.stack.enter_async_context(serving()))
        self.those = self.runner.run(self.stack.enter_async_context(visitors(self.running)))

    def play(self, scene: Scene) -> None:
        """Plays a scene; what a console complains of fails the test."""
        try:
            self.runner.run(scene(self.running, self.those))
            faults = [fault for tab in self.those.tabs for fault in tab.faults]
            assert not faults, "\n".join(faults)
        finally:
            self.runner.run(self.leave())

    async def leave(self) -> None:
        for tab in self.those.tabs:
            await tab.context.close()
        self.those.tabs.clear()

    def end(self) -> None:
        self.runner.run(self.stack.aclose())
        self.runner.close()
