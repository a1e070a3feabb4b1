"""Rules of thumb for Shinigami Preschool: shun every trick as long as there is hope, else collect pairs and fours."""

from __future__ import annotations

from typing import Any, Final

from fuda.bots.bot import Bot, my_hand, player_of, rank, still_to_play, suit, unseen

NO_TRICK: Final = 10.0
NO_TRICK_OF_TWO: Final = 20.0
"""Of two players, whoever takes no trick wins the whole game."""
WORTH: Final = [0.0, 0.2, 0.8, 1.0, 4.0]
"""What so many cards of a number are worth to me, with some hope for the next."""
POINTS: Final = [0.0, 0.0, 1.0, 0.0, 4.0]
"""What they are worth to somebody else, who may be spoiled a pair by a third card."""
USUAL_GAIN: Final = 0.3
"""What a trick still to come brings, on average; half of that to who tries to take none."""
UNWILLING: Final = 0.75
"""How much of a fair share of the tricks falls to who tries to take none: high cards are no worse than low ones."""
KEEP: Final = 0.01
"""Of cards that are equally good, the one that is the less likely to win later goes first."""


class ThumbShinigamiPreschool(Bot):
    """Plays the card after which the round looks best."""

    def choose(self, view: dict[str, Any], moves: list[str]) -> str:
        hidden = unseen(view)
        return max(moves, key=lambda move: outlook(view, hidden, move))


def outlook(view: dict[str, Any], hidden: list[str], card: str) -> float:
    """How good this card is: I may win the trick with it, or leave it to another."""
    won: list[str] = view["won"][view["you"]]
    trick: list[str] = [*view["trick"], card]
    wins = chance_to_win(view, hidden, trick)
    value = wins * standing(view, [*won, *trick])
    value += (1 - wins) * (standing(view, won) - given_away(view, trick))
    return value - KEEP * chance_to_win_later(view, hidden, card)


# The trick ------------------------------------------------------------------------------------


def follows(card: str, lead: str) -> bool:
    return suit(card) == suit(lead) or rank(card) == rank(lead)


def winning_place(trick: list[str]) -> int:
    """The highest that follows; once the lead's number comes again, the lowest, and the later of equals."""
    again = any(rank(card) == rank(trick[0]) for card in trick[1:])
    best = 0
    for place in range(1, len(trick)):
        card = trick[place]
        if follows(card, trick[0]):
            better = rank(card) <= rank(trick[best]) if again else rank(card) > rank(trick[best])
            best = place if better else best
    return best


def chance_to_win(view: dict[str, Any], hidden: list[str], trick: list[str]) -> float:
    """How likely the last card of this trick is the winning one when all have played."""
    mine = len(trick) - 1
    now = winning_place(trick) == mine
    out = [card for card in hidden if follows(card, trick[0])]
    if not out:
        return float(now)
    still = len([card for card in out if winning_place([*trick, card]) == mine]) / len(out)
    chance = float(now)
    for seat in still_to_play(view):
        follow = chance_to_follow_card(view, seat, trick[0], len(out), len(hidden))
        chance = chance * (1 - follow + follow * still) if now else chance + (1 - chance) * follow * still
    return chance


def chance_to_follow_card(view: dict[str, Any], seat: str, lead: str, out: int, hidden: int) -> float:
    """How likely a seat holds one of the `out` cards that follow; none if it has neither colour nor number left."""
    if suit(lead) in view["voids"][seat] and str(rank(lead)) in view["voids"][seat]:
        return 0.0
    size: int = view["hands"][seat]["size"]
    return 1.0 - (1.0 - out / hidden) ** size


def chance_to_win_later(view: dict[str, Any], hidden: list[str], card: str) -> float:
    """How likely a card of my hand would win a trick in its colour."""
    out = [rank(other) for other in hidden if suit(other) == suit(card)]
    higher = len([number for number in out if number > rank(card)]) / max(1, len(out))
    chance: float = (1 - higher) ** (view["players"] - 1)
    return chance


# The score ------------------------------------------------------------------------------------


def standing(view: dict[str, Any], won: list[str]) -> float:
    """What the round is worth as it stands, with what the tricks to come usually bring."""
    left = len(my_hand(view)) - 1
    later = USUAL_GAIN * left
    if won:
        return sets_in(won, WORTH) + later
    shun: float = (1 - UNWILLING / view["players"]) ** left
    return shun * (NO_TRICK_OF_TWO if view["players"] == 2 else NO_TRICK) + (1 - shun) * later / 2


def sets_in(won: list[str], worth: list[float]) -> float:
    numbers = [rank(card) for card in won]
    return sum([worth[numbers.count(number)] for number in set(numbers)])


def given_away(view: dict[str, Any], trick: list[str]) -> float:
    """What the trick brings whoever has it now, shared among the rivals; it can cost them a pair, or no trick at all."""
    taker = player_of(view, winning_place(trick))
    if taker == view["you"]:
        return 0.0
    players: int = view["players"]
    won: list[str] = view["won"][taker]
    before: float = sets_in(won, POINTS) if won else NO_TRICK * (1 - 1 / players) ** len(my_hand(view))
    return (sets_in([*won, *trick], POINTS) - before) / (players - 1)
