"""What the soak of Frantic looks for: every card, every event, and effects inside effects."""

from __future__ import annotations

from typing import Any, Final

from fuda.engine.notes import Note
from fuda.engine.seats import SEATS
from fuda.games.frantic.deck import CARD_NAMES, CURSE_CARD, EVENT_NAMES
from fuda.games.frantic.state import Frantic
from fuda.lab.observing import Observer, RarePosition

PLAYABLE: Final = [*CARD_NAMES[:CURSE_CARD], *CARD_NAMES[CURSE_CARD + 1 :]]
THROWN: Final = ("play", "counter", "luck", "nice try")
"""The notes of a card that is played, in one's turn or as a reaction."""
SETS_OFF_EVENTS: Final = ("plague", "repeat", "event manager")

COUNTER_COUNTER: Final = "Counterattack against Counterattack against a Mimicry of Gift"
NICE_TRY_GIVEN: Final = "Nice Try after a Gift that handed it over"
LAST_CHANCE_CHAIN: Final = "Last Chance into Plague into Repeat into Event Manager"
LUCK_WITHIN: Final = "Lucky Bastard before a sub-event"
CHANCES: Final = "2nd Chance after 2nd Chance"
BLACK_LAST: Final = "a black card as the last card"
DECK_OUT_WITHIN: Final = "the deck runs out in the middle of Capitalism"
DOOM_WITHIN: Final = "Doomsday inside Plague while a Time Bomb ticks"
NESTINGS: Final = [
    COUNTER_COUNTER,
    NICE_TRY_GIVEN,
    LAST_CHANCE_CHAIN,
    LUCK_WITHIN,
    CHANCES,
    BLACK_LAST,
    DECK_OUT_WITHIN,
    DOOM_WITHIN,
]


class FranticObserver(Observer):
    """Reads the notes since the last card that was played in a turn, or the last draw in one: all that this has caused."""

    def __init__(self) -> None:
        super().__init__({"card": PLAYABLE, "event": EVENT_NAMES, "nesting": NESTINGS})
        self.caused: list[Note] = []
        self.bomb = False
        """Whether a Time Bomb was ticking at the last call."""

    def see(self, s: Frantic, notes: list[Note]) -> list[tuple[str, str]]:
        out: list[tuple[str, str]] = []
        for note in notes:
            kind = note["kind"]
            if kind in ("deal", "play"):
                if kind == "play" and self.is_chain(note):
                    out.append(("nesting", CHANCES))
                self.caused = []
            self.caused.append(note)
            if kind in THROWN:
                out.append(("card", note["card"]))
            elif kind == "event":
                out.append(("event", note["card"]))
            out += [("nesting", name) for name in self.ended_by(note)]
        if is_last_black(s, notes):
            out.append(("nesting", BLACK_LAST))
        self.bomb = s.bomb_ticks()
        return out

    def ended_by(self, note: Note) -> list[str]:
        """The nestings that this note completes."""
        kind = note["kind"]
        if kind == "counter" and self.is_counter_of_counter():
            return [COUNTER_COUNTER]
        if kind == "nice try" and self.was_given_to(note["seat"]):
            return [NICE_TRY_GIVEN]
        if kind == "luck" and any(event in SETS_OFF_EVENTS for event in self.events()):
            return [LUCK_WITHIN]
        if kind == "deck out" and self.events()[-1:] == ["capitalism"]:
            return [DECK_OUT_WITHIN]
        if kind == "event" and self.events()[-3:] == ["plague", "repeat", "event manager"]:
            return [LAST_CHANCE_CHAIN] if self.has("last chance") else []
        if kind == "event" and note["card"] == "doomsday" and "plague" in self.events() and self.bomb:
            return [DOOM_WITHIN]
        return []

    # What was caused so far -----------------------------------------------------------------------

    def has(self, kind: str) -> bool:
        return any(note["kind"] == kind for note in self.caused)

    def events(self) -> list[str]:
        return [note["card"] for note in self.caused if note["kind"] == "event"]

    def is_chain(self, note: Note) -> bool:
        """Whether a 2nd Chance follows on a 2nd Chance without a draw between."""
        first = self.caused[0] if self.caused else note
        return is_second_chance(first) and is_second_chance(note) and not self.has("draw") and first["seat"] == note["seat"]

    def is_counter_of_counter(self) -> bool:
        mimics: list[str] = [note["card"] for note in self.caused if note["kind"] == "mimicry"]
        counters = [note for note in self.caused if note["kind"] == "counter"]
        return len(counters) == 2 and len(mimics) == 1 and "gift" in mimics[0].split()

    def was_given_to(self, seat: str) -> bool:
        """Whether this player got Nice Try by the Gift that was just played."""
        gift = any(note["kind"] == "aim" and note["card"].endswith("gift") for note in self.caused)
        given = [note for note in self.caused if note["kind"] == "give" and note["seats"] == [seat]]
        return gift and any("nice try" in note["cards"] for note in given)


def is_second_chance(note: Note) -> bool:
    return note["kind"] == "play" and "2nd chance" in note["card"]


def is_last_black(s: Frantic, notes: list[Note]) -> bool:
    """Whether somebody has just played a black card and is without cards."""
    if not notes or notes[-1]["kind"] != "play" or not notes[-1]["card"].startswith("black"):
        return False
    return not s.hand_size(SEATS.index(notes[-1]["seat"]))


# Positions for what is rare -----------------------------------------------------------------------

TOP: Final[dict[str, Any]] = {"discard": ["red 9"], "turn": "A"}
TROUBLE: Final = ["red troublemaker", "blue 9"]
SHORT: Final[dict[str, Any]] = {"maximum": 1}


def rare_positions() -> list[RarePosition]:
    two = {"A": TROUBLE, "B": ["blue 1", "blue 2"]}
    counters = {"A": ["counterattack", "blue 1"], "B": ["counterattack", "blue 2"]}
    three = {"A": ["red 1"], "B": ["blue 2"], "C": ["blue 3"]}
    mimicry = [{"step": "mimicry", "player": "A"}, {"step": "end check", "owner": "A", "used": 0}]
    chain = {"lasting": ["last chance"], "uncovered": ["event manager"], "events": ["plague", "repeat"]}
    of_mimicry = RarePosition(2, SHORT, {**TOP, "hands": counters, "pending": mimicry})
    return [
        *[of_mimicry] * 4,  # there are seventeen cards that Mimicry can become
        RarePosition(2, SHORT, {**TOP, "hands": {"A": ["red gift", "nice try", "blue 1"], "B": ["blue 2"]}}),
        RarePosition(3, SHORT, {**TOP, "hands": three, **chain}),
        RarePosition(2, SHORT, {**TOP, "hands": {**two, "B": ["lucky bastard", "blue 2"]}, "events": ["plague"]}),
        RarePosition(2, SHORT, {**TOP, "hands": {**two, "A": ["red 2nd chance", "blue 2nd chance", "blue 3"]}}),
        RarePosition(2, SHORT, {**TOP, "hands": {"A": ["black 9"], "B": ["blue 2"]}}),
        RarePosition(2, SHORT, {**TOP, "hands": two, "deck": ["green 1"], "rest": "discard", "events": ["capitalism"]}),
        RarePosition(2, SHORT, {**TOP, "hands": two, "lasting": ["time bomb"], "events": ["plague", "doomsday"]}),
        RarePosition(2, SHORT, {**TOP, "hands": two, "events": [], "uncovered": EVENT_NAMES}),
    ]
