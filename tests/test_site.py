"""What is done to the pages before the documentation site is built from them."""

from __future__ import annotations

from pathlib import Path

import pytest
from building import docs

PAGE = """# Schadenfreude

**S-9 Who takes what.** As in S-11 and A-3, but not `S-20`.

Say `sword 7`.

## Worked examples

| A | B |
| --- | --- |
| `sword -3` | `wild 10` |

## Appendix

Say `sword 7` again.
"""


def test_cards_are_drawn_in_the_worked_examples_alone_and_can_be_read_aloud() -> None:
    text = docs.rules_page(PAGE, "schadenfreude", "en")
    assert text.count("`sword 7`") == 2
    assert text.count('class="fuda-card') == 2
    assert 'role="img" aria-label="sword -3"' in text
    assert '<span class="fuda-rank">10</span>' in text


def test_a_worked_example_that_names_no_card_fails_the_build() -> None:
    with pytest.raises(SystemExit, match="sword 11"):
        docs.rules_page(PAGE.replace("sword -3", "sword 11"), "schadenfreude", "en")


def test_rules_have_anchors_and_links_but_code_is_left_alone() -> None:
    text = docs.rules_page(PAGE, "schadenfreude", "en")
    assert "**S-9 Who takes what.**{ #S-9 } As in [S-11](#S-11) and [A-3](all_games.md#A-3), but not `S-20`." in text


def test_a_card_without_a_suit_is_drawn_with_its_name() -> None:
    names = docs.cards_by_name("frantic", "de")
    assert names["Counterattack"].id == "counterattack"
    assert "fuda-words" in docs.drawing("Counterattack", "Counterattack", "", "plain")


def test_pages_from_the_root_lead_to_the_pages_of_the_site() -> None:
    assert docs.relink_root_page("[a](docs/fair.md#b) [c](CHANGELOG.md)") == "[a](fair.md#b) [c](changelog.md)"


def test_what_would_be_loaded_from_another_host_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="https://x.org"><img src="https://x.org/a.png"><link href="b.css">')
    (tmp_path / "b.css").write_text("@font-face { src: url(//fonts.org/a.woff2) }")
    assert [*docs.loads_from_other_hosts(tmp_path)] == ["a.html: https://x.org/a.png", "b.css: //fonts.org/a.woff2"]


def test_a_rules_page_links_to_the_other_languages() -> None:
    assert docs.language_links("kirifu", "en") == "[Deutsch](de/kirifu.md) · [日本語](ja/kirifu.md)"
    assert docs.language_links("kirifu", "ja") == "[English](../kirifu.md) · [Deutsch](../de/kirifu.md)"


def test_a_translated_page_says_its_language(tmp_path: Path) -> None:
    page = tmp_path / "rules" / "ja" / "kirifu.html"
    page.parent.mkdir(parents=True)
    page.write_text('<article class="md-content">')
    docs.mark_languages(tmp_path)
    assert page.read_text() == '<article lang="ja" class="md-content">'
