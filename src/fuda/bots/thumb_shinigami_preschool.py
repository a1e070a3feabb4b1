"""Rules of thumb for Shinigami Preschool: avoid every trick as long as that may succeed, else collect pairs and fours."""

from __future__ import annotations

from typing import Any, Final

from fuda.bots.bot import Bot, my_hand, rank, suit, unseen_cards
from fuda.bots.tricks import chance_to_hold, player_at, still_to_play

NO_TRICK: Final = 10.0
NO_TRICK_OF_TWO: Final = 20.0
"""Of two players, whoever takes no trick wins the whole game."""
WORTH: Final = [0.0, 0.2, 0.8, 1.0, 4.0]
"""What 0 to 4 cards of a number are worth to me, with some hope for the next."""
POINTS: Final = [0.0, 0.0, 1.0, 0.0, 4.0]
"""What they are worth to somebody else, for whom a third card can spoil a pair."""
USUAL_GAIN: Final = 0.3
"""What a trick still to come brings, on average; half of that to a player who tries to take none."""
UNWILLING: Final = 0.75
"""How many tricks a player takes who tries to take none, as a share of the average."""
LATER_PENALTY: Final = 0.01
"""Of cards that are equally good, the one that is less likely to win later is played first."""


class ThumbShinigamiPreschool(Bot):
    """Plays the card after which the round looks best."""

    def choose(self, view: dict[str, Any], moves: list[str]) -> str:
        unseen = unseen_cards(view)
        return max(moves, key=lambda move: value_of(view, unseen, move))


def value_of(view: dict[str, Any], unseen: list[str], card: str) -> float:
    """How good this card is: I may win the trick with it, or leave it to another."""
    won: list[str] = view["won"][view["you"]]
    trick: list[str] = [*view["trick"], card]
    wins = chance_to_win(view, unseen, trick)
    value = wins * round_value(view, [*won, *trick])
    value += (1 - wins) * (round_value(view, won) - given_away(view, trick))
    return value - LATER_PENALTY * chance_to_win_later(view, unseen, card)


# The trick ------------------------------------------------------------------------------------


def follows(card: str, lead: str) -> bool:
    return suit(card) == suit(lead) or rank(card) == rank(lead)


def winning_index(trick: list[str]) -> int:
    """The highest that follows; once the lead's number comes again, the lowest, and the later of equals."""
    again = any(rank(card) == rank(trick[0]) for card in trick[1:])
    best = 0
    for index in range(1, len(trick)):
        card = trick[index]
        if follows(card, trick[0]):
            better = rank(card) <= rank(trick[best]) if again else rank(card) > rank(trick[best])
            best = index if better else best
    return best


def chance_to_win(view: dict[str, Any], unseen: list[str], trick: list[str]) -> float:
    """How likely the last card of this trick is the winning one when all have played."""
    my_index = len(trick) - 1
    now = winning_index(trick) == my_index
    followers = [card for card in unseen if follows(card, trick[0])]
    if not followers:
        return float(now)
    still = len([card for card in followers if winning_index([*trick, card]) == my_index]) / len(followers)
    chance = float(now)
    for seat in still_to_play(view):
        follow = chance_to_follow_card(view, seat, trick[0], len(followers), len(unseen))
        chance = chance * (1 - follow + follow * still) if now else chance + (1 - chance) * follow * still
    return chance


def chance_to_follow_card(view: dict[str, Any], seat: str, lead: str, followers: int, unseen: int) -> float:
    """How likely a seat holds one of the `followers` among the unseen cards; 0 if it has neither colour nor number."""
    if suit(lead) in view["voids"][seat] and str(rank(lead)) in view["voids"][seat]:
        return 0.0
    return chance_to_hold(view, seat, followers, unseen)


def chance_to_win_later(view: dict[str, Any], unseen: list[str], card: str) -> float:
    """How likely a card of my hand would win a trick in its colour."""
    numbers = [rank(other) for other in unseen if suit(other) == suit(card)]
    higher = len([number for number in numbers if number > rank(card)]) / max(1, len(numbers))
    chance: float = (1 - higher) ** (view["players"] - 1)
    return chance


# The score ------------------------------------------------------------------------------------


def round_value(view: dict[str, Any], won: list[str]) -> float:
    """What the round is worth as it stands, with what the tricks to come usually bring."""
    left = len(my_hand(view)) - 1
    later = USUAL_GAIN * left
    if won:
        return sets_in(won, WORTH) + later
    no_trick: float = (1 - UNWILLING / view["players"]) ** left
    wins = view["players"] == 2 and not view["options"].get("ten_for_no_trick")
    return no_trick * (NO_TRICK_OF_TWO if wins else NO_TRICK) + (1 - no_trick) * later / 2


def sets_in(won: list[str], worth: list[float]) -> float:
    numbers = [rank(card) for card in won]
    return sum([worth[numbers.count(number)] for number in set(numbers)])


def given_away(view: dict[str, Any], trick: list[str]) -> float:
    """What the trick brings whoever has it now, divided by the number of rivals; it can also cost them points."""
    taker = player_at(view, winning_index(trick))
    if taker == view["you"]:
        return 0.0
    players: int = view["players"]
    won: list[str] = view["won"][taker]
    before: float = sets_in(won, POINTS) if won else NO_TRICK * (1 - 1 / players) ** len(my_hand(view))
    return (sets_in([*won, *trick], POINTS) - before) / (players - 1)
