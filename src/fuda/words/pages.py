"""The pages of the rules, a paragraph for each rule, beginning with its id: **S-9 Title.**"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import fuda
from fuda.protocol.books import Block, Language

HERE: Final = Path(fuda.__file__).parent
ID: Final = re.compile(r"[A-Za-z]+-\d+")
RULING: Final = re.compile(r"\*\*([A-Z]+-\d+)\b[ :]*(.*?)\*\*", re.DOTALL)


def folder() -> Path:
    """The pages lie in the package; in a checkout, among the documents."""
    installed = HERE / "pages"
    return installed if installed.is_dir() else HERE.parent.parent / "docs" / "rules"


def names() -> list[str]:
    """The pages: first those of the games, in the order of the catalogue."""
    there = sorted(path.stem for path in folder().glob("*.md"))
    games = [game["id"] for game in fuda.games()]
    return [*(name for name in games if name in there), *(name for name in there if name not in games)]


def text(name: str, language: Language = "en") -> str:
    """The page in this language; in English if it is not translated."""
    if name not in names():
        raise fuda.Error(f"There is no page of rules {name!r}; there are {', '.join(names()) or 'none'}.")
    translated = folder() / language / f"{name}.md"
    page = translated if translated.exists() else folder() / f"{name}.md"
    return page.read_text(encoding="utf-8")


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


# Pages for other front ends -------------------------------------------------------------------------


def parts(name: str, language: Language) -> list[Block]:
    """A page, part by part."""
    return [part(block.strip()) for block in re.split(r"\n\s*\n", text(name, language)) if block.strip()]


def part(block: str) -> Block:
    ruling = RULING.match(block)
    if block.startswith("#"):
        return Block("title" if block.startswith("# ") else "heading", text=block.lstrip("# "))
    if block.startswith("|"):
        return Block("table", rows=[cells(line) for line in block.splitlines() if not is_rule_line(line)])
    if block.startswith(("- ", "1. ")):
        return Block("list", items=[joined(item) for item in re.split(r"^(?:- |\d+\. )", block, flags=re.MULTILINE)[1:]])
    if ruling:
        return Block("rule", id=ruling[1], title=joined(ruling[2]), text=joined(block[ruling.end() :]))
    return Block("text", text=joined(block))


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def is_rule_line(line: str) -> bool:
    """The line between the head of a table and its rows."""
    return not line.strip("|-: ")


def joined(text: str) -> str:
    """A text without the breaks of its lines; Japanese has no spaces where they were."""
    lines = [line.strip() for line in text.strip().splitlines()]
    out = lines[0] if lines else ""
    for line in lines[1:]:
        out += line if is_wide(out[-1:]) and is_wide(line[:1]) else f" {line}"
    return out


def is_wide(sign: str) -> bool:
    return sign >= "\u2e80"
