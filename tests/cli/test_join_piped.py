"""`fuda join` without a terminal, and how it treats text from a server."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import fuda
from fuda.cli.online.game import rebuild_refusal, seating_from_chairs
from fuda.cli.online.tickets import SavedTicket, save_ticket
from fuda.cli.terminal.layout import printable
from fuda.client import Known, Open, connect, take_seat
from fuda.protocol.parts import EVERY_SEAT, Chair, Fair, TableState
from tests.cli.conftest import Run
from tests.cli.test_join import GAME, open_table
from tests.client.fake import until
from tests.client.served import Served
from tests.client.served import run as finish


def test_a_piped_game_is_plain_text(server: Served, run: Run) -> None:
    host = open_table(server, chairs=["me", "open"])
    words = [sys.executable, "-m", "fuda", "join", host.link, "--name", "Rob", "--bot", "thumb"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == f"Rob (thumb) has seat B at {host.link}\n"
        result = run("join", host.link, "--name", "Ann", typed="start\n" + "1\n" * 60)
        said = other.stdout.read()
    assert other.returncode == 0
    assert re.search(r"(Ann|Rob|Ann and Rob) (wins|share the win)", said)
    assert result.exit_code == 0, result.output
    assert "B Rob" in result.output
    assert re.search(r"(Ann|Rob|Ann and Rob) (wins|share the win)", result.output)
    assert f"/r/{host.table}/1" in result.output
    assert "Your own bytes were used." in result.output


def test_a_reaction_is_answered_once(server: Served, run: Run) -> None:
    """Nothing more is read from the input for it while the answer waits."""
    host = server.open(Open("frantic", "Ann", chairs=["me", "open"], pace="none", options={"scored": False}))
    words = [sys.executable, "-m", "fuda", "join", host.link, "--name", "Rob", "--bot", "thumb"]
    save_ticket(SavedTicket(host, "Ann"))
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == f"Rob (thumb) has seat B at {host.link}\n"
        result = run("join", host.link, "--name", "Ann", typed="start\n" + "1\n" * 2000)
        other.stdout.read()
    assert result.exit_code == 0, result.output
    assert re.search(r"(Ann|Rob|Ann and Rob) (wins|share the win)", result.output)
    assert "not your turn" not in result.output


def test_a_spectator_reads_what_happens(server: Served, run: Run) -> None:
    host = server.open(Open(GAME, "Ann", start=True, players=2, pace="none", public=True))
    with subprocess.Popen([sys.executable, "-c", OTHER_PLAYER, host.as_json()]) as bot:
        result = run("join", f"{server.address}/t/{host.table}", "--watch")
    assert bot.returncode == 0
    assert result.exit_code == 0, result.output
    assert "Ann plays" in result.output
    assert re.search(r"(Ann|Ben|Ann and Ben) (wins|share the win)", result.output)
    assert "Proven to be fair." in result.output
    assert "The moves are those that your client saw." in result.output


def test_whoever_takes_a_seat_after_the_deal_is_told_that_it_is_not_proven(server: Served, run: Run) -> None:
    host = server.open(Open(GAME, "Ann", players=2, pace="none"))

    async def play() -> None:
        async with connect(host) as ann, connect(await take_seat(host.link, "Ben")) as ben:
            await ann.start()
            await until(lambda: ben.state.phase == "playing")
            await ben.leave()

    finish(play())
    result = run("join", host.link, "--name", "Cleo", typed="quit\n")
    assert result.exit_code == 0, result.output
    sentence = "Game 1 cannot be proven to be fair: it was dealt without random bytes of yours."
    assert sentence in " ".join(result.output.split())


OTHER_PLAYER = """
import asyncio, sys
from fuda.client import connect, ticket_from
from fuda.client.bots import play_on

async def play():
    async with connect(ticket_from(sys.argv[1])) as table:
        while not table.known.watching:
            await table.changed()
        await play_on(table, lambda view, moves: moves[0], rematches=False)

asyncio.run(play())
"""


def test_the_end_of_the_input_keeps_the_seat(server: Served, run: Run) -> None:
    host = open_table(server, start=True)
    result = run("join", host.link, typed="why 1\nundo\n1\n")
    assert result.exit_code == 0
    assert "You may play" in result.output
    assert "no undo" in result.output
    assert "Your seat stays yours" in result.output


WAITING_HOST = """
import asyncio, sys
from fuda.client import connect, ticket_from

async def wait():
    async with connect(ticket_from(sys.argv[1])):
        print("connected", flush=True)
        await asyncio.to_thread(sys.stdin.read)

asyncio.run(wait())
"""


def test_a_public_table_is_chosen_from_the_list(server: Served, run: Run) -> None:
    host = server.open(Open(GAME, "Zacharias", players=2, public=True))
    words = [sys.executable, "-c", WAITING_HOST, host.as_json()]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as waiting:
        assert waiting.stdout is not None
        assert waiting.stdout.readline() == "connected\n"
        result = run("join", server.address, "--watch", typed="nothing\n")
        waiting.communicate("")
    assert result.exit_code == 2
    assert "Zacharias is the host, 1 of 2 chairs open" in result.output
    assert "a number from 1 to" in result.output
    assert host.table not in result.output


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("nonsense", "is not an address"),
        ("http://127.0.0.1:1/x/y#z", "is not a link to a table"),
        ("http://127.0.0.1:1/t/abcdefghi#x", "cannot be reached"),
        ("{server}/t/abcdefghi#x", "no such table"),
        ("{host}0", "by invitation"),
    ],
)
def test_every_error_is_one_sentence(server: Served, run: Run, url: str, sentence: str) -> None:
    host = server.open(Open(GAME, "Ann", players=2)).link
    result = run("join", url.format(server=server.address, host=host), "--name", "Ben")
    assert result.exit_code == 2
    assert sentence in result.output
    assert len(result.output.splitlines()) == 1


def test_an_unknown_bot_is_an_error(server: Served, run: Run) -> None:
    host = server.open(Open(GAME, "Ann", players=2))
    result = run("join", host.link, "--name", "Ben", "--bot", "genius")
    assert result.exit_code == 2
    assert "There is no bot 'genius'" in result.output


# Names and refusals -------------------------------------------------------------------------------


def known_with(*names: str) -> Known:
    chairs = [Chair(seat, "person", name) for seat, name in zip(EVERY_SEAT, names, strict=False)]
    state = TableState("abc", GAME, {}, chairs, "open", 1, False, "normal", True, Fair(1, "c0ffee"))
    return Known(1, state, "A", [])


def test_names_fit_the_table_and_are_different() -> None:
    names = seating_from_chairs(known_with("Bartholomew the First", "Bartholomew the Second", "Ann\x1b[2J")).names
    assert names["A"] != names["B"]
    assert all(len(name) <= 12 for name in names.values())
    assert names["C"] == "Ann [2J"


def test_control_characters_do_not_reach_the_terminal() -> None:
    assert printable("a\x1b[31mb\u202ec\r\n") == "a [31mb c"


def test_a_refusal_from_the_server_keeps_its_template() -> None:
    game = fuda.new("schadenfreude", 4, 7)
    refusal = game.why("nonsense", "B")
    assert refusal is not None
    again = rebuild_refusal(game.rules, refusal.rule, str(refusal), refusal.facts)
    assert (again.rule, again.text, again.because) == (refusal.rule, refusal.text, refusal.because)
    strange = rebuild_refusal(game.rules, "X-1", "A {brace} of \x1b new rules.", {})
    assert str(strange) == "A {brace} of   new rules."
