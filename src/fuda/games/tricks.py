"""What the trick-taking games share: hands, a trick, and the duty to follow."""

from __future__ import annotations

from typing import Any, ClassVar, Final, TypeVar

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.cards import BIT, any_in, cards_in, count, zeros
from fuda.engine.chance import Chance
from fuda.engine.core import HOLD_IT, Rule, State, Step
from fuda.engine.random import Random
from fuda.engine.rulebook import Rulebook
from fuda.engine.seats import SEATS
from fuda.engine.setup import Setup

MOST_PLAYERS: Final = 5

T = TypeVar("T", bound="TrickState")


class TrickState(State):
    def __init__(self, players: i64, chance: Chance, follow: Follow, free: i64 = 0) -> None:
        super().__init__(players, chance)
        self.follow = follow
        """The rule of this game about following."""
        self.free: i64 = free
        """The cards that follow anything."""
        self.hands = zeros(players)
        self.voids = zeros(players)
        """The cards that each player cannot hold, having failed to follow."""
        self.trick = vec[i64]()
        """The cards of the trick, from the leader on."""
        self.leader: i64 = 0
        self.demanded: i64 = 0
        """The cards that whoever holds one must follow with; none before something is led."""
        self.followers: i64 = free
        """The cards that count as following: those demanded, and whatever follows anything."""

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

    # What each game says ------------------------------------------------------------------------

    def demands(self, card: i64) -> i64:
        """The cards that must follow this lead; none if it demands nothing."""
        raise NotImplementedError

    def end_trick(self) -> Step:
        raise NotImplementedError

    # What they share ----------------------------------------------------------------------------

    def deal(self, deck: i64, each: i64) -> vec[i64]:
        """Shuffles, deals so many to each player, and returns the cards left over."""
        cards = self.chance.shuffle(cards_in(deck))
        at: i64 = 0
        for player in range(self.players):
            hand: i64 = 0
            end = at + each
            while at < end:
                hand |= BIT[cards[at]]
                at += 1
            self.hands[player] = hand
            self.voids[player] = 0
        return cards[at:]

    def player_of(self, place: i64) -> i64:
        """Who played the card at this place of the trick."""
        return self.after(self.leader, place)

    def lay(self, player: i64, card: i64) -> None:
        """A card comes into the trick: it may be the one to be followed, or show what its player lacks."""
        if not self.demanded:
            self.demanded = self.demands(card)
            self.followers = self.demanded | self.free
        elif not self.followers & BIT[card]:
            self.voids[player] |= self.demanded
        self.trick = append(self.trick, card)

    def clear_trick(self) -> None:
        self.trick = vec[i64](capacity=MOST_PLAYERS)
        self.demanded = 0
        self.followers = self.free


class Follow(Rule):
    """Whoever can follow must."""

    names: ClassVar[list[str]] = []

    def narrow(self, s: TrickState, hand: i64) -> i64:
        return hand & s.followers if hand & s.demanded else hand

    def facts(self, s: TrickState, player: i64, move: i64) -> dict[str, Any]:
        follows = self.narrow(s, s.hands[player])
        return {"held": [f"the {self.names[card]}" for card in cards_in(follows)]}


class Play(Step):
    """One player plays a card to the trick."""

    kind = "play"

    def playable(self, s: TrickState) -> i64:
        return s.follow.narrow(s, s.hands[self.player])

    def moves(self, s: TrickState) -> vec[i64]:
        return cards_in(self.playable(s))

    def play_any(self, s: TrickState, random: Random) -> None:
        self.play(s, any_in(self.playable(s), random))

    def rule_against(self, s: TrickState, card: i64) -> Rule:
        return s.follow if s.hands[self.player] & BIT[card] else HOLD_IT

    def play(self, s: TrickState, card: i64) -> None:
        s.hands[self.player] ^= BIT[card]
        s.lay(self.player, card)
        s.tell("play", self.player, card)


class Trick(Step):
    """Everyone plays a card, from the leader on, and the trick ends; then the next, while there are cards."""

    def run(self, s: TrickState) -> None:
        if s.hands[s.leader]:
            play_trick(s)


def play_trick(s: TrickState) -> None:
    """Those who have not played to the trick play, it ends, and the next begins."""
    s.push(TRICK)
    s.push(s.end_trick())
    for place in range(s.players - 1, len(s.trick) - 1, -1):
        s.push(PLAY[s.player_of(place)])


PLAY: Final = [Play(player) for player in range(MOST_PLAYERS)]
TRICK: Final = Trick()


class TrickRulebook(Rulebook[T]):
    """Positions of trick-taking games."""

    def hand_dealt(self, s: T) -> i64:
        """How many cards each player is dealt."""
        raise NotImplementedError

    def hand_size(self, s: T, player: i64, unplaced: i64) -> i64:
        size = (unplaced + len(s.trick)) // s.players
        full = self.hand_dealt(s)
        if size > full:
            size = full
        return size - 1 if size and has_played(s, player) else size

    def complete(self, s: T, given: dict[str, Any], setup: Setup) -> None:
        """Lays the given trick card by card, for what it demands and who could not follow."""
        trick = s.trick
        s.clear_trick()
        for place in range(len(trick)):
            s.lay(s.player_of(place % s.players), trick[place])

    def check(self, s: T, setup: Setup) -> None:
        full = self.hand_dealt(s)
        size = self.hand_before_trick(s)
        if len(s.trick) > s.players:
            raise setup.wrong("trick", f"{len(s.trick)} cards are too many for {s.players} players.")
        for player in range(s.players):
            held = count(s.hands[player])
            if held > full:
                raise setup.wrong(f"hands of {SEATS[player]}", f"{held} cards are more than the {full} that are dealt.")
            fits = size - 1 if has_played(s, player) else size
            if held != fits:
                played = "has played to the trick" if has_played(s, player) else "has still to play"
                raise setup.wrong(
                    f"hands of {SEATS[player]}",
                    f"{SEATS[player]} {played} and should hold {fits} like the others, not {held}.",
                )
        if size > full:
            raise setup.wrong("hands", f"with the trick that makes {size} cards each, more than the {full} that are dealt.")
        if not self.someone_decides(s):
            raise setup.wrong("hands" if len(s.trick) < s.players else "trick", "nobody has a decision left.")

    def someone_decides(self, s: T) -> bool:
        """A finished trick leaves the table at once, so somebody has still to play a card to this one."""
        return len(s.trick) < s.players and s.hands[s.player_of(len(s.trick))] != 0

    def hand_before_trick(self, s: T) -> i64:
        """How many cards everybody held when the trick began: what the player to play next holds, if there is one."""
        if len(s.trick) < s.players:
            return count(s.hands[s.player_of(len(s.trick))])
        return count(s.hands[s.leader]) + 1


def has_played(s: TrickState, player: i64) -> bool:
    place = player - s.leader
    if place < 0:
        place += s.players
    return place < len(s.trick)


# Games of a number of rounds, each started by the next player ------------------------------------


class RoundsState(TrickState):
    def __init__(self, players: i64, rounds: i64, chance: Chance, follow: Follow) -> None:
        super().__init__(players, chance, follow)
        self.rounds: i64 = rounds
        self.first: i64 = 0
        """Who leads the first trick of the round."""

    def copy_rounds_to(self, c: RoundsState) -> None:
        self.copy_trick_to(c)
        c.first = self.first

    def begin_round(self) -> None:
        """Puts the steps of a round on the stack."""
        raise NotImplementedError

    def end_round(self) -> None:
        """After the score: the next round, or the end."""
        self.push(NEXT_ROUND if self.round < self.rounds else END_GAME)


class FirstRound(Step):
    """C-2, P-9: who leads first in the first round is drawn by lot."""

    def run(self, s: RoundsState) -> None:
        s.first = s.chance.lot(BIT[s.players] - 1)
        s.begin_round()


class NextRound(Step):
    """C-2, P-9: the next player clockwise leads first."""

    def run(self, s: RoundsState) -> None:
        s.first = s.after(s.first)
        s.round += 1
        s.begin_round()


class EndGame(Step):
    """C-16, P-11: equal best totals share the win."""

    def run(self, s: RoundsState) -> None:
        s.finish(s.best_totals())


FIRST_ROUND: Final = FirstRound()
NEXT_ROUND: Final = NextRound()
END_GAME: Final = EndGame()

R = TypeVar("R", bound="RoundsState")


class RoundsRulebook(TrickRulebook[R]):
    def start(self, s: R) -> None:
        s.push(FIRST_ROUND)

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
