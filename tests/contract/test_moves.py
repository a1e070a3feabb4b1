"""Legal moves and refusals come from one list of rules."""

from __future__ import annotations

import json
import re

import pytest

import fuda
from fuda.engine.words import template_of
from fuda.game import SEPARATOR
from tests.tables import Table, every_table, moments, random_game, reduced_tables, seeds


def everything(game: fuda.Game) -> str:
    """All that a game shows of itself, as text."""
    views = [game.view(seat) for seat in [None, *game.totals]]
    return json.dumps([game.position(), game.record(), views, game.moves(), game.seat, game.question])


@reduced_tables
def test_the_legal_moves_are_those_that_no_rule_forbids(table: Table) -> None:
    for seed in seeds(4):
        for game in moments(table, seed, 1.0):
            alphabet = game.alphabet()
            allowed = [move for move in alphabet if game.why(move) is None]
            moves = game.moves()
            assert set(allowed) == set(alphabet).intersection(moves)
            assert [move for move in moves if SEPARATOR not in move] == [move for move in allowed if SEPARATOR not in move]
            assert all(game.why(move) is None for move in moves)
            assert len(set(moves)) == len(moves)
            assert bool(moves) != game.over


@reduced_tables
def test_a_refused_move_changes_nothing_and_names_its_rule(table: Table) -> None:
    rules = {rule.id for rule in fuda.rulebook(table.game).rules} | {"A-4", "A-5", "A-6"}
    for game in moments(table, 5, 0.1):
        before = everything(game)
        for move in [*game.alphabet(), "nonsense", ""]:
            if game.why(move) is not None:
                with pytest.raises(fuda.Refused) as refused:
                    game.play(move)
                assert refused.value.rule in rules
                assert re.fullmatch(r"[A-Z].*[.]", str(refused.value))
                assert "{" not in str(refused.value)
        assert everything(game) == before


@every_table
def test_a_4_only_the_seat_that_is_asked_may_move(table: Table) -> None:
    for game in moments(table, 6, 0.1):
        for seat in table.seats:
            if seat != game.seat:
                refusal = game.why("nonsense", seat)
                assert refusal is not None
                assert refusal.rule == "A-4"


@every_table
def test_when_the_game_is_over_nothing_is_asked(table: Table) -> None:
    *_, game = random_game(table, 7)
    assert game.over
    assert game.seat is None
    assert game.question is None
    assert game.moves() == []
    assert game.winners is not None
    assert set(game.winners) <= set(table.seats)
    for move in game.alphabet():
        with pytest.raises(fuda.Refused):
            game.play(move)


@every_table
def test_before_the_end_somebody_is_asked_and_nobody_has_won(table: Table) -> None:
    for game in random_game(table, 8):
        if not game.over:
            assert game.seat in table.seats
            assert game.question is not None
            assert isinstance(game.question["kind"], str)
            assert template_of(game.rules.questions, game.question["kind"], game.question)
            assert game.winners is None
        assert list(game.totals) == table.seats


@every_table
def test_every_note_has_words(table: Table) -> None:
    for seed in seeds(5):
        *_, game = random_game(table, seed)
        for note in game.view(None)["history"]:
            assert note["kind"] in game.rules.notes
            assert "{" not in fuda.engine.words.sentence(game.rules.notes[note["kind"]], note)
