"""Fuda's server for `make load`: `fuda_server.py FILE IDLE SPEED` is `fuda serve` with limits for very many players.

All players come from one address, which the limits of `fuda serve` would not allow. An empty table sleeps after IDLE
seconds; bots are SPEED times as fast as usual.
"""

from __future__ import annotations

import sys

from fuda.server.logs import log_as_json
from fuda.server.pace import Tempo
from fuda.server.running import bound_socket, run
from fuda.server.settings import Limits, Settings

MANY = 1_000_000

if __name__ == "__main__":
    log_as_json()
    listener = bound_socket("127.0.0.1", 0)
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    file, idle, speed = sys.argv[1:]
    limits, tempo = Limits().times(MANY), Tempo(speed=float(speed))
    settings = Settings(db=f"sqlite:///{file}", limits=limits, idle_seconds=float(idle), tempo=tempo)
    run(settings, listener, lambda: print(address, flush=True))
