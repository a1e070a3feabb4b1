"""How much memory a live game takes: `python -m bench.memory GAME` prints the bytes of one of many clones.

A process of its own for each game: what was freed before would otherwise be used again, and not be seen.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable
from pathlib import Path

CLONES = 10_000


def resident() -> int:
    """The bytes of memory that this process holds now; where the system does not say, the most it ever held."""
    pages = Path("/proc/self/statm")
    if pages.exists():
        return int(pages.read_text().split()[1]) * resource.getpagesize()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def bytes_each(clone: Callable[[], object]) -> int:
    """What one of many live clones takes."""
    clones: list[object] = [None] * CLONES
    before = resident()
    for at in range(CLONES):
        clones[at] = clone()
    return (resident() - before) // CLONES


def live(game: str) -> Callable[[], object]:
    """The clone() of a game in the middle of a round; each side's package is in the environment of that side alone."""
    if game == "hearts":
        from bench.peers import hearts_mid_round

        clone: Callable[[], object] = hearts_mid_round().clone
        return clone
    import fuda
    from fuda.lab.bench import Table, mid_round

    return mid_round(Table(fuda.rulebook(game))).clone


if __name__ == "__main__":
    print(bytes_each(live(sys.argv[1])))
