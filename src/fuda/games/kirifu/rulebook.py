"""Kirifu's rulebook: what the engine and the front ends need to know about the game."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from fuda.engine import roles
from fuda.engine.cards import BIT, cards_in, count, set_of
from fuda.engine.chance import Chance
from fuda.engine.core import Rule, State
from fuda.engine.errors import brief
from fuda.engine.fields import (
    HIDDEN,
    OWN,
    Cards,
    Field,
    Flag,
    Name,
    Number,
    Numbers,
    OneCard,
    Row,
    Seat,
    SeatCards,
    Seats,
    SeenByAll,
)
from fuda.engine.rulebook import Look, Option, Options, Rulebook
from fuda.engine.seats import SEATS
from fuda.engine.setup import Setup
from fuda.games.kirifu import characters, turn
from fuda.games.kirifu.cards import ALL_CARDS, IN_A_SUIT, SPADE, SUIT_NAMES, SUITS
from fuda.games.kirifu.state import (
    ALL_CHARACTERS,
    DONE,
    FIRST_CHARACTER,
    FISHER,
    HAND_SIZE,
    MONK,
    MOST_IDLE,
    MOVE_NAMES,
    NAMES,
    NO_CHARACTER,
    NOT_WITH_A_TAKEN_CARD,
    TAKE,
    Kirifu,
)


class Answers(Field):
    """The answers so far: cards, "take", or the monk."""

    def __init__(self) -> None:
        super().__init__("answers", kind=roles.ROW)
        self.ordered = True

    def read(self, s: State, names: list[str]) -> Any:
        return [MOVE_NAMES[answer] for answer in answers_of(s)]

    def write(self, s: State, value: object, setup: Setup) -> None:
        if not isinstance(value, list):
            raise setup.wrong(self.name, f"expected a list of cards and takes, got {brief(value)}.")
        answers = vec[i64](capacity=HAND_SIZE)
        for answer in value:
            if answer == "take":
                answers = append(answers, TAKE)
            elif answer == NAMES[MONK]:
                answers = append(answers, MONK)
            else:
                answers = append(answers, setup.card(answer, self.name))
        s.set_row(self.name, answers)

    def cards(self, s: State) -> vec[i64]:
        return vec[i64]([answer for answer in answers_of(s) if answer < FIRST_CHARACTER])


def answers_of(s: State) -> vec[i64]:
    assert isinstance(s, Kirifu)
    return s.answers


class Using(Name):
    """The character whose question is open, or that changes this turn's attack; it is never both."""

    def __init__(self) -> None:
        super().__init__("using", NAMES[FIRST_CHARACTER:TAKE], FIRST_CHARACTER, optional=True)

    def read(self, s: State, names: list[str]) -> Any:
        assert isinstance(s, Kirifu)
        number = character_in_use(s)
        return None if number == NO_CHARACTER else NAMES[number]

    def write(self, s: State, value: object, setup: Setup) -> None:
        assert isinstance(s, Kirifu)
        number: i64 = self.codec.from_text(value, self.name, setup)
        if number != NO_CHARACTER and characters.character_of(number).question:
            s.asking_character = number
        else:
            s.attack_character = number


def character_in_use(s: Kirifu) -> i64:
    return s.attack_character if s.asking_character == NO_CHARACTER else s.asking_character


class KirifuRules(Rulebook[Kirifu]):
    def __init__(self) -> None:
        self.id = "kirifu"
        self.name = "Kirifu"
        self.version = "2"
        self.replays = ("1",)
        self.about = "Beat what is played at you, card by card, or take it; get rid of your hand once the stock is empty."
        self.minutes = "20–50"
        self.guide = [
            "Cards played at you must be answered one by one: cut each with a higher card of its suit, with a trump or "
            "with the World, or take it into your hand.",
            "If you have cut them all, it is your turn to play at the next player: a single card, pairs, or a run of a "
            "suit. Tap several cards to play them together; what still goes with them stays bright.",
            "While there is a stock you draw up to five. Once it is empty, be the first to have no cards left: that is "
            "what counts.",
        ]
        self.least = 2
        self.most = 5
        self.options = [
            Option("games", "how many games are played; as many as players if not given", None, 1, 100, limits=roles.ROUND),
            Option("characters", "a character each, from our own house set of ten", False),
            Option("no_runs", "house rule: no runs are played", False),
            Option("no_companions", "house rule: pairs are played without a companion", False),
        ]
        self.cards = NAMES
        self.moves = MOVE_NAMES
        self.looks = {
            "spade": Look("♠", "cyan"),
            "heart": Look("♥", "red"),
            "diamond": Look("♦", "yellow"),
            "club": Look("♣", "green"),
        }
        self.texts = {one.name: f"{one.text} (A house set of our own.)" for one in characters.CHARACTERS}
        self.fields = [
            Number("round", 1, 100, kind=roles.ROUND),
            Seat("start"),
            Seat("turn", kind=roles.TURN),
            Name("trump", SUIT_NAMES[SPADE + 1 :], SPADE + 1),
            OneCard("trump_card"),
            Row("stock", HIDDEN, ALL_CARDS),
            Row("table"),
            Answers(),
            SeatCards("hands", OWN, ALL_CARDS, seen_by_all="known", kind=roles.HAND),
            SeenByAll("known"),
            Numbers("totals", kind=roles.SCORE),
            Cards("discards", allowed=ALL_CARDS),
            Seats("out"),
            Number("idle", 0, MOST_IDLE - 1),
            Flag("busy"),
            SeatCards("characters", OWN, ALL_CHARACTERS),
            SeatCards("revealed", allowed=ALL_CHARACTERS),
            Cards("absent", HIDDEN, ALL_CHARACTERS),
            Using(),
            Row("shown"),
        ]
        self.rest = "stock"
        self.rules: list[Rule] = [
            turn.BEAT_IT,
            turn.PLAY_A_COMBINATION,
            turn.NO_RUNS,
            turn.NO_COMPANIONS,
            turn.NO_MORE_THAN_THEY_HOLD,
            turn.MUST_PLAY,
            NOT_WITH_A_TAKEN_CARD,
            characters.USE_YOUR_CHARACTER,
            characters.CHOOSE_A_CARD,
        ]
        self.questions = {
            "answer": "Cut the {card} or take it.",
            "plain": "{card} is beaten by a higher {suit}, a {trump} or the World.",
            "trump": "{card} is beaten by a higher {suit} or the World.",
            "world": "{card} is beaten by nothing.",
            "attack": "Play up to {most} at {receiver}.",
            **{f"character, character {one.name}": one.question for one in characters.CHARACTERS if one.question},
        }
        self.note_roles = {"attack": roles.PLAYED, "cut": roles.PLAYED, "score": roles.SCORED}
        self.notes = {
            "deal": "Game {number}: the cards are dealt, the trump card is {card}, {seat} begins.",
            "attack": "{seat} plays {cards} at {seats}.",
            "cut": "{seat} cuts {cards} with {card}.",
            "take": "{seat} takes {card}.",
            "refill": "{seat} draws {number} from the stock.",
            "out": "{seat} is out, as number {number}.",
            "stalemate": "After {number} turns without a cut or a draw the game stops.",
            "score": "Points: {points}. Totals: {totals}.",
            "end": "The game is over: the most points win it for {seats}.",
            "character": "{seat} uses the {card} (house set).",
            "discard": "{seat} discards {card}.",
            "exchange": "{seat} gives {card} to {seats} and gets {cards}.",
            "turn up": "{seat} turns up {cards}.",
            "fish": "{seat} takes {card}; the others are discarded.",
            "swap": "{seat} lays {card} in the place of the trump card and takes {cards}.",
            "show": "{seat} shows the hand: {cards}.",
        }

    def blank(self, players: i64, options: Options, chance: Chance) -> Kirifu:
        return Kirifu(players, options["games"], options["characters"], options["no_runs"], options["no_companions"], chance)

    def start(self, s: Kirifu) -> None:
        s.push(turn.FIRST_GAME)

    def deck(self, s: Kirifu) -> vec[i64]:
        return cards_in(ALL_CARDS | ALL_CHARACTERS if s.with_characters else ALL_CARDS)

    def captions(self) -> dict[str, str]:
        return {"idle": "", "busy": ""}

    def alphabet(self, s: Kirifu) -> list[str]:
        """All single moves, all pairs of cards, and every set of cards of the hand of the player who decides."""
        single = [move for move in MOVE_NAMES if move != MOVE_NAMES[DONE]]
        twos = [f"{NAMES[a]} + {NAMES[b]}" for a, b in combinations(range(FIRST_CHARACTER), 2)]
        hand = [] if s.over else [NAMES[card] for card in cards_in(s.hands[s.player])][:9]
        more = [" + ".join(cards) for size in range(3, len(hand) + 1) for cards in combinations(hand, size)]
        return single + twos + more

    # A given position ---------------------------------------------------------------------------

    def complete(self, s: Kirifu, given: dict[str, Any], setup: Setup) -> None:
        if "turn" not in given:
            s.turn = s.start
        if "start" not in given:
            s.start = s.turn
        self.complete_trump(s, given, setup)
        if s.with_characters and "characters" not in given:
            self.deal_characters(s, setup)

    def complete_trump(self, s: Kirifu, given: dict[str, Any], setup: Setup) -> None:
        """The trump card: the lowest unplaced card of the trump suit; without a given suit a random one."""
        if "trump_card" in given:
            if "trump" not in given:
                s.trump = s.trump_card // IN_A_SUIT
            return
        unplaced = set_of(setup.unplaced()) & ALL_CARDS & ~SUITS[SPADE]
        if "trump" in given:
            unplaced &= SUITS[s.trump]
        if not unplaced:
            raise setup.wrong("trump", "no card is left to be the trump card.")
        s.trump_card = cards_in(unplaced)[0] if "trump" in given else s.chance.card(unplaced)
        s.trump = s.trump_card // IN_A_SUIT
        setup.place(s.trump_card, "trump_card")

    def deal_characters(self, s: Kirifu, setup: Setup) -> None:
        """Deals a character to everyone who has not used theirs."""
        order = s.chance.shuffle(cards_in(set_of(setup.unplaced()) & ALL_CHARACTERS))
        at: i64 = 0
        for player in range(s.players):
            if not s.revealed[player] and at < len(order):
                s.characters[player] = BIT[order[at]]
                setup.place(order[at], f"characters of {SEATS[player]}")
                at += 1

    def hand_size(self, s: Kirifu, player: i64, unplaced: i64) -> i64:
        inside = s.players - len(s.out)
        return 0 if s.is_out(player) else min(HAND_SIZE, unplaced // inside)

    def check(self, s: Kirifu, setup: Setup) -> None:
        if s.round > s.games:
            raise setup.wrong("round", f"there are only {s.games} games.")
        if s.trump == SPADE or s.trump != s.trump_card // IN_A_SUIT:
            raise setup.wrong("trump_card", f"the {NAMES[s.trump_card]} cannot be the trump card (K-3, K-4).")
        if s.is_out(s.turn):
            raise setup.wrong("out", "the player whose turn it is cannot be out.")
        if len(s.out) >= s.players - 1:
            raise setup.wrong("out", "nobody has a decision left.")
        for player in range(s.players):
            self.check_player(s, player, setup)
        if len(s.answers) > len(s.table) or (len(s.table) and len(s.answers) == len(s.table)):
            raise setup.wrong("answers", "there must be a card left to answer.")
        self.check_characters(s, setup)

    def check_player(self, s: Kirifu, player: i64, setup: Setup) -> None:
        where = f"hands of {SEATS[player]}"
        hand = s.hands[player]
        if s.is_out(player) and hand:
            raise setup.wrong(where, "a player who is out holds no cards.")
        answering = player == s.turn and len(s.table) > 0
        if not hand and not s.is_out(player) and not answering:
            raise setup.wrong(where, "a player who is not out holds cards, except while answering an attack.")
        if s.known[player] & ~hand:
            raise setup.wrong(f"known of {SEATS[player]}", "only cards of the hand can be known to be there.")

    def check_characters(self, s: Kirifu, setup: Setup) -> None:
        for player in range(s.players):
            if count(s.characters[player]) + count(s.revealed[player]) > 1:
                raise setup.wrong(f"characters of {SEATS[player]}", "nobody has more than one character.")
        using = character_in_use(s)
        if using == NO_CHARACTER:
            if len(s.shown):
                raise setup.wrong("shown", "cards are turned up only while the fisher is used.")
            return
        character = characters.character_of(using)
        if not s.revealed[s.turn] & BIT[using]:
            raise setup.wrong("using", f"the {NAMES[using]} is not the revealed character of the player whose turn it is.")
        if not character.fits(characters.ANSWERING if len(s.table) else characters.ATTACKING):
            raise setup.wrong("using", f"the {NAMES[using]} cannot be in use now.")
        if character.question and not character.choices(s, s.turn):
            raise setup.wrong("using", f"there is no card to choose for the {NAMES[using]}.")
        if (using == FISHER) != (len(s.shown) > 0):
            raise setup.wrong("shown", "cards are turned up only while the fisher is used.")

    def resume(self, s: Kirifu) -> None:
        turn.TURN.run(s)
        if s.asking_character != NO_CHARACTER:
            characters.ask(s, s.asking_character)


RULES: Final[KirifuRules] = KirifuRules()
