"""Shinigami Preschool: 2 to 4 players; follow the colour or the number, and collect pairs and fours of a number.

    cards     red, blue, yellow, green 1 … 6, 8, 9 for 2, 3, 4 players
    dealt     11, 10, 9 each; 2, 2, 0 undealt
    rounds    as many as players, or as the option says
    chance    the first leader, every shuffle
    hidden    hands, the undealt cards

The ids are those of docs/rules/shinigami_preschool.md.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from fuda.engine.cards import BIT, count, set_from, set_of, zeros
from fuda.engine.chance import Chance
from fuda.engine.fields import HIDDEN, Cards, SeatCards
from fuda.engine.roles import ROUND
from fuda.engine.rulebook import Look, Option, Options
from fuda.games.tricks import MOST_ROUNDS, Follow, RoundsRulebook, RoundsState, TrickState

# The cards ------------------------------------------------------------------------------------

COLOUR_NAMES: Final = ["red", "blue", "yellow", "green"]
IN_A_COLOUR: Final = 9
NAMES: Final = [f"{colour} {number}" for colour in COLOUR_NAMES for number in range(1, IN_A_COLOUR + 1)]
COLOURS: Final = vec[i64]([set_from(range(first, first + IN_A_COLOUR)) for first in range(0, 4 * IN_A_COLOUR, IN_A_COLOUR)])
NUMBERS: Final = vec[i64]([set_from(range(first, 4 * IN_A_COLOUR, IN_A_COLOUR)) for first in range(IN_A_COLOUR)])
"""The four cards of each number, from the 1 on."""
HIGHEST: Final = vec[i64]([0, 0, 6, 8, 9])
"""Two players use the numbers up to 6, three up to 8, four all."""
DEALT: Final = vec[i64]([0, 0, 11, 10, 9])
COLOUR_BONUS: Final = vec[i64]([0, 0, 4, 4, 6])
NO_TRICK_BONUS: Final = 10


def colour_of(card: i64) -> i64:
    return card // IN_A_COLOUR


def number_of(card: i64) -> i64:
    """0 stands for the 1, and so on."""
    return card % IN_A_COLOUR


# Following ------------------------------------------------------------------------------------


class FollowColourOrNumber(Follow):
    id = "P-2"
    text = "Follow the colour or the number of the card that was led if you can."
    because = "The {led} was led; you can follow with {held}."

    def led(self, s: TrickState) -> str:
        return NAMES[s.trick[0]]


FOLLOW_COLOUR_OR_NUMBER: Final = FollowColourOrNumber(
    NAMES,
    suits=[(COLOUR_NAMES[colour], COLOURS[colour]) for colour in range(4)]
    + [(str(number + 1), NUMBERS[number]) for number in range(IN_A_COLOUR)],
    demands=vec[i64]([COLOURS[colour_of(card)] | NUMBERS[number_of(card)] for card in range(len(NAMES))]),
)


# The game -------------------------------------------------------------------------------------


class ShinigamiPreschool(RoundsState):
    def __init__(self, players: i64, rounds: i64, ten_for_no_trick: bool, chance: Chance) -> None:
        super().__init__(players, rounds, chance, FOLLOW_COLOUR_OR_NUMBER)
        self.ten_for_no_trick = ten_for_no_trick
        """P-14, a house rule for two players."""
        self.won = zeros(players)
        self.undealt: i64 = 0

    def clone(self) -> ShinigamiPreschool:
        c = ShinigamiPreschool(0, self.rounds, self.ten_for_no_trick, self.chance.clone())
        self.copy_rounds_to(c)
        c.won = self.won[:]
        c.undealt = self.undealt
        return c

    # The deal -----------------------------------------------------------------------------------

    def deck(self) -> i64:
        deck: i64 = 0
        for number in range(HIGHEST[self.players]):
            deck |= NUMBERS[number]
        return deck

    def hand_dealt(self) -> i64:
        return DEALT[self.players]

    def clear_table(self, undealt: i64) -> None:
        """P-10: what is not dealt stays unseen."""
        self.undealt = undealt
        for player in range(self.players):
            self.won[player] = 0

    # The end of a trick -------------------------------------------------------------------------

    def end_trick(self) -> None:
        """The winner takes all cards of the trick and leads the next (P-9)."""
        card = self.winning_card()
        taken = set_of(self.trick)
        self.leader = self.player_of(card)
        self.won[self.leader] |= taken
        self.tell("trick", self.leader, card, cards=taken)
        self.clear_trick()

    def winning_card(self) -> i64:
        """P-3: the highest follower; with a second card of the lead's number the lowest, the later of equals."""
        winning = self.trick[0]
        lowest_wins = count(set_of(self.trick) & NUMBERS[number_of(winning)]) > 1
        for card in self.trick:
            if self.demanded & BIT[card]:
                number = number_of(card)
                best = number_of(winning)
                if (number <= best) if lowest_wins else (number > best):
                    winning = card
        return winning

    # The score ----------------------------------------------------------------------------------

    def points_of(self, player: i64) -> i64:
        """P-5: pairs and fours. P-6: no trick at all. P-8: all cards of a colour."""
        won = self.won[player]
        if won == 0:
            return 0 if self.no_trick_wins() else NO_TRICK_BONUS
        points: i64 = 0
        for cards in NUMBERS:
            of_number = count(won & cards)
            if of_number == 2:
                points += 1
            elif of_number == 4:
                points += 4
        deck = self.deck()
        for colour in COLOURS:
            if won & colour == deck & colour:
                points += COLOUR_BONUS[self.players]
        return points

    # The end ------------------------------------------------------------------------------------

    def no_trick_wins(self) -> bool:
        """P-7: of two players, one who took no trick has won the whole game. P-14: unless that scores ten."""
        return self.players == 2 and not self.ten_for_no_trick

    def end_round(self) -> None:
        for player in range(self.players):
            if self.no_trick_wins() and not self.won[player]:
                self.finish(BIT[player], "boycott")
                return
        super().end_round()


class ShinigamiPreschoolRules(RoundsRulebook[ShinigamiPreschool]):
    def __init__(self) -> None:
        super().__init__(NAMES, FOLLOW_COLOUR_OR_NUMBER, piles=[SeatCards("won")], table=[Cards("undealt", HIDDEN)])
        self.id = "shinigami_preschool"
        self.name = "Shinigami Preschool"
        self.version = "2"
        self.replays = ("1",)
        self.about = "Follow the colour or the number; collect pairs and fours, or take no trick at all."
        self.minutes = "20–30"
        self.guide = [
            "Follow the card that was led by its colour or by its number, whichever you like. If you can do neither, "
            "play any card.",
            "The highest card that follows wins. But if somebody repeats the number of the lead, the lowest wins instead.",
            "Two cards of a number are worth a point, all four are worth four, one or three nothing. "
            "Or take no trick at all: that is worth most.",
        ]
        self.least = 2
        self.most = 4
        self.options = [
            Option(
                "rounds", "how many rounds are played; as many as players if not given", None, 1, MOST_ROUNDS, limits=ROUND
            ),
            Option(
                "ten_for_no_trick",
                "house rule for two players: taking no trick scores 10 instead of winning the game; "
                "with more players it changes nothing",
                False,
            ),
        ]
        self.looks = {
            "red": Look("♥", "red"),
            "blue": Look("◆", "blue"),
            "yellow": Look("★", "yellow"),
            "green": Look("♣", "green"),
        }
        self.rest = "undealt"
        self.notes["boycott"] = "The game is over: {seats} took no trick at all, which wins the whole game of two."

    def blank(self, players: i64, options: Options, chance: Chance) -> ShinigamiPreschool:
        return ShinigamiPreschool(players, options["rounds"], options["ten_for_no_trick"], chance)


RULES: Final[ShinigamiPreschoolRules] = ShinigamiPreschoolRules()
