"""A rulebook: everything that the engine and the front ends need to know about one game."""

from __future__ import annotations

from typing import Any, Generic

from librt.vecs import vec
from mypy_extensions import i64

from fuda.engine.chance import Chance
from fuda.engine.core import Rule, S
from fuda.engine.errors import Error, brief
from fuda.engine.fields import Field
from fuda.engine.setup import Setup


class Option:
    """A choice that a game offers before it begins: yes or no, one of `values`, or a number from `low` to `high`."""

    def __init__(
        self,
        name: str,
        text: str,
        default: int | str | bool | None,
        low: int = 0,
        high: int = 0,
        values: list[str] | None = None,
        limits: str = "",
    ) -> None:
        self.name = name
        self.text = text
        self.default = default
        """None: as many as there are players."""
        self.low = low
        self.high = high
        self.values = values
        self.limits = limits
        """The kind of field whose highest value it sets: ROUND for the number of rounds."""

    def check(self, value: object) -> int | str | bool | None:
        if value is None and self.default is None:
            return None
        if isinstance(self.default, bool):
            if isinstance(value, bool):
                return value
            raise Error(f"Option {self.name}: expected true or false, got {brief(value)}.")
        if self.values is not None:
            if isinstance(value, str) and value in self.values:
                return value
            raise Error(f"Option {self.name}: expected one of {', '.join(self.values)}, got {brief(value)}.")
        if isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high:
            return value
        raise Error(f"Option {self.name}: expected a whole number from {self.low} to {self.high}, got {brief(value)}.")


Options = dict[str, Any]


class Look:
    """How a suit is shown: by a symbol and a colour."""

    def __init__(self, symbol: str, colour: str) -> None:
        self.symbol = symbol
        self.colour = colour


class Rulebook(Generic[S]):
    """One game: a subclass in the game's file, with one instance in the catalogue."""

    id: str
    name: str
    version: str
    """Goes up whenever the rules change, also by a new option; records and views have it."""
    replays: tuple[str, ...] = ()
    """Older versions whose records and views mean the same in this one, which only added options."""
    released_in: dict[str, str] = {}
    """The last release of Fuda that has each older version which this one cannot replay."""
    about: str
    """The game in a sentence."""
    minutes: str
    """How long a game takes among people: "20–30"."""
    guide: list[str]
    """Tips for a player's first turns, one for each turn."""
    least: i64
    most: i64
    options: list[Option]
    cards: list[str]
    """The names of the cards, in their one fixed order."""
    moves: list[str]
    """The names of single moves: the cards, and everything else that a player can answer."""
    looks: dict[str, Look]
    """How the suits are shown, by the first word of a card's name."""
    texts: dict[str, str]
    """What is printed on the cards that say something, by name; "seppuku, scored false": what it is with that option."""
    fields: list[Field]
    rest: str
    """The field for cards that a given position does not mention."""
    rules: list[Rule]
    """Every rule that can refuse a move."""
    questions: dict[str, str]
    """What is asked, in English, by the kind of the question; see `words.template_of`."""
    notes: dict[str, str]
    """What happened, in English, by the kind of the note; see `words.template_of`."""
    note_roles: dict[str, str]
    """The role of a note, by its kind, if it has one; see `roles.NOTE_ROLES`."""

    # The game -----------------------------------------------------------------------------------

    def blank(self, players: i64, options: Options, chance: Chance) -> S:
        """A state before anything has happened."""
        raise NotImplementedError

    def start(self, s: S) -> None:
        """Puts the first step of a whole game on the stack."""
        raise NotImplementedError

    def deck(self, s: S) -> vec[i64]:
        """The cards that are in this game; a card of which there are several is listed as often."""
        raise NotImplementedError

    # A given position ---------------------------------------------------------------------------

    def complete(self, s: S, given: dict[str, Any], setup: Setup) -> None:
        """Fills in what a given position left out."""

    def hand_size(self, s: S, player: i64, unplaced: i64) -> i64:
        """How many of the unplaced cards a position without hands deals to this player."""
        raise NotImplementedError

    def check_all(self, s: S, setup: Setup) -> None:
        """Raises Error if the fields, alone or together, have values that cannot occur in a game."""
        for field in self.fields:
            field.check(s, setup)
        self.check(s, setup)

    def check(self, s: S, setup: Setup) -> None:
        """Raises Error if these fields cannot occur together in a game, or nobody has a decision."""
        raise NotImplementedError

    def resume(self, s: S) -> None:
        """Puts the steps on the stack that are still to come."""
        raise NotImplementedError

    # Questions and moves ------------------------------------------------------------------------

    def alphabet(self, s: S) -> list[str]:
        """Every text that can be a move in this game; of moves with several words only some."""
        return self.moves.copy()

    def question(self, s: S, viewer: i64) -> dict[str, Any]:
        """What is asked, as this player or a spectator may know it."""
        question = {"kind": s.step.kind, **s.step.facts(s)}
        return {**question, **s.step.own_facts(s)} if viewer == s.player else question

    def text_of(self, card: str, options: Options) -> str:
        """What is printed on a card, by its name or its name without the suit; "" for most cards."""
        for name in (card, card.partition(" ")[2]):
            for option, value in options.items():
                text = self.texts.get(f"{name}, {option} {str(value).lower()}")
                if text is not None:
                    return text
            if name in self.texts:
                return self.texts[name]
        return ""

    def family_names(self) -> dict[str, str]:
        """Other names for cards whose names are not for children; a front end may show these instead."""
        return {}

    def captions(self) -> dict[str, str]:
        """English texts for fields that are not shown as they are, by field name; "" if the field is not shown."""
        return {}

    def caption_facts(self, field: str, view: dict[str, Any]) -> list[dict[str, Any]]:
        """The facts for a field's caption, one entry for each time that the caption is shown."""
        value = view[field]
        return [value] if isinstance(value, dict) else []

    # Versions, options and fields -----------------------------------------------------------------

    def can_replay(self, version: object) -> bool:
        """Whether records and views of this version of the rules mean the same in the present one."""
        return version == self.version or version in self.replays

    def field(self, name: str) -> Field | None:
        for field in self.fields:
            if field.name == name:
                return field
        return None

    def field_of_kind(self, kind: str) -> Field | None:
        """The field of a kind that a game has at most once: its hands, its trick."""
        for field in self.fields:
            if field.kind == kind:
                return field
        return None

    def limit_of(self, kind: str) -> str:
        """The option that sets the highest value of a field of this kind; "" if there is none."""
        for option in self.options:
            if option.limits == kind:
                return option.name
        return ""

    def checked_options(self, players: object, options: object) -> Options:
        """The options with their defaults; Error if one of them, or the number of players, is wrong."""
        least: int = self.least  # as ordinary integers, which can be compared with one of any size
        most: int = self.most
        if not isinstance(players, int) or isinstance(players, bool) or not least <= players <= most:
            raise Error(f"{self.name} is for {self.least} to {self.most} players, not {brief(players)}.")
        if options is None:
            options = {}
        if not isinstance(options, dict):
            raise Error(f"Options: expected names with values, got {brief(options)}.")
        names = [option.name for option in self.options]
        for name in options:
            if name not in names:
                have = ", ".join(names) or "none"
                raise Error(f"{self.name} has no option {brief(name)}; its options: {have}.")
        settled: Options = {}
        for option in self.options:
            value = option.check(options.get(option.name, option.default))
            settled[option.name] = players if value is None else value
        return settled
