"""Schadenfreude: 3 to 5 players; the second highest card of the led suit wins the trick, and 40 points are enough.

    cards     sword, flag, shield, helmet -3 … 9 without 0; wild 0, wild 10 (3 players: no -2, -1, 9)
    dealt     12, 12, 10 each for 3, 4, 5 players; 2, 2, 0 left over
    rounds    until somebody has more than `target` points
    chance    the first leader, every shuffle, ties for the lead
    hidden    hands, the cards left over

The ids are those of docs/rules/schadenfreude.md.
"""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from fuda.engine.cards import BIT, bit_index, cards_in, set_of, zeros
from fuda.engine.chance import Chance
from fuda.engine.core import Rule, Step
from fuda.engine.fields import HIDDEN, OWN, Cards, Number, Numbers, Row, Seat, SeatCards, Voids
from fuda.engine.rulebook import Look, Option, Options
from fuda.games.tricks import TRICK, Follow, TrickRulebook, TrickState, play_trick

# The cards ------------------------------------------------------------------------------------

SUIT_NAMES: Final = ["sword", "flag", "shield", "helmet"]
RANKS: Final = vec[i64]([-3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9] * 4 + [0, 10])
"""S-2: the two wild cards, the last ones, have no suit and the ranks 0 and 10."""
NAMES: Final = [f"{SUIT_NAMES[card // 12]} {RANKS[card]}" for card in range(48)] + ["wild 0", "wild 10"]
SUITS: Final = vec[i64]([0xFFF << 12 * suit for suit in range(4)])
WILDS: Final[i64] = 0x3000000000000
FIRST_WILD: Final = 48
OF_RANK: Final = vec[i64]([sum(1 << other for other in range(50) if RANKS[other] == rank) for rank in RANKS])
"""For each card the cards of its value."""
ALL: Final[i64] = 0x3FFFFFFFFFFFF
FEWER: Final = set_of(vec[i64]([card for card in range(50) if RANKS[card] not in (-2, -1, 9)]))
DEALT: Final = vec[i64]([0, 0, 0, 12, 12, 10])
MOST_ROUNDS: Final = 100
"""S-21: a game that nobody ends is judged after so many."""


class Schadenfreude(TrickState):
    def __init__(self, players: i64, target: i64, chance: Chance) -> None:
        super().__init__(players, chance, FOLLOW_SUIT, WILDS)  # S-4, S-6: a wild card always follows
        self.target: i64 = target
        self.piles = zeros(players)
        self.discards: i64 = 0
        self.leftover: i64 = 0

    def clone(self) -> Schadenfreude:
        c = Schadenfreude(0, self.target, self.chance.clone())
        self.copy_trick_to(c)
        c.piles = self.piles[:]
        c.discards = self.discards
        c.leftover = self.leftover
        return c

    def demands(self, card: i64) -> i64:
        """S-7: a wild lead demands nothing; the first card with a suit does."""
        if card < FIRST_WILD:
            return SUITS[card // 12]
        return 0

    def end_trick(self) -> Step:
        return END_TRICK


# The deal -------------------------------------------------------------------------------------


class FirstRound(Step):
    """S-18: the first leader is drawn by lot."""

    def run(self, s: Schadenfreude) -> None:
        s.leader = s.chance.lot(BIT[s.players] - 1)
        s.push(ROUND)


class Round(Step):
    def run(self, s: Schadenfreude) -> None:
        s.then([DEAL, TRICK, SCORE])


class Deal(Step):
    """S-1: what is left over stays unseen."""

    def run(self, s: Schadenfreude) -> None:
        s.leftover = set_of(s.deal(deck_of(s.players), DEALT[s.players]))
        s.discards = 0
        for player in range(s.players):
            s.piles[player] = 0
        s.tell("deal", s.leader, number=s.round)


def deck_of(players: i64) -> i64:
    """S-1: three players leave out the -2, -1 and 9 of every suit."""
    return FEWER if players == 3 else ALL


# The play -------------------------------------------------------------------------------------


class FollowSuit(Follow):
    names = NAMES
    id = "S-20"
    text = "Follow the suit that was led if you can; a wild card follows any suit."
    because = "The suit is {led}; you can follow with {held}."

    def facts(self, s: TrickState, player: i64, move: i64) -> dict[str, Any]:
        facts = super().facts(s, player, move)
        demanded = s.demanded
        facts["led"] = [SUIT_NAMES[suit] for suit in range(4) if SUITS[suit] == demanded]
        return facts


class EndTrick(Step):
    """S-9: the second highest card that follows wins, a lone one too.

    Its player takes it and every card that did not follow; the rest is discarded.
    """

    def run(self, s: Schadenfreude) -> None:
        follow = s.followers
        best: i64 = -1
        second: i64 = -1
        taken: i64 = 0
        for at in range(len(s.trick)):
            card = s.trick[at]
            if not follow & BIT[card]:
                taken |= BIT[card]
            elif best < 0 or RANKS[card] > RANKS[s.trick[best]]:
                second = best
                best = at
            elif second < 0 or RANKS[card] > RANKS[s.trick[second]]:
                second = at
        wins = second if second >= 0 else best
        won = s.trick[wins]
        taken |= BIT[won]
        s.leader = s.player_of(wins)
        s.discards |= set_of(s.trick) & ~taken
        s.clear_trick()
        s.tell("trick", s.leader, won, taken)
        while taken:
            low = taken & -taken
            gain(s, s.leader, bit_index(low))
            taken ^= low


def gain(s: Schadenfreude, player: i64, card: i64) -> None:
    """S-11: a card cancels one of the same value, and both are discarded."""
    same = s.piles[player] & OF_RANK[card]
    same &= -same  # one of them, should a given pile have several
    if same:
        s.piles[player] ^= same
        s.discards |= same | BIT[card]
        s.tell("cancel", player, cards=same | BIT[card])
    else:
        s.piles[player] |= BIT[card]


# The score ------------------------------------------------------------------------------------


class Score(Step):
    """S-14: the sum of the pile is added, but no total falls below 0. S-15: more than the target ends the game."""

    def run(self, s: Schadenfreude) -> None:
        points = zeros(s.players)
        ends = s.round == MOST_ROUNDS
        for player in range(s.players):
            for card in cards_in(s.piles[player]):
                points[player] += RANKS[card]
            total = s.totals[player] + points[player]
            if total > s.target:
                ends = True
            if total < 0:
                total = 0
            s.totals[player] = total
        s.tell_score(points)
        s.push(END if ends else NEXT_ROUND)


class NextRound(Step):
    """S-18: the lowest total leads, by lot if several have it."""

    def run(self, s: Schadenfreude) -> None:
        lowest = s.totals[0]
        for total in s.totals:
            if total < lowest:
                lowest = total
        s.leader = s.chance.lot(players_with(s, lowest))
        s.round += 1
        s.push(ROUND)


class End(Step):
    """S-16: the best total that is not over the target wins alone; whoever shares it is dropped. S-17: perhaps nobody."""

    def run(self, s: Schadenfreude) -> None:
        best = s.target
        while best >= 0:
            having = players_with(s, best)
            if having and not having & (having - 1):
                s.finish(having)
                return
            if having:
                s.tell("tie", seats=having, number=best)
            best -= 1
        s.finish(0)


def players_with(s: Schadenfreude, total: i64) -> i64:
    having: i64 = 0
    for player in range(s.players):
        if s.totals[player] == total:
            having |= BIT[player]
    return having


FOLLOW_SUIT: Final = FollowSuit()
FIRST_ROUND: Final = FirstRound()
ROUND: Final = Round()
DEAL: Final = Deal()
END_TRICK: Final = EndTrick()
SCORE: Final = Score()
NEXT_ROUND: Final = NextRound()
END: Final = End()


class SchadenfreudeRules(TrickRulebook[Schadenfreude]):
    def __init__(self) -> None:
        self.id = "schadenfreude"
        self.name = "Schadenfreude"
        self.version = "1"
        self.about = "The second highest card takes the trick; come close to 40 points, but not over."
        self.minutes = "15–20"
        self.guide = [
            "Follow the suit that was led if you can. The highest card gets nothing: the second highest takes the trick, "
            "and with it every card that did not follow.",
            "If you cannot follow, you give your card away to whoever comes second: a high one to somebody near the target, "
            "a negative one to hold somebody back.",
            "What you take lies before you. Two cards of one value cancel each other, so a second 8 saves you from the "
            "first. Watch the totals: over the target you are out.",
        ]
        self.least = 3
        self.most = 5
        self.options = [Option("target", "whoever has more points than this is out, and the game ends", 40, 1, 500)]
        self.cards = NAMES
        self.moves = NAMES
        self.looks = {
            "sword": Look("⚔", "red"),
            "flag": Look("⚑", "green"),
            "shield": Look("⛨", "blue"),
            "helmet": Look("♜", "yellow"),
            "wild": Look("★", "magenta"),
        }
        self.texts = {}
        self.fields = [
            Number("round", 1, MOST_ROUNDS),
            Seat("leader"),
            Row("trick"),
            SeatCards("hands", OWN),
            SeatCards("piles"),
            Numbers("totals"),
            Cards("discards"),
            Cards("leftover", HIDDEN),
            Voids("voids", [(SUIT_NAMES[suit], SUITS[suit]) for suit in range(4)]),
        ]
        self.rest = "leftover"
        self.rules: list[Rule] = [FOLLOW_SUIT]
        self.questions = {"play": "Play a card."}
        self.notes = {
            "deal": "Round {number}: the cards are dealt, {seat} leads.",
            "play": "{seat} plays {card}.",
            "trick": "{seat} wins the trick with {card} and takes {cards}.",
            "cancel": "{seat}: {cards} cancel each other.",
            "score": "Points: {points}. Totals: {totals}.",
            "tie": "{seats} share {number} points and are out of it.",
            "end": "The game is over: {seats} has the best total that is not too high and that nobody shares, and wins.",
            "nobody": "The game is over: every total is too high or shared, so nobody wins.",
        }

    def blank(self, players: i64, options: Options, chance: Chance) -> Schadenfreude:
        return Schadenfreude(players, options["target"], chance)

    def start(self, s: Schadenfreude) -> None:
        s.push(FIRST_ROUND)

    def deck(self, s: Schadenfreude) -> vec[i64]:
        return cards_in(deck_of(s.players))

    def hand_dealt(self, s: Schadenfreude) -> i64:
        return DEALT[s.players]

    def resume(self, s: Schadenfreude) -> None:
        s.push(SCORE)
        play_trick(s)


RULES: Final[SchadenfreudeRules] = SchadenfreudeRules()
