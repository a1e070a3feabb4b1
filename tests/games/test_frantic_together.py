"""Frantic: windows that go round the table and the choices of F-5 are asked of all at the same time."""

from __future__ import annotations

import json

import pytest

import fuda
from tests.games.test_frantic_views import every_question, moments_of, some_moments

TOGETHER = {"lucky bastard", "nice try", "for whom", "merry christmas", "gambling man", "the all-seeing eye"}
TOGETHER_FOR = {"surprise party", "crowdfunding", "russian roulette"}
PLAIN = ["blue 2", "blue 3"]


def at_table(hands: dict[str, list[str]], moves: list[str], events: list[str] | None = None) -> fuda.Game:
    """A's turn on a red 9, and what has been played since."""
    position = {"turn": "A", "hands": hands, "discard": ["red 9"], "events": events or []}
    game = fuda.new("frantic", players=len(hands), seed=1, position=position)
    for move in moves:
        game.play(move)
    return game


def looking_ahead(game: fuda.Game, seat: str, *answers: str) -> fuda.Game:
    ahead = game.preview_for(seat, answers)
    assert ahead is not None
    return ahead


@every_question
def test_a_1_at_every_question_that_all_are_asked_nobody_learns_anything_from_it(kind: str, purpose: str) -> None:
    several = 0
    for game in some_moments(kind, purpose):
        seats = game.asked()
        several += len(seats) > 1
        for viewer in (None, *game.totals):
            assert fuda.redeal(game.view(viewer), 1).asked() == seats
        for seat in seats:
            true = looking_ahead(game, seat)
            for seed in range(3):
                dealt = looking_ahead(fuda.redeal(game.view(seat), seed), seat)
                assert json.dumps(dealt.view(seat)) == json.dumps(true.view(seat))
                assert dealt.moves() == true.moves()
    assert bool(several) == (kind in TOGETHER or purpose in TOGETHER_FOR)


@every_question
def test_f_5_what_others_choose_changes_nothing_of_what_a_seat_is_asked(kind: str, purpose: str) -> None:
    """Whatever the first one answers, as long as the others are asked after it, they find the same."""
    if kind not in TOGETHER and purpose not in TOGETHER_FOR:
        return
    for game in some_moments(kind, purpose):
        first, *others = game.asked()
        before = {seat: looking_ahead(game, seat) for seat in others}
        for move in game.moves():
            after = game.clone()
            after.play(move, first)
            for seat in others:
                if seat in after.asked():
                    ahead = looking_ahead(after, seat)
                    assert ahead.moves() == before[seat].moves()
                    assert ahead.view(seat)["question"] == before[seat].view(seat)["question"]


def test_f_19_nice_try_is_asked_of_all_at_the_same_time_and_the_first_in_order_counts() -> None:
    hands = {"A": ["red 3"], "B": PLAIN, "C": ["nice try", "blue 4"], "D": ["mimicry", "blue 5"]}
    game = at_table(hands, ["red 3"])
    assert game.asked() == ["B", "C", "D"]
    assert looking_ahead(game, "B").moves() == ["pass"]
    assert looking_ahead(game, "C").moves() == ["nice try", "pass"]
    assert looking_ahead(game, "D").moves() == ["mimicry", "pass"]
    assert game.preview_for("A") is None
    assert game.preview_for("C", ["nice try"]) is None
    game.play("pass")
    game.play("nice try", "C")
    assert game.asked() == ["C"]
    assert game.question == {"kind": "maybe wish"}


def test_lucky_bastard_is_asked_of_all_at_the_same_time_and_goes_on_after_the_wish() -> None:
    hands = {"A": ["red troublemaker", "red 2"], "B": ["lucky bastard", "blue 2"], "C": PLAIN, "D": ["blue 4"]}
    game = at_table(hands, ["red troublemaker"])
    assert game.asked() == ["B", "C", "D", "A"]
    game.play("lucky bastard", "B")
    assert game.asked() == ["B"]
    game.play("pass")
    assert game.asked() == ["C", "D", "A"]


def test_f_17_each_victim_of_fantastic_four_is_asked_when_the_share_before_is_settled() -> None:
    hands = {"A": ["fantastic four", "red 2"], "B": PLAIN, "C": ["blue 4"]}
    game = at_table(hands, ["fantastic four", "B", "B", "C", "C", "wish red"])
    assert game.asked() == ["B"]
    assert game.preview_for("C") is None


def test_f_5_a_choice_of_several_parts_is_made_ahead_part_by_part() -> None:
    hands = {"A": ["red troublemaker", "red 2"], "B": ["blue 4"], "C": PLAIN}
    game = at_table(hands, ["red troublemaker", "pass", "pass", "pass"], ["merry christmas"])
    assert game.asked() == ["B", "C", "A"]
    first = looking_ahead(game, "C")
    assert first.view("C")["question"] == {"kind": "merry christmas", "protected": [], "left": 2, "card": "blue 2"}
    assert looking_ahead(game, "C", "A").view("C")["question"]["card"] == "blue 3"
    assert looking_ahead(game, "C", "A").view("C")["chosen"]["C"] == ["blue 2 for A"]
    assert game.preview_for("C", ["A", "B"]) is None
    with pytest.raises(fuda.Refused) as refused:
        game.preview_for("C", ["A", "C"])
    assert refused.value.rule == "F-12"


def test_f_5_a_player_without_cards_is_not_asked_for_any() -> None:
    hands = {"A": ["red troublemaker", "red 2"], "B": [], "C": PLAIN}
    game = at_table(hands, ["red troublemaker", "pass", "pass", "pass"], ["russian roulette"])
    assert game.asked() == ["C", "A"]


def test_all_look_at_the_all_seeing_eye_at_the_same_time() -> None:
    game = next(moments_of("the all-seeing eye", "", 4))
    assert len(game.asked()) == 4
    while game.question == {"kind": "the all-seeing eye"}:
        left = game.asked()
        game.play("ok")
        assert not left[1:] or game.asked() == left[1:]
