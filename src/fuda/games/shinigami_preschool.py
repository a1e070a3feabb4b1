"""Shinigami Preschool: 2 to 4 players; follow the colour or the number, and collect pairs and fours of a number.

    cards     red, blue, yellow, green 1 … 6, 8, 9 for 2, 3, 4 players
    dealt     11, 10, 9 each; 2, 2, 0 undealt
    rounds    as many as players, or as the option says
    chance    the first leader, every shuffle
    hidden    hands, the undealt cards

The ids are those of docs/rules/shinigami_preschool.md.
"""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from fuda.engine.cards import BIT, cards_in, count, set_of, zeros
from fuda.engine.chance import Chance
from fuda.engine.core import Rule, Step
from fuda.engine.fields import HIDDEN, OWN, Cards, Number, Numbers, Row, Seat, SeatCards, Voids
from fuda.engine.rulebook import Look, Option, Options
from fuda.games.tricks import TRICK, Follow, RoundsRulebook, RoundsState, TrickState, play_trick

# The cards ------------------------------------------------------------------------------------

COLOUR_NAMES: Final = ["red", "blue", "yellow", "green"]
NAMES: Final = [f"{colour} {number}" for colour in COLOUR_NAMES for number in range(1, 10)]
COLOURS: Final = vec[i64]([0x1FF << 9 * colour for colour in range(4)])
NUMBERS: Final = vec[i64]([0x8040201 << number for number in range(9)])
HIGHEST: Final = vec[i64]([0, 0, 6, 8, 9])
DEALT: Final = vec[i64]([0, 0, 11, 10, 9])
COLOUR_BONUS: Final = vec[i64]([0, 0, 4, 4, 6])
NO_TRICK_BONUS: Final = 10


class ShinigamiPreschool(RoundsState):
    def __init__(self, players: i64, rounds: i64, chance: Chance) -> None:
        super().__init__(players, rounds, chance, FOLLOW_COLOUR_OR_NUMBER)
        self.won = zeros(players)
        self.undealt: i64 = 0

    def clone(self) -> ShinigamiPreschool:
        c = ShinigamiPreschool(0, self.rounds, self.chance.clone())
        self.copy_rounds_to(c)
        c.won = self.won[:]
        c.undealt = self.undealt
        return c

    def demands(self, card: i64) -> i64:
        """P-2: the colour or the number of the lead."""
        return COLOURS[card // 9] | NUMBERS[card % 9]

    def end_trick(self) -> Step:
        return END_TRICK

    def begin_round(self) -> None:
        self.then([DEAL, TRICK, SCORE])


# The deal -------------------------------------------------------------------------------------


class Deal(Step):
    """P-10: what is not dealt stays unseen."""

    def run(self, s: ShinigamiPreschool) -> None:
        s.undealt = set_of(s.deal(deck_of(s.players), DEALT[s.players]))
        for player in range(s.players):
            s.won[player] = 0
        s.leader = s.first
        s.tell("deal", s.leader, number=s.round)


def deck_of(players: i64) -> i64:
    """Two players use the numbers up to 6, three up to 8, four all."""
    deck: i64 = 0
    for number in range(HIGHEST[players]):
        deck |= NUMBERS[number]
    return deck


# The play -------------------------------------------------------------------------------------


class FollowColourOrNumber(Follow):
    names = NAMES
    id = "P-2"
    text = "Follow the colour or the number of the card that was led if you can."
    because = "The {led} was led; you can follow with {held}."

    def facts(self, s: TrickState, player: i64, move: i64) -> dict[str, Any]:
        facts = super().facts(s, player, move)
        facts["led"] = NAMES[s.trick[0]]
        return facts


class EndTrick(Step):
    """The winner takes all cards of the trick and leads the next (P-9)."""

    def run(self, s: ShinigamiPreschool) -> None:
        wins = winning_place(s)
        s.leader = s.player_of(wins)
        taken = set_of(s.trick)
        s.won[s.leader] |= taken
        s.tell("trick", s.leader, s.trick[wins], taken)
        s.clear_trick()


def winning_place(s: ShinigamiPreschool) -> i64:
    """P-3: the highest follower; with a second card of the lead's number the lowest, the later of equals."""
    followers = s.demanded
    lead = s.trick[0] % 9
    again = count(set_of(s.trick) & NUMBERS[lead]) > 1
    wins: i64 = 0
    for place in range(1, len(s.trick)):
        card = s.trick[place]
        if not followers & BIT[card]:
            continue
        number = card % 9
        best = s.trick[wins] % 9
        if (number <= best) if again else (number > best):
            wins = place
    return wins


# The score ------------------------------------------------------------------------------------


class Score(Step):
    def run(self, s: ShinigamiPreschool) -> None:
        points = zeros(s.players)
        boycott: i64 = 0
        for player in range(s.players):
            points[player] = points_of(s, player)
            s.totals[player] += points[player]
            if s.won[player] == 0:
                boycott |= BIT[player]
        s.tell_score(points)
        if boycott and s.players == 2:
            # P-7: of two players, one who took no trick has won the whole game.
            s.finish(boycott, "boycott")
        else:
            s.end_round()


def points_of(s: ShinigamiPreschool, player: i64) -> i64:
    """P-5: pairs and fours. P-6: no trick at all. P-8: all cards of a colour."""
    won = s.won[player]
    if won == 0:
        return NO_TRICK_BONUS if s.players > 2 else 0
    points: i64 = 0
    for number in NUMBERS:
        of_number = count(won & number)
        if of_number == 2:
            points += 1
        elif of_number == 4:
            points += 4
    deck = deck_of(s.players)
    for colour in COLOURS:
        if won & colour == deck & colour:
            points += COLOUR_BONUS[s.players]
    return points


FOLLOW_COLOUR_OR_NUMBER: Final = FollowColourOrNumber()
DEAL: Final = Deal()
END_TRICK: Final = EndTrick()
SCORE: Final = Score()


class ShinigamiPreschoolRules(RoundsRulebook[ShinigamiPreschool]):
    def __init__(self) -> None:
        self.id = "shinigami_preschool"
        self.name = "Shinigami Preschool"
        self.version = "1"
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
        self.options = [Option("rounds", "how many rounds are played; as many as players if not given", None, 1, 100)]
        self.cards = NAMES
        self.moves = NAMES
        self.looks = {
            "red": Look("♥", "red"),
            "blue": Look("◆", "blue"),
            "yellow": Look("★", "yellow"),
            "green": Look("♣", "green"),
        }
        self.texts = {}
        self.fields = [
            Number("round", 1, 100),
            Seat("first"),
            Seat("leader"),
            Row("trick"),
            SeatCards("hands", OWN),
            SeatCards("won"),
            Numbers("totals"),
            Cards("undealt", HIDDEN),
            Voids(
                "voids",
                [(COLOUR_NAMES[colour], COLOURS[colour]) for colour in range(4)]
                + [(str(number + 1), NUMBERS[number]) for number in range(9)],
            ),
        ]
        self.rest = "undealt"
        self.rules: list[Rule] = [FOLLOW_COLOUR_OR_NUMBER]
        self.questions = {"play": "Play a card."}
        self.notes = {
            "deal": "Round {number}: the cards are dealt, {seat} leads.",
            "play": "{seat} plays {card}.",
            "trick": "{seat} wins the trick with {card}.",
            "score": "Points: {points}. Totals: {totals}.",
            "boycott": "The game is over: {seats} took no trick at all, which wins the whole game of two.",
            "end": "The game is over: the most points win it for {seats}.",
        }

    def blank(self, players: i64, options: Options, chance: Chance) -> ShinigamiPreschool:
        return ShinigamiPreschool(players, options["rounds"], chance)

    def deck(self, s: ShinigamiPreschool) -> vec[i64]:
        return cards_in(deck_of(s.players))

    def hand_dealt(self, s: ShinigamiPreschool) -> i64:
        return DEALT[s.players]

    def resume(self, s: ShinigamiPreschool) -> None:
        s.push(SCORE)
        play_trick(s)


RULES: Final[ShinigamiPreschoolRules] = ShinigamiPreschoolRules()
