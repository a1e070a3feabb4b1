"""Rules of thumb for Kirifu: cut with the cheapest card that does it, keep trumps for later, get rid of low cards."""

from __future__ import annotations

from typing import Any, Final

from fuda.bots.bot import Bot, suit

WORLD: Final = "spade A"
RANKS: Final = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "A"]
TRUMP: Final = 11
"""Any trump is worth more than any other card."""
TOO_DEAR: Final = 20
"""While there is a stock to draw from, rather take than part with such a card."""
WORTH_OF_PLAYING: Final = 6.0
"""Getting rid of one more card is worth parting with one that is so strong."""
WHEN_TO_USE: Final = ["monk", "locksmith", "watchman", "fisher", "peddler", "drummer", "turncoat", "juggler"]
"""The characters that are used at the first good moment; the others cost their owner more than they bring."""


class ThumbKirifu(Bot):
    def choose(self, view: dict[str, Any], moves: list[str]) -> str:
        kind = view["question"]["kind"]
        if kind == "answer":
            return answer(view, moves)
        if kind == "attack":
            return attack(view, moves)
        return choose_for_character(view, moves)


def strength(card: str, trump: str) -> int:
    """From the 2 of a plain suit, 0, to the World."""
    if card == WORLD:
        return TRUMP * 2 + 1
    return RANKS.index(card.partition(" ")[2]) + (TRUMP if suit(card) == trump else 0)


def cards_of(move: str) -> list[str]:
    return move.split(" + ")


def is_card(move: str) -> bool:
    return " " in move


def stock_left(view: dict[str, Any]) -> int:
    size: int = view["stock"]["size"]
    return size


def answer(view: dict[str, Any], moves: list[str]) -> str:
    """The cheapest cut, unless it costs too much while there is a stock; what cannot be cut, a character may settle."""
    cuts = sorted([move for move in moves if is_card(move)], key=lambda card: strength(card, view["trump"]))
    if cuts and (stock_left(view) == 0 or strength(cuts[0], view["trump"]) < TOO_DEAR):
        return cuts[0]
    for character in ("monk", "locksmith"):
        if character in moves:
            return character
    return "take"


def attack(view: dict[str, Any], moves: list[str]) -> str:
    """Many low cards at once; with the stock gone the number of cards counts most."""
    trump: str = view["trump"]
    each = WORTH_OF_PLAYING if stock_left(view) else WORTH_OF_PLAYING * 2

    def worth(move: str) -> float:
        return sum([each - strength(card, trump) for card in cards_of(move)])

    best = max([move for move in moves if is_card(move)], key=worth)
    for character in ("drummer", "fisher", "peddler", "watchman", "turncoat"):
        if character in moves:
            return character
    return best


def choose_for_character(view: dict[str, Any], moves: list[str]) -> str:
    """The fisher takes the strongest card; whoever has to part with one parts with the weakest."""
    ranked = sorted(moves, key=lambda card: strength(card, view["trump"]))
    return ranked[-1] if view["question"]["character"] == "fisher" else ranked[0]
