"""Questions that several players are asked at the same time: they reveal nothing and change nothing."""

from __future__ import annotations

import json

import pytest

import fuda
from tests.contract.test_moves import everything
from tests.tables import Table, moments, random_game, reduced_tables


def together(table: Table, seed: int) -> list[fuda.Game]:
    """Some moments of a game: a few of any kind, and every other one at which several are asked."""
    found = [game.clone() for game in moments(table, seed, 0.02)]
    windows = [game.clone() for game in random_game(table, seed) if len(game.asked()) > 1]
    return found + windows[:: max(1, len(windows) // 8)]


@reduced_tables
def test_the_seat_that_decides_is_asked_first_and_nobody_is_asked_twice(table: Table) -> None:
    for game in random_game(table, 90):
        asked = game.asked()
        assert asked[:1] == ([] if game.over else [game.seat])
        assert set(asked) <= set(table.seats)
        assert len(set(asked)) == len(asked)


@reduced_tables
def test_a_1_who_is_asked_follows_from_what_everyone_may_know(table: Table) -> None:
    for game in together(table, 91):
        for viewer in [None, *table.seats]:
            assert fuda.redeal(game.view(viewer), 5).asked() == game.asked()


@reduced_tables
def test_a_1_what_a_seat_is_asked_follows_from_what_it_may_know(table: Table) -> None:
    for game in together(table, 92):
        for seat in game.asked():
            true = game.preview_for(seat)
            assert true is not None
            for seed in range(3):
                dealt = fuda.redeal(game.view(seat), seed).preview_for(seat)
                assert dealt is not None
                assert json.dumps(dealt.view(seat)) == json.dumps(true.view(seat))
                assert dealt.moves() == true.moves()
                assert dealt.question == true.question


@reduced_tables
def test_a_seat_is_asked_now_what_it_is_asked_later_if_the_others_pass(table: Table) -> None:
    for game in together(table, 93):
        for seat in game.asked():
            ahead = game.preview_for(seat)
            assert ahead is not None
            later = game.clone()
            while later.seat != seat:
                later.play(later.default_answer())
            assert everything(ahead) == everything(later)
            assert fuda.replay(ahead.record()).view(seat) == ahead.view(seat)


@reduced_tables
def test_looking_ahead_changes_nothing(table: Table) -> None:
    for game in together(table, 94):
        before = everything(game)
        outcomes = game.state.chance.count
        for seat in table.seats:
            ahead = game.preview_for(seat)
            assert (ahead is None) == (seat not in game.asked())
            if ahead is not None:
                assert ahead.seat == seat
                assert ahead.state.chance.count == outcomes
                ahead.play(ahead.moves()[0])
        assert everything(game) == before


@reduced_tables
def test_the_answers_of_a_seat_lead_through_all_that_it_is_asked(table: Table) -> None:
    """They are legal when its turn comes, and in the end there is nothing left to decide."""
    for game in together(table, 95):
        for seat in game.asked():
            answers: list[str] = []
            ahead = game.preview_for(seat)
            while ahead is not None:
                assert ahead.seat == seat
                answers.append(ahead.moves()[-1])
                ahead = game.preview_for(seat, answers)
            assert game.preview_for(seat, [*answers, "anything"]) is None
            later = game.clone()
            while later.seat != seat:
                later.play(later.default_answer())
            for answer in answers:
                later.play(answer, seat)


@reduced_tables
def test_an_answer_that_is_not_legal_is_refused(table: Table) -> None:
    for game in together(table, 96):
        for seat in game.asked():
            with pytest.raises(fuda.Refused) as refused:
                game.preview_for(seat, ["nonsense"])
            assert refused.value.rule == "A-6"


@reduced_tables
def test_a_history_can_be_read_from_a_given_note_on(table: Table) -> None:
    for game in moments(table, 97, 0.05):
        for seat in [None, *table.seats]:
            view = game.view(seat)
            assert len(view["history"]) == game.note_count
            for since in (0, 1, game.note_count // 2, game.note_count, game.note_count + 7):
                assert game.view(seat, since) == view | {"history": view["history"][since:]}


@pytest.mark.parametrize("since", [-1, True, None, 1.0, "1"])
def test_the_note_to_read_a_history_from_is_a_number(since: int) -> None:
    with pytest.raises(fuda.Error, match="expected how many"):
        fuda.new("schadenfreude", seed=1).view("A", since)
