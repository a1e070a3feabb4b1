"""Cursed Tricks: 3 to 4 players, four rounds; tricks bring points, and winning cards bring curses.

    cards     purple, green, red, yellow 1 … 14 (3 players: no yellow; standard deck: 1 … 13)
    dealt     13 each, or 12 from the standard deck; 4 or 3 unused
    rounds    4, or as the option says
    chance    the first starter, every shuffle
    hidden    hands, the unused cards

The ids are those of docs/rules/cursed_tricks.md.
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
from fuda.engine.seats import SEATS
from fuda.engine.setup import Setup
from fuda.games.tricks import TRICK, Follow, RoundsRulebook, RoundsState, TrickState, play_trick

# The cards ------------------------------------------------------------------------------------

COLOUR_NAMES: Final = ["purple", "green", "red", "yellow"]
NAMES: Final = [f"{colour} {value}" for colour in COLOUR_NAMES for value in range(1, 15)]
COLOURS: Final = vec[i64]([0x3FFF << 14 * colour for colour in range(4)])
ALL: Final[i64] = 0xFFFFFFFFFFFFFF
FOURTEENS: Final = set_of(vec[i64]([13, 27, 41, 55]))
YELLOW: Final = 3


def colour_of(card: i64) -> i64:
    return card // 14


def value_of(card: i64) -> i64:
    return card % 14 + 1


class CursedTricks(RoundsState):
    def __init__(self, players: i64, rounds: i64, standard: bool, chance: Chance) -> None:
        super().__init__(players, rounds, chance, FOLLOW_COLOUR)
        self.standard = standard
        """C-18: a standard deck has 13 ranks, and its King plays the part of the 14."""
        self.won = zeros(players)
        self.curses = zeros(players)
        self.unused: i64 = 0

    def clone(self) -> CursedTricks:
        c = CursedTricks(0, self.rounds, self.standard, self.chance.clone())
        self.copy_rounds_to(c)
        c.won = self.won[:]
        c.curses = self.curses[:]
        c.unused = self.unused
        return c

    def demands(self, card: i64) -> i64:
        return COLOURS[colour_of(card)]

    def end_trick(self) -> Step:
        return END_TRICK

    def begin_round(self) -> None:
        self.then([DEAL, TRICK, SCORE])

    def highest_value(self) -> i64:
        return 13 if self.standard else 14

    def hand_dealt(self) -> i64:
        return 12 if self.standard else 13


# The deal -------------------------------------------------------------------------------------


class Deal(Step):
    """C-1, C-18: what is not dealt is set aside unseen."""

    def run(self, s: CursedTricks) -> None:
        s.unused = set_of(s.deal(deck_of(s), s.hand_dealt()))
        for player in range(s.players):
            s.won[player] = 0
            s.curses[player] = 0
        s.leader = s.first
        s.tell("deal", s.leader, number=s.round)


def deck_of(s: CursedTricks) -> i64:
    """C-1: three players leave yellow out. C-18: a standard deck has no 14s."""
    deck = ALL
    if s.players == 3:
        deck &= ~COLOURS[YELLOW]
    if s.standard:
        deck &= ~FOURTEENS
    return deck


# The play -------------------------------------------------------------------------------------


class FollowColour(Follow):
    names = NAMES
    id = "C-19"
    text = "Follow the colour that was led if you can."
    because = "The colour is {led}; you can follow with {held}."

    def facts(self, s: TrickState, player: i64, move: i64) -> dict[str, Any]:
        facts = super().facts(s, player, move)
        facts["led"] = COLOUR_NAMES[colour_of(s.trick[0])]
        return facts


class EndTrick(Step):
    """C-8: winner, break, curse, the rest of the trick, the check for three curses."""

    def run(self, s: CursedTricks) -> None:
        breaker = breaker_of(s)
        s.push(COLLECT)
        if breaker < 0:
            return
        curses = s.curses[breaker]
        if curses & (curses - 1):
            s.push(BREAK[breaker])
        elif curses:
            break_curse(s, breaker, curses)


def winning_place(s: CursedTricks) -> i64:
    """C-3: the highest card of the led colour. C-4: but its 1 if the 14 is there too."""
    best: i64 = 0
    lowest: i64 = 0
    for place in range(len(s.trick)):
        card = s.trick[place]
        if s.demanded & BIT[card]:
            if card > s.trick[best]:  # of one colour, so the higher number has the higher value
                best = place
            if card < s.trick[lowest]:
                lowest = place
    if value_of(s.trick[lowest]) == 1 and value_of(s.trick[best]) == s.highest_value():
        return lowest
    return best


def breaker_of(s: CursedTricks) -> i64:
    """Who followed with the lowest card. C-5: nobody if the 1 is there. C-6: nobody if that is the lead."""
    lowest: i64 = 0
    for place in range(len(s.trick)):
        card = s.trick[place]
        if s.demanded & BIT[card] and card < s.trick[lowest]:
            lowest = place
    if lowest and value_of(s.trick[lowest]) > 1:
        return s.player_of(lowest)
    return -1


class ChooseACurse(Rule):
    id = "C-7"
    text = "Choose which of your own curses to break."
    because = "Yours are {curses}."

    def facts(self, s: CursedTricks, player: i64, move: i64) -> dict[str, Any]:
        return {"curses": [f"the {NAMES[card]}" for card in cards_in(s.curses[player])]}


class Break(Step):
    """C-7: who has several curses chooses which one breaks."""

    kind = "break"

    def moves(self, s: CursedTricks) -> vec[i64]:
        return cards_in(s.curses[self.player])

    def rule_against(self, s: CursedTricks, card: i64) -> Rule:
        return CHOOSE_A_CURSE

    def play(self, s: CursedTricks, card: i64) -> None:
        break_curse(s, self.player, BIT[card])


def break_curse(s: CursedTricks, player: i64, curse: i64) -> None:
    s.curses[player] ^= curse
    s.won[player] |= curse
    s.tell("break", player, cards=curse)


class Collect(Step):
    """C-8: the winning card may become a curse; the winner takes the rest and leads."""

    def run(self, s: CursedTricks) -> None:
        wins = winning_place(s)
        card = s.trick[wins]
        winner = s.player_of(wins)
        taken = set_of(s.trick)
        s.tell("trick", winner, card, taken)
        if becomes_curse(s, winner, card):
            taken ^= BIT[card]
        s.won[winner] |= taken
        s.leader = winner
        s.clear_trick()
        thrice = cursed_thrice(s)
        if thrice >= 0:
            s.pop()  # C-15: no further trick, the score comes next
            s.tell("third", thrice)


def cursed_thrice(s: CursedTricks) -> i64:
    for player in range(s.players):
        if count(s.curses[player]) >= 3:
            return player
    return -1


def becomes_curse(s: CursedTricks, winner: i64, card: i64) -> bool:
    """C-9, C-10, C-11: there is one curse of a colour; only a higher card replaces it, whoever has it."""
    colour = COLOURS[colour_of(card)]
    for player in range(s.players):
        old = s.curses[player] & colour
        if old:
            if old > BIT[card]:
                return False
            s.curses[player] ^= old
            s.won[player] |= old
            s.tell("lift", player, cards=old)
    s.curses[winner] |= BIT[card]
    s.tell("curse", winner, card)
    return True


# The score ------------------------------------------------------------------------------------


class Score(Step):
    def run(self, s: CursedTricks) -> None:
        played_out = cursed_thrice(s) < 0
        points = zeros(s.players)
        for player in range(s.players):
            points[player] = points_of(s, player, played_out)
            s.totals[player] += points[player]
        s.tell_score(points)
        s.end_round()


def points_of(s: CursedTricks, player: i64, played_out: bool) -> i64:
    """C-13; C-14: ten for no trick, only in a round that was played out."""
    curses = s.curses[player]
    won = s.won[player]
    if curses == 0:
        if won == 0 and played_out:
            return 10
        return count(won)
    curse_count = count(curses)
    if curse_count == 1:
        for colour in COLOURS:
            if curses & colour:
                won &= ~colour
        return count(won)
    if curse_count == 2:
        return 0
    return -6 if s.players == 3 else -8


FOLLOW_COLOUR: Final = FollowColour()
CHOOSE_A_CURSE: Final = ChooseACurse()
DEAL: Final = Deal()
END_TRICK: Final = EndTrick()
BREAK: Final = [Break(player) for player in range(4)]
COLLECT: Final = Collect()
SCORE: Final = Score()


class CursedTricksRules(RoundsRulebook[CursedTricks]):
    def __init__(self) -> None:
        self.id = "cursed_tricks"
        self.name = "Cursed Tricks"
        self.version = "1"
        self.about = "Win tricks for points, but shed the curses that winning brings: three of them end the round."
        self.minutes = "30"
        self.guide = [
            "Follow the colour that was led if you can. The highest card of it wins the trick, unless the 14 and the 1 "
            "meet: then the 1 wins.",
            "The card that wins may stay before you as a curse: each colour has one at most, and a higher one replaces it. "
            "Three curses before one player end the round.",
            "Whoever follows with the lowest card breaks one of their own curses. A low card is worth most when you are "
            "cursed.",
        ]
        self.least = 3
        self.most = 4
        self.options = [
            Option(
                "deck", "the original cards 1 to 14, or a standard deck 1 to 13", "original", values=["original", "standard"]
            ),
            Option("rounds", "how many rounds are played", 4, 1, 100),
        ]
        self.cards = NAMES
        self.moves = NAMES
        self.looks = {
            "purple": Look("◆", "magenta"),
            "green": Look("♣", "green"),
            "red": Look("♥", "red"),
            "yellow": Look("★", "yellow"),
        }
        self.texts = {}
        self.fields = [
            Number("round", 1, 100),
            Seat("first"),
            Seat("leader"),
            Row("trick"),
            SeatCards("hands", OWN),
            SeatCards("curses"),
            SeatCards("won"),
            Numbers("totals"),
            Cards("unused", HIDDEN),
            Voids("voids", [(COLOUR_NAMES[colour], COLOURS[colour]) for colour in range(4)]),
        ]
        self.rest = "unused"
        self.rules: list[Rule] = [FOLLOW_COLOUR, CHOOSE_A_CURSE]
        self.questions = {"play": "Play a card.", "break": "Choose which of your curses breaks."}
        self.notes = {
            "deal": "Round {number}: the cards are dealt, {seat} leads.",
            "play": "{seat} plays {card}.",
            "break": "{seat} breaks the curse {cards}.",
            "trick": "{seat} wins the trick with {card}.",
            "lift": "{seat} is freed of the curse {cards}.",
            "curse": "{seat} is cursed by {card}.",
            "third": "That is the third curse of {seat}: the round ends.",
            "score": "Points: {points}. Totals: {totals}.",
            "end": "The game is over: the most points win it for {seats}.",
        }

    def blank(self, players: i64, options: Options, chance: Chance) -> CursedTricks:
        return CursedTricks(players, options["rounds"], options["deck"] == "standard", chance)

    def deck(self, s: CursedTricks) -> vec[i64]:
        return cards_in(deck_of(s))

    def hand_dealt(self, s: CursedTricks) -> i64:
        return s.hand_dealt()

    def check(self, s: CursedTricks, setup: Setup) -> None:
        super().check(s, setup)
        for colour in range(4):
            having = [player for player in range(s.players) if s.curses[player] & COLOURS[colour]]
            curses: i64 = 0
            for player in having:
                curses |= s.curses[player] & COLOURS[colour]
            if count(curses) > 1:
                seats = " and ".join(SEATS[player] for player in having)
                raise setup.wrong(f"curses of {seats}", f"there is never more than one {COLOUR_NAMES[colour]} curse.")

    def someone_decides(self, s: CursedTricks) -> bool:
        """C-7: a finished trick stays only while its breaker chooses between curses."""
        if len(s.trick) < s.players:
            return super().someone_decides(s)
        breaker = breaker_of(s)
        return breaker >= 0 and count(s.curses[breaker]) > 1

    def resume(self, s: CursedTricks) -> None:
        s.push(SCORE)
        play_trick(s)


RULES: Final[CursedTricksRules] = CursedTricksRules()
