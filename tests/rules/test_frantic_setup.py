"""Frantic: the cards and events, the dealer, the start card, lots, the event deck, and that rounds and games end."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import combinations
from typing import Any

import pytest

import fuda
from fuda.engine.random import seeded
from tests.rules.whole_games import notes
from tests.tables import Table, pick, random_game

COLOURS = ("red", "yellow", "green", "blue")
CARDS = (
    {f"{colour} {number}": (2, number) for colour in COLOURS for number in range(1, 10)}
    | {f"black {number}": (1, number) for number in range(1, 10)}
    | {f"{colour} {name}": (1, 7) for name in ("2nd chance", "exchange", "skip") for colour in COLOURS}
    | {f"{colour} gift": (2, 7) for colour in COLOURS}
    | {"fantastic": (11, 7), "fantastic four": (5, 7), "counterattack": (4, 7), "equality": (2, 7), "nice try": (1, 7)}
    | {"fuck you": (1, 42)}
)
"""The base game: how many there are of each, and what it counts."""
ADDON_CARDS = (
    {f"{one}-{other} colour swap": (1, 7) for one, other in combinations(COLOURS, 2)}
    | {f"{colour} {name}": (1, 7) for name in ("thief", "troublemaker") for colour in COLOURS}
    | {"inequality": (2, 7), "special favours": (3, 7), "lucky bastard": (1, 7), "mimicry": (1, 7), "curse": (1, 13)}
)
EVENTS = """charity, communism, doomsday, earthquake, expansion, finish line, friday the 13th, gambling man, market,
mating season, merry christmas, mexican standoff, recession, robin hood, surprise party, the all-seeing eye,
third time lucky, time bomb, tornado, vandalism""".replace("\n", " ").split(", ")
ADDON_EVENTS = """black hole, capitalism, crowdfunding, distributor, double taxation, event manager, identity theft,
last chance, plague, plus one, repeat, russian roulette, seppuku, trust fall""".replace("\n", " ").split(", ")
every_number = pytest.mark.parametrize("players", range(2, 9))


def seats(players: int) -> str:
    return "ABCDEFGH"[:players]


def right_of(seat: str, players: int) -> str:
    return seats(players)[(seats(players).index(seat) + 1) % players]


def cards_in(position: dict[str, Any]) -> Counter[str]:
    hands = [card for hand in position["hands"].values() for card in hand]
    return Counter([*hands, *position["deck"], *position["discard"], *position["market"]])


# Cards and events ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("addon", "cards", "events"), [(True, 147, 34), (False, 125, 20)])
@every_number
def test_f_1_147_cards_and_34_events_or_125_and_20(players: int, addon: bool, cards: int, events: int) -> None:
    table = CARDS | ADDON_CARDS if addon else CARDS
    options = {"addon": addon, "simple_start": True}
    position = fuda.new("frantic", players=players, seed=2, options=options).position()
    found = cards_in(position)
    assert found == {card: copies for card, (copies, _) in table.items()}
    assert found.total() == cards
    assert sorted(position["events"]) == sorted(EVENTS + ADDON_EVENTS if addon else EVENTS)
    assert len(position["events"]) == events
    assert {seat: len(hand) for seat, hand in position["hands"].items()} == dict.fromkeys(seats(players), 7)


@pytest.mark.parametrize("addon", [True, False])
def test_f_1_by_default_the_add_on_is_played(addon: bool) -> None:
    options = {} if addon else {"addon": False}
    assert ("mimicry" in cards_in(fuda.new("frantic", options=options).position())) == addon


@pytest.mark.parametrize("card", [*CARDS, *ADDON_CARDS])
def test_f_21_what_each_card_counts(card: str) -> None:
    """B is left with one card, and one that counts nothing but its face."""
    (_, points) = (CARDS | ADDON_CARDS)[card]
    position = {"hands": {"A": ["red 8"], "B": [card]}, "discard": ["red 9"], "turn": "A"}
    game = fuda.new("frantic", players=2, seed=1, options={"maximum": 1}, position=position)
    game.play("red 8")
    game.play("pass")
    assert game.totals == {"A": 0, "B": points}


@pytest.mark.parametrize(("length", "few", "many"), [("short", 137, 113), ("medium", 154, 137), ("long", 179, 154)])
@every_number
def test_f_22_the_maximum_depends_on_the_length_and_the_number_of_players(
    players: int, length: str, few: int, many: int
) -> None:
    maximum = few if players < 5 else many
    for total, over in ((maximum - 8, False), (maximum - 7, True)):
        hands = {seat: [f"blue {number}"] for number, seat in enumerate(seats(players), 1)}
        hands |= {"A": ["red 8"], "B": ["fantastic"]}
        position = {"hands": hands, "discard": ["red 9"], "turn": "A", "totals": {"B": total}}
        game = fuda.new("frantic", players=players, seed=1, options={"length": length}, position=position)
        game.play("red 8")
        for _ in range(players - 1):
            game.play("pass")
        assert game.over == over


# The dealer ---------------------------------------------------------------------------------------


@every_number
def test_f_23_the_first_dealer_is_drawn_by_lot_and_the_right_neighbour_starts(players: int) -> None:
    dealers: Counter[str] = Counter()
    for seed in range(40 * players):
        game = fuda.new("frantic", players=players, seed=seed, options={"simple_start": True})
        dealer = game.position()["dealer"]
        assert game.seat == game.position()["turn"] == right_of(dealer, players)
        dealers[dealer] += 1
    assert set(dealers) == set(seats(players))
    assert all(18 < times < 65 for times in dealers.values())


@pytest.mark.parametrize("players", [2, 3, 5])
def test_f_23_who_got_most_deals_next_and_everything_starts_anew(players: int) -> None:
    chooser = random.Random(players)
    game = fuda.new("frantic", players=players, seed=players, options={"simple_start": True})
    while not game.over:
        before = game.position()
        game.play(pick(chooser, game.moves()))
        after = game.position()
        if after["round"] > before["round"]:
            points = notes(game, "score")[-1]["points"]
            order = (seats(players) * 2)[seats(players).index(before["dealer"]) + 1 :][:players]
            assert after["dealer"] == max(order, key=lambda seat: points[seat])
            assert game.seat == right_of(after["dealer"], players)
            assert len(after["events"]) == 34
            assert (after["uncovered"], after["earlier"], after["lasting"], after["skipped"], after["layers"]) == ([],) * 5
            assert {*after["fuse"].values()} == {0}
            assert after["known"] == {}
            assert {len(hand) for hand in after["hands"].values()} == {7}
            assert cards_in(after).total() == 147
    assert len(notes(game, "deal")) > 1


# The start card -----------------------------------------------------------------------------------


@cache
def started(kind: str) -> fuda.Game:
    """A game whose start card is this, of whatever colour, before the first answer."""
    for seed in range(5000):
        game = fuda.new("frantic", players=3, seed=seed)
        if f" {game.position()['discard'][0]}".endswith(f" {kind}"):
            return game
    raise AssertionError(kind)


TO_DEALER = {
    "2nd chance": "2nd chance",
    "exchange": "target",
    "skip": "target",
    "gift": "target",
    "thief": "target",
    "colour swap": "colour",
    "fantastic": "wish",
    "fantastic four": "split",
    "counterattack": "wish",
    "equality": "wish",
    "inequality": "target or wish",
    "special favours": "target or wish",
    "nice try": "wish",
    "lucky bastard": "wish",
    "mimicry": "mimicry",
}
"""What the dealer is asked; Equality finds nobody with fewer cards."""


@pytest.mark.parametrize("kind", TO_DEALER)
def test_f_24_the_start_card_acts_as_if_the_dealer_had_played_it(kind: str) -> None:
    game = started(kind).clone()
    dealer = game.position()["dealer"]
    assert game.question is not None
    assert (game.seat, game.question["kind"]) == (dealer, TO_DEALER[kind])
    assert game.position()["turn"] == dealer
    chooser = random.Random(1)
    while game.question["kind"] != "turn":
        game.play(pick(chooser, game.moves()))
        assert game.question is not None
        assert game.position()["round"] == 1
    first = right_of(dealer, 3)
    if first in [note["seat"] for note in notes(game, "skipped")]:
        first = right_of(first, 3)
    assert game.seat == first


@pytest.mark.parametrize("kind", ["black 4", "troublemaker"])
def test_f_24_a_black_card_or_troublemaker_sets_off_an_event_of_the_dealers(kind: str) -> None:
    game = started(kind)
    dealer = game.position()["dealer"]
    assert game.question is not None
    assert (game.question["kind"], game.question["owner"]) == ("lucky bastard", dealer)
    assert game.seat == right_of(dealer, 3)


def test_f_24_a_numeral_just_lies_there() -> None:
    game = started("red 5")
    assert game.seat == right_of(game.position()["dealer"], 3)
    assert game.position()["demand"] == {"colour": "red", "number": 5, "symbol": None}


def test_f_24_colour_swap_the_dealer_picks_one_of_its_colours() -> None:
    game = started("yellow-blue colour swap").clone()
    assert game.moves() == ["wish yellow", "wish blue"]
    game.play("wish blue")
    assert game.position()["demand"] == {"colour": "blue", "number": None, "symbol": "colour swap"}


def test_f_24_mimicry_becomes_any_colourless_special() -> None:
    assert started("mimicry").moves() == [
        *("fantastic", "fantastic four", "counterattack", "equality", "inequality"),
        *("special favours", "nice try", "lucky bastard"),
    ]


def test_f_24_after_fuck_you_anything_may_follow() -> None:
    game = started("fuck you")
    assert game.seat == right_of(game.position()["dealer"], 3)
    hand = game.position()["hands"][game.seat]
    assert {*game.moves()} == {*hand, "draw"} - {"curse"}


def test_f_24_curse_is_shuffled_back_and_another_card_turned() -> None:
    places = []
    for seed in range(1200):
        game = fuda.new("frantic", players=3, seed=seed)
        if notes(game, "curse"):
            assert [note["card"] for note in notes(game, "curse")] == ["curse"] * len(notes(game, "curse"))
            assert game.position()["discard"] == [notes(game, "start")[0]["card"]] != ["curse"]
            places.append(game.position()["deck"].index("curse"))
    assert len(places) > 3
    assert len({*places}) == len(places)


@every_number
def test_f_24_simple_start_turns_cards_until_a_coloured_numeral(players: int) -> None:
    turned = Counter[int]()
    for seed in range(60):
        game = fuda.new("frantic", players=players, seed=seed, options={"simple_start": True})
        position = game.position()
        top, *under = position["discard"]
        assert top.split()[0] in COLOURS
        assert top[-1].isdigit()
        assert not any(card.split()[0] in COLOURS and card[-1].isdigit() for card in under)
        colour, number = top.split()
        assert position["demand"] == {"colour": colour, "number": int(number), "symbol": None}
        assert game.question is not None
        assert (game.seat, game.question["kind"]) == (right_of(position["dealer"], players), "turn")
        assert position["last_colour"] == colour
        turned[len(under)] += 1
    assert len(turned) > 2


# Lots ---------------------------------------------------------------------------------------------

FIVE = ["blue 1", "blue 2", "blue 3", "curse", "fuck you"]


def chi_square(counts: Counter[Any], outcomes: int) -> float:
    expected = counts.total() / outcomes
    return sum((times - expected) ** 2 for times in counts.values()) / expected + (outcomes - len(counts)) * expected


def test_f_27_exchange_draws_every_two_cards_equally_often() -> None:
    """Ten pairs; 27.9 is exceeded once in a thousand times by chance."""
    counts: Counter[Any] = Counter()
    position = {"hands": {"A": ["red exchange", "red 1", "red 2"], "B": FIVE}, "discard": ["red 9"], "turn": "A"}
    for seed in range(1000):
        game = fuda.new("frantic", players=2, seed=seed, position=position)
        for move in ("red exchange", "B", "pass", "red 1", "red 2"):
            game.play(move)
        counts[tuple(game.position()["hands"]["A"])] += 1
        assert {*game.position()["hands"]["B"]} >= {"red 1", "red 2"}
    assert chi_square(counts, 10) < 27.9


def test_f_27_charity_draws_every_card_equally_often() -> None:
    counts: Counter[Any] = Counter()
    hands = {"A": ["red troublemaker", "red 1"], "B": FIVE}
    position = {"hands": hands, "discard": ["red 9"], "turn": "A", "events": ["charity"]}
    for seed in range(1000):
        game = fuda.new("frantic", players=2, seed=seed, position=position)
        for move in ("red troublemaker", "pass", "pass"):
            game.play(move)
        counts[({*game.position()["hands"]["A"]} - {"red 1"}).pop()] += 1
    assert chi_square(counts, 5) < 18.5


def test_f_27_inequality_draws_with_copies_as_often_as_there_are_copies() -> None:
    counts: Counter[str] = Counter()
    hands = {"A": ["inequality", "red 1", "red 1", "red 2", "blue 3"], "B": ["blue 1", "blue 2", "blue 4", "blue 5"]}
    for seed in range(800):
        game = fuda.new("frantic", players=2, seed=seed, position={"hands": hands, "discard": ["red 9"], "turn": "A"})
        for move in ("inequality", "B", "wish red", "pass"):
            game.play(move)
        counts[({*game.position()["hands"]["B"]} - {*hands["B"]}).pop()] += 1
    assert 350 < counts["red 1"] < 450
    assert 160 < counts["red 2"] < 240
    assert 160 < counts["blue 3"] < 240


def test_f_27_the_cards_of_russian_roulette_are_shuffled() -> None:
    """Six orders; 20.5 is exceeded once in a thousand times by chance."""
    hands = {"A": ["red troublemaker", "red 1", "red 2"], "B": ["blue 1", "blue 2"], "C": ["green 1", "green 2"]}
    position = {"hands": hands, "discard": ["red 9"], "turn": "A", "events": ["russian roulette"]}
    orders: Counter[Any] = Counter()
    for seed in range(600):
        game = fuda.new("frantic", players=3, seed=seed, position=position)
        for move in ("red troublemaker", "pass", "pass", "pass", "blue 1", "green 1", "red 1"):
            game.play(move)
        orders[tuple(game.position()["deck"][:3])] += 1
    assert chi_square(orders, 6) < 20.5


# The event deck, the end of rounds and games ------------------------------------------------------


def test_f_31_the_used_events_are_shuffled_without_those_in_force() -> None:
    position = {
        "hands": {"A": ["red troublemaker", "red 1"], "B": ["blue 1", "blue 2"]},
        "discard": ["red 9"],
        "turn": "A",
        "events": [],
        "uncovered": EVENTS + ADDON_EVENTS,
        "lasting": ["plus one", "last chance"],
    }
    came: Counter[str] = Counter()
    for seed in range(600):
        game = fuda.new("frantic", players=2, seed=seed, position=position)
        for move in ("red troublemaker", "pass"):
            game.play(move)
        before = len(notes(game, "event"))
        game.play("pass")
        event = notes(game, "event")[before]["card"]
        came[event] += 1
        kinds = [note["kind"] for note in game.view(None)["history"]]
        assert kinds.index("events shuffled") < kinds.index("event")
        after = game.position()
        if after["round"] == 1 and event != "event manager":
            assert sorted(after["uncovered"]) == sorted(["plus one", "last chance", event])
            assert len(after["events"]) == 31
        if event == "repeat":
            assert {*game.moves()} == {*EVENTS, *ADDON_EVENTS} - {"repeat"}
    assert {*came} == {*EVENTS, *ADDON_EVENTS} - {"plus one", "last chance"}
    assert chi_square(came, 32) < 61.1


def test_f_31_nobody_sees_the_order_of_the_event_deck() -> None:
    game = fuda.new("frantic", players=3, seed=4, options={"simple_start": True})
    for seat in (None, *"ABC"):
        assert game.view(seat)["events"] == {"size": 34, "cards": []}
    assert len({fuda.redeal(game.view("A"), seed).position()["events"][0] for seed in range(60)}) > 15


@pytest.mark.parametrize("players", [2, 4, 8])
def test_f_32_a_game_is_capped_at_60_rounds(players: int) -> None:
    state = fuda.new("frantic", players=players, seed=1, options={"maximum": 9999}).state.clone()
    state.playout(seeded(3))
    assert state.over
    assert state.round == 60


@pytest.mark.parametrize(("number", "over"), [(59, False), (60, True)])
def test_f_32_the_60th_round_is_the_last(number: int, over: bool) -> None:
    position = {"round": number, "hands": {"A": ["red 8"], "B": ["red 1"]}, "discard": ["red 9"], "turn": "A"}
    game = fuda.new("frantic", players=2, seed=1, options={"maximum": 9999}, position=position)
    game.play("red 8")
    game.play("pass")
    assert game.over == over
    assert game.winners == (["A"] if over else None)


@pytest.mark.parametrize("players", [2, 5])
def test_f_32_deck_and_hands_only_shrink_but_for_the_cards_of_russian_roulette(players: int) -> None:
    """Every turn takes a card from the deck or lays one on the pile."""
    deck, pile = 147, 0
    for game in random_game(Table("frantic", players, {"scored": False}), 6):
        position = game.position()
        if len(position["deck"]) > deck:
            assert position["layers"]
            assert "russian roulette" in position["uncovered"]
        assert len(position["discard"]) >= pile
        deck, pile = len(position["deck"]), len(position["discard"])
