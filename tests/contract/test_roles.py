"""Every field and note says what it is to the players, so that front ends need not know its name."""

from __future__ import annotations

from typing import get_args

import pytest

import fuda
from fuda.engine.roles import FIELD_KINDS, HAND, LEADER, NOTE_ROLES, ROUND, SCORE, SCORED, TRICK, TURN
from fuda.protocol.books import FieldKind, NoteRole

every_game = pytest.mark.parametrize("game", [game["id"] for game in fuda.games()])


@every_game
def test_every_field_has_a_kind(game: str) -> None:
    for field in fuda.rulebook(game).fields:
        assert field.kind in FIELD_KINDS, field.name


@every_game
def test_there_is_one_hand_one_score_and_one_round_and_never_two_of_the_other_roles(game: str) -> None:
    kinds = [field.kind for field in fuda.rulebook(game).fields]
    for kind in (HAND, SCORE, ROUND):
        assert kinds.count(kind) == 1
    for kind in (TRICK, LEADER, TURN):
        assert kinds.count(kind) <= 1


@every_game
def test_the_scores_are_the_totals_of_the_game_and_hands_are_seen_by_their_owners(game: str) -> None:
    played = fuda.new(game, seed=3)
    names = {field.kind: field.name for field in fuda.rulebook(game).fields}
    for seat in played.totals:
        view = played.view(seat)
        assert view[names[SCORE]] == played.totals
        assert isinstance(view[names[HAND]][seat], list)


@every_game
def test_notes_with_a_role_are_notes_of_the_game_and_rounds_are_scored(game: str) -> None:
    rules = fuda.rulebook(game)
    assert set(rules.note_roles) <= set(rules.notes)
    assert set(rules.note_roles.values()) <= set(NOTE_ROLES)
    assert [kind for kind, role in rules.note_roles.items() if role == SCORED] == ["score"]


@every_game
def test_an_option_that_limits_a_field_is_a_number(game: str) -> None:
    for option in fuda.rulebook(game).options:
        assert option.limits in ("", *FIELD_KINDS)
        if option.limits:
            assert option.high > 0


def test_the_protocol_names_the_same_kinds_and_roles() -> None:
    assert set(get_args(FieldKind)) == set(FIELD_KINDS)
    assert set(get_args(NoteRole)) == set(NOTE_ROLES)
