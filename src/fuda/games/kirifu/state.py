"""The state of Kirifu, and the numbers of its moves."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.cards import BIT, count, set_from, zeros
from fuda.engine.chance import Chance
from fuda.engine.core import HOLD_IT, Rule, State
from fuda.games.kirifu.cards import CARD_NAMES, SPADE

CHARACTER_NAMES: Final = [
    "locksmith",
    "monk",
    "drummer",
    "peddler",
    "juggler",
    "fisher",
    "turncoat",
    "pathfinder",
    "sleeper",
    "watchman",
]
FIRST_CHARACTER: Final = 44
LOCKSMITH: Final = 44
MONK: Final = 45
DRUMMER: Final = 46
PEDDLER: Final = 47
JUGGLER: Final = 48
FISHER: Final = 49
TURNCOAT: Final = 50
PATHFINDER: Final = 51
SLEEPER: Final = 52
WATCHMAN: Final = 53
TAKE: Final = 54
DONE: Final = 55
ALL_CHARACTERS: Final = set_from(range(FIRST_CHARACTER, TAKE))
NO_CHARACTER: Final = -1
NAMES: Final = [*CARD_NAMES, *CHARACTER_NAMES]
MOVE_NAMES: Final = [*NAMES, "take", "done"]
HAND_SIZE: Final = 5
MOST_IDLE: Final = 172
MOST_PLAYERS: Final = 5
EMPTY: Final = vec[i64]()


class Kirifu(State):
    def __init__(
        self, players: i64, games: i64, with_characters: bool, no_runs: bool, no_companions: bool, chance: Chance
    ) -> None:
        super().__init__(players, chance)
        self.games: i64 = games
        self.with_characters = with_characters
        self.no_runs = no_runs
        """K-27, a house rule."""
        self.no_companions = no_companions
        """K-28, a house rule."""
        self.start: i64 = 0
        """Who began this game."""
        self.turn: i64 = 0
        self.trump: i64 = SPADE
        self.trump_card: i64 = 0
        self.hands = zeros(players)
        self.known = zeros(players)
        """The cards of each hand that everyone has seen."""
        self.stock = EMPTY
        """The top first."""
        self.table = EMPTY
        """The cards to be answered."""
        self.answers = EMPTY
        """The answers so far: a card, TAKE, or the monk."""
        self.discards: i64 = 0
        self.out = EMPTY
        """Who has no cards left and is out, in that order."""
        self.idle: i64 = 0
        """K-26: how many turns in a row had neither a cut nor a draw."""
        self.busy = False
        """Whether this turn has had a cut or a draw."""
        self.characters = zeros(players)
        """Face down before each player."""
        self.revealed = zeros(players)
        self.absent: i64 = 0
        """The characters that nobody has."""
        self.asking_character: i64 = NO_CHARACTER
        """The character whose question is open."""
        self.attack_character: i64 = NO_CHARACTER
        """The character that changes this turn's attack: the drummer or the pathfinder."""
        self.shown = EMPTY
        """The cards that the fisher turned up."""

    def clone(self) -> Kirifu:
        c = Kirifu(self.players, self.games, self.with_characters, self.no_runs, self.no_companions, self.chance.clone())
        self.copy_to(c)
        c.start = self.start
        c.turn = self.turn
        c.trump = self.trump
        c.trump_card = self.trump_card
        c.hands = self.hands[:]
        c.known = self.known[:]
        c.stock = self.stock[:]
        c.table = self.table[:]
        c.answers = self.answers[:]
        c.discards = self.discards
        c.out = self.out[:]
        c.idle = self.idle
        c.busy = self.busy
        c.characters = self.characters[:]
        c.revealed = self.revealed[:]
        c.absent = self.absent
        c.asking_character = self.asking_character
        c.attack_character = self.attack_character
        c.shown = self.shown[:]
        return c

    def set_row(self, name: str, row: vec[i64]) -> None:
        match name:
            case "stock":
                self.stock = row
            case "table":
                self.table = row
            case "answers":
                self.answers = row
            case "out":
                self.out = row
            case "shown":
                self.shown = row
            case _:
                super().set_row(name, row)

    # Who ----------------------------------------------------------------------------------------

    def next_player(self, player: i64) -> i64:
        """K-19: the next clockwise who is not out."""
        player = self.after(player)
        while self.is_out(player):
            player = self.after(player)
        return player

    def is_out(self, player: i64) -> bool:
        return player in self.out

    def receiver(self) -> i64:
        """Whom an attack is for."""
        player = self.next_player(self.turn)
        return self.next_player(player) if self.attack_character == PATHFINDER else player

    def most_attack_cards(self) -> i64:
        """K-10: an attack has at most as many cards as its receiver holds."""
        return count(self.hands[self.receiver()])

    # The attack that is being answered ----------------------------------------------------------

    def card_to_answer(self) -> i64:
        return self.table[len(self.answers)]

    def taken_cards(self) -> i64:
        """The cards of the attack that were answered by taking them."""
        out: i64 = 0
        for index in range(len(self.answers)):
            if self.answers[index] == TAKE:
                out |= BIT[self.table[index]]
        return out

    def cut(self, player: i64, card: i64) -> None:
        self.tell("cut", player, card, cards=BIT[self.card_to_answer()])
        self.remove_from_hand(player, card)
        self.answers = append(self.answers, card)

    # Cards that move ----------------------------------------------------------------------------

    def remove_from_hand(self, player: i64, card: i64) -> None:
        self.hands[player] &= ~BIT[card]
        self.known[player] &= ~BIT[card]

    def add_to_hand_openly(self, player: i64, cards: i64) -> None:
        """Everyone sees these cards and remembers where they are."""
        self.hands[player] |= cards
        self.known[player] |= cards

    def discard(self, player: i64, card: i64) -> None:
        self.remove_from_hand(player, card)
        self.discards |= BIT[card]

    def mark_turn_busy(self) -> None:
        """K-26: a card was cut or drawn in this turn."""
        self.busy = True
        self.idle = 0


class NotWithATakenCard(Rule):
    id = "K-13"
    text = "A card that you have just taken cannot cut in the same turn."
    because = "You are taking the {move} now."


def rule_against_missing_card(s: Kirifu, card: i64) -> Rule:
    """Why the player cannot cut with a card that is not in the hand."""
    return NOT_WITH_A_TAKEN_CARD if s.taken_cards() & BIT[card] else HOLD_IT


NOT_WITH_A_TAKEN_CARD: Final = NotWithATakenCard()
