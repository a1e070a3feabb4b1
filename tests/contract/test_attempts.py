"""A move can be played on a copy first; the game takes the result over later, or never."""

from __future__ import annotations

import random
from typing import Any

import pytest

import fuda
from fuda.engine.seats import SEATS

KEY = bytes(range(32))
TABLES = [
    pytest.param(game["id"], players, id=f"{game['id']}-{players}")
    for game in fuda.games()
    for players in {game["players"][0], game["players"][1]}
]
every_table = pytest.mark.parametrize(("name", "players"), TABLES)


def everything(game: fuda.Game) -> list[Any]:
    """All that can be asked of a game, now and about its past."""
    views = [game.view(seat) for seat in [None, *SEATS[: game.state.players]]]
    past = [game.record(), game.note_count, game.outcomes(), game.lots()]
    return [game.seat, game.question, game.moves(), views, game.position(), *past]


@every_table
@pytest.mark.parametrize("seed", [5, KEY], ids=["number", "key"])
def test_an_adopted_attempt_gives_what_play_gives(name: str, players: int, seed: int | bytes) -> None:
    played, adopted = (fuda.new(name, players, seed) for _ in range(2))
    chosen = random.Random(3)
    while not played.over and len(played.played) < 150:
        move = chosen.choice(played.moves())
        seat = played.seat
        before = played.outcome_count, played.note_count
        played.play(move, seat)
        attempt = adopted.attempt(move, seat)
        assert attempt.outcomes == played.outcomes(before[0])
        assert attempt.after.note_count == played.note_count - before[1]
        assert attempt.after.over == played.over
        adopted.adopt(attempt)
        assert everything(adopted) == everything(played)
    assert adopted.outcome_count == adopted.state.chance.count
    fuda.replay(adopted.record())


@every_table
def test_an_attempt_that_is_dropped_changes_nothing(name: str, players: int) -> None:
    game = fuda.new(name, players, KEY)
    chosen = random.Random(4)
    while not game.over and len(game.played) < 60:
        before = everything(game)
        for move in game.moves()[:5]:
            game.attempt(move, game.seat)
        assert everything(game) == before
        game.play(chosen.choice(game.moves()))


@every_table
def test_a_refused_attempt_gives_the_refusal_of_play_and_changes_nothing(name: str, players: int) -> None:
    game = fuda.new(name, players, KEY)
    before = everything(game)
    for move, seat in [("no such move", None), (game.moves()[0], "B" if game.seat == "A" else "A")]:
        with pytest.raises(fuda.Refused) as attempted:
            game.attempt(move, seat)
        with pytest.raises(fuda.Refused) as played:
            game.play(move, seat)
        assert (attempted.value.rule, str(attempted.value)) == (played.value.rule, str(played.value))
    assert everything(game) == before


def test_what_only_some_have_seen_stays_hidden_from_the_others() -> None:
    """Notes of cards that one player draws keep their witnesses when they join a history."""
    game = fuda.new("frantic", 4, KEY)
    while not game.over and len(game.played) < 200:
        moves = game.moves()
        game.adopt(game.attempt("draw" if "draw" in moves else moves[-1]))
    draws = [[note for note in game.view(seat)["history"] if note["kind"] == "draw"] for seat in ("A", "B", None)]
    assert any("cards" in note for note in draws[0] if note["seat"] == "A")
    for seat, seen in zip(("A", "B", None), draws, strict=True):
        assert not any("cards" in note for note in seen if note["seat"] != seat)


def test_an_attempt_made_in_another_state_is_not_adopted() -> None:
    game = fuda.new("shinigami_preschool", 2, KEY)
    attempt = game.attempt(game.moves()[0])
    game.play(game.moves()[-1])
    before = everything(game)
    with pytest.raises(fuda.Error, match="another state"):
        game.adopt(attempt)
    assert everything(game) == before
