"""Frantic at the table: pending effects are shown, forced moves are not asked."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import fuda
from fuda.bots.seating import DEFAULT_NAMES
from fuda.cli.table.cards import CardLooks
from fuda.cli.table.frame import Frame
from fuda.cli.table.parser import InputParser, Move, labels_for
from fuda.cli.table.render import render_table
from fuda.cli.table.wording import caption_text, note_text, question_text
from fuda.engine.words import template_of
from tests.cli.conftest import Run
from tests.cli.terminal import Terminal

RULES = fuda.rulebook("frantic")
NAMES = dict(zip("ABCDEFGH", DEFAULT_NAMES, strict=True))
POSITION: dict[str, Any] = {
    "turn": "A",
    "discard": ["red 5"],
    "hands": {
        "A": ["red gift", "red 1", "blue 9", "fuck you"],
        "B": ["green 2", "green 3"],
        "C": ["counterattack", "blue 7"],
        "D": ["green 4", "green 6"],
    },
}


def game_at(position: dict[str, Any], players: int = 4, **options: Any) -> fuda.Game:
    return fuda.new("frantic", players=players, seed=1, position=position, options=options)


def shown(game: fuda.Game, seat: str | None) -> str:
    view = game.view(seat)
    frame = Frame(RULES, dict(zip(game.totals, DEFAULT_NAMES, strict=False)), {}, view)
    frame.moves = game.moves() if seat == game.seat else []
    frame.set_news(view["history"])
    return "\n".join(line.plain for line in render_table(frame, 80, None))


def saved(game: fuda.Game, tmp_path: Path) -> str:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game.record()))
    return str(file)


# What the table shows ---------------------------------------------------------------------------------


def test_what_is_demanded_and_who_is_hit_stands_on_the_table() -> None:
    game = game_at(POSITION)
    assert "demand ▲ red or 5" in shown(game, "B")
    assert "pending" not in shown(game, "B")
    game.play("red gift")
    game.play("C")
    text = shown(game, "B")
    assert "demand ▲ red or gift" in text
    assert "pending ▲ red gift of Ada against Cleo" in text
    assert "discard ▲ gift  ▲ 5" in text


def test_lasting_events_are_shown_with_exempt_players_and_empty_fields_are_not() -> None:
    last = {"lasting": ["plus one", "time bomb"], "exempt": [["B"], []], "skipped": ["D"], "fuse": {"A": 2}}
    text = shown(game_at({**POSITION, **last}), "A")
    assert "lasting plus one (not for Ben); time bomb" in text
    assert "skipped Dora" in text
    assert "fuse" in text
    calm = shown(game_at(POSITION), "A")
    for word in ("lasting", "skipped", "fuse", "owed", "market", "chosen", "exempt", "uncovered", "ending", "None"):
        assert word not in calm


def test_of_a_large_pile_only_the_top_is_shown() -> None:
    text = shown(game_at({**POSITION, "rest": "discard", "deck": ["red 2"]}), "A")
    (line,) = [line for line in text.splitlines() if "discard" in line]
    assert line.rstrip().endswith("… 136  demand ▲ red or 5")
    assert len(text.splitlines()) < 20


def test_thirty_cards_in_hand_among_eight_players_fit() -> None:
    deck = [RULES.cards[card] for card in range(86)]
    hands = {seat: deck[60 + at * 3 : 63 + at * 3] for at, seat in enumerate("BCDEFGH")} | {"A": deck[:60:2]}
    game = game_at({"turn": "A", "discard": ["fantastic"], "hands": hands, "lasting": ["plus one"]}, players=8)
    view = game.view("A")
    frame = Frame(RULES, NAMES, {}, view)
    frame.moves = game.moves()
    frame.set_news(view["history"])
    lines = render_table(frame, 80, 23)
    text = "\n".join(line.plain for line in lines)
    assert len(lines) <= 23
    assert max(line.cell_len for line in lines) <= 80
    assert all(f" {label} " in text for label in labels_for(RULES, frame.moves))
    assert all(frame.looks.short_name(card).plain in text for card in frame.hand)


def test_cards_seen_in_the_hands_of_others_are_shown() -> None:
    game = game_at(POSITION)
    for move in ("red gift", "C", "pass", "red 1", "blue 9"):
        game.play(move)
    assert "▲ 1  ◆ 9" in shown(game, "A")
    assert "seen" not in shown(game, "B")


def test_the_table_has_words_for_everything_that_can_wait_and_be_asked() -> None:
    rng = random.Random(5)
    game = fuda.new("frantic", players=3, seed=5)
    for _ in range(1500):
        if game.over:
            game = fuda.new("frantic", players=3, seed=rng.randrange(1000))
        seat = str(game.seat)
        view = game.view(seat)
        for words in (question_text(RULES, view["question"], NAMES), caption_text(RULES, "pending", view, NAMES)):
            assert "None" not in words
            assert "{" not in words
            assert "[" not in words
        game.play(game.moves()[int(rng.random() * len(game.moves()))])


# Words ------------------------------------------------------------------------------------------------


def test_the_most_specific_template_is_used() -> None:
    words = {"draw": "many", "draw, number 1": "one", "draw, cards": "these", "draw, cards, number 1": "this"}
    assert template_of(words, "draw", {"cards": [], "number": 3}) == "many"
    assert template_of(words, "draw", {"number": 1}) == "one"
    assert template_of(words, "draw", {"cards": ["red 1", "red 2"], "number": 2}) == "these"
    assert template_of(words, "draw", {"cards": ["red 1"], "number": 1}) == "this"
    assert template_of(words, "play", {}) is None


def test_cards_are_named_to_those_who_saw_them() -> None:
    game = game_at({**POSITION, "deck": ["blue 1"]})
    game.play("draw")
    own, others = (note_text(RULES, game.options, game.view(seat)["history"][-1], NAMES) for seat in "AB")
    assert own == "Ada draws blue 1."
    assert others == "Ada draws a card."


def test_an_event_is_told_with_its_text() -> None:
    note = {"kind": "event", "seat": "A", "card": "tornado"}
    assert note_text(RULES, {}, note, NAMES) == "Event: tornado. All hands are shuffled together and dealt anew."


def test_an_event_is_told_with_the_text_that_it_has_with_an_option() -> None:
    note = {"kind": "event", "seat": "A", "card": "identity theft"}
    for scored, text in (
        (True, "The lowest and the highest total are swapped."),
        (False, "The owner picks two players, who swap hands."),
    ):
        assert note_text(RULES, {"scored": scored}, note, NAMES) == f"Event: identity theft. {text}"


def test_only_the_player_who_is_asked_reads_the_secret_part_of_the_question() -> None:
    events = {"events": ["merry christmas"], "hands": POSITION["hands"] | {"A": ["black 5", "red 1"]}}
    game = game_at({**POSITION, **events})
    game.play("black 5")
    while game.question is not None and game.question["kind"] == "lucky bastard":
        game.play("pass")
    assert question_text(RULES, game.view("B")["question"], NAMES) == "Who gets green 2? 2 to go."
    assert question_text(RULES, game.view("C")["question"], NAMES) == "Who gets the next card? 2 to go."


# What is typed ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("7", "wish 7"),
        ("wish 7", "wish 7"),
        ("r", "wish red"),
        ("blue", "wish blue"),
        ("b", "wish blue"),
        ("g", "wish green"),
    ],
)
def test_a_number_that_is_wished_for_is_typed_as_it_is(typed: str, move: str) -> None:
    moves = [f"wish {word}" for word in ("red", "yellow", "green", "blue", *range(1, 10))]
    found = InputParser(RULES, moves, [], {"A": "Ann", "B": "Bob"}).parse(typed)
    assert isinstance(found, Move)
    assert found.move == move
    assert labels_for(RULES, moves) == [*"rygb123456789"]


@pytest.mark.parametrize(
    ("typed", "moves", "move"),
    [
        ("d", ["blue 7", "draw"], "draw"),
        ("b", ["blue 7", "draw"], "blue 7"),
        ("b", ["A", "B", "pass"], "B"),
        ("h", ["A", "H"], "H"),
        ("hana", ["A", "H"], "H"),
        ("last chance", ["last chance", "tornado"], "last chance"),
        ("get lost", ["fuck you", "draw"], "fuck you"),
        ("fuck", ["fuck you", "draw"], "fuck you"),
        ("fantastic", ["fantastic", "fantastic four"], "fantastic"),
        ("▲● swap", ["red-green colour swap", "draw"], None),
        ("▲● col", ["red-green colour swap", "draw"], "red-green colour swap"),
    ],
)
def test_seats_cards_and_words_are_told_apart(typed: str, moves: list[str], move: str | None) -> None:
    found = InputParser(RULES, moves, [], NAMES).parse(typed)
    assert (found.move if isinstance(found, Move) else None) == move


# At the table -----------------------------------------------------------------------------------------


def test_who_can_only_pass_is_not_asked(run: Run, tmp_path: Path) -> None:
    game = game_at(POSITION)
    game.play("red gift")
    game.play("B")
    file = saved(game, tmp_path)
    result = run("play", "--from", file, "--people", "B", "--bots", "random", typed="quit\n")
    assert result.exit_code == 0
    assert "at you" not in result.stdout
    assert "Ada gives" in result.stdout
    assert "nothing" not in result.stdout


def test_who_can_react_is_asked(run: Run, tmp_path: Path) -> None:
    game = game_at(POSITION)
    game.play("red gift")
    game.play("C")
    result = run("play", "--from", saved(game, tmp_path), "--people", "C", "--bots", "random", typed="1\nben\nred\nquit\n")
    assert "Ada aims red gift at you. Counter it, or pass." in result.stdout
    assert "Whom do you send red gift on to? Pass: it ends here." in result.stdout
    assert "Cleo sends ▲ red gift on to Ben. Cleo wishes for red." in " ".join(result.stdout.split())


def test_where_people_share_the_screen_even_who_can_only_pass_takes_it(run: Run, tmp_path: Path) -> None:
    """Otherwise everybody would know that whoever is asked holds the card to react with (A-2)."""
    for victim in "BC":
        game = game_at(POSITION)
        game.play("red gift")
        game.play(victim)
        result = run("play", "--from", saved(game, tmp_path), "--people", "4", typed="quit\n")
        assert f"Pass the screen to {NAMES[victim]}." in result.stdout


def test_a_card_that_was_drawn_cannot_be_put_back(run: Run, tmp_path: Path) -> None:
    game = game_at({**POSITION, "deck": ["red 2"]})
    result = run("play", "--from", saved(game, tmp_path), "--people", "A", "--bots", "random", typed="draw\nundo\nquit\n")
    assert "you have seen new cards since" in " ".join(result.stdout.split())


def test_a_move_can_be_taken_back_in_the_middle_of_an_effect(run: Run, tmp_path: Path) -> None:
    file = saved(game_at(POSITION), tmp_path)
    result = run("play", "--from", file, "--people", "A", "--bots", "random", typed="red gift\nundo\nred 1\nquit\n")
    assert "Whom does red gift hit?" in result.stdout
    assert "Ada plays ▲ red 1." in result.stdout


def test_a_refused_target_is_called_by_name(run: Run, tmp_path: Path) -> None:
    file = saved(game_at(POSITION), tmp_path)
    result = run("play", "--from", file, "--people", "A=Kim", "--bots", "random", typed="red gift\nA\nwhy fuck you\nquit\n")
    assert "Kim is you. (F-12)" in " ".join(result.stdout.split())
    assert "fuck you: Can be played with exactly ten cards" in " ".join(result.stdout.split())


def test_family_names_are_shown_and_both_can_be_typed(run: Run, tmp_path: Path) -> None:
    file = saved(game_at(POSITION), tmp_path)
    people = ("--people", "A", "--bots", "random")
    result = run("play", "--from", file, *people, "--family", typed="fuck you\nget lost\nrules F-36\nwhy fu\nquit\n")
    shown = " ".join(result.stdout.replace("> fuck you\n", "").split())
    assert "fuck" not in shown.lower()
    assert shown.count("Get Lost is played in your own turn with exactly 10 cards in hand. You hold 4. (F-36)") == 3
    assert "--family" in shown.rpartition("To continue:")[2]
    assert "│fuck you│" in run("play", "--from", file, *people, typed="quit\n").stdout
    assert "│get lost│" in run("replay", file, "--all", "--seat", "A", "--family").stdout
    assert "fuck" not in run("replay", file, "--all", "--family").stdout


def test_a_family_name_keeps_the_case() -> None:
    looks = CardLooks(RULES, family=True)
    assert looks.family_text("Fuck You, fuck you, Fuck you") == "Get Lost, get lost, Get lost"
    assert CardLooks(RULES).family_text("Fuck You") == "Fuck You"


def test_a_game_of_one_round_without_points_ends_with_its_winner(run: Run, tmp_path: Path) -> None:
    hands = POSITION["hands"] | {"A": ["red 1"]}
    game = game_at({**POSITION, "hands": hands}, scored=False)
    result = run("play", "--from", saved(game, tmp_path), "--people", "A", "--bots", "random", typed="red 1\n")
    assert "Ada wins." in result.stdout
    assert "Ada plays ▲ red 1. Out of cards: Ada." in " ".join(result.stdout.split())


def test_a_whole_round_is_played_with_numbers_at_a_terminal(tmp_path: Path) -> None:
    options = ("--seed", "2", "--people", "C=Evangelistas", "--bots", "random", "--pace", "0", "--option", "maximum=1")
    table = Terminal(tmp_path, "play", "frantic", "--players", "8", *options)
    while table.asked():
        assert table.fits
        table.child.sendline("1")
    assert table.end() == 0
    assert "To see it again" in table.sent
