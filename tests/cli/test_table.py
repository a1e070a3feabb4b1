"""The table as lines of text: it fits, it shows what the view holds and nothing else, and it knows no game."""

from __future__ import annotations

from typing import Any

import pytest
from rich.text import Text

import fuda
from fuda.bots.seating import DEFAULT_NAMES
from fuda.cli.cards import Looks, flow, pack
from fuda.cli.prompt import labels_of
from fuda.cli.scene import Scene
from fuda.cli.story import last_trick, paragraphs, start_of_trick, worded
from fuda.cli.table import picture
from fuda.engine.fields import HIDDEN, OWN, Cards, Field, Number, Numbers, Row, SeatCards
from fuda.engine.rulebook import Look, Rulebook
from fuda.game import words_in
from tests.tables import Table, moments, reduced_tables

LONG = ["Maximiliane1", "Bartholomäus", "Christopher1", "Constantine1", "Evangeline12", "Friedericke1", "Gwendolyn123", "H"]


def scene_of(game: fuda.Game, seat: str | None, names: list[str] | None = None) -> Scene:
    view = game.view(seat)
    called = dict(zip(game.totals, names or DEFAULT_NAMES, strict=False))
    scene = Scene(game.rules, called, {}, view)
    scene.moves = words_in(game.moves()) if seat == game.seat else []
    scene.title = "since your last turn"
    found = last_trick(view["history"])
    scene.tell(view["history"][found[0] if found else 0 :])
    return scene


def shown(scene: Scene, width: int = 80, height: int | None = None) -> str:
    return "\n".join(line.plain for line in picture(scene, width, height))


@reduced_tables
def test_every_moment_of_a_game_fits_23_lines_of_80_columns_above_the_prompt(table: Table) -> None:
    for number, game in enumerate(moments(table, 2, 0.25)):
        names = LONG if number % 2 else DEFAULT_NAMES
        scene = scene_of(game, game.seat or "A", names)
        lines = picture(scene, 80, 23)
        text = "\n".join(line.plain for line in lines)
        assert len(lines) <= 23
        assert max(line.cell_len for line in lines) <= 80
        assert all(f" {label} " in text for label in labels_of(scene.rules, scene.moves))
        assert all(scene.looks.name(move).plain in text for move in scene.moves)
        assert all(scene.looks.brief(card).plain in text for card in scene.hand)
        assert all(scene.looks.name(card).plain in text for card in scene.view.get("trick", []))


@reduced_tables
def test_no_card_is_shown_that_the_view_does_not_hold(table: Table) -> None:
    """A game dealt anew from what a seat sees looks the same to that seat."""
    for number, game in enumerate(moments(table, 3, 0.04)):
        for seat in table.seats:
            other = fuda.redeal(game.view(seat), number)
            assert shown(scene_of(game, seat)) == shown(scene_of(other, seat))


def test_a_finished_trick_stays_until_the_next_card_and_is_told() -> None:
    hands = {"A": ["red 5", "red 1"], "B": ["red 2", "blue 1"], "C": ["red 8", "blue 2"]}
    game = fuda.new("shinigami_preschool", players=3, seed=1, position={"hands": hands, "leader": "A"})
    for card in ("red 5", "red 2", "red 8"):
        game.play(card)
    text = shown(scene_of(game, "C"), 100)
    assert "── the last trick" in text
    assert "╰─────── led ─╯ ╰─────────────╯ ╰─────── won ─╯" in text
    assert "Ada plays ♥ red 5. Ben plays ♥ red 2. Cleo plays ♥ red 8. Cleo wins the trick with ♥ red 8." in text
    game.play("blue 2")
    text = shown(scene_of(game, "A"))
    assert "── the trick" in text
    assert "╭ Cleo ───────╮" in text
    assert "◆ blue 2" in text


def test_cards_are_stacked_by_suit_or_by_number_where_numbers_can_be_followed() -> None:
    won = {"A": ["red 1", "blue 1", "red 2"]}
    hands = {"A": ["green 1"], "B": ["green 2"], "C": ["green 3"]}
    by_number = fuda.new("shinigami_preschool", players=3, position={"hands": hands, "won": won, "leader": "A"})
    assert "1♥◆  2♥" in shown(scene_of(by_number, "B"))
    won = {"A": ["red 1", "red 2", "purple 1"]}
    by_colour = fuda.new("cursed_tricks", players=3, position={"hands": hands, "won": won, "leader": "A"})
    assert "◆ 1  ♥ 1 2" in shown(scene_of(by_colour, "B"))


def test_what_cannot_be_played_is_dim_and_has_no_number() -> None:
    hands = {"A": ["red 1", "red 2"], "B": ["green 2", "red 5"], "C": ["green 3", "green 4"]}
    game = fuda.new("cursed_tricks", players=3, position={"hands": hands, "leader": "A"})
    game.play("red 1")
    faces, numbers = picture(scene_of(game, "B"), 80, None)[-3:-1]
    assert faces.plain == "│♣ 2 │♥ 5 │"
    assert numbers.plain == "│    │ 1  │"
    assert any("dim" in str(span.style) and faces.plain[span.start : span.end].startswith("♣") for span in faces.spans)
    assert not any("dim" in str(span.style) and faces.plain[span.start : span.end].startswith("♥") for span in faces.spans)


def test_a_large_screen_is_used_and_a_small_one_is_not_overrun() -> None:
    game = fuda.new("schadenfreude", players=5, seed=1)
    for _ in range(33):
        game.play(game.moves()[0])
    scene = scene_of(game, game.seat)
    assert len(picture(scene, 120, 49)) > len(picture(scene, 120, 23))
    assert "" in shown(scene, 120, 49).splitlines()
    assert len(picture(scene, 80, 20)) <= 20
    assert max(line.cell_len for line in picture(scene, 80, 20)) <= 80


# A game that the front end has never seen -------------------------------------------------------------


def toy() -> Rulebook[Any]:
    """A game with fields, cards and moves of other kinds than any in the catalogue."""
    rules: Rulebook[Any] = Rulebook()
    rules.name = "Toy"
    rules.cards = ["spade A", "spade 10", "heart 2", "fantastic four", "red-green swap"]
    rules.looks = {"spade": Look("♠", "blue"), "heart": Look("♥", "red")}
    rules.fields = [
        Number("round", 1, 9),
        Field("turn"),
        Field("trump"),
        Field("demand"),
        Row("table"),
        Cards("stock", HIDDEN),
        Field("out"),
        SeatCards("hands", OWN),
        SeatCards("characters", OWN),
        Numbers("totals"),
    ]
    rules.questions = {}
    rules.texts = {}
    rules.options = []
    rules.notes = {"draw": "{seat} draws {number} cards."}
    return rules


def test_a_game_of_another_kind_needs_no_change() -> None:
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
    scene = Scene(toy(), {"A": "Ann", "B": "Bob"}, {}, view)
    scene.moves = ["spade A", "spade A + heart 2", "take", "B"]
    scene.tell(view["history"])
    text = shown(scene)
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


def test_a_note_that_has_no_words_is_passed_over() -> None:
    rules = fuda.rulebook("schadenfreude")
    names = {"A": "Ann"}
    assert worded(rules, {"kind": "unheard of"}, names) == ""
    assert worded(rules, {"kind": "play", "seat": "A"}, names) == ""
    assert worded(rules, {"kind": "play", "seat": "A", "card": "sword 1"}, names) == "Ann plays sword 1."
    assert paragraphs(rules, Looks(rules), [{"kind": "x"}], names) == []


def test_where_tricks_begin_and_end() -> None:
    play, trick, score = {"kind": "play"}, {"kind": "trick"}, {"kind": "score"}
    history: list[dict[str, Any]] = [{"kind": "deal"}, play, play, {"kind": "break"}, trick, {"kind": "curse"}, play]
    assert start_of_trick(history) == 6
    assert last_trick(history) == (1, 6)
    assert last_trick([*history[:6], score]) == (1, 6)
    assert last_trick([play]) is None


@pytest.mark.parametrize(
    ("width", "lines"), [(40, ["⚔ -3 5 7  ⚑ 2"]), (9, ["⚔ -3 5 7", "⚑ 2"]), (7, ["⚔ -3 5", "⚔ 7", "⚑ 2"])]
)
def test_piles_that_go_on_in_another_line_name_their_suit_again(width: int, lines: list[str]) -> None:
    groups = Looks(fuda.rulebook("schadenfreude")).by_suit(["sword -3", "sword 5", "sword 7", "flag 2"])
    assert [line.plain for line in flow(groups, width)] == lines


def test_words_are_packed_and_a_card_is_never_torn() -> None:
    looks = Looks(fuda.rulebook("schadenfreude"))
    lines = [line.plain for line in pack(looks.sentence("Ann plays sword 7. Bob plays (flag -3), well."), 16)]
    assert lines == ["Ann plays", "⚔ sword 7. Bob", "plays", "(⚑ flag -3),", "well."]
    assert [line.plain for line in pack([Text("a"), Text("x" * 12), Text("b")], 5)] == ["a", "xxxxx", "xxxxx", "xx b"]
