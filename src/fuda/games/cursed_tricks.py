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

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.cards import BIT, cards_in, count, highest_in, lowest_in, set_from, set_of, zeros
from fuda.engine.chance import Chance
from fuda.engine.core import ANSWER_WHAT_IS_ASKED, Rule, Step
from fuda.engine.fields import HIDDEN, Cards, SeatCards
from fuda.engine.roles import ROUND
from fuda.engine.rulebook import Look, Option, Options
from fuda.engine.seats import NOBODY, SEATS
from fuda.engine.setup import Setup
from fuda.games.tricks import MOST_ROUNDS, Follow, RoundsRulebook, RoundsState, TrickState

# The cards ------------------------------------------------------------------------------------

COLOUR_NAMES: Final = ["purple", "green", "red", "yellow"]
YELLOW: Final = 3
IN_A_COLOUR: Final = 14
NAMES: Final = [f"{colour} {value}" for colour in COLOUR_NAMES for value in range(1, IN_A_COLOUR + 1)]
PASS: Final = 56
"""C-20: the move that keeps all curses, after the cards."""
MOVE_NAMES: Final = [*NAMES, "pass"]
ALL: Final = set_from(range(4 * IN_A_COLOUR))
COLOURS: Final = vec[i64]([set_from(range(first, first + IN_A_COLOUR)) for first in range(0, 4 * IN_A_COLOUR, IN_A_COLOUR)])
FOURTEENS: Final = set_from(range(IN_A_COLOUR - 1, 4 * IN_A_COLOUR, IN_A_COLOUR))


def colour_of(card: i64) -> i64:
    return card // IN_A_COLOUR


def value_of(card: i64) -> i64:
    return card % IN_A_COLOUR + 1


# Following ------------------------------------------------------------------------------------


class FollowColour(Follow):
    id = "C-19"
    text = "Follow the colour that was led if you can."
    because = "The colour is {led}; you can follow with {held}."

    def led(self, s: TrickState) -> str:
        return COLOUR_NAMES[colour_of(s.trick[0])]


FOLLOW_COLOUR: Final = FollowColour(
    NAMES,
    suits=[(COLOUR_NAMES[colour], COLOURS[colour]) for colour in range(4)],
    demands=vec[i64]([COLOURS[colour_of(card)] for card in range(len(NAMES))]),
)


# The game -------------------------------------------------------------------------------------


class CursedTricks(RoundsState):
    def __init__(self, players: i64, rounds: i64, standard: bool, optional_breaking: bool, chance: Chance) -> None:
        super().__init__(players, rounds, chance, FOLLOW_COLOUR)
        self.standard = standard
        """C-18: a standard deck has 13 ranks, and its King counts as the 14."""
        self.optional_breaking = optional_breaking
        """C-20, a house rule."""
        self.won = zeros(players)
        self.curses = zeros(players)
        self.unused: i64 = 0

    def clone(self) -> CursedTricks:
        c = CursedTricks(0, self.rounds, self.standard, self.optional_breaking, self.chance.clone())
        self.copy_rounds_to(c)
        c.won = self.won[:]
        c.curses = self.curses[:]
        c.unused = self.unused
        return c

    def is_card(self, move: i64) -> bool:
        return move != PASS

    # The deal -----------------------------------------------------------------------------------

    def deck(self) -> i64:
        """C-1: three players leave yellow out. C-18: a standard deck has no 14s."""
        deck = ALL
        if self.players == 3:
            deck &= ~COLOURS[YELLOW]
        if self.standard:
            deck &= ~FOURTEENS
        return deck

    def hand_dealt(self) -> i64:
        return 12 if self.standard else 13

    def highest_value(self) -> i64:
        return 13 if self.standard else 14

    def clear_table(self, undealt: i64) -> None:
        self.unused = undealt
        for player in range(self.players):
            self.won[player] = 0
            self.curses[player] = 0

    # The end of a trick -------------------------------------------------------------------------

    def end_trick(self) -> None:
        """C-8: a curse breaks, then the winner takes the trick."""
        self.push(TAKE_TRICK)
        breaker = self.breaker()
        if breaker == NOBODY:
            return
        curses = self.curses[breaker]
        if self.must_choose_curse(breaker):
            self.push(MAYBE_BREAK[breaker] if self.optional_breaking else BREAK[breaker])
        elif curses:
            self.break_curse(breaker, curses)

    def must_choose_curse(self, breaker: i64) -> bool:
        """C-7: with several curses the breaker chooses. C-20: with an only one, too, if breaking is optional."""
        return count(self.curses[breaker]) > (0 if self.optional_breaking else 1)

    def winning_card(self) -> i64:
        """C-3: the highest card of the led colour. C-4: but its 1 if the 14 is there too."""
        of_colour = set_of(self.trick) & self.demanded
        lowest = lowest_in(of_colour)
        highest = highest_in(of_colour)
        return lowest if value_of(lowest) == 1 and value_of(highest) == self.highest_value() else highest

    def breaker(self) -> i64:
        """Who followed with the lowest card. C-5: nobody if that is the 1. C-6: nobody if that is the lead."""
        lowest = lowest_in(set_of(self.trick) & self.demanded)
        return NOBODY if value_of(lowest) == 1 or lowest == self.trick[0] else self.player_of(lowest)

    def break_curse(self, player: i64, curse: i64) -> None:
        self.curses[player] ^= curse
        self.won[player] |= curse
        self.tell("break", player, cards=curse)

    def becomes_curse(self, winner: i64, card: i64) -> bool:
        """C-9, C-10, C-11: there is one curse of a colour; only a higher card replaces it, whoever has it."""
        colour = COLOURS[colour_of(card)]
        for player in range(self.players):
            old = self.curses[player] & colour
            if old:
                if old > BIT[card]:
                    return False
                self.curses[player] ^= old
                self.won[player] |= old
                self.tell("lift", player, cards=old)
        self.curses[winner] |= BIT[card]
        self.tell("curse", winner, card)
        return True

    def cursed_thrice(self) -> i64:
        """Who has three curses; NOBODY as long as nobody has."""
        for player in range(self.players):
            if count(self.curses[player]) >= 3:
                return player
        return NOBODY

    # The score ----------------------------------------------------------------------------------

    def points_of(self, player: i64) -> i64:
        """C-13; C-14: ten for no trick, only in a round that was played out."""
        curses = self.curses[player]
        won = self.won[player]
        if curses == 0:
            return 10 if won == 0 and self.cursed_thrice() == NOBODY else count(won)
        number = count(curses)
        if number == 1:
            return count(won & ~COLOURS[colour_of(lowest_in(curses))])
        if number == 2:
            return 0
        return -6 if self.players == 3 else -8


class ChooseACurse(Rule):
    id = "C-7"
    text = "Choose which of your own curses to break."
    because = "Yours are {curses}."

    def facts(self, s: CursedTricks, player: i64, move: i64) -> dict[str, Any]:
        return {"curses": [NAMES[card] for card in cards_in(s.curses[player])]}


class BreakOrPass(ChooseACurse):
    id = "C-20"
    text = "House rule: break one of your own curses, or pass."


class Break(Step):
    """C-7: who has several curses chooses which one breaks."""

    kind = "break"

    def moves(self, s: CursedTricks) -> vec[i64]:
        return cards_in(s.curses[self.player])

    def rule_against(self, s: CursedTricks, move: i64) -> Rule:
        return CHOOSE_A_CURSE if s.is_card(move) else ANSWER_WHAT_IS_ASKED

    def play(self, s: CursedTricks, card: i64) -> None:
        s.break_curse(self.player, BIT[card])


class MaybeBreak(Step):
    """C-20: by this house rule whoever could break a curse may keep it."""

    kind = "maybe break"

    def moves(self, s: CursedTricks) -> vec[i64]:
        return append(cards_in(s.curses[self.player]), PASS)

    def rule_against(self, s: CursedTricks, move: i64) -> Rule:
        return BREAK_OR_PASS

    def play(self, s: CursedTricks, move: i64) -> None:
        if move == PASS:
            s.tell("keep", self.player)
        else:
            s.break_curse(self.player, BIT[move])


class TakeTrick(Step):
    """C-8: the winner is cursed and takes the rest of the trick; then comes the check for three curses."""

    def run(self, s: CursedTricks) -> None:
        card = s.winning_card()
        winner = s.player_of(card)
        taken = set_of(s.trick)
        s.tell("trick", winner, card, cards=taken)
        if s.becomes_curse(winner, card):
            taken ^= BIT[card]
        s.won[winner] |= taken
        s.leader = winner
        s.clear_trick()
        cursed = s.cursed_thrice()
        if cursed != NOBODY:
            s.pop()  # C-15: no further trick, the score comes next
            s.tell("third", cursed)


CHOOSE_A_CURSE: Final = ChooseACurse()
BREAK_OR_PASS: Final = BreakOrPass()
BREAK: Final = [Break(player) for player in range(4)]
MAYBE_BREAK: Final = [MaybeBreak(player) for player in range(4)]
TAKE_TRICK: Final = TakeTrick()


class CursedTricksRules(RoundsRulebook[CursedTricks]):
    def __init__(self) -> None:
        super().__init__(
            NAMES, FOLLOW_COLOUR, piles=[SeatCards("curses"), SeatCards("won")], table=[Cards("unused", HIDDEN)]
        )
        self.id = "cursed_tricks"
        self.name = "Cursed Tricks"
        self.version = "2"
        self.replays = ("1",)
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
            Option("rounds", "how many rounds are played", 4, 1, MOST_ROUNDS, limits=ROUND),
            Option("optional_breaking", "house rule: whoever could break a curse may keep it", False),
        ]
        self.moves = MOVE_NAMES
        self.looks = {
            "purple": Look("◆", "magenta"),
            "green": Look("♣", "green"),
            "red": Look("♥", "red"),
            "yellow": Look("★", "yellow"),
        }
        self.rest = "unused"
        self.rules += [CHOOSE_A_CURSE, BREAK_OR_PASS]
        self.questions |= {
            "break": "Choose which of your curses breaks.",
            "maybe break": "Break one of your curses, or pass.",
        }
        self.notes |= {
            "break": "{seat} breaks the curse {cards}.",
            "keep": "{seat} breaks no curse.",
            "lift": "{seat} is freed of the curse {cards}.",
            "curse": "{seat} is cursed by {card}.",
            "third": "That is the third curse of {seat}: the round ends.",
        }

    def blank(self, players: i64, options: Options, chance: Chance) -> CursedTricks:
        return CursedTricks(players, options["rounds"], options["deck"] == "standard", options["optional_breaking"], chance)

    def alphabet(self, s: CursedTricks) -> list[str]:
        return (MOVE_NAMES if s.optional_breaking else NAMES).copy()

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
        """C-7, C-20: a finished trick also stays while its breaker chooses."""
        if len(s.trick) < s.players:
            return super().someone_decides(s)
        breaker = s.breaker()
        return breaker != NOBODY and s.must_choose_curse(breaker)


RULES: Final[CursedTricksRules] = CursedTricksRules()
