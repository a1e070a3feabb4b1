"""The fields of a view that the table draws in a special way."""

from __future__ import annotations

from typing import Final

HANDS: Final = "hands"
TOTALS: Final = "totals"
TRICK: Final = "trick"
LEADER: Final = "leader"
ROUND: Final = "round"
