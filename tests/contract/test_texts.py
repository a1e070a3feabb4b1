"""Positions and records are text that gives the same game again."""

from __future__ import annotations

import json
from typing import Any

import fuda
from tests.tables import Table, every_table, moments, random_game, reduced_tables, seeds


def through_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


@reduced_tables
def test_a_position_set_up_again_is_the_same(table: Table) -> None:
    for seed in seeds(3):
        for game in moments(table, seed, 0.3):
            if game.over:
                continue
            again = table.new(99, through_json(game.position()))
            assert again.position() == game.position()
            assert again.moves() == game.moves()
            assert again.seat == game.seat
            assert again.question == game.question
            for seat in [None, *table.seats]:
                ours, theirs = game.view(seat), again.view(seat)
                del ours["history"], theirs["history"]
                assert ours == theirs


@reduced_tables
def test_a_record_replays_to_the_same_game_views_included(table: Table) -> None:
    for game in moments(table, 21, 0.1):
        record = through_json(game.record())
        again = fuda.replay(record)
        assert again.record() == record
        assert again.position() == game.position()
        assert again.moves() == game.moves()
        for seat in [None, *table.seats]:
            assert again.view(seat) == game.view(seat)


@every_table
def test_a_game_from_a_position_has_a_record_too(table: Table) -> None:
    for game in moments(table, 22, 0.05):
        if game.over:
            continue
        begun = table.new(5, without_rest(game))
        while not begun.over:
            begun.play(begun.moves()[0])
        again = fuda.replay(through_json(begun.record()))
        assert again.view(None) == begun.view(None)
        assert again.position() == begun.position()


def without_rest(game: fuda.Game) -> dict[str, Any]:
    """The position without the field that takes whatever stands nowhere."""
    return {name: value for name, value in game.position().items() if name != game.rules.rest}


@every_table
def test_a_position_without_hands_deals_them_from_the_seed(table: Table) -> None:
    game = table.new(4, {})
    assert game.position() == table.new(4, {}).position()
    assert game.position() != table.new(5, {}).position()
    assert fuda.replay(game.record()).position() == game.position()


@reduced_tables
def test_a_replayed_game_can_go_on(table: Table) -> None:
    for game in moments(table, 23, 0.02):
        again = fuda.replay(game.record())
        while not again.over:
            again.play(again.moves()[-1])
        assert fuda.replay(again.record()).view(None) == again.view(None)


@every_table
def test_a_redealt_game_has_a_record_too(table: Table) -> None:
    for game in moments(table, 24, 0.03):
        if game.over:
            continue
        dealt = fuda.redeal(game.view("A"), 8)
        dealt.play(dealt.moves()[0])
        again = fuda.replay(through_json(dealt.record()))
        for seat in [None, *table.seats]:
            assert again.view(seat) == dealt.view(seat)


@every_table
def test_the_same_seed_gives_the_same_game_and_another_one_another(table: Table) -> None:
    first, second, third = ([*random_game(table, seed)][-1].record() for seed in (1, 1, 2))
    assert first == second
    assert first["chance"] != third["chance"]
