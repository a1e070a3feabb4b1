"""Frantic: who knows which card is where, card by card and event by event (F-43, A-1)."""

from __future__ import annotations

from typing import Any

import pytest

import fuda


def game_of(hands: dict[str, list[str]], *moves: str, **position: Any) -> fuda.Game:
    """A's turn on a red 9; then these moves."""
    given = {"hands": hands, "discard": ["red 9"], "turn": "A", **position}
    game = fuda.new("frantic", players=len(hands), seed=3, position=given)
    for move in moves:
        game.play(move)
    return game


def event(name: str, hands: dict[str, list[str]], *moves: str, **position: Any) -> fuda.Game:
    """A sets off this event, and nobody throws in a Lucky Bastard."""
    hands = {**hands, "A": ["red troublemaker", *hands["A"]]}
    return game_of(hands, "red troublemaker", *["pass"] * len(hands), *moves, events=[name], **position)


def known(game: fuda.Game, viewer: str | None) -> dict[str, list[str]]:
    """What the viewer knows of the others' hands."""
    view = game.view(viewer)
    return {seat: shown["cards"] for seat, shown in view["hands"].items() if seat != viewer and shown["cards"]}


def layer(game: fuda.Game, viewer: str | None) -> dict[str, Any]:
    (top,) = game.view(viewer)["deck"]["layers"]
    assert isinstance(top, dict)
    return top


# Cards --------------------------------------------------------------------------------------------


def test_f_43_a_gift_is_known_to_its_giver_until_it_is_played() -> None:
    hands = {"A": ["red gift", "red 1", "red 2", "blue 3"], "B": ["blue 4"], "C": ["blue 5", "blue 6"]}
    game = game_of(hands, "red gift", "B", "pass", "red 1", "red 2")
    assert known(game, "A") == {"B": ["red 1", "red 2"]}
    assert known(game, "B") == known(game, "C") == known(game, None) == {}
    game.play("red 1")
    assert known(game, "A") == {"B": ["red 2"]}


def test_f_43_both_sides_of_an_exchange_know_what_the_other_has_got() -> None:
    hands = {"A": ["red exchange", "red 1", "red 2"], "B": ["blue 4", "blue 4"], "C": ["blue 5", "blue 6"]}
    game = game_of(hands, "red exchange", "B", "pass", "red 1", "red 2")
    assert known(game, "A") == {"B": ["red 1", "red 2"]}
    assert known(game, "B") == {"A": ["blue 4", "blue 4"]}
    assert known(game, "C") == known(game, None) == {}


def test_f_43_the_thief_remembers_the_whole_hand_and_the_victim_what_was_stolen() -> None:
    hands = {"A": ["red thief", "red 1"], "B": ["blue 1", "blue 2", "blue 3", "fuck you"], "C": ["blue 5", "blue 6"]}
    game = game_of(hands, "red thief", "B", "pass")
    assert known(game, "A") == {"B": ["blue 1", "blue 2", "blue 3", "fuck you"]}
    assert known(game, "C") == known(game, None) == {}
    game.play("blue 1")
    assert known(game, "B") == {}
    assert game.view("B")["chosen"]["A"] == {"size": 1, "cards": []}
    game.play("blue 3")
    assert known(game, "A") == {"B": ["blue 2", "fuck you"]}
    assert known(game, "B") == {"A": ["blue 1", "blue 3"]}
    assert known(game, "C") == known(game, None) == {}


def test_f_43_special_favours_are_known_to_the_two_and_followed_by_who_knew_one() -> None:
    hands = {"A": ["special favours", "mimicry", "red 1"], "B": ["curse", "fuck you", "blue 2"], "C": ["blue 5", "blue 6"]}
    game = game_of(hands, "special favours", "B", "wish red", "pass", known={"C": {"A": ["mimicry"], "B": ["blue 2"]}})
    assert known(game, "A") == {"B": ["mimicry"]}
    assert known(game, "B") == {"A": ["curse", "fuck you"]}
    assert known(game, "C") == {"B": ["blue 2", "mimicry"]}
    assert known(game, None) == {}


def test_f_43_inequality_is_known_to_the_two() -> None:
    hands = {"A": ["inequality", "red 1", "red 1"], "B": ["blue 1"], "C": ["blue 5", "blue 6"]}
    game = game_of(hands, "inequality", "B", "wish red", "pass")
    assert known(game, "A") == {"B": ["red 1"]}
    assert known(game, "B") == known(game, "C") == {}


# Blind draws make uncertain, and copies count ---------------------------------------------------------


@pytest.mark.parametrize(
    ("of_a", "seen", "stays", "went"),
    [
        (["red 1", "red 2", "red 3", "red 4"], ["red 1", "red 2", "red 3"], [], []),
        (["red 1", "red 1", "red 2", "red 3"], ["red 1", "red 1"], ["red 1"], []),
        (["fantastic", "fantastic", "fantastic", "fantastic"], ["fantastic"] * 3, ["fantastic"] * 2, []),
        (["fantastic", "fantastic", "fantastic", "fantastic"], ["fantastic"] * 4, ["fantastic"] * 3, ["fantastic"]),
        (["red 1", "red 1", "red 2", "red 2"], ["red 1", "red 1", "red 2", "red 2"], ["red 1", "red 2"], []),
    ],
)
def test_f_43_a_blind_draw_is_forgotten_just_as_far_as_it_is_uncertain(
    of_a: list[str], seen: list[str], stays: list[str], went: list[str]
) -> None:
    """B, who has three cards, draws one of A's four; C has seen some of those."""
    hands = {"A": ["inequality", *of_a], "B": ["blue 1", "blue 2", "blue 3"], "C": ["blue 5"] * 2 + ["blue 6"] * 2}
    hands["B"].append("blue 7")
    game = game_of(hands, "inequality", "B", "wish red", "pass", known={"C": {"A": seen}})
    assert known(game, "C") == {seat: cards for seat, cards in (("A", stays), ("B", went)) if cards}


def test_f_43_fuck_you_is_known_to_stay_when_others_are_given_away() -> None:
    hands = {"A": ["red gift", "red 1", "red 2", "fuck you"], "B": ["blue 4"], "C": ["blue 5", "blue 6"]}
    seen = {"C": {"A": ["red 1", "red 2", "fuck you"]}}
    game = game_of(hands, "red gift", "B", "pass", "red 1", "red 2", known=seen)
    assert known(game, "C") == {"A": ["fuck you"], "B": ["red 1", "red 2"]}


# Events -------------------------------------------------------------------------------------------


def test_f_43_charity_is_known_to_giver_and_taker() -> None:
    hands = {"A": ["red 1"], "B": ["blue 1"] * 2 + ["blue 2"] * 2, "C": ["blue 5"]}
    game = event("charity", hands)
    hands_now = game.position()["hands"]
    got = {seat: next(card for card in hands_now[seat] if card in ("blue 1", "blue 2")) for seat in "AC"}
    assert known(game, "B") == {"A": [got["A"]], "C": [got["C"]]}
    assert known(game, "A") == known(game, "C") == known(game, None) == {}


def test_f_43_black_hole_is_known_to_each_giver() -> None:
    hands = {"A": ["red 1"], "B": ["black 1", "blue 1"], "C": ["black 3", "black 4"]}
    game = event("black hole", {**hands, "C": [*hands["C"], "blue 4"]})
    assert known(game, "B") == {"A": ["black 1"]}
    assert known(game, "C") == {"A": ["black 3", "black 4"]}
    assert known(game, "A") == known(game, None) == {}


def test_f_43_the_all_seeing_eye_shows_all_to_all_also_to_spectators() -> None:
    hands = {"A": ["red 1", "red 2"], "B": ["black 1", "blue 1"], "C": ["blue 2", "fantastic"]}
    game = event("the all-seeing eye", hands)
    assert known(game, None) == {"A": ["red 1", "red 2"], "B": ["blue 1", "black 1"], "C": ["blue 2", "fantastic"]}
    for _ in "BCA":
        game.play("ok")
    game.play("draw")
    game.play("pass")
    for viewer in (None, *"ABC"):
        seen = known(game, viewer)
        assert seen == {seat: cards for seat, cards in known(game, None).items() if seat != viewer}
        assert seen.get("B", ["blue 1", "black 1"]) == ["blue 1", "black 1"]


def test_f_43_the_distributor_alone_sees_the_packets_and_each_remembers_the_own_one() -> None:
    hands = {"A": ["red 1"], "B": ["blue 1", "blue 2"], "C": ["green 1", "green 2"]}
    game = event("distributor", hands)
    assert known(game, "A") == {"B": ["blue 1", "blue 2"], "C": ["green 1", "green 2"]}
    assert known(game, "B") == known(game, "C") == known(game, None) == {}
    for receiver in ("B", "C", "A"):
        game.play(receiver)
    assert game.position()["hands"] == {"A": ["green 1", "green 2"], "B": ["red 1"], "C": ["blue 1", "blue 2"]}
    assert known(game, "A") == {"B": ["red 1"], "C": ["blue 1", "blue 2"]}
    assert known(game, "B") == {"C": ["blue 1", "blue 2"]}
    assert known(game, "C") == {"A": ["green 1", "green 2"]}
    assert known(game, None) == {}


def test_f_43_after_an_earthquake_the_former_holder_remembers_the_hand() -> None:
    hands = {"A": ["red 1"], "B": ["blue 1", "blue 2"], "C": ["green 1", "green 2"]}
    game = event("earthquake", hands, known={"A": {"B": ["blue 2"]}})
    assert known(game, "A") == {"B": ["red 1"], "C": ["blue 2"]}
    assert known(game, "B") == {"C": ["blue 1", "blue 2"]}
    assert known(game, "C") == {"A": ["green 1", "green 2"]}
    assert known(game, None) == {}


def test_f_43_after_robin_hood_the_two_remember_their_old_hands() -> None:
    hands = {"A": ["red 1", "red 2"], "B": ["blue 1"], "C": ["green 1", "green 2", "green 3"]}
    game = event("robin hood", hands)
    assert known(game, "B") == {"C": ["blue 1"]}
    assert known(game, "C") == {"B": ["green 1", "green 2", "green 3"]}
    assert known(game, "A") == known(game, None) == {}


def test_f_43_after_a_tornado_two_players_know_what_the_other_got_of_their_own() -> None:
    hands = {"A": ["red 1", "red 2", "red 3"], "B": ["blue 1", "blue 2", "blue 3"]}
    game = event("tornado", hands)
    now = game.position()["hands"]
    assert known(game, "A") == {"B": [card for card in now["B"] if card in hands["A"]]}
    assert known(game, "B") == {"A": [card for card in now["A"] if card in hands["B"]]}
    assert known(game, "A") != {"B": []}
    assert known(game, None) == {}


def test_f_43_after_a_tornado_among_three_nothing_of_a_few_cards_is_sure() -> None:
    hands = {"A": ["red 1", "red 2"], "B": ["blue 1", "blue 2"], "C": ["green 1", "green 2"]}
    game = event("tornado", hands, known={"A": {"B": ["blue 1", "blue 2"], "C": ["green 1"]}})
    assert known(game, "A") == known(game, "B") == {}


# Russian Roulette ---------------------------------------------------------------------------------


def roulette(*moves: str) -> fuda.Game:
    hands = {"A": ["red 1", "red 7"], "B": ["blue 1", "blue 7"], "C": ["green 1", "green 7"]}
    return event("russian roulette", hands, *moves)


def test_f_43_each_knows_the_own_card_in_the_layer_and_nobody_its_place() -> None:
    game = roulette("blue 1", "green 1", "red 1")
    assert layer(game, "A") == {"size": 3, "cards": ["red 1"]}
    assert layer(game, "B") == {"size": 3, "cards": ["blue 1"]}
    assert layer(game, "C") == {"size": 3, "cards": ["green 1"]}
    assert layer(game, None) == {"size": 3, "cards": []}
    assert "red 1" not in game.view("A")["deck"]["cards"]
    tops = {fuda.redeal(game.view("A"), seed).position()["deck"][:3].index("red 1") for seed in range(30)}
    assert tops == {0, 1, 2}


def test_f_43_while_cards_are_put_in_nobody_knows_of_them() -> None:
    game = roulette("blue 1", "green 1")
    assert "layers" not in game.view("B")["deck"]
    assert game.view("B")["chosen"] == {"A": {"size": 0, "cards": []}, "B": ["blue 1"], "C": {"size": 1, "cards": []}}
    assert len(game.position()["hands"]["B"]) == 2


def test_f_43_the_layer_is_forgotten_as_others_draw_from_it_and_kept_as_one_draws_oneself() -> None:
    game = roulette("blue 1", "green 1", "red 1")
    assert game.seat == "B"
    top = game.position()["deck"][0]
    game.play("draw")
    of_b = [card for card in ["blue 1"] if card != top]
    assert layer(game, "B") == {"size": 2, "cards": of_b}
    assert layer(game, "A") == layer(game, "C") == {"size": 2, "cards": []}
    assert known(game, "A") == known(game, "C") == {}


def test_f_43_a_layer_of_equal_cards_tells_what_is_drawn_from_it() -> None:
    hands = {"A": ["fantastic", "red 7"], "B": ["fantastic", "blue 7"], "C": ["green 1", "green 7"]}
    seen = {"C": {"A": ["fantastic", "red 7"], "B": ["fantastic", "blue 7"]}}
    game = event("russian roulette", hands, "fantastic", "green 1", "fantastic", known=seen)
    assert layer(game, "C") == {"size": 3, "cards": ["green 1"]}
    assert known(game, "C") == {}


def test_f_43_a_layer_of_one_known_card_is_followed_into_the_hand_that_draws_it() -> None:
    """B and C are protected: A alone puts a card in."""
    hands = {
        "A": ["red troublemaker", "red 1", "red 7"],
        "B": ["lucky bastard", "blue 7", "blue 8"],
        "C": ["mimicry", "green 7", "green 8"],
    }
    moves = ("red troublemaker", "lucky bastard", "pass", "mimicry", "pass", "pass", "red 1")
    game = game_of(hands, *moves, events=["russian roulette"])
    assert layer(game, "A") == {"size": 1, "cards": ["red 1"]}
    assert layer(game, "B") == {"size": 1, "cards": []}
    game.play("draw")
    assert "layers" not in game.view("A")["deck"]
    assert known(game, "A") == {"B": ["red 1"]}
    assert known(game, "C") == known(game, None) == {}


# Counting -----------------------------------------------------------------------------------------


def test_a_1_two_players_and_an_empty_deck_leave_nothing_unknown() -> None:
    hands = {"A": ["red 1", "red 2"], "B": ["blue 1", "fantastic", "fuck you"]}
    game = game_of(hands, deck=[], rest="discard")
    assert known(game, "A") == {"B": hands["B"]}
    assert known(game, "B") == {"A": hands["A"]}
    assert known(game, None) == {}
    assert fuda.redeal(game.view("A"), 1).position()["hands"] == hands


def test_a_1_with_one_card_in_the_deck_only_copies_are_sure() -> None:
    hands = {"A": ["red 1", "red 2"], "B": ["blue 1", "fantastic", "fantastic"]}
    game = game_of(hands, deck=["blue 2"], rest="discard")
    assert known(game, "A") == {"B": ["fantastic"]}
    assert game.view("A")["deck"] == {"size": 1, "cards": []}
    game = game_of(hands, deck=["fantastic"], rest="discard")
    assert known(game, "A") == {"B": ["fantastic", "fantastic"]}


def test_a_1_when_all_hands_are_known_so_is_the_deck() -> None:
    hands = {"A": ["red 1", "red 2"], "B": ["blue 1", "fantastic"]}
    game = game_of(hands, deck=["blue 2", "blue 3"], rest="discard", known={"A": {"B": ["blue 1", "fantastic"]}})
    assert game.view("A")["deck"] == {"size": 2, "cards": ["blue 2", "blue 3"]}
    orders = {tuple(fuda.redeal(game.view("A"), seed).position()["deck"]) for seed in range(20)}
    assert orders == {("blue 2", "blue 3"), ("blue 3", "blue 2")}


def test_a_1_the_open_cards_of_the_market_are_counted_too() -> None:
    hands = {"A": ["red 1", "red 2"], "B": ["blue 1", "fantastic"]}
    game = event("market", hands, deck=["green 9", "green 8"], rest="discard")
    assert game.view(None)["market"] == ["green 9", "green 8"]
    assert known(game, "A") == {"B": ["blue 1", "fantastic"]}
    game.play("green 8")
    assert sorted(known(game, "A")["B"]) == ["blue 1", "fantastic", "green 8"]


def test_f_43_market_seppuku_and_gambling_man_are_seen_by_all() -> None:
    hands = {"A": ["red 1", "blue 7"], "B": ["blue 1", "blue 7"]}
    game = event("market", hands, "green 8", "green 9", deck=["green 9", "green 8"])
    assert known(game, None) == {"A": ["green 9"], "B": ["green 8"]}
    game = event("seppuku", hands, "commit", "decline", deck=["green 9", "green 8"])
    assert known(game, None) == {"B": ["green 9"]}
    game = event("gambling man", {"A": ["red 1", "blue 7"], "B": ["red 2", "blue 7"]}, "red 2", "red 1")
    assert known(game, None) == {"B": ["red 1", "red 2"]}


@pytest.mark.parametrize(
    ("card", "moves", "fixed", "holder"),
    [
        ("red gift", ["B", "pass"], "fuck you", "A"),
        ("red thief", ["B", "pass"], "fuck you", "B"),
        ("red troublemaker", ["pass", "pass", "pass", "blue 2", "blue 3"], "curse", "C"),
    ],
)
def test_a_1_a_redeal_gives_nobody_a_last_card_that_could_not_be_chosen(
    card: str, moves: list[str], fixed: str, holder: str
) -> None:
    """Somebody is asked for the last card of a hand: it is none that cannot be given, stolen or disposed of."""
    hands = {"A": [card, "blue 1"], "B": ["blue 2"], "C": ["blue 3", "blue 4"]}
    game = game_of(hands, card, *moves, deck=[fixed], rest="discard", events=["recession"])
    assert len(game.moves()) == 1
    for viewer in (None, *"ABC"):
        if viewer not in (holder, game.seat):
            for seed in range(20):
                dealt = fuda.redeal(game.view(viewer), seed)
                assert fixed not in dealt.position()["hands"][holder]
                assert len(dealt.moves()) == 1
