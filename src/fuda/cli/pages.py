"""The pages of the rules, a paragraph for each rule, beginning with its id: **S-9 Title.**"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from rich.console import RenderableType

import fuda

HERE: Final = Path(fuda.__file__).parent
ID: Final = re.compile(r"[A-Za-z]+-\d+")
RULING: Final = re.compile(r"\*\*([A-Z]+-\d+)\b")


def folder() -> Path:
    """The pages lie in the package; in a checkout, among the documents."""
    installed = HERE / "pages"
    return installed if installed.is_dir() else HERE.parent.parent / "docs" / "rules"


def names() -> list[str]:
    """The pages: first those of the games, in the order of the catalogue."""
    there = sorted(path.stem for path in folder().glob("*.md"))
    games = [game["id"] for game in fuda.games()]
    return [*(name for name in games if name in there), *(name for name in there if name not in games)]


def text(name: str) -> str:
    if name not in names():
        raise fuda.Error(f"There is no page of rules {name!r}; there are {', '.join(names()) or 'none'}.")
    return (folder() / f"{name}.md").read_text(encoding="utf-8")


def title(name: str) -> str:
    first = text(name).lstrip().partition("\n")[0]
    return first.lstrip("# ").strip()


def paragraph(rule: str) -> str:
    """The paragraph of a rule, with whatever belongs to it until the next rule or heading."""
    wanted = rule.upper()
    for name in names():
        found: list[str] = []
        for block in re.split(r"\n\s*\n", text(name)):
            ruling = RULING.match(block.strip())
            if found and (ruling or block.lstrip().startswith("#")):
                break
            if found or (ruling and ruling[1] == wanted):
                found.append(block.strip())
        if found:
            return "\n\n".join(found)
    raise fuda.Error(f"There is no rule {wanted}; `fuda rules` lists the pages.")


def is_rule(word: str) -> bool:
    return ID.fullmatch(word) is not None


def rendered(page: str) -> RenderableType:
    from rich.markdown import Markdown  # as slow to import as all the rest together, and rarely needed

    return Markdown(page)
