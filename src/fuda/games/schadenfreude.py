"""Schadenfreude: 3 to 5 players; the second highest card of the led suit wins the trick, and 40 points are enough.

    cards     sword, flag, shield, helmet -3 … 9 without 0; wild 0, wild 10 (3 players: no -2, -1, 9)
    dealt     12, 12, 10 each for 3, 4, 5 players; 2, 2, 0 left over
    rounds    until somebody has more than `target` points
    chance    the first leader, every shuffle, ties for the lead
    hidden    hands, the cards left over

The ids are those of docs/rules/schadenfreude.md.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from fuda.engine.cards import BIT, cards_in, lowest_in, set_from, set_of, zeros
from fuda.engine.chance import Chance
from fuda.engine.fields import HIDDEN, Cards, SeatCards
from fuda.engine.rulebook import Look, Option, Options
from fuda.games.tricks import MOST_ROUNDS, Follow, TrickRulebook, TrickState

# The cards ------------------------------------------------------------------------------------

SUIT_NAMES: Final = ["sword", "flag", "shield", "helmet"]
IN_A_SUIT: Final = 12
FIRST_WILD: Final = 48
RANKS: Final = vec[i64]([-3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9] * 4 + [0, 10])
"""S-2: the two wild cards, the last ones, have no suit and the ranks 0 and 10."""
NAMES: Final = [f"{SUIT_NAMES[card // IN_A_SUIT]} {RANKS[card]}" for card in range(FIRST_WILD)] + ["wild 0", "wild 10"]
ALL: Final = set_from(range(50))
THREE_PLAYERS: Final = set_from(card for card in range(50) if RANKS[card] not in (-2, -1, 9))
WILDS: Final = set_from(range(FIRST_WILD, 50))
SUITS: Final = vec[i64]([set_from(range(suit * IN_A_SUIT, (suit + 1) * IN_A_SUIT)) for suit in range(4)])
SAME_RANK: Final = vec[i64]([set_from(other for other in range(50) if RANKS[other] == rank) for rank in RANKS])
"""For each card the cards of its rank."""


# Following ------------------------------------------------------------------------------------


class FollowSuit(Follow):
    id = "S-20"
    text = "Follow the suit that was led if you can; a wild card follows any suit."
    because = "The suit is {led}; you can follow with {held}."

    def led(self, s: TrickState) -> list[str]:
        return [name for name, cards in self.suits if cards == s.demanded]


FOLLOW_SUIT: Final = FollowSuit(
    NAMES,
    suits=[(SUIT_NAMES[suit], SUITS[suit]) for suit in range(4)],
    demands=vec[i64]([SUITS[card // IN_A_SUIT] for card in range(FIRST_WILD)] + [0, 0]),  # S-7: a wild lead demands nothing
    wild=WILDS,  # S-4, S-6: a wild card always follows
)


# The game -------------------------------------------------------------------------------------


class Schadenfreude(TrickState):
    def __init__(self, players: i64, target: i64, end_at_target: bool, chance: Chance) -> None:
        super().__init__(players, chance, FOLLOW_SUIT)
        self.target: i64 = target
        self.end_at_target = end_at_target
        """S-22, a house rule."""
        self.piles = zeros(players)
        self.discards: i64 = 0
        self.leftover: i64 = 0

    def clone(self) -> Schadenfreude:
        c = Schadenfreude(0, self.target, self.end_at_target, self.chance.clone())
        self.copy_trick_to(c)
        c.piles = self.piles[:]
        c.discards = self.discards
        c.leftover = self.leftover
        return c

    # The deal -----------------------------------------------------------------------------------

    def deck(self) -> i64:
        """S-1: three players leave out the -2, -1 and 9 of every suit."""
        return THREE_PLAYERS if self.players == 3 else ALL

    def hand_dealt(self) -> i64:
        return 10 if self.players == 5 else 12

    def clear_table(self, undealt: i64) -> None:
        self.leftover = undealt
        self.discards = 0
        for player in range(self.players):
            self.piles[player] = 0

    # The end of a trick -------------------------------------------------------------------------

    def end_trick(self) -> None:
        """S-9: the second highest card that follows wins, a lone one too.

        Its player takes it and every card that did not follow; the rest is discarded.
        """
        card = self.second_highest()
        trick = set_of(self.trick)
        taken = trick & ~self.followers | BIT[card]
        self.leader = self.player_of(card)
        self.discards |= trick ^ taken
        self.clear_trick()
        self.tell("trick", self.leader, card, cards=taken)
        while taken:
            card = lowest_in(taken)
            taken ^= BIT[card]
            self.take(self.leader, card)

    def second_highest(self) -> i64:
        """The second highest card of the trick that follows; the only one if there is no other."""
        highest: i64 = -1
        second: i64 = -1
        for card in self.trick:
            if self.followers & BIT[card]:
                if highest < 0 or RANKS[card] > RANKS[highest]:
                    second = highest
                    highest = card
                elif second < 0 or RANKS[card] > RANKS[second]:
                    second = card
        return highest if second < 0 else second

    def take(self, player: i64, card: i64) -> None:
        """S-11: a card cancels one of the same rank, and both are discarded."""
        same = self.piles[player] & SAME_RANK[card]
        same &= -same  # one of them, should a given pile have several
        if same:
            self.piles[player] ^= same
            self.discards |= same | BIT[card]
            self.tell("cancel", player, cards=same | BIT[card])
        else:
            self.piles[player] |= BIT[card]

    # The score ----------------------------------------------------------------------------------

    def points_of(self, player: i64) -> i64:
        points: i64 = 0
        for card in cards_in(self.piles[player]):
            points += RANKS[card]
        return points

    def total_with(self, player: i64, points: i64) -> i64:
        """S-14: no total falls below 0."""
        total = self.totals[player] + points
        return total if total > 0 else 0

    # The end ------------------------------------------------------------------------------------

    def end_round(self) -> None:
        """S-15, S-22: a total above the target ends the game, or one at it; as do 100 rounds (S-21).

        S-18: else the lowest total leads, by lot.
        """
        highest = self.totals[0]
        lowest = self.totals[0]
        for total in self.totals:
            if total > highest:
                highest = total
            if total < lowest:
                lowest = total
        is_reached = highest > self.target or (self.end_at_target and highest == self.target)
        if is_reached or self.round == MOST_ROUNDS:
            self.end_game()
        else:
            self.next_round(self.chance.lot(self.players_with(lowest)))

    def end_game(self) -> None:
        """S-16: the best total up to the target wins, but who shares it is dropped. S-17: perhaps nobody is left."""
        for total in range(self.target, -1, -1):
            players = self.players_with(total)
            if players and not players & (players - 1):
                self.finish(players)
                return
            if players:
                self.tell("tie", seats=players, number=total)
        self.finish(0)

    def players_with(self, total: i64) -> i64:
        players: i64 = 0
        for player in range(self.players):
            if self.totals[player] == total:
                players |= BIT[player]
        return players


class SchadenfreudeRules(TrickRulebook[Schadenfreude]):
    def __init__(self) -> None:
        super().__init__(
            NAMES, FOLLOW_SUIT, piles=[SeatCards("piles")], table=[Cards("discards"), Cards("leftover", HIDDEN)]
        )
        self.id = "schadenfreude"
        self.name = "Schadenfreude"
        self.version = "2"
        self.replays = ("1",)
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
        self.options = [
            Option("target", "whoever has more points than this is out, and the game ends", 40, 1, 500),
            Option("end_at_target", "house rule: the game also ends when somebody has exactly the target", False),
        ]
        self.looks = {
            "sword": Look("⚔", "red"),
            "flag": Look("⚑", "green"),
            "shield": Look("⛨", "blue"),
            "helmet": Look("♜", "yellow"),
            "wild": Look("★", "magenta"),
        }
        self.rest = "leftover"
        self.notes |= {
            "trick": "{seat} wins the trick with {card} and takes {cards}.",
            "cancel": "{seat}: {cards} cancel each other.",
            "tie": "{seats} share {number} points and are out of it.",
            "end": "The game is over: {seats} has the best total that is not too high and that nobody shares, and wins.",
            "nobody": "The game is over: every total is too high or shared, so nobody wins.",
        }

    def blank(self, players: i64, options: Options, chance: Chance) -> Schadenfreude:
        return Schadenfreude(players, options["target"], options["end_at_target"], chance)


RULES: Final[SchadenfreudeRules] = SchadenfreudeRules()
