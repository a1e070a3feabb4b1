"""`fuda join` at a pseudo-terminal, as a player uses it."""

from __future__ import annotations

import json
import re
import sqlite3
import stat
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pexpect
from click.testing import CliRunner

import fuda
from fuda.cli.commands.verify import verify
from fuda.cli.online.lobby import next_step_text
from fuda.cli.online.tickets import SavedTicket, save_ticket
from fuda.client import Open, TableClient, Ticket, connect, take_seat
from fuda.client.known import from_welcome, with_presence
from fuda.protocol.messages import Here
from tests.cli.terminal import PATIENCE, Terminal
from tests.client.fake import FakeServer, until
from tests.client.served import Served
from tests.client.served import run as finish

GAME = "shinigami_preschool"
POLL = 0.15
"""Seconds to wait for output before the condition is checked again."""
DRAWN_AFTER_INPUT = re.compile(r"\n(?:\x1b\[\?2004l\r?)?\x1b\[H")
"""A drawing after the newline of a finished input line; one that only follows an interrupt has no newline before it."""


class JoinTerminal(Terminal):
    """A terminal whose screen changes while nobody types."""

    cut = ""
    """The beginning of an incomplete escape code."""

    @property
    def is_drawn(self) -> bool:
        """Whether the last drawing is complete, with its prompt."""
        _, cleared, rest = self.sent.rpartition("\x1b[H")[2].partition("\x1b[J")
        return bool(cleared) and " > " in rest.rpartition("\n")[2]

    def look(self) -> bool:
        """Processes new output; False if there is none."""
        if self.child.expect([r"(?s).+", pexpect.TIMEOUT, pexpect.EOF], timeout=POLL) != 0:
            return False
        came = self.cut + self.child.after
        whole = re.sub(r"\x1b(\[[\d;?]*)?\Z", "", came)
        self.cut = came[len(whole) :]
        self.feed(whole)
        return True


def shown(table: JoinTerminal, pattern: str, seconds: float = PATIENCE) -> str:
    """Waits until the screen is complete and has this on it; returns the screen."""
    end = time.monotonic() + seconds
    while not (table.is_drawn and re.search(pattern, table.screen.text)):
        table.look()
        assert time.monotonic() < end, f"{pattern} does not come:\n{table.screen.text}"
    return table.screen.text


def typed(table: JoinTerminal, line: str, pattern: str) -> str:
    """Types a line, and waits until the screen has been drawn again and has this on it."""
    sent = len(table.sent)
    table.child.sendline(line)
    end = time.monotonic() + PATIENCE
    while not DRAWN_AFTER_INPUT.search(table.sent, sent):
        table.look()
        assert time.monotonic() < end, f"{line}: no effect:\n{table.screen.text}"
    return shown(table, pattern)


def open_table(server: Served, **settings: Any) -> Ticket:
    """Opens a table and saves the ticket of its host."""
    defaults: dict[str, Any] = {"pace": "none"} if "chairs" in settings else {"players": 2, "pace": "none"}
    ticket = server.open(Open(GAME, "Ann", **defaults | settings))
    save_ticket(SavedTicket(ticket, "Ann"))
    return ticket


def join_as_host(server: Served, home: Path, **settings: Any) -> tuple[JoinTerminal, Ticket]:
    """A new table, and its host at a terminal."""
    ticket = open_table(server, **settings)
    return JoinTerminal(home, "join", ticket.link), ticket


def as_other_player(ticket: Ticket, work: Callable[[TableClient], Any]) -> None:
    """Does something as another player of the table."""

    async def do() -> None:
        async with connect(ticket) as table:
            await work(table)

    finish(do())


async def play_until_host_is_asked(table: TableClient) -> None:
    await until(lambda: table.state.phase == "playing" and bool(table.asked))
    while "A" not in table.asked:
        if table.ask is not None:
            await table.play(table.moves[0])
        await table.changed()


# Before the game ----------------------------------------------------------------------------------


def test_the_lobby_shows_chairs_and_invitation(server: Served, home: Path) -> None:
    table, ticket = join_as_host(server, home, players=3)
    text = shown(table, "Ann: before the game")
    assert table.fits
    assert re.search(r"(?m)^ +A Ann \(you, host\)$", text)
    assert re.search(r"(?m)^ +B open$", text)
    assert ticket.link in text
    guest = finish(take_seat(ticket.link, "Ben"))
    shown(table, r"B Ben \(gone\)")
    as_other_player(guest, lambda other: other.say("hello"))
    shown(table, "Ben: hello")
    table.child.sendline("quit")
    assert table.end() == 0


def test_the_host_assigns_chairs_and_starts(server: Served, home: Path) -> None:
    table, _ = join_as_host(server, home, players=4)
    shown(table, "Ann: before the game")
    typed(table, "start", "Seat B is empty")
    typed(table, "bot B random", r"B Ben \(random bot\)")
    typed(table, "bot C", r"C Cleo \(thumb bot\)")
    typed(table, "close d", "D closed")
    typed(table, "open C", "C open")
    typed(table, "swap c", r"C Ann \(you, host\)")
    typed(table, "close A", "A closed")
    typed(table, "bot Z", "is not a seat")
    typed(table, "bot", "Which seat")
    typed(table, "sing", "I do not understand 'sing'")
    typed(table, "start", r"B Ann \(you\)|▸ A Ben")
    assert "C " not in table.screen.text.split("totals")[1].split("first")[0]
    table.child.sendline("quit")
    assert table.end() == 0


def test_leaving_gives_up_the_seat(server: Served, home: Path) -> None:
    host = server.open(Open(GAME, "Ann", players=3))
    table = JoinTerminal(home, "join", host.link, "--name", "Ben", "--seat", "c")
    shown(table, r"C Ben \(you\)")
    assert [*(home / "fuda" / "tickets").glob("*.json")]
    table.child.sendline("leave")
    assert table.end() == 0
    assert "You have left the table." in table.sent
    assert not [*(home / "fuda" / "tickets").glob("*.json")]
    as_other_player(host, lambda other: until(lambda: other.state.chairs[2].kind == "open"))


def test_a_player_who_loses_the_seat_is_told(server: Served, home: Path) -> None:
    host = server.open(Open(GAME, "Ann", players=2))
    table = JoinTerminal(home, "join", host.link, "--name", "Ben")
    shown(table, r"B Ben \(you\)")
    as_other_player(host, lambda other: other.furnish("B", "thumb"))
    assert table.end() == 0
    assert "given your seat away" in table.sent


def test_the_name_is_asked_until_it_is_valid(server: Served, home: Path) -> None:
    host = server.open(Open(GAME, "Ann", players=2))
    table = JoinTerminal(home, "join", host.link)
    table.see("Your name > ")
    table.child.sendline("")
    table.see("Your name > ")
    table.child.sendline("ann")
    table.see("already called ann.*Your name > ")
    table.child.sendline("Ben")
    shown(table, r"B Ben \(you\)")
    table.child.sendline("quit")
    assert table.end() == 0


# The game -----------------------------------------------------------------------------------------


def test_a_whole_game_can_be_played_with_numbers(server: Served, home: Path) -> None:
    table, ticket = join_as_host(server, home, chairs=["me", "thumb"])
    shown(table, "before the game")
    round_pages = set()
    expected = "Ann: Play a card|The round is over|Enter to go back to the table"
    text = typed(table, "start", expected)
    while "Enter to go back" not in text:
        assert table.fits
        is_round_over = "The round is over" in text
        if is_round_over:  # the same page can be drawn several times
            round_pages.add(re.split(r"\n.*Enter to continue", text)[0])
        text = typed(table, "" if is_round_over else "1", expected)
    assert len(round_pages) == 1
    assert re.search(r"(Ann|Ben|Ann and Ben) (wins|share the win) with -?\d+ points", table.screen.text)
    assert f"/r/{ticket.table}/1" in table.screen.text
    assert "Your own bytes were used." in " ".join(table.screen.text.split())
    typed(table, "", "Ann: after the game")
    file = home / "game.json"
    typed(table, f"save {file}", "Saved in")
    assert fuda.replay(json.loads(file.read_text())["record"]).over
    (seen,) = (home / "fuda" / "seen").glob("*.json")
    assert stat.S_IMODE(seen.stat().st_mode) == 0o600
    result = CliRunner().invoke(verify, [str(file)])
    assert result.exit_code == 0, result.output
    assert f"{file}: Compared with what seat A saw: {seen}" in result.output.splitlines()
    typed(table, "rematch", "Ann: before the game")
    typed(table, "start", "Ann: (Play|waiting)")
    table.child.sendline("quit")
    assert table.end() == 0
    assert "Your seat stays yours. To come back:" in table.sent


def test_a_game_that_is_closed_early_is_checked_too(server: Served, home: Path) -> None:
    host = server.open(Open(GAME, "Ann", players=2, pace="none"))
    table = JoinTerminal(home, "join", host.link, "--name", "Ben")
    shown(table, r"B Ben \(you\)")

    async def start_and_close(other: TableClient) -> None:
        await other.start()
        await until(lambda: other.state.phase == "playing")
        await other.close_table()

    as_other_player(host, start_and_close)
    assert table.end() == 0
    said = " ".join(table.sent.split())
    assert "The table is closed by the host." in said
    assert "Proven to be fair." in said
    assert "The game is not over: the table was closed early, as your client was told." in said
    assert "What you saw, for fuda verify: " in said


def test_common_and_online_commands(server: Served, home: Path) -> None:
    table, ticket = join_as_host(server, home, chairs=["me", "open", "thumb"])
    guest = finish(take_seat(ticket.link, "Ben"))
    shown(table, r"B Ben \(gone\)")
    table.child.sendline("start")
    as_other_player(guest, play_until_host_is_asked)
    shown(table, "Ann: Play a card")
    typed(table, "undo", "There is no undo")
    typed(table, "why 1", "You may play")
    typed(table, "why purple 99", "I know no card")
    typed(table, "99", "There is no move 99")
    typed(table, "score", "No round is over yet.*\n.*Enter to go back|Enter to go back")
    typed(table, "", "Ann: Play a card")
    typed(table, "help", "(?s)react WORD.*Enter for more")
    typed(table, "", "Enter to go back")
    typed(table, "", "Ann: Play a card")
    typed(table, "rules A-6", "Enter to go back")
    typed(table, "", "Ann: Play a card")
    typed(table, "say good evening", "Ann: Play a card")
    typed(table, "react well", "Ann: Play a card")
    typed(table, "react", "React how")
    text = typed(table, "chat", "Enter to go back")
    assert "Ann: good evening" in text
    assert "Ann: well played!" in text
    typed(table, "", "Ann: Play a card")
    typed(table, "device", f"/d/{ticket.table}#")
    typed(table, "", "Ann: Play a card")
    file = home / "so far.json"
    typed(table, f"save {file}", "What you know so far is saved")
    assert json.loads(file.read_text())["record"]["view"]["you"] == "A"
    typed(table, "bot Ben", "A bot plays for Ben")
    typed(table, "leave", "Type leave again")
    typed(table, "1", "waiting for|Play a card")
    table.child.sendline("quit")
    assert table.end() == 0


def test_unfinished_input_survives_a_redraw(server: Served, home: Path) -> None:
    table, ticket = join_as_host(server, home)
    guest = finish(take_seat(ticket.link, "Ben"))
    shown(table, r"B Ben \(gone\)")
    table.child.send("say good ")
    shown(table, "before the game > say good")
    for text in ("one", "two", "three"):
        as_other_player(guest, partial(TableClient.say, text=text))
        shown(table, f"(?s)Ben: {text}.*before the game > say good")
    table.child.sendline("evening")

    async def heard(other: TableClient) -> None:
        await until(lambda: other.said[-1].text == "good evening")

    as_other_player(guest, heard)
    table.child.sendline("quit")
    assert table.end() == 0


def test_a_deadline_that_passes_while_typing_is_reported(server: Served, home: Path) -> None:
    table, _ = join_as_host(server, home, chairs=["me", "thumb"], pace="quick")
    shown(table, "before the game")
    table.child.sendline("start")
    shown(table, "Ann: Play a card")
    assert "s left." in table.screen.text
    table.child.send("nonsen")
    text = shown(table, "Your time was up")
    assert "nonsen" not in text.splitlines()[-1]
    table.child.sendline("quit")
    assert table.end() == 0


def test_a_dumb_terminal_gets_plain_lines(server: Served, home: Path) -> None:
    ticket = open_table(server, chairs=["me", "open", "thumb"])
    guest = finish(take_seat(ticket.link, "Ben"))
    table = JoinTerminal(home, "join", ticket.link, TERM="dumb")
    table.see("Ann: before the game > ")
    as_other_player(guest, lambda other: other.say("hello"))
    table.see("Ben: hello\r\n.*Ann: before the game > ")
    table.child.sendline("start")
    as_other_player(guest, play_until_host_is_asked)
    table.see("Ann: Play a card.* > ")
    assert "\x1b" not in table.sent
    assert "connection" not in table.sent
    table.child.sendline("say good evening")
    table.see("Ann: Play a card.* > ")
    table.child.sendline("1")
    table.see("Ann plays ")
    table.child.sendline("quit")
    assert table.end() == 0


# Leaving and coming back --------------------------------------------------------------------------


def test_ctrl_c_quits_and_keeps_the_seat(server: Served, home: Path) -> None:
    host = server.open(Open(GAME, "Ann", players=2))
    table = JoinTerminal(home, "join", host.link, "--name", "Ben")
    shown(table, r"B Ben \(you\)")
    table.child.sendintr()
    assert table.end() == 130
    assert "Your seat stays yours. To come back:" in table.sent
    (kept,) = (home / "fuda" / "tickets").glob("*.json")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    again = JoinTerminal(home, "join", f"{server.address}/t/{host.table}")
    shown(again, r"B Ben \(you\)")
    again.child.sendline("quit")
    assert again.end() == 0


def test_a_lost_connection_is_reported_and_restored(server: Served, home: Path) -> None:
    table, _ = join_as_host(server, home, chairs=["me", "thumb"])
    shown(table, "before the game")
    typed(table, "start", "Ann: Play a card")
    server.stop()
    try:
        shown(table, "Trying again")
        table.child.send("1")
        shown(table, "Play a card.* > 1")
    finally:
        server.start()
    shown(table, r"(?s)^(?!.*Trying again).*> 1")
    table.child.sendline("")
    shown(table, "Ann plays")
    table.child.sendline("quit")
    assert table.end() == 0


def test_a_game_that_the_server_ended_because_its_rules_have_changed_leads_back_to_the_lobby(
    server: Served, home: Path
) -> None:
    table, ticket = join_as_host(server, home, chairs=["me", "thumb"])
    shown(table, "before the game")
    typed(table, "start", "Ann: Play a card")
    server.stop()
    try:
        shown(table, "Trying again")
        with sqlite3.connect(server.database.removeprefix("sqlite:///")) as database:
            older = """UPDATE entries SET data = replace(data, '"rules":"', '"rules":"0') WHERE table_id = ?"""
            database.execute(older, [ticket.table])
    finally:
        server.start()
    version = fuda.rulebook(GAME).version
    shown(table, rf"(?s)The last game was ended: it was played under version 0{version} of the rules")
    typed(table, "start", "Ann: Play a card")
    table.child.sendline("quit")
    assert table.end() == 0


def test_the_lobby_tells_the_acting_host_to_start() -> None:
    known = from_welcome(FakeServer(None).welcome("B"))
    assert "starts the game" in next_step_text(known)
    assert "starts the game" not in next_step_text(with_presence(known, Here(["B"], host="B")))
