"""Frantic's rulebook: what the engine and the front ends need to know of it."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import extend, vec
from mypy_extensions import i64

from fuda.engine.chance import Chance
from fuda.engine.core import Step
from fuda.engine.fields import HIDDEN, Heap, Mentioned, Number, Numbers, Pile, Row, Seat, SeatSet, Word
from fuda.engine.pending import Part, Pending, SeatPart, SeatsPart, SharesPart, WordPart
from fuda.engine.rulebook import Look, Option, Options, Prepared, Rulebook, Watch
from fuda.engine.seats import NOBODY, SEATS
from fuda.engine.setup import Setup
from fuda.games.frantic import attacks, cards, event_choices, event_steps, events, steps, strikes, turn
from fuda.games.frantic.deck import (
    CARD_NAMES,
    COLOUR,
    COLOURS,
    EVENT_NAMES,
    FIRST_EVENT,
    FIRST_SPECIAL,
    FUCK_YOU_CARD,
    KINDS,
    LASTING,
    MOVE_NAMES,
    NAMES,
    NONE,
    event_deck,
)
from fuda.games.frantic.hand import KIND
from fuda.games.frantic.memory import Known, Layers
from fuda.games.frantic.nestings import FranticWatch, prepared
from fuda.games.frantic.refusals import REFUSALS
from fuda.games.frantic.score import MAXIMUMS, MOST_ROUNDS
from fuda.games.frantic.state import ENDINGS, HAND, RECEIVER, UNSEEN, Frantic, FranticStep
from fuda.games.frantic.view import CARD_SET, EVENT_SET, Chosen, Deck, Demand, Exempt, Hands
from fuda.games.frantic.words import CAPTIONS, GUIDE, LOOKS, NOTES, QUESTIONS, told_of

STEPS: Final[list[type[Step]]] = [
    steps.Wish,
    steps.MaybeWish,
    steps.SwapColour,
    steps.Choose,
    steps.Pick,
    steps.Lay,
    steps.HandOver,
    steps.Dispose,
    attacks.Target,
    attacks.TargetOrWish,
    attacks.Split,
    attacks.Window,
    attacks.Redirect,
    strikes.Swap,
    strikes.Steal,
    strikes.Loot,
    strikes.PayUp,
    event_choices.ForWhom,
    event_choices.StartWrapping,
    event_choices.Wrap,
    event_choices.Unwrap,
    event_choices.Shoot,
    event_choices.TurnOver,
    event_steps.Distribute,
    event_steps.Fall,
    event_steps.TrustFall,
    event_steps.Buy,
    event_steps.Seppuku,
    event_steps.Acknowledge,
    event_steps.SwapSeats,
    events.TurnUp,
    events.Luck,
    events.Happen,
    events.Manage,
    events.Repeating,
    cards.Drawn,
    cards.Again,
    cards.Mimic,
    turn.Turn,
    turn.EndCheck,
    turn.NiceTry,
]
ASKED_LATER: Final = (
    attacks.Window,
    steps.Lay,
    event_choices.ForWhom,
    event_steps.Buy,
    event_steps.Seppuku,
    event_steps.Acknowledge,
    events.Luck,
)
"""The questions that can wait behind another step; all others are asked as soon as they come up."""
PENDING: Final = Pending(
    "pending",
    [
        *[SeatPart(name) for name in ("player", "owner", "victim", "packet")],
        *[SeatPart(name, optional=True) for name in ("receiver", "first")],
        *[Part(name) for name in ("left", "share", "numbers", "used")],
        WordPart("card", CARD_NAMES[FIRST_SPECIAL:], FIRST_SPECIAL),
        WordPart("event", EVENT_NAMES, FIRST_EVENT, optional=True),
        *[WordPart(name, EVENT_NAMES, FIRST_EVENT) for name in ("first_event", "second_event", "third_event")],
        WordPart("purpose", steps.PURPOSES),
        SeatsPart("protected"),
        SharesPart("shares"),
    ],
    STEPS,
)


class FranticRules(Rulebook[Frantic]):
    def __init__(self) -> None:
        self.id = "frantic"
        self.name = "Frantic"
        self.version = "1"
        self.about = "Be rid of your cards before an event, a gift or a counterattack gives you new ones."
        self.minutes = "30–60"
        self.guide = GUIDE
        self.least = 2
        self.most = 8
        self.options = [
            Option("addon", "with the Troublemaker add-on: 22 more cards, 14 more events", True),
            Option("length", "how many points end the game", "medium", values=[*MAXIMUMS]),
            Option("maximum", "another number of points that ends the game; 0: as many as the length says", 0, 0, 9999),
            Option("simple_start", "the start card is a coloured numeral", False),
            Option("scored", "points are written down; otherwise one round decides", True),
        ]
        self.cards = NAMES
        self.moves = MOVE_NAMES
        self.looks: dict[str, Look] = LOOKS
        self.texts = {one.name: one.text for one in cards.CARDS} | {one.name: one.text for one in events.EVENTS}
        self.fields = [
            Number("round", 1, MOST_ROUNDS),
            Seat("dealer"),
            Seat("turn"),
            Hands(),
            Known(),
            Numbers("totals"),
            Deck(),
            Layers(),
            Pile("discard", holds=CARD_SET),
            Demand(),
            Word("last_colour", {colour: number for number, colour in enumerate(COLOURS)}, optional=True),
            Heap("market", holds=CARD_SET),
            Row("events", HIDDEN, EVENT_SET),
            Heap("uncovered", holds=EVENT_SET),
            Mentioned("earlier", EVENT_SET),
            Mentioned("lasting", EVENT_SET),
            Exempt(),
            Numbers("fuse"),
            SeatSet("skipped"),
            Numbers("owed"),
            Numbers("bonus"),
            Word("ending", {ending: number for number, ending in enumerate(ENDINGS)}, optional=True),
            SeatSet("spared"),
            Chosen(),
            PENDING,
        ]
        self.rest = "deck"
        self.rules = REFUSALS
        self.questions = QUESTIONS
        self.notes = NOTES

    def blank(self, players: i64, options: Options, chance: Chance) -> Frantic:
        few, many = MAXIMUMS[options["length"]]
        maximum: int = options["maximum"] or (few if players < 5 else many)
        return Frantic(players, maximum, options["addon"], options["simple_start"], options["scored"], chance)

    def start(self, s: Frantic) -> None:
        s.push(turn.FIRST_ROUND)

    def deck(self, s: Frantic) -> vec[i64]:
        return extend(s.whole()[:], event_deck(s.addon))

    def question(self, s: Frantic, viewer: i64) -> dict[str, Any]:
        """What the step was made with everyone may know; what else it says depends on who asks."""
        made_with = PENDING.told(s.step)
        del made_with["step"], made_with["player"]
        asked = super().question(s, viewer)
        return {"kind": asked.pop("kind"), **made_with, **asked}

    def family_names(self) -> dict[str, str]:
        return {NAMES[FUCK_YOU_CARD]: "get lost"}

    def watch(self) -> Watch:
        return FranticWatch()

    def prepared(self) -> list[Prepared]:
        return prepared()

    def captions(self) -> dict[str, str]:
        return CAPTIONS

    def told_of(self, field: str, view: dict[str, Any]) -> list[dict[str, Any]]:
        return told_of(field, view)

    # A given position ---------------------------------------------------------------------------

    def complete(self, s: Frantic, given: dict[str, Any], setup: Setup) -> None:
        if "turn" not in given and "dealer" in given:
            s.turn = s.after(s.dealer)
        top = s.discard[-1] if len(s.discard) else NONE
        if "demand" not in given and top != NONE and given_card_demands(top):
            s.demand_of(top)
        if "last_colour" not in given:
            s.last_colour = NONE if top == NONE else COLOUR[top]
        if "exempt" not in given:
            s.exempt = vec[i64]([0] * len(s.lasting))

    def hand_size(self, s: Frantic, player: i64, unplaced: i64) -> i64:
        return min(HAND, unplaced // s.players)

    def check(self, s: Frantic, setup: Setup) -> None:
        for event in s.lasting:
            if event not in LASTING:
                raise setup.wrong("lasting", f"{NAMES[event]} does not last.")
        self.check_pending(s, setup)
        self.check_chosen(s, setup)

    def check_pending(self, s: Frantic, setup: Setup) -> None:
        """Every step must make sense here, and the last one go on to the next turn, or to the end of the round."""
        before: Step | None = None
        stalls: i64 = 0
        for at in range(s.depth - 1, -1, -1):
            step = s.stack[at]
            assert isinstance(step, FranticStep)
            goes_on = isinstance(step, (turn.EndCheck, turn.NiceTry))
            comes_too_soon = before is not None and step.player != NOBODY and not isinstance(step, ASKED_LATER)
            unwanted = step.chooser() != NOBODY and not self.is_carried_out(s, step, at)
            if goes_on != (at == 0) or comes_too_soon or unwanted or not step.is_possible(s, before):
                raise setup.wrong("pending", f"{step.kind!r} cannot be there.")
            stalls += isinstance(step, event_steps.Buy)
            before = step
        if stalls != len(s.market):
            raise setup.wrong("market", "there must be a card for everyone who is to pick one, and no more.")

    def check_chosen(self, s: Frantic, setup: Setup) -> None:
        """What is chosen must be there, and a step must wait for it."""
        for player in range(s.players):
            chosen = s.chosen[player]
            step = self.carrying_out(s, player, s.depth)
            if len(chosen) and (step is None or len(chosen) > step.most_chosen(s, player)):
                raise setup.wrong("chosen", f"nothing waits for so many choices of {SEATS[player]}.")
            for choice in chosen:
                card = choice & KIND
                if card == UNSEEN and s.step.player == NOBODY:
                    raise setup.wrong("pending", "nobody is asked before hidden choices are carried out.")
                if card != UNSEEN and step is not None and not step.accepts(s, player, card, (choice >> RECEIVER) - 1):
                    raise setup.wrong("chosen", f"{SEATS[player]} cannot have chosen that.")
                if card < KINDS and s.hands[self.chooses_from(s, player)].copies(card) < steps.times(chosen, card):
                    raise setup.wrong("chosen", f"the {NAMES[card]} is not there to be chosen.")

    def chooses_from(self, s: Frantic, player: i64) -> i64:
        """Whose cards this player chooses: the own ones, unless a thief."""
        step = self.carrying_out(s, player, s.depth)
        return step.victim if isinstance(step, strikes.Loot) else player

    def resume(self, s: Frantic) -> None:
        if not s.depth:
            s.push(turn.END_CHECK[s.turn])
            s.push(turn.TURN[s.turn])

    def imagine(self, s: Frantic, viewer: i64) -> None:
        """Hidden choices belong to the next step that carries some out."""
        for player in range(s.players):
            step = self.carrying_out(s, player, s.depth)
            if len(s.chosen[player]) and player != viewer and step is not None:
                step.imagine(s, player)

    def is_carried_out(self, s: Frantic, step: FranticStep, at: i64) -> bool:
        """Whether the choices for which this step asks are those that the next one wants."""
        later = self.carrying_out(s, step.chooser(), at)
        if later is None or not later.is_meant_by(step):
            return False
        return not steps.is_choice_for(step, steps.TO_PRESENT, NOBODY) or isinstance(s.stack[at - 1], event_choices.ForWhom)

    def carrying_out(self, s: Frantic, player: i64, depth: i64) -> FranticStep | None:
        """The next step below this depth that carries out choices of this player."""
        for at in range(depth - 1, -1, -1):
            step = s.stack[at]
            assert isinstance(step, FranticStep)
            if step.carries_out(player):
                return step
        return None


def given_card_demands(card: i64) -> bool:
    """Whether what a card on the pile demands can be seen from it: not of a wish card or Fuck You."""
    return COLOUR[card] != NONE or card < FIRST_SPECIAL


RULES: Final[FranticRules] = FranticRules()
