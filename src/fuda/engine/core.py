"""The engine: a state, a stack of steps, and rules that can refuse a move."""

from __future__ import annotations

from typing import Any, ClassVar, Final, TypeVar

from librt.vecs import append, vec
from mypy_extensions import i64, mypyc_attr

from fuda.engine.cards import cards_in, zeros
from fuda.engine.chance import Chance
from fuda.engine.notes import NO_CARD, NO_NUMBER, Log
from fuda.engine.random import Random
from fuda.engine.seats import EVERYONE, NOBODY, SEATS, by_seat
from fuda.engine.words import template_of

S = TypeVar("S", bound="State")


class Rule:
    """One rule that can forbid a move: `text` states it, and `because` is a template that says why, with {facts}."""

    id: ClassVar[str] = ""
    text: ClassVar[str] = ""
    because: ClassVar[str] = ""
    reasons: ClassVar[dict[str, str]] = {}
    """Templates used instead of `because` for some facts: "F-6, colour" if there is a colour; see `template_of`."""

    def facts(self, s: Any, player: i64, move: i64) -> dict[str, Any]:
        """The facts for `because`; only what the player may know."""
        return {}

    def because_of(self, facts: dict[str, Any]) -> str:
        return template_of({self.id: self.because, **self.reasons}, self.id, facts) or ""


@mypyc_attr(acyclic=True)
class Step:
    """Something on the stack that is still to be done. Immutable, so that all states can share it.

    A step of a `player` is a question: `moves`, `rule_against` and `play`. A step of NOBODY runs by itself: `run`.
    """

    kind: ClassVar[str] = ""
    """Its name in questions and positions."""
    arguments: ClassVar[tuple[str, ...]] = ()
    """The attributes that its constructor takes, in order; needed in a game whose positions have the stack as text."""
    waiting_kind: ClassVar[str] = ""
    """Its name in positions while it is an AskLater, if that is not the same as `kind`."""
    may_wait: ClassVar[bool] = False
    """Whether a question can be on the stack below another step; other questions are asked as soon as they are pushed."""
    is_last: ClassVar[bool] = False
    """Whether it leads to the next turn; in a position the lowest step of the stack is such a step, and no other is."""

    def __init__(self, player: i64 = NOBODY) -> None:
        self.player: i64 = player

    def run(self, s: Any) -> None:
        raise NotImplementedError

    def moves(self, s: Any) -> vec[i64]:
        raise NotImplementedError

    def play_random(self, s: Any, random: Random) -> None:
        """Plays one of the moves, by lot."""
        moves = self.moves(s)
        self.play(s, moves[random.below(len(moves))])

    def forbids(self, s: Any, move: i64) -> Rule | None:
        """The rule that forbids this move; None if it is legal."""
        return None if move in self.moves(s) else self.rule_against(s, move)

    def rule_against(self, s: Any, move: i64) -> Rule:
        """The rule that forbids a move which is not legal."""
        return ANSWER_WHAT_IS_ASKED

    def play(self, s: Any, move: i64) -> None:
        raise NotImplementedError

    def is_together(self) -> bool:
        """Whether several players are asked this at the same time, each without knowing the answers of the others."""
        return False

    def is_reaction(self) -> bool:
        """Whether also players without a card to react with are asked, so that nobody learns who has one."""
        return False

    def facts(self, s: Any) -> dict[str, Any]:
        """What the question says besides its kind; only what everyone may know."""
        return {}

    def own_facts(self, s: Any) -> dict[str, Any]:
        """What the question says in addition to the player who is asked."""
        return {}

    def is_possible(self, s: Any, before: Step | None) -> bool:
        """Whether this step can occur in a game, directly below the step `before` on the stack."""
        return True

    # Some moves have several words, such as an attack with three cards: one move for players, several integers here.

    def phrases(self, s: Any) -> list[list[int]]:
        """The legal moves as players write them, each a list of words."""
        return [[move] for move in self.moves(s)]

    def forbids_phrase(self, s: Any, words: list[int]) -> Rule | None:
        """The rule that forbids a move of these words; None if it is legal."""
        return self.forbids(s, words[0]) if len(words) == 1 else ANSWER_WHAT_IS_ASKED

    def integers_of(self, words: list[int]) -> list[int]:
        """The integers to be played for a move of these words."""
        return words


@mypyc_attr(acyclic=True)
class AskLater(Step):
    """Asks a question when it is reached, if there is a move to answer it with."""

    def __init__(self, question: Step) -> None:
        super().__init__()
        self.question = question

    def run(self, s: State) -> None:
        if len(self.question.moves(s)):
            s.push(self.question)


def question_in(step: Step) -> Step:
    """The question that this step asks, now or later."""
    return step.question if isinstance(step, AskLater) else step


def name_of(step: Step) -> str:
    """The name of the step in positions."""
    question = question_in(step)
    return question.kind if question is step or not question.waiting_kind else question.waiting_kind


class State:
    """What every game's state has; each game adds its own fields, and copies them in clone()."""

    def __init__(self, players: i64, chance: Chance) -> None:
        self.players: i64 = players
        self.chance = chance
        self.log: Log | None = None
        """Where notes go; None in playouts and searches, which nobody reads."""
        self.stack = vec[Step]()
        """The steps still to be done, the next one last; only the first `depth` entries are used."""
        self.depth: i64 = 0
        self.over = False
        self.winners: i64 = 0
        """The players who have won, as bits, once the game is over."""
        self.round: i64 = 1
        self.totals = zeros(players)

    def clone(self) -> State:
        """An independent copy without the log."""
        raise NotImplementedError

    def copy_to(self, c: State) -> None:
        """Copies what all states have; clone() passes a state for 0 players, so that it makes no lists needlessly."""
        c.players = self.players
        c.stack = self.stack[: self.depth]
        c.depth = self.depth
        c.over = self.over
        c.winners = self.winners
        c.round = self.round
        c.totals = self.totals[:]

    def never_held(self, player: i64) -> int:
        """The cards that this player has shown not to hold."""
        return 0

    def set_row(self, name: str, row: vec[i64]) -> None:
        """Replaces the cards or seats of a field that has an order; `setattr` would lose the memory of a vector."""
        raise NotImplementedError(name)

    def totals_by_seat(self) -> dict[str, int]:
        """Each player's points. Code that is not compiled must not pass a vector: its memory would be lost."""
        return by_seat(self.totals)

    # For the rules ----------------------------------------------------------------------------

    def push(self, step: Step) -> None:
        if self.depth == len(self.stack):
            self.stack = append(self.stack, step)
        else:
            self.stack[self.depth] = step
        self.depth += 1

    def pop(self) -> Step:
        self.depth -= 1
        return self.stack[self.depth]

    @property
    def step(self) -> Step:
        """The next step; between moves it is the open question."""
        return self.stack[self.depth - 1]

    def then(self, steps: list[Step]) -> None:
        """Pushes steps that happen next, in this order, before everything that is already on the stack."""
        at: i64 = len(steps) - 1
        while at >= 0:
            self.push(steps[at])
            at -= 1

    def after(self, player: i64, by: i64 = 1) -> i64:
        player += by
        return player - self.players if player >= self.players else player

    def tell(
        self,
        kind: str,
        player: i64 = NOBODY,
        card: i64 = NO_CARD,
        cards: i64 = 0,
        seats: i64 = 0,
        number: i64 = NO_NUMBER,
    ) -> None:
        """Notes what happened: who, with which card or cards, to which seats, how many."""
        if self.log is not None:
            self.log.add(kind, player, card, cards_in(cards), seats, number)

    def tell_of(
        self,
        kind: str,
        player: i64,
        cards: vec[i64],
        seats: i64 = 0,
        number: i64 = NO_NUMBER,
        witnesses: int = EVERYONE,
    ) -> None:
        """Notes what happened with cards that only the witnesses have seen; the others learn all but the cards."""
        if self.log is not None:
            self.log.add(kind, player, NO_CARD, cards, seats, number, witnesses)

    def tell_score(self, points: vec[i64]) -> None:
        """Notes the points of a round, after they were added to the totals."""
        if self.log is not None:
            self.log.add_score(points, self.totals)

    def best_totals(self) -> i64:
        """The players with the highest total, as bits."""
        best: i64 = 0
        bit: i64 = 1
        highest = self.totals[0]
        for total in self.totals:
            if total > highest:
                highest = total
                best = 0
            if total == highest:
                best |= bit
            bit += bit
        return best

    def finish(self, winners: i64, how: str = "end") -> None:
        """Ends the game; `how` is the kind of the note that says so."""
        self.over = True
        self.winners = winners
        self.depth = 0
        self.tell(how if winners else "nobody", seats=winners)

    # One decision at a time, in integers --------------------------------------------------------

    @property
    def player(self) -> i64:
        """Who decides now; NOBODY when the game is over."""
        return NOBODY if self.over else self.step.player

    def legal(self) -> vec[i64]:
        """The legal moves, in a fixed order."""
        return vec[i64]() if self.over else self.step.moves(self)

    def play(self, move: i64) -> None:
        """Plays a move known to be legal."""
        self.pop().play(self, move)
        self.settle()

    def settle(self) -> None:
        """Runs the steps that need nobody's decision, until somebody must decide."""
        while self.depth:
            step = self.stack[self.depth - 1]
            if step.player != NOBODY:
                return
            self.depth -= 1
            step.run(self)

    def is_asked_together(self) -> bool:
        """Whether the open question is one that several players are asked at the same time."""
        return self.depth > 0 and self.step.player != NOBODY and self.step.is_together()

    def answer(self, move: i64) -> None:
        """Plays a move known to be legal, but then only asks the next question: no other step is run."""
        self.pop().play(self, move)
        while self.depth and isinstance(self.step, AskLater):
            self.pop().run(self)

    def playout(self, random: Random) -> i64:
        """Plays to the end at random; returns the number of decisions."""
        decisions: i64 = 0
        while not self.over:
            self.pop().play_random(self, random)
            self.settle()
            decisions += 1
        return decisions


class WaitUntilAsked(Rule):
    id = "A-4"
    text = "Wait until you are asked."
    because = "The game is over."
    reasons: ClassVar[dict[str, str]] = {"A-4, seat": "It is {seat}'s turn to decide."}

    def facts(self, s: State, player: i64, move: i64) -> dict[str, Any]:
        return {"seat": None if s.over else SEATS[s.player]}


class HoldIt(Rule):
    id = "A-5"
    text = "Use only cards that you hold."
    because = "You do not hold {move}."


class AnswerWhatIsAsked(Rule):
    id = "A-6"
    text = "Answer what is asked."
    because = "'{move}' means nothing here."


WAIT_UNTIL_ASKED: Final = WaitUntilAsked()
HOLD_IT: Final = HoldIt()
ANSWER_WHAT_IS_ASKED: Final = AnswerWhatIsAsked()
RULES_OF_ALL_GAMES: Final[list[Rule]] = [WAIT_UNTIL_ASKED, HOLD_IT, ANSWER_WHAT_IS_ASKED]
