"""What a client knows after welcomes and events."""

from __future__ import annotations

import pytest

import fuda
from fuda.client.known import MOST_SAID, Gap, Known, after_answer, after_event, from_welcome, with_presence
from fuda.protocol.messages import Event, Here, Sealed
from fuda.protocol.parts import EVERY_SEAT, GameNews, Line, Seat
from tests.client.fake import FakeServer
from tests.tables import Table, reduced_tables


def start(game: fuda.Game, seat: Seat | None) -> tuple[FakeServer, Known]:
    fake = FakeServer(game)
    return fake, from_welcome(fake.welcome(seat))


def event(version: int, noted: int, table: FakeServer, seat: Seat | None) -> Event:
    return Event(version, "played", game=table.news(seat, noted))


@reduced_tables
def test_the_view_is_at_every_moment_what_the_game_gives(table: Table) -> None:
    game = fuda.new(table.game, table.players, 3, table.options)
    fake = FakeServer(game)
    viewers: list[Seat | None] = [None, *EVERY_SEAT[: table.players]]
    known = {viewer: from_welcome(fake.welcome(viewer)) for viewer in viewers}
    for version in range(1, 60):
        noted = game.note_count
        game.play(game.moves()[-1])
        for viewer in viewers:
            known[viewer] = after_event(known[viewer], event(version, noted, fake, viewer))
            assert known[viewer].view == game.view(viewer)
            assert list(known[viewer].view or {}) == list(game.view(viewer))
            assert (known[viewer].ask is not None) == (viewer is not None and viewer == game.seat)
        if game.over:
            break


def test_what_was_known_already_changes_nothing() -> None:
    _, known = start(fuda.new("kirifu", 3, 1), "A")
    known = after_event(known, Event(1, "luck"))
    assert after_event(known, Event(1, "luck")) is known
    assert after_event(known, Event(0, "opened")) is known


def test_an_event_that_is_not_the_next_is_a_gap() -> None:
    _, known = start(fuda.new("kirifu", 3, 1), "A")
    with pytest.raises(Gap):
        after_event(known, Event(2, "luck"))


def test_notes_beyond_those_that_are_known_are_a_gap() -> None:
    _, known = start(fuda.new("kirifu", 3, 1), "A")
    with pytest.raises(Gap):
        after_event(known, Event(1, "played", game=GameNews(1, known.noted + 1, [])))


def test_news_of_another_game_begin_with_its_first_note() -> None:
    fake, known = start(fuda.new("kirifu", 3, 1), "A")
    fake.game, fake.number = fuda.new("kirifu", 3, 2), 2
    again = after_event(known, event(1, 0, fake, "A"))
    assert again.view == fake.game.view("A")
    with pytest.raises(Gap):
        after_event(known, event(1, 1, fake, "A"))


def test_missed_events_come_without_views_and_the_last_has_one() -> None:
    game = fuda.new("schadenfreude", 4, 1)
    fake, known = start(game, "A")
    marks = [game.note_count]
    for _ in range(3):
        game.play(game.moves()[0])
        marks.append(game.note_count)
    history = game.view("A")["history"]
    for version in (1, 2):
        notes = history[marks[version - 1] : marks[version]]
        known = after_event(known, Event(version, "played", game=GameNews(1, marks[version - 1], notes)))
        assert known.noted == marks[version]
    assert after_event(known, event(3, marks[2], fake, "A")).view == game.view("A")


def test_older_views_stay_as_they_were() -> None:
    game = fuda.new("schadenfreude", 4, 1)
    fake, known = start(game, "B")
    before = game.view("B")
    noted = game.note_count
    game.play(game.moves()[0])
    after_event(known, event(1, noted, fake, "B"))
    assert known.view == before


def test_what_was_said_does_not_pile_up() -> None:
    _, known = start(fuda.new("kirifu", 3, 1), "A")
    for version in range(1, MOST_SAID + 50):
        known = after_event(known, Event(version, "said", line=Line("B", "Ben", str(version))))
    assert len(known.said) == MOST_SAID
    assert known.said[-1].text == str(MOST_SAID + 49)


def test_who_is_here_is_taken_over() -> None:
    _, known = start(fuda.new("kirifu", 3, 1), "A")
    known = with_presence(known, Here(["A", "C"], 4))
    assert (known.here, known.watching) == (["A", "C"], 4)


def test_while_the_host_is_away_another_one_acts_as_host() -> None:
    _, known = start(fuda.new("kirifu", 3, 1), "B")
    assert known.host == "A"
    assert with_presence(known, Here(["B", "C"], host="B")).host == "B"


def test_at_a_table_that_is_opened_again_nobody_is_asked() -> None:
    game = fuda.new("kirifu", 3, 1)
    fake = FakeServer(game)
    known = from_welcome(fake.welcome(EVERY_SEAT["ABC".index(str(game.seat))]))
    assert known.ask is not None
    assert known.seconds is not None
    fake.phase = "open"
    known = after_event(known, Event(1, "reopened", table=fake.state()))
    assert (known.ask, known.asked, known.seconds) == (None, [], None)


def test_a_question_is_gone_once_its_answer_was_sealed() -> None:
    _, known = start(fuda.new("kirifu", 3, 1), "A")
    assert known.ask is not None
    since = known.ask.since
    assert after_answer(known, Sealed(since + 1)) is known, "another question"
    after = after_answer(known, Sealed(since))
    assert after.ask is None
    assert (after.view, after.version, after.asked) == (known.view, known.version, known.asked)
    assert after_answer(after, Sealed(since)) is after
