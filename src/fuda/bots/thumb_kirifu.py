"""Rules of thumb for Kirifu: cut with the weakest card that does it, keep trumps for later, play low cards."""

from __future__ import annotations

from typing import Any, Final

from fuda.bots.bot import Bot, suit

WORLD: Final = "spade A"
RANKS: Final = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "A"]
TRUMP: Final = 11
"""Any trump is worth more than any other card."""
TOO_STRONG: Final = 20
"""While there is a stock to draw from, rather take than cut with a card of this strength."""
CARD_LESS: Final = 6.0
"""What it is worth to hold one card less: as much as the strength of a card that may be given up for it."""


class ThumbKirifu(Bot):
    def choose(self, view: dict[str, Any], moves: list[str]) -> str:
        question = view["question"]["kind"]
        if question == "answer":
            return answer(view, moves)
        if question == "attack":
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
    """The weakest card that cuts, unless it is too strong to lose while there is a stock; else a character, else take."""
    cuts = sorted([move for move in moves if is_card(move)], key=lambda card: strength(card, view["trump"]))
    if cuts and (stock_left(view) == 0 or strength(cuts[0], view["trump"]) < TOO_STRONG):
        return cuts[0]
    for character in ("monk", "locksmith"):
        if character in moves:
            return character
    return "take"


def attack(view: dict[str, Any], moves: list[str]) -> str:
    """Many low cards at once; when the stock is empty the number of cards counts most."""
    trump: str = view["trump"]
    each = CARD_LESS if stock_left(view) else CARD_LESS * 2

    def worth(move: str) -> float:
        return sum([each - strength(card, trump) for card in cards_of(move)])

    best = max([move for move in moves if is_card(move)], key=worth)
    for character in ("drummer", "fisher", "peddler", "watchman", "turncoat"):
        if character in moves:
            return character
    return best


def choose_for_character(view: dict[str, Any], moves: list[str]) -> str:
    """The fisher takes the strongest card; the others give the weakest away."""
    ranked = sorted(moves, key=lambda card: strength(card, view["trump"]))
    return ranked[-1] if view["question"]["character"] == "fisher" else ranked[0]
