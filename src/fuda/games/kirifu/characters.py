"""The ten characters: a house set of our own. The rulebook has the mechanism (K-1), but not what its ten can do.

Each is a line of the table at the bottom: its text, when it may be used, and what it does. One that asks for a card
also says which cards there are to choose from, and what happens to the chosen one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.cards import BIT, bit_index, cards_in, count, set_of
from fuda.engine.core import HOLD_IT, Rule, Step
from fuda.games.kirifu.cards import SUITS
from fuda.games.kirifu.state import (
    DRUMMER,
    EMPTY,
    FIRST_CHARACTER,
    FISHER,
    LOCKSMITH,
    MONK,
    MOST_PLAYERS,
    NAMES,
    NO_CHARACTER,
    PATHFINDER,
    Kirifu,
    not_held,
)

# Using a character ----------------------------------------------------------------------------


def usable(s: Kirifu, player: i64, answering: bool) -> i64:
    """K-1: the player's own character, if it lies face down and can do something now."""
    own = s.characters[player]
    if not own:
        return 0
    character = CHARACTERS[bit_index(own) - FIRST_CHARACTER]
    fits = character.when == ALWAYS or (character.when == ANSWERING) == answering
    return own if fits and character.may(s, player) else 0


def use(s: Kirifu, asked: Step, code: i64) -> None:
    """K-1: the character is turned up. What was asked is asked again afterwards, unless the character settles it."""
    player = asked.player
    s.characters[player] = 0
    s.revealed[player] = BIT[code]
    s.tell("character", player, code)
    s.push(asked)
    CHARACTERS[code - FIRST_CHARACTER].use(s, player)


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
        among = character_asking(s).among(s, player)
        return {"cards": [NAMES[card] for card in cards_in(among)]}


class Choose(Step):
    """The question of a character that asks for a card."""

    kind = "character"

    def moves(self, s: Kirifu) -> vec[i64]:
        return cards_in(character_asking(s).among(s, self.player))

    def rule_against(self, s: Kirifu, move: i64) -> Rule:
        if s.hands[self.player] & BIT[move] or move >= FIRST_CHARACTER or s.asking_character == FISHER:
            return CHOOSE_A_CARD
        return not_held(s, move) if s.asking_character == LOCKSMITH else HOLD_IT

    def play(self, s: Kirifu, move: i64) -> None:
        character = character_asking(s)
        s.asking_character = NO_CHARACTER
        character.chosen(s, self.player, move)

    def facts(self, s: Kirifu) -> dict[str, Any]:
        return {"character": NAMES[s.asking_character]}


def character_asking(s: Kirifu) -> Character:
    return CHARACTERS[s.asking_character - FIRST_CHARACTER]


def ask(s: Kirifu, code: i64) -> None:
    """Asks the question of this character above what was asked before."""
    if code == LOCKSMITH:
        s.pop()  # the chosen card answers what was asked
    s.asking_character = code
    s.push(CHOOSE[s.turn])


# What they do ---------------------------------------------------------------------------------


def holds_a_card(s: Kirifu, player: i64) -> bool:
    return s.hands[player] != 0


def own_hand(s: Kirifu, player: i64) -> i64:
    return s.hands[player]


def always(s: Kirifu, player: i64) -> bool:
    return True


def no_question(s: Kirifu, player: i64) -> i64:
    return 0


def nothing_chosen(s: Kirifu, player: i64, card: i64) -> None:
    pass


def locksmith(s: Kirifu, player: i64) -> None:
    ask(s, LOCKSMITH)


def cut_with_it(s: Kirifu, player: i64, card: i64) -> None:
    s.cut(player, card)


def monk(s: Kirifu, player: i64) -> None:
    s.pop()  # the card in question is answered
    s.answers = append(s.answers, MONK)


def drummer(s: Kirifu, player: i64) -> None:
    s.attack_character = DRUMMER


def holds_two_cards(s: Kirifu, player: i64) -> bool:
    return count(s.hands[player]) >= 2


def peddler(s: Kirifu, player: i64) -> None:
    ask(s, PEDDLER)


def discard_it(s: Kirifu, player: i64, card: i64) -> None:
    s.discard(player, card)
    s.tell("discard", player, card)


def juggler(s: Kirifu, player: i64) -> None:
    ask(s, JUGGLER)


def exchange_it(s: Kirifu, player: i64, card: i64) -> None:
    other = s.next_player(player)
    back = s.chance.card(s.hands[other])
    s.part_with(player, card)
    s.part_with(other, back)
    s.get_openly(other, BIT[card])
    s.get_openly(player, BIT[back])
    s.tell("exchange", player, card, BIT[back], BIT[other])


def stock_is_left(s: Kirifu, player: i64) -> bool:
    return len(s.stock) > 0


def fisher(s: Kirifu, player: i64) -> None:
    s.shown = s.stock[:3]
    s.stock = s.stock[3:]
    s.tell("turn up", player, cards=set_of(s.shown))
    ask(s, FISHER)


def turned_up(s: Kirifu, player: i64) -> i64:
    return set_of(s.shown)


def take_it(s: Kirifu, player: i64, card: i64) -> None:
    s.get_openly(player, BIT[card])
    s.discards |= set_of(s.shown) & ~BIT[card]
    s.get_busy()
    s.shown = EMPTY
    s.tell("fish", player, card)


def holds_a_trump(s: Kirifu, player: i64) -> bool:
    return s.hands[player] & SUITS[s.trump] != 0


def turncoat(s: Kirifu, player: i64) -> None:
    card = cards_in(s.hands[player] & SUITS[s.trump])[0]
    s.part_with(player, card)
    s.get_openly(player, BIT[s.trump_card])
    s.tell("swap", player, card, BIT[s.trump_card])
    s.trump_card = card


def three_are_in(s: Kirifu, player: i64) -> bool:
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

ANSWERING: Final = 0
ATTACKING: Final = 1
ALWAYS: Final = 2
PEDDLER: Final = 47
JUGGLER: Final = 48


class Character:
    """One character: what it says, when it may be used, what it does, and what becomes of a card that it asks for."""

    def __init__(
        self,
        name: str,
        text: str,
        when: i64,
        may: Callable[[Kirifu, i64], bool],
        use: Callable[[Kirifu, i64], None],
        task: str = "",
        among: Callable[[Kirifu, i64], i64] = no_question,
        chosen: Callable[[Kirifu, i64, i64], None] = nothing_chosen,
    ) -> None:
        self.name = name
        self.text = text
        self.when: i64 = when
        self.may = may
        self.use = use
        self.task = task
        """What it asks for; nothing if it does not ask."""
        self.among = among
        self.chosen = chosen


CHARACTERS: Final = [
    Character(
        "locksmith",
        "Cut the card in question with any card of your hand, even the World.",
        ANSWERING,
        holds_a_card,
        locksmith,
        "Choose the card of your hand that cuts.",
        own_hand,
        cut_with_it,
    ),
    Character(
        "monk",
        "The card in question goes to the discards and counts as cut.",
        ANSWERING,
        always,
        monk,
    ),
    Character(
        "drummer",
        "This turn you may play any one, two or three cards, whatever they are.",
        ATTACKING,
        always,
        drummer,
    ),
    Character(
        "peddler",
        "Holding at least two cards, put one of them on the discards.",
        ALWAYS,
        holds_two_cards,
        peddler,
        "Choose the card that you put on the discards.",
        own_hand,
        discard_it,
    ),
    Character(
        "juggler",
        "Give a card openly to the next player, and get one of the cards that they held, drawn by lot and shown to all.",
        ALWAYS,
        holds_a_card,
        juggler,
        "Choose the card that you give to the next player.",
        own_hand,
        exchange_it,
    ),
    Character(
        "fisher",
        "Turn up the top three cards of the stock, take one of them, and put the others on the discards.",
        ALWAYS,
        stock_is_left,
        fisher,
        "Choose the card that you take.",
        turned_up,
        take_it,
    ),
    Character(
        "turncoat",
        "Exchange your lowest card of the trump suit for the open trump card.",
        ALWAYS,
        holds_a_trump,
        turncoat,
    ),
    Character(
        "pathfinder",
        "While at least three players are in, the next one is passed over: you play at the one after.",
        ATTACKING,
        three_are_in,
        pathfinder,
    ),
    Character(
        "sleeper",
        "End your turn without playing.",
        ATTACKING,
        always,
        sleeper,
    ),
    Character(
        "watchman",
        "The next player shows their hand to everyone.",
        ALWAYS,
        always,
        watchman,
    ),
]

USE_YOUR_CHARACTER: Final = UseYourCharacter()
CHOOSE_A_CARD: Final = ChooseACard()
CHOOSE: Final = [Choose(player) for player in range(MOST_PLAYERS)]
