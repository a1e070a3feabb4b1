"""Fuda's side of `make load`: `python bench/load_fuda.py FILE IDLE` is `fuda serve` with limits for a whole crowd.

All players come from one address, which `fuda serve` would not let in; IDLE is after how many seconds a table sleeps
that nobody is at.
"""

from __future__ import annotations

import sys

from fuda.server.logs import log_as_json
from fuda.server.running import bound_socket, run
from fuda.server.settings import Limits, Settings

MANY = 1_000_000

if __name__ == "__main__":
    log_as_json()
    listener = bound_socket("127.0.0.1", 0)
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    settings = Settings(db=f"sqlite:///{sys.argv[1]}", limits=Limits().times(MANY), idle_seconds=float(sys.argv[2]))
    run(settings, listener, lambda: print(address, flush=True))
