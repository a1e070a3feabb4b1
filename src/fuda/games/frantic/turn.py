"""Rounds and turns: the deal, the start card, whose turn it is, and the check after every card (F-19)."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.cards import BIT
from fuda.engine.core import Rule, Step
from fuda.engine.seats import seats_in
from fuda.games.frantic.cards import act, draw_and_play, play_card
from fuda.games.frantic.deck import CURSE_CARD, DRAW, FIRST_BLACK, LAST_CHANCE, NICE_TRY_CARD, PASS, TIME_BOMB
from fuda.games.frantic.events.index import TurnUp
from fuda.games.frantic.moving import draw, lay
from fuda.games.frantic.reactions import Reaction
from fuda.games.frantic.refusals import PLAY_OR_DRAW, rule_against_playing
from fuda.games.frantic.score import MOST_ROUNDS, lowest, next_dealer, points_of
from fuda.games.frantic.state import BOMB, DOOMSDAY, NOT_YET, Frantic
from fuda.games.frantic.wishes import MaybeWish

TURNS_WITH_A_BOMB: Final = 3
LAST_CHANCE_UNUSED: Final = 0
LAST_CHANCE_USED: Final = 1
NICE_TRY_DRAW: Final = 3

# A round begins -----------------------------------------------------------------------------------


class FirstRound(Step):
    """F-23: the first dealer is drawn by lot."""

    kind = "first round"

    def run(self, s: Frantic) -> None:
        s.dealer = s.chance.lot(s.everyone())
        s.push(DEAL)


class Deal(Step):
    kind = "deal"

    def run(self, s: Frantic) -> None:
        s.begin_round()
        s.turn = s.dealer
        s.tell("deal", s.dealer, number=s.round)
        s.push(START_CARD)


class StartCard(Step):
    """F-24: the start card acts as if the dealer had played it."""

    kind = "start card"

    def run(self, s: Frantic) -> None:
        card = s.top_card()
        if card == CURSE_CARD and not s.simple_start:
            s.tell("curse", s.dealer, card)
            s.deck = s.chance.shuffle(append(s.deck, card))
            s.push(self)
            return
        s.discard = append(s.discard, card)
        s.tell("start", s.dealer, card)
        if s.simple_start and card >= FIRST_BLACK:
            s.push(self)
            return
        s.push(END_CHECK[s.dealer])
        act(s, s.dealer, card)


# A turn -------------------------------------------------------------------------------------------


class NextTurn(Step):
    """The next player's turn, unless it is skipped, or the Time Bomb goes off."""

    kind = "next turn"
    arguments = ("owner",)

    def __init__(self, owner: i64) -> None:
        super().__init__()
        self.owner: i64 = owner

    def run(self, s: Frantic) -> None:
        player = self.owner
        if s.is_skipped(player):
            s.skipped &= ~BIT[player]
            s.tell("skipped", player)
            s.push(NEXT_TURN[s.after(player)])
            return
        if s.bomb_ticks() and not s.exempt_from(TIME_BOMB) & BIT[player]:
            if s.fuse[player] >= TURNS_WITH_A_BOMB:
                s.end_round(BOMB, s.exempt_from(TIME_BOMB))
                s.push(SCORE)
                return
            s.fuse[player] += 1
        s.turn = player
        s.push(END_CHECK[player])
        s.push(TURN[player])


class Turn(Step):
    """F-10: play a valid card, or draw one."""

    kind = "turn"
    arguments = ("player",)

    def moves(self, s: Frantic) -> vec[i64]:
        return append(s.playable(self.player), DRAW)

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        return PLAY_OR_DRAW if move == PASS else rule_against_playing(s, self.player, move)

    def play(self, s: Frantic, move: i64) -> None:
        if move == DRAW:
            draw_and_play(s, self.player)
        else:
            play_card(s, self.player, move)


# The check after a card and all it caused (F-19) --------------------------------------------------


class EndCheck(Step):
    """F-19: is the round over? `used` says whether Last Chance has had its event in this check."""

    kind = "end check"
    arguments = ("owner", "used")
    is_last = True

    def __init__(self, owner: i64, used: i64 = LAST_CHANCE_UNUSED) -> None:
        super().__init__()
        self.owner: i64 = owner
        """The player in turn."""
        self.used: i64 = used

    def run(self, s: Frantic) -> None:
        if s.ending != NOT_YET:
            s.push(SCORE)
            return
        finished = s.finished()
        if not finished:
            s.push(NEXT_TURN[s.after(self.owner)])
            return
        bound = finished & ~s.exempt_from(LAST_CHANCE)
        if s.has_last_chance() and not self.used and bound:
            finisher = self.owner
            while not bound & BIT[finisher]:
                finisher = s.after(finisher)
            s.tell("last chance", finisher)
            s.then([TurnUp(finisher), EndCheck(self.owner, used=LAST_CHANCE_USED)])
            return
        s.tell("finished", seats=finished)
        ask_for_nice_try(s, self.owner, self.owner, self.used)


def ask_for_nice_try(s: Frantic, last: i64, owner: i64, used: i64) -> None:
    """Asks the next one who has not finished, in play order; once all have passed the round is over."""
    player = last
    while True:
        player = s.after(player)
        if s.hand_size(player):
            s.push(NiceTry(player, owner, used))
            return
        if player == owner:
            s.push(SCORE)
            return


class NiceTry(Reaction):
    """F-19.4: everyone who has not finished may throw Nice Try, holding it or not (A-2)."""

    kind = "nice try"
    arguments = ("player", "owner", "used")
    is_last = True

    def __init__(self, player: i64, owner: i64, used: i64) -> None:
        super().__init__(player)
        self.owner: i64 = owner
        self.used: i64 = used

    def facts(self, s: Frantic) -> dict[str, Any]:
        return {"finished": seats_in(s.finished())}

    def is_together(self) -> bool:
        return True

    def reaction_card(self) -> i64:
        return NICE_TRY_CARD

    def play(self, s: Frantic, move: i64) -> None:
        if move == PASS:
            if self.player == self.owner:
                s.push(SCORE)
            else:
                ask_for_nice_try(s, self.player, self.owner, self.used)
            return
        finished = s.finished()
        lay(s, self.player, move)
        s.tell("nice try", self.player, move, seats=finished)
        far: i64 = 1
        while far < s.players:
            player = s.after(self.player, far)
            if finished & BIT[player]:
                draw(s, player, NICE_TRY_DRAW)
            far += 1
        s.then([MaybeWish(self.player), EndCheck(self.owner, self.used)])


# The end of a round ------------------------------------------------------------------------------


class Score(Step):
    """Scores the round; then whoever got most points deals the next one, or the game is over."""

    kind = "score"

    def run(self, s: Frantic) -> None:
        points = vec[i64](capacity=8)
        player: i64 = 0
        while player < s.players:
            points = append(points, points_of(s, player))
            player += 1
        if not s.scored:
            finish_unscored(s, points)
            return
        over = s.round == MOST_ROUNDS
        player = 0
        while player < s.players:
            s.totals[player] += points[player]
            if s.totals[player] >= s.maximum:
                over = True
            player += 1
        s.tell_score(points)
        if over:
            s.finish(lowest(s.totals))
        else:
            s.dealer = next_dealer(s, points)
            s.round += 1
            s.push(DEAL)


def finish_unscored(s: Frantic, points: vec[i64]) -> None:
    """F-33, F-42: whoever is out of cards has won, whatever ended the round; if nobody is, the lowest count wins."""
    finished = s.finished()
    if finished:
        s.finish(finished, "out of cards")
    elif s.ending == DOOMSDAY:
        s.finish(s.everyone(), "all share")
    else:
        s.finish(lowest(points))


FIRST_ROUND: Final = FirstRound()
DEAL: Final = Deal()
START_CARD: Final = StartCard()
SCORE: Final = Score()
TURN: Final = [Turn(player) for player in range(8)]
NEXT_TURN: Final = [NextTurn(player) for player in range(8)]
END_CHECK: Final = [EndCheck(player) for player in range(8)]
