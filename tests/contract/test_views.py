"""A-1: nothing leaks. What a seat cannot see is dealt again, and not a byte of its view may change."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from itertools import count, islice
from typing import Any

import pytest

import fuda
from fuda.engine.cards import holds
from fuda.engine.deals import Deal
from fuda.engine.fields import OPEN
from fuda.engine.seats import NOBODY
from tests.tables import ALL, Table, every_table, moments, random_game, reduced_tables, seeds


@reduced_tables
def test_a_1_redeal_leaves_the_view_as_it_is(table: Table) -> None:
    for seed in seeds(4):
        for game in moments(table, 30 + seed, 0.15):
            for seat in [None, *table.seats]:
                view = game.view(seat)
                dealt = fuda.redeal(json.loads(json.dumps(view)), seed)
                assert json.dumps(dealt.view(seat)) == json.dumps(view)
                assert dealt.question == game.question
                assert dealt.seat == game.seat
                if game.seat == seat:
                    assert dealt.moves() == game.moves()


DECISIONS = 10_000 if fuda.compiled else 1_000
"""How many decisions of each game are redealt, spread over its tables."""


@every_table
def test_a_redealt_game_has_the_moves_of_the_true_one(table: Table) -> None:
    """In the same order, for the seat that is asked."""
    tables = [other for other in ALL if other.game == table.game]
    for number, game in enumerate(islice(decisions(table), DECISIONS // len(tables))):
        assert fuda.redeal(game.view(game.seat, game.note_count), number).moves() == game.moves()


def decisions(table: Table) -> Iterator[fuda.Game]:
    """The decisions of one random game after the other, without end."""
    for seed in count(1000):
        yield from (game for game in random_game(table, seed) if not game.over)


@reduced_tables
def test_a_1_the_unseen_cards_do_vary(table: Table) -> None:
    """Of all deals that fit a view, redealing it twelve times gives about as many as twelve random ones would."""
    for game in moments(table, 40, 0.05):
        for player, seat in enumerate([None, *table.seats], NOBODY):
            view = game.view(seat)
            deals = possible_deals(game, player)
            found = len({json.dumps(fuda.redeal(view, seed).position()) for seed in range(12)})
            expected = deals * (1 - (1 - 1 / deals) ** 12)
            assert min(2, deals) <= found <= deals
            assert found >= expected / 2


def possible_deals(game: fuda.Game, viewer: int) -> float:
    """How many deals of the unseen cards fit what the viewer knows; engine/test_deals.py proves the count."""
    places = [place for field in game.rules.fields for place in field.hidden(game.state, viewer)]
    deal = Deal(places)
    ways = deal.ways(0, 0, len(deal.groups[0].cards), deal.sizes()) if deal.groups else 1.0
    orders = [math.factorial(len(place.unseen) + len(place.seen)) for place in places if place.field.ordered]
    return ways * math.prod(orders)


@every_table
def test_a_1_a_view_names_no_card_that_its_seat_has_not_seen(table: Table) -> None:
    """Of the hands that are dealt, a view taken before the first move names its own alone."""
    game = table.new(50)
    hands = game.position()["hands"]
    names = game.rules.cards
    lies_open = {names[card] for field in game.rules.fields if field.visibility == OPEN for card in field.cards(game.state)}
    for seat in [None, *table.seats]:
        text = json.dumps({**game.view(seat), "deck": None})  # of a kind that fits no hand, some must be in a deck
        seen = lies_open | {*hands.get(seat, [])}
        for hand in hands.values():
            for card in hand:
                assert (f'"{card}"' in text) == (card in seen)


@reduced_tables
def test_a_redealt_game_keeps_every_shown_void(table: Table) -> None:
    """Nobody is dealt a card of a suit or number that they have failed to follow."""
    for seed in seeds(3):
        for game in moments(table, 60 + seed, 0.2):
            names = game.rules.cards
            never = [game.state.never_held(player) for player in range(table.players)]
            excluded = [{name for card, name in enumerate(names) if holds(cards, card)} for cards in never]
            for seat in [None, *table.seats]:
                hands = fuda.redeal(game.view(seat), seed).position()["hands"]
                for other, cards in zip(table.seats, excluded, strict=True):
                    assert cards.isdisjoint(hands[other]), (seat, other)


@reduced_tables
def test_views_are_json_and_changing_one_changes_no_game(table: Table) -> None:
    for game in moments(table, 70, 0.1):
        for seat in [None, *table.seats]:
            view = game.view(seat)
            text = json.dumps(view)
            assert json.loads(text) == view
            spoil(view)
            assert json.dumps(game.view(seat)) == text


def spoil(value: Any) -> None:
    """Changes everything that can be changed."""
    if isinstance(value, dict):
        for one in value.values():
            spoil(one)
        value.clear()
    elif isinstance(value, list):
        for one in value:
            spoil(one)
        value.clear()


@reduced_tables
def test_a_view_from_the_middle_of_a_move_is_refused(table: Table) -> None:
    """`Game.play` never stops between the integers of a move; a program that plays them one by one can."""
    for game in moments(table, 75, 0.3):
        for move in game.moves():
            codes = [] if game.over else game.state.step.integers_of(game.words_of(move))
            for size in range(1, len(codes)):
                middle = game.clone()
                for code in codes[:size]:
                    middle.state.play(code)
                for seat in [None, *table.seats]:
                    with pytest.raises(fuda.Error, match="The view: its fields do not lead to its question"):
                        fuda.redeal(middle.view(seat), 1)


@reduced_tables
def test_a_view_that_asks_another_seat_is_refused(table: Table) -> None:
    for game in moments(table, 76, 0.1):
        asked = game.asked()
        for other in [None, *table.seats]:
            if other not in asked and other != game.seat:
                with pytest.raises(fuda.Error, match="The view: its fields do not lead to its question"):
                    fuda.redeal(game.view("A") | {"seat": other}, 1)


@every_table
def test_a_redealt_game_can_be_played_to_its_end(table: Table) -> None:
    for game in moments(table, 80, 0.03):
        dealt = fuda.redeal(game.view("B"), 1)
        while not dealt.over:
            dealt.play(dealt.moves()[0])
        assert dealt.winners is not None
