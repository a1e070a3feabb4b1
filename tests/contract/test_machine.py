"""A hypothesis machine over the public face: whatever one does with a game, in whatever order, it stays sound."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import fuda
from tests.contract.test_moves import everything
from tests.tables import ALL, Table


class Player(RuleBasedStateMachine):
    """Plays, refuses, copies, saves, replays, sets up and redeals one game."""

    def __init__(self) -> None:
        super().__init__()
        self.table = ALL[0]
        self.game = self.table.new(0)

    @initialize(table=st.sampled_from(ALL), seed=st.integers(0, 10_000))
    def sit_down(self, table: Table, seed: int) -> None:
        self.table = table
        self.game = table.new(seed)

    @rule(data=st.data())
    def play_legally(self, data: st.DataObject) -> None:
        if not self.game.over:
            before = len(self.game.record()["moves"])
            self.game.play(data.draw(st.sampled_from(self.game.moves())))
            assert len(self.game.record()["moves"]) == before + 1

    @rule(choices=st.lists(st.integers(0, 40), min_size=10, max_size=40))
    def play_on(self, choices: list[int]) -> None:
        for choice in choices:
            if not self.game.over:
                moves = self.game.moves()
                self.game.play(moves[choice % len(moves)])

    @rule(move=st.text(max_size=12))
    def play_nonsense(self, move: str) -> None:
        before = everything(self.game)
        try:
            self.game.play(move)
        except fuda.Refused as refused:
            assert refused.rule in ("A-4", "A-6")
        assert everything(self.game) == before

    @rule()
    def go_on_with_a_clone(self) -> None:
        copy = self.game.clone()
        assert everything(copy) == everything(self.game)
        self.game = copy

    @rule()
    def go_on_with_a_replay(self) -> None:
        copy = fuda.replay(self.through_json(self.game.record()), seed=1)
        assert everything(copy) == everything(self.game)
        self.game = copy

    @rule(seed=st.integers(0, 99))
    def go_on_with_a_position(self, seed: int) -> None:
        if not self.game.over:
            copy = self.table.new(seed, self.through_json(self.game.position()))
            assert copy.position() == self.game.position()
            assert copy.moves() == self.game.moves()
            self.game = copy

    @rule(seed=st.integers(), data=st.data())
    def go_on_with_a_redeal(self, seed: int, data: st.DataObject) -> None:
        seat = data.draw(st.sampled_from([None, *self.table.seats]))
        view = self.game.view(seat)
        copy = fuda.redeal(self.through_json(view), seed)
        assert json.dumps(copy.view(seat)) == json.dumps(view)
        if not self.game.over:
            self.game = copy

    @invariant()
    def somebody_decides_or_it_is_over(self) -> None:
        assert self.game.over == (self.game.seat is None) == (not self.game.moves())

    @invariant()
    def views_agree_on_what_all_can_see(self) -> None:
        views = [self.game.view(seat) for seat in [None, *self.table.seats]]
        for view in views:
            assert view["totals"] == self.game.totals
            assert len(view["history"]) == len(views[0]["history"])
            for own, seen_by_all in zip(view["history"], views[0]["history"], strict=True):
                without_cards = {key: own[key] for key in own if key != "cards"}
                assert seen_by_all in (own, without_cards)

    @staticmethod
    def through_json(value: Any) -> Any:
        return json.loads(json.dumps(value))


Player.TestCase.settings = settings(max_examples=60, stateful_step_count=25)
TestMachine = Player.TestCase
