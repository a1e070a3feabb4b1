"""Kirifu: the deal, the trump, the characters, who starts, what is open, several games, and that a game ends."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

import fuda
from tests.tables import Table, random_game

SUITS = ("spade", "heart", "diamond", "club")
CARDS = [f"{suit} {rank}" for suit in SUITS for rank in (*range(2, 12), "A")]
CHARACTERS = {
    "drummer",
    "fisher",
    "juggler",
    "locksmith",
    "monk",
    "pathfinder",
    "peddler",
    "sleeper",
    "turncoat",
    "watchman",
}
"""The house set."""
WITH_CHARACTERS = {"characters": True}
IN_PLAY = 43
MOST_CUTS = IN_PLAY // 2
IDLE_TURNS = 172
every_number = pytest.mark.parametrize("players", [2, 3, 4, 5])


def seats(players: int) -> str:
    return "ABCDE"[:players]


def cards_in_hands(position: dict[str, Any]) -> list[str]:
    return [card for hand in position["hands"].values() for card in hand]


def dealt_characters(position: dict[str, Any]) -> list[str]:
    return [name for names in position["characters"].values() for name in names]


def most_turns(players: int, cuts: int) -> int:
    """The bound of the rules page: a turn is idle, cuts a card, or draws one."""
    return IDLE_TURNS * (cuts + IN_PLAY - 5 * players + 1)


# Characters -----------------------------------------------------------------------------------


@every_number
def test_k_1_everyone_has_one_of_ten_characters_and_the_others_are_with_nobody(players: int) -> None:
    position = fuda.new("kirifu", players=players, seed=1, options=WITH_CHARACTERS).position()
    assert {seat: len(names) for seat, names in position["characters"].items()} == dict.fromkeys(seats(players), 1)
    assert position["revealed"] == {seat: [] for seat in seats(players)}
    dealt = dealt_characters(position)
    assert len(dealt) + len(position["absent"]) == 10
    assert {*dealt, *position["absent"]} == CHARACTERS


def test_k_1_the_characters_are_dealt_by_chance() -> None:
    of_a: Counter[str] = Counter()
    for seed in range(300):
        position = fuda.new("kirifu", players=3, seed=seed, options=WITH_CHARACTERS).position()
        of_a.update(position["characters"]["A"])
    assert set(of_a) == CHARACTERS
    assert all(12 < times < 54 for times in of_a.values())


def test_k_1_only_its_owner_sees_a_character_and_nobody_those_that_nobody_has() -> None:
    game = fuda.new("kirifu", players=4, seed=3, options=WITH_CHARACTERS)
    true = game.position()["characters"]
    for viewer in (None, *"ABCD"):
        view = game.view(viewer)
        for seat in "ABCD":
            shown = view["characters"][seat]
            assert shown == (true[seat] if seat == viewer else {"size": 1, "cards": []})
        assert view["absent"] == {"size": 6, "cards": []}


def test_k_1_a_used_character_is_shown_to_all() -> None:
    hands = {"A": ["club 2", "club 5"], "B": ["spade 5", "club 7"], "C": ["club 3", "club 4"]}
    position = {
        "trump": "heart",
        "hands": hands,
        "characters": {"A": ["watchman"], "B": ["monk"], "C": ["sleeper"]},
        "rest": "discards",
    }
    game = fuda.new("kirifu", players=3, options=WITH_CHARACTERS, position=position)
    game.play("watchman")
    for viewer in (None, *"ABC"):
        assert game.view(viewer)["revealed"] == {"A": ["watchman"], "B": [], "C": []}
        assert game.view(viewer)["known"] == {"A": [], "B": ["spade 5", "club 7"], "C": []}


def test_k_1_all_ten_are_dealt_anew_for_the_next_game() -> None:
    position = {
        "trump": "heart",
        "hands": {"A": ["club 2"], "B": ["spade 5", "club 7"]},
        "out": ["C"],
        "characters": {"A": ["sleeper"]},
        "revealed": {"B": ["monk"], "C": ["watchman"]},
        "rest": "discards",
    }
    of_a: Counter[str] = Counter()
    for seed in range(200):
        game = fuda.new("kirifu", players=3, seed=seed, options=WITH_CHARACTERS, position=position)
        game.play("club 2")
        after = game.position()
        assert after["round"] == 2
        assert {*dealt_characters(after), *after["absent"]} == CHARACTERS
        assert [len(names) for names in after["characters"].values()] == [1, 1, 1]
        of_a.update(after["characters"]["A"])
    assert set(of_a) == CHARACTERS


@every_number
def test_k_1_without_the_option_nobody_has_a_character(players: int) -> None:
    game = fuda.new("kirifu", players=players, seed=1)
    assert not any(name in str(game.position()) for name in CHARACTERS)
    for name in CHARACTERS:
        assert game.why(name) is not None


def test_k_1_the_rulebook_calls_the_characters_a_house_set() -> None:
    option = next(option for option in fuda.rulebook("kirifu").options if option.name == "characters")
    assert option.default is False
    assert "house" in option.text


def test_k_1_the_juggler_gets_one_of_the_other_cards_by_lot() -> None:
    position = {
        "trump": "heart",
        "hands": {"A": ["club 2", "club 5"], "B": ["spade 5", "club 7", "spade 9", "diamond 3"], "C": ["club 3"]},
        "characters": {"A": ["juggler"], "B": ["monk"], "C": ["sleeper"]},
        "rest": "discards",
    }
    came: Counter[str] = Counter()
    for seed in range(200):
        game = fuda.new("kirifu", players=3, seed=seed, options=WITH_CHARACTERS, position=position)
        game.play("juggler")
        game.play("club 5")
        (card,) = {*game.position()["hands"]["A"]} - {"club 2"}
        assert game.position()["known"] == {"A": [card], "B": ["club 5"], "C": []}
        came[card] += 1
    assert set(came) == {"spade 5", "club 7", "spade 9", "diamond 3"}
    assert all(30 < times < 70 for times in came.values())


# The deal and the trump -----------------------------------------------------------------------


@every_number
def test_k_2_44_cards_five_each_one_trump_card_and_the_rest_is_the_stock(players: int) -> None:
    position = fuda.new("kirifu", players=players, seed=1).position()
    assert {seat: len(hand) for seat, hand in position["hands"].items()} == dict.fromkeys(seats(players), 5)
    assert len(position["stock"]) == IN_PLAY - 5 * players
    assert sorted([*cards_in_hands(position), *position["stock"], position["trump_card"]]) == sorted(CARDS)
    assert position["discards"] == []


@pytest.mark.parametrize("card", ["spade 1", "heart 12", "diamond 0", "club K", "World"])
def test_k_2_there_is_no_such_card(card: str) -> None:
    with pytest.raises(fuda.Error, match="not a card"):
        fuda.new("kirifu", players=2, position={"hands": {"A": ["club 2"], "B": [card]}})


def test_k_3_the_trump_card_is_any_card_but_a_spade_and_out_of_the_game() -> None:
    turned: Counter[str] = Counter()
    for seed in range(500):
        position = fuda.new("kirifu", players=5, seed=seed).position()
        assert position["trump_card"].split()[0] == position["trump"]
        assert position["trump_card"] not in position["stock"]
        assert position["trump_card"] not in cards_in_hands(position)
        turned[position["trump_card"]] += 1
    assert set(turned) == {card for card in CARDS if not card.startswith("spade")}
    suits = Counter(card.split()[0] for card in turned.elements())
    assert all(130 < times < 205 for times in suits.values())


def test_k_3_everybody_sees_the_trump_card_and_nobody_the_stock() -> None:
    game = fuda.new("kirifu", players=3, seed=2)
    position = game.position()
    for viewer in (None, *"ABC"):
        view = game.view(viewer)
        assert (view["trump"], view["trump_card"]) == (position["trump"], position["trump_card"])
        assert view["stock"] == {"size": 28, "cards": []}


def test_k_3_a_new_trump_is_drawn_for_the_next_game() -> None:
    position = {"trump": "heart", "hands": {"A": ["club 2"], "B": ["club 5"]}, "rest": "discards"}
    trumps = set()
    for seed in range(40):
        game = fuda.new("kirifu", players=2, seed=seed, position=position)
        game.play("club 2")
        trumps.add(game.position()["trump"])
    assert trumps == {"heart", "diamond", "club"}


@pytest.mark.parametrize("wrong", [{"trump": "spade"}, {"trump": "spade", "trump_card": "spade 4"}])
def test_k_4_a_position_with_spades_as_trump_is_refused(wrong: dict[str, Any]) -> None:
    hands = {"hands": {"A": ["club 2"], "B": ["club 5"]}}
    assert fuda.new("kirifu", players=2, position={**hands, "trump": "club"}).position()["trump"] == "club"
    with pytest.raises(fuda.Error, match="trump"):
        fuda.new("kirifu", players=2, position={**hands, **wrong})


@every_number
def test_k_4_spades_are_never_trump_in_any_game_of_a_match(players: int) -> None:
    for game in random_game(Table("kirifu", players, {}), players):
        assert game.position()["trump"] in ("heart", "diamond", "club")


# Who starts, and how many games ---------------------------------------------------------------


@every_number
def test_k_22_the_starting_player_is_drawn_by_lot_and_has_nothing_to_answer(players: int) -> None:
    starts: Counter[str] = Counter()
    for seed in range(40 * players):
        game = fuda.new("kirifu", players=players, seed=seed)
        position = game.position()
        assert game.seat == position["start"] == position["turn"]
        assert game.question is not None
        assert game.question["kind"] == "attack"
        assert (position["table"], position["answers"]) == ([], [])
        starts[position["start"]] += 1
    assert set(starts) == set(seats(players))
    assert all(20 < times < 60 for times in starts.values())


@pytest.mark.parametrize("options", [{}, {"games": 1}, {"games": 7}, {"characters": True}], ids=str)
@every_number
def test_k_23_starts_move_clockwise_and_every_game_gives_each_number_of_points_once(
    players: int, options: dict[str, Any]
) -> None:
    starts: list[str] = []
    totals = [dict.fromkeys(seats(players), 0)]
    for game in random_game(Table("kirifu", players, options), 5):
        position = game.position()
        if position["round"] > len(starts):
            starts.append(position["start"])
        if game.totals != totals[-1]:
            totals.append(game.totals)
    assert len(starts) == options.get("games", players)
    assert "".join(starts) in seats(players) * 5
    assert len(totals) == len(starts) + 1
    for before, after in pairwise(totals):
        assert sorted(after[seat] - before[seat] for seat in after) == [*range(1, players + 1)]
    best = max(totals[-1].values())
    assert game.winners == [seat for seat in totals[-1] if totals[-1][seat] == best]


def test_k_24_discards_and_cards_taken_are_open_to_all() -> None:
    position = {
        "trump": "heart",
        "hands": {"A": ["club 2", "club 3"], "B": ["diamond 8", "heart 4", "club 5"], "C": ["spade 5", "spade 6"]},
        "turn": "B",
        "table": ["spade 3", "diamond 3"],
        "discards": ["club 9"],
    }
    game = fuda.new("kirifu", players=3, position=position)
    game.play("take")
    game.play("diamond 8")
    for viewer in (None, *"ABC"):
        view = game.view(viewer)
        assert sorted(view["discards"]) == ["club 9", "diamond 3", "diamond 8"]
        assert view["known"] == {"A": [], "B": ["spade 3"], "C": []}
        assert "heart 4" not in str(view) or viewer == "B"


def test_k_24_a_redeal_leaves_a_card_that_was_taken_where_it_is() -> None:
    position = {
        "trump": "heart",
        "hands": {"A": ["club 2", "club 3"], "B": ["diamond 8", "heart 4", "club 5"], "C": ["spade 5", "spade 6"]},
        "turn": "B",
        "table": ["spade 3", "diamond 3"],
        "discards": ["club 9"],
    }
    game = fuda.new("kirifu", players=3, position=position)
    game.play("take")
    game.play("diamond 8")
    others = set()
    for seed in range(30):
        redealt = fuda.redeal(game.view("C"), seed).position()
        assert "spade 3" in redealt["hands"]["B"]
        assert redealt["hands"]["C"] == game.position()["hands"]["C"]
        assert sorted(redealt["discards"]) == ["club 9", "diamond 3", "diamond 8"]
        assert len(redealt["hands"]["B"]) == len(game.position()["hands"]["B"])
        others.update(redealt["hands"]["B"])
    assert len(others) > 10


@pytest.mark.parametrize("players", [0, 1, 6])
def test_k_25_two_to_five_can_play_and_no_others(players: int) -> None:
    rules = fuda.rulebook("kirifu")
    assert (rules.least, rules.most) == (2, 5)
    with pytest.raises(fuda.Error, match="2 to 5 players"):
        fuda.new("kirifu", players=players)


# A game ends ----------------------------------------------------------------------------------


def play_as_takers(players: int, seed: int) -> tuple[fuda.Game, int, list[int]]:
    """A game of players who take whatever they can and play one card when they must: its turns, and how idle it became."""
    game = fuda.new("kirifu", players=players, seed=seed, options={"games": 1})
    turns, idle = 1, [0]
    while not game.over:
        position = game.position()
        asked = game.seat
        assert asked is not None
        assert game.question is not None
        game.play("take" if game.question["kind"] == "answer" else position["hands"][asked][0])
        idle.append(position["idle"])
        turns += game.seat not in (asked, None)
        assert turns <= most_turns(players, 0)
    return game, turns, idle


@every_number
def test_k_26_a_game_of_players_who_always_take_ends_within_the_bound(players: int) -> None:
    for seed in range(5):
        game, _, idle = play_as_takers(players, seed)
        assert sorted(game.totals.values()) == [*range(1, players + 1)]
        assert max(idle) < IDLE_TURNS


def test_k_26_three_players_who_always_take_would_never_end_but_for_the_172_idle_turns() -> None:
    for seed in range(5):
        game, turns, idle = play_as_takers(3, seed)
        assert game.over
        assert max(idle) == IDLE_TURNS - 1
        assert turns > IDLE_TURNS


@pytest.mark.parametrize("options", [{"games": 1}, {"games": 1, "characters": True}], ids=str)
@every_number
def test_k_26_random_games_end_within_the_bound_too(players: int, options: dict[str, Any]) -> None:
    bound = most_turns(players, MOST_CUTS + ("characters" in options))
    for seed in range(5):
        turns, asked = 1, None
        for game in random_game(Table("kirifu", players, options), seed):
            turns += game.seat not in (asked, None)
            asked = game.seat
        assert turns <= bound


def test_k_26_the_bounds_are_those_of_the_rules_page() -> None:
    assert [most_turns(players, MOST_CUTS) for players in (2, 3, 4, 5)] == [9460, 8600, 7740, 6880]
    assert [most_turns(players, MOST_CUTS + 1) for players in (2, 3, 4, 5)] == [9632, 8772, 7912, 7052]


def test_k_26_a_position_within_a_turn_remembers_that_something_was_cut() -> None:
    hands = {"A": ["club 2", "club 6"], "B": ["diamond 5", "club 7", "club 8"], "C": ["club 3", "club 4"]}
    position = {"trump": "heart", "hands": hands, "turn": "B", "table": ["diamond 3"], "rest": "discards"}
    game = fuda.new("kirifu", players=3, position=position)
    game.play("diamond 5")
    for same in (fuda.new("kirifu", players=3, position=game.position()), fuda.redeal(game.view("B"), 1)):
        same.play("club 7")
        assert same.position()["idle"] == 0
