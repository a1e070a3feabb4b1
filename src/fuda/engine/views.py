"""Views: all that a seat may know, built up from what it can see, never by deleting from the whole."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import append, extend, remove, vec
from mypy_extensions import i64

from fuda.engine.cards import holds
from fuda.engine.chance import Chance
from fuda.engine.core import State
from fuda.engine.deals import redeal_unseen
from fuda.engine.errors import Error, brief
from fuda.engine.fields import Field
from fuda.engine.notes import Log, Note, checked_history
from fuda.engine.rulebook import Options, Rulebook
from fuda.engine.seats import NOBODY, SEATS, seats_in
from fuda.engine.setup import Setup

HEADER: Final = ("game", "rules", "players", "options", "you", "seat", "question", "over", "winners", "history")
"""What a view has besides the fields of its game."""


def view_of(rules: Rulebook[Any], s: State, options: Options, viewer: i64, history: list[Note]) -> dict[str, Any]:
    view: dict[str, Any] = {
        "game": rules.id,
        "rules": rules.version,
        "players": s.players,
        "options": options.copy(),
        "you": SEATS[viewer] if viewer != NOBODY else None,
        "seat": None if s.over else SEATS[s.player],
        "question": None if s.over else rules.question(s, viewer),
        "over": s.over,
        "winners": seats_in(s.winners) if s.over else None,
    }
    for field in rules.fields:
        if field.in_views:
            view[field.name] = field.show(s, rules.cards, viewer)
    view["history"] = history
    return view


def state_from(rules: Rulebook[Any], view: dict[str, Any], chance: Chance) -> tuple[State, Options, Log]:
    """A full state that the view's seat cannot tell from the true one: what it cannot see is redealt."""
    players = view["players"]
    options = rules.checked_options(players, view["options"])
    s: State = rules.blank(players, options, chance)
    setup = Setup(rules.cards, rules.deck(s), players, "The view")
    you = view["you"]
    viewer = NOBODY if you is None else setup.seat(you, "you")
    for field in rules.fields:
        if field.in_views:
            field.write_shown(s, view[field.name], viewer, setup)
    rules.complete(s, view, setup)
    fill_unseen(rules, s, view, viewer, setup)
    s.over = view["over"] is True
    if s.over:
        s.winners = winners_in(view["winners"], setup)
    else:
        rules.check_all(s, setup)
        rules.resume(s)
        s.settle()
    redeal_unseen(s, rules.fields, viewer, chance.random)
    for field in rules.fields:
        field.imagine(s, viewer, chance.random)
    return s, options, Log(rules.cards, checked_history(view["history"], "The view"))


def fill_unseen(rules: Rulebook[Any], s: State, view: dict[str, Any], viewer: i64, setup: Setup) -> None:
    """Puts any unplaced cards where the view shows face-down cards."""
    unseen = setup.unplaced()
    for field in rules.fields:
        for hidden in field.hidden(s, viewer):
            size = field.unseen_count(view[field.name], hidden)
            if not 0 <= size <= len(unseen):
                raise setup.wrong(field.name, "there cannot be that many cards.")
            cards = extend(hidden.unseen[:], hidden.seen)
            for _ in range(size):
                card = first_for(field, unseen)
                if card < 0:
                    raise setup.wrong(field.name, "there cannot be that many cards.")
                unseen = remove(unseen, card)
                cards = append(cards, card)
            field.fill(s, hidden.owner, cards)
    if len(unseen):
        raise Error(f"The view: {len(unseen)} cards of the deck are missing.")


def first_for(field: Field, cards: vec[i64]) -> i64:
    """The first of the cards that this field allows; -1 if there is none."""
    for card in cards:
        if holds(field.allowed, card):
            return card
    return -1


def winners_in(value: object, setup: Setup) -> i64:
    if not isinstance(value, list):
        raise setup.wrong("winners", f"expected a list of seats, got {brief(value)}.")
    winners: i64 = 0
    bit: i64 = 1
    for player in range(setup.players):
        if SEATS[player] in value:
            winners |= bit
        bit += bit
    return winners
