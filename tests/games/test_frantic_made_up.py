"""Frantic: positions and views that no game can come to are refused with a sentence."""

from __future__ import annotations

from typing import Any

import pytest

import fuda

END = {"step": "end check", "owner": "A", "used": 0}
HANDS = {"A": ["red 1", "red 2", "red 3"], "B": ["blue 1", "blue 2"], "C": ["green 1"]}


def window(card: str) -> dict[str, Any]:
    return {
        "step": "counterattack",
        "player": "B",
        "card": card,
        "owner": "A",
        "share": 4 if card == "fantastic four" else 0,
    }


@pytest.mark.parametrize("seat", [None, "B", "C"])
def test_a_view_in_which_hidden_choices_are_carried_out_before_anybody_is_asked(seat: str | None) -> None:
    """What the others have chosen is not known, so it cannot happen."""
    hands = {**HANDS, "A": ["red gift", "red 1", "red 2", "red 3"]}
    game = fuda.new("frantic", players=3, position={"hands": hands, "discard": ["red 9"], "turn": "A"})
    for move in ("red gift", "B", "pass", "red 1"):
        game.play(move)
    view = game.view(seat)
    assert [step["step"] for step in view["pending"]] == ["pick", "hand over", "end check"]
    del view["pending"][0]
    with pytest.raises(fuda.Error, match="The view, pending: nobody is asked before hidden choices are carried out"):
        fuda.redeal(view, 1)


def test_a_view_in_which_a_card_can_hit_nobody_but_its_target_is_asked_for() -> None:
    hands = {**HANDS, "A": ["red skip", "red 1"]}
    game = fuda.new("frantic", players=3, position={"hands": hands, "discard": ["red 9"], "turn": "A"})
    game.play("red skip")
    with pytest.raises(fuda.Error, match="The view: nobody has a decision left"):
        fuda.redeal(game.view("A") | {"skipped": ["B", "C"]}, 1)


@pytest.mark.parametrize("card", ["inequality", "red gift", "fantastic four"])
@pytest.mark.parametrize(
    "before",
    [
        {"step": "turn up", "owner": "A", "protected": []},
        {"step": "dispose", "owner": "A"},
    ],
    ids=lambda step: str(step["step"]).replace(" ", "_"),
)
def test_f_15_no_event_comes_between_an_attack_and_the_window_for_a_counterattack(card: str, before: dict[str, Any]) -> None:
    """Else hands could change, and the attack could not hit its victim any more."""
    position = {"hands": HANDS, "pending": [before, window(card), END]}
    with pytest.raises(fuda.Error, match="'counterattack' cannot be there"):
        fuda.new("frantic", players=3, position=position)


def test_f_17_only_the_windows_of_fantastic_four_wait_for_each_other() -> None:
    second = {**window("fantastic four"), "player": "C"}
    game = fuda.new("frantic", players=3, position={"hands": HANDS, "pending": [window("fantastic four"), second, END]})
    assert game.seat == "B"
    position = {"hands": HANDS, "pending": [window("fantastic four"), window("inequality"), END]}
    with pytest.raises(fuda.Error, match="'counterattack' cannot be there"):
        fuda.new("frantic", players=3, position=position)


PRESENT = {"step": "choose", "owner": "B", "purpose": "surprise party", "left": 1, "receiver": None}
FOR_WHOM = {"step": "for whom", "player": "B", "protected": []}
LAY = {"step": "gambling man", "player": "B"}
WRAP = {"step": "merry christmas", "player": "B", "protected": []}
STEAL = {"step": "steal", "player": "A", "victim": "B", "left": 1}
HAND_OVER = {"step": "hand over", "owner": "B", "receiver": "C", "purpose": "give"}
SHOOT = {"step": "shoot", "owner": "A", "protected": []}


def unwrap(event: str) -> dict[str, Any]:
    return {"step": "unwrap", "owner": "A", "protected": [], "event": event}


@pytest.mark.parametrize(
    ("pending", "wrong"),
    [
        pytest.param([PRESENT, unwrap("surprise party")], "choose", id="a present for nobody"),
        pytest.param([PRESENT, FOR_WHOM], "choose", id="a present that nobody unwraps"),
        pytest.param([PRESENT, FOR_WHOM, unwrap("crowdfunding")], "choose", id="a present at another event"),
        pytest.param([LAY], "gambling man", id="a stake that is not turned over"),
        pytest.param([LAY, SHOOT], "gambling man", id="a stake for another event"),
        pytest.param([WRAP, SHOOT], "merry christmas", id="a whole hand for another event"),
        pytest.param([STEAL], "steal", id="a theft without loot"),
        pytest.param([{**PRESENT, "purpose": "crowdfunding"}, unwrap("crowdfunding")], "choose", id="funds for nobody"),
        pytest.param([{**PRESENT, "purpose": "give", "receiver": "A"}, HAND_OVER], "choose", id="a gift for another"),
    ],
)
def test_choices_for_which_no_step_waits(pending: list[dict[str, Any]], wrong: str) -> None:
    """Else the cards that were chosen would be nowhere, or stay chosen for ever."""
    with pytest.raises(fuda.Error, match=f"'{wrong}' cannot be there"):
        fuda.new("frantic", players=3, position={"hands": HANDS, "last_colour": "red", "pending": [*pending, END]})


@pytest.mark.parametrize("pending", [[PRESENT, FOR_WHOM, unwrap("surprise party")], [WRAP, unwrap("merry christmas")]])
def test_choices_for_which_a_step_waits(pending: list[dict[str, Any]]) -> None:
    game = fuda.new("frantic", players=3, position={"hands": HANDS, "pending": [*pending, END]})
    assert game.asked() == ["B"]
