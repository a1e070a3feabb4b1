"""Frantic: many thousands of random decisions; cards are conserved at each of them, and every game ends."""

from __future__ import annotations

from collections import Counter
from itertools import count
from typing import Any

import pytest

import fuda
from fuda.engine.notes import NO_CARD
from fuda.engine.random import seeded
from fuda.games.frantic.deck import EVENT_NAMES, event_deck
from fuda.games.frantic.state import Frantic

DECISIONS = 10_000
"""At each of the twenty tables: 200,000 in all."""
LONGEST = 60 * 147 * 40
"""No game comes near this: 60 rounds, in each of which every card is played once, each with forty answers."""


def state_at(table: dict[str, Any], seed: int) -> Frantic:
    """A game in integers, without its notes, which nobody reads here."""
    state = fuda.new("frantic", players=table["players"], seed=seed, options=table["options"]).state.clone()
    assert isinstance(state, Frantic)
    return state


def cards_of(s: Frantic) -> list[int]:
    """Every card, wherever it is."""
    out = [*s.deck, *s.discard, *s.market]
    for hand in (*s.hands, *s.layers):
        out += hand.cards()
    return sorted(out)


def events_of(s: Frantic) -> list[int]:
    return sorted([*s.events, *s.uncovered])


TABLES = [
    {"players": players, "options": {"addon": addon, "scored": scored}}
    for players in (2, 3, 4, 6, 8)
    for addon in (True, False)
    for scored in (True, False)
]


def test_a_deal_alone_can_end_a_game() -> None:
    """F-24, F-44: without the add-on nobody is asked before the start card's event, which may be Doomsday."""
    game = fuda.new("frantic", players=2, seed=22, options={"addon": False, "scored": False})
    assert (game.over, game.winners, game.moves(), game.asked()) == (True, ["A", "B"], [], [])
    assert [note["card"] for note in game.view(None)["history"] if "card" in note] == ["black 9", "doomsday"]
    assert fuda.replay(game.record()).position() == game.position()
    assert fuda.redeal(game.view("A"), 1).over


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_cards_and_events_are_conserved_at_every_decision_and_every_game_ends(table: dict[str, Any]) -> None:
    """F-32; 147 cards and 34 events, or 125 and 20, at 10,000 decisions."""
    moves = seeded(11)
    left = DECISIONS
    for seed in count():
        s = state_at(table, seed)
        whole = sorted(s.whole())
        events = sorted(event_deck(s.addon))
        assert (len(whole), len(events)) == ((147, 34) if table["options"]["addon"] else (125, 20))
        played = 0
        while not s.over:
            assert cards_of(s) == whole
            assert events_of(s) == events
            legal = s.legal()
            assert len(legal) == len({*legal}) > 0
            s.play(legal[moves.below(len(legal))])
            played += 1
            assert played < LONGEST
        assert s.winners
        assert 1 <= s.round <= (60 if s.scored else 1)
        left -= played
        if left <= 0:
            return


@pytest.mark.parametrize("players", [2, 3, 4, 6, 8])
@pytest.mark.parametrize("scored", [True, False])
def test_choices_are_of_cards_that_are_there_and_nothing_is_left_chosen_between_turns(players: int, scored: bool) -> None:
    moves = seeded(12)
    for seed in range(8):
        s = state_at({"players": players, "options": {"scored": scored, "maximum": 100}}, seed)
        while not s.over:
            for player in range(players):
                chosen = Counter(choice.card for choice in s.chosen[player] if choice.card != NO_CARD)
                if s.step.kind != "steal":
                    assert chosen <= Counter(s.hands[player].cards())
            if s.step.kind in ("turn", "drawn", "2nd chance", "nice try", "lucky bastard", "counterattack"):
                assert not any(s.chosen)
                assert not len(s.market)
            if s.step.kind in ("turn", "drawn", "2nd chance", "nice try", "lucky bastard"):
                assert not any(s.owed)
            legal = s.legal()
            s.play(legal[moves.below(len(legal))])


@pytest.mark.parametrize("choice", [0, -1])
@pytest.mark.parametrize("players", [2, 5, 8])
def test_a_game_ends_when_everyone_always_gives_the_first_or_the_last_answer(players: int, choice: int) -> None:
    for seed in range(3):
        s = state_at({"players": players, "options": {}}, seed)
        while not s.over:
            s.play(s.legal()[choice])
        assert s.winners


def test_the_action_space_has_146_moves() -> None:
    rules = fuda.rulebook("frantic")
    assert len(rules.moves) == len({*rules.moves}) == 146
    assert len(rules.cards) == 86 + 34


@pytest.mark.parametrize("scored", [True, False])
@pytest.mark.parametrize("thrown", [("lucky bastard", "mimicry"), ("lucky bastard", "pass"), ("pass", "mimicry")], ids=str)
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("event", EVENT_NAMES)
def test_f_41_every_event_can_happen_with_nobody_or_hardly_anybody_in_it(
    event: str, players: int, thrown: tuple[str, str], scored: bool
) -> None:
    """B throws Lucky Bastard, A, whose event it is, throws Mimicry; those who are protected neither gain nor lose a card."""
    hands = {"A": ["red troublemaker", "red 1", "mimicry"], "B": ["red 2", "black 2", "lucky bastard", "blue 2"]}
    if players == 3:
        hands["C"] = ["red 3", "black 3", "blue 3"]
    position = {"hands": hands, "discard": ["red 9"], "turn": "A", "events": [event], "totals": {"A": 5, "B": 9}}
    options = {"scored": scored, "simple_start": True}
    game = fuda.new("frantic", players=players, seed=1, options=options, position=position)
    game.play("red troublemaker")
    for seat, move in (("B", thrown[0]), ("C", "pass"), ("A", thrown[1])):
        if seat in hands:
            game.play(move, seat)
            if move != "pass":
                game.play("pass", seat)
    protected = [seat for seat, move in zip("BA", thrown, strict=True) if move != "pass"]
    chooser = seeded(4)
    while not game.over and game.question is not None and game.question["kind"] not in ("turn", "nice try"):
        if event in ("plague", "event manager", "repeat"):
            break
        assert game.seat not in protected or game.seat == "A"
        assert not any(move in protected for move in game.moves())
        game.play(game.moves()[chooser.below(len(game.moves()))])
    if not game.over and game.position()["round"] == 1:
        for seat in protected:
            left = [card for card in hands[seat] if card not in ("red troublemaker", *thrown)]
            assert sorted(game.position()["hands"][seat]) == sorted(left)
    state = game.state.clone()
    state.playout(chooser)
    assert state.over
