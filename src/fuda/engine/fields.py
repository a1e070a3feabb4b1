"""The fields of a position: each is listed once per game, with its name, its shape and who may see it.

Positions, views, set-ups and redeals are all made from that one list.
"""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import append, extend, vec
from mypy_extensions import i64

from fuda.engine.cards import cards_in, holds, set_of, zeros
from fuda.engine.codecs import Codec, FlagCodec, NameCodec, NumberCodec, SeatCodec, SeatSetCodec
from fuda.engine.core import State
from fuda.engine.errors import brief
from fuda.engine.random import Random
from fuda.engine.roles import ASIDE, CARDS, COUNT, DETAIL, FACT, MARK, MEMORY, PILE, ROW, STOCK
from fuda.engine.seats import SEATS
from fuda.engine.setup import Setup

ANY_CARD: Final = -1
OPEN: Final = 0
"""Everyone sees it."""
OWN: Final = 1
"""Its owner sees it; the others see how many cards there are."""
HIDDEN: Final = 2
"""Nobody sees it; everyone sees how many cards there are."""


class HiddenCards:
    """One place, such as a hand, with cards that a viewer has not seen."""

    def __init__(self, field: Field, owner: i64, unseen: vec[i64], seen: vec[i64], never: int) -> None:
        self.field = field
        self.owner = owner
        self.unseen = unseen
        self.seen = seen
        """The cards there that the viewer has seen."""
        self.never = never
        """The cards that cannot be there."""


class Field:
    """One named attribute of a game's state, as JSON."""

    def __init__(self, name: str, visibility: i64 = OPEN, allowed: int = ANY_CARD, kind: str = DETAIL) -> None:
        self.name = name
        self.kind = kind
        """What it means to the players; see `roles.FIELD_KINDS`."""
        self.visibility: i64 = visibility
        """OPEN, OWN or HIDDEN."""
        self.allowed = allowed
        """The cards that may be in it."""
        self.ordered = False
        """Whether its cards have an order."""
        self.in_views = True
        """Whether views have it; a field that nobody may see as a whole is only in positions."""

    def read(self, s: State, names: list[str]) -> Any:
        raise NotImplementedError

    def show(self, s: State, names: list[str], viewer: i64) -> Any:
        """What the viewer sees of it."""
        return self.read(s, names)

    def write(self, s: State, value: object, setup: Setup) -> None:
        raise NotImplementedError

    def write_shown(self, s: State, shown: object, viewer: i64, setup: Setup) -> None:
        """Writes as much of it as a view shows."""
        self.write(s, seen_part(shown), setup)

    def check(self, s: State, setup: Setup) -> None:
        """Raises Error if this value cannot occur in a game; called after all fields are written."""

    def imagine(self, s: State, viewer: i64, random: Random) -> None:
        """Makes up what the viewer cannot know of it; called after all unseen cards are dealt."""

    def cards(self, s: State) -> vec[i64]:
        """All cards in it."""
        return vec[i64]()

    def hidden(self, s: State, viewer: i64) -> list[HiddenCards]:
        """Its places with cards that the viewer cannot see."""
        return []

    def unseen_count(self, shown: object, hidden: HiddenCards) -> int:
        """How many of these cards a view of the field shows face down; -1 if it is no such view."""
        if isinstance(shown, dict) and "size" not in shown:
            shown = shown.get(SEATS[hidden.owner])
        return unseen_in(shown)

    def fill(self, s: State, owner: i64, cards: vec[i64]) -> None:
        """Puts these cards there instead of what was there."""
        raise NotImplementedError

    def add_behind(self, s: State, cards: vec[i64]) -> None:
        """Puts these cards behind those that are there."""
        self.fill(s, 0, extend(self.cards(s)[:], cards))


class Attribute(Field):
    """One value."""

    def __init__(self, name: str, codec: Codec, kind: str) -> None:
        super().__init__(name, kind=kind)
        self.codec = codec

    def read(self, s: State, names: list[str]) -> Any:
        return self.codec.to_text(getattr(s, self.name))

    def write(self, s: State, value: object, setup: Setup) -> None:
        setattr(s, self.name, self.codec.from_text(value, self.name, setup))


class Number(Attribute):
    """A number that the table can see."""

    def __init__(self, name: str, low: int, high: int, kind: str = COUNT) -> None:
        super().__init__(name, NumberCodec(low, high), kind)


class Flag(Attribute):
    """True or false."""

    def __init__(self, name: str) -> None:
        super().__init__(name, FlagCodec(), FACT)


class Seat(Attribute):
    """A seat: who leads, who starts."""

    def __init__(self, name: str, kind: str = MARK) -> None:
        super().__init__(name, SeatCodec(), kind)


class SeatSet(Attribute):
    """Some of the seats, stored as bits."""

    def __init__(self, name: str) -> None:
        super().__init__(name, SeatSetCodec(), MARK)


class Name(Attribute):
    """One of some names, each standing for a number from `first` on; null stands for -1 if it is optional."""

    def __init__(self, name: str, names: list[str], first: int = 0, optional: bool = False) -> None:
        super().__init__(name, NameCodec(names, first, optional), FACT)
        self.names = names


class Numbers(Field):
    """A number for each seat."""

    def __init__(self, name: str, kind: str = COUNT) -> None:
        super().__init__(name, kind=kind)

    def read(self, s: State, names: list[str]) -> Any:
        numbers: vec[i64] = getattr(s, self.name)
        return {SEATS[player]: numbers[player] for player in range(s.players)}

    def write(self, s: State, value: object, setup: Setup) -> None:
        numbers: vec[i64] = getattr(s, self.name)
        for seat, number in setup.seats(value, self.name).items():
            numbers[SEATS.index(seat)] = setup.number(number, f"{self.name} of {seat}", -999_999, 999_999)


class Cards(Field):
    """A set of cards in the middle of the table."""

    def __init__(self, name: str, visibility: i64 = OPEN, allowed: int = ANY_CARD, kind: str = ASIDE) -> None:
        super().__init__(name, visibility, allowed, kind)

    def read(self, s: State, names: list[str]) -> Any:
        return [names[card] for card in self.cards(s)]

    def show(self, s: State, names: list[str], viewer: i64) -> Any:
        return self.read(s, names) if self.visibility == OPEN else face_down(self.cards(s))

    def write(self, s: State, value: object, setup: Setup) -> None:
        self.fill(s, 0, setup.cards(value, self.name, self.allowed))

    def cards(self, s: State) -> vec[i64]:
        return cards_in(getattr(s, self.name))

    def hidden(self, s: State, viewer: i64) -> list[HiddenCards]:
        return [] if self.visibility == OPEN else [HiddenCards(self, 0, self.cards(s), vec[i64](), ~self.allowed)]

    def fill(self, s: State, owner: i64, cards: vec[i64]) -> None:
        setattr(s, self.name, set_of(cards))


class Row(Cards):
    """Cards in an order."""

    def __init__(self, name: str, visibility: i64 = OPEN, allowed: int = ANY_CARD, kind: str = ROW) -> None:
        super().__init__(name, visibility, allowed, kind if visibility == OPEN else STOCK)
        self.ordered = True

    def cards(self, s: State) -> vec[i64]:
        row: vec[i64] = getattr(s, self.name)
        return row

    def fill(self, s: State, owner: i64, cards: vec[i64]) -> None:
        s.set_row(self.name, cards)


class Heap(Row):
    """Cards without a meaningful order, of which several may be the same."""

    def __init__(self, name: str, visibility: i64 = OPEN, allowed: int = ANY_CARD) -> None:
        super().__init__(name, visibility, allowed)
        self.ordered = False


class Pile(Row):
    """A pile of cards: the top one is first in text, and last in the state, where it is quick to remove."""

    def __init__(self, name: str, visibility: i64 = OPEN, allowed: int = ANY_CARD) -> None:
        super().__init__(name, visibility, allowed, PILE)

    def cards(self, s: State) -> vec[i64]:
        return in_reverse(super().cards(s))

    def fill(self, s: State, owner: i64, cards: vec[i64]) -> None:
        super().fill(s, owner, in_reverse(cards))


def in_reverse(cards: vec[i64]) -> vec[i64]:
    """The cards in the opposite order."""
    out = vec[i64](capacity=len(cards))
    at: i64 = len(cards) - 1
    while at >= 0:
        out = append(out, cards[at])
        at -= 1
    return out


class SeatCards(Field):
    """A set of cards for each seat: hands, piles."""

    def __init__(
        self, name: str, visibility: i64 = OPEN, allowed: int = ANY_CARD, seen_by_all: str = "", kind: str = CARDS
    ) -> None:
        super().__init__(name, visibility, allowed, kind)
        self.seen_by_all = seen_by_all
        """The attribute with the cards of each hand that everyone has seen, if there is one."""

    def read(self, s: State, names: list[str]) -> Any:
        sets: vec[i64] = getattr(s, self.name)
        return {SEATS[player]: [names[card] for card in cards_in(sets[player])] for player in range(s.players)}

    def show(self, s: State, names: list[str], viewer: i64) -> Any:
        shown = self.read(s, names)
        for hidden in self.hidden(s, viewer):
            seen = [names[card] for card in hidden.seen]
            shown[SEATS[hidden.owner]] = {"size": len(hidden.unseen) + len(hidden.seen), "cards": seen}
        return shown

    def write(self, s: State, value: object, setup: Setup) -> None:
        for seat, cards in setup.seats(value, self.name).items():
            self.fill(s, SEATS.index(seat), setup.cards(cards, f"{self.name} of {seat}", self.allowed))

    def cards(self, s: State) -> vec[i64]:
        sets: vec[i64] = getattr(s, self.name)
        out = vec[i64](capacity=62)
        for player in range(s.players):
            for card in cards_in(sets[player]):
                out = append(out, card)
        return out

    def hidden(self, s: State, viewer: i64) -> list[HiddenCards]:
        if self.visibility == OPEN:
            return []
        sets: vec[i64] = getattr(s, self.name)
        seen_by_all = getattr(s, self.seen_by_all) if self.seen_by_all else zeros(s.players)
        out: list[HiddenCards] = []
        for player in range(s.players):
            if player != viewer:
                seen = sets[player] & seen_by_all[player]
                never = s.never_held(player) | ~self.allowed
                out.append(HiddenCards(self, player, cards_in(sets[player] & ~seen), cards_in(seen), never))
        return out

    def fill(self, s: State, owner: i64, cards: vec[i64]) -> None:
        sets: vec[i64] = getattr(s, self.name)
        sets[owner] = set_of(cards)


MOST_CARDS: Final = 200


def seen_part(shown: object) -> Any:
    """A view's field as a position has it, without the cards that the view shows face down."""
    if not isinstance(shown, dict):
        return shown
    if "size" in shown:
        return shown.get("cards")
    return {key: seen_part(shown[key]) for key in shown}


def face_down(cards: vec[i64]) -> dict[str, Any]:
    """What a view shows of face-down cards."""
    return {"size": len(cards), "cards": []}


def size_of(shown: object) -> int:
    """How many cards a view shows, open or face down; -1 if it does not show cards."""
    if isinstance(shown, dict):
        size = shown.get("size")
        return size if isinstance(size, int) and 0 <= size <= MOST_CARDS else -1
    return len(shown) if isinstance(shown, list) else -1


def unseen_in(shown: object) -> int:
    """How many cards a view shows face down; -1 if it does not show cards."""
    seen = shown.get("cards") if isinstance(shown, dict) else shown
    return size_of(shown) - len(seen) if isinstance(seen, list) else -1


class SeenByAll(Field):
    """The cards of each hand that everyone has seen."""

    def __init__(self, name: str) -> None:
        super().__init__(name, kind=MEMORY)

    def read(self, s: State, names: list[str]) -> Any:
        sets: vec[i64] = getattr(s, self.name)
        return {SEATS[player]: [names[card] for card in cards_in(sets[player])] for player in range(s.players)}

    def write(self, s: State, value: object, setup: Setup) -> None:
        sets: vec[i64] = getattr(s, self.name)
        for seat, cards in setup.seats(value, self.name).items():
            sets[SEATS.index(seat)] = set_of(setup.named(cards, f"{self.name} of {seat}"))


class Seats(Field):
    """Seats in an order."""

    def __init__(self, name: str) -> None:
        super().__init__(name, kind=MARK)
        self.ordered = True

    def read(self, s: State, names: list[str]) -> Any:
        row: vec[i64] = getattr(s, self.name)
        return [SEATS[player] for player in row]

    def write(self, s: State, value: object, setup: Setup) -> None:
        if not isinstance(value, list):
            raise setup.wrong(self.name, f"expected a list of seats, got {brief(value)}.")
        row = vec[i64](capacity=8)
        for seat in value:
            player = setup.seat(seat, self.name)
            for other in row:
                if other == player:
                    raise setup.wrong(self.name, f"{seat} is listed twice.")
            row = append(row, player)
        s.set_row(self.name, row)


class CardRefs(Field):
    """References to cards, wherever the cards are."""

    def __init__(self, name: str, allowed: int = ANY_CARD) -> None:
        super().__init__(name, OPEN, allowed, ROW)

    def read(self, s: State, names: list[str]) -> Any:
        row: vec[i64] = getattr(s, self.name)
        return [names[card] for card in row]

    def write(self, s: State, value: object, setup: Setup) -> None:
        cards = setup.named(value, self.name)
        for card in cards:
            if card not in setup.left or not holds(self.allowed, card):
                raise setup.wrong(self.name, f"the {setup.names[card]} cannot be there.")
        s.set_row(self.name, cards)


class OneCard(Field):
    """A single open card."""

    def __init__(self, name: str) -> None:
        super().__init__(name, kind=FACT)

    def read(self, s: State, names: list[str]) -> Any:
        return names[getattr(s, self.name)]

    def write(self, s: State, value: object, setup: Setup) -> None:
        setattr(s, self.name, setup.card(value, self.name))

    def cards(self, s: State) -> vec[i64]:
        return vec[i64]([getattr(s, self.name)])


class Voids(Field):
    """The suits or numbers that each seat has shown not to hold."""

    def __init__(self, name: str, groups: list[tuple[str, int]]) -> None:
        super().__init__(name, kind=MEMORY)
        self.groups = groups

    def read(self, s: State, names: list[str]) -> Any:
        sets: vec[i64] = getattr(s, self.name)
        out: dict[str, list[str]] = {}
        for player in range(s.players):
            lacks = sets[player]
            out[SEATS[player]] = [group for group, cards in self.groups if lacks & cards == cards]
        return out

    def write(self, s: State, value: object, setup: Setup) -> None:
        sets: vec[i64] = getattr(s, self.name)
        for seat, groups in setup.seats(value, self.name).items():
            where = f"{self.name} of {seat}"
            if not isinstance(groups, list):
                raise setup.wrong(where, f"expected a list, got {brief(groups)}.")
            lacks: i64 = 0
            for group in groups:
                lacks |= self.cards_of(group, where, setup)
            sets[SEATS.index(seat)] = lacks

    def cards_of(self, name: object, where: str, setup: Setup) -> i64:
        for group, cards in self.groups:
            if group == name:
                return cards
        names = ", ".join(group for group, _ in self.groups)
        raise setup.wrong(where, f"{brief(name)} is not one of {names}.")
