"""Plays for bots, for absent players, and for those who let their time run out."""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
from collections.abc import Awaitable, Callable
from typing import Final

import fuda
from fuda.bots.seating import default_kind
from fuda.game import PASS
from fuda.protocol.parts import Seat
from fuda.server import clock, commands, entries
from fuda.server.bot_pool import BotPool
from fuda.server.deadlines import Deadlines
from fuda.server.denials import Denial
from fuda.server.entries import AnyEntry, Mover
from fuda.server.pace import SYSTEM_RANDOM, Tempo
from fuda.server.presence import Presence
from fuda.server.table import Table

LAG: Final = 2.0
"""How many seconds later than the first the other processes act that have the same table loaded."""
NEVER: Final = float("inf")


class Plan:
    """What will be answered for a seat, and when."""

    def __init__(self, since: int, at: float, by: Mover | None) -> None:
        self.since = since
        self.at = at
        self.by = by
        """None: nobody answers for the seat before the deadline."""
        self.move: str | None = None
        """None while a bot is still choosing."""
        self.choosing: asyncio.Task[None] | None = None

    def is_due(self, now: float) -> bool:
        return self.by is not None and self.move is not None and now >= self.at

    def cancel(self) -> None:
        if self.choosing is not None:
            self.choosing.cancel()
            self.choosing = None  # the task keeps the plan until it has ended: no reference cycle


class Autoplay:
    """Acts at one table when something is due; `commit` writes an entry to the log."""

    def __init__(
        self,
        table: Table,
        presence: Presence,
        deadlines: Deadlines,
        bots: BotPool,
        tempo: Tempo,
        lock: asyncio.Lock,
        commit: Callable[[AnyEntry], Awaitable[bool]],
    ) -> None:
        self.table = table
        self.presence = presence
        self.deadlines = deadlines
        self.bots = bots
        self.tempo = tempo
        self.lock = lock
        self.commit = commit
        self.random: random.Random = SYSTEM_RANDOM
        self.plans: dict[Seat, Plan] = {}
        self.notified = asyncio.Event()
        self.timer: asyncio.Handle | None = None
        self.timer_at = NEVER
        self.is_stopped = False

    # The loop -------------------------------------------------------------------------------------

    def notify(self) -> None:
        """Makes the loop look for what is due."""
        self.notified.set()

    async def run(self) -> None:
        """Does what is due, until it is stopped."""
        while not self.is_stopped:
            await self.notified.wait()
            self.notified.clear()
            async with self.lock:
                with contextlib.suppress(Denial):  # the log could not be written, and everybody has been told
                    while await self.do_next():
                        pass
                self.schedule()

    def schedule(self) -> None:
        """Under the lock, after a change: decides who answers next, and sets the timer for it."""
        if self.is_stopped:
            return
        if self.table.phase == "playing" and self.presence.has_people:
            self.plan_answers(clock.now() - self.lag)
        at = self.next_time()
        # A timer that fires too early does no harm; most moves are made long before their deadline.
        if at < self.timer_at:
            self.stop_timer()
            self.timer_at = at
            self.timer = asyncio.get_running_loop().call_later(max(0.0, at - clock.now()), self.on_timer)

    def on_timer(self) -> None:
        self.stop_timer()
        self.notify()

    def stop_timer(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        self.timer = None
        self.timer_at = NEVER

    def stop(self) -> None:
        self.is_stopped = True
        self.cancel_plans()
        self.stop_timer()

    @property
    def lag(self) -> float:
        return 0.0 if self.presence.goes_first else self.tempo.of(LAG)

    def next_time(self) -> float:
        """When something is due next."""
        table = self.table
        if not self.presence.has_people:
            return NEVER
        times = [NEVER]
        if table.phase == "starting":
            times.append(0.0 if self.has_all_bytes else self.deadlines.of_bytes)
        if table.phase == "playing":
            times += [self.end_of_reaction()] if table.questions.is_reaction else self.times_of_answers()
            times += [since + self.tempo.of(self.tempo.gone) for since in self.absences()]
            times += [0.0 for state in table.seats.values() if state.is_idle]
        return min(times) + self.lag

    def times_of_answers(self) -> list[float]:
        """When answers are given that are not reactions."""
        table = self.table
        times = [plan.at for plan in self.plans.values() if plan.by is not None and plan.move is not None]
        if table.questions.next_held(table.game) is not None:
            times.append(table.changed)
        due = self.deadlines.of_question
        if due is not None and any(plan.by is None for plan in self.plans.values()):
            times.append(due)
        return times

    def absences(self) -> list[float]:
        """Since when each absent person has been away for whom no bot plays yet."""
        waiting = {state.token for state in self.table.seats.values() if state.is_person and not state.is_played_for}
        return [since for token, since in self.presence.gone_since.items() if token in waiting]

    async def do_next(self) -> bool:
        """Does one thing that is due, unless another process has; False if nothing is."""
        if not self.presence.has_people:
            self.cancel_plans()
            return False
        now = clock.now() - self.lag
        if self.table.phase == "starting":
            return await self.start_if_ready(now)
        if self.table.phase != "playing":
            return False
        entry = self.to_be_played_for(now)
        if entry is None:
            return await self.answer_if_due(now)
        await self.commit(entry)
        return True

    def to_be_played_for(self, now: float) -> entries.PlayedFor | None:
        """Somebody who has been away for too long, or does not answer."""
        for seat, state in self.table.seats.items():
            if state.is_person and not state.is_played_for:
                if now >= self.presence.gone_since.get(state.token, NEVER) + self.tempo.of(self.tempo.gone):
                    return entries.PlayedFor(seat, "gone")
                if state.is_idle:
                    return entries.PlayedFor(seat, "idle")
        return None

    # The start ------------------------------------------------------------------------------------

    @property
    def has_all_bytes(self) -> bool:
        return all(seat in self.table.bytes for seat in self.table.people)

    async def start_if_ready(self, now: float) -> bool:
        """Deals once everybody has given random bytes, or after a short while."""
        if not self.has_all_bytes and now < self.deadlines.of_bytes:
            return False
        game = self.table.new_game()
        due = self.deadlines.of_new_question(game)
        await self.commit(entries.Started(game.rules.version, tuple(game.outcomes()), due))
        return True

    # Answers --------------------------------------------------------------------------------------

    def cancel_plans(self) -> None:
        for plan in self.plans.values():
            plan.cancel()
        self.plans = {}

    async def answer_if_due(self, now: float) -> bool:
        table = self.table
        if table.questions.is_reaction:
            return await self.end_reaction_if_due(now)
        answer = table.questions.next_held(table.game)
        if answer is not None:
            if now < table.changed:
                return False
            await self.commit(entries.Played(answer.seat, answer.move, answer.by, answer.quiet))
            return True
        self.plan_answers(now)
        for seat in table.questions.asked:
            plan = self.plans.get(seat)
            if plan is not None and plan.is_due(now):
                del self.plans[seat]
                assert plan.move is not None
                assert plan.by is not None
                await self.commit(commands.move_by(table, seat, plan.since, plan.move, plan.by))
                return True
        return False

    async def end_reaction_if_due(self, now: float) -> bool:
        """Plays the answer of the first who was asked; whoever has not answered lets things be."""
        table = self.table
        self.plan_answers(now)
        if now < self.end_of_reaction():
            return False
        seat = table.questions.asked[0]
        answer = table.questions.next_held(table.game)
        if answer is not None:
            entry = entries.Played(seat, answer.move, answer.by, quiet=True)
        elif seat in self.plans:
            entry = entries.Played(seat, self.plans[seat].move or PASS, "bot", quiet=True)
        else:
            entry = entries.Played(seat, PASS, "clock", quiet=True)
        await self.commit(entry)
        return True

    def end_of_reaction(self) -> float:
        """When the answers count: at the deadline, whoever has answered, or a little later if a bot is still choosing."""
        table, questions = self.table, self.table.questions
        waiting = [seat for seat in questions.asked if not questions.held.get(seat)]
        due = self.deadlines.of_question
        end = NEVER if due is None else due
        # Where there is nobody to hide from, nobody needs to wait either.
        have_people_answered = all(table.is_played_by_bot(seat) for seat in waiting)
        if have_people_answered and (due is None or (table.has_one_person and questions.held)):
            end = min(end, max(table.changed, self.presence.resumed_at))
        is_choosing = any(plan.move is None for seat, plan in self.plans.items() if seat in waiting)
        return end + self.tempo.bot_extra if is_choosing else end

    def plan_answers(self, now: float) -> None:
        """Decides for everyone who is asked whether, when and by whom the answer is given."""
        table = self.table
        game = table.game
        assert game is not None
        kept: dict[Seat, Plan] = {}
        due = self.deadlines.of_question
        is_late = due is not None and now >= due
        for seat in table.questions.asked:
            asked = table.questions.game_for(game, seat)
            if asked is None:
                continue
            plan = self.plans.pop(seat, None)
            since = table.questions.since[seat]
            is_bot = table.is_played_by_bot(seat)
            if plan is not None and (plan.since != since or (plan.by == "bot") != is_bot):
                plan.cancel()
                plan = None
            if table.questions.is_reaction and not is_bot:
                continue  # people answer, or let things be
            if plan is None or (plan.by is None and is_late):
                plan = self.plan_for(seat, since, asked, is_late)
            kept[seat] = plan
        self.cancel_plans()
        self.plans = kept

    def plan_for(self, seat: Seat, since: int, asked: fuda.Game, is_late: bool) -> Plan:
        table = self.table
        now = clock.now()
        if table.is_played_by_bot(seat):
            plan = Plan(since, now + self.tempo.bot_delay(self.random), "bot")
        elif is_late:
            plan = Plan(since, now, "clock")
        else:
            return Plan(since, NEVER, None)
        kind = table.seats[seat].occupancy if table.seats[seat].is_bot else default_kind(table.game_id)
        plan.choosing = asyncio.create_task(self.choose(plan, kind, asked.view(seat), asked.moves()))
        return plan

    async def choose(self, plan: Plan, kind: str, view: dict[str, object], moves: list[str]) -> None:
        """Has a bot choose the move of the plan."""
        move = await self.bots.choose(kind, self.table.game_id, secrets.randbits(60), view, moves)
        plan.move = move if move in moves else moves[0]
        self.notify()
