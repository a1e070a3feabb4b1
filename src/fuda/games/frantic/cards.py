"""What special cards do, one small function each; CARDS at the end lists them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine.core import ANSWER_WHAT_IS_ASKED, Rule, Step
from fuda.games.frantic.attacks import FOUR, Split, aim, aim_and_wish
from fuda.games.frantic.deck import (
    COLOUR,
    DRAW,
    FIRST_COLOURLESS,
    FIRST_EVENT,
    FIRST_SPECIAL,
    FUCK_YOU_CARD,
    MIMICRY_CARD,
    NONE,
    OTHER,
    PASS,
    SYMBOL,
    has_colour,
    is_black,
)
from fuda.games.frantic.events.index import TurnUp
from fuda.games.frantic.moving import draw, lay
from fuda.games.frantic.refusals import PLAY_AGAIN, WHAT_MIMICRY_BECOMES, rule_against_playing, with_mimicry
from fuda.games.frantic.state import NOT_YET, TO_PLAY_FUCK_YOU, Frantic
from fuda.games.frantic.wishes import COLOUR_ONLY, COLOUR_OR_NUMBER, SwapColour, Wish, become

# Playing a card -----------------------------------------------------------------------------------


def play_card(s: Frantic, player: i64, card: i64) -> None:
    lay(s, player, card)
    s.tell("play", player, card)
    act(s, player, card)


def act(s: Frantic, player: i64, card: i64) -> None:
    """Carries out a card that was put on the pile; for Mimicry, the card that it became."""
    if card < FIRST_SPECIAL:
        s.demand_of(card)
        if is_black(card):
            s.push(TurnUp(player))
    else:
        CARDS[SYMBOL[card]].acts(s, player, card)


class Drawn(Step):
    """F-10: after drawing any valid card may be played."""

    kind = "drawn"
    arguments = ("player",)

    def moves(self, s: Frantic) -> vec[i64]:
        return append(s.playable(self.player), PASS)

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        return rule_against_playing(s, self.player, move)

    def play(self, s: Frantic, move: i64) -> None:
        if move != PASS:
            play_card(s, self.player, move)
        else:
            s.tell("pass", self.player)


def draw_and_play(s: Frantic, player: i64) -> None:
    """F-10, F-11: if the deck could not give enough, the round is over and nothing more is played."""
    draw(s, player, 1)
    if s.ending == NOT_YET:
        s.push(Drawn(player))


class Again(Step):
    """2nd Chance (F-35): another card, if there is one to be played."""

    kind = "2nd chance"
    arguments = ("player",)

    def moves(self, s: Frantic) -> vec[i64]:
        moves = s.playable(self.player)
        return moves if len(moves) else append(moves, DRAW)

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        return PLAY_AGAIN if move in (DRAW, PASS) else rule_against_playing(s, self.player, move)

    def play(self, s: Frantic, move: i64) -> None:
        if move == DRAW:
            draw_and_play(s, self.player)
        else:
            play_card(s, self.player, move)


class Mimic(Step):
    """F-37: what Mimicry becomes."""

    kind = "mimicry"
    arguments = ("player",)

    def moves(self, s: Frantic) -> vec[i64]:
        out = vec[i64](capacity=20)
        card: i64 = FIRST_SPECIAL
        while card < MIMICRY_CARD:
            if card >= FIRST_COLOURLESS or (s.colour != NONE and has_colour(card, s.colour)):
                out = append(out, card)
            card += 1
        return append(out, FUCK_YOU_CARD) if with_mimicry(s, self.player) == TO_PLAY_FUCK_YOU else out

    def rule_against(self, s: Frantic, move: i64) -> Rule:
        return WHAT_MIMICRY_BECOMES if FIRST_SPECIAL <= move < FIRST_EVENT else ANSWER_WHAT_IS_ASKED

    def play(self, s: Frantic, move: i64) -> None:
        s.tell("mimicry", self.player, move)
        act(s, self.player, move)


# Coloured special cards ---------------------------------------------------------------------------


def second_chance(s: Frantic, player: i64, card: i64) -> None:
    s.demand_of(card)
    s.push(Again(player))


def attack(s: Frantic, player: i64, card: i64) -> None:
    """Exchange, Skip, Gift, Thief."""
    s.demand_of(card)
    aim(s, player, card)


def troublemaker(s: Frantic, player: i64, card: i64) -> None:
    s.demand_of(card)
    s.push(TurnUp(player))


def colour_swap(s: Frantic, player: i64, card: i64) -> None:
    if s.colour != NONE and has_colour(card, s.colour):
        become(s, player, OTHER[card] if COLOUR[card] == s.colour else COLOUR[card])
    else:
        s.push(SwapColour(player, card))


# Colourless special cards -------------------------------------------------------------------------


def wish_anything(s: Frantic, player: i64, card: i64) -> None:
    s.push(Wish(player, COLOUR_OR_NUMBER))


def wish_colour(s: Frantic, player: i64, card: i64) -> None:
    """Counterattack, Lucky Bastard and Nice Try in one's own turn."""
    s.push(Wish(player, COLOUR_ONLY))


def fantastic_four(s: Frantic, player: i64, card: i64) -> None:
    s.push(Split(player, shares=0, left=FOUR))


def mimicry(s: Frantic, player: i64, card: i64) -> None:
    s.push(Mimic(player))


def nothing(s: Frantic, player: i64, card: i64) -> None:
    """Fuck You leaves the demand as it is; Curse is never played."""


class Card:
    """A special card: its name, its text in our own words, and what it does in its player's turn."""

    def __init__(self, name: str, text: str, acts: Callable[[Frantic, int, int], None]) -> None:
        self.name = name
        self.text = text
        self.acts = acts


CARDS: Final = [
    Card("2nd chance", "Play another card; draw one if you cannot.", second_chance),
    Card("exchange", "Give a player two cards and draw two blind from their old hand.", attack),
    Card("skip", "A player misses the next turn.", attack),
    Card("gift", "Give a player two of your cards.", attack),
    Card("thief", "Look at a player's hand and take two cards.", attack),
    Card("troublemaker", "Sets off an event.", troublemaker),
    Card("colour swap", "Goes on either of its colours and becomes the other.", colour_swap),
    Card("fantastic", "Wish for a colour or a number.", wish_anything),
    Card("fantastic four", "Split four cards among the others to draw; wish for a colour or a number.", fantastic_four),
    Card(
        "counterattack",
        "Throw it in when you are hit: it cancels or redirects the effect. Or wish for a colour.",
        wish_colour,
    ),
    Card("equality", "A player with fewer cards draws up to your number. Wish for a colour.", aim_and_wish),
    Card("inequality", "A player draws blind from your hand until they hold more. Wish for a colour.", aim_and_wish),
    Card("special favours", "Swap all special cards with a player. Wish for a colour.", aim_and_wish),
    Card("nice try", "Throw it in when somebody has finished: they draw three. Or wish for a colour.", wish_colour),
    Card("lucky bastard", "Throw it in before an event: you are left out of it. Or wish for a colour.", wish_colour),
    Card("mimicry", "Becomes any special card but Curse, a coloured one only in the demanded colour.", mimicry),
    Card("curse", "Cannot be played or disposed of. 13 points.", nothing),
    Card("fuck you", "Can be played with exactly ten cards in hand. 42 points.", nothing),
]
