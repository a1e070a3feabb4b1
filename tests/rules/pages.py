"""The rules pages: which rulings each of them states."""

from __future__ import annotations

import re
from pathlib import Path

from fuda.games.catalogue import CATALOGUE

FOLDER = Path(__file__).parents[2] / "docs" / "rules"
PAGES = ["all_games", *(rules.id for rules in CATALOGUE)]
RULING = r"[A-Z]-\d+"
PARAGRAPH = re.compile(rf"^\*\*({RULING}) [^*\n]+\*\* \S", re.MULTILINE)


def page(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text("utf-8")


def stated(name: str) -> list[str]:
    """The rulings of a page, one for each paragraph."""
    return PARAGRAPH.findall(page(name))


PAGE_OF = {ruling[0]: name for name in PAGES for ruling in stated(name)}
"""The page by the letter of its rulings."""
RULINGS = [ruling for name in PAGES for ruling in stated(name)]
CITED = re.compile(rf"\b[{''.join(PAGE_OF)}]-\d+\b")
