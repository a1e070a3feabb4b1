"""Cards are conserved, clones are independent, games end."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

from tests.tables import Table, every_table, moments, pick, random_game, reduced_tables


@every_table
def test_every_card_of_the_deck_is_somewhere_once(table: Table) -> None:
    for game in random_game(table, 11):
        places = Counter(card for field in game.rules.fields for card in field.cards(game.state))
        assert places == Counter(game.rules.deck(game.state))


@reduced_tables
def test_a_clone_with_the_same_moves_comes_to_the_same_end(table: Table) -> None:
    for game in moments(table, 12, 0.05):
        twin, other = game.clone(), game.clone()
        chooser = random.Random(1)
        while not twin.over:
            move = pick(chooser, twin.moves())
            twin.play(move)
            other.play(move)
            assert twin.position() == other.position()
        assert twin.record() == other.record()
        assert twin.view(None) == other.view(None)


@reduced_tables
def test_a_clone_shares_nothing_that_changes(table: Table) -> None:
    """Copies made on the way stay as they were, whatever is played on the original and on other copies."""
    copies = []
    for game in moments(table, 13, 0.3):
        copy = game.clone()
        copies.append((copy, snapshot(copy)))
        for move in game.moves():
            game.clone().play(move)
        assert snapshot(game) == copies[-1][1]
    for copy, before in copies:
        assert snapshot(copy) == before


def snapshot(game: Any) -> str:
    return json.dumps([game.position(), game.record(), game.view(None), game.moves(), game.seat])


@every_table
def test_a_clone_of_the_bare_state_is_independent_too(table: Table) -> None:
    for game in moments(table, 14, 0.1):
        before = snapshot(game)
        state = game.state.clone()
        state.playout(state.chance.random)
        assert state.over
        assert snapshot(game) == before


@every_table
def test_a_game_always_ends(table: Table) -> None:
    """Also when everyone always plays the first, or the last, legal move."""
    for choice in (0, -1):
        game = table.new(3)
        while not game.over:
            game.play(game.moves()[choice])
        assert game.winners is not None


@every_table
def test_integers_and_text_play_the_same_game(table: Table) -> None:
    chooser = random.Random(15)
    game = table.new(15)
    state = game.state.clone()
    while not game.over:
        move = pick(chooser, game.moves())
        for code in state.step.integers_of(game.words_of(move)):
            assert code in state.legal()
            state.play(code)
        game.play(move)
        assert state.over == game.over
        assert state.player == game.state.player
    assert state.winners == game.state.winners
