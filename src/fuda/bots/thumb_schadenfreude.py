"""Rules of thumb for Schadenfreude: count who will be over the target, stay under it, and ahead of the rest."""

from __future__ import annotations

from math import tanh
from typing import Any, Final

from fuda.bots.bot import Bot, my_hand, rank, suit, unseen_cards
from fuda.bots.tricks import chance_to_follow, player_at, still_to_play

WILD: Final = "wild"
USUAL_GAIN: Final = 1.0
"""What a trick still to come brings each player, on average."""
CAREFUL_GAIN: Final = 0.5
"""The same for a player who knows what to avoid."""
USUAL_GIFT: Final = 3.0
"""What somebody who cannot follow throws in, on average."""


class ThumbSchadenfreude(Bot):
    """Plays the card after which it is most likely to win the game."""

    def choose(self, view: dict[str, Any], moves: list[str]) -> str:
        unseen = unseen_cards(view)
        return max(moves, key=lambda move: value_of(view, unseen, move))


def value_of(view: dict[str, Any], unseen: list[str], card: str) -> float:
    """How good this card is: I may take the trick with it, or leave it to another."""
    you: str = view["you"]
    trick: list[str] = [*view["trick"], card]
    led = suit_led(trick)
    takes = chance_to_take(view, unseen, trick) if follows(card, led) else 0.0
    value = 0.0
    if takes > 0:
        coming = USUAL_GIFT * gifts_to_come(view, unseen, led)
        value += takes * chance_to_win(view, totals_after(view, you, [card, *gifts_in(trick, led)]), coming)
    if takes < 1:
        taker = player_at(view, second_highest(trick, led))
        taken = [] if taker == you else [trick[second_highest(trick, led)], *gifts_in(trick, led)]
        value += (1 - takes) * chance_to_win(view, totals_after(view, taker, taken), 0.0)
    return value


# The trick ------------------------------------------------------------------------------------


def suit_led(trick: list[str]) -> str:
    """The suit of the first card that is not wild."""
    for card in trick:
        if suit(card) != WILD:
            return suit(card)
    return WILD


def follows(card: str, led: str) -> bool:
    return suit(card) in (led, WILD) or led == WILD


def gifts_in(trick: list[str], led: str) -> list[str]:
    """The cards that did not follow: they go to whoever takes the trick."""
    return [card for card in trick if not follows(card, led)]


def second_highest(trick: list[str], led: str) -> int:
    """The index of the card that takes the trick as it is now: the second highest, or the only one that follows."""
    followers = sorted([at for at in range(len(trick)) if follows(trick[at], led)], key=lambda at: -rank(trick[at]))
    return followers[1] if len(followers) > 1 else followers[0]


def chance_to_take(view: dict[str, Any], unseen: list[str], trick: list[str]) -> float:
    """How likely exactly one card will be higher than mine, or mine the only one that follows."""
    led = suit_led(trick)
    my_rank = rank(trick[-1])
    rivals = [rank(card) for card in trick[:-1] if follows(card, led)]
    higher = len([one for one in rivals if one > my_rank])
    highest, second, alone = float(higher == 0), float(higher == 1), float(not rivals)
    to_come = [rank(card) for card in unseen if follows(card, led)]
    share = len([one for one in to_come if one > my_rank]) / max(1, len(to_come))
    for seat in still_to_play(view):
        follow = chance_to_follow(view, seat, led, len(to_come), len(unseen))
        beats = follow * share
        second = second * (1 - beats) + highest * beats
        highest *= 1 - beats
        alone *= 1 - follow
    return min(1.0, second + alone)


def gifts_to_come(view: dict[str, Any], unseen: list[str], led: str) -> float:
    """How many of those who play after me will not follow."""
    followers = len([card for card in unseen if follows(card, led)])
    return sum([1 - chance_to_follow(view, seat, led, followers, len(unseen)) for seat in still_to_play(view)])


# The score ------------------------------------------------------------------------------------


def totals_after(view: dict[str, Any], taker: str, taken: list[str]) -> dict[str, int]:
    """What everyone would have if the round ended after this trick."""
    totals: dict[str, int] = {}
    for seat in view["totals"]:
        pile = view["piles"][seat] + taken if seat == taker else view["piles"][seat]
        totals[seat] = max(0, view["totals"][seat] + worth(pile))
    return totals


def worth(pile: list[str]) -> int:
    """The sum of a pile in which equal values cancel each other in pairs."""
    single: set[int] = set()
    for card in pile:
        single ^= {rank(card)}
    return sum(single)


def chance_to_win(view: dict[str, Any], totals: dict[str, int], extra: float) -> float:
    """I win if somebody goes over the target but not I, and nobody else comes closer; else the game goes on."""
    left = len(my_hand(view)) - 1
    over = view["options"]["target"] + 0.5
    my_total = totals[view["you"]] + extra + CAREFUL_GAIN * left
    all_beaten, all_under, all_behind = 1.0, 1.0, 1.0
    for seat in totals:
        if seat != view["you"]:
            theirs = totals[seat] + USUAL_GAIN * left
            out = likely(theirs - over, left)
            behind = (1 - out) * likely(my_total - theirs, left)
            all_beaten *= out + behind
            all_under *= 1 - out
            all_behind *= behind
    ends_well = all_beaten - all_behind
    players: int = view["players"]
    return likely(over - my_total, left) * (ends_well + all_under / players)


def likely(lead: float, left: int) -> float:
    """How likely a lead of this many points lasts through the tricks that are left."""
    return (1 + tanh(lead / (1 + left * 0.7))) / 2
