"""Views: all that a seat may know, built up from what it can see, never by deleting from the whole."""

from __future__ import annotations

from typing import Any, Final

from mypy_extensions import i64

from fuda.engine.chance import SEATS, Chance
from fuda.engine.core import State
from fuda.engine.deals import deal_anew
from fuda.engine.errors import Error
from fuda.engine.fields import Setup, brief, size_of
from fuda.engine.notes import NOBODY, Log, Note, checked_history, seats_in
from fuda.engine.rulebook import Options, Rulebook

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
        "question": None if s.over else rules.question(s),
        "over": s.over,
        "winners": seats_in(s.winners) if s.over else None,
    }
    for field in rules.fields:
        view[field.name] = field.show(s, rules.cards, viewer)
    view["history"] = history
    return view


def state_from(rules: Rulebook[Any], view: dict[str, Any], chance: Chance) -> tuple[State, Options, Log]:
    """A full state that the view's seat cannot tell from the true one: what it cannot see is dealt anew."""
    players = view["players"]
    options = rules.settle_options(players, view["options"])
    s: State = rules.blank(players, options, chance)
    setup = Setup(rules.cards, rules.deck(s), players, "The view")
    you = view["you"]
    viewer = NOBODY if you is None else setup.seat(you, "you")
    shown = {field.name: shown_part(view[field.name], f"{field.name}") for field in rules.fields}
    for field in rules.fields:
        field.write(s, shown[field.name], setup)
    rules.complete(s, view)
    fill_unseen(rules, s, view, viewer, setup)
    s.over = view["over"] is True
    if s.over:
        s.winners = winners_in(view["winners"], setup)
    else:
        rules.check(s, setup)
        rules.resume(s)
        s.settle()
    deal_anew(s, rules.fields, viewer, chance.random)
    return s, options, Log(rules.cards, checked_history(view["history"], "The view"))


def shown_part(value: Any, where: str) -> Any:
    """A view's field as a position has it, with nothing where the view shows only backs of cards."""
    if not isinstance(value, dict):
        return value
    if "size" in value:
        return value.get("cards")
    return {key: shown_part(value[key], where) for key in value}


def fill_unseen(rules: Rulebook[Any], s: State, view: dict[str, Any], viewer: i64, setup: Setup) -> None:
    """Puts some card, whichever, wherever the view shows the back of one."""
    unseen = setup.rest()
    at: i64 = 0
    for field in rules.fields:
        for place in field.hidden(s, viewer):
            shown = view[field.name]
            if isinstance(shown, dict) and "size" not in shown:
                shown = shown.get(SEATS[place.owner])
            size = size_of(shown)
            if not 0 <= size <= len(unseen) - at:
                raise setup.wrong(field.name, "that many cards cannot lie there.")
            field.fill(s, place.owner, unseen[at : at + size])
            at += size
    if at != len(unseen):
        raise Error(f"The view: {len(unseen) - at} cards of the deck lie nowhere.")


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
