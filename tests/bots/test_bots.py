"""Bots answer what is asked from nothing but a view, and rules of thumb beat no rules at all."""

from __future__ import annotations

import json

import pytest

import fuda
from fuda import bots
from fuda.bots.catalogue import THUMB
from fuda.bots.seating import default_kind, kinds_of
from fuda.bots.thumb_frantic import ANSWERS
from fuda.engine.random import seeded
from fuda.games.frantic.words import QUESTIONS
from tests.tables import Table, every_table, moments

GAMES = [game["id"] for game in fuda.games()]
MANY_GAMES = 400
FEWER_GAMES = {"frantic": 50, "kirifu": 100, "cursed_tricks": 100}
"""Enough where the bot with rules of thumb wins more than twice its fair share."""


def share_of_wins(game: str, players: int, games: int, options: dict[str, str] | None = None) -> float:
    """One thumb bot among random ones, in every seat in turn: its wins as a multiple of the fair share."""
    won = 0.0
    for seed in range(games):
        table = fuda.new(game, players=players, seed=seed, options=options)
        chooser = seeded(seed + 1_000_000)
        seat = "ABCDEFGH"[seed % players]
        thumb = bots.bot("thumb", game, seed)
        while not table.over:
            moves = table.moves()
            mine = table.seat == seat and len(moves) > 1
            table.play(thumb.choose(table.view(seat), moves) if mine else moves[chooser.below(len(moves))])
        assert table.winners is not None
        won += (seat in table.winners) / max(1, len(table.winners))
    return won / games * players


def has_thumb(game: str) -> bool:
    return "thumb" in bots.names(game)


def played_by(least: int, most: int) -> range:
    """Every number of players; in plain Python, where games take long, only the smallest."""
    return range(least, most + 1 if fuda.compiled else least + 1)


@pytest.mark.parametrize(
    ("game", "players"),
    [(game["id"], players) for game in fuda.games() if has_thumb(game["id"]) for players in played_by(*game["players"])],
)
def test_thumb_wins_one_and_a_half_times_its_fair_share(game: str, players: int) -> None:
    assert share_of_wins(game, players, FEWER_GAMES.get(game, MANY_GAMES)) >= 1.5


@pytest.mark.parametrize("players", [3, 4])
def test_thumb_knows_the_standard_deck_of_cursed_tricks(players: int) -> None:
    """It wins more than twice its fair share there, so that few games are enough to see half as much again."""
    assert share_of_wins("cursed_tricks", players, 60, {"deck": "standard"}) >= 1.5


def test_thumb_has_a_rule_for_every_question_of_frantic() -> None:
    assert set(ANSWERS) == {question.partition(",")[0] for question in QUESTIONS}


@every_table
def test_a_bot_answers_with_a_legal_move_that_its_view_alone_decides(table: Table) -> None:
    for game in moments(table, 3, 0.1):
        if game.over:
            continue
        assert game.seat is not None
        view, moves = game.view(game.seat), game.moves()
        before = json.dumps(view)
        hidden = fuda.redeal(view, 5)
        for name in bots.names(table.game):
            chosen = bots.bot(name, table.game, 9).choose(view, moves)
            assert chosen in moves
            assert chosen == bots.bot(name, table.game, 9).choose(hidden.view(game.seat), hidden.moves())
            assert json.dumps(view) == before


@every_table
def test_bots_play_whole_games(table: Table) -> None:
    game = table.new(1)
    players = {seat: bots.bot(bots.names(table.game)[-1], table.game, 1) for seat in table.seats}
    while not game.over:
        assert game.seat is not None
        game.play(players[game.seat].choose(game.view(game.seat), game.moves()))


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_random_bot_and_most_have_a_thumb_bot(game: str) -> None:
    assert bots.names(game) == (["random", "thumb"] if game in THUMB else ["random"])
    assert default_kind(game) == bots.names(game)[-1]


def test_a_game_without_rules_of_thumb_is_played_by_random_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(THUMB, "kirifu")
    assert bots.names("kirifu") == kinds_of("kirifu") == ["random"]
    assert default_kind("kirifu") == "random"
    game = fuda.new("kirifu", seed=1)
    assert bots.bot(default_kind("kirifu"), "kirifu", 1).choose(game.view(game.seat), game.moves()) in game.moves()
    with pytest.raises(fuda.Error, match="no bot 'thumb' for kirifu; there are random"):
        bots.bot("thumb", "kirifu", 1)


def test_every_bot_with_rules_of_thumb_has_its_game() -> None:
    assert THUMB
    assert {*THUMB} <= {*GAMES}


def test_unknown_bots_and_games_are_named() -> None:
    with pytest.raises(fuda.Error, match="no bot 'genius' for schadenfreude; there are random, thumb"):
        bots.bot("genius", "schadenfreude", 1)
    with pytest.raises(fuda.Error, match="no game 'chess'"):
        bots.names("chess")
