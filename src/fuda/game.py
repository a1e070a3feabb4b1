"""A game at the table: text in, text out. This is what front ends and tools use.

Not compiled, so that whatever is passed to it is judged here, with an Error that says what is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from mypy_extensions import i64

from fuda.engine.chance import Chance
from fuda.engine.core import ANSWER_WHAT_IS_ASKED, WAIT_UNTIL_ASKED, Rule, State
from fuda.engine.errors import Error, Refused, brief
from fuda.engine.fair import LEAST_KEY, Fair
from fuda.engine.notes import Log, Note, checked_history
from fuda.engine.positions import position_of, set_up
from fuda.engine.random import seeded
from fuda.engine.records import FORMAT, check_result, check_version
from fuda.engine.rulebook import Options, Rulebook
from fuda.engine.seats import NOBODY, SEATS, player_at, seats_in
from fuda.engine.views import HEADER, state_from, view_of

SEPARATOR: Final = " + "
"""Stands between the words of one move."""
PASS: Final = "pass"  # noqa: S105 - no password, a move
"""The word, in every game that has one, for letting things be."""


def words_in(moves: list[str]) -> list[str]:
    """The words of which these moves consist, each once."""
    return list(dict.fromkeys(word for move in moves for word in move.split(SEPARATOR)))


class Game:
    """One game being played. Made by `fuda.new`, `fuda.replay` and `fuda.redeal`."""

    def __init__(self, rules: Rulebook[Any], state: State, options: Options) -> None:
        self.rules = rules
        """The rulebook of this game: names, options, looks and words for front ends."""
        self.state = state
        self.options = options
        self.given: dict[str, Any] | None = None
        """The position that this game began with, if it was given one."""
        self.past: list[Note] = []
        """What had happened before that position."""
        self.played: list[str] = []
        """All moves so far."""

    # What is asked ------------------------------------------------------------------------------

    @property
    def seat(self) -> str | None:
        """Who decides now; None when the game is over."""
        return None if self.state.over else SEATS[self.state.player]

    @property
    def question(self) -> dict[str, Any] | None:
        """What is asked, as data with a "kind" that everyone may know; None when the game is over."""
        return None if self.state.over else self.rules.question(self.state, NOBODY)

    def moves(self) -> list[str]:
        """The legal moves, in a fixed order, all different."""
        if self.state.over:
            return []
        return [SEPARATOR.join(self.rules.moves[word] for word in words) for words in self.state.step.phrases(self.state)]

    def alphabet(self) -> list[str]:
        """Every move that could mean something in this game; where moves of several words can be said, some of those."""
        return self.rules.alphabet(self.state)

    # What several are asked at the same time ------------------------------------------------------

    @property
    def is_together(self) -> bool:
        """Whether the question is of a kind that several can be asked at the same time."""
        return not self.state.over and self.state.is_asked_together()

    @property
    def is_reaction(self) -> bool:
        """Whether it is asked of everyone whom it could concern, whether or not they have a choice."""
        return not self.state.over and self.state.step.is_reaction()

    def asked(self) -> list[str]:
        """The seats that are asked now at the same time, in the order in which their answers count; normally one."""
        if self.state.over:
            return []
        seats = [SEATS[self.state.player]]
        if self.state.is_asked_together():
            ahead = self.copy_without_history()
            while ahead.advance_in_window(ahead.default_answer()):
                seats.append(SEATS[ahead.state.player])
        return list(dict.fromkeys(seats))

    def preview_for(self, seat: str, answers: Sequence[str] = ()) -> Game | None:
        """The game as this seat finds it when those asked before it let things be, and it has given these answers.

        None if it is not asked now, or has nothing left to decide; Refused if one of the answers may not be given.
        """
        player = self.player_at(seat)
        if seat not in self.asked():
            return None
        ahead = self.copy_without_history()
        given = [*answers]
        while ahead.state.player != player or given:
            move = given.pop(0) if ahead.state.player == player else ahead.default_answer()
            refusal = ahead.why(move)
            if refusal is not None:
                raise refusal
            if not ahead.advance_in_window(move):
                return None
        ahead.adopt_history(self)
        return ahead

    def default_answer(self) -> str:
        """Lets things be, as far as that is possible."""
        moves = self.moves()
        return PASS if PASS in moves else moves[0]

    def advance_in_window(self, move: str) -> bool:
        """Whether somebody is asked at the same time after this legal move; as long as that may be it is played."""
        s = self.state
        if s.is_asked_together():
            for code in s.step.integers_of(self.words_of(move)):
                s.answer(code)
            self.played.append(move)
            return s.is_asked_together()
        return False

    # Playing ------------------------------------------------------------------------------------

    def play(self, move: str, seat: str | None = None) -> None:
        """Plays a move for the seat that is asked; raises Refused, and changes nothing, if a rule forbids it."""
        refusal = self.why(move, seat)
        if refusal is not None:
            raise refusal
        for code in self.state.step.integers_of(self.words_of(move)):
            self.state.play(code)
        self.played.append(move)

    def attempt(self, move: str, seat: str | None = None) -> Attempt:
        """Plays a move on a copy of the state, as `play` would; the game itself stays as it is until `adopt`."""
        after = self.copy_without_history()
        after.state.log = Log(self.rules.cards, [])
        after.state.chance.record(self.rules.cards, None)
        after.play(move, seat)
        return Attempt(self.state, len(self.played), after)

    def adopt(self, attempt: Attempt) -> None:
        """Takes over the result of an attempt that was made in this very state; the same as `play`."""
        if attempt.before is not self.state or attempt.turn != len(self.played):
            raise Error("The attempt was made in another state of the game.")
        log, outcomes = self.log(), self.state.chance.outcomes
        assert outcomes is not None
        brought, first = attempt.after.log(), len(log.notes)
        log.notes.extend(brought.notes)
        log.witnesses.update({first + number: seats for number, seats in brought.witnesses.items()})
        outcomes.extend(attempt.outcomes)
        lots = self.state.chance.lots
        lots.extend(attempt.after.state.chance.lots)
        self.played.extend(attempt.after.played)
        self.state = attempt.after.state
        self.state.log = log
        self.state.chance.outcomes = outcomes
        self.state.chance.lots = lots

    def why(self, move: str, seat: str | None = None) -> Refused | None:
        """Why this move may not be played now, with the rule that forbids it; None if it may."""
        s = self.state
        player = s.player
        if seat is not None:
            player = self.player_at(seat)
        if s.over or player != s.player:
            return refusal(WAIT_UNTIL_ASKED, s, player, move)
        words = self.words_of(move)
        rule = s.step.forbids_phrase(s, words) if words else ANSWER_WHAT_IS_ASKED
        return None if rule is None else refusal(rule, s, player, move, words[0] if words else -1)

    def words_of(self, move: object) -> list[int]:
        """The words that a move consists of; none if it means nothing in this game."""
        if not isinstance(move, str) or move.count(SEPARATOR) >= len(self.rules.cards):
            return []  # no move names a card twice
        words = move.split(SEPARATOR)
        if not all(word in self.rules.moves for word in words):
            return []
        return [self.rules.moves.index(word) for word in words]

    # How it stands ------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.state.over

    @property
    def totals(self) -> dict[str, int]:
        return self.state.totals_by_seat()

    @property
    def winners(self) -> list[str] | None:
        """None until the game is over; then who has won, and [] if nobody has."""
        return seats_in(self.state.winners) if self.state.over else None

    def view(self, seat: str | None, since: int = 0) -> dict[str, Any]:
        """All that this seat may know, with perfect memory; None: what a spectator may know.

        The first `since` notes of the history are left out.
        """
        viewer: i64 = NOBODY if seat is None else self.player_at(seat)
        if not isinstance(since, int) or isinstance(since, bool) or since < 0:
            raise Error(f"The notes to leave out: expected how many, got {brief(since)}.")
        history = self.log().history(viewer, min(since, self.note_count))
        return view_of(self.rules, self.state, self.options, viewer, history)

    @property
    def note_count(self) -> int:
        """How many notes the history has so far; as many for everyone."""
        return len(self.log().notes)

    @property
    def outcome_count(self) -> int:
        """How many outcomes chance has brought so far."""
        return len(self.state.chance.outcomes or [])

    def outcomes(self, since: int = 0) -> list[Any]:
        """What chance has brought, as in a record, without the first `since` outcomes."""
        brought: list[Any] = deep_copy((self.state.chance.outcomes or [])[since:])
        return brought

    def lots(self) -> list[list[str]]:
        """The candidates of every lot among the outcomes, in order."""
        candidates: list[list[str]] = deep_copy(self.state.chance.lots)
        return candidates

    def position(self) -> dict[str, Any]:
        """Everything, also what is hidden."""
        return position_of(self.rules, self.state)

    def record(self) -> dict[str, Any]:
        """The whole game as text, for `fuda.replay`."""
        record: dict[str, Any] = {
            "fuda": FORMAT,
            "game": self.rules.id,
            "rules": self.rules.version,
            "players": self.state.players,
            "options": self.options.copy(),
        }
        if self.given is not None:
            record["position"] = deep_copy(self.given)
        if self.past:
            record["history"] = deep_copy(self.past)
        record["chance"] = deep_copy(self.state.chance.outcomes)
        record["moves"] = self.played.copy()
        record["result"] = self.result()
        return record

    def result(self) -> dict[str, Any]:
        return {"moves": len(self.played), "over": self.over, "totals": self.totals, "winners": self.winners}

    def clone(self) -> Game:
        """An independent copy that will have the same luck."""
        c = self.copy_without_history()
        c.adopt_history(self)
        return c

    def copy_without_history(self) -> Game:
        """A copy that stands as this game does but knows nothing of how it came to that."""
        return Game(self.rules, self.state.clone(), self.options)

    def adopt_history(self, game: Game) -> None:
        """Takes over all that led to that game; what has been played here came after it."""
        self.given = game.given
        self.past = game.past
        self.played = game.played + self.played
        self.state.log = game.log().clone()
        outcomes = game.state.chance.outcomes
        assert outcomes is not None
        self.state.chance.record(self.rules.cards, None)
        self.state.chance.outcomes = outcomes.copy()
        self.state.chance.lots = game.state.chance.lots.copy()

    def __repr__(self) -> str:
        where = f"over, won by {self.winners}" if self.over else f"{self.seat} to decide"
        return f"<{self.rules.name}, {self.state.players} players, {len(self.played)} moves played, {where}>"

    # Inside -------------------------------------------------------------------------------------

    def log(self) -> Log:
        log = self.state.log
        assert log is not None
        return log

    def player_at(self, seat: object) -> i64:
        player = player_at(seat, self.state.players)
        if player != NOBODY:
            return player
        raise Error(f"{brief(seat)} is not a seat; there are {', '.join(SEATS[: self.state.players])}.")


class Attempt:
    """A move that was played on a copy of a game's state."""

    def __init__(self, before: State, turn: int, after: Game) -> None:
        self.before = before
        self.turn = turn
        self.after = after
        """The game after the move; of its history and outcomes it has only what the move brought."""
        self.outcomes: list[Any] = after.outcomes()


def refusal(rule: Rule, s: State, player: i64, move: object, code: i64 = -1) -> Refused:
    facts = rule.facts(s, player, code)
    facts["move"] = move if isinstance(move, str) and len(move) <= 60 else brief(move)
    return Refused(rule.id, rule.text, rule.because_of(facts), facts)


def deep_copy(value: Any) -> Any:
    """A deep copy of JSON-able data."""
    if isinstance(value, list):
        return [deep_copy(one) for one in value]
    if isinstance(value, dict):
        return {key: deep_copy(value[key]) for key in value}
    return value


# Ways to come to a game -----------------------------------------------------------------------


def chance_from(seed: object, names: list[str], script: list[Any] | None = None) -> Chance:
    """Luck that follows from the seed: of a number for simulations, of bytes that nobody knows for play."""
    if isinstance(seed, bytes):
        if len(seed) < LEAST_KEY:
            raise Error(f"The seed: expected at least {LEAST_KEY} bytes, got {len(seed)}.")
        chance: Chance = Fair(seed)
    elif isinstance(seed, int) and not isinstance(seed, bool):
        chance = Chance(seeded(seed % 0x3FFFFFFFFFFFFFFF))
    else:
        raise Error(f"The seed: expected a whole number or bytes, got {brief(seed)}.")
    chance.record(names, script)
    return chance


def begin(
    rules: Rulebook[Any],
    players: object,
    options: object,
    chance: Chance,
    position: object = None,
    past: list[Note] | None = None,
) -> Game:
    """A new game from its beginning or from a given position."""
    settled = rules.checked_options(players, options)
    assert isinstance(players, int)
    if position is None:
        s = rules.blank(players, settled, chance)
        rules.start(s)
    else:
        s = set_up(rules, players, settled, chance, position)
        rules.resume(s)
    game = Game(rules, s, settled)
    if position is not None:
        game.given = deep_copy(position)
        game.past = deep_copy(past or [])
    s.log = Log(rules.cards, deep_copy(game.past))
    s.settle()
    if position is not None and (s.over or not len(s.legal())):
        raise Error("The position: nobody has a decision left.")
    return game


def replay_with(rules: Rulebook[Any], record: dict[str, Any], seed: object) -> Game:
    """The recorded game again; chance that comes later is from the seed."""
    check_version(rules, record["rules"])
    past = checked_history(record.get("history", []), "The record")
    if past and "position" not in record:
        raise Error("The record is damaged: it has a history, but no position that this led to.")
    chance = chance_from(seed, rules.cards, record["chance"])
    game = begin(rules, record["players"], record.get("options"), chance, record.get("position"), past)
    for number, move in enumerate(record["moves"], 1):
        try:
            game.play(move)
        except Refused as refused:
            raise Error(f"The record is damaged: move {number}, {brief(move)}: {refused}") from refused
    assert chance.outcomes is not None
    if len(chance.outcomes) != len(record["chance"]):
        raise Error(
            f"The record is damaged: its moves need {len(chance.outcomes)} outcomes of chance, "
            f"but it has {len(record['chance'])}."
        )
    chance.script = None
    check_result(record.get("result"), game.result())
    return game


def redeal_with(rules: Rulebook[Any], view: dict[str, Any], seed: object) -> Game:
    """A full game that the view's seat cannot tell from the true one."""
    for key in [*HEADER, *(field.name for field in rules.fields if field.in_views)]:
        if key not in view:
            raise Error(f"The view has no field {key!r}.")
    if not rules.can_replay(view["rules"]):
        raise Error(f"The view follows version {brief(view['rules'])} of the rules; this is {rules.version}.")
    s, options, log = state_from(rules, view, chance_from(seed, rules.cards))
    if not s.over and not len(s.legal()):
        raise Error("The view: nobody has a decision left.")
    s.log = log
    game = Game(rules, s, options)
    check_question(game, view)
    game.given = position_of(rules, s)
    game.past = deep_copy(log.notes)
    return game


def check_question(game: Game, view: dict[str, Any]) -> None:
    """Raises Error if the fields of the view lead to another question than it shows.

    That is so in a view that was taken between the integers of one move, such as an attack with three cards.
    """
    viewer: i64 = NOBODY if view["you"] is None else game.player_at(view["you"])
    if view["seat"] != game.seat:
        fits = view["seat"] in game.asked()
    else:
        fits = view["question"] == (None if game.over else game.rules.question(game.state, viewer))
    if not fits:
        raise Error("The view: its fields do not lead to its question; it may be from the middle of a move.")
