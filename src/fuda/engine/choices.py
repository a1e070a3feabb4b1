"""The choices for a gather: how they are written, shown, checked, and made up in a redeal."""

from __future__ import annotations

from typing import Any, Final

from mypy_extensions import i64

from fuda.engine.cards import holds
from fuda.engine.core import State, Step, name_of, question_in
from fuda.engine.errors import brief
from fuda.engine.fields import OWN, Field, size_of
from fuda.engine.gather import Ask, Choice, Gather, GatherState
from fuda.engine.notes import NO_CARD
from fuda.engine.random import Random
from fuda.engine.seats import NOBODY, SEATS
from fuda.engine.setup import Setup

HIDDEN_CARD: Final = -2
"""The card of a choice that somebody else has made, in a game that is made from a view."""


class Choices(Field):
    """The choices that each seat has made; only their player sees them."""

    def __init__(self, name: str, allowed: int, no_card: str, nothing: str) -> None:
        super().__init__(name, OWN, allowed)
        self.no_card = no_card
        """The text for the card of a choice that is only a target."""
        self.nothing = nothing
        """The text for a choice of nothing."""

    def read(self, s: State, names: list[str]) -> Any:
        assert isinstance(s, GatherState)
        return {SEATS[player]: [self.text_of(one, names) for one in s.chosen[player]] for player in range(s.players)}

    def text_of(self, choice: Choice, names: list[str]) -> str:
        card = names[choice.card] if choice.card >= 0 else self.no_card
        if choice.target != NOBODY:
            return f"{card} for {SEATS[choice.target]}"
        return card if choice.card >= 0 else self.nothing

    def show(self, s: State, names: list[str], viewer: i64) -> Any:
        shown = self.read(s, names)
        for player in range(s.players):
            if player != viewer:
                shown[SEATS[player]] = {"size": len(shown[SEATS[player]]), "cards": []}
        return shown

    def write(self, s: State, value: object, setup: Setup) -> None:
        assert isinstance(s, GatherState)
        for seat, texts in setup.seats(value, self.name).items():
            where = f"{self.name} of {seat}"
            if not isinstance(texts, list):
                raise setup.wrong(where, f"expected a list of cards, got {brief(texts)}.")
            s.chosen[SEATS.index(seat)] = [self.choice_in(text, where, setup) for text in texts]

    def choice_in(self, text: object, where: str, setup: Setup) -> Choice:
        if not isinstance(text, str):
            raise setup.wrong(where, f"{brief(text)} is not a card.")
        if text == self.nothing:
            return Choice()
        name, _, seat = text.partition(" for ")
        target = setup.seat(seat, where) if seat else NOBODY
        if name == self.no_card and seat:
            return Choice(NO_CARD, target)
        card = setup.code(name, where)
        if not holds(self.allowed, card):
            raise setup.wrong(where, f"the {name} cannot be there.")
        return Choice(card, target)

    def write_shown(self, s: State, shown: object, viewer: i64, setup: Setup) -> None:
        assert isinstance(s, GatherState)
        for seat, choices in setup.seats(shown, self.name).items():
            if isinstance(choices, dict):
                size = size_of(choices)
                if size < 0:
                    raise setup.wrong(self.name, f"expected the number of cards that {seat} has chosen.")
                s.chosen[SEATS.index(seat)] = [Choice(HIDDEN_CARD)] * size
            else:
                self.write(s, {seat: choices}, setup)

    def check(self, s: State, setup: Setup) -> None:
        assert isinstance(s, GatherState)
        groups = groups_in(s)
        gathers = [group.gather for group in groups if group.gather is not None]
        for player in range(s.players):
            if s.chosen[player] and (not gathers or retrace(s, gathers[0], player) is None):
                raise setup.wrong(self.name, f"{SEATS[player]} cannot have chosen that.")
        if any(one.card == HIDDEN_CARD for chosen in s.chosen for one in chosen) and s.step.player == NOBODY:
            raise setup.wrong("pending", "nobody is asked before hidden choices are carried out.")
        for group in groups:
            step = group.unexpected(s, is_next=group is groups[0])
            if step is not None:
                raise setup.wrong("pending", f"{name_of(step)!r} cannot be there.")

    def imagine(self, s: State, viewer: i64, random: Random) -> None:
        assert isinstance(s, GatherState)
        for group in groups_in(s)[:1]:
            for player in range(s.players):
                if group.gather is not None and player != viewer:
                    retrace(s, group.gather, player, random)


class Group:
    """A gather on the stack with those of its questions that are still to be answered."""

    def __init__(self, gather: Gather | None, steps: list[Step]) -> None:
        self.gather = gather
        """None: there is no gather for these questions."""
        self.steps = steps

    def unexpected(self, s: GatherState, is_next: bool) -> Step | None:
        """The first of the questions that the gather does not ask; None if all fit. Only the next gather has choices yet."""
        for step in self.steps:
            player = question_in(step).player
            steps = [other for other in self.steps if question_in(other).player == player]
            if self.gather is None or not are_asked(steps, expected_of(s, self.gather, player, is_next)):
                return step
        return None


def groups_in(s: State) -> list[Group]:
    """The gathers on the stack, the next one first."""
    out: list[Group] = []
    steps: list[Step] = []
    for at in range(s.depth - 1, -1, -1):
        step = s.stack[at]
        question = question_in(step)
        gather = step if isinstance(step, Gather) else None
        if isinstance(question, Ask):
            steps.append(step)
            gather = question.gather()
        if gather is not None or (steps and (at == 0 or not isinstance(question, Ask))):
            out.append(Group(gather, steps))
            steps = []
    return out


def expected_of(s: GatherState, gather: Gather, player: i64, is_next: bool) -> list[Ask]:
    """What this player has still to be asked."""
    if is_next:
        return retrace(s, gather, player) or []
    return [ask for ask in gather.asks(s) if ask.player == player]


def are_asked(steps: list[Step], expected: list[Ask]) -> bool:
    if len(steps) != len(expected):
        return False
    for at in range(len(steps)):
        question = question_in(steps[at])
        if not isinstance(question, Ask) or not question.matches(expected[at]):
            return False
    return True


def retrace(s: GatherState, gather: Gather, player: i64, random: Random | None = None) -> list[Ask] | None:
    """Makes the choices of a player again, one by one, and returns what is asked after them; None if that is not possible.

    Hidden choices stay hidden, or are made at random.
    """
    given = s.chosen[player]
    s.chosen[player] = []
    asks = [ask for ask in gather.asks(s) if ask.player == player]
    is_incomplete = is_completed_later(s, player)
    for number, choice in enumerate(given, 1):
        if not asks or not remake(s, asks[0], choice, random):
            return None
        following = asks.pop(0).next(s)
        if following is not None:
            asks.insert(0, following)
        is_complete = not is_incomplete or number < len(given)
        if asks and asks[0].completes() and is_complete and not remake(s, asks.pop(0), choice, random):
            return None
    made = s.chosen[player]
    for at in range(len(given)):
        if given[at].card != HIDDEN_CARD and not made[at].is_same(given[at]):
            return None
    return asks


def is_completed_later(s: State, player: i64) -> bool:
    """Whether this player has still to complete a choice."""
    for at in range(s.depth):
        question = question_in(s.stack[at])
        if question.player == player and isinstance(question, Ask) and question.completes():
            return True
    return False


def remake(s: GatherState, ask: Ask, choice: Choice, random: Random | None) -> bool:
    """Answers this question by the given choice; False if that is not possible."""
    if choice.card == HIDDEN_CARD:
        return remake_hidden(s, ask, choice, random)
    for move in ask.moves(s):
        made = ask.choice(s, move)
        if made.card == choice.card and made.target in (choice.target, NOBODY):
            ask.record(s, move)
            return True
    return False


def remake_hidden(s: GatherState, ask: Ask, choice: Choice, random: Random | None) -> bool:
    if random is None:
        if not ask.completes():
            s.chosen[ask.player] = [*s.chosen[ask.player], choice]
        return True
    moves = ask.moves(s)
    if not len(moves):
        return False
    ask.record(s, moves[random.below(len(moves))])
    return True
