"""What the trick-taking games share: the deal, tricks, following, rounds, positions.

A game's state is a `TrickState` that says what is dealt, who wins a trick, and how a round is scored. It has a `Follow` rule
if players must follow.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine import roles
from fuda.engine.cards import BIT, cards_in, count, random_in, set_of, zeros
from fuda.engine.chance import Chance
from fuda.engine.core import ANSWER_WHAT_IS_ASKED, HOLD_IT, Rule, State, Step
from fuda.engine.fields import OWN, Field, Number, Numbers, Row, Seat, SeatCards, Voids
from fuda.engine.random import Random
from fuda.engine.rulebook import Rulebook
from fuda.engine.seats import SEATS
from fuda.engine.setup import Setup

MOST_ROUNDS: Final = 100

T = TypeVar("T", bound="TrickState")


class TrickState(State):
    def __init__(self, players: i64, chance: Chance, follow: Follow | None = None) -> None:
        super().__init__(players, chance)
        self.follow = follow
        """The rule that one must follow; None in a game without it."""
        self.hands = zeros(players)
        self.voids = zeros(players)
        """The cards that each player has shown not to hold, by not following."""
        self.trick = vec[i64]()
        """The cards of the trick, from the leader on."""
        self.leader: i64 = 0
        self.demanded: i64 = 0
        """The cards that must be played by whoever holds any of them; none before a card is led."""
        self.followers: i64 = 0
        """The cards that count as following: those demanded, and the wild ones."""

    def copy_trick_to(self, c: TrickState) -> None:
        self.copy_to(c)
        c.hands = self.hands[:]
        c.voids = self.voids[:]
        c.trick = self.trick[:]
        c.leader = self.leader
        c.demanded = self.demanded
        c.followers = self.followers

    def never_held(self, player: i64) -> int:
        return self.voids[player]

    def set_row(self, name: str, row: vec[i64]) -> None:
        match name:
            case "trick":
                self.trick = row
            case _:
                super().set_row(name, row)

    # What each game says ------------------------------------------------------------------------

    def deck(self) -> i64:
        raise NotImplementedError

    def hand_dealt(self) -> i64:
        """How many cards each player is dealt."""
        raise NotImplementedError

    def clear_table(self, undealt: i64) -> None:
        """Removes what the last round left on the table; these cards were not dealt."""
        raise NotImplementedError

    def end_trick(self) -> None:
        """Decides who wins the trick and gets what, and clears it."""
        raise NotImplementedError

    def points_of(self, player: i64) -> i64:
        """This player's points for the round."""
        raise NotImplementedError

    def total_with(self, player: i64, points: i64) -> i64:
        """The player's total after these points are added."""
        return self.totals[player] + points

    def end_round(self) -> None:
        """After the score: begins the next round, or ends the game."""
        raise NotImplementedError

    def is_card(self, move: i64) -> bool:
        """Whether this move is a card; a game may have other moves, too."""
        return True

    # What they share ----------------------------------------------------------------------------

    def begin_round(self, leader: i64) -> None:
        self.leader = leader
        self.then([DEAL, TRICK, SCORE])

    def next_round(self, leader: i64) -> None:
        self.round += 1
        self.begin_round(leader)

    def deal(self) -> i64:
        """Shuffles and deals; returns the cards left over."""
        cards = self.chance.shuffle(cards_in(self.deck()))
        each = self.hand_dealt()
        at: i64 = 0
        for player in range(self.players):
            hand: i64 = 0
            end = at + each
            while at < end:
                hand |= BIT[cards[at]]
                at += 1
            self.hands[player] = hand
            self.voids[player] = 0
        return set_of(cards[at:])

    def playable(self, player: i64) -> i64:
        """The cards that the player may play: those that follow, if the player must."""
        hand = self.hands[player]
        return hand & self.followers if hand & self.demanded else hand

    def lay(self, player: i64, card: i64) -> None:
        """Adds a card to the trick: the first one says what must be followed, a later one may show what its player lacks."""
        if self.demanded:
            if not self.followers & BIT[card]:
                self.voids[player] |= self.demanded
        elif self.follow is not None:
            self.demanded = self.follow.demands[card]
            self.followers = self.demanded | self.follow.wild
        self.trick = append(self.trick, card)

    def player_at(self, index: i64) -> i64:
        """Who plays the card with this index in the trick."""
        return self.after(self.leader, index)

    def player_of(self, card: i64) -> i64:
        """Who played this card of the trick."""
        player = self.leader
        for other in self.trick:
            if other == card:
                break
            player = self.after(player)
        return player

    def has_played(self, player: i64) -> bool:
        index = player - self.leader
        if index < 0:
            index += self.players
        return index < len(self.trick)

    def clear_trick(self) -> None:
        self.trick = vec[i64](capacity=self.players)
        self.demanded = 0
        self.followers = 0


# A round --------------------------------------------------------------------------------------


class FirstRound(Step):
    """C-2, P-9, S-18: who leads first is drawn by lot."""

    def run(self, s: TrickState) -> None:
        s.begin_round(s.chance.lot(BIT[s.players] - 1))


class Deal(Step):
    def run(self, s: TrickState) -> None:
        s.clear_table(s.deal())
        s.tell("deal", s.leader, number=s.round)


class Trick(Step):
    """Everyone plays a card, from the leader on, and the trick ends; then the next, while there are cards."""

    def run(self, s: TrickState) -> None:
        if s.hands[s.leader]:
            play_trick(s)


def play_trick(s: TrickState) -> None:
    """Those who have not played to the trick play, it ends, and the next begins."""
    s.push(TRICK)
    s.push(END_TRICK)
    for index in range(s.players - 1, len(s.trick) - 1, -1):
        s.push(PLAY[s.player_at(index)])


class Play(Step):
    """One player plays a card to the trick."""

    kind = "play"

    def moves(self, s: TrickState) -> vec[i64]:
        return cards_in(s.playable(self.player))

    def play_random(self, s: TrickState, random: Random) -> None:
        self.play(s, random_in(s.playable(self.player), random))

    def rule_against(self, s: TrickState, card: i64) -> Rule:
        if not s.is_card(card):
            return ANSWER_WHAT_IS_ASKED
        if s.follow is None or not s.hands[self.player] & BIT[card]:
            return HOLD_IT
        return s.follow

    def play(self, s: TrickState, card: i64) -> None:
        s.hands[self.player] ^= BIT[card]
        s.lay(self.player, card)
        s.tell("play", self.player, card)


class Follow(Rule):
    """Whoever can follow must follow; a game without this duty has no such rule."""

    def __init__(self, names: list[str], suits: list[tuple[str, int]], demands: vec[i64], wild: i64 = 0) -> None:
        self.names = names
        """The names of all cards of the game."""
        self.suits = suits
        """What a player can be known to lack: each suit, by its name, and its cards."""
        self.demands = demands
        """For each card the cards with which one must follow it, if one holds any."""
        self.wild: i64 = wild
        """The cards that follow anything."""

    def led(self, s: TrickState) -> str | list[str]:
        """What must be followed, in names."""
        raise NotImplementedError

    def facts(self, s: TrickState, player: i64, move: i64) -> dict[str, Any]:
        return {"held": [self.names[card] for card in cards_in(s.playable(player))], "led": self.led(s)}


class EndTrick(Step):
    def run(self, s: TrickState) -> None:
        s.end_trick()


class Score(Step):
    def run(self, s: TrickState) -> None:
        points = zeros(s.players)
        for player in range(s.players):
            points[player] = s.points_of(player)
            s.totals[player] = s.total_with(player, points[player])
        s.tell_score(points)
        s.end_round()


FIRST_ROUND: Final = FirstRound()
DEAL: Final = Deal()
TRICK: Final = Trick()
PLAY: Final = [Play(player) for player in range(len(SEATS))]
END_TRICK: Final = EndTrick()
SCORE: Final = Score()


# The rulebook ---------------------------------------------------------------------------------


class TrickRulebook(Rulebook[T]):
    def __init__(self, cards: list[str], follow: Follow | None, piles: list[Field], table: list[Field]) -> None:
        """`piles` are the fields for cards in front of each player, `table` those for other cards on the table."""
        self.cards = cards
        self.moves = cards
        self.texts = {}
        self.fields = [
            *self.round_fields(),
            Row("trick", kind=roles.TRICK),
            SeatCards("hands", OWN, kind=roles.HAND),
            *piles,
            Numbers("totals", kind=roles.SCORE),
            *table,
        ]
        self.rules = []
        if follow is not None:
            self.fields.append(Voids("voids", follow.suits))
            self.rules.append(follow)
        self.questions = {"play": "Play a card."}
        self.notes = {
            "deal": "Round {number}: the cards are dealt, {seat} leads.",
            "play": "{seat} plays {card}.",
            "trick": "{seat} wins the trick with {card}.",
            "score": "Points: {points}. Totals: {totals}.",
            "end": "The game is over: the most points win it for {seats}.",
        }

        self.note_roles = {"play": roles.PLAYED, "trick": roles.TRICK_ENDED, "score": roles.SCORED}

    def round_fields(self) -> list[Field]:
        return [Number("round", 1, MOST_ROUNDS, kind=roles.ROUND), Seat("leader", kind=roles.LEADER)]

    def start(self, s: T) -> None:
        s.push(FIRST_ROUND)

    def deck(self, s: T) -> vec[i64]:
        return cards_in(s.deck())

    # A given position ---------------------------------------------------------------------------

    def hand_size(self, s: T, player: i64, unplaced: i64) -> i64:
        size = (unplaced + len(s.trick)) // s.players
        dealt = s.hand_dealt()
        if size > dealt:
            size = dealt
        return size - 1 if size and s.has_played(player) else size

    def complete(self, s: T, given: dict[str, Any], setup: Setup) -> None:
        """Lays the given trick card by card, to find out what it demands and who could not follow."""
        trick = s.trick
        s.clear_trick()
        for index in range(len(trick)):
            s.lay(s.player_at(index % s.players), trick[index])

    def check(self, s: T, setup: Setup) -> None:
        dealt = s.hand_dealt()
        size = self.hand_before_trick(s)
        if len(s.trick) > s.players:
            raise setup.wrong("trick", f"{len(s.trick)} cards are too many for {s.players} players.")
        for player in range(s.players):
            where = f"hands of {SEATS[player]}"
            held = count(s.hands[player])
            if held > dealt:
                raise setup.wrong(where, f"{held} cards are more than the {dealt} that are dealt.")
            fits = size - 1 if s.has_played(player) else size
            if held != fits:
                played = "has played to the trick" if s.has_played(player) else "has still to play"
                raise setup.wrong(where, f"{SEATS[player]} {played} and should hold {fits} like the others, not {held}.")
        if size > dealt:
            raise setup.wrong("hands", f"with the trick that makes {size} cards each, more than the {dealt} that are dealt.")
        if not self.someone_decides(s):
            raise setup.wrong("hands" if len(s.trick) < s.players else "trick", "nobody has a decision left.")

    def someone_decides(self, s: T) -> bool:
        """Whether somebody has a decision: a finished trick is cleared at once, so a card must still be missing."""
        return len(s.trick) < s.players and s.hands[s.player_at(len(s.trick))] != 0

    def hand_before_trick(self, s: T) -> i64:
        """How many cards everybody held when the trick began: what the player to play next holds, if there is one."""
        if len(s.trick) < s.players:
            return count(s.hands[s.player_at(len(s.trick))])
        return count(s.hands[s.leader]) + 1

    def resume(self, s: T) -> None:
        s.push(SCORE)
        play_trick(s)


# Games with a fixed number of rounds, each started by the next player -----------------------------


class RoundsState(TrickState):
    def __init__(self, players: i64, rounds: i64, chance: Chance, follow: Follow | None = None) -> None:
        super().__init__(players, chance, follow)
        self.rounds: i64 = rounds
        self.first: i64 = 0
        """Who leads the first trick of the round."""

    def copy_rounds_to(self, c: RoundsState) -> None:
        self.copy_trick_to(c)
        c.first = self.first

    def begin_round(self, leader: i64) -> None:
        self.first = leader
        super().begin_round(leader)

    def end_round(self) -> None:
        """C-2, P-9: the next player clockwise leads first. C-16, P-11: equal best totals share the win."""
        if self.round < self.rounds:
            self.next_round(self.after(self.first))
        else:
            self.finish(self.best_totals())


R = TypeVar("R", bound="RoundsState")


class RoundsRulebook(TrickRulebook[R]):
    def round_fields(self) -> list[Field]:
        return [Number("round", 1, MOST_ROUNDS, kind=roles.ROUND), Seat("first"), Seat("leader", kind=roles.LEADER)]

    def complete(self, s: R, given: dict[str, Any], setup: Setup) -> None:
        if "leader" not in given:
            s.leader = s.first
        if "first" not in given:
            s.first = s.leader
        super().complete(s, given, setup)

    def check(self, s: R, setup: Setup) -> None:
        super().check(s, setup)
        if s.round > s.rounds:
            raise setup.wrong("round", f"there are only {s.rounds} rounds.")
