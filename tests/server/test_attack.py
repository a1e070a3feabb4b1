"""Players notice little of an attack, and the server keeps its memory."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Final

from tests.server.attack import attack

SECONDS: Final = float(os.environ.get("FUDA_ATTACK") or 60)
TABLES: Final = 300


def test_players_at_three_hundred_tables_under_attack(tmp_path: Path) -> None:
    result = asyncio.run(attack(tmp_path, TABLES, SECONDS))
    print(f"in peace: {result.calm.describe()}")
    print(f"under attack: {result.attacked.describe()}")
    print(f"floods: {result.floods}")
    assert result.complaints == []
    assert min(result.floods.values()) > 0
    assert result.attacked.percentile(0.99) <= 2 * result.calm.percentile(0.99)
    early, late = result.attacked.memory[len(result.attacked.memory) // 3], result.attacked.memory[-1]
    assert late < 1.1 * early, f"memory grows under attack: {result.attacked.memory}"
