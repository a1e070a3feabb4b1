"""Nobody waits for ever: bots answer, deadlines pass, and those who are gone are played for."""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import time
from typing import Final, Literal

import msgspec

import fuda
from fuda.bots.seating import default_kind
from fuda.game import PASS
from fuda.protocol.parts import Seat
from fuda.server import commands, entries
from fuda.server.denials import Denial
from fuda.server.entries import AnyEntry, Mover
from fuda.server.pace import Tempo
from fuda.server.table import Table
from fuda.server.thinking import Thinkers

NEWS_LASTS: Final = 25.0
"""So long is believed what another process said about who is connected there."""
LAG: Final = 2.0
"""So much later than the first, the other processes that have a table do what is due."""
FOR_EVER: Final = float("inf")
CHANCE: Final = random.SystemRandom()


Whose = Literal["bot", "here", "away"]
"""Who answers for a seat: a bot, or the person, who may be connected or not."""


class Plan:
    """What will be answered for a seat, and when."""

    def __init__(self, since: int, whose: Whose, at: float, by: Mover | None, move: str | None = None) -> None:
        self.since = since
        self.whose = whose
        self.at = at
        self.by = by
        """None: nobody answers for it, unless the deadline passes."""
        self.move = move
        self.thought: asyncio.Task[None] | None = None

    def is_due(self, now: float) -> bool:
        return self.by is not None and self.move is not None and now >= self.at

    def drop(self) -> None:
        if self.thought is not None:
            self.thought.cancel()


class Elsewhere(msgspec.Struct):
    """Who is connected to another process, and until when that is believed."""

    until: float
    seats: list[Seat]
    watching: int


class Minding:
    """Does what is due at one table; `commit` writes what comes of it."""

    lock: asyncio.Lock

    def __init__(self, tempo: Tempo, thinkers: Thinkers, table: Table) -> None:
        self.tempo = tempo
        self.thinkers = thinkers
        self.table = table
        self.chance: random.Random = CHANCE
        self.plans: dict[Seat, Plan] = {}
        self.gone: dict[str, float] = {}
        """Since when nobody has been connected for a token."""
        self.elsewhere: dict[str, Elsewhere] = {}
        """What other processes said about who is connected there."""
        self.process = ""
        self.own_seats: list[Seat] = []
        self.stirred = asyncio.Event()
        self.alarm: asyncio.Handle | None = None
        self.alarm_at = FOR_EVER
        self.is_resting = False

    async def commit(self, entry: AnyEntry) -> bool:
        raise NotImplementedError

    # Who is there ---------------------------------------------------------------------------------

    @property
    def others(self) -> list[Elsewhere]:
        if not self.elsewhere:
            return []
        now = time.time()
        return [other for other in self.elsewhere.values() if other.until > now]

    @property
    def here(self) -> list[Seat]:
        """Who is connected to any process."""
        if not self.elsewhere:
            return self.own_seats
        seats = {seat for other in self.others for seat in other.seats}
        return [seat for seat in self.table.places if seat in seats or seat in self.own_seats]

    def note_presence(self, seats: list[Seat]) -> None:
        """Keeps since when nobody has been connected for those who are not here."""
        was_asleep = self.is_asleep
        self.own_seats = seats
        now = time.time()
        if was_asleep and not self.is_asleep:
            self.give_time_back(now)
        here = self.here
        tokens = {place.token: seat for seat, place in self.table.places.items() if place.is_person}
        self.gone = {token: self.gone.get(token, now) for token, seat in tokens.items() if seat not in here}

    def give_time_back(self, now: float) -> None:
        """Time that passed while nobody was there does not count."""
        table = self.table
        table.starting_since = max(table.starting_since, now)
        if table.questions.due is not None:
            table.questions.due = max(table.questions.due, now + self.tempo.of(self.tempo.given_back))

    @property
    def is_asleep(self) -> bool:
        """Whether no person is there for whom it would be worth going on."""
        places = self.table.places
        return not any(seat in places and places[seat].is_person for seat in self.here)

    def silent_for(self, seat: Seat) -> float | None:
        """How long this seat has been asked without an answer; None if nobody is connected for it."""
        if seat not in self.here:
            return None
        return time.time() - self.table.questions.at if seat in self.table.questions.asked else 0.0

    @property
    def lag(self) -> float:
        """One process does what is due; the others wait a little longer, in case that it has died."""
        if not self.elsewhere:
            return 0.0
        now = time.time()
        others = [process for process, other in self.elsewhere.items() if other.until > now and other.seats]
        return self.tempo.of(LAG) if any(other < self.process for other in others) else 0.0

    # The loop -------------------------------------------------------------------------------------

    def stir(self) -> None:
        """Has the loop look at what is due."""
        self.stirred.set()

    async def mind(self) -> None:
        """Does what is due, for as long as the table is awake."""
        while not self.is_resting:
            await self.stirred.wait()
            self.stirred.clear()
            async with self.lock:
                with contextlib.suppress(Denial):  # the log could not be written, and everybody was told
                    while await self.do_next():
                        pass
                self.look_ahead()

    def look_ahead(self) -> None:
        """Under the lock, after something has happened: decides who answers next, and has the loop stirred in time."""
        if self.is_resting:
            return
        if self.table.phase == "playing" and not self.is_asleep:
            self.plan_answers(time.time() - self.lag)
        at = self.next_time()
        # An alarm that rings too early does no harm; most moves are made long before their deadline.
        if at < self.alarm_at:
            self.stop_alarm()
            self.alarm_at = at
            self.alarm = asyncio.get_running_loop().call_later(max(0.0, at - time.time()), self.ring)

    def ring(self) -> None:
        self.stop_alarm()
        self.stir()

    def stop_alarm(self) -> None:
        if self.alarm is not None:
            self.alarm.cancel()
        self.alarm = None
        self.alarm_at = FOR_EVER

    def rest(self) -> None:
        """Nothing is done here any more."""
        self.is_resting = True
        self.forget_plans()
        self.stop_alarm()

    def next_time(self) -> float:
        """When something is due next."""
        table = self.table
        if self.is_asleep:
            return FOR_EVER
        times = [FOR_EVER]
        if table.phase == "starting":
            times.append(0.0 if self.has_all_bytes else table.starting_since + self.tempo.bytes_wait)
        if table.phase == "playing":
            if table.questions.to_be_played(table.game) is not None:
                times.append(table.changed)
            times += [plan.at for plan in self.plans.values() if plan.by is not None and plan.move is not None]
            if table.questions.due is not None and any(plan.by is None for plan in self.plans.values()):
                times.append(table.questions.due)
            times += [since + self.tempo.of(self.tempo.gone) for since in self.gone_times()]
            times += [0.0 for place in table.places.values() if place.is_idle]
        return min(times) + self.lag

    def gone_times(self) -> list[float]:
        waiting = {place.token for place in self.table.places.values() if place.is_person and not place.is_played_for}
        return [since for token, since in self.gone.items() if token in waiting]

    async def do_next(self) -> bool:
        """Does one thing that is due, or finds that another process has; False if nothing is."""
        table = self.table
        if self.is_asleep:
            self.forget_plans()
            return False
        now = time.time() - self.lag
        if table.phase == "starting":
            return await self.start_if_ready(now)
        if table.phase != "playing":
            return False
        entry = self.to_be_played_for(now)
        if entry is None:
            return await self.answer_if_due(now)
        await self.commit(entry)
        return True

    def to_be_played_for(self, now: float) -> entries.PlayedFor | None:
        """Somebody who has been gone for too long, or does not answer."""
        for seat, place in self.table.places.items():
            if place.is_person and not place.is_played_for:
                if now >= self.gone.get(place.token, FOR_EVER) + self.tempo.of(self.tempo.gone):
                    return entries.PlayedFor(seat, "gone")
                if place.is_idle:
                    return entries.PlayedFor(seat, "idle")
        return None

    # The start ------------------------------------------------------------------------------------

    @property
    def has_all_bytes(self) -> bool:
        return all(seat in self.table.bytes for seat in self.table.people)

    async def start_if_ready(self, now: float) -> bool:
        """Deals once everybody has given random bytes, or after a short while."""
        table = self.table
        if not self.has_all_bytes and now < table.starting_since + self.tempo.bytes_wait:
            return False
        game = table.new_game()
        await self.commit(entries.Started(game.rules.version, tuple(game.outcomes(0)), self.due_of(game)))
        return True

    def due_of(self, game: fuda.Game) -> float | None:
        """When what is asked now will be answered by somebody else."""
        allowance = None if game.over else self.tempo.allowance(self.table.pace, game.is_reaction)
        return None if allowance is None else time.time() + allowance

    # Answers --------------------------------------------------------------------------------------

    def forget_plans(self) -> None:
        for plan in self.plans.values():
            plan.drop()
        self.plans = {}

    async def answer_if_due(self, now: float) -> bool:
        table = self.table
        game = table.game
        assert game is not None
        questions = table.questions
        answer = questions.to_be_played(game)
        if answer is not None:
            if now < table.changed:
                return False
            await self.commit(entries.Played(answer.seat, answer.move, answer.by, answer.quiet))
            return True
        self.plan_answers(now)
        for seat in questions.asked:
            plan = self.plans.get(seat)
            if plan is not None and plan.is_due(now):
                del self.plans[seat]
                assert plan.move is not None
                assert plan.by is not None
                await self.commit(commands.make_move(table, seat, plan.since, plan.move, plan.by))
                return True
        return False

    def plan_answers(self, now: float) -> None:
        """Decides for everyone who is asked whether, when and by whom the answer is given."""
        table = self.table
        game = table.game
        assert game is not None
        kept: dict[Seat, Plan] = {}
        is_late = table.questions.due is not None and now >= table.questions.due
        for seat in table.questions.asked:
            asked = table.questions.asks(game, seat)
            if asked is None:
                continue
            plan = self.plans.pop(seat, None)
            since = table.questions.since[seat]
            if plan is not None and (plan.since != since or plan.whose != self.whose(seat)):
                plan.drop()
                plan = None
            if plan is None or (plan.by is None and is_late):
                plan = self.plan_for(seat, since, asked, is_late)
            kept[seat] = plan
        self.forget_plans()
        self.plans = kept

    def plan_for(self, seat: Seat, since: int, asked: fuda.Game, is_late: bool) -> Plan:
        table = self.table
        is_reaction = table.questions.is_reaction
        moves = asked.moves()
        whose = self.whose(seat)
        now = time.time()
        if whose == "bot":
            delay = self.reaction_delay() if is_reaction else self.tempo.bot_delay(self.chance)
            plan = Plan(since, whose, now + delay, "bot")
            kind = table.places[seat].wish if table.places[seat].is_bot else default_kind(table.game_id)
        elif moves == [PASS] and whose == "here":
            return Plan(since, whose, now + self.reaction_delay(), "person", PASS)
        elif is_late:
            plan = Plan(since, whose, now, "clock", PASS if is_reaction else None)
            kind = default_kind(table.game_id)
        else:
            # Whoever is away is waited for, choice or not: otherwise a pass would tell that there was none.
            return Plan(since, whose, FOR_EVER, None)
        if plan.move is None:
            plan.thought = asyncio.create_task(self.think(plan, kind, asked.view(seat), moves))
        return plan

    def whose(self, seat: Seat) -> Whose:
        if self.table.is_played_by_bot(seat):
            return "bot"
        return "here" if seat in self.here else "away"

    def reaction_delay(self) -> float:
        return self.tempo.reaction_delay(self.chance, self.table.pace)

    async def think(self, plan: Plan, kind: str, view: dict[str, object], moves: list[str]) -> None:
        move = await self.thinkers.choose(kind, self.table.game_id, secrets.randbits(60), view, moves)
        plan.move = move if move in moves else moves[0]
        self.stir()
