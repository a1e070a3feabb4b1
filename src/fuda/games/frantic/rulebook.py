"""Frantic's rulebook: what the engine and the front ends need to know about the game."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import extend, vec
from mypy_extensions import i64

from fuda.engine.chance import Chance
from fuda.engine.choices import Choices
from fuda.engine.codecs import NameCodec, NumberCodec, SeatCodec, SeatSetCodec, SharesCodec
from fuda.engine.core import Step
from fuda.engine.fields import HIDDEN, CardRefs, Heap, Name, Number, Numbers, Pile, Row, Seat, SeatSet
from fuda.engine.pending import Pending
from fuda.engine.roles import EVENT, PLAYED, ROUND, SCORE, SCORED, TURN
from fuda.engine.rulebook import Look, Option, Options, Rulebook
from fuda.engine.setup import Setup
from fuda.games.frantic import attacks, cards, choosing, strikes, turn, wishes
from fuda.games.frantic.deck import (
    CARD_NAMES,
    COLOUR,
    COLOUR_SWAP,
    COLOURS,
    EVENT_NAMES,
    FIRST_EVENT,
    FIRST_SPECIAL,
    FUCK_YOU_CARD,
    LASTING,
    MOVE_NAMES,
    NAMES,
    NONE,
    SYMBOL,
    event_deck,
    has_colour,
)
from fuda.games.frantic.events import drawing, exchanging, gambling, giving, index
from fuda.games.frantic.memory import KnownToEach, Layers
from fuda.games.frantic.refusals import REFUSALS
from fuda.games.frantic.score import MAXIMUMS, MOST_ROUNDS
from fuda.games.frantic.state import ENDINGS, Frantic
from fuda.games.frantic.view import CARD_SET, EVENT_SET, Deck, Demand, Exempt, Hands
from fuda.games.frantic.words import CAPTIONS, GUIDE, LOOKS, NOTES, QUESTIONS, VARIANTS, caption_facts

STEPS: Final[list[type[Step]]] = [
    wishes.Wish,
    wishes.MaybeWish,
    wishes.SwapColour,
    choosing.Pick,
    choosing.HandOver,
    choosing.Dispose,
    choosing.Sacrifice,
    attacks.Target,
    attacks.TargetOrWish,
    attacks.Split,
    attacks.CounterWindow,
    attacks.Redirect,
    strikes.Exchange,
    strikes.Steal,
    strikes.Loot,
    strikes.DrawOwed,
    giving.ForWhom,
    giving.Wrap,
    giving.GiveAway,
    gambling.Shoot,
    gambling.LayNumeral,
    gambling.TurnOver,
    exchanging.Acknowledge,
    exchanging.TrustFall,
    exchanging.Distribute,
    exchanging.SwapHands,
    drawing.Buy,
    drawing.Seppuku,
    index.TurnUp,
    index.LuckyBastardWindow,
    index.Happen,
    index.Manage,
    index.Repeating,
    cards.Drawn,
    cards.Again,
    cards.Mimic,
    turn.Turn,
    turn.EndCheck,
    turn.NiceTry,
]
EVENT_CODEC: Final = NameCodec(EVENT_NAMES, FIRST_EVENT)
PENDING: Final = Pending(
    "pending",
    {
        "player": SeatCodec(),
        "owner": SeatCodec(),
        "victim": SeatCodec(),
        "packet": SeatCodec(),
        "receiver": SeatCodec(optional=True),
        "first": SeatCodec(optional=True),
        "left": NumberCodec(0, 999),
        "share": NumberCodec(0, 999),
        "numbers": NumberCodec(0, 999),
        "used": NumberCodec(0, 999),
        "card": NameCodec(CARD_NAMES[FIRST_SPECIAL:], FIRST_SPECIAL),
        "event": NameCodec(EVENT_NAMES, FIRST_EVENT, optional=True),
        "first_event": EVENT_CODEC,
        "second_event": EVENT_CODEC,
        "third_event": EVENT_CODEC,
        "purpose": NameCodec(choosing.PURPOSES),
        "protected": SeatSetCodec(),
        "shares": SharesCodec(),
    },
    STEPS,
)


class FranticRules(Rulebook[Frantic]):
    def __init__(self) -> None:
        self.id = "frantic"
        self.name = "Frantic"
        self.version = "2"
        self.released_in = {"1": "0.1.0"}
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
            Option("hand", "house rule: how many cards everyone is dealt", 7, 4, 10),
            Option("second_lowest", "house rule: in Gambling Man any card is laid, and the second-lowest takes all", False),
        ]
        self.cards = NAMES
        self.moves = MOVE_NAMES
        self.looks: dict[str, Look] = LOOKS
        self.texts = {one.name: one.text for one in cards.CARDS} | {one.name: one.text for one in index.EVENTS} | VARIANTS
        self.fields = [
            Number("round", 1, MOST_ROUNDS, kind=ROUND),
            Seat("dealer"),
            Seat("turn", kind=TURN),
            Hands(),
            KnownToEach(),
            Numbers("totals", kind=SCORE),
            Deck(),
            Layers(),
            Pile("discard", allowed=CARD_SET),
            Demand(),
            Name("last_colour", COLOURS, optional=True),
            Heap("market", allowed=CARD_SET),
            Row("events", HIDDEN, EVENT_SET),
            Heap("uncovered", allowed=EVENT_SET),
            CardRefs("earlier", EVENT_SET),
            CardRefs("lasting", EVENT_SET),
            Exempt(),
            Numbers("fuse"),
            SeatSet("skipped"),
            Numbers("owed"),
            Name("ending", ENDINGS, optional=True),
            SeatSet("spared"),
            Choices("chosen", CARD_SET, no_card="packet", nothing="nothing"),
            PENDING,
        ]
        self.rest = "deck"
        self.rules = REFUSALS
        self.questions = QUESTIONS
        self.notes = NOTES
        self.note_roles = {"play": PLAYED, "score": SCORED, "event": EVENT}

    def blank(self, players: i64, options: Options, chance: Chance) -> Frantic:
        few, many = MAXIMUMS[options["length"]]
        maximum: int = options["maximum"] or (few if players < 5 else many)
        return Frantic(
            players,
            maximum,
            options["hand"],
            options["addon"],
            options["simple_start"],
            options["scored"],
            options["second_lowest"],
            chance,
        )

    def start(self, s: Frantic) -> None:
        s.push(turn.FIRST_ROUND)

    def deck(self, s: Frantic) -> vec[i64]:
        return extend(s.whole()[:], event_deck(s.addon))

    def question(self, s: Frantic, viewer: i64) -> dict[str, Any]:
        """Adds the arguments of the step, which everyone may know."""
        arguments = PENDING.arguments_of(s.step)
        del arguments["player"]
        asked = super().question(s, viewer)
        return {"kind": asked.pop("kind"), **arguments, **asked}

    def family_names(self) -> dict[str, str]:
        return {NAMES[FUCK_YOU_CARD]: "get lost"}

    def captions(self) -> dict[str, str]:
        return CAPTIONS

    def caption_facts(self, field: str, view: dict[str, Any]) -> list[dict[str, Any]]:
        return caption_facts(field, view)

    # A given position ---------------------------------------------------------------------------

    def complete(self, s: Frantic, given: dict[str, Any], setup: Setup) -> None:
        if "turn" not in given and "dealer" in given:
            s.turn = s.after(s.dealer)
        top = s.discard[-1] if len(s.discard) else NONE
        if "demand" not in given and top != NONE and given_card_demands(top):
            s.demand_of(top)
        if "last_colour" not in given:
            s.last_colour = last_colour_on(s, top)
        if "exempt" not in given:
            s.exempt = vec[i64]([0] * len(s.lasting))

    def hand_size(self, s: Frantic, player: i64, unplaced: i64) -> i64:
        return min(s.hand, unplaced // s.players)

    def check(self, s: Frantic, setup: Setup) -> None:
        for event in s.lasting:
            if event not in LASTING:
                raise setup.wrong("lasting", f"{NAMES[event]} does not last.")
        buyers = sum(isinstance(s.stack[at], drawing.Buy) for at in range(s.depth))
        if buyers != len(s.market):
            raise setup.wrong("market", "there must be a card for everyone who is to pick one, and no more.")

    def resume(self, s: Frantic) -> None:
        if not s.depth:
            s.push(turn.END_CHECK[s.turn])
            s.push(turn.TURN[s.turn])


def last_colour_on(s: Frantic, top: i64) -> i64:
    """The last colour played, as far as the top card tells; a Colour Swap has become what is demanded (F-45)."""
    if top == NONE:
        return NONE
    return s.colour if SYMBOL[top] == COLOUR_SWAP and has_colour(top, s.colour) else COLOUR[top]


def given_card_demands(card: i64) -> bool:
    """Whether the card alone says what it demands; a wish card and Fuck You do not."""
    return COLOUR[card] != NONE or card < FIRST_SPECIAL


RULES: Final[FranticRules] = FranticRules()
