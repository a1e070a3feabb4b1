"""Rules of thumb for Cursed Tricks: win cards while they count, break curses, avoid the third, or win no trick at all."""

from __future__ import annotations

from typing import Any, Final

from fuda.bots.bot import Bot, my_hand, rank, suit, unseen_cards
from fuda.bots.tricks import chance_to_follow, still_to_play

NO_TRICK: Final = 10.0
THIRD_CURSE: Final = -8.0
BREAK_EACH_TRICK: Final = 0.05
"""How likely each trick to come frees me of a curse."""
EARLY_BONUS: Final = 0.01
"""Of cards that are equally good, the one that is more likely to win later is played first."""


class ThumbCursedTricks(Bot):
    """Plays the card after which the round looks best."""

    def choose(self, view: dict[str, Any], moves: list[str]) -> str:
        if view["question"]["kind"] in ("break", "maybe break"):
            return curse_to_break(view, view["curses"][view["you"]])
        unseen = unseen_cards(view)
        risks = {card: chance_to_be_highest(view, unseen, card, others(view)) for card in my_hand(view)}
        return max(moves, key=lambda move: value_of(view, unseen, risks, move))


def curse_to_break(view: dict[str, Any], curses: list[str]) -> str:
    """The one without which the pile is worth most."""
    won: list[str] = view["won"][view["you"]]
    return max(curses, key=lambda curse: points([other for other in curses if other != curse], [*won, curse]))


def value_of(view: dict[str, Any], unseen: list[str], risks: dict[str, float], card: str) -> float:
    """How good this card is: it may win the trick, break a curse, or do neither."""
    you: str = view["you"]
    curses: list[str] = view["curses"][you]
    won: list[str] = view["won"][you]
    wins = chance_to_win(view, unseen, card)
    breaks = chance_to_break(view, unseen, card) if curses else 0.0
    value = wins * after_winning(view, card) if wins > 0 else 0.0
    if breaks > 0:
        broken = curse_to_break(view, curses)
        value += breaks * round_value([curse for curse in curses if curse != broken], [*won, broken], 0.0, tricks_left(view))
    value += (1 - wins - breaks) * round_value(curses, won, chance_of_no_trick(risks, card), tricks_left(view))
    return value + EARLY_BONUS * risks[card]


def others(view: dict[str, Any]) -> list[str]:
    return [seat for seat in view["hands"] if seat != view["you"]]


# The trick ------------------------------------------------------------------------------------


def highest_value(view: dict[str, Any]) -> int:
    return 13 if view["options"]["deck"] == "standard" else 14


def chance_to_win(view: dict[str, Any], unseen: list[str], card: str) -> float:
    """Only the highest card of the led colour wins, or the 1 over the very highest."""
    trick: list[str] = view["trick"]
    if trick and suit(card) != suit(trick[0]):
        return 0.0
    values = [rank(other) for other in trick if suit(other) == suit(card)]
    if rank(card) == 1 and highest_value(view) in values:
        return 1.0
    if rank(card) < max([0, *values]) or (rank(card) == highest_value(view) and 1 in values):
        return 0.0
    return chance_to_be_highest(view, unseen, card, still_to_play(view))


def chance_to_be_highest(view: dict[str, Any], unseen: list[str], card: str, seats: list[str]) -> float:
    """How likely none of these seats beats a card whose colour is led."""
    values = [rank(other) for other in unseen if suit(other) == suit(card)]
    beating = [value for value in values if (value == 1 if rank(card) == highest_value(view) else value > rank(card))]
    return chance_that_none(view, suit(card), len(values), len(beating), len(unseen), seats)


def chance_to_break(view: dict[str, Any], unseen: list[str], card: str) -> float:
    """The lowest card that follows breaks a curse; a 1 prevents it."""
    trick: list[str] = view["trick"]
    if not trick or suit(card) != suit(trick[0]) or rank(card) == 1:
        return 0.0
    if rank(card) > min([rank(other) for other in trick if suit(other) == suit(card)]):
        return 0.0
    values = [rank(other) for other in unseen if suit(other) == suit(card)]
    lower = [value for value in values if value < rank(card)]
    return chance_that_none(view, suit(card), len(values), len(lower), len(unseen), still_to_play(view))


def chance_that_none(view: dict[str, Any], colour: str, of_colour: int, bad: int, unseen: int, seats: list[str]) -> float:
    """How likely none of these seats follows with one of the `bad` cards among the `of_colour` unseen ones of a colour."""
    chance = 1.0
    for seat in seats:
        chance *= 1 - chance_to_follow(view, seat, colour, of_colour, unseen) * bad / max(1, of_colour)
    return chance


# The score ------------------------------------------------------------------------------------


def points(curses: list[str], won: list[str]) -> float:
    """What the cards won would score with these curses."""
    if len(curses) >= 2:
        return 0.0 if len(curses) == 2 else THIRD_CURSE
    return float(len([card for card in won if not curses or suit(card) != suit(curses[0])]))


def round_value(curses: list[str], won: list[str], no_trick: float, left: int) -> float:
    """What the round is worth, given the chance of no trick at all, and of breaking a curse in the tricks left."""
    if not curses and not won:
        return NO_TRICK * no_trick
    now = points(curses, won)
    if not 1 <= len(curses) <= 2:
        return now
    freed = max([points([other for other in curses if other != curse], [*won, curse]) for curse in curses])
    return now + (freed - now) * left * BREAK_EACH_TRICK


def after_winning(view: dict[str, Any], card: str) -> float:
    """The trick brings its cards, and a curse unless a higher one of that colour lies on the table."""
    you: str = view["you"]
    curses: list[str] = view["curses"][you]
    trick: list[str] = [*view["trick"], *[card] * len(still_to_play(view))]
    colour = view["trick"][0] if view["trick"] else card
    there = [rank(curse) for seat in view["curses"] for curse in view["curses"][seat] if suit(curse) == suit(colour)]
    if there and max(there) > rank(card):
        return round_value(curses, [*view["won"][you], *trick, card], 0.0, tricks_left(view))
    return round_value(
        [curse for curse in curses if suit(curse) != suit(card)] + [card], view["won"][you] + trick, 0.0, tricks_left(view)
    )


def chance_of_no_trick(risks: dict[str, float], card: str) -> float:
    """How likely the rest of the hand stays without a trick."""
    chance = 1.0
    for other in risks:
        if other != card:
            chance *= 1 - risks[other]
    return chance


def tricks_left(view: dict[str, Any]) -> int:
    return len(my_hand(view)) - 1
