"""A game at a table elsewhere: drawn as things happen, while somebody may be typing here."""

from __future__ import annotations

import contextlib
from typing import Any, Final

from rich.console import Group
from rich.text import Text

import fuda
from fuda.cli.online.connection import Wire
from fuda.cli.online.game import GONE, PLAYED_FOR, OnlineGame, seating_of, standing_of
from fuda.cli.online.lobby import lobby, paragraph
from fuda.cli.online.online_commands import OnlineOrders, said_in
from fuda.cli.online.tickets import Kept, keep, with_promises
from fuda.cli.table.frame import Scene
from fuda.cli.table.game import Names
from fuda.cli.table.parser import Answer, Move, Order, Unclear, begun_order, order_in
from fuda.cli.table.render import picture
from fuda.cli.table.score import result_of
from fuda.cli.table.tricks import lately
from fuda.cli.terminal.interrupts import Stirred
from fuda.cli.terminal.screen import Screen
from fuda.client import Change, Connected, Known, Link
from fuda.engine.words import listed
from fuda.game import words_in
from fuda.protocol.messages import Event

NOT_ASKED: Final = "You are not asked anything now. say TEXT talks to the others; help lists what else you can type."
SLOW: Final = "The server takes its time. What you typed is sent again until it is answered."
MOST_NOTICES: Final = 3
"""So much of what happened besides the game is said at once."""


class OnlineSession(OnlineOrders):
    def __init__(self, wire: Wire, screen: Screen, kept: Kept | None) -> None:
        super().__init__(wire, screen)
        self.kept = kept
        """What is kept on this machine of the own seat."""
        self.typed = ""
        """What had been typed when something happened."""
        self.replied: list[str] = []
        """The answer to what was typed last."""
        self.notices: list[str] = []
        """What happened besides the game and has not been said yet, or not been heeded."""
        self.trouble = ""
        """Why there is no connection."""
        self.last_mover: str | None = None
        self.told_plainly: Any = None
        """Up to which moment it has been told where nothing can be drawn anew."""
        self.recited = 0
        """How many notes have been told there."""
        self.is_prompted = False
        """Whether it has been asked there, and not yet answered."""
        self.fairness = ""
        """Whether the cards were dealt as promised, once that is known."""
        screen.notice = self.urgent
        # Whoever comes in the middle of a game is told what happened of late.
        self.begin(lately(wire.known.view["history"]) if wire.known.view is not None and wire.known.turn else 0)

    @property
    def kinds(self) -> Names:
        return {chair.seat: standing for chair in self.known.table.chairs if (standing := standing_of(self.known, chair))}

    @property
    def is_done(self) -> bool:
        """Whether nothing more will happen here; whoever does not type does not wait for another game."""
        phase = self.known.table.phase
        return self.wire.ended is not None or phase == "closed" or (phase == "over" and not self.screen.is_typed)

    @property
    def is_awaited(self) -> bool:
        """Whether nothing goes on until something is typed."""
        if self.known.table.phase == "open":
            return any(chair.host and chair.seat == self.known.you for chair in self.known.table.chairs)
        return self.known.ask is not None

    # The course of things -------------------------------------------------------------------------

    def run(self) -> None:
        """Goes on until somebody leaves, or there is nothing left to wait for."""
        while not self.is_done:
            with contextlib.suppress(Stirred):  # the bell may ring a moment too late
                self.go_on()
            self.take_note()

    def go_on(self) -> None:
        if self.screen.live:
            self.draw_all()
        else:
            self.tell_all()
        if self.screen.is_typed or self.is_awaited:
            self.listen()
        else:
            self.wire.wait()

    def listen(self) -> None:
        """Waits until something is typed and does it, or until something happens."""
        try:
            text = self.ask("" if self.is_prompted else self.line_prompt(), self.words(), self.typed)
        except Stirred as stirred:
            self.typed = stirred.typed
            self.is_prompted = not self.screen.live and (self.is_prompted or self.screen.has_begun)
            return
        self.is_prompted = False
        self.typed = ""
        self.replied = []
        self.notices = []
        self.answer(text.strip())

    def answer(self, text: str) -> None:
        seat = self.known.you or ""
        meant = self.meant(text)
        if isinstance(meant, Move):
            before = self.known.own_view
            if self.play(meant.move, seat):
                self.tell_from(seat, before, self.last_mover == seat)
        elif isinstance(meant, Order):
            self.obey(meant, seat)
        elif meant is not None:
            self.reply(seat, meant.sentence)
        else:
            self.told_plainly = None

    def meant(self, text: str) -> Answer | None:
        """What was meant by what was typed; None: that the table be drawn again."""
        if self.known.ask is not None and self.known.you is not None:
            moves = self.game.moves()
            if not text:
                return Move(moves[0]) if len(moves) == 1 else None
            return self.meaning(self.known.you).answer(text)
        if not text:
            return None
        order = order_in(text, self.orders) or begun_order(text, self.orders)
        unclear = f"I do not understand {text!r}: help lists what you can type." if self.is_before else NOT_ASKED
        return order or Unclear(unclear)

    # Taking note ----------------------------------------------------------------------------------

    def take_note(self) -> None:
        """Looks at what has happened; what was being typed stays, unless it answers what is no longer asked."""
        changes = self.wire.news()
        before, self.known = self.known, self.wire.known
        for change in changes:
            self.notice(change)
        self.keep_promises()
        if before is self.known:
            return
        self.game = OnlineGame(self.known)
        self.seating = seating_of(self.known)
        if before.number != self.known.number or before.you != self.known.you:
            self.begin(0)
        elif before.turn != self.known.turn and before.view is not None:
            self.before = before.own_view
        if before.ask is not None and (self.known.ask is None or self.known.ask.since != before.ask.since):
            self.replied = []
            if order_in(self.typed, self.orders) is None:
                self.typed = ""

    def keep_promises(self) -> None:
        """Keeps what was promised before a deal, so that whoever comes back can still check it."""
        promises = [*self.wire.client.promises.values()]
        if self.kept is not None and self.kept.promises != promises:
            self.kept = with_promises(self.kept, promises)
            with contextlib.suppress(OSError):  # then it is checked as far as this start of it knows
                keep(self.kept)

    def begin(self, since: int) -> None:
        """A game, or a seat, that is new here: it is told from this note on."""
        self.before = {}
        self.told = {}
        self.recited = self.scored = since
        self.last_mover = None
        self.fairness = ""
        if since and self.known.you is not None:
            self.told[self.known.you] = since

    def notice(self, change: Change) -> None:
        """Has said what must not go unnoticed."""
        you = self.known.you
        if isinstance(change, Connected):
            if change.is_open and self.trouble and not self.screen.live:
                self.notices.append("The connection is there again.")
            self.trouble = change.trouble if not change.is_open else ""
        elif isinstance(change, Event):
            if change.what == "played":
                self.last_mover = change.seat
            if change.what == "played" and change.seat == you and change.by == "clock":
                self.notices.append("Your time was up, so it was answered for you.")
            elif change.what == "played for" and change.seat == you:
                self.notices.append("A bot plays for you until you type something.")
            elif change.line is not None and change.line.seat != you:
                self.notices.append(said_in(change.line))
        self.notices = self.notices[-MOST_NOTICES:]

    # What is drawn --------------------------------------------------------------------------------

    def draw_all(self) -> None:
        """Draws the table as it is now."""
        if self.is_before or self.known.view is None:
            lines = lobby(self.known, self.game.rules, self.link, self.screen.width)
            for sentence in [*self.status(), *self.replied]:
                lines += [Text(), *paragraph(sentence, self.screen.width)]
            self.screen.draw([*lines, Text()])
            return
        if self.game.over:
            self.show_end()
        else:
            self.show_new_score()
        self.draw(self.scene_now())

    def scene_now(self) -> Scene:
        you = self.known.you
        is_asked = self.known.ask is not None and you is not None
        scene = self.asking(str(you)) if is_asked else self.scene(you, [], "what happens")
        if self.replied:
            scene.title = "answer"
            scene.answer(self.replied)
        scene.status = self.status()
        return scene

    def status(self) -> list[str]:
        """What there is to know of the table besides the game."""
        said = [f"{self.trouble} Trying again…"] if self.trouble else []
        said += self.notices
        if self.is_before or self.known.view is None:
            return said
        if self.game.over:
            return [*said, "The game is over: rematch plays another one, quit leaves."]
        if self.known.ask is not None and self.known.seconds is not None:
            said.append(f"{int(self.known.seconds)} s left.")
        gone = [self.names[seat] for seat, standing in self.kinds.items() if standing == GONE]
        if gone:
            said.append(f"{listed(gone)} {'is' if len(gone) == 1 else 'are'} gone.")
        played_for = [self.names[seat] for seat, standing in self.kinds.items() if standing == PLAYED_FOR]
        if played_for:
            said.append(f"A bot plays for {listed(played_for)}.")
        if len(self.known.asked) > 1 and self.known.answered:
            said.append(f"{self.known.answered} of {len(self.known.asked)} have answered.")
        return said

    def urgent(self) -> str:
        """What must be known while something else is read."""
        known = self.wire.known
        if known.ask is None:
            return ""
        return "It is your turn. " if known.seconds is None else f"It is your turn: {int(known.seconds)} s left. "

    def show_end(self) -> None:
        """The end of the game, once, on a page of its own."""
        if not self.fairness:
            self.read(Group(*self.end_of_story(self.known.you), Text(), *self.result()), "Enter to go back to the table > ")

    def result(self) -> list[Any]:
        """The score, who has won, where the record is, and whether the deal was fair."""
        if not self.fairness:
            self.fairness = self.checked_deal()
        address = f"{self.wire.place.server}/r/{self.wire.place.table}/{self.known.number}"
        sentences = [Text(f"The record: {address}", "dim"), Text(self.fairness, "dim")]
        return [result_of(self.game, self.names, self.looks, self.screen.width), Text(), *sentences]

    def checked_deal(self) -> str:
        try:
            return self.wire.client.check(self.do(self.wire.client.record(self.known.number)))
        except fuda.Error as error:
            return f"Whether the deal was fair could not be checked: {error}"

    def line_prompt(self) -> str:
        """What stands before what is typed."""
        known = self.known
        if known.ask is not None and known.you is not None and known.table.phase == "playing":
            return self.prompt(known.you)
        who = "You watch" if known.you is None else self.names[known.you]
        if self.is_before:
            return f"{who}: before the game > "
        if self.game.over:
            return f"{who}: after the game > "
        others = [self.names[seat] for seat in known.asked if seat in self.names and seat != known.you]
        return f"{who}: waiting for {listed(others) if others else 'the others'} > "

    def words(self) -> list[str]:
        """What Tab completes."""
        return [*(self.looks.mild(word) for word in words_in(self.game.moves())), *self.orders]

    @property
    def link(self) -> str:
        return str(Link(self.wire.place.server, self.wire.place.table, self.known.table.invite))

    def say_slow(self) -> None:
        if self.screen.live:
            self.screen.draw([*[Text()] * 2, Text(f"  {SLOW}")])
        else:
            self.screen.say([Text(SLOW)])

    # What is told where nothing can be drawn anew ---------------------------------------------------

    def reply(self, seat: str, *texts: str) -> None:
        self.replied = [*texts]
        if not self.screen.live:
            self.screen.say(self.lines([self.looks.sentence(text) for text in texts]))

    def tell_all(self) -> None:
        """Tells what is new; what was being typed goes on if nothing is."""
        lines = [Text(sentence) for sentence in self.notices]
        self.notices = []
        moment = self.trouble or moment_of(self.known)
        if moment != self.told_plainly:
            self.told_plainly = moment
            lines += [Text(f"{self.trouble} Trying again…")] if self.trouble else self.told_now()
        if lines and self.is_prompted:
            lines.insert(0, Text())
        self.is_prompted = self.is_prompted and not lines
        self.screen.say(lines)

    def told_now(self) -> list[Text]:
        """What is new; if something is asked, the whole table."""
        known, screen = self.known, self.screen
        since, self.recited = self.recited, known.noted
        if self.is_before or known.view is None:
            return [Text(), *lobby(known, self.game.rules, self.link, screen.width), Text()]
        if self.game.over:
            result = screen.lines_of(Group(*self.result())) if screen.is_typed else []
            return [*self.end_of_story(known.you), Text(), *map(Text, result)] if result else []
        if known.ask is not None:
            return [Text(), *picture(self.scene_now(), screen.width, None)]
        return self.lines(self.story(known.you, since)) if known.you is None or screen.is_typed else []


def moment_of(known: Known) -> Any:
    """What must be told again if it is different."""
    if known.view is None or known.table.phase in ("open", "starting"):
        return (known.table.phase, known.table.chairs, known.here)
    return (known.number, known.noted if known.ask is None else -known.ask.since)
