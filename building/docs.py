"""Builds the documentation site: `python -m building.docs` writes it to build/site, and fails on any warning.

The pages are copied to build/docs first. On the way the cards of worked examples are drawn, and rules are linked.
"""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import fuda
from fuda.protocol.books import Card
from fuda.words.book import book_of
from fuda.words.translations import ALL_GAMES

ROOT: Final = Path(__file__).parent.parent
DOCS: Final = ROOT / "docs"
BUILD: Final = ROOT / "build"
PAGES: Final = BUILD / "docs"
SITE: Final = BUILD / "site"
FROM_THE_ROOT: Final = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}

WORKED_EXAMPLES: Final = {"en": "Worked examples", "de": "Durchgespielte Beispiele", "ja": "プレイ例"}
"""The heading of the section with the worked examples, by language; cards are drawn there."""

LANGUAGES: Final = {"en": "English", "de": "Deutsch", "ja": "日本語"}

LINK: Final = re.compile(r"\]\(([^)#\s]+)((?:#[^)]*)?)\)")
CODE: Final = re.compile(r"`([^`\n]+)`")
COMMA: Final = re.compile(r"(</span></span>)(?:, |、)(?=<span class=.fuda-card)")
"""Between two cards that are drawn."""
RULING: Final = re.compile(r"^\*\*([A-Z]-\d+) ([^*\n]+)\*\*", re.MULTILINE)
RULING_OR_CODE: Final = re.compile(r"\*\*[A-Z]-\d+ [^*\n]+\*\*|`[^`\n]+`|(?<![\w-])([A-Z])-(\d+)(?!\w)")
LOADS: Final = re.compile(
    r"""(?:<(?:link\b(?![^>]*rel="?canonical)|script|img|iframe|source)\b[^>]*(?:href|src)="?|url\(["']?)((?:https?:)?//[^"')\s>]+)"""
)
RULES_IN_NAVIGATION: Final = '{ "Rules" = [] }'
SHAPES: Final = {
    "⚔": "M11 2h2l1 2v11h4v2h-4.5v3H15v2H9v-2h1.5v-3H6v-2h4V4z",
    "⚑": "M5 2h2v20H5zM8 3h12l-3 5 3 5H8z",
    "⛨": "M12 2l8 3v6c0 5-3.4 9-8 11-4.6-2-8-6-8-11V5z",
    "♜": "M4 21v-9a8 8 0 0 1 16 0v9h-5v-6h2v-3H7v3h2v6z",
    "★": "M12 2l2.9 6.6 7.1.7-5.4 4.7 1.6 7-6.2-3.7L5.8 21l1.6-7L2 9.3l7.1-.7z",
    "♠": "M12 2c6 5.5 9 8.5 9 12a4.3 4.3 0 0 1-7.6 2.8L15 22H9l1.6-5.2A4.3 4.3 0 0 1 3 14c0-3.5 3-6.5 9-12z",
    "♥": "M12 21C5 15 2 11.5 2 8a5 5 0 0 1 10-1.5A5 5 0 0 1 22 8c0 3.5-3 7-10 13z",
    "♦": "M12 2l8 10-8 10-8-10z",
    "◆": "M12 3l9 9-9 9-9-9z",
    "♣": "M12 3a4 4 0 0 1 3.3 6.3A4 4 0 1 1 13 14.5l1.5 6.5h-5l1.5-6.5a4 4 0 1 1-2.3-5.2A4 4 0 0 1 12 3z",
    "▲": "M12 3l10 18H2z",
    "■": "M4 4h16v16H4z",
    "●": "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z",
}
"""The symbols of the suits as SVG paths, 24 by 24, since few fonts have all of them; others are shown as text."""


# Preparing the pages ------------------------------------------------------------------------------


def prepare() -> None:
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(DOCS, PAGES)
    for source, target in FROM_THE_ROOT.items():
        (PAGES / target).write_text(relink_root_page((ROOT / source).read_text("utf-8")), "utf-8")
    for page in PAGES.rglob("*.md"):
        text = fetch_linked_files(page, page.read_text("utf-8"))
        if page.parent != PAGES:
            text = rules_page(text, page.stem, language_of(page))
        page.write_text(text, "utf-8")
    config = (ROOT / "zensical.toml").read_text("utf-8")
    assert RULES_IN_NAVIGATION in config
    (BUILD / "zensical.toml").write_text(
        config.replace(RULES_IN_NAVIGATION, f'{{ "Rules" = {rules_navigation()} }}'), "utf-8"
    )


def path_of_rules(name: str, language: str) -> str:
    """Where the rules of a game are, from the folder of the documents on."""
    return f"rules/{name}.md" if language == "en" else f"rules/{language}/{name}.md"


def rules_navigation() -> str:
    """The rules pages for the navigation: in English, then a section for each other language."""
    others = [f"{{ {quoted(word)} = [{entries_of(one)}] }}" for one, word in LANGUAGES.items() if one != "en"]
    return f"[{', '.join([entries_of('en'), *others])}]"


def entries_of(language: str) -> str:
    found = []
    for name in [*(game["id"] for game in fuda.games()), ALL_GAMES]:
        page = DOCS / path_of_rules(name, language)
        if page.exists():
            title = page.read_text("utf-8").partition("\n")[0].removeprefix("# ")
            found.append(f"{{ {quoted(title)} = {quoted(path_of_rules(name, language))} }}")
    return ", ".join(found)


def quoted(text: str) -> str:
    """A string as TOML has it."""
    return json.dumps(text, ensure_ascii=False)


def relink_root_page(text: str) -> str:
    """The text of a page that moves from the root of the project to the other documents."""

    def relinked(link: re.Match[str]) -> str:
        target = FROM_THE_ROOT.get(link[1], link[1].removeprefix("docs/"))
        return f"]({target}{link[2]})"

    return LINK.sub(relinked, text)


def fetch_linked_files(page: Path, text: str) -> str:
    """The text with links to files outside the documents replaced by links to copies beside the page."""

    def fetched(link: re.Match[str]) -> str:
        if not link[1].startswith("../"):
            return link[0]
        source = (DOCS / page.relative_to(PAGES).parent / link[1]).resolve()
        if source.is_relative_to(DOCS):
            return link[0]
        if source.parent == ROOT and source.name in FROM_THE_ROOT:
            return f"]({FROM_THE_ROOT[source.name]}{link[2]})"
        shutil.copy(source, page.parent / source.name)
        return f"]({source.name}{link[2]})"

    return LINK.sub(fetched, text)


def language_of(page: Path) -> str:
    return page.parent.name if page.parent.name in WORKED_EXAMPLES else "en"


def rules_page(text: str, name: str, language: str) -> str:
    """A page of rules with anchors, links from rule to rule, and drawn cards."""
    if name != ALL_GAMES:
        text = with_drawn_cards(text, name, language)
    text = RULING.sub(r"**\1 \2**{ #\1 }", with_rule_links(text, name))
    title, _, rest = text.partition("\n")
    return f"{title}\n\n{language_links(name, language)}\n{rest}"


def language_links(name: str, language: str) -> str:
    """Links to the same page in the other languages."""
    up = "" if language == "en" else "../"
    there = [one for one in LANGUAGES if one != language and (DOCS / path_of_rules(name, one)).exists()]
    return " · ".join(f"[{LANGUAGES[one]}]({up}{path_of_rules(name, one).removeprefix('rules/')})" for one in there)


@cache
def pages_by_letter() -> dict[str, str]:
    """The names of the rules pages by the letter with which the ids on them begin."""
    letters: dict[str, str] = {}
    for page in (DOCS / "rules").glob("*.md"):
        for ruling in RULING.finditer(page.read_text("utf-8")):
            letters[ruling[1][0]] = page.stem
    return letters


def with_rule_links(text: str, name: str) -> str:
    def linked(match: re.Match[str]) -> str:
        if match[1] not in pages_by_letter():
            return match[0]
        page = pages_by_letter()[match[1]]
        return f"[{match[0]}]({'' if page == name else f'{page}.md'}#{match[0]})"

    return RULING_OR_CODE.sub(linked, text)


# Drawn cards --------------------------------------------------------------------------------------


def worked_examples(text: str, language: str) -> str:
    """The section of a rules page with the worked examples, without its heading."""
    _, _, rest = text.partition(f"\n## {WORKED_EXAMPLES[language]}\n")
    return re.split(r"^## ", rest, maxsplit=1, flags=re.MULTILINE)[0]


def cards_by_name(game: str, language: str) -> dict[str, Card]:
    """The cards of a game by their names in this language; soft hyphens are left out."""
    return {plain(card.name): card for card in book_of(game, language).cards}


def plain(text: str) -> str:
    return text.replace("\u00ad", "")


def with_drawn_cards(text: str, game: str, language: str) -> str:
    section = worked_examples(text, language)
    if not section:
        return text
    cards = cards_by_name(game, language)
    looks = book_of(game, language).suits

    def drawn(code: re.Match[str]) -> str:
        card = cards.get(code[1])
        if card is None:
            raise SystemExit(
                f"docs: {game} ({language}) has no card {code[1]!r}; a worked example may name only cards in backticks."
            )
        look = looks.get(card.suit)
        return drawing(code[1], plain(card.rank), look.symbol if look else "", look.colour if look else "plain")

    return text.replace(section, COMMA.sub(r"\1 ", CODE.sub(drawn, section)))


def drawing(name: str, rank: str, symbols: str, colour: str) -> str:
    """A card as HTML; people who cannot see it are read its name."""
    size = " fuda-words" if len(rank) > 2 else ""
    label = html.escape(name, quote=True)
    signs = "".join(map(sign, symbols))
    return (
        f'<span class="fuda-card fuda-{colour}{size}" role="img" aria-label="{label}" title="{label}">'
        f'<span class="fuda-rank">{html.escape(rank)}</span><span class="fuda-suit">{signs}</span></span>'
    )


def sign(symbol: str) -> str:
    shape = SHAPES.get(symbol)
    return html.escape(symbol) if shape is None else f'<svg viewBox="0 0 24 24"><path d="{shape}"/></svg>'


# Building and checking ----------------------------------------------------------------------------


def build() -> None:
    shutil.rmtree(SITE, ignore_errors=True)
    done = subprocess.run([sys.executable, "-m", "zensical", "build", "--clean", "--strict"], cwd=BUILD, check=False)
    if done.returncode:
        raise SystemExit("docs: Zensical failed, or warned of something.")


def mark_languages(site: Path) -> None:
    """Says in which language a page is, so that it is read aloud, hyphenated and given its letters as such."""
    for language in LANGUAGES:
        for page in (site / "rules" / language).glob("*.html"):
            page.write_text(page.read_text("utf-8").replace("<article ", f'<article lang="{language}" ', 1), "utf-8")


def loads_from_other_hosts(site: Path) -> Iterator[str]:
    """Whatever a page or a style sheet would load from another host."""
    for file in sorted([*site.rglob("*.html"), *site.rglob("*.css")]):
        for loaded in LOADS.findall(file.read_text("utf-8")):
            yield f"{file.relative_to(site)}: {loaded}"


def main() -> None:
    prepare()
    build()
    mark_languages(SITE)
    foreign = [*loads_from_other_hosts(SITE)]
    if foreign:
        raise SystemExit("\n".join(["docs: the site loads files from other hosts.", *foreign]))


if __name__ == "__main__":
    main()
