"""Turning up an event; events about points, endings and other events; EVENTS at the end lists all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from librt.vecs import append, extend, vec
from mypy_extensions import i64

from fuda.engine.cards import BIT
from fuda.engine.core import ANSWER_WHAT_IS_ASKED, Rule, Step
from fuda.games.frantic.deck import (
    FIRST_EVENT,
    LAST_CHANCE,
    LUCKY_BASTARD_CARD,
    NONE,
    PASS,
    PLUS_ONE,
    REPEAT,
    TIME_BOMB,
)
from fuda.games.frantic.events.drawing import (
    capitalism,
    communism,
    double_taxation,
    expansion,
    market,
    mating_season,
    mexican_standoff,
    recession,
    seppuku,
    third_time_lucky,
    vandalism,
)
from fuda.games.frantic.events.exchanging import (
    SwapHands,
    black_hole,
    charity,
    distributor,
    earthquake,
    robin_hood,
    the_all_seeing_eye,
    trust_fall,
)
from fuda.games.frantic.events.gambling import gambling_man, russian_roulette
from fuda.games.frantic.events.giving import crowdfunding, merry_christmas, surprise_party
from fuda.games.frantic.events.occasion import EventQuestion, EventStep, Occasion
from fuda.games.frantic.events.tornado import tornado
from fuda.games.frantic.moving import lay
from fuda.games.frantic.reactions import Reaction
from fuda.games.frantic.state import DOOMSDAY, FINISH_LINE, Frantic
from fuda.games.frantic.wishes import MaybeWish

# Turning up an event ------------------------------------------------------------------------------


class TurnUp(EventStep):
    """An event is set off: first everybody may throw in Lucky Bastard."""

    kind = "turn up"

    def run(self, s: Frantic) -> None:
        ask_for_lucky_bastard(s, self.owner, self.protected, event=NONE, after=self.owner)


def ask_for_lucky_bastard(s: Frantic, owner: i64, protected: i64, event: i64, after: i64) -> None:
    """Asks the next one in the order (F-4) who is not protected, holding Lucky Bastard or not (A-2).

    F-44: without the add-on there is no such card, and nobody is asked.
    """
    if not s.addon:
        s.push(Happen(owner, protected, event))
        return
    player = after
    while True:
        player = s.after(player)
        if not protected & BIT[player]:
            s.push(LuckyBastardWindow(player, owner, protected, event))
            return
        if player == owner:
            s.push(Happen(owner, protected, event))
            return


class LuckyBastardWindow(Reaction):
    """Right before an event: Lucky Bastard keeps its player out of it."""

    kind = "lucky bastard"
    arguments = ("player", "owner", "protected", "event")
    may_wait = True

    def __init__(self, player: i64, owner: i64, protected: i64, event: i64) -> None:
        super().__init__(player)
        self.owner: i64 = owner
        self.protected: i64 = protected
        self.event: i64 = event
        """The event, if it is known already."""

    def is_possible(self, s: Frantic, before: Step | None) -> bool:
        return s.addon

    def is_together(self) -> bool:
        return True

    def reaction_card(self) -> i64:
        return LUCKY_BASTARD_CARD

    def play(self, s: Frantic, move: i64) -> None:
        protected = self.protected
        if move != PASS:
            protected |= BIT[self.player]
            lay(s, self.player, move)
            s.tell("luck", self.player, move)
        if self.player == self.owner:
            s.push(Happen(self.owner, protected, self.event))
        else:
            ask_for_lucky_bastard(s, self.owner, protected, self.event, after=self.player)
        if move != PASS:
            s.push(MaybeWish(self.player))


class Happen(EventStep):
    """The event itself; unless it is known it is the top one of the event deck."""

    kind = "happen"
    arguments = ("owner", "protected", "event")

    def __init__(self, owner: i64, protected: i64, event: i64) -> None:
        super().__init__(owner, protected)
        self.event: i64 = event

    def run(self, s: Frantic) -> None:
        event = self.event
        if event == NONE:
            event = next_event(s)
            s.uncovered = append(s.uncovered, event)
        s.tell("event", self.owner, event)
        EVENTS[event - FIRST_EVENT].happens(s, self.occasion())


def next_event(s: Frantic) -> i64:
    """F-31: when the event deck is used up, the used ones are shuffled, without those still in force."""
    if not len(s.events):
        used = vec[i64](capacity=34)
        kept = vec[i64](capacity=3)
        for event in s.uncovered:
            if s.in_force(event):
                kept = append(kept, event)
            else:
                used = append(used, event)
                if event not in s.earlier:
                    s.earlier = append(s.earlier, event)
        s.events = s.chance.shuffle(used)
        s.uncovered = kept
        s.tell("events shuffled")
    event = s.events[0]
    s.events = s.events[1:]
    return event


class EventChoice(EventQuestion):
    """One of several events is executed; before that, Lucky Bastard may be thrown in again."""

    def play(self, s: Frantic, move: i64) -> None:
        ask_for_lucky_bastard(s, self.player, self.protected, event=move, after=self.player)

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        return ANSWER_WHAT_IS_ASKED


class Manage(EventChoice):
    """Event Manager: one of three."""

    kind = "event manager"
    arguments = ("player", "protected", "first_event", "second_event", "third_event")

    def __init__(self, player: i64, protected: i64, first: i64, second: i64, third: i64) -> None:
        super().__init__(player, protected)
        self.first_event: i64 = first
        self.second_event: i64 = second
        self.third_event: i64 = third

    def moves(self, s: Frantic) -> vec[i64]:
        return vec[i64](sorted([self.first_event, self.second_event, self.third_event]))


class Repeating(EventChoice):
    """Repeat: one that was uncovered in this round."""

    kind = "repeat"

    def moves(self, s: Frantic) -> vec[i64]:
        return vec[i64](sorted({event for event in [*s.uncovered, *s.earlier] if event != REPEAT}))


# Points, endings, lasting events ------------------------------------------------------------------


def doomsday(s: Frantic, e: Occasion) -> None:
    s.end_round(DOOMSDAY, e.protected)


def finish_line(s: Frantic, e: Occasion) -> None:
    s.end_round(FINISH_LINE, e.protected)


def friday_the_13th(s: Frantic, e: Occasion) -> None:
    """Nothing happens."""


def identity_theft(s: Frantic, e: Occasion) -> None:
    order = e.order(s)
    if not s.scored:
        if len(order) > 1:
            s.push(SwapHands(e.owner, e.protected))
        return
    lowest = highest = order[0] if len(order) else e.owner
    for player in order:
        if s.totals[player] < s.totals[lowest]:
            lowest = player
        if s.totals[player] > s.totals[highest]:
            highest = player
    s.totals[lowest], s.totals[highest] = s.totals[highest], s.totals[lowest]
    if lowest != highest:
        s.tell("swap totals", lowest, seats=BIT[highest])


def last_chance(s: Frantic, e: Occasion) -> None:
    s.add_lasting(LAST_CHANCE, e.protected)


def plus_one(s: Frantic, e: Occasion) -> None:
    s.add_lasting(PLUS_ONE, e.protected)


def time_bomb(s: Frantic, e: Occasion) -> None:
    if not s.bomb_ticks():
        s.add_lasting(TIME_BOMB, e.protected)


# More events --------------------------------------------------------------------------------------


def event_manager(s: Frantic, e: Occasion) -> None:
    first = next_event(s)
    second = next_event(s)
    third = next_event(s)
    s.uncovered = extend(s.uncovered, [first, second, third])
    s.tell_of("manage", e.owner, vec[i64]([first, second, third]))
    s.push(Manage(e.owner, e.protected, first, second, third))


def plague(s: Frantic, e: Occasion) -> None:
    s.then([TurnUp(e.owner, e.protected), TurnUp(e.owner, e.protected)])


def repeat(s: Frantic, e: Occasion) -> None:
    question = Repeating(e.owner, e.protected)
    if len(question.moves(s)):
        s.push(question)


class Event:
    """An event: its name, its text in our own words, and what happens."""

    def __init__(self, name: str, text: str, happens: Callable[[Frantic, Occasion], None]) -> None:
        self.name = name
        self.text = text
        self.happens = happens


EVENTS: Final = [
    Event("charity", "Everyone draws a blind card from each player with the most cards.", charity),
    Event("communism", "Everyone draws up to the largest hand.", communism),
    Event("doomsday", "The round is over, and everyone gets 50 points.", doomsday),
    Event("earthquake", "Each hand goes to the player on the right.", earthquake),
    Event("expansion", "The first player draws one card, the second two, and so on.", expansion),
    Event("finish line", "The round is over; hands are counted.", finish_line),
    Event("friday the 13th", "A Friday like any other.", friday_the_13th),
    Event(
        "gambling man",
        "Everyone lays a numeral of the last colour face down; the highest takes them all. Whoever has none draws two.",
        gambling_man,
    ),
    Event("market", "As many cards as players are turned up; everyone picks one in turn.", market),
    Event("mating season", "Every number held more than once is disposed of.", mating_season),
    Event("merry christmas", "Everyone gives away the whole hand, split among the others.", merry_christmas),
    Event("mexican standoff", "All hands are disposed of, and everyone draws three.", mexican_standoff),
    Event("recession", "The first player disposes of one card, the second of two, and so on.", recession),
    Event("robin hood", "The smallest and the largest hand are swapped.", robin_hood),
    Event("surprise party", "Everyone gives one card to a player of their choice.", surprise_party),
    Event("the all-seeing eye", "All hands are shown until everyone has had a look.", the_all_seeing_eye),
    Event("third time lucky", "Everyone draws three cards.", third_time_lucky),
    Event(
        "time bomb",
        "Three more turns each. A finisher gets 10 points off, the others 10 more; if there is none, hands count double.",
        time_bomb,
    ),
    Event("tornado", "All hands are shuffled together and dealt anew.", tornado),
    Event("vandalism", "All cards of the last colour are disposed of.", vandalism),
    Event("black hole", "All black cards in hand go to the owner of the event.", black_hole),
    Event("capitalism", "Everyone draws as many cards as they hold.", capitalism),
    Event("crowdfunding", "Everyone gives a card to each player with the fewest cards.", crowdfunding),
    Event("distributor", "The owner looks at all hands and hands them out anew, not keeping their own.", distributor),
    Event(
        "double taxation",
        "By the points of the three highest cards: the lowest draws one card, the next two, and so on.",
        double_taxation,
    ),
    Event("event manager", "Three events are turned up; the owner picks the one that happens.", event_manager),
    Event("identity theft", "The lowest and the highest total are swapped.", identity_theft),
    Event("last chance", "For the rest of the round a last card sets off an event.", last_chance),
    Event("plague", "Two more events happen, one after the other.", plague),
    Event("plus one", "For the rest of the round every draw is one card more.", plus_one),
    Event("repeat", "The owner picks an event of this round that happens once more.", repeat),
    Event("russian roulette", "Everyone puts in a card; they are shuffled and laid on the deck.", russian_roulette),
    Event(
        "seppuku",
        "In turn: 21 points, or draw a card, which is 21 points off for a numeral and 42 more for anything else.",
        seppuku,
    ),
    Event("trust fall", "In turn everyone picks a player who gives them two cards.", trust_fall),
]
