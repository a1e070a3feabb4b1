"""Rules of thumb for Frantic: play cards fast, those with many points first, and attack whoever is ahead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from fuda.bots.bot import Bot, my_hand

COLOURS: Final = ["red", "yellow", "green", "blue"]
CURSE: Final = "curse"
FUCK_YOU: Final = "fuck you"
TEN: Final = 10
"""How many cards one must hold to play Fuck You."""
POINTS: Final = {CURSE: 13.0, FUCK_YOU: 42.0}
SPECIAL: Final = 7.0
BLACK_COST: Final = 6.0
"""What a black card costs its holder besides its points, since it rarely fits."""
ALWAYS_FITS: Final = 5.0
"""How much less it costs to hold a card without a colour, as it can be played on anything."""
CARD_IN_HAND: Final = 5.0
"""What a card counts, on average."""
EAGERNESS: Final = {
    FUCK_YOU: 99.0,
    "gift": 20.0,
    "inequality": 18.0,
    "2nd chance": 14.0,
    "fantastic four": 11.0,
    "mimicry": 10.0,
    "exchange": 9.0,
    "equality": 8.0,
    "skip": 8.0,
    "colour swap": 7.0,
    "special favours": 4.0,
    "troublemaker": 3.0,
    "fantastic": 2.0,
    "counterattack": 1.0,
    "nice try": 0.5,
    "lucky bastard": 0.5,
    "thief": -2.0,
}
"""How soon a special card is played, compared with the number of a numeral; reactions are kept."""
BLACK_EAGERNESS: Final = 4.0
"""A black card rarely fits, but its event may hit its owner as well."""
LAST_RESORT: Final = -9.0
BRING_NEW_CARDS: Final = ["exchange", "2nd chance"]
"""Only useful with another card to exchange, or to play next."""
NUMERALS: Final = 81
CARDS: Final = 147
CARDS_WITHOUT_ADDON: Final = 125
WHEN_BEHIND: Final = ["mexican standoff", "robin hood", "recession", "charity", "mating season", "vandalism"]
WHEN_AHEAD: Final = ["finish line", "recession", "mating season", "vandalism", "surprise party", "merry christmas"]
HARMLESS: Final = ["friday the 13th", "the all-seeing eye", "russian roulette", "market", "last chance", "plus one"]
"""Events from the best on, for whoever can choose one."""


class ThumbFrantic(Bot):
    """Answers each kind of question by a rule of its own."""

    def choose(self, view: dict[str, Any], moves: list[str]) -> str:
        return moves[0] if len(moves) == 1 else ANSWERS[view["question"]["kind"]](view, moves)


# Cards ----------------------------------------------------------------------------------------


def number(card: str) -> int:
    """The number of a numeral; 0 for any other card."""
    last = card.rpartition(" ")[2]
    return int(last) if last.isdigit() else 0


def colours(card: str) -> list[str]:
    """The colours of a card: none, one, or the two of a Colour Swap."""
    return [colour for colour in card.partition(" ")[0].split("-") if colour in COLOURS]


def is_black(card: str) -> bool:
    return card.startswith("black ")


def symbol(card: str) -> str:
    """A special card's name without its colour."""
    return card.partition(" ")[2] if colours(card) else card


def cost(card: str) -> float:
    """What it costs to hold a card: its points, and more if it can rarely be played."""
    if number(card):
        return number(card) + (BLACK_COST if is_black(card) else 0.0)
    return POINTS.get(card, SPECIAL if colours(card) else SPECIAL - ALWAYS_FITS)


# The table ------------------------------------------------------------------------------------


def size(view: dict[str, Any], seat: str) -> int:
    hand = view["hands"][seat]
    return len(hand) if seat == view["you"] else int(hand["size"])


def expected_total(view: dict[str, Any], seat: str) -> float:
    """A player's likely total after this round: the lower, the more dangerous."""
    return float(view["totals"][seat]) + CARD_IN_HAND * size(view, seat)


def most_dangerous(view: dict[str, Any], moves: list[str]) -> str:
    """The most dangerous of those who can be chosen."""
    return min([move for move in moves if move in view["hands"]], key=lambda seat: expected_total(view, seat))


def least_dangerous(view: dict[str, Any], moves: list[str]) -> str:
    """The least dangerous of those who can be chosen."""
    return max([move for move in moves if move in view["hands"]], key=lambda seat: expected_total(view, seat))


def is_ahead(view: dict[str, Any]) -> bool:
    """Whether nobody holds fewer cards than I."""
    return all(size(view, view["you"]) <= size(view, seat) for seat in view["hands"])


# Playing a card -------------------------------------------------------------------------------


def play(view: dict[str, Any], moves: list[str]) -> str:
    """The best card to play; with Fuck You in hand, the bot draws until it holds ten cards."""
    hand = my_hand(view)
    if FUCK_YOU in hand and len(hand) < TEN and moves[-1] in ("draw", "pass"):
        return moves[-1]
    return best_card(view, [move for move in moves if move not in ("draw", "pass")])


def mimic(view: dict[str, Any], moves: list[str]) -> str:
    """What Mimicry becomes; as Fuck You it would do nothing."""
    return best_card(view, [move for move in moves if move != FUCK_YOU])


def best_card(view: dict[str, Any], cards: list[str]) -> str:
    """The best card to play, or for Mimicry to become."""
    return max(cards, key=lambda card: eagerness(view, card))


def eagerness(view: dict[str, Any], card: str) -> float:
    """How soon to play a card: by its effect, or by its number."""
    if number(card):
        return BLACK_EAGERNESS if is_black(card) else float(number(card))
    rest = [other for other in my_hand(view) if other != card]
    alone = not rest or (symbol(card) == "2nd chance" and not any(follows(other, card) for other in rest))
    return LAST_RESORT if alone and symbol(card) in BRING_NEW_CARDS else EAGERNESS[symbol(card)]


def follows(card: str, top: str) -> bool:
    """Whether a card could be played on a special card of one colour."""
    if card in POINTS or is_black(card):
        return False
    return not colours(card) or colours(top)[0] in colours(card) or symbol(card) == symbol(top)


def wish(view: dict[str, Any], moves: list[str]) -> str:
    """What most of the hand would follow."""
    return max(moves, key=lambda move: len([card for card in my_hand(view) if follows_wish(card, move)]))


def follows_wish(card: str, move: str) -> bool:
    wished = move.rpartition(" ")[2]
    return wished in colours(card) or wished == str(number(card))


# Attacks --------------------------------------------------------------------------------------


def target(view: dict[str, Any], moves: list[str]) -> str:
    """The most dangerous player, or for Thief, which takes cards away, the least; "pass" if it would harm the bot."""
    card = symbol(view["question"]["card"])
    unwelcome = card == "thief" or (card == "exchange" and not my_hand(view))
    if "pass" in moves and (unwelcome or (card == "special favours" and not is_worth_a_favour(view, moves))):
        return "pass"
    return least_dangerous(view, moves) if card == "thief" else most_dangerous(view, moves)


def is_worth_a_favour(view: dict[str, Any], moves: list[str]) -> bool:
    """Whether the bot holds Curse, or more special cards than the most dangerous player probably does."""
    special = [card for card in my_hand(view) if not number(card) and card != FUCK_YOU]
    return CURSE in special or len(special) > size(view, most_dangerous(view, moves)) / 2


def counter(view: dict[str, Any], moves: list[str]) -> str:
    """Redirects every attack except a thief's, who takes cards away."""
    return "pass" if symbol(view["question"]["card"]) == "thief" else moves[0]


def first(_: dict[str, Any], moves: list[str]) -> str:
    """A card that may be thrown in is listed before the pass, and costs nothing."""
    return moves[0]


def give(_: dict[str, Any], moves: list[str]) -> str:
    return max([move for move in moves if move != "pass"], key=cost)


def take(_: dict[str, Any], moves: list[str]) -> str:
    return min(moves, key=cost)


# Events ---------------------------------------------------------------------------------------


def distribute(view: dict[str, Any], _: list[str]) -> str:
    """The bot keeps the cheapest hand of the others; the more dangerous a player, the more expensive the hand they get."""
    you: str = view["you"]
    packet: str = view["question"]["packet"]
    seats = [seat for seat in view["hands"] if seat not in view["question"]["protected"]]
    packets = sorted(seats, key=lambda seat: hand_cost(view, seat))
    if you in seats:
        for_me = next(seat for seat in packets if seat != you)
        if packet == for_me:
            return you
        packets.remove(for_me)
    receivers: list[str] = sorted([seat for seat in seats if seat != you], key=lambda seat: -expected_total(view, seat))
    return receivers[packets.index(packet)]


def hand_cost(view: dict[str, Any], seat: str) -> float:
    """What it costs to hold the cards of an open hand."""
    cards = my_hand(view) if seat == view["you"] else view["hands"][seat]["cards"]
    return sum([CARD_IN_HAND + cost(card) for card in cards])


def gamble(view: dict[str, Any], moves: list[str]) -> str:
    """A low card, which takes no others; a high one if the second-lowest takes all and there are at least three players."""
    is_high_safe = view["options"]["second_lowest"] and view["players"] > 2
    return moves[0] if moves == ["pass"] else give(view, moves) if is_high_safe else take(view, moves)


def seppuku(view: dict[str, Any], _: list[str]) -> str:
    """Commits if a numeral on the deck is likely enough to be better than declining."""
    seen = [*my_hand(view), *view["discard"]]
    unseen = (CARDS if view["options"]["addon"] else CARDS_WITHOUT_ADDON) - len(seen)
    numerals = NUMERALS - len([card for card in seen if number(card)])
    return "commit" if numerals * (3 if view["options"]["scored"] else 2) > unseen else "decline"


def change_hands(view: dict[str, Any], moves: list[str]) -> str:
    """If somebody holds fewer cards, the bot swaps with the most dangerous player; else, if possible, two others swap."""
    if not is_ahead(view) and view["you"] in moves:
        return str(view["you"])
    return most_dangerous(view, [move for move in moves if move != view["you"]] or moves)


def event(view: dict[str, Any], moves: list[str]) -> str:
    """What helps in the situation, else what does no harm."""
    best = (WHEN_AHEAD if is_ahead(view) else WHEN_BEHIND) + HARMLESS
    return min(moves, key=lambda move: best.index(move) if move in best else len(best))


ANSWERS: Final[dict[str, Callable[[dict[str, Any], list[str]], str]]] = {
    "turn": play,
    "drawn": play,
    "2nd chance": play,
    "mimicry": mimic,
    "wish": wish,
    "maybe wish": wish,
    "colour": wish,
    "target": target,
    "target or wish": target,
    "split": most_dangerous,
    "counterattack": counter,
    "redirect": target,
    "pick": give,
    "steal": take,
    "gambling man": gamble,
    "for whom": most_dangerous,
    "merry christmas": most_dangerous,
    "distributor": distribute,
    "trust fall": least_dangerous,
    "market": take,
    "seppuku": seppuku,
    "the all-seeing eye": first,
    "identity theft": change_hands,
    "lucky bastard": first,
    "event manager": event,
    "repeat": event,
    "nice try": first,
}
