"""The cards and events of Frantic: 147 and 34, without the add-on 125 and 20 (F-1).

Equal cards cannot be told apart: wherever a card is a number, it is the number of its kind.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

COLOURS: Final = ["red", "yellow", "green", "blue"]
NONE: Final = -1

# Symbols ------------------------------------------------------------------------------------------

SECOND_CHANCE: Final = 0
EXCHANGE: Final = 1
SKIP: Final = 2
GIFT: Final = 3
THIEF: Final = 4
TROUBLEMAKER: Final = 5
COLOUR_SWAP: Final = 6
FANTASTIC: Final = 7
FANTASTIC_FOUR: Final = 8
COUNTERATTACK: Final = 9
EQUALITY: Final = 10
INEQUALITY: Final = 11
SPECIAL_FAVOURS: Final = 12
NICE_TRY: Final = 13
LUCKY_BASTARD: Final = 14
MIMICRY: Final = 15
CURSE: Final = 16
FUCK_YOU: Final = 17
SYMBOLS: Final = [
    "2nd chance",
    "exchange",
    "skip",
    "gift",
    "thief",
    "troublemaker",
    "colour swap",
    "fantastic",
    "fantastic four",
    "counterattack",
    "equality",
    "inequality",
    "special favours",
    "nice try",
    "lucky bastard",
    "mimicry",
    "curse",
    "fuck you",
]

# Kinds of cards ----------------------------------------------------------------------------------

FIRST_BLACK: Final = 36
FIRST_SPECIAL: Final = 45
FIRST_COLOURLESS: Final = 75
FANTASTIC_FOUR_CARD: Final = 76
COUNTERATTACK_CARD: Final = 77
NICE_TRY_CARD: Final = 81
LUCKY_BASTARD_CARD: Final = 82
MIMICRY_CARD: Final = 83
CURSE_CARD: Final = 84
FUCK_YOU_CARD: Final = 85
KIND_COUNT: Final = 86


class CardKind:
    """What is printed on a card, and how many of it there are."""

    def __init__(self, name: str, symbol: i64, colour: i64, other: i64, number: i64, points: i64) -> None:
        self.name = name
        self.symbol: i64 = symbol
        self.colour: i64 = colour
        self.other: i64 = other
        """The second colour of a Colour Swap; of every other card its only one."""
        self.number: i64 = number
        self.points: i64 = points
        self.copies: i64 = 1
        self.in_addon = False


def card_kinds() -> list[CardKind]:
    out: list[CardKind] = []
    for colour in range(4):
        out += [CardKind(f"{COLOURS[colour]} {number}", NONE, colour, colour, number, number) for number in range(1, 10)]
    out += [CardKind(f"black {number}", NONE, NONE, NONE, number, number) for number in range(1, 10)]
    for symbol in range(COLOUR_SWAP):
        out += [CardKind(f"{COLOURS[colour]} {SYMBOLS[symbol]}", symbol, colour, colour, 0, 7) for colour in range(4)]
    for colour in range(4):
        for other in range(colour + 1, 4):
            out.append(CardKind(f"{COLOURS[colour]}-{COLOURS[other]} colour swap", COLOUR_SWAP, colour, other, 0, 7))
    out += [CardKind(SYMBOLS[symbol], symbol, NONE, NONE, 0, 7) for symbol in range(FANTASTIC, FUCK_YOU + 1)]
    for kind in out:
        kind.in_addon = kind.symbol in ADDON_SYMBOLS
        kind.copies = COPIES.get(kind.symbol, 1) if kind.symbol != NONE else 2 if kind.colour != NONE else 1
    out[CURSE_CARD].points = 13
    out[FUCK_YOU_CARD].points = 42
    return out


ADDON_SYMBOLS: Final = [THIEF, TROUBLEMAKER, COLOUR_SWAP, INEQUALITY, SPECIAL_FAVOURS, LUCKY_BASTARD, MIMICRY, CURSE]
COPIES: Final[dict[int, int]] = {
    GIFT: 2,
    FANTASTIC: 11,
    FANTASTIC_FOUR: 5,
    COUNTERATTACK: 4,
    EQUALITY: 2,
    INEQUALITY: 2,
    SPECIAL_FAVOURS: 3,
}
CARD_KINDS: Final = card_kinds()
CARD_NAMES: Final = [kind.name for kind in CARD_KINDS]
SYMBOL: Final = vec[i64]([kind.symbol for kind in CARD_KINDS])
COLOUR: Final = vec[i64]([kind.colour for kind in CARD_KINDS])
OTHER: Final = vec[i64]([kind.other for kind in CARD_KINDS])
NUMBER: Final = vec[i64]([kind.number for kind in CARD_KINDS])
POINTS: Final = vec[i64]([kind.points for kind in CARD_KINDS])


def whole_deck(addon: bool) -> vec[i64]:
    out = vec[i64](capacity=147)
    for card in range(KIND_COUNT):
        if addon or not CARD_KINDS[card].in_addon:
            for _ in range(CARD_KINDS[card].copies):
                out = append(out, card)
    return out


WHOLE: Final = whole_deck(True)
BASE: Final = whole_deck(False)


def is_numeral(card: i64) -> bool:
    return card < FIRST_SPECIAL


def is_black(card: i64) -> bool:
    return FIRST_BLACK <= card < FIRST_SPECIAL


def has_colour(card: i64, colour: i64) -> bool:
    """Whether the card is of this colour; a Colour Swap is of both its colours."""
    return COLOUR[card] == colour or OTHER[card] == colour


# Events -------------------------------------------------------------------------------------------

EVENT_NAMES: Final = [
    "charity",
    "communism",
    "doomsday",
    "earthquake",
    "expansion",
    "finish line",
    "friday the 13th",
    "gambling man",
    "market",
    "mating season",
    "merry christmas",
    "mexican standoff",
    "recession",
    "robin hood",
    "surprise party",
    "the all-seeing eye",
    "third time lucky",
    "time bomb",
    "tornado",
    "vandalism",
    "black hole",
    "capitalism",
    "crowdfunding",
    "distributor",
    "double taxation",
    "event manager",
    "identity theft",
    "last chance",
    "plague",
    "plus one",
    "repeat",
    "russian roulette",
    "seppuku",
    "trust fall",
]
FIRST_EVENT: Final = KIND_COUNT
BASE_EVENTS: Final = 20
ALL_EVENTS: Final = 34
MERRY_CHRISTMAS: Final = FIRST_EVENT + 10
SURPRISE_PARTY: Final = FIRST_EVENT + 14
TIME_BOMB: Final = FIRST_EVENT + 17
CROWDFUNDING: Final = FIRST_EVENT + 22
LAST_CHANCE: Final = FIRST_EVENT + 27
PLUS_ONE: Final = FIRST_EVENT + 29
REPEAT: Final = FIRST_EVENT + 30
LASTING: Final = [LAST_CHANCE, PLUS_ONE, TIME_BOMB]


def event_deck(addon: bool) -> vec[i64]:
    return vec[i64](range(FIRST_EVENT, FIRST_EVENT + (ALL_EVENTS if addon else BASE_EVENTS)))


# Moves: the names of cards and events, and these ----------------------------------------------

NAMES: Final = [*CARD_NAMES, *EVENT_NAMES]
FIRST_SEAT: Final = FIRST_EVENT + ALL_EVENTS
WISH_COLOUR: Final = FIRST_SEAT + 8
WISH_NUMBER: Final = WISH_COLOUR + 3  # and the number
DRAW: Final = WISH_COLOUR + 13
PASS: Final = DRAW + 1
OK: Final = DRAW + 2
COMMIT: Final = DRAW + 3
DECLINE: Final = DRAW + 4
MOVE_NAMES: Final = [
    *NAMES,
    *"ABCDEFGH",
    *[f"wish {colour}" for colour in COLOURS],
    *[f"wish {number}" for number in range(1, 10)],
    "draw",
    "pass",
    "ok",
    "commit",
    "decline",
]
