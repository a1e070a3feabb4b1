"""Kirifu, in the order of its rulebook: the deal, a turn (cutting and taking, playing, refilling), the end of a game.

    cards     spade, heart, diamond, club 2 … 11 and A; one is turned for the trump suit and leaves the game
    dealt     5 each, refilled from the stock
    games     as many as players, or as the option says
    chance    the first starter, every shuffle, the trump card; with characters who gets which, and blind draws
    hidden    hands except cards that everyone has seen, the stock, characters face down
    moves     56: the 44 cards, the ten characters, "take", and "done" after the last card of an attack

The ids are those of docs/rules/kirifu.md.
"""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import append, remove, vec
from mypy_extensions import i64

from fuda.engine.cards import BIT, cards_in, count, nth_in, random_in, set_of, zeros
from fuda.engine.core import ANSWER_WHAT_IS_ASKED, HOLD_IT, Rule, Step
from fuda.engine.random import Random
from fuda.engine.seats import SEATS
from fuda.games.kirifu.cards import (
    ALL_CARDS,
    BEATEN_BY,
    IN_A_SUIT,
    SPADE,
    SUIT_NAMES,
    SUITS,
    WORLD,
    can_be_completed,
    combinations_in,
    has_companion,
    is_combination,
    is_run,
)
from fuda.games.kirifu.characters import ANSWERING, ATTACKING, USE_YOUR_CHARACTER, usable_character, use_character
from fuda.games.kirifu.state import (
    ALL_CHARACTERS,
    DONE,
    DRUMMER,
    EMPTY,
    FIRST_CHARACTER,
    HAND_SIZE,
    MOST_IDLE,
    MOST_PLAYERS,
    NAMES,
    NO_CHARACTER,
    TAKE,
    Kirifu,
    rule_against_missing_card,
)

# The deal -------------------------------------------------------------------------------------


class FirstGame(Step):
    """K-22: who begins is drawn by lot."""

    def run(self, s: Kirifu) -> None:
        s.start = s.chance.lot(BIT[s.players] - 1)
        s.push(DEAL)


class Deal(Step):
    """K-1: a character each, face down. K-2: five cards each."""

    def run(self, s: Kirifu) -> None:
        if s.with_characters:
            deal_characters(s)
        cards = s.chance.shuffle(cards_in(ALL_CARDS))
        at: i64 = 0
        for player in range(s.players):
            s.hands[player] = set_of(cards[at : at + HAND_SIZE])
            s.known[player] = 0
            at += HAND_SIZE
        s.stock = cards[at:]
        s.discards = 0
        s.out = EMPTY
        s.idle = 0
        s.busy = False
        s.turn = s.start
        turn_trump(s)
        s.tell("deal", s.start, s.trump_card, number=s.round)
        s.push(TURN)


def deal_characters(s: Kirifu) -> None:
    order = s.chance.shuffle(cards_in(ALL_CHARACTERS))
    for player in range(s.players):
        s.characters[player] = BIT[order[player]]
        s.revealed[player] = 0
    s.absent = set_of(order[s.players :])


def turn_trump(s: Kirifu) -> None:
    """K-3, K-4: a card of the stock that is not a spade, drawn by lot, sets the trump suit and leaves the game."""
    s.trump_card = s.chance.card(set_of(s.stock) & ~SUITS[SPADE])
    s.trump = s.trump_card // IN_A_SUIT
    s.stock = remove(s.stock, s.trump_card)


# A turn ---------------------------------------------------------------------------------------


class Turn(Step):
    """Answer what is played at you, card by card; if there is nothing, only play (K-14, K-22)."""

    def run(self, s: Kirifu) -> None:
        if len(s.table):
            s.push(RESOLVE)
            unanswered = len(s.table) - len(s.answers)
            while unanswered:
                s.push(ANSWER[s.turn])
                unanswered -= 1
        else:
            s.push(END_TURN)
            s.push(ATTACK[s.turn])


class BeatIt(Rule):
    id = "K-5"
    text = "Cut a card with a higher one of its suit, a trump or the World; a trump only with a higher one or the World."
    because = "The {move} does not beat the {card}; {trump} is trump."

    def facts(self, s: Kirifu, player: i64, move: i64) -> dict[str, Any]:
        return {"card": NAMES[s.card_to_answer()], "trump": SUIT_NAMES[s.trump]}


class Answer(Step):
    """K-12: cut the card in question with a stronger one, or take it."""

    kind = "answer"

    def cuts(self, s: Kirifu) -> i64:
        """The cards that cut, and the character if it can be used."""
        return s.hands[self.player] & BEATEN_BY[s.trump][s.card_to_answer()] | usable_character(s, self.player, ANSWERING)

    def moves(self, s: Kirifu) -> vec[i64]:
        return append(cards_in(self.cuts(s)), TAKE)

    def play_random(self, s: Kirifu, random: Random) -> None:
        cuts = self.cuts(s)
        number = count(cuts)
        chosen = random.below(number + 1)
        self.play(s, nth_in(cuts, chosen) if chosen < number else TAKE)

    def rule_against(self, s: Kirifu, move: i64) -> Rule:
        if move == DONE:
            return ANSWER_WHAT_IS_ASKED
        if move >= FIRST_CHARACTER:
            return USE_YOUR_CHARACTER
        return BEAT_IT if s.hands[self.player] & BIT[move] else rule_against_missing_card(s, move)

    def play(self, s: Kirifu, move: i64) -> None:
        if move == TAKE:
            s.tell("take", self.player, s.card_to_answer())
            s.answers = append(s.answers, TAKE)
        elif move < FIRST_CHARACTER:
            s.cut(self.player, move)
        else:
            use_character(s, self, move)

    def facts(self, s: Kirifu) -> dict[str, Any]:
        attack = [what_beats(s, card) for card in s.table[len(s.answers) :]]
        return {"card": attack[0]["card"], "trump": SUIT_NAMES[s.trump], "attack": attack}


def what_beats(s: Kirifu, card: i64) -> dict[str, str]:
    """K-5, K-6: the facts from which front ends say what beats this card."""
    suit = card // IN_A_SUIT
    question = "world" if card == WORLD else "trump" if suit == s.trump else "plain"
    return {"kind": question, "card": NAMES[card], "suit": SUIT_NAMES[suit], "trump": SUIT_NAMES[s.trump]}


class Resolve(Step):
    """What was cut is discarded with what cut it. K-14: whoever takes something does not play."""

    def run(self, s: Kirifu) -> None:
        taken = s.taken_cards()
        discarded = set_of(s.table) & ~taken
        for answer in s.answers:
            if answer < FIRST_CHARACTER:
                discarded |= BIT[answer]
        s.discards |= discarded
        s.add_to_hand_openly(s.turn, taken)
        s.table = EMPTY
        s.answers = EMPTY
        if discarded:
            s.mark_turn_busy()
        s.push(END_TURN)
        if not taken and s.hands[s.turn]:
            s.push(ATTACK[s.turn])  # K-11; K-15 and K-16: there is no play with an empty hand


# Playing at the next player -------------------------------------------------------------------

DRUMMER_CARDS: Final = 3
"""With the drummer, an attack of up to this many cards need not be a combination."""


class PlayACombination(Rule):
    id = "K-7"
    text = "Play a single card, one or two pairs with or without a companion, or a run of three or more of a suit."
    because = "{move} is none of these."


class NoRuns(Rule):
    id = "K-27"
    text = "House rule: no runs are played."
    because = "{move} is a run."


class NoCompanions(Rule):
    id = "K-28"
    text = "House rule: pairs are played without a companion."
    because = "{move} has a companion."


class NoMoreThanTheyHold(Rule):
    id = "K-10"
    text = "Never play more cards than the receiver holds."
    because = "{receiver} holds {number}."

    def facts(self, s: Kirifu, player: i64, move: i64) -> dict[str, Any]:
        return {"receiver": SEATS[s.receiver()], "number": s.most_attack_cards()}


class MustPlay(Rule):
    id = "K-11"
    text = "Having cut everything, or with nothing to cut, you must play at least one card."


class Attack(Step):
    """K-7 to K-11: the cards of the attack are laid one after the other."""

    kind = "attack"

    def moves(self, s: Kirifu) -> vec[i64]:
        hand = s.hands[self.player]
        if not len(s.table):
            return cards_in(hand | usable_character(s, self.player, ATTACKING))
        laid = set_of(s.table)
        most = s.most_attack_cards()
        out = vec[i64](capacity=16)
        for card in cards_in(hand):
            if can_become_attack(s, laid | BIT[card], hand ^ BIT[card], most):
                out = append(out, card)
        return append(out, DONE) if rule_against_attack(s, laid, most) is None else out

    def play_random(self, s: Kirifu, random: Random) -> None:
        if len(s.table):
            super().play_random(s, random)
        else:
            self.play(s, random_in(s.hands[self.player] | usable_character(s, self.player, ATTACKING), random))

    def rule_against(self, s: Kirifu, move: i64) -> Rule:
        if move == TAKE:
            return MUST_PLAY
        cards = set_of(s.table)
        if move != DONE:
            if move >= FIRST_CHARACTER:
                return USE_YOUR_CHARACTER
            if not s.hands[self.player] & BIT[move]:
                return HOLD_IT
            cards |= BIT[move]
        rule = rule_against_attack(s, cards, s.most_attack_cards())
        assert rule is not None, "a legal attack is among the moves"
        return rule

    def facts(self, s: Kirifu) -> dict[str, Any]:
        return {"receiver": SEATS[s.receiver()], "most": s.most_attack_cards()}

    def play(self, s: Kirifu, move: i64) -> None:
        if move == DONE:
            s.tell("attack", self.player, cards=set_of(s.table), seats=BIT[s.receiver()])
        elif move < FIRST_CHARACTER:
            s.remove_from_hand(self.player, move)
            s.table = append(s.table, move)
            s.push(self)
        else:
            use_character(s, self, move)

    # For players an attack is one move.

    def phrases(self, s: Kirifu) -> list[list[int]]:
        hand = s.hands[self.player]
        most = s.most_attack_cards()
        candidates = combinations_in(hand, most)
        if s.attack_character == DRUMMER:
            candidates = list(dict.fromkeys(any_cards_in(hand, most) + candidates))
        attacks = [list(cards_in(cards)) for cards in candidates if rule_against_attack(s, cards, most) is None]
        return attacks + [[character] for character in cards_in(usable_character(s, self.player, ATTACKING))]

    def forbids_phrase(self, s: Kirifu, words: list[int]) -> Rule | None:
        if len(words) == 1:
            return self.forbids(s, words[0])
        cards: i64 = 0
        for card in words:
            if card >= FIRST_CHARACTER or cards & BIT[card]:
                return ANSWER_WHAT_IS_ASKED
            cards |= BIT[card]
        if cards & ~s.hands[self.player]:
            return HOLD_IT
        return rule_against_attack(s, cards, s.most_attack_cards())

    def integers_of(self, words: list[int]) -> list[int]:
        return [*words, DONE] if words[0] < FIRST_CHARACTER else words


def rule_against_attack(s: Kirifu, cards: i64, most: i64) -> Rule | None:
    """The rule that forbids an attack with these cards of the hand; None if it is legal."""
    size = count(cards)
    if size == 0:
        return MUST_PLAY
    if s.attack_character != DRUMMER or size > DRUMMER_CARDS:
        if not is_combination(cards):
            return PLAY_A_COMBINATION
        if s.no_runs and is_run(cards):
            return NO_RUNS
        if s.no_companions and has_companion(cards):
            return NO_COMPANIONS
    return NO_MORE_THAN_THEY_HOLD if size > most else None


def can_become_attack(s: Kirifu, laid: i64, hand: i64, most: i64) -> bool:
    """Whether the laid cards are a legal attack, alone or with others of the hand."""
    if rule_against_attack(s, laid, most) is None:
        return True
    return can_be_completed(laid, hand, most, not s.no_runs, 0 if s.no_companions else 1)


def any_cards_in(hand: i64, most: i64) -> list[int]:
    """Every one, two or three cards of the hand."""
    cards = cards_in(hand)
    out = [BIT[card] for card in cards]
    if most >= 2:
        out += [BIT[a] | BIT[b] for a in cards for b in cards if a < b]
    if most >= 3:
        out += [BIT[a] | BIT[b] | BIT[c] for a in cards for b in cards for c in cards if a < b < c]
    return out


# The end of a turn ----------------------------------------------------------------------------


class EndTurn(Step):
    """Refill; be out with an empty hand (K-16, K-17); then the next player."""

    def run(self, s: Kirifu) -> None:
        refill(s, s.turn)
        if not s.busy:
            s.idle += 1
        s.busy = False
        receiver = s.receiver()
        s.attack_character = NO_CHARACTER
        if not s.hands[s.turn]:
            s.out = append(s.out, s.turn)
            s.tell("out", s.turn, number=len(s.out))
        s.turn = receiver
        s.push(END_GAME if len(s.out) >= s.players - 1 or s.idle >= MOST_IDLE else TURN)


def refill(s: Kirifu, player: i64) -> None:
    """K-18, K-21: up to five cards, as far as the stock goes."""
    wanted = HAND_SIZE - count(s.hands[player])
    if wanted > len(s.stock):
        wanted = len(s.stock)
    if wanted <= 0:
        return
    s.hands[player] |= set_of(s.stock[:wanted])
    s.stock = s.stock[wanted:]
    s.mark_turn_busy()
    s.tell("refill", player, number=wanted)


# The end of a game ----------------------------------------------------------------------------


class EndGame(Step):
    """K-20: the last one left is last. K-23: the first gets as many points as there are players, the last one."""

    def run(self, s: Kirifu) -> None:
        rank_the_others(s)
        points = zeros(s.players)
        for index in range(s.players):
            player = s.out[index]
            points[player] = s.players - index
            s.totals[player] += points[player]
        s.discards |= set_of(s.table)
        s.table = EMPTY
        s.tell_score(points)
        if s.round == s.games:
            s.finish(s.best_totals())
        else:
            s.round += 1
            s.start = s.after(s.start)
            s.push(DEAL)


def rank_the_others(s: Kirifu) -> None:
    """K-26: the others rank by the fewest cards in hand, ties by seat from the player who would be next."""
    if len(s.out) < s.players - 1:
        s.tell("stalemate", number=s.idle)
    while len(s.out) < s.players:
        best: i64 = -1
        player = s.turn
        for _ in range(s.players):
            if not s.is_out(player) and (best < 0 or count(s.hands[player]) < count(s.hands[best])):
                best = player
            player = s.after(player)
        s.out = append(s.out, best)


BEAT_IT: Final = BeatIt()
PLAY_A_COMBINATION: Final = PlayACombination()
NO_RUNS: Final = NoRuns()
NO_COMPANIONS: Final = NoCompanions()
NO_MORE_THAN_THEY_HOLD: Final = NoMoreThanTheyHold()
MUST_PLAY: Final = MustPlay()

FIRST_GAME: Final = FirstGame()
DEAL: Final = Deal()
TURN: Final = Turn()
ANSWER: Final = [Answer(player) for player in range(MOST_PLAYERS)]
RESOLVE: Final = Resolve()
ATTACK: Final = [Attack(player) for player in range(MOST_PLAYERS)]
END_TURN: Final = EndTurn()
END_GAME: Final = EndGame()
