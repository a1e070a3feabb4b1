"""What the trick-taking games share."""

from __future__ import annotations

import fuda
from fuda.games.schadenfreude import Schadenfreude


def test_without_a_rule_to_follow_every_card_of_the_hand_may_be_played() -> None:
    game = fuda.new("schadenfreude", players=4, seed=1)
    assert isinstance(game.state, Schadenfreude)
    game.state.follow = None
    for _ in range(3):
        seat = game.seat
        assert seat is not None
        hand = game.view(seat)["hands"][seat]
        assert game.moves() == hand
        refusals = [game.why(card) for card in game.rules.cards if card not in hand]
        assert {refusal.rule for refusal in refusals if refusal} == {"A-5"}
        game.play(hand[-1])
    assert not any(game.view(None)["voids"].values())
