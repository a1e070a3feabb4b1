"""The ten characters: a house set of our own. The rulebook has the mechanism (K-1), but not what its ten can do.

Each is a line of the table at the bottom: its text, when it may be used, and what it does. One that asks for a card
also has a question, the cards to choose from, and what happens to the chosen one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.cards import BIT, cards_in, count, lowest_in, set_of
from fuda.engine.core import HOLD_IT, Rule, Step
from fuda.games.kirifu.cards import SUITS
from fuda.games.kirifu.state import (
    DRUMMER,
    EMPTY,
    FIRST_CHARACTER,
    FISHER,
    JUGGLER,
    LOCKSMITH,
    MONK,
    MOST_PLAYERS,
    NAMES,
    NO_CHARACTER,
    PATHFINDER,
    PEDDLER,
    SLEEPER,
    TURNCOAT,
    WATCHMAN,
    Kirifu,
    rule_against_missing_card,
)

ANSWERING: Final = 0
ATTACKING: Final = 1
ALWAYS: Final = 2

# Using a character ----------------------------------------------------------------------------


def usable_character(s: Kirifu, player: i64, when: i64) -> i64:
    """K-1: the player's own character as a set, if it lies face down and can do something now."""
    own = s.characters[player]
    if not own:
        return 0
    character = character_of(lowest_in(own))
    return own if character.fits(when) and character.can_be_used(s, player) else 0


def use_character(s: Kirifu, step: Step, number: i64) -> None:
    """K-1: turns the character up. The step is asked again afterwards, unless the character answers it."""
    player = step.player
    s.characters[player] = 0
    s.revealed[player] = BIT[number]
    s.tell("character", player, number)
    s.push(step)
    character = character_of(number)
    character.use(s, player)
    if character.question:
        ask(s, number)


class UseYourCharacter(Rule):
    id = "K-1"
    text = "Use only your own character, once a game, when it can do something."
    because = "The {move} cannot do anything now."
    reasons: ClassVar[dict[str, str]] = {
        "K-1, but without": "This game is played without characters.",
        "K-1, but used": "You have used yours.",
        "K-1, but another": "Yours is not the {move}.",
    }

    def facts(self, s: Kirifu, player: i64, move: i64) -> dict[str, Any]:
        if not s.with_characters:
            return {"but": "without"}
        if s.revealed[player]:
            return {"but": "used"}
        return {} if s.characters[player] & BIT[move] else {"but": "another"}


class ChooseACard(Rule):
    id = "K-1"
    text = "Choose one of the cards that your character gives you to choose from."
    reasons: ClassVar[dict[str, str]] = {"K-1, cards": "They are {cards}."}

    def facts(self, s: Kirifu, player: i64, move: i64) -> dict[str, Any]:
        return {"cards": [NAMES[card] for card in cards_in(choices(s, player))]}


class Choose(Step):
    """The question of a character that asks for a card."""

    kind = "character"

    def moves(self, s: Kirifu) -> vec[i64]:
        return cards_in(choices(s, self.player))

    def rule_against(self, s: Kirifu, move: i64) -> Rule:
        if s.hands[self.player] & BIT[move] or move >= FIRST_CHARACTER or s.asking_character == FISHER:
            return CHOOSE_A_CARD
        return rule_against_missing_card(s, move) if s.asking_character == LOCKSMITH else HOLD_IT

    def play(self, s: Kirifu, move: i64) -> None:
        character = character_of(s.asking_character)
        s.asking_character = NO_CHARACTER
        character.use_card(s, self.player, move)

    def facts(self, s: Kirifu) -> dict[str, Any]:
        return {"character": NAMES[s.asking_character]}


def choices(s: Kirifu, player: i64) -> i64:
    """The cards that the player can choose from for the character that asks."""
    return character_of(s.asking_character).choices(s, player)


def ask(s: Kirifu, number: i64) -> None:
    """Asks the question of this character before the one that was open."""
    if number == LOCKSMITH:
        s.pop()  # the chosen card answers what was asked
    s.asking_character = number
    s.push(CHOOSE[s.turn])


# What they do ---------------------------------------------------------------------------------


def holds_a_card(s: Kirifu, player: i64) -> bool:
    return s.hands[player] != 0


def hand_of(s: Kirifu, player: i64) -> i64:
    return s.hands[player]


def always(s: Kirifu, player: i64) -> bool:
    return True


def do_nothing(s: Kirifu, player: i64) -> None:
    pass


def no_choices(s: Kirifu, player: i64) -> i64:
    return 0


def use_no_card(s: Kirifu, player: i64, card: i64) -> None:
    pass


def cut_with(s: Kirifu, player: i64, card: i64) -> None:
    s.cut(player, card)


def monk(s: Kirifu, player: i64) -> None:
    s.pop()  # the card in question is answered
    s.answers = append(s.answers, MONK)


def drummer(s: Kirifu, player: i64) -> None:
    s.attack_character = DRUMMER


def holds_two_cards(s: Kirifu, player: i64) -> bool:
    return count(s.hands[player]) >= 2


def discard_chosen(s: Kirifu, player: i64, card: i64) -> None:
    s.discard(player, card)
    s.tell("discard", player, card)


def exchange(s: Kirifu, player: i64, card: i64) -> None:
    other = s.next_player(player)
    back = s.chance.card(s.hands[other])
    s.remove_from_hand(player, card)
    s.remove_from_hand(other, back)
    s.add_to_hand_openly(other, BIT[card])
    s.add_to_hand_openly(player, BIT[back])
    s.tell("exchange", player, card, cards=BIT[back], seats=BIT[other])


def has_stock(s: Kirifu, player: i64) -> bool:
    return len(s.stock) > 0


def fisher(s: Kirifu, player: i64) -> None:
    s.shown = s.stock[:3]
    s.stock = s.stock[3:]
    s.tell("turn up", player, cards=set_of(s.shown))


def shown_cards(s: Kirifu, player: i64) -> i64:
    return set_of(s.shown)


def take_shown(s: Kirifu, player: i64, card: i64) -> None:
    s.add_to_hand_openly(player, BIT[card])
    s.discards |= set_of(s.shown) & ~BIT[card]
    s.mark_turn_busy()
    s.shown = EMPTY
    s.tell("fish", player, card)


def holds_a_trump(s: Kirifu, player: i64) -> bool:
    return s.hands[player] & SUITS[s.trump] != 0


def turncoat(s: Kirifu, player: i64) -> None:
    card = lowest_in(s.hands[player] & SUITS[s.trump])
    s.remove_from_hand(player, card)
    s.add_to_hand_openly(player, BIT[s.trump_card])
    s.tell("swap", player, card, cards=BIT[s.trump_card])
    s.trump_card = card


def has_three_players(s: Kirifu, player: i64) -> bool:
    return s.players - len(s.out) >= 3


def pathfinder(s: Kirifu, player: i64) -> None:
    s.attack_character = PATHFINDER


def sleeper(s: Kirifu, player: i64) -> None:
    s.pop()  # no attack


def watchman(s: Kirifu, player: i64) -> None:
    other = s.next_player(player)
    s.known[other] = s.hands[other]
    s.tell("show", other, cards=s.hands[other])


# The table ------------------------------------------------------------------------------------


class Character:
    """One character: its text, when it may be used, what it does, and what happens to a card that it asks for."""

    def __init__(
        self,
        number: i64,
        text: str,
        when: i64,
        can_be_used: Callable[[Kirifu, i64], bool],
        use: Callable[[Kirifu, i64], None] = do_nothing,
        question: str = "",
        choices: Callable[[Kirifu, i64], i64] = no_choices,
        use_card: Callable[[Kirifu, i64, i64], None] = use_no_card,
    ) -> None:
        self.name = NAMES[number]
        self.text = text
        self.when: i64 = when
        self.can_be_used = can_be_used
        self.use = use
        self.question = question
        """In English; none if it does not ask for a card."""
        self.choices = choices
        self.use_card = use_card

    def fits(self, when: i64) -> bool:
        """Whether it may be used while the player answers or attacks."""
        return self.when in (when, ALWAYS)


CHARACTERS: Final = [
    Character(
        LOCKSMITH,
        "Cut the card in question with any card of your hand, even the World.",
        ANSWERING,
        holds_a_card,
        question="Choose the card of your hand that cuts.",
        choices=hand_of,
        use_card=cut_with,
    ),
    Character(
        MONK,
        "The card in question goes to the discards and counts as cut.",
        ANSWERING,
        always,
        monk,
    ),
    Character(
        DRUMMER,
        "This turn you may play any one, two or three cards, whatever they are.",
        ATTACKING,
        always,
        drummer,
    ),
    Character(
        PEDDLER,
        "Holding at least two cards, put one of them on the discards.",
        ALWAYS,
        holds_two_cards,
        question="Choose the card that you put on the discards.",
        choices=hand_of,
        use_card=discard_chosen,
    ),
    Character(
        JUGGLER,
        "Give a card openly to the next player, and get one of the cards that they held, drawn by lot and shown to all.",
        ALWAYS,
        holds_a_card,
        question="Choose the card that you give to the next player.",
        choices=hand_of,
        use_card=exchange,
    ),
    Character(
        FISHER,
        "Turn up the top three cards of the stock, take one of them, and put the others on the discards.",
        ALWAYS,
        has_stock,
        fisher,
        question="Choose the card that you take.",
        choices=shown_cards,
        use_card=take_shown,
    ),
    Character(
        TURNCOAT,
        "Exchange your lowest card of the trump suit for the open trump card.",
        ALWAYS,
        holds_a_trump,
        turncoat,
    ),
    Character(
        PATHFINDER,
        "While at least three players are in, the next one is passed over: you play at the one after.",
        ATTACKING,
        has_three_players,
        pathfinder,
    ),
    Character(
        SLEEPER,
        "End your turn without playing.",
        ATTACKING,
        always,
        sleeper,
    ),
    Character(
        WATCHMAN,
        "The next player shows their hand to everyone.",
        ALWAYS,
        always,
        watchman,
    ),
]


def character_of(number: i64) -> Character:
    return CHARACTERS[number - FIRST_CHARACTER]


USE_YOUR_CHARACTER: Final = UseYourCharacter()
CHOOSE_A_CARD: Final = ChooseACard()
CHOOSE: Final = [Choose(player) for player in range(MOST_PLAYERS)]
