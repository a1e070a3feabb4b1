"""Frantic: at every kind of question nothing leaks (A-1, A-2), in views, in notes, in what is asked."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import pytest

import fuda
from fuda.games.frantic.choosing import PURPOSES
from fuda.games.frantic.deck import EVENT_NAMES
from tests.tables import pick

TIMES = 2
"""How often each kind of question is looked at for each number of players, in games of their own."""
MOST_GAMES = 100
SET_OFF_BY = {"for whom": "surprise party"}
FOR_PURPOSE = {purpose: purpose for purpose in PURPOSES if purpose in EVENT_NAMES} | {"dispose": "recession", "give": ""}
KINDS = list(dict.fromkeys(words.partition(",")[0] for words in fuda.rulebook("frantic").questions))
LOOKED_FOR = [(kind, "") for kind in KINDS if kind != "pick"] + [
    ("pick", purpose) for purpose in PURPOSES if purpose != "gambling man"
]
HIDDEN_CHOICES = {"for whom", "merry christmas", "gambling man"}
HIDDEN_PURPOSES = {"surprise party", "crowdfunding", "russian roulette", "give", "trust fall"}


def games_with(event: str, players: int) -> Iterator[fuda.Game]:
    """Games in whose first round this event, if any is named, comes first."""
    for seed in range(MOST_GAMES):
        scored = seed % 2 == 0
        position = {"events": ["friday the 13th", "repeat"] if event == "repeat" else [event]} if event else None
        options = {"scored": scored, "maximum": 200} if event != "identity theft" else {"scored": False}
        yield fuda.new("frantic", players=players, seed=seed, options=options, position=position)


def moments_of(kind: str, purpose: str, players: int) -> Iterator[fuda.Game]:
    """Games that have just come to this question."""
    event = SET_OFF_BY.get(kind, kind if kind in EVENT_NAMES else FOR_PURPOSE.get(purpose, ""))
    chooser = random.Random(3)
    for game in games_with(event, players):
        while not game.over:
            question = game.question
            assert question is not None
            if question["kind"] == kind and (kind != "pick" or question["purpose"] == purpose):
                yield game
                break
            game.play(pick(chooser, game.moves()))


@cache
def found_moments(kind: str, purpose: str) -> list[fuda.Game]:
    """Games that have just come to this question, searched for once for all tests."""
    return [game.clone() for players in (3, 2, 5) for game in islice(moments_of(kind, purpose, players), TIMES)]


def some_moments(kind: str, purpose: str) -> list[fuda.Game]:
    return [game.clone() for game in found_moments(kind, purpose)]


every_question = pytest.mark.parametrize(("kind", "purpose"), LOOKED_FOR, ids=lambda word: word.replace(" ", "_"))


@every_question
def test_a_1_at_every_question_a_redeal_leaves_the_view_as_it_is(kind: str, purpose: str) -> None:
    for game in some_moments(kind, purpose):
        for seat in (None, *game.totals):
            view = game.view(seat)
            for seed in range(2):
                dealt = fuda.redeal(json.loads(json.dumps(view)), seed)
                assert json.dumps(dealt.view(seat)) == json.dumps(view)
                assert (dealt.seat, dealt.question) == (game.seat, game.question)
                assert dealt.moves() == game.moves() if seat == game.seat else dealt.moves()
                others = dealt.view(game.seat)
                assert others["question"]["kind"] == kind
                state = dealt.state.clone()
                state.playout(state.chance.random)
                assert state.over


@every_question
def test_a_1_a_redealt_game_goes_on_as_any_game_does(kind: str, purpose: str) -> None:
    """With its notes and views, and its record can be played again."""
    game = next(moments_of(kind, purpose, 4))
    chooser = random.Random(5)
    dealt = fuda.redeal(game.view("B"), 7)
    while not dealt.over:
        dealt.play(pick(chooser, dealt.moves()))
    assert fuda.replay(dealt.record()).view(None) == dealt.view(None)


@every_question
def test_f_5_choices_are_hidden_until_all_are_made(kind: str, purpose: str) -> None:
    """Whatever somebody chooses face down, the views of all others are the same, until the cards move."""
    if kind not in HIDDEN_CHOICES and purpose not in HIDDEN_PURPOSES:
        return
    waiting = 0
    for game in some_moments(kind, purpose):
        chooser = game.seat
        views: dict[str | None, set[str]] = {seat: set() for seat in (None, *game.totals) if seat != chooser}
        for move in game.moves():
            after = game.clone()
            after.play(move)
            if not any(after.position()["chosen"].values()):
                continue
            waiting += 1
            for seat, seen in views.items():
                seen.add(json.dumps(after.view(seat)))
        assert all(len(seen) <= 1 for seen in views.values())
    assert waiting


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("event", ["surprise party", "merry christmas", "crowdfunding", "russian roulette", "gambling man"])
def test_f_5_nothing_moves_and_nothing_is_noted_until_the_last_choice_is_made(event: str, players: int) -> None:
    kind, purpose = (event, "") if event in KINDS else ("pick", event)
    game = next(moments_of(kind, purpose, players))
    begun = game.position()
    history = game.view(None)["history"]
    while any((position := game.position())["chosen"].values()) or position == begun:
        assert {name: position[name] for name in ("hands", "deck", "known")} == {
            name: begun[name] for name in ("hands", "deck", "known")
        }
        assert game.view(None)["history"] == history
        game.play(game.moves()[0])
    assert game.view(None)["history"][: len(history)] == history


# Notes --------------------------------------------------------------------------------------------

TO_ONE: dict[str, tuple[str, ...]] = {"draw": ("seat",), "roulette": ("seat",)}
TO_TWO: dict[str, tuple[str, ...]] = dict.fromkeys(("give", "blind", "steal", "favour", "look"), ("seat", "seats"))
WITNESSES = TO_ONE | TO_TWO
OPEN_CARDS = {"dispose", "manage", "market", "show"}
OPEN_CARD = {
    "curse",
    "start",
    "play",
    "mimicry",
    "aim",
    "no target",
    "counter",
    "redirect",
    "luck",
    "event",
    "buy",
    "gamble",
    "commit",
    "nice try",
}


@pytest.mark.parametrize("players", [2, 3, 5, 8])
@pytest.mark.parametrize("scored", [True, False])
def test_f_43_notes_name_hidden_cards_to_those_who_have_seen_them_and_to_nobody_else(players: int, scored: bool) -> None:
    chooser = random.Random(players)
    seen: set[str] = set()
    for seed in range(12):
        game = fuda.new("frantic", players=players, seed=seed, options={"scored": scored, "maximum": 150})
        while not game.over:
            game.play(pick(chooser, game.moves()))
        for reader in (None, *game.totals):
            for note in game.view(reader)["history"]:
                kind = note["kind"]
                if kind in WITNESSES:
                    witnesses = [seat for field in WITNESSES[kind] for seat in note[field]]
                    has_cards = kind != "look" and note.get("number", 1) > 0
                    assert ("cards" in note) == (reader in witnesses and (has_cards or "cards" in note)), note
                    assert "card" not in note
                    seen.add(kind)
                else:
                    assert "cards" not in note or kind in OPEN_CARDS, note
                    assert "card" not in note or kind in OPEN_CARD, note
    assert {"draw", "give", "blind"} <= seen


# Windows ------------------------------------------------------------------------------------------

PLAIN = ["red 1", "red 2"]


def windows() -> list[Any]:
    """A's hand and the moves that lead to a window, and the card that reacts in it."""
    return [
        pytest.param(["red skip", "blue 1"], ["red skip", "B"], "counterattack", id="counterattack"),
        pytest.param(["red 3"], ["red 3"], "nice try", id="nice_try"),
        pytest.param(["red troublemaker", "blue 1"], ["red troublemaker"], "lucky bastard", id="lucky_bastard"),
    ]


@pytest.mark.parametrize(("of_a", "moves", "reaction"), windows())
@pytest.mark.parametrize("held", ["", "reaction", "mimicry"])
def test_a_2_a_window_looks_the_same_to_all_others_whether_the_card_is_held_or_not(
    of_a: list[str], moves: list[str], reaction: str, held: str
) -> None:
    def at_window(card: str) -> fuda.Game:
        hands = {"A": of_a, "B": [*PLAIN, card], "C": ["blue 2", "blue 3"]}
        game = fuda.new("frantic", players=3, seed=1, position={"hands": hands, "discard": ["red 9"], "turn": "A"})
        for move in moves:
            game.play(move)
        return game

    plain, holding = at_window("green 9"), at_window({"": "blue 9", "reaction": reaction}.get(held, held))
    assert holding.seat == "B"
    assert holding.moves() == [*({"": [], "reaction": [reaction]}.get(held, [held])), "pass"]
    for seat in (None, "A", "C"):
        assert holding.view(seat) == plain.view(seat)
    assert holding.view("B")["question"] == plain.view("B")["question"]
    assert holding.question == plain.question


def asked(game: fuda.Game, kind: str) -> str:
    """Passes as long as this is asked, and says whom."""
    seats = ""
    while not game.over and game.question is not None and game.question["kind"] == kind:
        seats += str(game.seat)
        game.play("pass")
    return seats


def test_a_2_lucky_bastard_is_asked_of_everyone_from_the_owners_right_to_the_owner() -> None:
    hands = {"A": ["red 2"], "B": ["red troublemaker", "red 3"], "C": ["blue 2"], "D": ["blue 3"]}
    position = {"turn": "B", "hands": hands, "discard": ["red 9"], "events": ["plague", "friday the 13th", "expansion"]}
    game = fuda.new("frantic", players=4, position=position)
    game.play("red troublemaker")
    assert asked(game, "lucky bastard") == "CDAB" * 3


def test_a_2_nice_try_is_asked_of_everyone_who_has_not_finished() -> None:
    hands = {"A": ["red 2"], "B": ["red 3"], "C": ["blue 2"], "D": ["blue 3"]}
    game = fuda.new("frantic", players=4, position={"turn": "B", "hands": hands, "discard": ["red 9"]})
    game.play("red 3")
    assert asked(game, "nice try") == "CDA"


def test_a_2_every_victim_of_fantastic_four_is_asked() -> None:
    hands = {"A": ["fantastic four", "red 2"], "B": ["red 3"], "C": ["blue 2"], "D": ["blue 3"]}
    game = fuda.new("frantic", players=4, position={"turn": "A", "hands": hands, "discard": ["red 9"]})
    for move in ("fantastic four", "B", "C", "C", "D", "wish red"):
        game.play(move)
    assert asked(game, "counterattack") == "BCD"


def test_a_2_gambling_man_asks_everyone_whether_they_hold_a_numeral_of_the_colour_or_not() -> None:
    hands = {"A": ["red troublemaker", "red 2"], "B": ["blue 3"], "C": ["red 4"]}
    position = {"turn": "A", "hands": hands, "discard": ["red 9"], "events": ["gambling man"]}
    game = fuda.new("frantic", players=3, position=position)
    game.play("red troublemaker")
    assert asked(game, "lucky bastard") == "BCA"
    assert (game.seat, game.moves()) == ("B", ["pass"])
    game.play("pass")
    assert (game.seat, game.moves()) == ("C", ["red 4"])


@pytest.mark.parametrize("kind", ["merry christmas", "for whom"])
def test_f_5_only_who_is_asked_is_told_which_card_it_is(kind: str) -> None:
    game = next(moments_of(kind, "", 3))
    for _ in range(3):
        if game.question is None or game.question["kind"] != kind:
            break
        chosen = game.position()["chosen"][game.seat]
        card = chosen[-1] if kind == "for whom" else game.position()["hands"][game.seat][len(chosen)]
        for seat in (None, *game.totals):
            assert game.view(seat)["question"].get("card") == (card if seat == game.seat else None)
        game.play(game.moves()[0])
