"""The drawn table: it fits, shows only what the view has, and works for any game."""

from __future__ import annotations

from typing import Any

import pytest
from rich.text import Text

import fuda
from fuda.bots.seating import DEFAULT_NAMES
from fuda.cli.table.cards import CardLooks
from fuda.cli.table.frame import Frame
from fuda.cli.table.history import current_trick_start, find_last_trick
from fuda.cli.table.parser import labels_for
from fuda.cli.table.render import render_table
from fuda.cli.table.wording import note_paragraphs, note_text
from fuda.cli.terminal.layout import wrap_groups, wrap_words
from fuda.engine.fields import HIDDEN, OWN, Cards, Field, Number, Numbers, Row, SeatCards
from fuda.engine.roles import HAND, ROUND, SCORE
from fuda.engine.rulebook import Look, Option, Rulebook
from fuda.game import words_in
from tests.tables import Table, moments, reduced_tables

MANY_NOTES = 40
"""More than fit on a screen."""
LONG = ["Maximiliane1", "Bartholomäus", "Christopher1", "Constantine1", "Evangeline12", "Friedericke1", "Gwendolyn123", "H"]


def frame_of(game: fuda.Game, seat: str | None, names: list[str] | None = None) -> Frame:
    view = game.view(seat)
    called = dict(zip(game.totals, names or DEFAULT_NAMES, strict=False))
    frame = Frame(game.rules, called, {}, view)
    frame.moves = words_in(game.moves()) if seat == game.seat else []
    frame.title = "since your last turn"
    found = find_last_trick(game.rules, view["history"])
    frame.set_news(view["history"][found[0] if found else -MANY_NOTES :])
    return frame


def shown(frame: Frame, width: int = 80, height: int | None = None) -> str:
    return "\n".join(line.plain for line in render_table(frame, width, height))


@reduced_tables
def test_every_moment_of_a_game_fits_23_lines_of_80_columns_above_the_prompt(table: Table) -> None:
    for number, game in enumerate(moments(table, 2, 0.25)):
        names = LONG if number % 2 else DEFAULT_NAMES
        frame = frame_of(game, game.seat or "A", names)
        lines = render_table(frame, 80, 23)
        text = "\n".join(line.plain for line in lines)
        assert len(lines) <= 23
        assert max(line.cell_len for line in lines) <= 80
        assert all(f" {label} " in text for label in labels_for(frame.rules, frame.moves))
        assert all(frame.looks.full_name(move).plain in text for move in frame.moves)
        assert all(frame.looks.short_name(card).plain in text for card in frame.hand)
        assert all(frame.looks.full_name(card).plain in text for card in frame.view.get("trick", []))


@reduced_tables
def test_no_card_is_shown_that_the_view_does_not_hold(table: Table) -> None:
    """A game dealt anew from what a seat sees looks the same to that seat."""
    for number, game in enumerate(moments(table, 3, 0.04)):
        for seat in table.seats:
            other = fuda.redeal(game.view(seat), number)
            assert shown(frame_of(game, seat)) == shown(frame_of(other, seat))


def test_a_finished_trick_stays_until_the_next_card_and_is_told() -> None:
    hands = {"A": ["red 5", "red 1"], "B": ["red 2", "blue 1"], "C": ["red 8", "blue 2"]}
    game = fuda.new("shinigami_preschool", players=3, seed=1, position={"hands": hands, "leader": "A"})
    for card in ("red 5", "red 2", "red 8"):
        game.play(card)
    text = shown(frame_of(game, "C"), 100)
    assert "── the last trick" in text
    assert "╰─────── led ─╯ ╰─────────────╯ ╰─────── won ─╯" in text
    assert "Ada plays ♥ red 5. Ben plays ♥ red 2. Cleo plays ♥ red 8. Cleo wins the trick with ♥ red 8." in text
    game.play("blue 2")
    text = shown(frame_of(game, "A"))
    assert "── the trick" in text
    assert "╭ Cleo ───────╮" in text
    assert "◆ blue 2" in text


def test_open_cards_are_grouped_by_suit_or_by_number_if_numbers_can_be_followed() -> None:
    won = {"A": ["red 1", "blue 1", "red 2"]}
    hands = {"A": ["green 1"], "B": ["green 2"], "C": ["green 3"]}
    by_number = fuda.new("shinigami_preschool", players=3, position={"hands": hands, "won": won, "leader": "A"})
    assert "1♥◆  2♥" in shown(frame_of(by_number, "B"))
    won = {"A": ["red 1", "red 2", "purple 1"]}
    by_colour = fuda.new("cursed_tricks", players=3, position={"hands": hands, "won": won, "leader": "A"})
    assert "◆ 1  ♥ 1 2" in shown(frame_of(by_colour, "B"))


def test_what_cannot_be_played_is_dim_and_has_no_number() -> None:
    hands = {"A": ["red 1", "red 2"], "B": ["green 2", "red 5"], "C": ["green 3", "green 4"]}
    game = fuda.new("cursed_tricks", players=3, position={"hands": hands, "leader": "A"})
    game.play("red 1")
    faces, numbers = render_table(frame_of(game, "B"), 80, None)[-3:-1]
    assert faces.plain == "│♣ 2 │♥ 5 │"
    assert numbers.plain == "│    │ 1  │"
    assert any("dim" in str(span.style) and faces.plain[span.start : span.end].startswith("♣") for span in faces.spans)
    assert not any("dim" in str(span.style) and faces.plain[span.start : span.end].startswith("♥") for span in faces.spans)


def test_a_large_screen_is_used_and_a_small_one_is_not_overrun() -> None:
    game = fuda.new("schadenfreude", players=5, seed=1)
    for _ in range(33):
        game.play(game.moves()[0])
    frame = frame_of(game, game.seat)
    assert len(render_table(frame, 120, 49)) > len(render_table(frame, 120, 23))
    assert "" in shown(frame, 120, 49).splitlines()
    assert len(render_table(frame, 80, 20)) <= 20
    assert max(line.cell_len for line in render_table(frame, 80, 20)) <= 80


# A game that is not in the catalogue ------------------------------------------------------------------


def toy() -> Rulebook[Any]:
    """A game with other fields, cards and moves than those in the catalogue."""
    rules: Rulebook[Any] = Rulebook()
    rules.name = "Toy"
    rules.cards = ["spade A", "spade 10", "heart 2", "fantastic four", "red-green swap"]
    rules.looks = {"spade": Look("♠", "blue"), "heart": Look("♥", "red")}
    rules.fields = [
        Number("round", 1, 9, kind=ROUND),
        Field("turn"),
        Field("trump"),
        Field("demand"),
        Row("table"),
        Cards("stock", HIDDEN),
        Field("out"),
        SeatCards("hands", OWN, kind=HAND),
        SeatCards("characters", OWN),
        Numbers("totals", kind=SCORE),
    ]
    rules.questions = {}
    rules.texts = {}
    rules.options = [Option("rounds", "", 3, 1, 9, limits=ROUND)]
    rules.notes = {"draw": "{seat} draws {number} cards."}
    rules.note_roles = {}
    return rules


def test_an_unknown_game_can_be_drawn() -> None:
    view: dict[str, Any] = {
        "options": {"rounds": 3, "house": None},
        "you": "A",
        "seat": "A",
        "over": False,
        "round": 2,
        "turn": "A",
        "trump": "spade",
        "demand": {"colour": "red", "number": 7},
        "table": ["spade 10", "heart 2"],
        "stock": {"size": 20, "cards": []},
        "out": ["B"],
        "hands": {"A": ["spade A", "fantastic four", "red-green swap"], "B": {"size": 17, "cards": []}},
        "characters": {"A": ["heart 2"], "B": {"size": 1, "cards": []}},
        "totals": {"A": -3, "B": 12},
        "history": [{"kind": "draw", "seat": "B", "number": 2}],
    }
    frame = Frame(toy(), {"A": "Ann", "B": "Bob"}, {}, view)
    frame.moves = ["spade A", "spade A + heart 2", "take", "B"]
    frame.set_news(view["history"])
    text = shown(frame)
    for part in (
        "round 2 of 3",
        "trump ♠ spade",
        "colour red, number 7",
        "♠ 10",
        "stock ▮ 20",
        "▮ 17",
        "-3",
        "out Bob",
        "  ♥ 2   ",
    ):
        assert part in text, part
    for part in ("Bob draws 2 cards.", "1 ♠ spade A", "2 ♠ spade A + ♥ heart 2", "3 take", "4 B Bob", "fantastic four"):
        assert part in text, part
    assert "house" not in text
    assert "the trick" not in text


def test_a_note_without_a_template_is_skipped() -> None:
    rules = fuda.rulebook("schadenfreude")
    names = {"A": "Ann"}
    assert note_text(rules, {}, {"kind": "unheard of"}, names) == ""
    assert note_text(rules, {}, {"kind": "play", "seat": "A"}, names) == ""
    assert note_text(rules, {}, {"kind": "play", "seat": "A", "card": "sword 1"}, names) == "Ann plays sword 1."
    assert note_paragraphs(rules, {}, CardLooks(rules), [{"kind": "x"}], names) == []


def test_tricks_are_found_in_the_history() -> None:
    rules = fuda.rulebook("schadenfreude")
    play, trick, score = {"kind": "play"}, {"kind": "trick"}, {"kind": "score"}
    history: list[dict[str, Any]] = [{"kind": "deal"}, play, play, {"kind": "break"}, trick, {"kind": "curse"}, play]
    assert current_trick_start(rules, history) == 6
    assert find_last_trick(rules, history) == (1, 6)
    assert find_last_trick(rules, [*history[:6], score]) == (1, 6)
    assert find_last_trick(rules, [play]) is None


@pytest.mark.parametrize(
    ("width", "lines"), [(40, ["⚔ -3 5 7  ⚑ 2"]), (9, ["⚔ -3 5 7", "⚑ 2"]), (7, ["⚔ -3 5", "⚔ 7", "⚑ 2"])]
)
def test_piles_repeat_their_suit_in_the_next_line(width: int, lines: list[str]) -> None:
    groups = CardLooks(fuda.rulebook("schadenfreude")).by_suit(["sword -3", "sword 5", "sword 7", "flag 2"])
    assert [line.plain for line in wrap_groups(groups, width)] == lines


def test_words_are_wrapped_and_a_card_is_never_broken() -> None:
    looks = CardLooks(fuda.rulebook("schadenfreude"))
    lines = [line.plain for line in wrap_words(looks.words("Ann plays sword 7. Bob plays (flag -3), well."), 16)]
    assert lines == ["Ann plays", "⚔ sword 7. Bob", "plays", "(⚑ flag -3),", "well."]
    assert [line.plain for line in wrap_words([Text("a"), Text("x" * 12), Text("b")], 5)] == ["a", "xxxxx", "xxxxx", "xx b"]
