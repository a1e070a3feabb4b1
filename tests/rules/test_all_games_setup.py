"""A-1 to A-3: what no single example can show, for every kind of table."""

from __future__ import annotations

from collections import Counter
from typing import Any

import fuda
from tests.rules.whole_games import notes
from tests.tables import Table, every_table, moments, random_game, reduced_tables


def swapped(position: dict[str, Any], one: str, other: str) -> dict[str, Any]:
    """The position with the first card of two hands exchanged."""
    hands = {seat: list(cards) for seat, cards in position["hands"].items()}
    hands[one][0], hands[other][0] = hands[other][0], hands[one][0]
    return {**position, "hands": hands}


@every_table
def test_a_1_cards_that_a_player_cannot_see_change_places_and_the_player_sees_nothing_of_it(table: Table) -> None:
    before = table.new(5)
    you = table.seats[0]
    one, other = table.seats[1], table.seats[-1]
    if one == other:  # of two players the one hides what the cards that nobody has do not
        position = before.position()
        hand, nobodys = list(position["hands"][one]), list(position[before.rules.rest])
        hand[0], nobodys[0] = nobodys[0], hand[0]
        position.update({"hands": {**position["hands"], one: hand}, before.rules.rest: nobodys})
    else:
        position = swapped(before.position(), one, other)
    true, false = table.new(0, before.position()), table.new(0, position)
    assert true.position() != false.position()
    for viewer in (you, None):
        assert true.view(viewer) == false.view(viewer)
    if true.seat == you:
        assert true.moves() == false.moves()
    assert true.view(one) != false.view(one)


@reduced_tables
def test_a_1_no_card_of_another_hand_stands_anywhere_in_a_view(table: Table) -> None:
    for game in moments(table, 4, 0.05):
        position = game.position()
        for you in table.seats:
            view = game.view(you)
            for seat in table.seats:
                if seat != you:
                    hand = position["hands"][seat]
                    assert view["hands"][seat]["size"] == len(hand)
                    seen = Counter(view["hands"][seat]["cards"])
                    assert seen <= Counter(hand)
                    assert seen == known_to(position, you, seat) + counted(game, you, seat)
            assert view["hands"][you] == position["hands"][you]


def known_to(position: dict[str, Any], you: str, seat: str) -> Counter[str]:
    """What the position says that you, or everyone, have seen of this hand."""
    known = position.get("known", {})
    return Counter(known.get(you, {}).get(seat, []) if isinstance(known.get(you, {}), dict) else known[seat])


def counted(game: fuda.Game, you: str, seat: str) -> Counter[str]:
    """What must be in a hand besides, since there are too few other unseen cards to fill it: Frantic counts that."""
    position = game.position()
    if "layers" not in position:
        return Counter()
    unseen = Counter(game.rules.cards[card] for card in game.rules.deck(game.state))
    unseen -= Counter(position["discard"] + position["market"] + position["hands"][you] + game.rules.cards[86:])
    rooms = len(position["deck"])
    for layer in position["layers"]:
        unseen -= Counter(layer["known"].get(you, []))
        rooms -= len(layer["known"].get(you, []))
    for other, hand in position["hands"].items():
        if other != you:
            unseen -= known_to(position, you, other)
            rooms += len(hand) - known_to(position, you, other).total()
    room = len(position["hands"][seat]) - known_to(position, you, seat).total()
    return +Counter({card: room - (rooms - number) for card, number in unseen.items()})


@every_table
def test_a_2_nobody_is_spared_a_decision_for_having_no_choice(table: Table) -> None:
    decided: Counter[str | None] = Counter()
    forced = 0
    for game in random_game(table, 9):
        forced += len(game.moves()) == 1
        if not game.over and game.question == {"kind": "play"}:
            decided[game.seat] += 1
    played = Counter(note["seat"] for note in notes(game, "play"))
    assert forced > 0
    assert decided == played or "play" not in game.rules.questions


@reduced_tables
def test_a_3_the_first_lot_is_fair_and_is_in_the_record(table: Table) -> None:
    drawn: Counter[str | None] = Counter()
    for seed in range(400):
        game = table.new(seed)
        lot = game.record()["chance"][0]
        drawn[lot] += 1
        first_note = game.view(None)["history"][0]
        assert lot in (game.seat, game.position().get("dealer"), first_note.get("seat"))
        if seed < 20:
            assert fuda.replay(game.record()).position() == game.position()
    fair = 400 / table.players
    assert set(drawn) == set(table.seats)
    assert all(abs(count - fair) < 3.5 * fair**0.5 for count in drawn.values())


def test_a_3_nothing_is_drawn_where_only_one_player_is_in_question() -> None:
    hands = {"A": ["sword 5"], "B": ["wild 0"], "C": ["sword -1"], "D": ["sword -2"]}
    for totals, lots in (({"A": 2, "B": 1, "C": 2, "D": 2}, 0), ({"A": 1, "B": 1, "C": 2, "D": 2}, 1)):
        game = fuda.new("schadenfreude", players=4, seed=3, position={"hands": hands, "totals": totals, "leader": "A"})
        for move in ("sword 5", "wild 0", "sword -1", "sword -2"):
            game.play(move)
        assert [isinstance(outcome, str) for outcome in game.record()["chance"]].count(True) == lots
